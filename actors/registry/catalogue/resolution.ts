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
  spellWorkLinks,
  tagWithPeople,
} from '#actors/registry/catalogue/representation.ts'
import { publicName, readPublicClaims } from '#actors/people/claims/record.ts'
import { EventText, type ReadRow } from '#actors/journal/rows.ts'
import { textHash } from '#actors/kernel/shards.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { ReceiptWriter } from '#actors/works/receipts/statement.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { bytesOf, type ByteText, encodeText, ownMemory } from '#actors/values/serialization.ts'
import { contentUrl } from '#actors/works/content.ts'
import { metadataIn } from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { readVersion, readWork, type StoredWork, type VersionRecord } from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** A resolution but for the spelling of the ARK that the client asked for, which stands between. */
type ResolveParts = {
  readonly before: ByteText
  readonly after: ByteText
}

/** The metadata of which a resolution is made: as they are spelled, and what is read of them. */
type Shown = { readonly spelled: ByteText; readonly metadata: ShownMetadata }

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

/**
 * `GET /v1/resolve/{ark}` but for the member `requested`, which differs by request. `receipt` is
 * the version's receipt as JSON. The members are written one by one, for this is read more than all
 * else; a property of the tests holds the bytes to `JSON.stringify`.
 */
export function renderResolve(
  record: VersionRecord,
  receipt: ByteText,
  { base, claims, sourceName, notices = [] }: PublicView,
): ResolveParts {
  const { spelled, metadata } = readShown(record)
  const { state, version } = record
  const { identifier } = state
  // What may not be ASCII is encoded alone: to look through a joined text is to copy it first.
  const times =
    `,"status":"${state.status}","version":${version},"latest_version":${state.version}` +
    `,"is_latest":${version === state.version},"created_at":"${state.created_at}"` +
    `,"updated_at":"${state.updated_at}","registered_at":"${record.event.at}"`
  const about =
    `,"content":${spellContent(record, metadata)}` +
    `,"identifiers":${spell(identifiersOf(identifier, metadata))}` +
    `,${spellAuthors(metadata, claims)}` +
    `,"source":${spell(publicSource(record.event.by, sourceName))}` +
    `,"links":${spellWorkLinks(base, identifier, version)}` +
    (notices.length === 0 ? '' : `,"notices":${spell(notices)}`)
  const after = `${times}${about},"metadata":${spelled},"receipt":${receipt}}` as ByteText
  return { before: `{"ark":"${identifier}","requested":` as ByteText, after }
}

/** A resolution in full; `requested` is the ARK as the client spelled it. */
export function joinResolve({ before, after }: ResolveParts, requested: string): ByteText {
  return `${spellBefore(before, requested)}${after}` as ByteText
}

/** What of a resolution comes before what is the same for all spellings of its ARK. */
function spellBefore(before: ByteText, requested: string): ByteText {
  return `${before}${encodeText(JSON.stringify(requested))}` as ByteText
}

function spellContent({ content }: VersionRecord, metadata: ShownMetadata): ByteText {
  const { content_hash, fixity_status, checked } = content
  const { reason, message } = contentReason(content)
  const { media_type = null, bytes = null } = checked?.stable ?? {}
  const text =
    `{"url":${spell(contentUrl(metadata, content))},"hash":${spell(content_hash)}` +
    `,"hash_source":${spell(hashSource(content))}` +
    `,"media_type":${spell(media_type)},"size":${bytes}` +
    `,"fixity_status":"${fixity_status}","reason":${spell(reason)}` +
    `,"message":${spell(message)},"checked_at":${spell(checked?.checked_at ?? null)}}`
  return text as ByteText
}

// Most of what is known of a content is that nothing is.
function spell(value: string | object | null): ByteText {
  return value === null ? ('null' as ByteText) : encodeText(JSON.stringify(value))
}

function spellAuthors(metadata: ShownMetadata, claims: PublicView['claims']): ByteText {
  if (claims.length > 0 || metadata.author_details !== undefined) {
    return spell(authorsOf(metadata, claims)).slice(1, -1) as ByteText
  }
  let authors = ''
  for (const name of splitAuthors(metadata.authors)) {
    authors += `${authors === '' ? '' : ','}{"name":${spell(name)},"claims":[]}`
  }
  return `"authors":[${authors}]` as ByteText
}

/**
 * A resolution that may be asked for again, until its work changes, or one of the `people` who have
 * claims on it, or a checkpoint is witnessed while its receipt is not.
 */
export type CachedReply = Pick<Rendered, 'etag' | 'status' | 'organization' | 'contentType'> &
  ResolveParts & { readonly people: readonly string[]; readonly isWitnessed: boolean }

