import type { ClockStatus } from '#actors/journal/clock_guard.ts'
import { type ClockFault, formatClockFault } from '#actors/journal/clock_judgement.ts'
import { bad, type Check, good, type Verdict, warning } from '#src/operations/doctor/finding.ts'

/** What is known of the clock of a registry. */
export type ClockSources = {
  /** What the registry that runs says of it, of each log; undefined where none runs. */
  readonly running: () => Promise<readonly ClockStatus[] | undefined>
  /** What speaks against it by what was kept when the registry ran last. */
  readonly kept: () => ClockFault | undefined
}

/** Looks at the clock as the registry does: what speaks against it stops all that is dated. */
export function clockCheck(sources: ClockSources): Check {
  return { name: 'clock', look: () => lookAtClock(sources) }
}

async function lookAtClock({ running, kept }: ClockSources): Promise<Verdict> {
  const statuses = await running()
  if (statuses === undefined) {
    const fault = kept()
    if (fault !== undefined) return bad(formatClockFault(fault))
    return good('Nothing that was known when the registry ran last speaks against it.')
  }
  const [problem] = statuses.flatMap((status) => status.problem ?? [])
  if (problem !== undefined) return bad(problem)
  const aheadMs = Math.max(...statuses.map(({ logAheadMs }) => logAheadMs))
  if (aheadMs <= aheadMsMax) return good('The registry that runs here believes it.')
  return warning(
    `The newest entry of the log is ${Math.round(aheadMs / 1_000)} s ahead of it, and an ` +
      'operator has accepted that: "arklog clock status" tells until when all is dated with ' +
      'that time.',
  )
}

// So far a log may be ahead after a step of its clock that is none to speak of.
const aheadMsMax = 600_000
