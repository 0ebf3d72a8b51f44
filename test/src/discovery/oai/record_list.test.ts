// The rules of OAI-PMH 2.0 for lists of records: selection, pages, and tokens.

import test from 'ava'

import { errorCodes, identifiersIn } from '#test/src/discovery/oai/_reply.ts'
import {
  arkOf,
  earliest,
  metadata,
  openRepository,
  putWorks,
  type TestRepository,
  workOf,
} from '#test/src/discovery/oai/_repository.ts'
import { child, children, type ReadElement, texts } from '#test/src/_xml.ts'

const records = 'verb=ListRecords&metadataPrefix=oai_dc'
const identifiers = 'verb=ListIdentifiers&metadataPrefix=oai_dc'

function arks(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => arkOf(first + index))
}

/** The token at the end of a list: its text, and what it tells. */
function tokenOf(list: ReadElement): ReadElement {
  return child(list, 'resumptionToken')
}

/** All pages of a list. */
async function harvest(repository: TestRepository, query: string): Promise<ReadElement[]> {
  const verb = new URLSearchParams(query).get('verb') ?? ''
  const pages = [await repository.payload(query)]
  for (let page = pages[0]; page !== undefined; ) {
    const [token] = texts(page, 'resumptionToken')
    page = token ? await repository.payload(`verb=${verb}&resumptionToken=${token}`) : undefined
    if (page !== undefined) pages.push(page)
  }
  return pages
}

function secondOf(index: number): string {
  return new Date((earliest + index) * 1_000).toISOString().replace('.000', '')
}

test('a list that fits on a page has no token', async (t) => {
  const repository = openRepository()
  putWorks(repository, 10)
  for (const query of [records, identifiers]) {
    const list = await repository.payload(query)
    t.deepEqual(identifiersIn(list), arks(0, 10))
    t.deepEqual(children(list, 'resumptionToken'), [])
  }
})

test('a longer list comes in pages of one size, and an empty token ends it', async (t) => {
  const repository = openRepository()
  putWorks(repository, 25)
  for (const query of [records, identifiers]) {
    const pages = await harvest(repository, query)
    t.deepEqual(pages.map(identifiersIn), [arks(0, 10), arks(10, 10), arks(20, 5)])
    t.deepEqual(
      pages.map((page) => tokenOf(page).attributes['cursor']),
      ['0', '10', '20'],
    )
    t.deepEqual(
      pages.map((page) => tokenOf(page).attributes['completeListSize']),
      ['25', '25', '25'],
    )
    t.deepEqual(
      pages.map((page) => tokenOf(page).attributes['expirationDate']),
      ['2026-01-02T01:00:00Z', '2026-01-02T01:00:00Z', undefined],
    )
    t.is(pages.at(-1) && tokenOf(pages.at(-1) as ReadElement).text, '')
  }
})

test('pages end by their bytes too, and lists have every record once', async (t) => {
  const repository = openRepository()
  putWorks(repository, 2)
  const authors = Array.from({ length: 7_000 }, (_, index) => `a${index}`).join('; ')
  const { source } = repository
  for (let index = 2; index < 6; index += 1) {
    const work = workOf({ ...metadata, authors })
    source.put({ ark: arkOf(index), datestamp: earliest + index, sets: ['press'], work })
  }
  putWorks(repository, 3, 6)
  for (const prefix of ['oai_dc', 'svc']) {
    const pages = await harvest(repository, `verb=ListRecords&metadataPrefix=${prefix}`)
    t.deepEqual(pages.flatMap(identifiersIn), arks(0, 9))
  }
  const pages = await harvest(repository, 'verb=ListRecords&metadataPrefix=oai_datacite')
  t.deepEqual(pages.map(identifiersIn), [arks(0, 5), arks(5, 4)])
  const tokens = pages.map((page) => tokenOf(page).attributes)
  t.deepEqual(
    tokens.map(({ cursor, completeListSize }) => [cursor, completeListSize]),
    [
      ['0', '9'],
      ['5', '9'],
    ],
  )
  const first = await repository.answer('verb=ListRecords&metadataPrefix=oai_datacite')
  // The third of these works has brought the XML to more than a mebibyte.
  t.true(first.length > 1_048_576 && first.length < 2.5 * 1_048_576)
})

