// Every registry of this kind begins its name with this, whatever its address.
const productStart = 'Arklog (+'

/** How our requests for content introduce themselves: what asks, and where to learn more. */
export function fetcherUserAgent(baseUrl: string): string {
  return `${productStart}${baseUrl})`
}

/** Whether a User-Agent header is that of a registry, this or another, that fetches content. */
export function isFetcherUserAgent(header: string | undefined): boolean {
  return header?.startsWith(productStart) === true
}
