import type { ClockGuard, ClockMark, ClockStatus } from '#actors/journal/clock_guard.ts'
import type { SequencerClock } from '#actors/journal/sequencer.ts'
import { type MonotoneClock, monotoneClock } from '#actors/values/clock.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** What the clock of a log is made from. `newestAt` is asked each time: '' if the log is empty. */
export type LogClockOptions = {
  readonly guard: ClockGuard
  readonly name: string
  readonly newestAt: () => string
  readonly log: Pick<LogReader, 'cosigned'>
}

/** The clock that one log is dated by. It owns the newest time that was given of it. */
export class LogClock {
  readonly #options: LogClockOptions
  /** Dates changes: it stands still while the clock is wrong. */
  readonly dating: MonotoneClock
  readonly sequencer: SequencerClock

  constructor(options: LogClockOptions) {
    const { guard, name, newestAt, log } = options
    this.#options = options
    this.dating = monotoneClock(() => guard.nowMs(), newestAt())
    this.sequencer = guard.ofLog(name)
    guard.recall(log.cosigned().witnesses)
    this.status()
  }

  /** How the clock is doing for this log. */
  status(): ClockStatus {
    const { guard, name, newestAt } = this.#options
    return guard.status(name, newestAt())
  }

  /** Takes what witnesses have just signed. */
  hear(marks: readonly ClockMark[]): void {
    this.#options.guard.hearWitnesses(marks)
  }

  /** Dates what follows by the clock as it is now, after an operator has accepted it. */
  restart(): void {
    this.dating.restart(this.#options.newestAt())
  }

  /**
   * Up to when all can be settled that came before a time, in milliseconds since 1970: to now at
   * most, and while the clock is wrong, to the newest time of the log.
   */
  settledMs(timeMs: number): number {
    const { guard, newestAt } = this.#options
    if (guard.fault === undefined) return Math.min(timeMs, this.dating.nowMs())
    const newest = newestAt()
    return Math.min(timeMs, newest === '' ? 0 : Date.parse(newest))
  }
}
