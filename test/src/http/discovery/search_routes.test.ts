import os from 'node:os'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import { searchSchemas } from '#src/http/discovery/search_routes.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'
import { until } from '#test/_until.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { mint, serveRegistry, work } from '#test/src/_served_registry.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

type Page = {
  readonly total: number
  readonly results: readonly Record<string, unknown>[]
  readonly next_cursor: string | null
  readonly links: { readonly self: string; readonly next: string | null }
} & Readonly<Record<string, unknown>>

const test = testWith(async () => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const writer = await registry.key({ scopes: ['works:write'] })
  const key = await registry.key({ scopes: ['search:read'] })
  const sandbox = await registry.key({ scopes: ['search:read'], environment: 'sandbox' })
  return { registry, key, writer, sandbox }
})

type Context = Opened<typeof test>

const ajv = new Ajv2020({ strict: false, validateFormats: false })

async function search(t: ExecutionContext<Context>, kind: IndexKind, query: string): Promise<Page> {
  const { registry, key } = t.context
  await caughtUp(registry.search.live)
  const answer = await registry.call(`/v1/search/${kind}${query}`, { key })
  t.is(answer.status, 200, answer.body)
  const page = answer.json()
  t.true(ajv.validate(searchSchemas[kind], page), ajv.errorsText())
  return page as Page
}

function titlesOf({ results }: Page): unknown[] {
  return results.map(({ work_title }) => work_title)
}

test.serial('a work is found by each of its fields, and shown as it is read', async (t) => {
  const { registry, writer } = t.context
  const orcid = '0000-0002-1825-0097'
  const minted = await mint(registry, writer, {
    ...work,
    work_title: 'Die Größe der Wale',
    work_type: 'book',
    authors: 'Ångström, Åsa; Pen, Bo',
    author_details: [{ name: 'Åsa Ångström', orcid, affiliation: 'Uppsala' }, { name: 'Bo Pen' }],
    description: 'Cetaceans are measured.',
    keywords: 'Whales, Big Things',
    language: 'de',
    license: 'CC-BY-4.0',
    existing_doi: '10.1234/whale.7',
    published_date: '2021-05',
    container_title: 'Annals of the Sea',
  })
  const found = (queries: readonly string[]) =>
    Promise.all(queries.map((query) => search(t, 'works', query)))
  const { ark_identifier: ark } = minted as { ark_identifier: string }
  const hits = await found([
    '?q=grosse+wale',
    '?q=angstrom',
    '?q=cetac',
    '?q=%22annals+of+the+sea%22',
    `?q=${encodeURIComponent(ark)}`,
    `?q=${ark.slice(ark.lastIndexOf('/') + 1)}`,
    '?q=https://doi.org/10.1234/WHALE.7',
    `?q=${orcid}`,
    '?title=WALE',
    '?author=asa',
    '?keyword=big+things',
    '?type=thesis,book',
    '?language=de',
    '?license=CC-BY-4.0',
    '?doi=10.1234/whale.7',
    `?orcid=https://orcid.org/${orcid}`,
    '?organization=demo&year=2021',
    '?year=2019-2021',
    '?has_doi=true',
    '?fixity_status=pending&created_from=2020-01-01',
  ])
  for (const page of hits) t.deepEqual(titlesOf(page), ['Die Größe der Wale'], page.links.self)
  const misses = await found([
    '?q=grosse+-wale',
    '?q=%22sea+annals%22',
    '?q=10.1234/other',
    '?title=cetaceans',
    '?year=2022',
    '?created_to=2020-01-01',
    '?language=en',
  ])
  for (const page of misses) t.is(page.total, 0, page.links.self)
  const reader = await registry.key({ scopes: ['works:read'] })
  const read = await registry.call(`/v1/works/${ark}`, { key: reader })
  t.deepEqual(hits[0]?.results[0], read.json())
})

test.serial('pages follow one another to the end, and facets come with each', async (t) => {
  const { registry, writer } = t.context
  for (let index = 0; index < 7; index += 1) {
    await mint(registry, writer, { ...work, work_title: `Turtle ${index}` })
  }
  const first = await search(t, 'works', '?q=turtle&limit=3&sort=oldest&facets=type,language')
  t.like(first, { query: 'turtle', total: 7, total_is_exact: true, sort: 'oldest', facets_of: 7 })
  t.deepEqual(first['facets'], { type: [{ value: 'article', count: 7 }], language: [] })
  const titles = first.results.map(({ work_title }) => work_title)
  let next = first.links.next
  while (next !== null) {
    const page = await search(t, 'works', new URL(next).search)
    t.is(page.total, 7)
    t.deepEqual(page['facets'], first['facets'])
    titles.push(...page.results.map(({ work_title }) => work_title))
    next = page.links.next
  }
  t.deepEqual(
    titles,
    Array.from({ length: 7 }, (_, index) => `Turtle ${index}`),
  )
})

