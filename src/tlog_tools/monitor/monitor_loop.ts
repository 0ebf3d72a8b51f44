import { setTimeout as sleep } from 'node:timers/promises'

import type { Monitor, MonitorRound } from '#src/tlog_tools/monitor/monitor.ts'

/** How rounds follow each other, until `stop`. */
export type MonitorPace = {
  readonly intervalMs: number
  /** Ends the pauses; a round that has begun is finished. */
  readonly stop: AbortSignal
  /** From 0 up to 1. */
  readonly random: () => number
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** What a log that fails is left alone at most, unless rounds are longer apart anyhow. */
const pauseMaxMs = 900_000

/**
 * Looks again and again. Pauses are longer and shorter than the interval by a tenth, so that many
 * monitors do not come at one time; they double while the log cannot be reached.
 */
export async function runRounds(
  monitor: Monitor,
  { intervalMs, stop, random, nowMs }: MonitorPace,
  onRound: (round: MonitorRound, atMs: number) => void,
): Promise<void> {
  let failed = 0
  while (!stop.aborted) {
    const atMs = nowMs()
    const round = await monitor.round(atMs)
    onRound(round, atMs)
    failed = round.outcome.type === 'unreachable' ? failed + 1 : 0
    // What was left at the bound of one round is looked at in the next, without a pause.
    if (round.watch?.isMore) continue
    const longerMs = intervalMs * 2 ** Math.min(Math.max(failed - 1, 0), 20)
    const pauseMs = Math.min(longerMs, Math.max(pauseMaxMs, intervalMs))
    await sleep(pauseMs * (0.9 + 0.2 * random()), undefined, { signal: stop }).catch(
      () => undefined,
    )
  }
}
