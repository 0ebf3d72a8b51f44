// The rules of OAI-PMH 2.0 for requests, errors and single records, on records put there by hand.

import test, { type ExecutionContext } from 'ava'

import { contentCodings } from '#src/edge/content_coding.ts'
import { errorCodes, identifiersIn } from '#test/src/discovery/oai/_reply.ts'
import {
  arkOf,
  baseUrl,
  earliest,
  metadata,
  openRepository,
  putWorks,
  workOf,
} from '#test/src/discovery/oai/_repository.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { child, children, type ReadElement, texts } from '#test/src/_xml.ts'

const namespace = 'http://www.openarchives.org/OAI/2.0/'

/** Asserts that a reply has these errors, each told in words, and no payload. */
function assertErrors(t: ExecutionContext, reply: ReadElement, codes: readonly string[]): void {
  t.deepEqual(errorCodes(reply), codes, reply.text)
  for (const { text } of children(reply, 'error')) t.regex(text, /\w+ \w+/)
  t.deepEqual(
    reply.children.map(({ name }) => name),
    ['responseDate', 'request', ...codes.map(() => 'error')],
  )
}

test('a reply is one document in UTF-8 that begins as the protocol says', async (t) => {
  const { answer, ask } = openRepository()
  const xml = await answer('verb=Identify')
  t.true(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet '))
  t.true(xml.endsWith('</OAI-PMH>\n'))
  const reply = await ask('verb=Identify')
  t.is(reply.name, 'OAI-PMH')
  t.deepEqual(reply.attributes, {
    xmlns: namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${namespace} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd`,
  })
  const names = reply.children.map(({ name }) => name)
  t.deepEqual(names, ['responseDate', 'request', 'Identify'])
  t.regex(child(reply, 'responseDate').text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

test('a reply repeats the arguments of its request, escaped', async (t) => {
  const { ask, answer } = openRepository()
  const query = 'verb=GetRecord&metadataPrefix=oai_dc&identifier=invalid%22id%3C%26%03'
  const request = child(await ask(query), 'request')
  t.is(request.text, baseUrl)
  t.deepEqual(request.attributes, {
    verb: 'GetRecord',
    metadataPrefix: 'oai_dc',
    identifier: 'invalid"id<&',
  })
  t.true((await answer(query)).includes('identifier="invalid&quot;id&lt;&amp;"'))
})

const badVerbs = ['', 'junk', 'verb=', 'verb=junk', 'verb=identify', 'VERB=Identify']
for (const query of [...badVerbs, 'verb=Identify&verb=Identify', 'verb=constructor']) {
  test(`"${query}" has no verb`, async (t) => {
    const reply = await openRepository().ask(query)
    assertErrors(t, reply, ['badVerb'])
    t.deepEqual(child(reply, 'request').attributes, {})
  })
}

const lists = 'verb=ListRecords&metadataPrefix=oai_dc'
const badArguments: readonly [query: string, count: number][] = [
  ['verb=Identify&junk=1', 1],
  ['verb=Identify&metadataPrefix=oai_dc', 1],
  ['verb=Identify&a=1&b=2', 2],
  ['verb=GetRecord', 2],
  ['verb=GetRecord&metadataPrefix=oai_dc', 1],
  [`verb=GetRecord&identifier=${arkOf(1)}`, 1],
  [`verb=GetRecord&identifier=&metadataPrefix=oai_dc`, 1],
  [`verb=GetRecord&identifier=${arkOf(1)}&identifier=${arkOf(1)}&metadataPrefix=oai_dc`, 1],
  ['verb=ListMetadataFormats&identifier=', 1],
  ['verb=ListSets&set=org', 1],
  ['verb=ListIdentifiers', 1],
  ['verb=ListRecords&metadataprefix=oai_dc', 2],
  ['verb=ListRecords&metadataPrefix=oai%20dc', 1],
  [`${lists}&metadataPrefix=oai_dc`, 1],
  [`${lists}&set=`, 1],
  [`${lists}&set=org:`, 1],
  [`${lists}&set=a%20b`, 1],
  [`${lists}&from=junk`, 1],
  [`${lists}&until=junk`, 1],
  [`${lists}&from=junk&until=junk`, 2],
  [`${lists}&from=2026-02-30`, 1],
  [`${lists}&from=0000-01-01`, 1],
  [`${lists}&until=2026-01-01T00:00:00.0Z`, 1],
  [`${lists}&until=2026-01-01T00:00:00%2B01:00`, 1],
  [`${lists}&from=2002-02-05&until=2002-02-06T05:35:00Z`, 1],
  [`${lists}&from=2026-01-02&until=2026-01-01`, 1],
  [`${lists}&resumptionToken=junk`, 1],
  ['verb=ListIdentifiers&resumptionToken=junk&until=2000-02-05', 1],
  [`verb=ListRecords&resumptionToken=${'a'.repeat(3_000)}`, 1],
  [`verb=Identify&${'x'.repeat(5_000)}=1`, 1],
]
for (const [query, count] of badArguments) {
  test(`"${query.slice(0, 100)}" has arguments that are not as they must be`, async (t) => {
    const reply = await openRepository().ask(query)
    assertErrors(
      t,
      reply,
      Array.from({ length: count }, () => 'badArgument'),
    )
    t.deepEqual(child(reply, 'request').attributes, {})
    t.true(reply.text.length < 2_000)
  })
}

test('Identify says what the repository is', async (t) => {
  const identify = await openRepository().payload('verb=Identify')
  t.deepEqual(
    identify.children.map(({ name, text }) => [name, text]),
    [
      ['repositoryName', 'Registry <of> works'],
      ['baseURL', baseUrl],
      ['protocolVersion', '2.0'],
      ['adminEmail', 'oai@registry.example'],
      ['earliestDatestamp', '2026-01-01T00:00:00Z'],
      ['deletedRecord', 'persistent'],
      ['granularity', 'YYYY-MM-DDThh:mm:ssZ'],
      ...contentCodings.map((coding) => ['compression', coding]),
    ],
  )
})

test('the formats are those of all records, and of each', async (t) => {
  const repository = openRepository()
  putWorks(repository, 1)
  const formats = await repository.payload('verb=ListMetadataFormats')
  const prefixes = formats.children.map((format) => child(format, 'metadataPrefix').text)
  t.deepEqual(prefixes, ['oai_dc', 'oai_datacite', 'mods', 'oai_openaire', 'svc'])
  const [dc] = formats.children
  t.deepEqual(
    dc?.children.map(({ text }) => text),
    ['oai_dc', `${namespace}oai_dc.xsd`, `${namespace}oai_dc/`],
  )
  const query = 'verb=ListMetadataFormats&identifier='
  const ofRecord = await repository.payload(query + arkOf(0))
  t.deepEqual(
    ofRecord.children.map((format) => child(format, 'metadataPrefix').text),
    ['oai_dc', 'oai_datacite', 'mods', 'svc'],
  )
  assertErrors(t, await repository.ask(query + arkOf(1)), ['idDoesNotExist'])
})

test('a record is found by any spelling of its ARK, and has one itself', async (t) => {
  const repository = openRepository()
  putWorks(repository, 1)
  const query = 'verb=GetRecord&metadataPrefix=oai_dc&identifier='
  for (const ark of [arkOf(0), 'ark:12345/k2w0', 'ark:/12345/k2-w0', 'ARK:/12345/k2w0/']) {
    const payload = await repository.payload(query + ark)
    t.deepEqual(identifiersIn(payload), [arkOf(0)], ark)
  }
  const others = [
    'ark:/12345/k2w1',
    '12345/k2w0',
    'k2w0',
    'ark:/12345/k2w0/v1',
    'ark:/12345/k2w0.x',
  ]
  for (const ark of [...others, 'ark:/12345/k2w0?info', 'invalid"id', 'oai:x:1', 'ark:/']) {
    assertErrors(t, await repository.ask(query + encodeURIComponent(ark)), ['idDoesNotExist'])
  }
})

test('a format and a record that there are none of are told at once', async (t) => {
  const repository = openRepository()
  putWorks(repository, 1)
  const query = 'verb=GetRecord&metadataPrefix=marc&identifier='
  const reply = await repository.ask(query + arkOf(0))
  assertErrors(t, reply, ['cannotDisseminateFormat'])
  t.is(child(reply, 'request').attributes['metadataPrefix'], 'marc')
  const both = await repository.ask(query + arkOf(1))
  assertErrors(t, both, ['cannotDisseminateFormat', 'idDoesNotExist'])
  const list = await repository.ask('verb=ListRecords&metadataPrefix=marc')
  assertErrors(t, list, ['cannotDisseminateFormat'])
})

test('a record has its header, its metadata and what is said about it', async (t) => {
  const repository = openRepository()
  putWorks(repository, 1)
  const shapes = { oai_dc: [], oai_datacite: ['about'], mods: [], svc: ['about'] }
  for (const [prefix, about] of Object.entries(shapes)) {
    const query = `verb=GetRecord&metadataPrefix=${prefix}&identifier=${arkOf(0)}`
    const { children: parts } = child(await repository.payload(query), 'record')
    t.deepEqual(
      parts.map(({ name }) => name),
      ['header', 'metadata', ...about],
    )
  }
  const query = `verb=GetRecord&metadataPrefix=svc&identifier=${arkOf(0)}`
  const record = child(await repository.payload(query), 'record')
  const header = child(record, 'header')
  t.deepEqual(header.attributes, {})
  t.deepEqual(
    header.children.map(({ name, text }) => [name, text]),
    [
      ['identifier', arkOf(0)],
      ['datestamp', '2026-01-01T00:00:00Z'],
      ['setSpec', 'org:press'],
    ],
  )
  t.is(child(record, 'metadata').children.length, 1)
})

test('a deleted record is there for ever, with its header alone', async (t) => {
  const repository = openRepository()
  repository.source.put({ ark: arkOf(0), datestamp: earliest + 5, sets: ['press'] })
  for (const prefix of ['oai_dc', 'oai_datacite', 'mods', 'oai_openaire', 'svc']) {
    const query = `verb=GetRecord&metadataPrefix=${prefix}&identifier=${arkOf(0)}`
    const record = child(await repository.payload(query), 'record')
    t.deepEqual(
      record.children.map(({ name }) => name),
      ['header'],
    )
    t.is(child(record, 'header').attributes['status'], 'deleted')
    t.is(child(record, 'header', 'setSpec').text, 'org:press')
  }
  const formats = await repository.payload(`verb=ListMetadataFormats&identifier=${arkOf(0)}`)
  t.is(formats.children.length, 5)
})

const known: Metadata = { ...metadata, published_date: '1876', access: { right: 'open' } }

test('a record that lacks what a format must have is not there in it', async (t) => {
  const repository = openRepository()
  putWorks(repository, 1)
  const work = workOf(known)
  repository.source.put({ ark: arkOf(1), datestamp: earliest + 1, sets: [], work })
  const query = 'metadataPrefix=oai_openaire'
  const refused = await repository.ask(`verb=GetRecord&${query}&identifier=${arkOf(0)}`)
  assertErrors(t, refused, ['cannotDisseminateFormat'])
  t.regex(refused.text, /no date of publication/)
  const formats = await repository.payload(`verb=ListMetadataFormats&identifier=${arkOf(1)}`)
  t.is(formats.children.length, 5)
  for (const verb of ['ListRecords', 'ListIdentifiers']) {
    t.deepEqual(identifiersIn(await repository.payload(`verb=${verb}&${query}`)), [arkOf(1)])
  }
  const alone = await repository.ask(`verb=ListRecords&${query}&until=2026-01-01T00:00:00Z`)
  assertErrors(t, alone, ['noRecordsMatch'])
})

test('a record that has lost what a format must have is a deleted one in it', async (t) => {
  const repository = openRepository()
  const work = { ...workOf(), version: 2 }
  repository.source.put({ ark: arkOf(0), datestamp: earliest, sets: [], work })
  const list = await repository.payload('verb=ListRecords&metadataPrefix=oai_openaire')
  t.is(child(list, 'record', 'header').attributes['status'], 'deleted')
})

test('no page is empty of a format that few records have', async (t) => {
  const repository = openRepository()
  putWorks(repository, 25)
  repository.source.put({
    ark: arkOf(25),
    datestamp: earliest + 25,
    sets: [],
    work: workOf(known),
  })
  const standing: string[] = []
  let query = 'verb=ListRecords&metadataPrefix=oai_openaire'
  for (let pages = 0; pages < 3; pages += 1) {
    const list = await repository.payload(query)
    const records = list.children.filter(({ name }) => name === 'record')
    t.is(records.length, 1)
    for (const record of records) {
      const header = child(record, 'header')
      if (header.attributes['status'] === undefined) standing.push(child(header, 'identifier').text)
    }
    const token = child(list, 'resumptionToken').text
    query = `verb=ListRecords&resumptionToken=${encodeURIComponent(token)}`
  }
  t.deepEqual(standing, [arkOf(25)])
})

test('responseDate is the time of the reply, unless the source knows less', async (t) => {
  const repository = openRepository()
  const { source } = repository
  const dateOf = async (query: string) => child(await repository.ask(query), 'responseDate').text
  for (const query of ['verb=Identify', lists, 'verb=junk']) {
    t.is(await dateOf(query), '2026-01-01T01:00:00Z')
  }
  source.lagSeconds = 60
  t.is(await dateOf('verb=Identify'), '2026-01-01T00:59:00Z')
  repository.source.put({ ark: arkOf(0), datestamp: earliest + 3_599, sets: [], work: workOf() })
  for (const query of ['verb=Identify', lists, 'verb=junk']) {
    t.is(await dateOf(query), '2026-01-01T00:59:59Z')
  }
})

test('the records of one organization can be all that there are', async (t) => {
  const repository = openRepository({ organization: 'uni' })
  putWorks(repository, 6)
  t.deepEqual(identifiersIn(await repository.payload(lists)), [1, 3, 5].map(arkOf))
  t.deepEqual(identifiersIn(await repository.payload(`${lists}&set=org:uni`)), [1, 3, 5].map(arkOf))
  const empty = await repository.ask(`${lists}&set=org:press`)
  assertErrors(t, empty, ['noRecordsMatch'])
  const query = 'verb=GetRecord&metadataPrefix=oai_dc&identifier='
  assertErrors(t, await repository.ask(query + arkOf(0)), ['idDoesNotExist'])
  const sets = await repository.payload('verb=ListSets')
  t.deepEqual(
    sets.children.flatMap((set) => texts(set, 'setSpec')),
    ['org', 'org:uni'],
  )
})

test('without sets there are none, and headers name none', async (t) => {
  const repository = openRepository({ enableSets: false })
  putWorks(repository, 30)
  assertErrors(t, await repository.ask('verb=ListSets'), ['noSetHierarchy'])
  assertErrors(t, await repository.ask('verb=ListSets&resumptionToken=junk'), ['noSetHierarchy'])
  assertErrors(t, await repository.ask(`${lists}&set=org`), ['noSetHierarchy'])
  const both = await repository.ask('verb=ListRecords&metadataPrefix=marc&set=org')
  assertErrors(t, both, ['cannotDisseminateFormat', 'noSetHierarchy'])
  const headers = await repository.payload('verb=ListIdentifiers&metadataPrefix=oai_dc')
  for (const header of children(headers, 'header')) t.deepEqual(texts(header, 'setSpec'), [])
})