/** So many words that differ, for a query string. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index}`).join('+')
}

test.serial('as many words as are needed are looked for, and repeated ones once', async (t) => {
  for (const query of [
    `?q=${words(32)}`,
    `?q=${'turtle+'.repeat(140)}`,
    `?q=${words(16)}&title=${words(8)}&author=${words(8)}`,
  ]) {
    await search(t, 'works', query)
  }
  t.is((await search(t, 'works', `?q=${'turtle+'.repeat(100)}`)).total, 7)
  const { registry, key } = t.context
  const many = `/v1/search/works?q=${words(16)}&title=${words(10)}&author=${words(7)}&type=book`
  t.is(
    (await registry.call(many, { key })).json()['message'],
    'The query parameters q, title, author together must have 32 different words at most, ' +
      'not 33; in scripts that part no words, 4 characters count as one',
  )
  const page = await registry.call(`/search?q=${words(33)}`, { headers: [['accept', 'text/html']] })
  t.regex(page.body, /Use at most 32 different words/)
})

test.serial('a parameter that is wrong is named', async (t) => {
  const { registry, key } = t.context
  const { next_cursor: cursor } = await search(t, 'works', '?limit=1')
  const wrong = {
    'q=%22a%22&q=b': 'q must be given once',
    'limit=201': 'limit must be a whole number from 1 to 200',
    'sort=best': 'sort must be one of relevance, newest,',
    'type=novel': 'type must be one of ',
    'year=21': 'year must be a year such as 2024',
    'year=2024-2020': 'year must be a year such as 2024',
    'created_from=2024-02-31': 'created_from must be a day such as',
    'orcid=0000-0000-0000-0000': 'orcid must be an ORCID iD',
    'doi=11.1/x': 'doi must be a DOI',
    'title=---': 'title must be text with a letter or digit',
    'facets=title': 'facets must be some of type,',
    'has_doi=yes': 'has_doi must be true or false',
    'cursor=!': 'cursor must be the next_cursor of the page before',
    'cursor=e30': 'cursor must be the next_cursor of this very search',
    [`q=${words(33)}`]: 'q must have 32 different words at most, not 33; in scripts that part no',
    [`title=${words(33)}`]: 'title must have 32 different words at most, not 33;',
    [`q=%22${'a+'.repeat(40)}`]: 'q must have 32 different words at most, not 40;',
    [`q=${'%E9%87%8F%E5%AD%90'.repeat(70)}`]: 'q must have 32 different words at most, not 35;',
    [`q=other&cursor=${cursor}`]: 'cursor must be the next_cursor of this very search',
  }
  for (const [query, message] of Object.entries(wrong)) {
    const answer = await registry.call(`/v1/search/works?${query}`, { key })
    t.is(answer.status, 400, query)
    const { error, message: said } = answer.json()
    t.is(error, 'bad_request')
    t.true(String(said).startsWith(`The query parameter ${message}`), String(said))
  }
  const unknown = await registry.call('/v1/search/people?title=x', { key })
  t.regex(String(unknown.json()['message']), /^Unknown query parameter "title": known are q, sort/)
})

/** A cursor whose place says something else. */
function forged(cursor: string | null, changes: Readonly<Record<string, unknown>>): string {
  const [text = '', ...ranked] = (cursor ?? '').split('.')
  const [mark, place] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
    string,
    Readonly<Record<string, unknown>>,
  ]
  const changed = JSON.stringify([mark, { ...place, ...changes }])
  return [Buffer.from(changed).toString('base64url'), ...ranked].join('.')
}

