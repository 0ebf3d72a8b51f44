import type { ExecutionContext } from 'ava'

import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'
import { openRegistry } from '#test/src/_registry.ts'
import { mint, serveRegistry, work } from '#test/src/_served_registry.ts'
import { openPage, type ReadPage } from '#test/src/pages/_reader.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const whales = {
  ...work,
  work_title: 'The <Measures> of Whales',
  authors: 'Ångström, Åsa; Pen, Bo',
  work_type: 'book',
  description: 'Whales of all seas are measured, with care.',
  language: 'de',
  existing_doi: '10.1234/whale.7',
  published_date: '2021-05',
}

const journalArticle = {
  container_title: 'Acta Piscium, Series B',
  author_details: [
    { name: 'Doe, Jane', ror: 'https://ror.org/05gq02987', affiliation: 'Brown University' },
  ],
  funding: [{ funder: 'Fish Fund', award: '7' }],
}

const test = testWith(async () => {
  const registry = await serveRegistry()
  registry.search.live.start()
  const ror = 'https://ror.org/05gq02987'
  await registry.admin.call('/organizations/create', {
    organization: { slug: 'ocean', name: 'Ocean House', ror },
  })
  const writer = await registry.key({ scopes: ['works:write'] })
  const minted = [await mint(registry, writer, whales)]
  for (let number = 1; number <= 22; number += 1) {
    const fish = { ...work, work_title: `Fish, part ${number}`, published_date: '1999' }
    minted.push(await mint(registry, writer, number > 2 ? fish : { ...fish, ...journalArticle }))
  }
  const arks = minted.map(({ ark_identifier: ark }) => ark)
  return { registry, arks }
})

type Context = Opened<typeof test>

async function open(t: ExecutionContext<Context>, path: string): Promise<ReadPage> {
  const { registry } = t.context
  await caughtUp(registry.search.live)
  return openPage(registry, path)
}

test('a work is found, marked and told of', async (t) => {
  const { status, headers, read: body } = await open(t, '/search?q=whal')
  t.is(status, 200)
  t.is(headers['content-type'], 'text/html; charset=utf-8')
  t.is(headers['cache-control'], 'no-store')
  t.regex(String(headers['content-security-policy']), /script-src 'self'/)
  t.regex(body, /<meta name="robots" content="noindex, follow">/)
  t.regex(body, /<h2 id="total">1 work<\/h2>/)
  t.true(body.includes('The <Measures> of <mark>Whales</mark>'))
  t.true(body.includes(`href="/${t.context.arks[0]}"`))
  t.true(body.includes('<mark>Whales</mark> of all seas are measured'))
  t.true(body.includes('value="whal"'))
  t.regex(body, /Book · 2021 · registered by Demo Press/)
})

test('all works are counted, narrowed down and read page by page', async (t) => {
  const all = (await open(t, '/search')).read
  t.regex(all, /23 works in this registry/)
  t.regex(all, /href="\/search\?type=book">Book<\/a>\s*<span class="count">1</)
  t.regex(all, /href="\/search\?year=1999">1999<\/a>\s*<span class="count">22</)
  t.notRegex(all, /href="\/search\?organization=/, 'what all of them have does not part them')
  const narrowed = (await open(t, '/search?year=1999&q=fish')).read
  t.regex(narrowed, /<h2 id="total">22 works<\/h2>/)
  t.regex(narrowed, /href="\/search\?q=fish"\s+aria-label="Remove Year: 1999"/)
  const next = /rel="next"\s*href="([^"]+)"/.exec(narrowed)?.[1]
  const last = (await open(t, next ?? '')).read
  t.regex(last, /22 works, page 2/)
  t.is(last.match(/<li class="result">/g)?.length, 2)
  t.regex(last, /<a rel="prev" href="\/search\?year=1999&q=fish">Previous<\/a>/)
  t.regex(last, /<span aria-current="page">2<\/span>/)
  t.regex(last, /<h3>Year<\/h3>/, 'a later page can be narrowed down, too')
  t.notRegex(last, /rel="next"/)
  t.is((await open(t, '/search?page=51')).status, 400)
})

