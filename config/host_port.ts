const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Host and port of an http or https address, with the port always written: `example.org:443`,
 * `[2001:db8::1]:8080`.
 */
export function hostPortOf(url: URL): string {
  return `${url.hostname}:${url.port || defaultPorts[url.protocol]}`
}

/** Whether a text is a host and port exactly as `hostPortOf` writes them. */
export function isHostPort(text: string): boolean {
  return URL.canParse(`http://${text}`) && hostPortOf(new URL(`http://${text}`)) === text
}
