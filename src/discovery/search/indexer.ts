import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'

import type { RecordName, StandingWork, TouchedRecords } from '#actors/registry/catalogue/feeds.ts'
import { assert, unlessDamaged } from '#log/tlog/errors.ts'
import {
  documentArk,
  documentId,
  type IndexedEnvironment,
  kindOfRecord,
  readIndexed,
} from '#src/discovery/search/documents.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import {
  type IndexBatch,
  type IndexKind,
  type IndexTarget,
  type SearchDocument,
  type SearchEngine,
  SearchError,
  type SearchPlace,
} from '#src/discovery/search/search_engine.ts'

/** Events read for one batch, and records read in one turn of the thread that answers requests. */
const batchEvents = 500
const turnRecords = 20

/** How long the reader rests after these records while writes wait for their commit. */
const giveWayMs = 20

/** Works of a person on one page. */
const personWorks = 200

type BatchReaderOptions = {
  readonly engine: Pick<SearchEngine, 'search'>
  readonly environment: IndexedEnvironment
  /** Set off when nobody waits for a batch any more. */
  readonly closing: AbortSignal
  /** Makes what was written to the index seen by searches. */
  readonly commit: () => Promise<void>
}

type Draft = {
  readonly puts: Record<IndexKind, SearchDocument[]>
  readonly removes: Record<IndexKind, string[]>
}

/** Reads from the journal which records have changed, and how they stand, in batches. */
class BatchReader {
  readonly #options: BatchReaderOptions

  constructor(options: BatchReaderOptions) {
    this.#options = options
  }

  /** What the events from a position on have changed, `batchEvents` of them at most. */
  async read(position: number): Promise<IndexBatch> {
    const touched = await this.#options.environment.records.touched(position, batchEvents)
    if (!hasPeople(touched)) return this.#batch(touched)
    await this.#options.commit()
    return this.#batch({ ...touched, records: await this.#withTheirWorks(touched.records) })
  }

  /**
   * The same while the batch before is written; undefined if there are people in it: their works
   * are looked up in the index, which has to know of all before.
   */
  async readAhead(position: number): Promise<IndexBatch | undefined> {
    const touched = await this.#options.environment.records.touched(position, batchEvents)
    return hasPeople(touched) ? undefined : this.#batch(touched)
  }

  async #batch({ records, erased, next }: TouchedRecords): Promise<IndexBatch> {
    const puts: Draft['puts'] = { works: [], people: [], organizations: [] }
    const removes: Draft['removes'] = { works: [], people: [], organizations: [] }
    const works: StandingWork[] = []
    for (const [index, record] of records.entries()) {
      if (index % turnRecords === turnRecords - 1) await this.#giveWay(next - 1)
      const kind = kindOfRecord[record.type]
      // A damaged record stays in the index as it is, and holds up no other.
      const read = unlessDamaged(() => readIndexed(record, this.#options.environment))
      if (read?.type === 'work') works.push(read.work)
      if (read?.type === 'document') puts[kind].push(read.document)
      if (read?.type === 'hidden') removes[kind].push(documentId(record))
    }
    return { puts, works, removes, position: next, purges: erased.length > 0 }
  }

  // Reading takes the thread that plans the commits. It goes on while they are busy, but takes no
  // more than a tenth of it. Of what was committed just now there is next to nothing to read.
  async #giveWay(position: number): Promise<void> {
    const signal = this.#options.closing
    const { records } = this.#options.environment
    const isBusy = this.#options.environment.status().pooled > 0 && !records.remembers(position)
    if (!isBusy || signal.aborted) return turn()
    await sleep(giveWayMs, undefined, { signal, ref: false }).catch(() => {})
  }