test.serial('a cursor that a client has made up is refused, and the index is left', async (t) => {
  const { registry, key } = t.context
  const { batches } = registry.search.live.status().indexes[0] ?? {}
  const refused = async (query: string, changes: Readonly<Record<string, unknown>>) => {
    const { next_cursor: cursor } = await search(t, 'works', query)
    const made = `/v1/search/works${query}&cursor=${forged(cursor, changes)}`
    const answer = await registry.call(made, { key })
    t.is(answer.status, 400, JSON.stringify([changes, answer.json()]))
    t.regex(String(answer.json()['message']), /^The query parameter cursor must be/)
  }
  for (const sort of ['relevance', 'constructor', 'toString', '__proto__', 'title', 'name', '']) {
    await refused('?limit=1', { sort })
  }
  await refused('?limit=1', { last: { value: 'text', seq: 7 } })
  await refused('?limit=1', { last: { value: 1.5, seq: 7 } })
  await refused('?limit=1', { last: { value: 7, seq: -1 } })
  await refused('?limit=1', { last: undefined })
  await refused('?limit=1&sort=title', { last: { value: 7, seq: 7 } })
  await refused('?q=turtle&limit=1', { last: { value: 'text', seq: 7 } })
  await refused('?q=turtle&limit=1', { meant: [{ typed: 'turtle' }] })
  await refused('?q=turtle&limit=1', { beginnings: Array(33).fill('turtle') })
  await refused('?q=turtle&limit=1', { engine: 'meilisearch' })
  t.is(registry.search.live.status().indexes[0]?.batches, batches)
})

test.serial('what takes several values takes them in one parameter or in several', async (t) => {
  const types = 'type=book,article&facets=type,language&language=de,en&limit=2&sort=oldest'
  const whole = await search(t, 'works', `?${types}`)
  t.true(whole.total > 0)
  const parted = types.replaceAll(/(\w+)=(\w+),(\w+)/g, '$1=$2&$1=$3')
  t.is(parted.match(/=/g)?.length, 8)
  const page = await search(t, 'works', `?${parted}`)
  const { links, took_ms: _, ...shown } = page
  const { links: __, took_ms: ___, ...same } = whole
  t.deepEqual(shown, same)
  t.is(new URL(links.self).search, `?${parted}`)
  const { registry, key } = t.context
  const many = Array.from({ length: 51 }, (_type, index) => `organization=o-${index}`).join('&')
  for (const [query, message] of [
    ['type=book&type=novel', 'type must be one of '],
    ['facets=type&facets=title', 'facets must be some of type,'],
    [many, 'organization must be the slug of an organization, or several of them'],
    ['year=2020&year=2021', 'year must be given once'],
    ['sort=oldest&sort=newest', 'sort must be given once'],
    ['cursor=a&cursor=b', 'cursor must be given once'],
  ] as const) {
    const answer = await registry.call(`/v1/search/works?${query}`, { key })
    t.is(answer.status, 400, query)
    t.true(String(answer.json()['message']).startsWith(`The query parameter ${message}`), query)
  }
})

test.serial('of pages by relevance none loses or repeats what others write beside', async (t) => {
  const { registry, writer } = t.context
  const stood: string[] = []
  for (let index = 0; index < 24; index += 1) {
    const description = `Plankton ${'drifts '.repeat((index * 7) % 20)}`
    const title = { work_title: `Sea ${index}`, description }
    const { ark_identifier: ark } = await mint(registry, writer, { ...work, ...title })
    stood.push(ark)
  }
  const given: unknown[] = []
  for (let query: string | null = '?q=plankton&limit=5', page = 0; query !== null; page += 1) {
    const { links, results }: Page = await search(t, 'works', query)
    given.push(...results.map((one) => one['ark_identifier']))
    query = links.next === null ? null : new URL(links.next).search
    // Longer works, most of them without the word, change the rank of all others.
    for (const word of page < 4 ? ['plankton', 'kelp', 'kelp'] : []) {
      const description = `${word} ${'floats '.repeat(40 * page)}`
      await mint(registry, writer, { ...work, work_title: `More ${page}`, description })
    }
  }
  t.is(new Set(given).size, given.length)
  t.deepEqual(new Set(stood).difference(new Set(given)), new Set())
})

test.serial('no text is an error, and the index is left', async (t) => {
  const { registry } = t.context
  const { batches } = registry.search.live.status().indexes[0] ?? {}
  for (const text of ['tur%00tle', '%22a%00b%22', '-a%00', 'a%00*', '%ef%bf%be%00x']) {
    await search(t, 'works', `?q=${text}`)
    await search(t, 'works', `?title=${text}x`)
    await search(t, 'people', `?q=${text}`)
  }
  t.is(registry.search.live.status().indexes[0]?.batches, batches)
})

test.serial('words that might be a name have more than one page, too', async (t) => {
  const { registry, writer } = t.context
  for (let index = 0; index < 3; index += 1) {
    await mint(registry, writer, { ...work, work_title: `On gpt4 ${index}` })
  }
  const first = await search(t, 'works', '?q=gpt4&limit=2')
  const second = await search(t, 'works', `?q=gpt4&limit=2&cursor=${first.next_cursor}`)
  t.is(new Set([...titlesOf(first), ...titlesOf(second)]).size, 3)
})

