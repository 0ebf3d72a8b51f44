import { assert, LogError } from '#log/base/errors.ts'

/** Who waits for a turn: 200 ms of work, at most, for whoever comes last. */
const waitingMax = 2_048

/** Turns that are taken before others than their askers get a chance: 50 ms of work. */
const groupTurnsMax = 256

/** What a group of turns is carried out on, and how what they changed is written. */
export type GroupOptions<D> = {
  /** What the turns of a group change, as nobody else sees it yet. */
  readonly begin: () => D
  /** Writes all of it or nothing, synced, then lets it be seen. Changes may be none. */
  readonly commit: (draft: D) => Promise<void>
  /** Called once, when the outcome of a write is unknown: the process must end. */
  readonly fatal: (error: unknown) => void
}

type Turn<D> = {
  readonly take: (draft: D) => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets changes take turns, one after another, and writes those of many turns in one synced batch:
 * while one batch is written the next group gathers. Each turn sees what those before it changed.
 * Nobody is answered before the batch of the group is durable, not even who was refused: the
 * refusal may tell of a change that a crash would undo. It is the single writer of what it commits.
 */
export class GroupCommit<D> {
  readonly #options: GroupOptions<D>
  readonly #waiting: Turn<D>[] = []
  #writing: Promise<void> | undefined
  #failure: unknown

  constructor(options: GroupOptions<D>) {
    this.#options = options
  }

  /** Whether as many wait as may. */
  get isFull(): boolean {
    return this.#waiting.length >= waitingMax
  }

  /** Whether a write has failed: nothing is written any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Gives what `change` answers, once all that it changed is durable. Rejects if that cannot be
   * known. What `change` throws is its asker's, and it must not have changed the draft then.
   */
  take<A>(change: (draft: D) => A): Promise<A> {
    if (this.#failure !== undefined) return Promise.reject(hasEnded(this.#failure))
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    const take = (draft: D) => {
      const answer = change(draft)
      return () => resolve(answer)
    }
    this.#waiting.push({ take, reject })
    this.#writing ??= this.#write()
    return promise
  }

  /** Resolves when nobody waits. The caller sees to it that nobody comes any more. */
  async close(): Promise<void> {
    await this.#writing
    assert(this.#waiting.length === 0, 'nobody comes after the close')
  }

  async #write(): Promise<void> {
    // A group gathers for one turn of the event loop before the first commit.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#carryOut(this.#waiting.splice(0, groupTurnsMax))
    this.#writing = undefined
  }

  async #carryOut(group: readonly Turn<D>[]): Promise<void> {
    const draft = this.#options.begin()
    const answers: (() => void)[] = []
    for (const { take, reject } of group) {
      try {
        answers.push(take(draft))
      } catch (error) {
        reject(error)
      }
    }
    try {
      await this.#options.commit(draft)
    } catch (error) {
      this.#failure = error
      for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error)
      this.#options.fatal(error)
      return
    }
    for (const answer of answers) answer()
  }
}

function hasEnded(cause: unknown): LogError {
  const message = 'the outcome of an earlier write is unknown: the service is ending'
  return new LogError('store_failed', message, { cause })
}
