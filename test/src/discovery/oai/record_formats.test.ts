// What records look like in each format.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import type { HarvestedWork } from '#src/discovery/oai/record_source.ts'
import {
  arkOf,
  baseUrl,
  earliest,
  openRepository,
  workOf,
} from '#test/src/discovery/oai/_repository.ts'
import { child, children, type ReadElement, readXml, texts } from '#test/src/_xml.ts'

const full: Metadata = {
  work_title: 'Wale & <Größen>',
  work_type: 'conference_paper',
  authors: 'Ox, Ada; Bo Pen; WHO',
  description: 'A first line.\nA second \u0007line.',
  work_url: 'https://press.example/wale?a=1&b=2',
  existing_doi: '10.1234/wale<1>',
  keywords: 'wale; größe; wale',
  language: 'de',
  license: 'CC-BY-4.0',
  published_date: '2025-06',
  publisher_name: 'The Press',
  container_title: 'Proceedings of Wale',
  author_details: [{ name: 'Ox, Ada' }, { name: 'Bo Pen', given: 'Bo', family: 'Pen' }],
  related_identifiers: [{ relation: 'Cites', identifier: '10.1234/other', scheme: 'DOI' }],
}

async function recordOf(prefix: string, work: HarvestedWork): Promise<ReadElement> {
  const repository = openRepository()
  repository.source.put({ ark: arkOf(0), datestamp: earliest, sets: ['press'], work })
  const query = `verb=GetRecord&metadataPrefix=${prefix}&identifier=${arkOf(0)}`
  return child(await repository.payload(query), 'record')
}

async function metadataOf(prefix: string, work: HarvestedWork): Promise<ReadElement> {
  const [root] = child(await recordOf(prefix, work), 'metadata').children
  if (root === undefined) throw new Error('the record has no metadata')
  return root
}

/** No element stands without text or children. */
function assertFilled(t: ExecutionContext, element: ReadElement): void {
  t.not(element.text.trim(), '', element.name)
  for (const inner of element.children) assertFilled(t, inner)
}

test('Dublin Core has all that is known, in the order that readers look for it', async (t) => {
  const dc = await metadataOf('oai_dc', {
    ...workOf(full),
    fetched: { mediaType: 'application/pdf', size: 5 },
  })
  t.is(dc.name, 'oai_dc:dc')
  t.is(dc.attributes['xmlns:dc'], 'http://purl.org/dc/elements/1.1/')
  t.is(
    dc.attributes['xsi:schemaLocation'],
    'http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
  )
  t.deepEqual(
    dc.children.map(({ name, text }) => [name.replace('dc:', ''), text]),
    [
      ['identifier', arkOf(0)],
      ['identifier', 'https://doi.org/10.1234/wale%3C1%3E'],
      ['identifier', 'doi:10.1234/wale<1>'],
      ['identifier', `https://registry.example/${arkOf(0)}`],
      ['identifier', 'https://press.example/wale?a=1&b=2'],
      ['title', 'Wale & <Größen>'],
      ['creator', 'Ox, Ada'],
      ['creator', 'Pen, Bo'],
      ['creator', 'WHO'],
      ['subject', 'wale'],
      ['subject', 'größe'],
      ['description', 'A first line.\nA second line.'],
      ['publisher', 'The Press'],
      ['source', 'Proceedings of Wale'],
      ['date', '2025-06'],
      ['type', 'conference paper'],
      ['type', 'info:eu-repo/semantics/conferencePaper'],
      ['type', 'http://purl.org/coar/resource_type/c_5794'],
      ['format', 'application/pdf'],
      ['language', 'de'],
      ['relation', 'https://doi.org/10.1234/wale%3C1%3E'],
      ['relation', 'https://doi.org/10.1234/other'],
      ['rights', 'https://creativecommons.org/licenses/by/4.0/'],
      ['rights', 'Creative Commons Attribution 4.0 International'],
      ['rights', 'info:eu-repo/semantics/openAccess'],
    ],
  )
})

