import { untilGiven } from '#test/_until.ts'
import {
  type Adapter,
  harvest,
  plainAdapter,
  recordQuery,
  tunedAdapter,
} from '#test/interface/_adapter.ts'
import { answered, holds, matches, same } from '#test/interface/_expect.ts'
import { differs, filled, row, type Section } from '#test/interface/_row.ts'
import { register, sampleWork, writingKey } from '#test/interface/_works.ts'
import type { World } from '#test/interface/_world.ts'
import { child, children, type ReadElement, texts } from '#test/src/_xml.ts'

const list = 'verb=ListRecords&metadataPrefix=oai_dc'

/** Asks the adapter that is told no more than it must be. */
async function ask(world: World, query: string): Promise<ReadElement> {
  return harvest(world, await plainAdapter(world), query)
}

/** The code of the error that a request is answered with. */
async function errorOf(
  world: World,
  query: string,
  adapter?: Adapter,
): Promise<string | undefined> {
  const reply = await harvest(world, adapter ?? (await plainAdapter(world)), query)
  return child(reply, 'error').attributes['code']
}

/** Identifiers in a list of records or headers. */
function identifiersOf(reply: ReadElement, verb: string): string[] {
  const records = child(reply, verb)
  const headers =
    verb === 'ListRecords' ? children(records, 'record').map((each) => child(each, 'header')) : []
  const all = verb === 'ListRecords' ? headers : children(records, 'header')
  return all.map((header) => child(header, 'identifier').text)
}

/** A request without one of its arguments is refused. */
function needs(verb: string, argument: string, others: string) {
  return row(`${verb} needs ${argument}`, async (world) => {
    same(await errorOf(world, `verb=${verb}${others}`), 'badArgument', 'the error')
  })
}

/** The header of the sample's record. */
async function sampleHeader(world: World): Promise<ReadElement> {
  const { ark } = await sampleWork(world)
  return child(await ask(world, recordQuery(ark)), 'GetRecord', 'record', 'header')
}

