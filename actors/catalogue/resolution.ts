import {
  authorsOf,
  identifiersOf,
  type PublicView,
  publicSource,
} from '#actors/catalogue/representation.ts'
import { EventText } from '#actors/journal/event_text.ts'
import type { Agent } from '#actors/values/agent.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { joinPieces, type Piece } from '#actors/values/pieces.ts'
import { contentUrl } from '#actors/works/content.ts'
import { metadataIn } from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { VersionRecord } from '#actors/works/record.ts'
import { assert } from '#log/errors.ts'

/** A resolution but for the spelling of the ARK that the client asked for, which stands between. */
export type ResolveParts = {
  readonly before: string
  readonly after: readonly Piece[]
}

/** What of a version's event a resolution is made of; the metadata as bytes, and what is read. */
export type ShownEvent = {
  readonly by: Agent
  readonly metadata: ShownMetadata
  readonly metadataBytes: Uint8Array
}

type ShownMetadata = Pick<Metadata, 'authors' | 'author_details' | 'existing_doi' | 'work_url'>

const authorDetailsFirst = Buffer.from('{"author_details":')

/** Reads of an event's row what its resolution shows beside the bytes of the metadata. */
export function readShown(eventRow: Uint8Array): ShownEvent {
  const row = new EventText(eventRow)
  const { metadata: metadataBytes } = row
  const by = row.agent()
  // Canonical JSON has them first.
  const start = metadataBytes.subarray(0, authorDetailsFirst.length)
  if (authorDetailsFirst.compare(start) === 0) {
    const metadata = metadataIn(eventRow)
    assert(metadata !== undefined, 'it was seen that there is metadata')
    return { by, metadata, metadataBytes }
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
  return { by, metadata, metadataBytes }
}

/**
 * `GET /v1/resolve/{ark}` but for the member `requested`, which differs by request. `receipt` are
 * the pieces of the version's receipt as JSON. The members are written one by one, for this is read
 * more than all else; a property of the tests holds the bytes to `JSON.stringify`.
 */
export function renderResolve(
  record: VersionRecord,
  { by, metadata, metadataBytes }: ShownEvent,
  receipt: readonly Piece[],
  { base, claims, sourceName }: PublicView,
): ResolveParts {
  const { state, version } = record
  const { identifier } = state
  const about =
    `,"status":"${state.status}","version":${version},"latest_version":${state.version}` +
    `,"is_latest":${version === state.version},"created_at":"${state.created_at}"` +
    `,"updated_at":"${state.updated_at}","content":${spellContent(record, metadata)}` +
    `,"identifiers":${JSON.stringify(identifiersOf(identifier, metadata))}` +
    `,${spellAuthors(metadata, claims)},"source":${JSON.stringify(publicSource(by, sourceName))}` +
    `,"links":${spellLinks(JSON.stringify(base).slice(1, -1), identifier, version)}`
  const after = [`${about},"metadata":`, metadataBytes, ',"receipt":', ...receipt, '}']
  return { before: `{"ark":"${identifier}","requested":`, after }
}

/** A resolution in full; `requested` is the ARK as the client spelled it. */
export function joinResolve({ before, after }: ResolveParts, requested: string): Buffer {
  return joinPieces([before + JSON.stringify(requested), ...after])
}

/** The links of `workLinks` as JSON; `base` as it stands within a string of JSON. */
function spellLinks(base: string, identifier: string, version: number): string {
  const api = `${base}/api/v1`
  const resolve = `${api}/resolve/${identifier}`
  return (
    `{"self":"${api}/works/${identifier}","resolve":"${resolve}"` +
    `,"versions":"${base}/v1/works/${identifier}/versions","history":"${resolve}/history"` +
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
