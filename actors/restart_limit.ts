/**
 * Counts the restarts of one actor: at most `restartsMax` within any `windowMs`. The clock is the
 * caller's; it must not go back.
 */
export class RestartLimit {
  readonly #restartsMax: number
  readonly #windowMs: number
  #times: readonly number[] = []

  constructor(restartsMax: number, windowMs: number) {
    this.#restartsMax = restartsMax
    this.#windowMs = windowMs
  }

  /** Counts a restart at `nowMs`; false when it is one too many, and then it is not counted. */
  allow(nowMs: number): boolean {
    const recent = this.#times.filter((time) => nowMs - time < this.#windowMs)
    const allowed = recent.length < this.#restartsMax
    this.#times = allowed ? [...recent, nowMs] : recent
    return allowed
  }
}
