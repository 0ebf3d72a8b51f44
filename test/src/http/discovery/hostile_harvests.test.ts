// Requests of harvesters that are wrong on purpose. The number is that of the hostile case.

import type { ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { errorCodes, identifiersIn } from '#test/src/discovery/oai/_reply.ts'
import { child, children, readXml } from '#test/src/_xml.ts'
import { type Opened, testWith } from '#test/src/_shared_registry.ts'

const test = testWith(async () => {
  const registry = await serveRegistry({ MAX_RECORDS_PER_REQUEST: '2' })
  const writer = await registry.key({ scopes: ['works:write'] })
  const arks: string[] = []
  for (let nth = 0; nth < 5; nth += 1) arks.push((await mint(registry, writer)).ark_identifier)
  const [gone] = arks
  const body = { reason: 'test' }
  await registry.call(`/v1/works/${gone}/withdraw`, { method: 'POST', key: writer, body })
  return { registry, arks }
})

type Context = Opened<typeof test>

// Tokens end later the later they are given out.
const timed = /<responseDate>[^<]*|<resumptionToken[^>]*>[^<]*/g

/** Asks by GET and by POST, which must say the same but for the time; gives the reply. */
async function ask({ context: { registry } }: ExecutionContext<Context>, query: string) {
  const bodies: string[] = []
  for (const method of ['GET', 'POST']) {
    const url = `http://127.0.0.1:${registry.port}/api/v1/oai`
    const reply = await (method === 'GET'
      ? fetch(`${url}?${query}`)
      : fetch(url, { method, body: new URLSearchParams(query) }))
    if (reply.status !== 200) throw new Error(`${method} ${query}: ${reply.status}`)
    bodies.push(await reply.text())
  }
  const [got = '', posted = ''] = bodies
  if (got.replace(timed, '') !== posted.replace(timed, '')) {
    throw new Error(`${query} is answered in two ways`)
  }
  return readXml(got)
}

async function firstToken(t: ExecutionContext<Context>): Promise<string> {
  const page = await ask(t, 'verb=ListRecords&metadataPrefix=oai_dc&until=2099-01-01')
  return child(page, 'ListRecords', 'resumptionToken').text
}

const list = 'verb=ListRecords&metadataPrefix=oai_dc'

for (const [query, ...codes] of [
  [`${list}&from=2026-02-02&until=2026-02-01`, 'badArgument'],
  [`${list}&from=2026-02-01&until=2026-02-02T00:00:00Z`, 'badArgument'],
  [`${list}&from=2026-02-30`, 'badArgument'],
  [`${list}&until=0000-01-01`, 'noRecordsMatch', 'badArgument'],
  [`${list}&from=9999-12-31`, 'noRecordsMatch'],
  [`${list}&from=9999-12-31T23:59:59Z&until=9999-12-31T23:59:59Z`, 'noRecordsMatch'],
  ['verb=ListRecords&metadataPrefix=marc21', 'cannotDisseminateFormat'],
  ['verb=ListRecords&metadataPrefix=__proto__', 'cannotDisseminateFormat'],
  [`${list}&metadataPrefix=oai_dc`, 'badArgument'],
  [`${list}&verb=ListRecords`, 'badVerb'],
  [`${list}&limit=100000`, 'badArgument'],
  [`${list}&set=org:%00`, 'noRecordsMatch', 'badArgument'],
  ['verb=GetRecord&metadataPrefix=oai_dc&identifier=%27%22%3E%3C!--', 'idDoesNotExist'],
] as const) {
  test(`41: ${query} is answered with ${codes.join(' or ')}`, async (t) => {
    const found = errorCodes(await ask(t, query))
    t.true(found.length > 0)
    for (const code of found) t.true((codes as readonly string[]).includes(code), code)
  })
}

test('41: a token that was tampered with, or is of another verb, is refused', async (t) => {
  const token = await firstToken(t)
  const [state = '', signature = ''] = token.split('.')
  const told = JSON.parse(Buffer.from(state, 'base64url').toString('utf8'))
  const longer = Buffer.from(JSON.stringify({ ...told, s: { ...told.s, size: 9 } })).toString(
    'base64url',
  )
  const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
  const wrong = [
    `${longer}.${signature}`,
    state,
    `${state}.`,
    `.${signature}`,
    `${token}x`,
    flipped,
  ]
  for (const text of [...wrong, 'junk', '%00', 'a'.repeat(500)]) {
    const reply = await ask(t, `verb=ListRecords&resumptionToken=${text}`)
    t.deepEqual(errorCodes(reply), ['badResumptionToken'], text.slice(0, 100))
  }
  const other = await ask(t, `verb=ListIdentifiers&resumptionToken=${token}`)
  t.deepEqual(errorCodes(other), ['badResumptionToken'])
  const both = await ask(t, `${list}&resumptionToken=${token}`)
  t.deepEqual(errorCodes(both), ['badArgument'])
})

test('41: a list goes on to its end, and has what was deleted', async (t) => {
  const { arks } = t.context
  const seen: string[] = []
  let query: string | undefined = list
  while (query !== undefined) {
    const page = child(await ask(t, query), 'ListRecords')
    t.true(children(page, 'record').length <= 2)
    seen.push(...identifiersIn(page))
    const token = children(page, 'resumptionToken')[0]?.text ?? ''
    query = token === '' ? undefined : `verb=ListRecords&resumptionToken=${token}`
  }
  const [gone = '', ...standing] = arks
  t.deepEqual(seen, [...standing, gone], 'what changed last comes last')
  const record = child(
    await ask(t, `verb=GetRecord&metadataPrefix=oai_dc&identifier=${gone}`),
    'GetRecord',
    'record',
  )
  t.is(child(record, 'header').attributes['status'], 'deleted')
})

test('41: no page is as long as a harvester may wish', (t) => {
  const error = t.throws(() => loadConfig({ MAX_RECORDS_PER_REQUEST: '100000' }))
  t.regex(error.message, /MAX_RECORDS_PER_REQUEST.*1000/s)
})