test('a list of exactly two pages ends with the second', async (t) => {
  const repository = openRepository()
  putWorks(repository, 20)
  t.deepEqual((await harvest(repository, records)).map(identifiersIn), [arks(0, 10), arks(10, 10)])
})

test('a token gives the same page again, also after a restart, and no other', async (t) => {
  const repository = openRepository()
  putWorks(repository, 25)
  const { text } = tokenOf(await repository.payload(records))
  const again = `verb=ListRecords&resumptionToken=${text}`
  const page = await repository.payload(again)
  t.deepEqual(await repository.payload(again), page)
  const { source } = repository
  const restarted = openRepository({ source })
  t.deepEqual(await restarted.payload(again), page)
  const request = child(await repository.ask(again), 'request')
  t.deepEqual(request.attributes, { verb: 'ListRecords', resumptionToken: text })
})

test('a token that is of another list, changed, foreign or old is none', async (t) => {
  const repository = openRepository()
  putWorks(repository, 25)
  const { text } = tokenOf(await repository.payload(`${records}&set=org`))
  const foreign = openRepository({ tokenKey: Buffer.alloc(32, 1), source: repository.source })
  const other = tokenOf(await foreign.payload(records)).text
  const requests = [
    `verb=ListIdentifiers&resumptionToken=${text}`,
    `verb=ListSets&resumptionToken=${text}`,
    `verb=ListRecords&resumptionToken=${text.slice(1)}`,
    `verb=ListRecords&resumptionToken=${other}`,
    'verb=ListRecords&resumptionToken=junk',
  ]
  for (const query of requests) {
    const reply = await repository.ask(query)
    t.deepEqual(errorCodes(reply), ['badResumptionToken'], query)
    t.is(child(reply, 'request').attributes['verb'], new URLSearchParams(query).get('verb') ?? '')
  }
  const list = `verb=ListRecords&resumptionToken=${text}`
  const withoutSets = openRepository({ enableSets: false, source: repository.source })
  t.deepEqual(errorCodes(await withoutSets.ask(list)), ['badResumptionToken'])
  repository.nowSeconds += 86_399
  t.deepEqual(errorCodes(await repository.ask(list)), [])
  repository.nowSeconds += 1
  t.deepEqual(errorCodes(await repository.ask(list)), ['badResumptionToken'])
})

test('both ends of a time are included, by second and by day', async (t) => {
  const repository = openRepository()
  putWorks(repository, 10)
  const selected = async (query: string) => identifiersIn(await repository.payload(query))
  const span = `&from=${secondOf(3)}&until=${secondOf(5)}`
  t.deepEqual(await selected(identifiers + span), arks(3, 3))
  t.deepEqual(await selected(`${identifiers}&from=${secondOf(8)}`), arks(8, 2))
  t.deepEqual(await selected(`${identifiers}&until=${secondOf(0)}`), arks(0, 1))
  const day = '&from=2026-01-01&until=2026-01-01'
  t.deepEqual(await selected(identifiers + day), arks(0, 10))
  t.deepEqual(await selected(`${records}&until=9999-12-31`), arks(0, 10))
})

for (const selection of [
  '&until=2025-01-01',
  '&until=2025-12-31T23:59:59Z',
  '&from=2026-01-02',
  '&from=9999-12-31',
  '&from=2026-01-01T00:00:30Z&until=2026-01-01T00:00:40Z',
  '&set=nowhere',
  '&set=org:nowhere',
  '&set=org:press:x',
  '&set=press',
]) {
  test(`no records match ${selection}`, async (t) => {
    const repository = openRepository()
    putWorks(repository, 10)
    for (const query of [records, identifiers]) {
      const reply = await repository.ask(query + selection)
      t.deepEqual(errorCodes(reply), ['noRecordsMatch'])
      t.is(Object.keys(child(reply, 'request').attributes).length > 2, true)
    }
  })
}

test('an empty repository has no records', async (t) => {
  t.deepEqual(errorCodes(await openRepository().ask(records)), ['noRecordsMatch'])
})