/** A reply that is kept; what follows the spelling of its ARK lies in the one asked for last. */
type KeptReply = Omit<CachedReply, 'after'> & {
  after: Uint8Array
  full?: { readonly requested: string; readonly rendered: Rendered }
}

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
      dispose: ({ people }, ark) => this.#unlink(ark, people),
    })
  }

  /**
   * The reply kept for an ARK, `naan/name`, in full; `requested` is the ARK as the client spelled
   * it. As long as it is kept and spelled alike, it is the same object each time.
   */
  inFull(ark: string, requested: string): Rendered | undefined {
    const kept = this.#replies.get(ark)
    return kept && (kept.full?.requested === requested ? kept.full.rendered : join(kept, requested))
  }

  /** Keeps the reply if its ARK was asked for before, as far as is remembered. */
  offer(ark: string, reply: CachedReply): void {
    // Never 0, which marks an empty slot.
    const hash = textHash(ark) | 1
    const slot = hash & (recentSlots - 1)
    // Two ARKs of one hash make a reply kept a request early, which harms nobody.
    if (this.#recent[slot] !== hash) this.#recent[slot] = hash
    else this.#keep(ark, { ...reply, after: ownMemory(bytesOf(reply.after)) })
  }

  #keep(ark: string, reply: KeptReply): void {
    this.#replies.set(ark, reply)
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

function join(kept: KeptReply, requested: string): Rendered {
  const { before, after } = kept
  const body = ownMemory(Buffer.concat([bytesOf(spellBefore(before, requested)), after]))
  kept.after = body.subarray(body.length - after.length)
  const rendered = renderedReply(kept, body)
  kept.full = { requested, rendered }
  return rendered
}

/** A resolution in full. */
function renderedReply(reply: Omit<CachedReply, 'after'>, body: Uint8Array): Rendered {
  const { etag, status, contentType } = reply
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

function sizeOf({ before, after, people }: KeptReply): number {
  return before.length + after.length + people.length * bytesPerPerson
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

  constructor(options: ResolutionOptions) {
    this.#options = options
  }

  /** `GET /v1/resolve/{ark}[/vN]`. Errors: LogError `store_corrupt`. */
  find(asked: Resolving): Rendered | NotFound | Unpublished | Long {
    const kept = asked.version === undefined ? this.#kept(asked) : undefined
    if (kept !== undefined) return kept
    const found = this.#read(asked)
    if (found.type !== 'read') return found
    return renderedReply(found.reply, bytesOf(joinResolve(found.reply, asked.requested)))
  }

  /** The same of the newest version, where it is one that stands and is short. Errors as above. */
  findAtOnce(ark: string, requested: string): ResolutionAtOnce | undefined {
    const asked = { ark, requested, version: undefined, isItsTurn: false }
    const kept = this.#kept(asked)
    if (kept !== undefined) return kept
    const found = this.#read(asked)
    if (found.type !== 'read') return undefined
    const { reply } = found
    return { body: joinResolve(reply, requested), etag: reply.etag, ...ownerOf(reply) }
  }

  #kept({ ark, requested }: Resolving): Rendered | undefined {
    return this.#options.replies.inFull(ark, requested)
  }

  #read(asked: Resolving): Read | Rendered | NotFound | Unpublished | Long {
    const { ark, version, isItsTurn } = asked
    const { read, log, tombstone, replies } = this.#options
    const stored = readWork(ark, read)
    const record = stored && readVersion(stored, version ?? stored.state.version, read)
    if (stored === undefined || record === undefined) return notFound
    if (record.eventRow.length >= longBytesMin && !isItsTurn) return long
    if (stored.state.status === 'withdrawn') return tombstone(stored, record)
    if (!isPublished(record, log)) return unpublished
    const reply = this.#reply(stored, record)
    if (version === undefined) replies.offer(ark, reply)
    return { type: 'read', reply }
  }

  // The receipt is proven against the newest checkpoint, until one is witnessed that covers it, so
  // the same state has several spellings: the entity tag is a weak one.
  #reply(stored: StoredWork, record: VersionRecord): CachedReply {
    const { state } = stored
    const { read, seal, log, receipts, base } = this.#options
    const reader = { read, seal }
    const receipt = receipts.text(record.leafIndex, record.content.fixity_status)
    const { claims, people } = readPublicClaims(record.ark, reader)
    const { type, id } = record.event.by
    const isPerson = type === 'person'
    const sourceName = isPerson ? publicName(id, reader) : undefined
    const etag = `W/${tagWithPeople(entityTag(state), claims, sourceName)}`
    const notices = noticesOf(stored, record, read)
    const view = { base, claims, sourceName, notices }
    const { before, after } = renderResolve(record, receipt, view)
    const contentType = record.content.checked?.stable?.media_type
    const about = {
      etag,
      status: state.status,
      ...ownedBy(state),
      ...(typeof contentType === 'string' && { contentType }),
    }
    const isWitnessed = log.provingHead(record.leafIndex).number !== undefined
    return { ...about, people: isPerson ? [...people, id] : people, before, after, isWitnessed }
  }
}
