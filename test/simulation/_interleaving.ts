import { mock } from 'node:test'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

type Waiting = { readonly run: () => void }

/**
 * Runs a scenario while a seed decides which of the waiting `setImmediate` callbacks goes next, and
 * timers run by turns of the event loop, one millisecond each. nact starts the handling of every
 * message with `setImmediate`, and the memory store ends its commits there, so one seed is one
 * interleaving of all actors: the same each time, however busy the machine is, as long as nothing
 * in the scenario waits for the real world. Timers that are left when it ends never fire. Call it
 * from `test.serial` only: it replaces globals.
 */
export async function interleave<T>(seed: number, scenario: () => Promise<T>): Promise<T> {
  const real = { setImmediate: globalThis.setImmediate, clearImmediate: globalThis.clearImmediate }
  const queue = new ShuffledQueue(real.setImmediate, seededRandom(seed))
  const shuffled = <A extends unknown[]>(callback: (...args: A) => void, ...args: A): Waiting =>
    queue.add(() => callback(...args))
  // Node's handles have more members; nothing that runs in a simulation uses them.
  globalThis.setImmediate = shuffled as unknown as typeof setImmediate
  globalThis.clearImmediate = (handle) => queue.remove(handle)
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let isOver = false
  const passTime = () => {
    if (isOver) return
    mock.timers.tick(1)
    real.setImmediate(passTime)
  }
  real.setImmediate(passTime)
  try {
    return await scenario()
  } finally {
    isOver = true
    mock.timers.reset()
    Object.assign(globalThis, real)
  }
}

/** Callbacks that run one a turn of the event loop, each time one that `random` picks. */
class ShuffledQueue {
  readonly #nextTurn: (callback: () => void) => void
  readonly #random: () => number
  readonly #waiting: Waiting[] = []

  constructor(nextTurn: (callback: () => void) => void, random: () => number) {
    this.#nextTurn = nextTurn
    this.#random = random
  }

  // Every callback brings one turn, so that all run, even those left when the scenario ends.
  add(run: () => void): Waiting {
    const waiting = { run }
    this.#waiting.push(waiting)
    this.#nextTurn(() => this.#turn())
    return waiting
  }

  remove(handle: unknown): void {
    const index = this.#waiting.findIndex((waiting) => waiting === handle)
    if (index >= 0) this.#waiting.splice(index, 1)
  }

  #turn(): void {
    if (this.#waiting.length === 0) return
    const [picked] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1)
    picked?.run()
  }
}
