import { isClaimEvent, streamPpid } from '#actors/people/events.ts'
import type { CommitNotice } from '#actors/catalogue/commit_notice.ts'
import type { PublicClaim } from '#actors/claims/placement.ts'
import {
  decodeEvent,
  decodeEventFacts,
  present,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import { readPublicClaims } from '#actors/claims/record.ts'
import {
  isPublicEvent,
  metadataAt,
  streamArk,
  type WorkEvent,
  type WorkState,
  workStream,
} from '#actors/works/events.ts'
import { readWork } from '#actors/works/record.ts'
import { mintedKey } from '#actors/works/views.ts'
import { unlessDamaged } from '#log/damage.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** A record of the registry. `id` is an ARK, `naan/name`, a ppid or a slug. */
export type RecordName = {
  readonly type: 'work' | 'person' | 'organization'
  readonly id: string
}

/** The records that some events are about, each once; `next` is the position after the events. */
export type TouchedRecords = {
  readonly records: readonly RecordName[]
  /** Those of them that were erased by these events. */
  readonly erased: readonly RecordName[]
  readonly next: number
}

/** Bytes of events after which no further one is read for a list of records. */
const touchedBytesEnough = 1_048_576

/** A work that stands, as everybody may see it. */
export type StandingWork = {
  readonly state: WorkState
  readonly metadata: Metadata
  /** Those that are verified, of people who show theirs. */
  readonly claims: readonly PublicClaim[]
  /** Position of its registration in the journal. */
  readonly registered: number
}

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
  /** Resolves when there is an event at `position`, or when the signal is set off. */
  news(position: number, signal: AbortSignal): Promise<void>
  /** A work as it stands; undefined for one that is withdrawn, or that there never was. */
  work(ark: string): StandingWork | undefined
  /** Position of the event of that time with which a person or an organization began. */
  began(record: RecordName, createdAt: string): number
}

/** The feed of a store; it is told of each commit. */
export class StoreRecordFeed implements RecordFeed {
  readonly #read: ReadRow
  readonly #seal: PersonSeal
  #events: number
  #waiting = new Set<() => void>()

  /** `events` is how many events the journal holds now. */
  constructor(store: Pick<Store, 'get'>, seal: PersonSeal, events: number) {
    this.#read = readerOf(store)
    this.#seal = seal
    this.#events = events
  }

  get events(): number {
    return this.#events
  }

  /**
   * Tells the feed how many events there are now. Who waits for them has much to do with each, and
   * begins when those who asked for the commit have their answers.
   */
  published({ events }: CommitNotice): void {
    this.#events = events
    const waiting = this.#waiting
    this.#waiting = new Set()
    setImmediate(() => {
      for (const wake of waiting) wake()
    })
  }

  async touched(position: number, limit: number): Promise<TouchedRecords> {
    const end = Math.min(this.#events, position + limit)
    const records = new Map<string, RecordName>()
    const erased: RecordName[] = []
    const stride = new Stride()
    let next = position
    for (let bytes = 0; next < end && bytes < touchedBytesEnough; next += 1) {
      // What a damaged event was about nobody can tell: the others are followed nevertheless.
      const row = unlessDamaged(() => readEventRow(next, this.#read))
      if (row === undefined) continue
      const event = decodeEventFacts(next, row)
      for (const record of recordsOf(event)) {
        records.set(`${record.type}/${record.id}`, record)
        if (event.type === 'WorkErased' || event.type === 'PersonErased') erased.push(record)
      }
      bytes += row.length
      await stride.step(row.length)
    }
    return { records: [...records.values()], erased, next }
  }

  news(position: number, signal: AbortSignal): Promise<void> {
    if (position < this.#events || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      signal.addEventListener('abort', wake, { once: true })
      this.#waiting.add(wake)
    })
  }

  work(ark: string): StandingWork | undefined {
    const state = readWork(ark, this.#read)?.state
    if (state?.status !== 'registered') return undefined
    const what = `of the work ${ark}, which stands,`
    const metadata = present(metadataAt(state.position, this.#read), `the metadata ${what}`)
    const minted = present(this.#read(mintedKey(ark)), `the row of the minting ${what}`)
    const shown = readPublicClaims(ark, { read: this.#read, seal: this.#seal })
    const claims = shown.claims.map(({ claim }) => claim)
    return { state, metadata, claims, registered: Number(Buffer.from(minted).toString('utf8')) }
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

/** The records whose present state an event may have changed, as far as followers see it. */
function recordsOf(event: JournalEvent): readonly RecordName[] {
  const { stream } = event
  const ppid = streamPpid(stream)
  if (ppid !== undefined) {
    const person = { type: 'person', id: ppid } as const
    return isClaimEvent(event) ? [person, { type: 'work', id: event.data.ark }] : [person]
  }
  if (stream.startsWith(workStream(''))) {
    const shown = isPublicEvent(event as JournalEvent & WorkEvent)
    return shown ? [{ type: 'work', id: streamArk(stream) }] : []
  }
  const [type, id] = stream.split('/', 2)
  return type === 'organization' && id !== undefined ? [{ type, id }] : []
}