test.serial('organizations and people are found alike', async (t) => {
  const found = await search(t, 'organizations', '?q=demo+pr')
  t.deepEqual(
    found.results.map(({ slug }) => slug),
    ['demo'],
  )
  t.is(found.results[0]?.['set_spec'], 'org:demo')
  t.is((await search(t, 'people', '?q=nobody&affiliation=nowhere')).total, 0)
})

test.serial('search asks for its scope, and is counted', async (t) => {
  const { registry, writer, sandbox } = t.context
  const refused = await registry.call('/api/v1/search/works', { key: writer })
  t.is(refused.status, 403)
  t.is(refused.json()['message'], 'API key lacks required scope: search:read')
  t.is((await registry.call('/v1/search/works')).status, 401)
  const other = await registry.call('/v1/search/works?q=turtle', { key: sandbox })
  t.is(other.status, 200)
  t.like(other.json(), { total: 0, engine: 'embedded', fallback: false })
  const metrics = await registry.metrics()
  t.regex(metrics, /arklog_search_lag_events\{environment="live",engine="embedded"\} 0/)
  t.regex(metrics, /arklog_search_requests_total\{environment="sandbox"\} 1/)
  const config = loadConfig({ DATA_DIR: os.tmpdir() })
  const { checks } = await readReadiness({ ...registry, config, nowMs: Date.now })
  t.like(checks['search'], { ok: true, indexes: [{ engine: 'embedded', behind_events: 0 }] })
})

test.serial('the indexes are made anew by the administrator', async (t) => {
  const { registry } = t.context
  // At once: a few works are indexed before one who asks later is heard.
  const asked = await Promise.all([1, 2].map(() => registry.admin.call('/search/reindex', {})))
  t.deepEqual(
    asked.toSorted((one, other) => Number(other.begun) - Number(one.begun)),
    [
      { environment: 'live', begun: true },
      { environment: 'live', begun: false },
    ],
  )
  const state = async () => (await registry.admin.call('/search/status', {})).live.reindex?.type
  await until('the indexes are made', async () => (await state()) !== 'running', { pauseMs: 5 })
  t.deepEqual((await registry.admin.call('/search/status', {})).live.reindex, { type: 'done' })
  t.is((await search(t, 'works', '?q=turtle')).total, 7)
})

test.serial('a page of long works ends early, and the next one goes on after it', async (t) => {
  const { registry, writer } = t.context
  const authors = 'Ada Lovelace; '.repeat(12_000)
  const titles = Array.from({ length: 9 }, (_, index) => `Elephantine ${index}`)
  for (const work_title of titles) {
    await mint(registry, writer, { ...work, work_title, authors })
  }
  const found: unknown[] = []
  let pages = 0
  for (let next: string | null = ''; next !== null; pages += 1) {
    const page: Page = await search(t, 'works', `?q=elephantine&limit=50${next}`)
    t.is(page.total, 9)
    found.push(...titlesOf(page))
    next = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`
  }
  const sorted = found.map(String).toSorted((a, b) => a.localeCompare(b))
  t.deepEqual(sorted, titles)
  t.is(pages, 2)
})

test.serial('a DOI with #, ? or a divided prefix is found and linked', async (t) => {
  const { registry, writer } = t.context
  const doi = '10.1000.10/a#b?c'
  const address = 'https://doi.org/10.1000.10/a%23b%3Fc'
  const named = { work_title: 'At a divided prefix', existing_doi: address }
  const { ark_identifier: ark } = await mint(registry, writer, named)
  for (const spelled of [doi, `doi:${doi}`, address, address.toUpperCase()]) {
    for (const name of ['doi', 'q']) {
      const page = await search(t, 'works', `?${name}=${encodeURIComponent(spelled)}`)
      t.deepEqual(titlesOf(page), [named.work_title], `${name} ${spelled}`)
    }
  }
  const record = (await registry.call(`/api/v1/resolve/${ark}`)).json()
  t.like(record, { metadata: { existing_doi: doi } })
  const headers = [['accept', 'text/html']] as const
  const page = await registry.call(`/${ark}`, { headers })
  t.true(page.body.includes(`<a href="${address}" rel="noreferrer">${address}</a>`))
  t.true(String(page.headers['link']).includes(`<${address}>; rel="related"`))
})
