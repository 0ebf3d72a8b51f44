import type { ExecutionContext } from 'ava'

import { formatNames } from '#src/discovery/formats/format_table.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const test = testWith(async () => {
  const registry = await serveRegistry()
  const key = await registry.key({ scopes: ['works:write'] })
  const authors = Array.from({ length: 4_000 }, (_, index) => `Collaborator, Ada ${index}`)
  const { ark_identifier: ark } = await mint(registry, key, {
    authors: authors.join('; '),
    // Some formats take no work without these.
    existing_doi: '10.5555/collaboration',
    published_date: '1843',
    access: { right: 'open' },
  })
  return { ...registry, ark }
})

type Context = Opened<typeof test>

/** Bytes of a body from which on it is long. */
const longBytesMin = 65_536

/** Counts the characters of the longest text that this thread parses as JSON from now on. */
function watchParsing(t: ExecutionContext<Context>): { longest: number } {
  const watched = { longest: 0 }
  const parse = JSON.parse.bind(JSON)
  t.teardown(() => {
    JSON.parse = parse
  })
  JSON.parse = (text: string, ...rest) => {
    watched.longest = Math.max(watched.longest, text.length)
    return parse(text, ...rest) as unknown
  }
  return watched
}

test.serial('of a long work the thread of the requests parses nothing', async (t) => {
  const { ark, call } = t.context
  // A resolution that is asked for again is kept as bytes.
  for (const _ of [1, 2]) {
    const { body } = await call(`/api/v1/resolve/${ark}`)
    t.true(body.length > longBytesMin)
  }
  const watched = watchParsing(t)
  const named = [...formatNames, 'html', 'erc', 'linkset', 'links', 'json']
  const paths = [
    ...named.map((format) => `/${ark}?format=${format}`),
    ...formatNames.map((format) => `/api/v1/works/${ark}/citation?format=${format}`),
    `/api/v1/works/${ark}/citation`,
    `/${ark}?info`,
    `/${ark}?`,
    `/${ark}?json`,
  ]
  for (const path of paths) {
    const { status, body } = await call(path)
    t.is(status, 200, path)
    t.true(body.length > 0, path)
    t.true(watched.longest < longBytesMin, `${path}: ${watched.longest} characters were parsed`)
  }
  const { status, headers } = await call(`/${ark}?content`)
  t.is(status, 302)
  t.true(String(headers.link).includes('rel="cite-as"'))
  t.true(watched.longest > 0 && watched.longest < longBytesMin)
})
