import os from 'node:os'

/**
 * The time of this process as a test sets it: the time of day, and for how long the machine has
 * run, which go on together, as those of a machine do.
 */
export class SetTime {
  readonly #real = { now: Date.now, uptime: os.uptime }
  readonly #elapsedMs: () => number
  /** How far the time is ahead of the real one, in milliseconds. */
  aheadMs = 0

  /** `stands`: it goes on only when the test says so. */
  constructor({ stands }: { readonly stands: boolean } = { stands: false }) {
    const beganMs = performance.now()
    this.#elapsedMs = stands ? () => 0 : () => performance.now() - beganMs
  }

  /** Sets the time of all that reads it from now on. */
  begin(): void {
    const beganMs = this.#real.now()
    const upSeconds = this.#real.uptime()
    const begunAt = this.#elapsedMs()
    const passedMs = () => Math.round(this.#elapsedMs() - begunAt + this.aheadMs)
    Date.now = () => beganMs + passedMs()
    os.uptime = () => upSeconds + passedMs() / 1_000
  }

  /** Gives the real time back. */
  end(): void {
    Date.now = this.#real.now
    os.uptime = this.#real.uptime
  }
}
