// What the official validator of OAI-PMH 2.0 asks a repository, in its order, over HTTP: every
// reply has status 200, and its errors are among those that it takes.

import anyTest, { type ExecutionContext, type TestFn } from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { errorCodes, identifiersIn } from '#test/src/discovery/oai/_reply.ts'
import { child, children, type ReadElement, readXml, texts } from '#test/src/_xml.ts'

type Context = { readonly registry: TestRegistry; readonly sample: ReadElement }

const test = anyTest as TestFn<Context>

const path = '/api/v1/oai'

test.before(async (t) => {
  const registry = await openRegistry({ MAX_RECORDS_PER_REQUEST: 5 })
  const key = await registry.createKey(['works:write'])
  const headers = { authorization: `Bearer ${key}` }
  for (let index = 0; index < 12; index += 1) {
    const payload = { ...goodWork, work_title: `Work ${index}` }
    await registry.server.inject({ method: 'POST', url: '/v1/works', headers, payload })
    registry.time.nowMs += 1_000
  }
  const list = await ask(registry, 'verb=ListIdentifiers&metadataPrefix=oai_dc')
  const sample = child(list, 'ListIdentifiers').children.find(
    ({ name, attributes }) => name === 'header' && attributes['status'] === undefined,
  )
  Object.assign(t.context, { registry, sample })
})
test.after.always((t) => t.context.registry.close())

async function ask({ server }: TestRegistry, query: string, method = 'GET'): Promise<ReadElement> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply =
    method === 'GET'
      ? await server.inject(`${path}?${query}`)
      : await server.inject({ method: 'POST', url: path, headers: form, payload: query })
  if (reply.statusCode !== 200) throw new Error(`${query} has status ${reply.statusCode}`)
  if (reply.headers['content-type'] !== 'text/xml; charset=utf-8') throw new Error('no text/xml')
  return readXml(reply.body)
}

function sampleOf(t: ExecutionContext<Context>) {
  const { sample } = t.context
  return {
    identifier: encodeURIComponent(child(sample, 'identifier').text),
    datestamp: child(sample, 'datestamp').text,
  }
}

test('Identify has all that is needed, in its order', async (t) => {
  const reply = await ask(t.context.registry, 'verb=Identify')
  const identify = child(reply, 'Identify')
  t.is(child(identify, 'baseURL').text, `https://registry.example${path}`)
  t.is(child(identify, 'baseURL').text, child(reply, 'request').text)
  t.regex(child(identify, 'adminEmail').text, /^\w[\w\-.]+@[A-Za-z0-9\-.]+\.[a-z]{2,}$/)
  t.regex(child(identify, 'earliestDatestamp').text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  t.is(child(identify, 'granularity').text, 'YYYY-MM-DDThh:mm:ssZ')
})

test('each set is that of a specification with a name', async (t) => {
  const sets = child(await ask(t.context.registry, 'verb=ListSets'), 'ListSets')
  t.true(sets.children.length > 0)
  for (const set of sets.children) {
    t.regex(child(set, 'setSpec').text, /^([A-Za-z0-9\-_.!~*'()])+(:[A-Za-z0-9\-_.!~*'()]+)*$/)
    t.not(child(set, 'setName').text, '')
  }
  const [spec] = sets.children.flatMap((set) => texts(set, 'setSpec'))
  const query = `verb=ListIdentifiers&metadataPrefix=oai_dc&set=${spec}`
  t.deepEqual(errorCodes(await ask(t.context.registry, query)), [])
})

test('the sample has formats, and is got in oai_dc', async (t) => {
  const { registry } = t.context
  const { identifier } = sampleOf(t)
  const formats = await ask(registry, `verb=ListMetadataFormats&identifier=${identifier}`)
  const prefixes = child(formats, 'ListMetadataFormats').children.map(
    (format) => child(format, 'metadataPrefix').text,
  )
  t.true(prefixes.includes('oai_dc'))
  const query = `verb=GetRecord&identifier=${identifier}&metadataPrefix=oai_dc`
  const got = await ask(registry, query)
  const header = child(got, 'GetRecord', 'record', 'header')
  t.is(child(header, 'datestamp').text, sampleOf(t).datestamp)
  t.deepEqual(await ask(registry, query, 'POST'), got)
})

test('the second of the sample has the sample', async (t) => {
  const { identifier, datestamp } = sampleOf(t)
  const span = `from=${datestamp}&until=${datestamp}`
  const reply = await ask(t.context.registry, `verb=ListRecords&metadataPrefix=oai_dc&${span}`)
  const list = child(reply, 'ListRecords')
  t.true(identifiersIn(list).includes(decodeURIComponent(identifier)))
  for (const record of children(list, 'record')) {
    t.is(child(record, 'header', 'datestamp').text, datestamp)
  }
})

const oai = 'metadataPrefix=oai_dc'
const wrong: readonly [query: string, ...codes: string[]][] = [
  ['junk', 'badVerb'],
  ['verb=junk', 'badVerb'],
  [`verb=GetRecord&${oai}`, 'badArgument'],
  ['verb=GetRecord&identifier=SAMPLE', 'badArgument'],
  [`verb=GetRecord&identifier=invalid%22id&${oai}`, 'badArgument', 'idDoesNotExist'],
  ['verb=ListIdentifiers&until=junk', 'badArgument'],
  ['verb=ListIdentifiers&from=junk', 'badArgument'],
  [
    'verb=ListIdentifiers&resumptionToken=junk&until=2000-02-05',
    'badArgument',
    'badResumptionToken',
  ],
  [
    `verb=ListRecords&${oai}&resumptionToken=junk&until=1990-01-10`,
    'badArgument',
    'badResumptionToken',
  ],
  [`verb=ListRecords&${oai}&from=junk`, 'badArgument'],
  [`verb=ListRecords&${oai}&until=junk`, 'badArgument'],
  ['verb=ListRecords', 'badArgument'],
  ['verb=ListRecords&resumptionToken=junk', 'badResumptionToken'],
  [`verb=ListRecords&${oai}&from=2002-02-05&until=2002-02-06T05:35:00Z`, 'badArgument'],
  [`verb=ListRecords&${oai}&until=2025-01-01T00:00:00Z`, 'noRecordsMatch'],
]
for (const [query, ...accepted] of wrong) {
  for (const method of ['GET', 'POST']) {
    test(`${method} ${query} is answered with ${accepted.join(' or ')}`, async (t) => {
      const sent = query.replace('SAMPLE', sampleOf(t).identifier)
      const reply = await ask(t.context.registry, sent, method)
      const codes = errorCodes(reply)
      t.true(codes.length > 0)
      for (const code of codes) t.true(accepted.includes(code), code)
      for (const { text } of children(reply, 'error')) t.not(text, '')
    })
  }
}

test('Identify is answered to POST as well', async (t) => {
  const { registry } = t.context
  const posted = await ask(registry, 'verb=Identify', 'POST')
  t.deepEqual(posted, await ask(registry, 'verb=Identify'))
})

test('ListRecords is gone on with to its end', async (t) => {
  const { registry } = t.context
  const found: string[] = []
  let query: string | undefined = `verb=ListRecords&${oai}`
  while (query !== undefined) {
    const list = child(await ask(registry, query), 'ListRecords')
    found.push(...identifiersIn(list))
    const [token] = texts(list, 'resumptionToken')
    query = token ? `verb=ListRecords&resumptionToken=${token}` : undefined
  }
  t.is(found.length, 12)
  t.is(new Set(found).size, 12)
})
