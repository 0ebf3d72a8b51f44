import {
  longBytesMin,
  type NotFound,
  type Rendered,
  type ResolutionAtOnce,
} from '#actors/catalogue/port.ts'
import {
  type CachedReply,
  ownerOf,
  renderedReply,
  type ReplyCache,
} from '#actors/catalogue/reply_cache.ts'
import { ownedBy, tagWithPeople } from '#actors/catalogue/representation.ts'
import { joinResolve, renderResolve } from '#actors/catalogue/resolution.ts'
import { publicName, readPublicClaims } from '#actors/claims/record.ts'
import type { ReadRow } from '#actors/journal/rows.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { ReceiptWriter } from '#actors/receipts/receipt.ts'
import { bytesOf } from '#actors/values/byte_text.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { readVersion, readWork, type StoredWork, type VersionRecord } from '#actors/works/record.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** What resolutions are read from; `tombstone` shows a version of a work that has ended. */
export type ResolutionOptions = {
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
export type Resolving = {
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
  #reply({ state }: StoredWork, record: VersionRecord): CachedReply {
    const { read, seal, log, receipts, base } = this.#options
    const reader = { read, seal }
    const receipt = receipts.text(record.leafIndex, record.content.fixity_status)
    const { claims, people } = readPublicClaims(record.ark, reader)
    const { type, id } = record.event.by
    const isPerson = type === 'person'
    const sourceName = isPerson ? publicName(id, reader) : undefined
    const etag = `W/${tagWithPeople(entityTag(state), claims, sourceName)}`
    const { before, after } = renderResolve(record, receipt, { base, claims, sourceName })
    const about = { etag, status: state.status, ...ownedBy(state) }
    const isWitnessed = log.provingHead(record.leafIndex).number !== undefined
    return { ...about, people: isPerson ? [...people, id] : people, before, after, isWitnessed }
  }
}
