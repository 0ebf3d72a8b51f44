import { LRUCache } from 'lru-cache'

import type { CommitNotice } from '#actors/registry/catalogue/feeds.ts'
import {
  longBytesMin,
  type NotFound,
  type Rendered,
  type ResolutionAtOnce,
} from '#actors/registry/catalogue/port.ts'
import {
  authorsOf,
  identifiersOf,
  noticesOf,
  ownedBy,
  publicSource,
  type PublicView,
  tagWithPeople,
  writeWorkLinks,
} from '#actors/registry/catalogue/representation.ts'
import { publicName, readPublicClaims } from '#actors/people/claims/record.ts'
import { EventText, type ReadRow } from '#actors/journal/rows.ts'
import { textHash } from '#actors/kernel/shards.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { ReceiptWriter } from '#actors/works/receipts/statement.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { ByteWriter, ownMemory } from '#actors/values/serialization.ts'
import { contentUrl } from '#actors/works/content.ts'
import { metadataIn } from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { readVersion, readWork, type StoredWork, type VersionRecord } from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/**
 * A resolution as JSON. Of its bytes, those from `requestedAt` to `requestedEnd` spell the ARK as
 * the client asked for it, `requested`: the only ones that another spelling changes.
 */
type Resolution = {
  readonly body: Uint8Array
  readonly requested: string
  readonly requestedAt: number
  readonly requestedEnd: number
}

/** The metadata of which a resolution is made: as they are spelled, and what is read of them. */
type Shown = { readonly spelled: Uint8Array; readonly metadata: ShownMetadata }

type ShownMetadata = Pick<
  Metadata,
  'authors' | 'author_details' | 'existing_doi' | 'work_url' | 'files'
>

