import os from 'node:os'

/**
 * The time of this process as a test sets it: the time of day, and for how long the machine has
 * run, which go on together, as those of a machine do. It stands still in between: nothing ends on
 * a slow machine that does not on a fast one.
 */
export class SetTime {
  readonly #real = { now: Date.now, uptime: os.uptime }
  /** How far the time is ahead of when it was begun, in milliseconds. */
  aheadMs = 0

  /** Sets the time of all that reads it from now on. */
  begin(): void {
    const beganMs = this.#real.now()
    const upSeconds = this.#real.uptime()
    Date.now = () => beganMs + this.aheadMs
    os.uptime = () => upSeconds + this.aheadMs / 1_000
  }

  /** Gives the real time back. */
  end(): void {
    Date.now = this.#real.now
    os.uptime = this.#real.uptime
  }
}
