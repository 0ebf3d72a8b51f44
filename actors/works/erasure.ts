import type { Follower, JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEvent,
  encodeEvent,
  eventKey,
  keyPosition,
  positionPart,
  readerOf,
  readEvent,
  withoutMetadata,
} from '#actors/journal/rows.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { type Ref, tell } from '#actors/kernel/kernel.ts'
import { streamArk, type WorkEvent } from '#actors/works/events.ts'
import { readWork, versionKey } from '#actors/works/record.ts'
import { type DamageList, scanSound } from '#log/store/damage.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation, Store } from '#log/store/store.ts'

/** What begins the keys of the rows that name erasures whose old values are still in the files. */
export const purgePrefix = 'purge/'

/**
 * Key of such a row, by the position of the `WorkErased`: it stands from an erasure's commit until
 * its purge is over.
 */
function purgeKey(position: number): string {
  return purgePrefix + positionPart(position)
}

/** Whether an event erases the metadata that the events before it in its stream hold. */
export function isErasure(event: Pick<JournalEvent, 'type'>): boolean {
  return event.type === 'WorkErased'
}

/**
 * The rows that a commit writes with an erasure, and none with any other event: every event of its
 * stream before it, without its metadata, and the row that asks for a purge. This is the one
 * exception to the rule that an event is never written again, and it hangs on the erasure's event
 * alone. `rowAt` gives the row of an event.
 */
export function blankEvents(
  erasure: JournalEvent,
  rowAt: (position: number) => Uint8Array,
): readonly Operation[] {
  if (!isErasure(erasure)) return []
  const key = purgeKey(erasure.position)
  const operations: Operation[] = [{ type: 'put', key, value: new Uint8Array(0) }]
  for (let position = erasure.previous; position >= 0; ) {
    const event = decodeEvent(position, withoutMetadata(rowAt(position)))
    const blank = { ...event, data: blankData(event as JournalEvent & WorkEvent) }
    operations.push({ type: 'put', key: eventKey(position), value: encodeEvent(blank) })
    position = event.previous
  }
  return operations
}

/** What stays of an event: hashes, names of fields, and words of ours; nothing that a work says. */
function blankData(event: WorkEvent): WorkEvent['data'] {
  switch (event.type) {
    case 'WorkRegistered':
      return { ...event.data, metadata: null }
    case 'WorkVersioned': {
      const { version_note: _, ...data } = event.data
      return { ...data, metadata: null }
    }
    case 'WorkWithdrawn':
      return { reason: event.data.reason }
    case 'FixityChecked':
    case 'SupersededChecked':
    case 'FileChecked':
      return { ...event.data, final_url: null, media_type: null, message: null }
    case 'FixityRequested':
    case 'WorkErased':
    case 'MetadataLost':
      return event.data
  }
}

/** Whether nothing is left in an event that an erasure removes. */
export function isBlank(event: WorkEvent): boolean {
  return JSON.stringify(event.data) === JSON.stringify(blankData(event))
}

/** What a purger works on, and where it notes that the files are not rid of old values yet. */
export type PurgerOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly damage: Pick<DamageList, 'add' | 'remove'>
  /** Removes what else has copies of what was erased. */
  readonly removeCopies?: (() => Promise<void>) | undefined
}

/** How long a purge that failed waits until it is tried again. */
const retryMs = 300_000

// Events this near to each other are purged at once: what lies between them fills one table file.
const nearEventsMax = 256

/**
 * Removes from the store's files what was erased from its rows: an erasure's commit has left the
 * older values there, and a row that asks for their purge, which goes when it is over. So a purge
 * that was cut off is made at the next start, and one that failed is tried again. Owns the list of
 * what is to be purged.
 */
export class ErasurePurger implements Follower {
  readonly #options: PurgerOptions
  readonly #retries: NodeJS.Timeout
  readonly #problems = new Set<string>()
  #outstanding: number[] = []
  readonly #failed: number[] = []
  #running: Promise<void> | undefined
  #isClosing = false
  #hasSearched = false

