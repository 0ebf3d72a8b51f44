import { isErasure, purgeKey, purgePrefix } from '#actors/works/erasure.ts'
import { eventKey, keyPosition, readerOf, readEvent } from '#actors/journal/rows.ts'
import type { Follower } from '#actors/journal/follower.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { type Ref, tell } from '#actors/kernel/kernel.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { streamArk } from '#actors/works/events.ts'
import { readWork } from '#actors/works/record.ts'
import { versionKey } from '#actors/works/views.ts'
import { type DamageList, scanSound } from '#log/damage.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What a purger works on, and where it notes that the files are not rid of old values yet. */
export type PurgerOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly damage: Pick<DamageList, 'add' | 'remove'>
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
    const { store, sequencer } = this.#options
    for (const keys of keysToPurge(position, store)) {
      if (this.#isClosing) return
      await store.purge(keys)
    }
    tell(sequencer, { type: 'forget', keys: [purgeKey(position)] })
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
