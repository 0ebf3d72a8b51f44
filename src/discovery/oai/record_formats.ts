import { workLink } from '#actors/registry/catalogue/representation.ts'
import { contentUrl } from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { assert } from '#log/tlog/errors.ts'
import { dataciteElement, dataciteNamespace } from '#src/discovery/formats/datacite.ts'
import { describeAuthors, type DescribedWork } from '#src/discovery/formats/described_work.ts'
import {
  dublinCoreElement,
  dublinCoreNamespace,
  dublinCoreSchema,
} from '#src/discovery/formats/dublin_core.ts'
import { modsElement, modsNamespace, modsSchema } from '#src/discovery/formats/mods.ts'
import {
  lackForOpenaire,
  openaireElement,
  openaireNamespace,
  openaireSchema,
} from '#src/discovery/formats/openaire.ts'
import { relationsWith } from '#src/discovery/formats/resolution.ts'
import { element, textElement, writeElement, type XmlElement } from '#src/discovery/formats/xml.ts'
import {
  allSpec,
  formatDatestamp,
  formatSetSpec,
  type ListVerb,
} from '#src/discovery/oai/oai_request.ts'
import type {
  HarvestedWork,
  HarvestRecord,
  RecordSource,
} from '#src/discovery/oai/record_source.ts'

/** A record that stands, with its work as all formats describe it. */
type StandingRecord = {
  readonly record: HarvestRecord
  readonly work: HarvestedWork
  readonly described: DescribedWork
}