  // What a person lets others see of their claims stands with the works, too.
  async #withTheirWorks(records: readonly RecordName[]): Promise<readonly RecordName[]> {
    const all = new Map(records.map((record) => [documentId(record), record]))
    for (const { type, id } of records) {
      if (type !== 'person') continue
      const claimed = unlessDamaged(() => [...this.#claimed(id)]) ?? []
      for (const ark of [...claimed, ...(await this.#foundBy(id))]) {
        all.set(documentId({ type: 'work', id: ark }), { type: 'work', id: ark })
      }
    }
    return [...all.values()]
  }

  *#claimed(ppid: string): Generator<string> {
    let after: string | undefined
    do {
      const page = this.#options.environment.claims.ofPerson(ppid, {
        limit: personWorks,
        ...(after !== undefined && { cursor: after }),
      })
      for (const { ark } of page.claims) yield ark
      after = page.next ?? undefined
    } while (after !== undefined)
  }

  /** The works that are found by a person now, who may have been erased since. */
  async #foundBy(ppid: string): Promise<string[]> {
    const arks: string[] = []
    let after: SearchPlace | undefined
    do {
      const page = await this.#options.engine.search('works', {
        clauses: [],
        filters: [{ type: 'any_of', field: 'ppid', values: [ppid] }],
        sort: newest,
        limit: personWorks,
        facets: [],
        ...(after && { after }),
      })
      arks.push(...page.ids.map(documentArk))
      after = page.next
    } while (after !== undefined)
    return arks
  }
}

function hasPeople({ records }: TouchedRecords): boolean {
  return records.some(({ type }) => type === 'person')
}

/** Events after which what was written is committed, however many more there are. */
const commitEventsMax = 10_000

/** After a commit of so many events the next one gathers for so much longer. */
const floodEvents = 500
const floodRests = 5

/** From one commit to the next at least, unless that one is full, or somebody waits for it. */
const commitWaitMsDefault = 1_000

/** How long the indexer waits after a failure: first, and at most. */
const retryMs = 500
const retryMaxMs = 30_000

type IndexerOptions = {
  readonly engine: SearchEngine
  readonly environment: IndexedEnvironment
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** Whether the disk has more free than the reserve of the registry, which is for its journal. */
  readonly hasRoom: () => boolean
  /** Told of the first of failures in a row. */
  readonly report: (error: unknown) => void
  /**
   * How long what is committed at once gathers after the commit before: each costs as much as many
   * records, of processor time and, above all, of what is written.
   */
  readonly commitWaitMs?: number
}

/** How far an index is; `rebuilding` while it is made anew. */
export type IndexerStatus = {
  readonly engine: SearchEngine['name']
  readonly position: number
  /** Events of the journal that the index does not know of yet, and for how long it has not. */
  readonly behind: number
  readonly behindMs: number
  readonly batches: number
  readonly failures: number
  /** What is wrong; absent while nothing is. */
  readonly problem?: string
  readonly rebuilding?: { readonly position: number; readonly events: number }
}

/**
 * Keeps an index like the registry: follows the journal from the position that stands in the index,
 * and puts the present state of each record that has changed. So it may do a batch again, and an
 * index that is lost is made anew from the beginning.
 */
export class Indexer {
  readonly #options: IndexerOptions
  readonly #reader: BatchReader
  readonly #closing = new AbortController()
  #following: Promise<void> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  /** What the index knows, and what was written to it that is not committed yet. */
  #position = 0
  #written = 0
  #isOpen = false
  #woken = new AbortController()
  #repairing: Promise<void> | undefined
  /** When the index last knew of all events, or when there were as many as it knows of now. */
  #aheadAtMs: number
  #mark: { readonly events: number; readonly atMs: number } | undefined
  #commitAtMs = Number.NEGATIVE_INFINITY
  #batches = 0
  #failures = 0
  #problem: string | undefined
  /** Who waits until the index knows of an event, by the position after it. */
  #waiting: { readonly position: number; readonly resolve: () => void }[] = []
  #rebuilding: { position: number; events: number } | undefined
  /** What is read while the batch before it is written. */
  #prefetched:
    | { readonly position: number; readonly batch: Promise<IndexBatch | undefined> }
    | undefined

