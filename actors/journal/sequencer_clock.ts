import { ActorError } from '#actors/kernel/actor_error.ts'

/** The clock that changes are dated by, as the sequencer of one log knows it. */
export type SequencerClock = {
  /** Milliseconds since 1970; they stand still while the clock is wrong. */
  nowMs(): number
  /**
   * Why nothing is dated now: the clock is wrong, or the log is ahead of it. `newestAt` is the
   * newest time of the log, before which nothing is dated, or '' if it has none. Undefined while
   * all is well.
   */
  fault(newestAt: string): ActorError | undefined
  /** The latest time that anything can be dated with, by whichever node. */
  latest(newestAt: string): string
}

/** Why a time cannot be one of a log: it is still to come. Undefined if it can. */
export function whyAhead(
  clock: SequencerClock,
  at: string,
  newestAt: string,
): ActorError | undefined {
  const latest = clock.latest(newestAt)
  if (at <= latest) return undefined
  return new ActorError(
    'clock_wrong',
    `A change is dated ${at}, and by the clock of whoever orders the changes no time after ` +
      `${latest} is one of now: set the clock of the node at which it was asked for`,
  )
}

/** The clock of a node that leads: while it is wrong, who proposes asks the one that leads next. */
export function leaderClock(clock: SequencerClock): SequencerClock {
  return {
    ...clock,
    fault: (newestAt) => {
      const fault = clock.fault(newestAt)
      return fault && new ActorError('stopped', fault.message, { cause: fault })
    },
  }
}
