import type { CommitNotice } from '#actors/catalogue/commit_notice.ts'
import { type Occurrence, readOccurrence } from '#actors/catalogue/occurrence.ts'
import { RecentRecords } from '#actors/catalogue/recent_records.ts'
import {
  type RecordName,
  standingState,
  type StandingWork,
  type Touch,
  touchOf,
} from '#actors/catalogue/touch.ts'
import {
  decodeEvent,
  decodeEventFacts,
  eventKey,
  present,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import { readPublicClaims } from '#actors/claims/record.ts'
import { metadataTextIn } from '#actors/works/events.ts'
import { readWork, type StoredWork } from '#actors/works/record.ts'
import { mintedKey } from '#actors/works/views.ts'
import { unlessDamaged } from '#log/store/damage.ts'
import { assert } from '#log/base/errors.ts'
import type { ReadStore } from '#log/base/store.ts'

/** The records that some events are about, each once; `next` is the position after the events. */
export type TouchedRecords = {
  readonly records: readonly RecordName[]
  /** Those of them that were erased by these events. */
  readonly erased: readonly RecordName[]
  readonly next: number
}

/** What is told of some events, in their order; `next` is the position after the events. */
export type OccurrencesRead = { readonly occurrences: readonly Occurrence[]; readonly next: number }

/** What the reading of one event takes beside others, in bytes that take as long. */
const occurrenceBytes = 2_048

/** Bytes of events after which no further one is read for a list of records. */
const touchedBytesEnough = 1_048_576

/**
 * The registry as those follow it who keep records by their present state, such as an index: which
 * records have changed, in the order of the journal. People are among them, so it is for followers
 * in this process only.
 */
export type RecordFeed = {
  /** Events in the journal. */
  readonly events: number
  /**
   * What the sound events from `position` on are about. `limit` events at most are read, and fewer
   * where they are long.
   */
  touched(position: number, limit: number): Promise<TouchedRecords>
  /** What is told of the sound events from `position` on, of which `limit` at most are read. */
  occurrences(position: number, limit: number): Promise<OccurrencesRead>
  /** Resolves when there is an event at `position`, or when the signal is set off. */
  news(position: number, signal: AbortSignal): Promise<void>
  /** Whether what the event at a position was about is told without a look into the store. */
  remembers(position: number): boolean
  /** A work as it stands; undefined for one that is withdrawn, or that there never was. */
  work(ark: string): StandingWork | undefined
  /** Position of the event of that time with which a person or an organization began. */
  began(record: RecordName, createdAt: string): number
}

/** Who waits for the event at a position. */
type Waiting = { readonly position: number; readonly wake: () => void }

/** The feed of a store; it is told of each commit. */
export class StoreRecordFeed implements RecordFeed {
  readonly #read: ReadRow
  readonly #seal: PersonSeal
  readonly #recent: RecentRecords
  #events: number
  #waiting: Waiting[] = []
  /** The rows of the events that `touched` has read last, by their keys. */
  #touchedRows = new Map<string, Uint8Array>()

  /** `events` is how many events the journal holds now. */
  constructor(store: Pick<ReadStore, 'get'>, seal: PersonSeal, events: number) {
    this.#read = readerOf(store)
    this.#seal = seal
    this.#events = events
    this.#recent = new RecentRecords(events)
  }

  get events(): number {
    return this.#events
  }

  /**
   * Tells the feed how many events there are now, and the newest, where they are at hand. Who waits
   * for them has much to do with each, and begins when those who asked for the commit have their
   * answers.
   */
  published({ events }: CommitNotice, newest: readonly JournalEvent[] = []): void {
    this.#events = events
    this.#recent.add(newest)
    const waiting = this.#waiting.filter(({ position }) => position < events)
    if (waiting.length === 0) return
    this.#waiting = this.#waiting.filter(({ position }) => position >= events)
    setImmediate(() => {
      for (const { wake } of waiting) wake()
    })
  }

  async touched(position: number, limit: number): Promise<TouchedRecords> {
    const end = Math.min(this.#events, position + limit)
    const records = new Map<string, RecordName>()
    const erased: RecordName[] = []
    const stride = new Stride()
    const rows = new Map<string, Uint8Array>()
    let next = position
    for (let bytes = 0; next < end && bytes < touchedBytesEnough; next += 1) {
      // What a damaged event was about nobody can tell: the others are followed nevertheless.
      const touch = this.#recent.at(next) ?? unlessDamaged(() => this.#touch(next, rows))
      if (touch === undefined) continue
      for (const record of touch.records) records.set(`${record.type}/${record.id}`, record)
      if (touch.isErasure) erased.push(...touch.records)
      bytes += touch.bytes
      await stride.step(touch.bytes)
    }
    this.#touchedRows = rows
    return { records: [...records.values()], erased, next }
  }

  async occurrences(position: number, limit: number): Promise<OccurrencesRead> {
    const end = Math.min(this.#events, position + limit)
    const occurrences: Occurrence[] = []
    const stride = new Stride()
    for (let next = position; next < end; next += 1) {
      // As above: nobody can tell whom a damaged event would have been told to.
      const occurrence = unlessDamaged(() => readOccurrence(next, this.#read))
      if (occurrence !== undefined) occurrences.push(occurrence)
      await stride.step(occurrenceBytes)
    }
    return { occurrences, next: Math.max(position, end) }
  }

  #touch(position: number, rows: Map<string, Uint8Array>): Touch {
    const row = readEventRow(position, this.#read)
    rows.set(eventKey(position), row)
    return touchOf(decodeEventFacts(position, row), row.length)
  }

  news(position: number, signal: AbortSignal): Promise<void> {
    if (position < this.#events || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve()
      }
      const waiting: Waiting = { position, wake }
      signal.addEventListener('abort', wake, { once: true })
      this.#waiting.push(waiting)
    })
  }

  remembers(position: number): boolean {
    return this.#recent.at(position) !== undefined
  }

  work(ark: string): StandingWork | undefined {
    const recent = this.#recent.work(ark)
    if (recent !== undefined) return recent
    const stored = readWork(ark, this.#readTouched)
    if (stored?.state.status !== 'registered') return undefined
    const shown = readPublicClaims(ark, { read: this.#read, seal: this.#seal })
    const claims = shown.claims.map(({ claim }) => claim)
    return { state: standingState(stored.state), ...this.#origin(ark, stored), claims }
  }

  // By a row of the work that says it was left alone, its registration is as it was when it was
  // touched: what erases the metadata of an event changes that row in the same commit.
  readonly #readTouched: ReadRow = (key) => this.#touchedRows.get(key) ?? this.#read(key)

  /** The metadata of a work that stands, and where it was registered. */
  #origin(
    ark: string,
    { state, registration }: StoredWork,
  ): Pick<StandingWork, 'metadata' | 'registered'> {
    const what = `of the work ${ark}, which stands,`
    if (registration !== undefined) {
      const metadata = present(metadataTextIn(registration.eventRow), `the metadata ${what}`)
      return { metadata, registered: registration.event.position }
    }
    const row = readEventRow(state.position, this.#read)
    const metadata = present(metadataTextIn(row), `the metadata ${what}`)
    const minted = present(this.#read(mintedKey(ark)), `the row of the minting ${what}`)
    return { metadata, registered: Number(Buffer.from(minted).toString('utf8')) }
  }

  // The times of a journal never go back, so the event is found by halves.
  began({ type, id }: RecordName, createdAt: string): number {
    const stream = `${type}/${id}`
    let low = 0
    let high = this.#events - 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#event(middle).at < createdAt) low = middle + 1
      else high = middle
    }
    while (low < this.#events && this.#event(low).stream !== stream) low += 1
    assert(low < this.#events, 'a record begins with an event')
    return low
  }

  #event(position: number): JournalEvent {
    return decodeEvent(position, readEventRow(position, this.#read))
  }
}
