/** A page for readers: its address and, where it is known, when it last changed. */
export type SitemapUrl = { readonly url: string; readonly changedAt?: string }

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * A sitemap (sitemaps.org protocol 0.9). Text by text, since there are many: addresses are those of
 * this registry, which have no character that XML would have escaped.
 */
export function formatSitemap(urls: readonly SitemapUrl[]): string {
  return formatList('urlset', 'url', urls)
}

/** An index of sitemaps. */
export function formatSitemapIndex(urls: readonly SitemapUrl[]): string {
  return formatList('sitemapindex', 'sitemap', urls)
}

function formatList(root: string, name: string, urls: readonly SitemapUrl[]): string {
  const elements = urls.map(({ url, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`
    return `<${name}><loc>${url}</loc>${changed}</${name}>\n`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<${root} xmlns="${namespace}">\n`,
    ...elements,
    `</${root}>\n`,
  ].join('')
}