function readShown({ eventRow, content }: VersionRecord): Shown {
  const row = new EventText(eventRow)
  const { metadata: spelled } = row
  // No member within a list has the same name, and a text has its quotes escaped.
  if (content.content_file !== undefined || spelled.includes('"author_details":[')) {
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

/** How a resolution is shown: its receipt, and how the client has spelled the ARK. */
type ResolutionView = PublicView & {
  readonly receipts: Pick<ReceiptWriter, 'append'>
  readonly requested: string
}

/**
 * `GET /v1/resolve/{ark}`, by a writer. The members are written one by one, for this is read more
 * than all else; a property of the tests holds the bytes to `JSON.stringify`.
 */
export function renderResolve(
  out: ByteWriter,
  record: VersionRecord,
  { base, claims, sourceName, notices = [], receipts, requested }: ResolutionView,
): Resolution {
  const { spelled, metadata } = readShown(record)
  const { state, version, content } = record
  const { identifier } = state
  out.begin().ascii('{"ark":"').ascii(identifier).ascii('","requested":')
  const requestedAt = out.length
  const requestedEnd = out.text(JSON.stringify(requested)).length
  out.ascii(',"status":"').ascii(state.status)
  out.ascii('","version":').ascii(String(version))
  out.ascii(',"latest_version":').ascii(String(state.version))
  out.ascii(version === state.version ? ',"is_latest":true' : ',"is_latest":false')
  out.ascii(',"created_at":"').ascii(state.created_at)
  out.ascii('","updated_at":"').ascii(state.updated_at)
  out.ascii('","registered_at":"').ascii(record.event.at)
  out.ascii('","content":').text(JSON.stringify(contentOf(record, metadata)))
  out.ascii(',"identifiers":').text(JSON.stringify(identifiersOf(identifier, metadata)))
  writeAuthors(out, metadata, claims)
  out.ascii(',"source":').text(JSON.stringify(publicSource(record.event.by, sourceName)))
  out.ascii(',"links":')
  writeWorkLinks(out, base, identifier, version)
  if (notices.length > 0) out.ascii(',"notices":').text(JSON.stringify(notices))
  out.ascii(',"metadata":').bytes(spelled).ascii(',"receipt":')
  receipts.append(out, record.leafIndex, content.fixity_status)
  return { body: out.ascii('}').take(), requested, requestedAt, requestedEnd }
}

function contentOf({ content }: VersionRecord, metadata: ShownMetadata) {
  const { content_hash, fixity_status, checked } = content
  const { reason, message } = contentReason(content)
  const { media_type = null, bytes = null } = checked?.stable ?? {}
  return {
    url: contentUrl(metadata, content),
    hash: content_hash,
    hash_source: hashSource(content),
    media_type,
    size: bytes,
    fixity_status,
    reason,
    message,
    checked_at: checked?.checked_at ?? null,
  }
}

function writeAuthors(
  out: ByteWriter,
  metadata: ShownMetadata,
  claims: PublicView['claims'],
): void {
  if (claims.length > 0 || metadata.author_details !== undefined) {
    out.ascii(',').text(JSON.stringify(authorsOf(metadata, claims)).slice(1, -1))
    return
  }
  let before = ',"authors":[{"name":'
  for (const name of splitAuthors(metadata.authors)) {
    out.ascii(before).text(JSON.stringify(name)).ascii(',"claims":[]}')
    before = ',{"name":'
  }
  out.ascii(']')
}

/**
 * A resolution that may be asked for again, until its work changes, or one of the `people` who have
 * claims on it, or a checkpoint is witnessed while its receipt is not.
 */
export type CachedReply = Pick<Rendered, 'etag' | 'status' | 'organization' | 'contentType'> &
  Resolution & { readonly people: readonly string[]; readonly isWitnessed: boolean }

/** A reply that is kept, spelled as it was asked for last. */
type KeptReply = { reply: CachedReply; rendered?: Rendered }

// Slots of the memory of what was asked for lately; a slot holds one ARK's hash.
const recentSlots = 65_536

/**
 * The bytes of the replies that are asked for again and again, `bytesMax` of them at most. A reply
 * is kept from its second request on: of a million works that are asked for evenly none is worth
 * its place, and keeping them would cost more than making them.
 */
export class ReplyCache {
  readonly #replies: LRUCache<string, KeptReply>
  /** The ARKs of the replies that depend on a person, by ppid. */
  readonly #claimed = new Map<string, Set<string>>()
  /** The ARKs of the replies whose receipts no witnessed checkpoint covers. */
  readonly #unwitnessed = new Set<string>()
  readonly #recent = new Int32Array(recentSlots)

  constructor(bytesMax: number) {
    this.#replies = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: sizeOf,
      dispose: ({ reply }, ark) => this.#unlink(ark, reply.people),
    })
  }

  /**
   * The reply kept for an ARK, `naan/name`, in full; `requested` is the ARK as the client spelled
   * it. As long as it is kept and spelled alike, it is the same object each time.
   */
  inFull(ark: string, requested: string): Rendered | undefined {
    const kept = this.#replies.get(ark)
    if (kept === undefined) return undefined
    if (kept.reply.requested !== requested) {
      kept.reply = respelled(kept.reply, requested)
      kept.rendered = renderedReply(kept.reply)
    }
    return (kept.rendered ??= renderedReply(kept.reply))
  }

  /** Keeps the reply if its ARK was asked for before, as far as is remembered. */
  offer(ark: string, reply: CachedReply): void {
    // Never 0, which marks an empty slot.
    const hash = textHash(ark) | 1
    const slot = hash & (recentSlots - 1)
    // Two ARKs of one hash make a reply kept a request early, which harms nobody.
    if (this.#recent[slot] !== hash) this.#recent[slot] = hash
    else this.#keep(ark, { ...reply, body: ownMemory(reply.body) })
  }

  #keep(ark: string, reply: CachedReply): void {
    this.#replies.set(ark, { reply })
    // One that is larger than all the room was not kept.
    if (!this.#replies.has(ark)) return
    if (!reply.isWitnessed) this.#unwitnessed.add(ark)
    for (const ppid of reply.people) {
      const arks = this.#claimed.get(ppid) ?? new Set()
      this.#claimed.set(ppid, arks.add(ark))
    }
  }

  #unlink(ark: string, people: readonly string[]): void {
    this.#unwitnessed.delete(ark)
    for (const ppid of people) {
      const arks = this.#claimed.get(ppid)
      arks?.delete(ark)
      if (arks?.size === 0) this.#claimed.delete(ppid)
    }
  }

  /**
   * Drops the replies that a commit has made old. A call and not a message: it must come before
   * the answers to the commit, and no full mailbox may lose it.
   */
  published({ arks, ppids }: CommitNotice): void {
    for (const ark of arks) this.#replies.delete(ark)
    for (const ppid of ppids) {
      for (const ark of this.#claimed.get(ppid) ?? []) this.#replies.delete(ark)
    }
  }

  /** Drops the replies whose receipts a witnessed checkpoint may cover from now on. */
  witnessed(): void {
    for (const ark of this.#unwitnessed) this.#replies.delete(ark)
  }
}

/** The same resolution for another spelling of its ARK. */
function respelled(reply: CachedReply, requested: string): CachedReply {
  const { body: known, requestedAt, requestedEnd } = reply
  const spelled = Buffer.from(JSON.stringify(requested))
  const parts = [known.subarray(0, requestedAt), spelled, known.subarray(requestedEnd)]
  const body = ownMemory(Buffer.concat(parts))
  return { ...reply, body, requested, requestedEnd: requestedAt + spelled.length }
}

/** A resolution in full. */
function renderedReply(reply: CachedReply): Rendered {
  const { body, etag, status, contentType } = reply
  const known = contentType === undefined ? {} : { contentType }
  return { type: 'found', body, etag, status, ...ownerOf(reply), ...known }
}

/** The organization that owns the work of a reply, where one does. */
function ownerOf({
  organization,
}: Pick<CachedReply, 'organization'>): Pick<Rendered, 'organization'> {
  return organization === undefined ? {} : { organization }
}

// What the memory of a reply's dependence on a person takes, about.
const bytesPerPerson = 128

function sizeOf({ reply: { body, people } }: KeptReply): number {
  return body.length + people.length * bytesPerPerson
}

/** What resolutions are read from; `tombstone` shows a version of a work that has ended. */
type ResolutionOptions = {
  readonly read: ReadRow
  readonly seal: PersonSeal
  readonly log: LogReader
  readonly receipts: ReceiptWriter
  readonly replies: ReplyCache
  /** The public address of the service, the base of all links. */
  readonly base: string
  readonly tombstone: (stored: StoredWork, record: VersionRecord) => Rendered
}

/** What is asked for, and whether a long work may be read now. */
type Resolving = {
  readonly ark: string
  readonly requested: string
  readonly version: number | undefined
  readonly isItsTurn: boolean
}

/**
 * The rows are those of a commit that is in the store and not published yet. That it is published
 * is the next thing that happens, unless the writer has failed.
 */
export type Unpublished = { readonly type: 'unpublished' }

/** A long work was found, whose turn to be read has not come. */
export type Long = { readonly type: 'long' }

export const notFound: NotFound = { type: 'not_found' }
export const unpublished: Unpublished = { type: 'unpublished' }
const long: Long = { type: 'long' }

/** Whether a version may be shown with its proof: nothing is proven beyond the published head. */
export function isPublished({ leafIndex }: VersionRecord, log: LogReader): boolean {
  return leafIndex < log.head().treeSize
}

/** A version of a work that stands, and was just read. */
type Read = { readonly type: 'read'; readonly reply: CachedReply }

/**
 * Reads what ARKs stand for, which is asked for more than all else. Keeps what is asked for again
 * and again.
 */
export class ResolutionQueries {
  readonly #options: ResolutionOptions
  readonly #out = new ByteWriter()

  constructor(options: ResolutionOptions) {
    this.#options = options
  }

  /** `GET /v1/resolve/{ark}[/vN]`. Errors: LogError `store_corrupt`. */
  find(asked: Resolving): Rendered | NotFound | Unpublished | Long {
    const kept = asked.version === undefined ? this.#kept(asked) : undefined
    if (kept !== undefined) return kept
    const found = this.#read(asked)
    if (found.type !== 'read') return found
    return renderedReply(found.reply)
  }

  /** The same of the newest version, where it is one that stands and is short. Errors as above. */
  findAtOnce(ark: string, requested: string): ResolutionAtOnce | undefined {
    const asked = { ark, requested, version: undefined, isItsTurn: false }
    const kept = this.#kept(asked)
    if (kept !== undefined) return kept
    const found = this.#read(asked)
    if (found.type !== 'read') return undefined
    const { reply } = found
    return { body: reply.body, etag: reply.etag, ...ownerOf(reply) }
  }

  #kept({ ark, requested }: Resolving): Rendered | undefined {
    return this.#options.replies.inFull(ark, requested)
  }

  #read(asked: Resolving): Read | Rendered | NotFound | Unpublished | Long {
    const { ark, requested, version, isItsTurn } = asked
    const { read, log, tombstone, replies } = this.#options
    const stored = readWork(ark, read)
    const record = stored && readVersion(stored, version ?? stored.state.version, read)
    if (stored === undefined || record === undefined) return notFound
    if (record.eventRow.length >= longBytesMin && !isItsTurn) return long
    if (stored.state.status === 'withdrawn') return tombstone(stored, record)
    if (!isPublished(record, log)) return unpublished
    const reply = this.#reply(stored, record, requested)
    if (version === undefined) replies.offer(ark, reply)
    return { type: 'read', reply }
  }

  // The receipt is proven against the newest checkpoint, until one is witnessed that covers it, so
  // the same state has several spellings: the entity tag is a weak one.
  #reply(stored: StoredWork, record: VersionRecord, requested: string): CachedReply {
    const { state } = stored
    const { read, seal, log, receipts, base } = this.#options
    const reader = { read, seal }
    const { claims, people } = readPublicClaims(record.ark, reader)
    const { type, id } = record.event.by
    const isPerson = type === 'person'
    const sourceName = isPerson ? publicName(id, reader) : undefined
    const etag = `W/${tagWithPeople(entityTag(state), claims, sourceName)}`
    const notices = noticesOf(stored, record, read)
    const view = { base, claims, sourceName, notices, receipts, requested }
    const resolution = renderResolve(this.#out, record, view)
    const contentType = record.content.checked?.stable?.media_type
    const about = {
      etag,
      status: state.status,
      ...ownedBy(state),
      ...(typeof contentType === 'string' && { contentType }),
    }
    const isWitnessed = log.provingHead(record.leafIndex).number !== undefined
    return { ...about, ...resolution, people: isPerson ? [...people, id] : people, isWitnessed }
  }
}
