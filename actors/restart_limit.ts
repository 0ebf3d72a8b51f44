// A fault that comes back with every message shows within seconds; a rare one never gets here.
const restartsMax = 10
const restartWindowMs = 60_000

/** Counts the restarts of one actor: at most 10 within any 60 seconds. */
export class RestartLimit {
  #times: readonly number[] = []

  /**
   * Counts a restart at `nowMs`, of a clock that never goes back. False when it is one too many;
   * then it is not counted.
   */
  allow(nowMs: number): boolean {
    const recent = this.#times.filter((time) => nowMs - time < restartWindowMs)
    const allowed = recent.length < restartsMax
    this.#times = allowed ? [...recent, nowMs] : recent
    return allowed
  }
}
