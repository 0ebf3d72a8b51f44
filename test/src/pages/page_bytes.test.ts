import { gzipSync } from 'node:zlib'
import test from 'ava'

import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { openPage } from '#test/src/pages/_reader.ts'

/** Bytes of a page with its stylesheets, packed as they are sent. */
const packedBytesMax = 60_000

const abstract = 'The engine weaves algebraical patterns as the loom weaves flowers and leaves. '

test('the pages that most people come to are light, and load nothing from elsewhere', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const key = await registry.key({ scopes: ['works:write'] })
  const arks: string[] = []
  for (let number = 1; number <= 25; number += 1) {
    const made = await mint(registry, key, {
      work_title: `Patterns ${number}: ${'of the loom '.repeat(8)}`,
      description: abstract.repeat(20),
      authors: Array.from({ length: 20 }, (_, author) => `Author ${author} Byron`).join('; '),
      published_date: String(1800 + number),
    })
    arks.push(made.ark_identifier)
  }
  registry.search.live.start()
  await caughtUp(registry.search.live)
  for (const path of [
    '/',
    '/search',
    '/search?q=patterns+loom&year=1801-1820',
    `/${arks[0]}`,
    '/publishers/demo',
    '/publishers',
    '/log',
    '/log/entries/7',
    '/how-it-works',
    '/verify',
  ]) {
    const { status, body } = await openPage(registry, path)
    t.is(status, 200, path)
    const loaded = loadedBy(body)
    t.deepEqual(
      loaded.filter((address) => !/^\/(?!\/)/.test(address)),
      [],
      `${path} loads nothing from elsewhere`,
    )
    const sheets = loaded.filter((address) => address.endsWith('.css'))
    const styles = await Promise.all(sheets.map((sheet) => openPage(registry, sheet)))
    const parts = [body, ...styles.map((style) => style.body)]
    const packed = parts.reduce((sum, part) => sum + gzipSync(part).length, 0)
    t.log(`${path.replace(arks[0] ?? '', 'a work')}: ${packed} bytes of HTML and CSS, packed`)
    t.true(packed <= packedBytesMax, `${path}: ${packed} bytes`)
  }
})

/** The addresses that a browser loads with a page, without being asked. */
function loadedBy(body: string): string[] {
  const elements = body.match(
    /<(?:link|script|img|iframe|source|video|audio|embed|object)\b[^>]*>/g,
  )
  return (elements ?? []).flatMap((element) => {
    const isLoaded =
      !element.startsWith('<link') || /rel="(?:stylesheet|icon|preload)"/.test(element)
    const address = /\b(?:src|href|data)="([^"]*)"/.exec(element)?.[1]
    return isLoaded && address !== undefined ? [address] : []
  })
}