  constructor(options: PurgerOptions) {
    this.#options = options
    this.#start()
    this.#retries = setInterval(() => {
      if (this.#hasFailed) this.#start()
    }, retryMs).unref()
  }

  /** Tells the purger what was committed. */
  published(events: readonly JournalEvent[]): void {
    const erasures = events.filter(isErasure)
    if (erasures.length === 0) return
    this.#outstanding.push(...erasures.map(({ position }) => position))
    // The files of the store wait for all who read them: what others can fetch does not.
    void this.#attempt(async () => this.#options.removeCopies?.())
    this.#start()
  }

  /**
   * Resolves when nothing is left to purge of what was committed until now, also of what has failed
   * before: to true, or to false if that has to wait.
   */
  async settled(): Promise<boolean> {
    if (this.#hasFailed && !this.#isClosing) this.#start()
    while (this.#running !== undefined) await this.#running
    return !this.#isClosing && !this.#hasFailed
  }

  /** Ends after the step that is under way. */
  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#retries)
    await this.settled()
  }

  get #hasFailed(): boolean {
    return this.#problems.size > 0
  }

  #start(): void {
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    const earlier = [...this.#problems]
    this.#problems.clear()
    this.#outstanding.push(...this.#failed.splice(0))
    if (!this.#hasSearched) {
      this.#hasSearched = await this.#attempt(() => this.#findOutstanding())
    }
    // One that cannot be made leaves the others as they are.
    for (const position of this.#drain()) {
      if (!(await this.#attempt(() => this.#purge(position)))) this.#failed.push(position)
    }
    for (const problem of earlier) {
      if (!this.#problems.has(problem)) this.#options.damage.remove(problem)
    }
    this.#running = undefined
  }

  async #attempt(step: () => Promise<void>): Promise<boolean> {
    try {
      await step()
      return true
    } catch (error) {
      const problem = `erased metadata could not be purged: ${String(error)}`
      this.#problems.add(problem)
      this.#options.damage.add(problem)
      return false
    }
  }

  async #findOutstanding(): Promise<void> {
    const found: number[] = []
    const range = { gte: purgePrefix, lt: `${purgePrefix}~` }
    for await (const [key] of scanSound(this.#options.store, range)) found.push(keyPosition(key))
    // What was committed during the scan is in both lists.
    this.#outstanding = [...new Set([...found, ...this.#outstanding])]
  }

  *#drain(): Generator<number> {
    while (!this.#isClosing) {
      const position = this.#outstanding.shift()
      if (position === undefined) return
      yield position
    }
  }

  async #purge(position: number): Promise<void> {
    const { store, sequencer, removeCopies } = this.#options
    for (const keys of keysToPurge(position, store)) {
      if (this.#isClosing) return
      await store.purge(keys)
    }
    await removeCopies?.()
    tell(sequencer, { type: 'forget_here', keys: [purgeKey(position)] })
  }
}

/** The rows whose older values an erasure removes, in groups that lie close together. */
function keysToPurge(position: number, store: Store): string[][] {
  const read = readerOf(store)
  const erasure = readEvent(position, read)
  const work = readWork(streamArk(erasure.stream), read)
  assert(work !== undefined, 'an erased work is still known')
  const { ark, version } = work.state
  const versions = Array.from({ length: version - 1 }, (_, index) => versionKey(ark, index + 1))
  return [...groupEvents(erasure.previous, store), versions, [erasure.stream]]
}

function groupEvents(newest: number, store: Store): string[][] {
  const groups: string[][] = []
  let group: string[] = []
  for (let position = newest; position >= 0; ) {
    const { previous } = readEvent(position, readerOf(store))
    group.push(eventKey(position))
    if (position - previous > nearEventsMax || previous < 0) {
      groups.push(group.reverse())
      group = []
    }
    position = previous
  }
  return groups
}
