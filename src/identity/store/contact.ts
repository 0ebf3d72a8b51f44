/** What the watch over a node's contact needs. */
export type ContactOptions = {
  /** How long ago this node may last have known all that others have changed, in milliseconds. */
  readonly boundMs: number
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
  /** Resolves when all is here that was acknowledged to anybody before; rejects after so long. */
  readonly catchUp: (patienceMs: number) => Promise<void>
  /** Whether most of the servers are in contact with this node, as it has last heard. */
  readonly isConnected: () => boolean
}

/** Until when, on the clock of all threads, this node knows enough: one number. */
export type KnownUntil = BigInt64Array

/** How often in the time of its bound a node asks, and which part of it an answer may take. */
const asksPerBound = 4
const answerShare = 1 / 2

/**
 * Whether a node knows what others have revoked, but for what came within its bound. Contact is
 * counted from before the question to which there was an answer, so a node that is cut off, or
 * stood still, is out of contact by its own clock.
 */
export class Contact {
  readonly knownUntil: KnownUntil = new BigInt64Array(
    new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  )
  readonly #options: ContactOptions
  #next: NodeJS.Timeout | undefined
  #isOpen = true

  constructor(options: ContactOptions) {
    this.#options = options
  }

  /** Asks once, and from then on by itself, until it is closed. */
  async start(): Promise<void> {
    await this.#ask()
    if (!this.#isOpen) return
    const waitMs = this.#options.boundMs / asksPerBound
    this.#next = setTimeout(() => void this.start(), waitMs).unref()
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#next)
  }

  async #ask(): Promise<void> {
    const { boundMs, elapsedMs, catchUp, isConnected } = this.#options
    const askedMs = elapsedMs()
    try {
      await catchUp(boundMs * answerShare)
      // A server that has lost the others answers for a while as though it had not.
      if (!isConnected()) return
      Atomics.store(this.knownUntil, 0, BigInt(Math.floor(askedMs + boundMs)))
    } catch {
      // That there was no answer shows once the bound is over.
    }
  }
}

/** Whether a node knows enough at this moment. */
export function isWithin(knownUntil: KnownUntil, elapsedMs: () => number): boolean {
  return elapsedMs() <= Number(Atomics.load(knownUntil, 0))
}
