import {
  authorsOf,
  identifiersOf,
  type PublicView,
  publicSource,
} from '#actors/catalogue/representation.ts'
import { EventText } from '#actors/journal/rows.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { type ByteText, encodeText } from '#actors/values/byte_text.ts'
import { contentUrl } from '#actors/works/content.ts'
import { metadataIn } from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { VersionRecord } from '#actors/works/record.ts'
import { assert } from '#log/base/errors.ts'

/** A resolution but for the spelling of the ARK that the client asked for, which stands between. */
export type ResolveParts = {
  readonly before: ByteText
  readonly after: ByteText
}

/** The metadata of which a resolution is made: as they are spelled, and what is read of them. */
type Shown = { readonly spelled: ByteText; readonly metadata: ShownMetadata }

type ShownMetadata = Pick<Metadata, 'authors' | 'author_details' | 'existing_doi' | 'work_url'>

function readShown(eventRow: Uint8Array): Shown {
  const row = new EventText(eventRow)
  const { metadata: spelled } = row
  // Canonical JSON has them first.
  if (spelled.startsWith('{"author_details":')) {
    const metadata = metadataIn(eventRow)
    assert(metadata !== undefined, 'it was seen that there is metadata')
    return { spelled, metadata }
  }
  const authors = row.metadataText('authors')
  assert(authors !== undefined, 'what is shown of a work was not erased')
  const existing_doi = row.metadataText('existing_doi')
  const work_url = row.metadataText('work_url')
  const metadata = {
    authors,
    ...(existing_doi !== undefined && { existing_doi }),
    ...(work_url !== undefined && { work_url }),
  }
  return { spelled, metadata }
}

/**
 * `GET /v1/resolve/{ark}` but for the member `requested`, which differs by request. `receipt` is
 * the version's receipt as JSON. The members are written one by one, for this is read more than all
 * else; a property of the tests holds the bytes to `JSON.stringify`.
 */
export function renderResolve(
  record: VersionRecord,
  receipt: ByteText,
  { base, claims, sourceName }: PublicView,
): ResolveParts {
  const { spelled, metadata } = readShown(record.eventRow)
  const { state, version } = record
  const { identifier } = state
  const about =
    `,"status":"${state.status}","version":${version},"latest_version":${state.version}` +
    `,"is_latest":${version === state.version},"created_at":"${state.created_at}"` +
    `,"updated_at":"${state.updated_at}","registered_at":"${record.event.at}"` +
    `,"content":${spellContent(record, metadata)}` +
    `,"identifiers":${JSON.stringify(identifiersOf(identifier, metadata))}` +
    `,${spellAuthors(metadata, claims)}` +
    `,"source":${JSON.stringify(publicSource(record.event.by, sourceName))}` +
    `,"links":${spellLinks(JSON.stringify(base).slice(1, -1), identifier, version)}`
  const after = `${encodeText(about)},"metadata":${spelled},"receipt":${receipt}}` as ByteText
  return { before: encodeText(`{"ark":"${identifier}","requested":`), after }
}

/** A resolution in full; `requested` is the ARK as the client spelled it. */
export function joinResolve({ before, after }: ResolveParts, requested: string): ByteText {
  return `${spellBefore(before, requested)}${after}` as ByteText
}

/** What of a resolution comes before what is the same for all spellings of its ARK. */
export function spellBefore(before: ByteText, requested: string): ByteText {
  return `${before}${encodeText(JSON.stringify(requested))}` as ByteText
}

/** The links of `workLinks` as JSON; `base` as it stands within a string of JSON. */
function spellLinks(base: string, identifier: string, version: number): string {
  const api = `${base}/api/v1`
  const resolve = `${api}/resolve/${identifier}`
  return (
    `{"self":"${api}/works/${identifier}","resolve":"${resolve}"` +
    `,"versions":"${api}/works/${identifier}/versions","history":"${resolve}/history"` +
    `,"receipt":"${api}/receipts/${identifier}/v${version}"` +
    `,"proofs":"${api}/proofs/${identifier}/v${version}","ark":"${base}/${identifier}"}`
  )
}

function spellContent({ content }: VersionRecord, metadata: ShownMetadata): string {
  const { content_hash, fixity_status, checked } = content
  const { reason, message } = contentReason(content)
  const { media_type = null, bytes = null } = checked?.stable ?? {}
  return (
    `{"url":${spell(contentUrl(metadata))},"hash":${spell(content_hash)}` +
    `,"hash_source":${spell(hashSource(content))}` +
    `,"media_type":${spell(media_type)},"size":${bytes}` +
    `,"fixity_status":"${fixity_status}","reason":${spell(reason)}` +
    `,"message":${spell(message)},"checked_at":${spell(checked?.checked_at ?? null)}}`
  )
}

// Most of what is known of a content is that nothing is.
function spell(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text)
}

function spellAuthors(metadata: ShownMetadata, claims: PublicView['claims']): string {
  if (claims.length > 0 || metadata.author_details !== undefined) {
    return JSON.stringify(authorsOf(metadata, claims)).slice(1, -1)
  }
  const names = splitAuthors(metadata.authors)
  const authors = names.map((name) => `{"name":${JSON.stringify(name)},"claims":[]}`)
  return `"authors":[${authors.join()}]`
}