/** Harvesting. */
export const harvesting: Section = {
  name: 'Harvesting',
  rows: [
    row('Identify', async (world) => {
      const identity = child(await ask(world, 'verb=Identify'), 'Identify')
      same(child(identity, 'protocolVersion').text, '2.0', 'protocolVersion')
    }),
    row('ListMetadataFormats has oai_dc', async (world) => {
      const reply = child(await ask(world, 'verb=ListMetadataFormats'), 'ListMetadataFormats')
      const prefixes = children(reply, 'metadataFormat').flatMap((format) =>
        texts(format, 'metadataPrefix'),
      )
      holds(prefixes.includes('oai_dc'), 'oai_dc is one', prefixes)
    }),
    row('ListSets: organizations are sets', async (world) => {
      const sets = children(child(await ask(world, 'verb=ListSets'), 'ListSets'), 'set')
      const specs = sets.flatMap((set) => texts(set, 'setSpec'))
      holds(specs.includes('org:demo'), 'the organization is one', specs)
    }),
    differs('sets', 'ListSets has a set of all works as well', async (world) => {
      const sets = children(child(await ask(world, 'verb=ListSets'), 'ListSets'), 'set')
      holds(sets.flatMap((set) => texts(set, 'setSpec')).includes('org'), 'org is one')
    }),
    row('ListIdentifiers', async (world) => {
      const { ark } = await sampleWork(world)
      const reply = await ask(world, 'verb=ListIdentifiers&metadataPrefix=oai_dc')
      holds(identifiersOf(reply, 'ListIdentifiers').includes(ark), 'the work is listed')
    }),
    row('ListRecords', async (world) => {
      const { ark } = await sampleWork(world)
      holds(
        identifiersOf(await ask(world, list), 'ListRecords').includes(ark),
        'the work is listed',
      )
    }),
    row('GetRecord', async (world) => {
      same(
        child(await sampleHeader(world), 'identifier').text,
        (await sampleWork(world)).ark,
        'ARK',
      )
    }),
    needs('ListIdentifiers', 'metadataPrefix', ''),
    needs('ListRecords', 'metadataPrefix', ''),
    needs('GetRecord', 'identifier', '&metadataPrefix=oai_dc'),
    needs('GetRecord', 'metadataPrefix', '&identifier=ark:/12345/x'),
    row('long lists go on with resumption tokens', async (world) => {
      const adapter = await tunedAdapter(world)
      const first = await harvest(world, adapter, list)
      const token = child(first, 'ListRecords', 'resumptionToken')
      same(token.attributes['completeListSize'], '3', 'completeListSize')
      const query = `verb=ListRecords&resumptionToken=${encodeURIComponent(token.text)}`
      const last = await harvest(world, adapter, query)
      const [one, two] = [identifiersOf(first, 'ListRecords'), identifiersOf(last, 'ListRecords')]
      same([one.length, two.length], [2, 1], 'the records on each page')
      same(new Set([...one, ...two]).size, 3, 'the records in all')
      same(child(last, 'ListRecords', 'resumptionToken').text, '', 'the last token')
    }),
    row('from and until choose by date', async (world) => {
      const { ark } = await sampleWork(world)
      const { text: stamp } = child(await sampleHeader(world), 'datestamp')
      const at = await ask(world, `${list}&from=${stamp}&until=${stamp}`)
      holds(identifiersOf(at, 'ListRecords').includes(ark), 'it is there at its time')
      same(await errorOf(world, `${list}&until=2001-01-01`), 'noRecordsMatch', 'long before')
    }),
    row('a set chooses by organization', async (world) => {
      const { ark } = await sampleWork(world)
      const own = await ask(world, `${list}&set=org:demo`)
      holds(identifiersOf(own, 'ListRecords').includes(ark), 'it is in its set')
      const specs = texts(await sampleHeader(world), 'setSpec')
      holds(specs.includes('org:demo'), 'its header names the set', specs)
    }),
    row('deleted records are tracked', async (world) => {
      const adapter = await plainAdapter(world)
      const identity = child(await ask(world, 'verb=Identify'), 'Identify')
      same(child(identity, 'deletedRecord').text, 'persistent', 'deletedRecord')
      const { ark } = await register(world)
      const sent = { key: await writingKey(world), body: { reason: 'test' } }
      answered(await world.call(`POST /v1/works/${ark}/withdraw`, sent), 200)
      const look = async () => {
        const reply = await harvest(world, adapter, recordQuery(ark))
        if (children(reply, 'GetRecord').length === 0) return undefined
        const record = child(reply, 'GetRecord', 'record')
        return child(record, 'header').attributes['status'] === 'deleted' ? record : undefined
      }
      const record = await untilGiven('the record is deleted', look, { pauseMs: 50 })
      same(children(record, 'metadata').length, 0, 'the metadata of a deleted record')
    }),
    row('there are several formats', async (world) => {
      const { ark } = await sampleWork(world)
      const prefixesOf = async (query: string) => {
        const reply = child(await ask(world, query), 'ListMetadataFormats')
        return children(reply, 'metadataFormat').flatMap((format) =>
          texts(format, 'metadataPrefix'),
        )
      }
      const prefixes = await prefixesOf('verb=ListMetadataFormats')
      const own = await prefixesOf(`verb=ListMetadataFormats&identifier=${encodeURIComponent(ark)}`)
      holds(own.length > 1, 'there are', own)
      for (const prefix of own) {
        child(await ask(world, recordQuery(ark, prefix)), 'GetRecord', 'record', 'metadata')
      }
      // A format that asks for more than a record has is refused for it alone.
      for (const prefix of prefixes.filter((each) => !own.includes(each))) {
        const code = await errorOf(world, recordQuery(ark, prefix))
        same(code, 'cannotDisseminateFormat', `the error of ${prefix}`)
      }
    }),
    row('requests are validated', async (world) => {
      same(await errorOf(world, 'verb=Guess'), 'badVerb', 'the error of a verb that is none')
      same(await errorOf(world, `${list}&colour=blue`), 'badArgument', 'that of an argument')
      same(await errorOf(world, `${list}&from=yesterday`), 'badArgument', 'that of a date')
      const token = 'verb=ListRecords&resumptionToken=made-up'
      same(await errorOf(world, token), 'badResumptionToken', 'that of a token')
    }),
    row('errors have the codes of the protocol', async (world) => {
      const { ark } = await sampleWork(world)
      same(await errorOf(world, recordQuery('ark:/12345/none')), 'idDoesNotExist', 'of a record')
      const format = await errorOf(world, recordQuery(ark, 'marc'))
      same(format, 'cannotDisseminateFormat', 'of a format')
    }),
    row('replies are XML in UTF-8', async (world) => {
      const { oaiUrl } = await plainAdapter(world)
      const { text, headers } = await world.call(`GET ${oaiUrl}?verb=Identify`)
      matches(text, /^<\?xml version="1\.0" encoding="UTF-8"\?>/, 'the first line')
      matches(headers.get('content-type'), /charset=utf-8/i, 'Content-Type')
    }),
    filled('the-adapter', 'metadataPrefix goes with the verbs that have it', async (world) => {
      for (const verb of ['Identify', 'ListSets', 'ListMetadataFormats']) {
        const error = await errorOf(world, `verb=${verb}&metadataPrefix=oai_dc`)
        same(error, 'badArgument', `the error of ${verb}`)
      }
    }),
    filled('the-adapter', 'POST does what GET does', async (world) => {
      const { oaiUrl } = await plainAdapter(world)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await world.call(`POST ${oaiUrl}`, { headers, body: 'verb=Identify' })
      matches(answered(reply, 200).text, /<Identify>/, 'the reply')
    }),
    filled('the-adapter', 'the registry harvests alike at /api/v1/oai', async (world) => {
      const { ark } = await sampleWork(world)
      const inside: Adapter = { oaiUrl: `${world.place.baseUrl}/api/v1/oai` }
      const queries = ['verb=Identify', 'verb=ListSets', 'verb=ListMetadataFormats', list]
      for (const query of [...queries, recordQuery(ark)]) await harvest(world, inside, query)
      const [here, there] = [
        await harvest(world, inside, recordQuery(ark)),
        await ask(world, recordQuery(ark)),
      ]
      const read = (reply: ReadElement) => child(reply, 'GetRecord', 'record', 'metadata').children
      same(read(here), read(there), 'the record')
    }),
  ],
}