/** A form in which records are disseminated, as ListMetadataFormats shows it. */
export type RecordFormat = {
  readonly prefix: string
  /** Address of the XML schema. */
  readonly schema: string
  readonly namespace: string
  /** The one element in a record's `metadata`. */
  metadata(record: StandingRecord): XmlElement
  /** Whether it has a place for what other works say of one. */
  readonly tellsIncoming?: true
  /** Why a record does not come in the format; undefined if it does. Without it, every one does. */
  readonly lacks?: (work: DescribedWork) => string | undefined
  /** The `about` container of a record, if the format has one. */
  about?(record: StandingRecord): XmlElement
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

/** Attributes of a root element that say where its schema is. */
export function schemaAttributes(namespace: string, schema: string): Record<string, string> {
  return { 'xmlns:xsi': instanceNamespace, 'xsi:schemaLocation': `${namespace} ${schema}` }
}

/** The namespace of our own elements: a name, the same in every repository. */
const nativeFormatNamespace = 'urn:x-svc:oai:1'

/** Name of the schema's file below the repository's address. */
export const nativeSchemaName = 'svc.xsd'

function rootAttributes(baseUrl: string): Record<string, string> {
  return {
    xmlns: nativeFormatNamespace,
    ...schemaAttributes(nativeFormatNamespace, schemaUrl(baseUrl)),
  }
}

function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/${nativeSchemaName}`
}

/**
 * The registry's own form: what the receipt says, and the metadata as the canonical JSON (RFC 8785)
 * of which `metadata_hash` is the SHA-256, so that who has harvested a record can check it.
 * `oaiUrl` is the repository's address.
 */
function nativeFormat(oaiUrl: string): RecordFormat {
  return {
    prefix: 'svc',
    schema: schemaUrl(oaiUrl),
    namespace: nativeFormatNamespace,
    metadata: (record) => element('work', rootAttributes(oaiUrl), ...membersOf(record)),
  }
}

function membersOf({ record, work, described }: StandingRecord): (XmlElement | undefined)[] {
  return [
    textElement('ark', record.ark),
    textElement('url', described.url),
    ...receiptElements(work),
    textElement('receipt_url', described.receiptUrl),
    textElement('content_hash', work.contentHash ?? undefined),
    textElement('created_at', work.createdAt),
    textElement('written_at', work.writtenAt),
    sourceElement(work),
    textElement('metadata', Buffer.from(work.metadata).toString('utf8'), {
      format: 'application/json',
    }),
  ]
}

/** What a record tells about itself: who wrote it, when, and by which receipt that is proven. */
function attributionElement({ work }: StandingRecord, oaiUrl: string): XmlElement {
  return element(
    'attribution',
    rootAttributes(oaiUrl),
    ...receiptElements(work),
    textElement('written_at', work.writtenAt),
    sourceElement(work),
  )
}

function receiptElements({ version, receiptId, metadataHash }: HarvestedWork): XmlElement[] {
  return [
    element('version', {}, String(version)),
    element('receipt_id', {}, receiptId),
    element('metadata_hash', {}, metadataHash),
  ]
}

/** `source` of the API: its texts are attributes, and its name what stands in the element. */
function sourceElement({ source }: HarvestedWork): XmlElement {
  const { type, id, name, via, client_id } = source
  const attributes = { type: textOf(type), id: textOf(id), via: textOf(via) }
  return element('source', { ...attributes, client_id: textOf(client_id) }, textOf(name))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Dublin Core, which every repository has (OAI-PMH 2.0, section 2.5). */
const oaiDc: RecordFormat = {
  prefix: 'oai_dc',
  schema: dublinCoreSchema,
  namespace: dublinCoreNamespace,
  metadata: ({ described }) => dublinCoreElement(described),
}

const recordFormatsNamespace = 'http://schema.datacite.org/oai/oai-1.1/'
const schema = 'http://schema.datacite.org/oai/oai-1.1/oai.xsd'

/** The version in a kernel's namespace, `http://datacite.org/schema/kernel-4`. */
const schemaVersion = dataciteNamespace.slice(dataciteNamespace.lastIndexOf('-') + 1)

/** DataCite's metadata in the wrapper of its own repository (oai_datacite 1.1). */
const oaiDatacite: RecordFormat = {
  prefix: 'oai_datacite',
  schema,
  namespace: recordFormatsNamespace,
  tellsIncoming: true,
  metadata: ({ described }) =>
    element(
      'oai_datacite',
      { xmlns: recordFormatsNamespace, ...schemaAttributes(recordFormatsNamespace, schema) },
      element('schemaVersion', {}, schemaVersion),
      element('datacentreSymbol', {}, described.registry),
      element('payload', {}, dataciteElement(described)),
    ),
}

/** MODS, which libraries harvest. */
const mods: RecordFormat = {
  prefix: 'mods',
  schema: modsSchema,
  namespace: modsNamespace,
  metadata: ({ described }) => modsElement(described),
}

/** What OpenAIRE harvests of literature, of the records that have what its guidelines demand. */
const oaiOpenaire: RecordFormat = {
  prefix: 'oai_openaire',
  schema: openaireSchema,
  namespace: openaireNamespace,
  tellsIncoming: true,
  metadata: ({ described }) => openaireElement(described),
  lacks: lackForOpenaire,
}

/**
 * All forms in which records come; `oaiUrl` is the repository's address, as Identify tells it. Each
 * record tells who wrote it, but for Dublin Core, MODS and OpenAIRE: what harvesters of those read
 * is valid by their schemas and the protocol's, which have none for such words.
 */
export function recordFormats(oaiUrl: string): readonly RecordFormat[] {
  const about = (record: StandingRecord) => attributionElement(record, oaiUrl)
  const native = { ...nativeFormat(oaiUrl), about }
  return [oaiDc, { ...oaiDatacite, about }, mods, oaiOpenaire, native]
}

const notFetched = { mediaType: null, size: null }

/** A harvested work as all formats describe it; `registryUrl` is the base of its addresses. */
function describeRecord(
  { ark, sets, incoming = [] }: HarvestRecord,
  work: HarvestedWork,
  {
    source,
    registryUrl,
  }: { readonly source: Pick<RecordSource, 'setName'>; readonly registryUrl: string },
): DescribedWork {
  const { version, createdAt, contentHash: hash } = work
  const metadata = JSON.parse(Buffer.from(work.metadata).toString('utf8')) as Metadata
  const [slug] = sets
  const organization = slug === undefined ? undefined : source.setName(slug)
  return {
    ark,
    url: `${registryUrl}/${ark}`,
    version,
    isPinned: false,
    latestVersion: version,
    workUrl: `${registryUrl}/${ark}`,
    metadata: { ...metadata, ...relationsWith(metadata, incoming) },
    authors: describeAuthors(metadata),
    publisher: metadata.publisher_name ?? organization,
    createdAt,
    updatedAt: work.writtenAt,
    content: {
      url: contentUrl(metadata, work),
      hash,
      ...(work.fetched ?? notFetched),
      isOpen: work.fetched !== undefined,
    },
    receiptUrl: workLink('receipt', registryUrl, ark, version),
    registry: new URL(registryUrl).host,
  }
}

/** What records are shown with. */
type RecordOptions = {
  readonly source: Pick<RecordSource, 'setName'>
  /** Address of the registry in which ARKs resolve. */
  readonly registryUrl: string
  readonly enableSets: boolean
}

/** The header of a record: all that is left of one that was deleted. */
function headerElement(
  { ark, datestamp, sets, work }: HarvestRecord,
  { enableSets }: Pick<RecordOptions, 'enableSets'>,
): XmlElement {
  const specs = sets.length === 0 ? [allSpec] : sets.map(formatSetSpec)
  return element(
    'header',
    { status: work === undefined ? 'deleted' : undefined },
    element('identifier', {}, ark),
    element('datestamp', {}, formatDatestamp(datestamp)),
    ...(enableSets ? specs.map((spec) => element('setSpec', {}, spec)) : []),
  )
}

/** What is listed of a record: its header, with its metadata in a format unless it was deleted. */
function recordElement(
  record: HarvestRecord,
  format: RecordFormat,
  options: RecordOptions,
): XmlElement {
  const header = headerElement(record, options)
  const { work } = record
  if (work === undefined) return element('record', {}, header)
  const standing = { record, work, described: describeRecord(record, work, options) }
  return element(
    'record',
    {},
    header,
    element('metadata', {}, format.metadata(standing)),
    format.about && element('about', {}, format.about(standing)),
  )
}

/** What records are written from: data alone, so that another thread can write them. */
export type RecordsTask = {
  /** Headers alone for `ListIdentifiers`. */
  readonly verb: ListVerb
  readonly prefix: string
  /** Addresses of the repository, and of the registry in which ARKs resolve. */
  readonly oaiUrl: string
  readonly registryUrl: string
  readonly enableSets: boolean
  readonly records: readonly HarvestRecord[]
  /** Names of the organizations whose sets have the records, by slug. */
  readonly setNames: Readonly<Record<string, string>>
  /** Bytes of XML after which the rest is left. */
  readonly bytesEnough: number
}

/**
 * Records as XML in UTF-8, one after the other: the first `count` of them, one at least. `lack` is
 * why the last one that the format does not have is left out, or stands there as a deleted one.
 */
export type WrittenRecords = {
  readonly bytes: Uint8Array
  readonly count: number
  readonly lack?: string
  /** Whether they are one alone, which stands there as deleted so that the list is not empty. */
  readonly isStandIn: boolean
}

/**
 * Writes records as a list or a `GetRecord` has them. One that lacks what the format must have is
 * left out. If it was another version before, it may have been listed: then it is a deleted one
 * (OAI-PMH 2.0, section 2.5.1). So is the last of a list that would be empty otherwise, for the
 * protocol has no empty list.
 */
export function writeRecords(task: RecordsTask): WrittenRecords {
  const { verb, prefix, oaiUrl, records, setNames, bytesEnough } = task
  const format = recordFormats(oaiUrl).find((one) => one.prefix === prefix)
  assert(format !== undefined, 'records are written in a format that there is')
  const options = { ...task, source: { setName: (slug: string) => setNames[slug] } }
  const written: Buffer[] = []
  let [bytes, count] = [0, 0]
  let lack: string | undefined
  let isStandIn = false
  for (const record of records) {
    count += 1
    const isLast = count === records.length
    const missing = lackOf(record, format, options)
    lack = missing ?? lack
    const isLeft = missing !== undefined && record.work?.version === 1
    if (isLeft && !(isLast && bytes === 0)) continue
    isStandIn = isLeft
    const { work: _work, ...deleted } = record
    const shown = missing === undefined ? record : deleted
    const isHeader = verb === 'ListIdentifiers'
    const listed = isHeader ? headerElement(shown, options) : recordElement(shown, format, options)
    const text = Buffer.from(writeElement(listed))
    written.push(text)
    bytes += text.length
    if (bytes >= bytesEnough) break
  }
  return {
    bytes: Buffer.concat(written, bytes),
    count,
    isStandIn,
    ...(lack !== undefined && { lack }),
  }
}

/** Why a record does not come in a format. */
function lackOf(
  record: HarvestRecord,
  { lacks }: RecordFormat,
  options: RecordOptions,
): string | undefined {
  const { work } = record
  return work && lacks?.(describeRecord(record, work, options))
}