test('works are narrowed down to a journal, an affiliation and a funder', async (t) => {
  const all = (await open(t, '/search')).read
  for (const [filter, value, name] of [
    ['journal', 'acta+piscium+series+b', 'Acta Piscium, Series B'],
    ['affiliation', 'https%3A%2F%2Fror.org%2F05gq02987', 'Brown University'],
    ['funder', 'fish+fund', 'Fish Fund'],
  ]) {
    const link = `href="/search?${filter}=${value}">${name}</a>\n<span class="count">2<`
    t.true(all.includes(link), link)
    const found = (await open(t, `/search?${filter}=${value}`)).read
    t.regex(found, /<h2 id="total">2 works<\/h2>/)
    t.true(found.includes(`: ${name}</span>`), 'the filter in use has the name')
  }
  t.regex((await open(t, '/search?journal=%C3%81CTA+piscium:+series+B')).read, />2 works</)
  t.regex(
    (await open(t, '/search?affiliation=Brown')).read,
    /search for this value: Affiliation: Brown/,
  )
})

test('what is found can be saved as a file, all of it', async (t) => {
  const { read } = await open(t, '/search?year=1999&q=fish&sort=title')
  const saved = new Map<string, string>()
  for (const format of ['ris', 'bibtex', 'csl', 'csv', 'jsonl']) {
    const query = `year=1999&q=fish&sort=title&format=${format}`
    t.true(read.includes(`href="/search/export?${query}"`), format)
    const file = await open(t, `/search/export?${query}`)
    t.is(file.status, 200, format)
    t.regex(String(file.headers['content-disposition']), /^attachment; filename="works\./)
    saved.set(format, file.body)
  }
  const of = (format: string) => saved.get(format) ?? ''
  t.is(of('ris').match(/^TY {2}- /gm)?.length, 22)
  t.is(of('bibtex').match(/^@/gm)?.length, 22)
  t.is((JSON.parse(of('csl')) as unknown[]).length, 22)
  t.is(of('csv').trimEnd().split('\r\n').length, 23)
  const titles = of('jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { work_title: string }).work_title)
  t.is(titles.length, 22)
  t.deepEqual(titles, titles.toSorted())
  const none = await open(t, '/search/export?q=nothingatall&format=csl')
  t.deepEqual(JSON.parse(none.body), [])
  t.is((await open(t, '/search/export?q=fish')).status, 400)
  t.is((await open(t, '/search/export?q=fish&format=xls')).status, 400)
})

test('a search can be followed by its feeds', async (t) => {
  const { read } = await open(t, '/search?q=fish&sort=title')
  t.regex(
    read,
    /<link rel="alternate" type="application\/atom\+xml"[^>]*href="\/feeds\/search.atom\?q=fish">/,
  )
  const atom = await open(t, '/feeds/search.atom?q=fish')
  t.is(atom.headers['content-type'], 'application/atom+xml; charset=utf-8')
  t.is(atom.body.match(/<entry>/g)?.length, 22)
  t.regex(atom.body, /<title>“fish” in /)
  const json = await open(t, '/feeds/search.json?q=fish&year=1999')
  t.is(json.headers['content-type'], 'application/feed+json; charset=utf-8')
  const feed = JSON.parse(json.body) as {
    version: string
    home_page_url: string
    feed_url: string
    items: { id: string; url: string; title: string; content_text: string }[]
  }
  t.is(feed.version, 'https://jsonfeed.org/version/1.1')
  t.true(feed.home_page_url.endsWith('/search?q=fish&year=1999'))
  t.true(feed.feed_url.endsWith('/feeds/search.json?q=fish&year=1999'))
  t.is(feed.items.length, 22)
  t.is(feed.items[0]?.title, 'Fish, part 22')
  t.true(feed.items.every((item) => item.url === item.id && item.content_text !== ''))
  t.is((await open(t, '/feeds/search.atom?qq=fish')).status, 400)
})

test('a page says how to search, with examples to try', async (t) => {
  t.regex((await open(t, '/search')).read, /<a href="\/search\/help">How to search<\/a>/)
  const { status, read } = await open(t, '/search/help')
  t.is(status, 200)
  for (const [, query = ''] of read.matchAll(/href="(\/search\?q=[^"]+)"/g)) {
    t.true([200, 303].includes((await open(t, query)).status), query)
  }
})

test('identifiers lead to their records, in any spelling', async (t) => {
  const [ark = ''] = t.context.arks
  const name = ark.slice(ark.lastIndexOf('/') + 1)
  const doi = whales.existing_doi
  for (const typed of [
    ark,
    ark.replace('ark:/', 'ARK:'),
    name,
    doi,
    `https://doi.org/${doi.toUpperCase()}`,
    `DOI ${doi}`,
  ]) {
    const answer = await open(t, `/search?q=${encodeURIComponent(typed)}`)
    t.is(answer.status, 303, typed)
    t.is(answer.headers.location, `/${ark}`, typed)
  }
  const filtered = await open(t, `/search?q=${encodeURIComponent(doi)}&type=book`)
  t.is(filtered.status, 200, 'who asks for more than a record stays with the search')
})

test('a withdrawn work is found by its DOI, unless another work has that now', async (t) => {
  // The others count the works of theirs.
  const registry = await serveRegistry()
  t.teardown(registry.close)
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:write', 'works:delete'] })
  const lost = { ...work, work_title: 'Phlogiston', existing_doi: '10.5555/phlogiston' }
  const { ark_identifier: gone } = await mint(registry, key, lost)
  const body = { reason: 'retraction', note: 'Nobody could find it again.' }
  await registry.call(`/v1/works/${gone}/withdraw`, { method: 'POST', key, body })
  const find = async (doi: string) => {
    await caughtUp(registry.search.live)
    return openPage(registry, `/search?q=${encodeURIComponent(doi)}`)
  }
  for (const typed of ['10.5555/phlogiston', 'https://doi.org/10.5555/PHLOGISTON']) {
    t.is((await find(typed)).headers.location, `/${gone}`, typed)
  }
  const tombstone = await openPage(registry, `/${gone}`)
  t.is(tombstone.status, 200)
  t.regex(tombstone.read, /because it was retracted[^]+Nobody could find it again\./)
  for (const [query, found] of [
    ['', 1],
    ['&status=all', 1],
    ['&status=withdrawn', 1],
    ['&status=active', 0],
  ] as const) {
    const { read } = await openPage(registry, `/search?q=phlogiston${query}`)
    t.is(read.includes('<span class="badge badge-bad">Withdrawn</span>'), found === 1, query)
  }
  const { ark_identifier: again } = await mint(registry, key, lost)
  t.is((await find('10.5555/phlogiston')).headers.location, `/${again}`)
  await registry.call(`/v1/works/${again}/withdraw`, { method: 'POST', key, body })
  t.is((await find('10.5555/phlogiston')).headers.location, `/${again}`, 'the last one')
})

test('several values of a filter are chosen, and their years seen', async (t) => {
  const book = (await open(t, '/search?type=book')).read
  t.regex(book, /href="\/search" class="chosen" aria-current="true"\s+aria-label="Book, selected/)
  t.regex(book, /href="\/search\?type=book%2Carticle">Article<\/a>\s*<span class="count">22</)
  const both = (await open(t, '/search?type=book,article')).read
  t.regex(both, /<h2 id="total">23 works<\/h2>/)
  t.is((await open(t, '/search?type=book&type=article')).read, both)
  t.regex(both, /Results by year from 1999 to 2021\. Highest: 22 in 1999/)
  const since = (await open(t, '/search?year_from=2000&year_to=')).read
  t.regex(since, /<h2 id="total">1 work<\/h2>/)
  t.regex(since, /Remove Year: 2000 and later/)
  t.regex((await open(t, '/search?year_from=2000&year_to=1990')).read, /22 works/)
})

test('titles are offered for what is typed, so often and no more', async (t) => {
  const { status, body } = await open(t, '/search/suggestions?q=the+meas')
  t.is(status, 200)
  t.deepEqual(JSON.parse(body), { suggestions: [whales.work_title] })
  const named = await open(t, '/search/suggestions?q=asa+angs')
  const suggestions = ['Ångström, Åsa', whales.work_title]
  t.deepEqual(JSON.parse(named.body), { suggestions })
  t.deepEqual(JSON.parse((await open(t, '/search/suggestions?q=')).body), { suggestions: [] })
  t.is((await open(t, `/search/suggestions?q=${'a'.repeat(101)}`)).status, 400)
  const registry = await openRegistry({ LIMIT_SUGGESTIONS: 1 })
  t.teardown(registry.close)
  const offer = () => registry.server.inject({ url: '/search/suggestions?q=' })
  t.is((await offer()).statusCode, 200)
  t.is((await offer()).statusCode, 429)
})

test('an organization is named by its ROR id, whatever is searched', async (t) => {
  for (const query of ['q=https://ror.org/05gq02987', 'q=https://ror.org/05gq02987&in=people']) {
    const { status, headers } = await open(t, `/search?${query}`)
    t.is(status, 303)
    t.is(headers.location, '/publishers/ocean')
  }
})

test('parameters that are none of ours are ignored, and not handed on', async (t) => {
  const { status, read: body } = await open(t, '/search?q=fish&utm_source=mail&fbclid=1')
  t.is(status, 200)
  t.regex(body, /<h2 id="total">22 works<\/h2>/)
  t.notRegex(body, /utm_source|fbclid/)
})

test('an ARK with a typing error is told what it may mean', async (t) => {
  const [ark = ''] = t.context.arks
  const wrong = ark.slice(0, -1) + (ark.endsWith('0') ? '1' : '0')
  const { status, read: body } = await open(t, `/search?q=${encodeURIComponent(wrong)}`)
  t.is(status, 200)
  t.true(body.includes(`Did you mean <a href="/${ark}">`))
})

test('nothing found is told with what else could be done', async (t) => {
  const { status, read: body } = await open(t, '/search?q=demo&language=fr')
  t.is(status, 200)
  t.regex(body, /No works found/)
  t.regex(body, /<a href="\/search\?in=organizations&q=demo">1 organization<\/a>/)
  t.regex(body, /Remove a filter/)
  const people = await open(t, '/search?in=people')
  t.regex(people.body, /There are no people here yet/)
})

test('what was probably meant is looked for, and said', async (t) => {
  const { body, read } = await open(t, '/search?q=whalees+measuers')
  t.regex(read, /Did you mean <strong><a href="\/search\?q=whales\+measures">whales measures<\/a>/)
  t.true(read.includes('Nothing has all of <q>whalees measuers</q>'))
  t.true(body.includes('<mark>Whales</mark>'))
})

test('a parameter that is wrong is named, and what was typed stays', async (t) => {
  for (const [query, message] of [
    ['year=soon', /Write the year as 2024 or 2019-2024/],
    ['cursor=AAAA', /These pages of results have ended/],
    ['sort=random', /We cannot search for this value: Order: random/],
    ['author=pen&author=lovelace', /Give Author only once/],
  ] as const) {
    const { status, read: body } = await open(t, `/search?q=whales&${query}`)
    t.is(status, 400, query)
    t.regex(body, message)
    t.true(body.includes('value="whales"'))
    t.regex(body, /href="\/search\?q=whales">Search for these words alone/)
  }
  t.is((await open(t, '/search?in=planets')).status, 404)
})

test('what is typed never becomes markup', async (t) => {
  const typed = '"><script>alert(1)</script>'
  const { body } = await open(t, `/search?q=${encodeURIComponent(typed)}&author=%22%3E%3Cb%3E`)
  t.notRegex(body, /<script>|"><b>/)
})

test('browsers learn how to search from any page', async (t) => {
  const { body } = await open(t, '/how-it-works')
  t.regex(body, /<link rel="search" type="application\/opensearchdescription\+xml"/)
  const { status, headers, read } = await open(t, '/opensearch.xml')
  t.is(status, 200)
  t.is(headers['content-type'], 'application/opensearchdescription+xml')
  t.true(read.includes('template="https://registry.example/search?q={searchTerms}"'))
  const german = await open(t, '/how-it-works?lang=de')
  t.true(german.body.includes('href="/opensearch.xml?lang&#61;de"'))
  t.regex((await open(t, '/opensearch.xml?lang=de')).read, /<Description>Wissenschaftliche Werke/)
})

test('without a search the page says so, and keeps the words', async (t) => {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const { server } = registry
  const headers = { accept: 'text/html' }
  const {
    statusCode,
    headers: sent,
    body,
  } = await server.inject({ url: '/search?q=whales', headers })
  t.is(statusCode, 503)
  t.is(sent['retry-after'], '5')
  t.regex(body, /Search is not available right now[^]*Everything else works/)
  t.true(body.includes('value="whales"'))
})

test('searches without a key are counted by address', async (t) => {
  const registry = await openRegistry({ LIMIT_SEARCH_PAGE: 1 })
  t.teardown(registry.close)
  const headers = { accept: 'text/html' }
  await registry.server.inject({ url: '/search', headers })
  const { statusCode, body } = await registry.server.inject({ url: '/search', headers })
  t.is(statusCode, 429)
  t.regex(body, /Try again in/)
})

test('names are found by initials, fields by their names, and the rest is told', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:write'] })
  const authors = 'Bengio, Yoshua; Marie Curie'
  await mint(registry, key, { ...work, work_title: 'Learning of forms', authors })
  await caughtUp(registry.search.live)
  const find = async (q: string) => {
    return (await openPage(registry, `/search?${new URLSearchParams({ q })}`)).read
  }
  for (const q of [
    'Bengio, Y.',
    'Y. Bengio',
    'M. Curie',
    'author:curie',
    'author:"bengio yoshua" forms',
    'title:forms',
    'title:shapes OR title:forms',
    'title:curie OR author:curie learning',
    'shapes OR author:"bengio yoshua"',
    'forms -title:curie',
  ]) {
    const page = await find(q)
    t.true(page.includes('<h2 id="total">1 work</h2>'), q)
    t.false(page.includes('is not a command here'), q)
  }
  for (const q of ['title:curie', 'title:curie OR title:bengio', 'forms -author:curie']) {
    t.false((await find(q)).includes('<h2 id="total">1 work'), q)
  }
  t.regex(await find('forms journal:learning'), /journal:<\/q> is not a command here/)
  t.regex(await find('forms -journal:x'), /journal:<\/q> is not a command here/)
  t.false((await find('"learning of:forms x:y"')).includes('is not a command here'))
  t.regex(await find('OR forms'), /OR<\/q> is not a command here/)
})

test('of words with OR one is enough, and other forms of words are told', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  registry.search.live.start()
  const key = await registry.key({ scopes: ['works:write'] })
  for (const title of [
    'Optimization of colors',
    'Optimization of nets',
    'Optimisation of nets',
    'Réseaux',
  ])
    await mint(registry, key, { ...work, work_title: title })
  await caughtUp(registry.search.live)
  const find = async (q: string) => {
    const { read } = await openPage(registry, `/search?${new URLSearchParams({ q })}`)
    return [/<h2 id="total">([^<]*)/.exec(read)?.[1], read] as const
  }
  for (const [q, total] of [
    ['optimization OR reseaux ', '3 works'],
    ['optimization OR optimisation nets ', '2 works'],
    ['"of nets" OR reseaux -optimisation', '2 works'],
    ['colors OR nothingatall OR reseaux', '2 works'],
  ] as const) {
    const [found, page] = await find(q)
    t.is(found, total, q)
    t.false(page.includes('is not a command here'), q)
  }
  const [one, page] = await find('optimisation ')
  t.is(one, '1 work')
  t.regex(page, /More works have other forms[^]*q=optimisation\+OR\+optimization/)
  const [other, told] = await find('optimisation colours ')
  t.is(other, '1 work')
  t.regex(told, /so we searched for other forms of these words/)
  t.is((await find('Réseau'))[0], '1 work')
  for (const [q, meant] of [
    ['title:optimizaton', 'title:optimization'],
    ['title:"optimizaton of color"', 'title:"optimization of colors"'],
    ['title:nets author:lovelce', 'title:nets author:lovelace'],
    ['title:colours', 'title:colors'],
  ] as const) {
    const [total, read] = await find(q)
    t.regex(String(total), /^\d works?$/, q)
    const link = `?${new URLSearchParams({ q: meant })}"><bdi>`.replaceAll('&', '&amp;')
    t.true(read.includes(link) || read.includes(link.replace('<bdi>', '')), `${q}: ${meant}`)
  }
  t.regex((await find('author:optimizaton'))[1], /No works/)
})