  constructor(options: IndexerOptions) {
    this.#options = options
    this.#reader = new BatchReader({
      ...options,
      closing: this.#closing.signal,
      commit: () => this.#commit(),
    })
    this.#aheadAtMs = options.elapsedMs()
  }

  /** Begins to follow the journal. */
  start(): void {
    this.#following ??= this.#follow()
  }

  status(): IndexerStatus {
    const behind = Math.max(0, this.#options.environment.records.events - this.#position)
    return {
      engine: this.#options.engine.name,
      position: this.#position,
      behind,
      behindMs: behind === 0 ? 0 : this.#options.elapsedMs() - this.#aheadAtMs,
      batches: this.#batches,
      failures: this.#failures,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(this.#rebuilding !== undefined && { rebuilding: { ...this.#rebuilding } }),
    }
  }

  /** Resolves when the index knows of all events before a position of the journal. */
  knows(position: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ position, resolve })
    this.#reach(this.#position)
    if (this.#waiting.length > 0) this.#woken.abort()
    return promise
  }

  /**
   * Makes the index anew beside the one that is searched, and puts it in its place when it knows of
   * everything. Errors: SearchError.
   */
  async rebuild(): Promise<void> {
    assert(this.#rebuilding === undefined, 'an index is made anew once at a time')
    const { records } = this.#options.environment
    const progress = { position: 0, events: records.events }
    this.#rebuilding = progress
    try {
      await this.#options.engine.beginNext()
      // The last events are read while nothing else is written, so that none is missed.
      while (records.events - progress.position > batchEvents && !this.#closing.signal.aborted) {
        progress.position = await this.#inTurn(() => this.#rebuildStep(progress.position))
        progress.events = records.events
      }
      await this.#inTurn(() => this.#finish(progress))
    } finally {
      this.#rebuilding = undefined
    }
  }

  /** Makes an index anew that was found damaged; it is empty at first. Errors: SearchError. */
  repair(): Promise<void> {
    this.#repairing ??= this.#inTurn(async () => {
      await this.#options.engine.reset()
      this.#reach(0)
    }).finally(() => {
      this.#repairing = undefined
      this.#woken.abort()
    })
    return this.#repairing
  }

  /** Ends the following; a batch that is being written is brought to its end. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#following
    await this.#turn
    await this.#prefetched?.batch.catch(() => {})
  }

  async #rebuildStep(position: number): Promise<number> {
    const next = await this.#step(position, 'next')
    const isDue = Math.floor(next / commitEventsMax) > Math.floor(position / commitEventsMax)
    if (isDue) await this.#options.engine.commit('next')
    return next
  }

  async #finish(progress: { position: number }): Promise<void> {
    if (this.#closing.signal.aborted) throw new SearchError('search_unavailable', 'called off')
    while (progress.position < this.#options.environment.records.events) {
      progress.position = await this.#step(progress.position, 'next')
    }
    await this.#options.engine.commit('next')
    await this.#options.engine.swap()
    this.#reach(progress.position)
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing
    let waitMs = retryMs
    while (!signal.aborted) {
      try {
        if (!this.#isOpen) await this.#inTurn(() => this.#open())
        this.#woken = new AbortController()
        const stop = AbortSignal.any([signal, this.#woken.signal])
        if (this.#written === this.#position) {
          await this.#options.environment.records.news(this.#position, stop)
        }
        const isCommitDue = await this.#gather(stop)
        if (signal.aborted) return
        await this.#inTurn(() => this.#catchUp(isCommitDue))
        this.#problem = undefined
        waitMs = retryMs
      } catch (error) {
        await this.#fail(error, waitMs)
        waitMs = Math.min(2 * waitMs, retryMaxMs)
      }
    }
  }

  /**
   * Lets the next batch gather, unless the last commit was some time ago, or somebody waits. Gives
   * whether what is written then is committed; it is not where the batch was full before.
   */
  async #gather(stop: AbortSignal): Promise<boolean> {
    const waitMs = this.#commitAtMs - this.#options.elapsedMs()
    if (waitMs <= 0 || this.#waiting.length > 0) return true
    const end = AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(waitMs))])
    await this.#options.environment.records.news(this.#written + batchEvents - 1, end)
    return end.aborted
  }

  async #open(): Promise<void> {
    let position = await this.#options.engine.open()
    // An index that knows more than the journal is one of another past.
    if (position > this.#options.environment.records.events) {
      await this.#options.engine.reset()
      position = 0
    }
    this.#isOpen = true
    this.#reach(position)
  }

  async #catchUp(isCommitDue: boolean): Promise<void> {
    const nowMs = this.#options.elapsedMs()
    const all = this.#options.environment.records.events
    this.#mark ??= { events: all, atMs: nowMs }
    if (this.#written < all) this.#written = await this.#step(this.#written, 'current')
    const events = this.#written - this.#position
    if (!isCommitDue && this.#waiting.length === 0 && events < commitEventsMax) return
    const rests = events < floodEvents ? 1 : floodRests
    this.#commitAtMs = nowMs + rests * (this.#options.commitWaitMs ?? commitWaitMsDefault)
    await this.#commit()
  }

  async #commit(): Promise<void> {
    if (this.#written === this.#position) return
    await this.#options.engine.commit('current')
    this.#reach(this.#written)
  }

  #reach(position: number): void {
    this.#position = position
    this.#written = position
    if (this.#mark !== undefined && position >= this.#mark.events) {
      this.#aheadAtMs = this.#mark.atMs
      this.#mark = undefined
    }
    if (position >= this.#options.environment.records.events)
      this.#aheadAtMs = this.#options.elapsedMs()
    const isReached = (wait: { readonly position: number }) => wait.position <= position
    for (const wait of this.#waiting.filter(isReached)) wait.resolve()
    this.#waiting = this.#waiting.filter((wait) => !isReached(wait))
  }

  async #fail(error: unknown, waitMs: number): Promise<void> {
    this.#failures += 1
    if (this.#problem === undefined) this.#options.report(error)
    this.#problem = error instanceof Error ? error.message : String(error)
    const { signal } = this.#closing
    if (error instanceof SearchError && error.code === 'search_index_damaged') {
      await this.#inTurn(() => this.#options.engine.reset()).catch(() => {})
    }
    this.#isOpen = false
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {})
  }

  /** Brings an index up to `batchEvents` further on in the journal; gives the next position. */
  async #step(position: number, target: IndexTarget): Promise<number> {
    if (!this.#options.hasRoom()) throw noRoom
    const batch = (await this.#takePrefetched(position)) ?? (await this.#reader.read(position))
    const written = this.#options.engine.write(batch, target)
    // What is not a full batch yet may grow meanwhile.
    const isFull = this.#options.environment.records.events - batch.position >= batchEvents
    if (isFull) this.#prefetch(batch.position)
    await written
    this.#batches += 1
    return batch.position
  }

  #prefetch(position: number): void {
    const batch = this.#reader.readAhead(position)
    batch.catch(() => {})
    this.#prefetched = { position, batch }
  }

  // What changes after it was read is in a later batch, however late this one is written.
  #takePrefetched(position: number): Promise<IndexBatch | undefined> | undefined {
    const prefetched = this.#prefetched
    this.#prefetched = undefined
    return prefetched?.position === position ? prefetched.batch : undefined
  }

  // One batch at a time, whichever index it is for.
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(step)
    this.#turn = mine.catch(() => {})
    return mine
  }
}

const noRoom = new SearchError(
  'search_unavailable',
  'the disk has less free than the reserve (DISK_RESERVE_BYTES): nothing is indexed',
)
