import test from 'ava'

import { formatSitemap, formatSitemapIndex } from '#src/discovery/feeds/sitemap.ts'
import { readXml } from '#test/src/_xml.ts'

const urls = [
  { url: 'https://registry.example/ark:/12345/k2x', changedAt: '2026-11-21T10:20:30.000Z' },
  { url: 'https://registry.example/' },
]

test('a sitemap and an index say where pages are and when they changed', (t) => {
  for (const [xml, root, name] of [
    [formatSitemap(urls), 'urlset', 'url'],
    [formatSitemapIndex(urls), 'sitemapindex', 'sitemap'],
  ] as const) {
    const read = readXml(xml)
    t.is(read.name, root)
    t.is(read.attributes['xmlns'], 'http://www.sitemaps.org/schemas/sitemap/0.9')
    t.deepEqual(
      read.children.map((child) => [child.name, ...child.children.map(({ text }) => text)]),
      [
        [name, 'https://registry.example/ark:/12345/k2x', '2026-11-21T10:20:30.000Z'],
        [name, 'https://registry.example/'],
      ],
    )
  }
})
