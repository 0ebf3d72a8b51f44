import { decodeEvent, eventMetadata } from '#actors/event_row.ts'
import type { JournalEvent } from '#actors/journal.ts'
import { eventNames, versionOf } from '#actors/provenance.ts'
import { type ReceiptKeyRotated, receiptKeyStream } from '#actors/receipt_key_events.ts'
import { jsonOf, publicSource, spliceMembers } from '#actors/representation.ts'
import { readEventRow, readWork } from '#actors/work_record.ts'
import { streamArk, type WorkEvent } from '#actors/work_events.ts'
import type { Store } from '#log/store.ts'

/** A page of the feed: `after` is the last `seq` seen (0 from the start), `waitMs` a long poll. */
export type ChangeQuery = {
  readonly after: number
  readonly limit: number
  readonly waitMs: number
}

/**
 * The journal in its order, as harvesters and followers read it. `seq` is the journal's position
 * plus one, so that `after=0` starts at the beginning. Owns the list of those who wait for news.
 */
export class ChangeFeed {
  readonly #store: Store
  #events: number
  #waiting = new Set<() => void>()

  /** `events` is how many events the journal holds now. */
  constructor(store: Store, events: number) {
    this.#store = store
    this.#events = events
  }

  /** Tells the feed how many events are committed. */
  published(events: number): void {
    this.#events = events
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }

  /** The JSON `{changes, next}`: `next` is the `after` of the page that follows. */
  async read(query: ChangeQuery): Promise<Uint8Array> {
    if (query.after >= this.#events && query.waitMs > 0) await this.#news(query.waitMs)
    const end = Math.min(this.#events, query.after + query.limit)
    const changes: Uint8Array[] = []
    for (let position = query.after; position < end; position += 1) {
      changes.push(changes.length === 0 ? openList : comma, this.#describe(position))
    }
    const next = Math.max(query.after, end)
    if (changes.length === 0) changes.push(openList)
    return Buffer.concat([...changes, Buffer.from(`],"next":${next}}`)])
  }

  #news(waitMs: number): Promise<void> {
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

  #describe(position: number): Uint8Array {
    const read = (key: string) => this.#store.get(key)
    const row = readEventRow(position, read)
    const event = decodeEvent(position, row)
    const about = { seq: position + 1, at: event.at, source: publicSource(event.by), sets: [] }
    if (event.stream === receiptKeyStream) {
      const { old_key_id, new_key_id } = (event as JournalEvent & ReceiptKeyRotated).data
      return jsonOf({ ...about, type: 'receipt_key.rotated', old_key_id, new_key_id })
    }
    if (!event.stream.startsWith('work/')) {
      return jsonOf({ ...about, type: 'organization.created', organization: event.data })
    }
    const work = event as JournalEvent & WorkEvent
    const ark = streamArk(event.stream)
    const stored = readWork(ark, read)
    const isGone = work.type === 'WorkWithdrawn'
    const head = jsonOf({
      ...about,
      type: eventNames[work.type],
      ark: stored?.state.identifier,
      version: versionOf(work) ?? stored?.state.version,
      status: isGone ? 'withdrawn' : 'registered',
      sets: work.by.type === 'organization' ? [work.by.id] : [],
    })
    if (isGone) return spliceMembers(head, Buffer.from('{"metadata":null}'))
    const metadata = [Buffer.from('{"metadata":'), eventMetadata(row), closeBrace]
    return spliceMembers(head, Buffer.concat(metadata))
  }
}

const openList = Buffer.from('{"changes":[')
const comma = Buffer.from(',')
const closeBrace = Buffer.from('}')
