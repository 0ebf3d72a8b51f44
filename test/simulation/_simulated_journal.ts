import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Appended, StreamMessage, SharedStream } from '#actors/journal/shared_stream.ts'

/** Turns of the event loop that a call takes there, and back, at most. */
const turnsMax = 6

/** One in so many appends has its acknowledgement lost, and is made again. */
const lostOneIn = 6

/**
 * A journal that several nodes share, in memory: what reaches it is in one order, and what a node
 * hears of it is late, lost and repeated as a network has it. It owns the messages.
 */
export class SimulatedJournal {
  readonly #random: () => number
  readonly #messages: Uint8Array[] = []
  readonly #cutOff = new Set<string>()

  /** `random` gives numbers in [0, 1). */
  constructor(random: () => number) {
    this.#random = random
  }

  /** The place of the newest message. */
  get newest(): number {
    return this.#messages.length
  }

  /** Cuts a node off, or connects it again. */
  connect(node: string, isConnected: boolean): void {
    if (isConnected) this.#cutOff.delete(node)
    else this.#cutOff.add(node)
  }

  /** Has other messages from a place on, as an engine has that was restored from a copy. */
  replaceFrom(sequence: number, messages: readonly Uint8Array[]): void {
    this.#messages.splice(sequence - 1, this.#messages.length, ...messages)
  }

  /** The message at a place that has one. */
  message(sequence: number): Uint8Array {
    const message = this.#messages[sequence - 1]
    if (message === undefined) throw new Error(`there is no message ${sequence}`)
    return message
  }

  /** The journal as a node reaches it. */
  of(node: string): SharedStream {
    return {
      append: (message, after, signal) => this.#append(node, message, after, signal),
      newest: async (signal) => {
        await this.#reach(node, signal)
        return this.#messages.length
      },
      oldest: async (signal) => {
        await this.#reach(node, signal)
        return 1
      },
      at: async (sequence, signal) => {
        await this.#reach(node, signal)
        return this.#messages[sequence - 1]
      },
      follow: (after, signal) => this.#follow(node, after, signal),
    }
  }

  async #append(
    node: string,
    message: Uint8Array,
    after: number,
    signal: AbortSignal,
  ): Promise<Appended> {
    for (;;) {
      try {
        await this.#reach(node, signal)
        if (this.#messages.length === after) this.#messages.push(message)
        const found = this.#messages[after]
        if (this.#below(lostOneIn) === 0) continue
        // The way back may be cut, too.
        await this.#reach(node, signal)
        return found !== undefined && Buffer.compare(found, message) === 0 ? 'appended' : 'fenced'
      } catch {
        return 'undecided'
      }
    }
  }

  async *#follow(node: string, after: number, signal: AbortSignal): AsyncGenerator<StreamMessage> {
    let sequence = after
    while (!signal.aborted) {
      if (this.#cutOff.has(node)) {
        await this.#reach(node, signal).catch(() => undefined)
        return
      }
      const message = this.#messages[sequence]
      if (message === undefined) await nextTurn()
      else yield { sequence: (sequence += 1), message }
    }
  }

  async #reach(node: string, signal: AbortSignal): Promise<void> {
    for (let turns = this.#below(turnsMax); turns > 0; turns -= 1) await nextTurn()
    while (this.#cutOff.has(node)) {
      signal.throwIfAborted()
      await nextTurn()
    }
    signal.throwIfAborted()
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }
}
