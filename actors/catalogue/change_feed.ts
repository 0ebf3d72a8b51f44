import {
  decodeEventFacts,
  eventMetadata,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { type CommitNotice, isNews } from '#actors/catalogue/record_feed.ts'
import { eventNames, ownMembers, versionOf } from '#actors/catalogue/provenance.ts'
import type { OrganizationUpdated } from '#actors/organizations/events.ts'
import { type ReceiptKeyRotated, receiptKeyStream } from '#actors/receipts/keys.ts'
import type { ChangePage } from '#actors/catalogue/port.ts'
import { jsonOf, publicSource, spliceMembers } from '#actors/catalogue/representation.ts'
import {
  readNamedWork,
  readVersion,
  type StoredWork,
  type VersionRecord,
} from '#actors/works/record.ts'
import { Stride } from '#actors/kernel/stride.ts'
import {
  endsWork,
  type PublicEvent,
  streamArk,
  type WorkEvent,
  type WorkRegistered,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { unlessDamaged } from '#log/store/damage.ts'
import type { Page } from '#actors/values/page.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore } from '#log/base/store.ts'

/**
 * The journal in its order, as harvesters and followers read it, or back from its end. `seq` is the
 * journal's position plus one, so that the cursor 0 is the beginning. Owns the list of those who
 * wait for news.
 */
export class ChangeFeed {
  readonly #store: ReadStore
  #events: number
  #waiting = new Set<() => void>()

  /** `events` is how many events the journal holds now. */
  constructor(store: ReadStore, events: number) {
    this.#store = store
    this.#events = events
  }

  /** Tells the feed of a commit. */
  published({ events, isNews: hasNews }: CommitNotice): void {
    this.#events = events
    if (!hasNews) return
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }

  /** A page of it. An `end` below the cursor tells that the journal was set back. */
  async read({ cursor, limit, order = 'oldest' }: Page<number>): Promise<ChangePage> {
    const isForward = order === 'oldest'
    const [begin, farthest] = isForward ? [0, this.#events] : [this.#events + 1, 1]
    const changes: Uint8Array[] = []
    const stride = new Stride()
    let bytes = 0
    const [least, greatest] = isForward ? [begin, farthest] : [farthest, begin]
    let next = Math.max(least, Math.min(cursor ?? begin, greatest))
    const readMax = Math.min(Math.abs(farthest - next), limit + silentEventsMax)
    for (let read = 0; read < readMax; read += 1) {
      if (changes.length === limit || bytes >= pageBytesEnough) break
      next += isForward ? 1 : -1
      const change = this.#describeSound(next - 1)
      if (change !== undefined) changes.push(change)
      const length = change?.length ?? 0
      bytes += length
      await stride.step(length)
    }
    const end = this.#events
    const list = changes.flatMap((change, index) => (index === 0 ? [change] : [comma, change]))
    const body = Buffer.concat([openList, ...list, Buffer.from(`],"next":${next},"end":${end}}`)])
    return { body, next, end, isLast: next === (isForward ? end : farthest) }
  }

  /** Resolves when there is a change after a `seq`, or when so much time has passed. */
  news(after: number, waitMs: number): Promise<void> {
    if (after !== this.#events || waitMs === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, waitMs).unref()
      this.#waiting.add(wake)
    })
  }

  // What is damaged is passed over: who follows the feed comes to all that is after it.
  #describeSound(position: number): Uint8Array | undefined {
    return unlessDamaged(() => this.#describe(position))
  }

  #describe(position: number): Uint8Array | undefined {
    const read = readerOf(this.#store)
    const row = readEventRow(position, read)
    const event = decodeEventFacts(position, row)
    if (!isNews(event)) return undefined
    const about = { seq: position + 1, at: event.at, source: publicSource(event.by), sets: [] }
    if (event.stream === receiptKeyStream) {
      const { old_key_id, new_key_id } = (event as JournalEvent & ReceiptKeyRotated).data
      return jsonOf({ ...about, type: 'receipt_key.rotated', old_key_id, new_key_id })
    }
    if (event.type === 'OrganizationCreated') {
      return jsonOf({ ...about, type: 'organization.created', organization: event.data })
    }
    if (event.type === 'OrganizationUpdated') {
      const { changed_fields, profile } = (event as JournalEvent & OrganizationUpdated).data
      const type = 'organization.updated'
      return jsonOf({ ...about, type, changed_fields, organization: profile })
    }
    return this.#describeWork(event as JournalEvent & PublicEvent, row, about)
  }

  #describeWork(
    work: JournalEvent & PublicEvent,
    row: Uint8Array,
    about: Record<string, unknown>,
  ): Uint8Array {
    const read = readerOf(this.#store)
    const ark = streamArk(work.stream)
    const stored = readNamedWork(ark, read)
    const version = versionOf(work) ?? stored.state.version
    const isGone = endsWork(work)
    const made = isMaking(work) ? makingOf(work, row) : readMaking(stored, version, read)
    const head = jsonOf({
      ...about,
      type: eventNames[work.type],
      ark: stored.state.identifier,
      version,
      status: isGone ? 'withdrawn' : 'registered',
      ...ownMembers(work),
      sets: stored.state.owner.type === 'organization' ? [stored.state.owner.id] : [],
      created_at: stored.state.created_at,
      ...made.hashes,
    })
    if (isGone) return spliceMembers(head, Buffer.from('{"metadata":null}'))
    const metadata = [Buffer.from('{"metadata":'), eventMetadata(made.row), closeBrace]
    return spliceMembers(head, Buffer.concat(metadata))
  }
}

/** The event that made a version, as stored, and what the receipt of the version says. */
type Making = {
  readonly row: Uint8Array
  readonly hashes: {
    readonly receipt_id: string
    readonly metadata_hash: string
    readonly content_hash: string | null
    /** Of the content, as far as it was fetched. */
    readonly content_type?: string | null
    readonly content_size?: number
  }
}

type MakingEvent = JournalEvent & (WorkRegistered | WorkVersioned)

function isMaking(event: JournalEvent & WorkEvent): event is MakingEvent {
  return event.type === 'WorkRegistered' || event.type === 'WorkVersioned'
}

function makingOf({ data }: MakingEvent | VersionRecord['event'], row: Uint8Array): Making {
  const { receipt_id, metadata_hash, content_hash } = data
  return { row, hashes: { receipt_id, metadata_hash, content_hash } }
}

// The content hash is that of now, and a reader comes to the change by which it came later on.
function readMaking(stored: StoredWork, version: number, read: ReadRow): Making {
  const record = readVersion(stored, version, read)
  assert(record !== undefined, 'an event is about a version that there is')
  const { row, hashes } = makingOf(record.event, record.eventRow)
  const { content_hash, checked } = record.content
  const { bytes = null, media_type = null } = checked?.stable ?? {}
  const fetched = bytes !== null && { content_type: media_type, content_size: bytes }
  return { row, hashes: { ...hashes, content_hash, ...fetched } }
}

/** Events that a page passes over at most without showing them. */
const silentEventsMax = 1_000

/** A page with so many bytes of changes is full: what publishers write can be long. */
const pageBytesEnough = 1_048_576

const openList = Buffer.from('{"changes":[')
const comma = Buffer.from(',')
const closeBrace = Buffer.from('}')
