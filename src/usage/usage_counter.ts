import { isbot } from 'isbot'

import { countedAddress } from '#src/edge/caller.ts'
import { type CountUses, type UseKind, useKinds } from '#src/edge/uses.ts'
import type { DoubleClicks } from '#src/usage/double_clicks.ts'
import { dayMs, type UseCounts } from '#src/usage/usage_batch.ts'
import type { WorkDay } from '#src/usage/usage_pool.ts'

/** User agents whose judgement is remembered, and how much of one is looked at. */
const agentsMax = 2_048
const agentCharactersMax = 512

/** One use of each kind. */
const one: Readonly<Record<UseKind, UseCounts>> = {
  resolutions: oneOf('resolutions'),
  landings: oneOf('landings'),
  verifications: oneOf('verifications'),
  harvests: oneOf('harvests'),
}

function oneOf(kind: UseKind): UseCounts {
  return useKinds.map((other) => Number(other === kind))
}

/** What uses are counted by. */
export type UsageCounterOptions = {
  readonly clicks: DoubleClicks
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly add: (work: WorkDay, counts: UseCounts) => void
}

/**
 * Counts uses on one thread as COUNTER 5.1 does: without robots, and of two clicks on the same
 * within 30 s one; and not more than so many of one address, which may call itself anything. What
 * was harvested is counted for robots too, which is what harvests.
 */
export class UsageCounter {
  readonly #options: UsageCounterOptions
  readonly #robots = new Map<string, boolean>()

  constructor(options: UsageCounterOptions) {
    this.#options = options
  }

  readonly count: CountUses = (address, userAgent = '', uses) => {
    const { clicks, nowMs, add } = this.#options
    const now = nowMs()
    const day = Math.floor(now / dayMs)
    const from = countedAddress(address)
    const agent = userAgent.slice(0, agentCharactersMax)
    const isRobot = this.#isRobot(agent)
    for (const { environment, ark, organization, kind } of uses) {
      if (isRobot && kind !== 'harvests') continue
      const use = `${kind} ${environment} ${ark} ${from}`
      if (clicks.isRepeated(`${use} ${agent}`, day, now)) continue
      if (clicks.isTooMany(use, day, now)) continue
      add({ day, environment, ark, organization }, one[kind])
    }
  }

  #isRobot(agent: string): boolean {
    const known = this.#robots.get(agent)
    if (known !== undefined) return known
    if (this.#robots.size >= agentsMax) this.#robots.clear()
    const judged = isbot(agent)
    this.#robots.set(agent, judged)
    return judged
  }
}
