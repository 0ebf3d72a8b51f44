import {
  type ClockBounds,
  ClockGuard,
  type ClockGuardOptions,
  type MachineTime,
} from '#actors/journal/clock_guard.ts'
import type { SequencerClock } from '#actors/journal/sequencer.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The bounds that a registry has unless it is set up otherwise. */
export const bounds: ClockBounds = {
  stepMs: 10 * minuteMs,
  gapMs: 30 * dayMs,
  behindMs: 10 * minuteMs,
}

type Changes = Partial<Omit<ClockGuardOptions, 'machine'>> & {
  readonly machine?: Partial<MachineTime>
}

/**
 * The guard of a clock that a test moves: unless told otherwise, all that measures time goes by the
 * same, so that time that passes is no jump.
 */
export function guardOf(systemMs: () => number, changes: Changes = {}): ClockGuard {
  const { machine, ...others } = changes
  const time = { systemMs, elapsedMs: systemMs, uptimeMs: systemMs, bootId: 'boot' }
  return new ClockGuard({
    machine: { ...time, fileMs: () => undefined, ...machine },
    bounds,
    madeMs: 0,
    recall: () => undefined,
    keep: () => undefined,
    report: () => undefined,
    accepted: () => undefined,
    ...others,
  })
}

/** What a sequencer asks of a clock that is right, whatever it says. */
export function rightClock(nowMs: () => number): SequencerClock {
  return { nowMs, fault: () => undefined, latest: () => '9999' }
}