test('a set has the records of its organization, and that above them all', async (t) => {
  const repository = openRepository()
  putWorks(repository, 24)
  repository.source.put({ ark: arkOf(24), datestamp: earliest + 24, sets: [], work: workOf() })
  const press = await harvest(repository, `${identifiers}&set=org:press`)
  const even = arks(0, 24).filter((_, index) => index % 2 === 0)
  t.deepEqual(press.flatMap(identifiersIn), even)
  t.is(press[0] && tokenOf(press[0]).attributes['completeListSize'], '12')
  const all = await harvest(repository, `${identifiers}&set=org`)
  t.deepEqual(all.flatMap(identifiersIn), arks(0, 25))
  const last = all.at(-1)?.children.at(-2)
  t.deepEqual(last && texts(last, 'setSpec'), ['org'])
})

test('deleted records are listed, with their header alone', async (t) => {
  const repository = openRepository()
  putWorks(repository, 2)
  repository.source.put({ ark: arkOf(0), datestamp: earliest + 7, sets: ['press'] })
  const list = await repository.payload(records)
  t.deepEqual(identifiersIn(list), [arkOf(1), arkOf(0)])
  const shape = list.children.map((record) => record.children.map(({ name }) => name))
  t.deepEqual(shape, [['header', 'metadata'], ['header']])
  const headers = children(await repository.payload(identifiers), 'header')
  t.deepEqual(
    headers.map(({ attributes }) => attributes['status']),
    [undefined, 'deleted'],
  )
})

test('a record that changes during a harvest leaves it, for the next one', async (t) => {
  const repository = openRepository()
  putWorks(repository, 25)
  const list = await repository.payload(identifiers)
  const until = child(await repository.ask(identifiers), 'responseDate').text
  repository.nowSeconds += 600
  repository.source.put({
    ark: arkOf(12),
    datestamp: repository.nowSeconds,
    sets: [],
    work: workOf(),
  })
  const second = await repository.payload(
    `verb=ListIdentifiers&resumptionToken=${tokenOf(list).text}`,
  )
  t.deepEqual(identifiersIn(second), [...arks(10, 2), ...arks(13, 8)])
  const next = await repository.payload(`${identifiers}&from=${until}`)
  t.deepEqual(identifiersIn(next), [arkOf(12)])
})

test('a page is never empty: the last record is told again if the rest has changed', async (t) => {
  const repository = openRepository()
  putWorks(repository, 12)
  const first = await repository.payload(`${records}&until=${secondOf(3_600)}`)
  repository.nowSeconds += 600
  for (const index of [10, 11]) {
    const datestamp = repository.nowSeconds
    repository.source.put({ ark: arkOf(index), datestamp, sets: [], work: workOf() })
  }
  const next = `verb=ListRecords&resumptionToken=${tokenOf(first).text}`
  const last = await repository.payload(next)
  t.deepEqual(identifiersIn(last), [arkOf(9)])
  t.is(tokenOf(last).text, '')
  t.deepEqual(tokenOf(last).attributes, { completeListSize: '12', cursor: '10' })
  // Also when the last record has moved on itself.
  const datestamp = repository.nowSeconds
  repository.source.put({ ark: arkOf(9), datestamp, sets: ['uni'] })
  t.deepEqual(identifiersIn(await repository.payload(next)), [arkOf(9)])
})

test('a list without an end has what changes while it is read', async (t) => {
  const repository = openRepository()
  for (const end of ['', `&until=${secondOf(1_000_000)}`]) {
    putWorks(repository, 12)
    const first = await repository.payload(records + end)
    repository.nowSeconds += 600
    const datestamp = repository.nowSeconds
    repository.source.put({ ark: arkOf(3), datestamp, sets: [], work: workOf() })
    repository.source.put({ ark: arkOf(10), datestamp, sets: [] })
    const query = `verb=ListRecords&resumptionToken=${tokenOf(first).text}`
    const last = child(await repository.ask(query), 'ListRecords')
    t.deepEqual(identifiersIn(last), [arkOf(11), arkOf(3), arkOf(10)])
    t.is(tokenOf(last).text, '')
  }
})

test('a list that was found to be longer says so', async (t) => {
  const repository = openRepository()
  putWorks(repository, 11)
  const first = await repository.payload(records)
  putWorks(repository, 14, 11)
  const second = await repository.payload(`verb=ListRecords&resumptionToken=${tokenOf(first).text}`)
  t.is(tokenOf(second).attributes['completeListSize'], '21')
})