test('Dublin Core of little has what every record needs, and nothing empty', async (t) => {
  const dc = await metadataOf('oai_dc', workOf())
  assertFilled(t, dc)
  const names = dc.children.map(({ name }) => name)
  t.deepEqual(names, [
    'dc:identifier',
    'dc:identifier',
    'dc:identifier',
    'dc:title',
    'dc:creator',
    'dc:creator',
    'dc:publisher',
    'dc:date',
    'dc:type',
    'dc:type',
    'dc:type',
  ])
  t.deepEqual(texts(dc, 'dc:publisher'), ['A Press & Sons'])
  t.deepEqual(texts(dc, 'dc:date'), ['2026-01-01'])
})

test('that all may read is told of content that was read, whatever its licence', async (t) => {
  const isOpen = async (changes: Partial<HarvestedWork>) => {
    const dc = await metadataOf('oai_dc', { ...workOf(full), ...changes })
    return texts(dc, 'dc:rights').includes('info:eu-repo/semantics/openAccess')
  }
  t.false(await isOpen({}))
  t.true(await isOpen({ fetched: { mediaType: null, size: 5 } }))
})

test('DataCite stands in the wrapper of its own repository', async (t) => {
  const wrapper = await metadataOf('oai_datacite', workOf(full))
  assertFilled(t, wrapper)
  t.is(wrapper.name, 'oai_datacite')
  t.is(wrapper.attributes['xmlns'], 'http://schema.datacite.org/oai/oai-1.1/')
  t.deepEqual(
    wrapper.children.map(({ name }) => name),
    ['schemaVersion', 'datacentreSymbol', 'payload'],
  )
  const resource = child(wrapper, 'payload', 'resource')
  t.is(resource.attributes['xmlns'], 'http://datacite.org/schema/kernel-4')
  t.is(child(resource, 'identifier').text, arkOf(0))
  t.is(child(resource, 'titles', 'title').text, full.work_title)
})

test('our own format carries the receipt, and metadata whose hash can be checked', async (t) => {
  const work = { ...workOf(full), contentHash: `sha256:${'a'.repeat(64)}` }
  const native = await metadataOf('svc', work)
  assertFilled(t, native)
  const { text } = child(native, 'metadata')
  t.deepEqual(JSON.parse(text), full)
  const hash = createHash('sha256').update(text).digest('hex')
  t.is(child(native, 'metadata_hash').text, `sha256:${hash}`)
  t.is(child(native, 'receipt_id').text, work.receiptId)
  t.is(child(native, 'content_hash').text, work.contentHash)
  t.is(child(native, 'receipt_url').text, `https://registry.example/api/v1/receipts/${arkOf(0)}/v1`)
  t.deepEqual(child(native, 'source').attributes, {
    type: 'organization',
    id: 'press',
    via: 'api_key',
  })
  const without = await metadataOf('svc', workOf(full))
  t.deepEqual(texts(without, 'content_hash'), [])
})

test('a record says who wrote it, and by which receipt', async (t) => {
  const work = { ...workOf(full), version: 3, writtenAt: '2026-01-01T00:10:00.000Z' }
  for (const prefix of ['oai_datacite', 'svc']) {
    const attribution = child(await recordOf(prefix, work), 'about', 'attribution')
    t.is(attribution.attributes['xmlns'], 'urn:x-svc:oai:1')
    t.deepEqual(
      attribution.children.map(({ name, text }) => [name, text]),
      [
        ['version', '3'],
        ['receipt_id', work.receiptId],
        ['metadata_hash', work.metadataHash],
        ['written_at', '2026-01-01T00:10:00.000Z'],
        ['source', 'A Press'],
      ],
    )
  }
})

test('the schema of our own elements declares all that they have', async (t) => {
  const file = new URL('../../../../src/discovery/oai/svc.xsd', import.meta.url)
  const schema = readXml(await readFile(file, 'utf8'))
  const native = await metadataOf('svc', { ...workOf(full), contentHash: 'sha256:0' })
  t.is(schema.attributes['targetNamespace'], native.attributes['xmlns'])
  t.is(native.attributes['xsi:schemaLocation'], `urn:x-svc:oai:1 ${baseUrl}/svc.xsd`)
  const declared = namesIn(schema)
  for (const { name } of native.children) t.true(declared.includes(name), name)
  const roots = children(schema, 'xs:element').map(({ attributes }) => attributes['name'])
  t.deepEqual(roots, ['work', 'attribution'])
})

function namesIn({ attributes, children: inner }: ReadElement): (string | undefined)[] {
  return [attributes['name'], ...inner.flatMap(namesIn)]
}
