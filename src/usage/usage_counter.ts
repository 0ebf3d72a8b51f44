import { isbot } from 'isbot'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { type CountUses, type UseKind, useKinds } from '#src/edge/uses.ts'
import type { DoubleClicks } from '#src/usage/double_clicks.ts'

export const dayMs = 86_400_000

/** How often each kind of use was counted, in the order of `useKinds`. */
export type UseCounts = readonly number[]

/** What was counted on one day, in days since 1970. */
export type UsageBatch = {
  readonly day: number
  readonly works: readonly (readonly [EnvironmentName, ark: string, UseCounts])[]
}

/** Works that one batch tells of: whoever writes it holds up nobody for longer than some ms. */
const batchWorksMax = 500

/** How long a count waits to be sent. */
const flushMs = 5_000

/** User agents whose judgement is remembered, and how much of one is looked at. */
const agentsMax = 2_048
const agentCharactersMax = 512

const kindIndexes = Object.fromEntries(useKinds.map((kind, index) => [kind, index])) as Readonly<
  Record<UseKind, number>
>

/** What uses are counted by. */
export type UsageCounterOptions = {
  readonly clicks: DoubleClicks
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** Takes what was counted; it is kept no longer here. */
  readonly send: (batch: UsageBatch) => void
}

/**
 * Counts uses on one thread, in memory, as COUNTER 5.1 does: without robots, and of two clicks on
 * the same within 30 s one. What was harvested is counted for robots too, which is what harvests.
 * Every few seconds, and when it knows of many works, it sends what it has counted.
 */
export class UsageCounter {
  readonly #options: UsageCounterOptions
  readonly #robots = new Map<string, boolean>()
  readonly #timer: NodeJS.Timeout
  #counts = { live: new Map<string, number[]>(), sandbox: new Map<string, number[]>() }
  #works = 0
  #day = 0

  constructor(options: UsageCounterOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.flush(), flushMs).unref()
  }

  readonly count: CountUses = (address, userAgent = '', uses) => {
    const { clicks, nowMs } = this.#options
    const now = nowMs()
    const day = Math.floor(now / dayMs)
    const agent = userAgent.slice(0, agentCharactersMax)
    const isRobot = this.#isRobot(agent)
    for (const { environment, ark, kind } of uses) {
      if (isRobot && kind !== 'harvests') continue
      const click = `${kind} ${environment} ${ark} ${address} ${agent}`
      if (clicks.isRepeated(click, day, now)) continue
      if (day !== this.#day) this.flush()
      this.#day = day
      this.#add(environment, ark, kindIndexes[kind])
    }
  }

  /** Sends what was counted. */
  flush(): void {
    if (this.#works === 0) return
    const works = (['live', 'sandbox'] as const).flatMap((environment) =>
      [...this.#counts[environment]].map(([ark, counts]) => [environment, ark, counts] as const),
    )
    this.#works = 0
    this.#counts = { live: new Map(), sandbox: new Map() }
    this.#options.send({ day: this.#day, works })
  }

  /** Sends what was counted, and counts no more by itself. */
  close(): void {
    clearInterval(this.#timer)
    this.flush()
  }

  #add(environment: EnvironmentName, ark: string, index: number): void {
    const known = this.#counts[environment].get(ark)
    if (known !== undefined) {
      known[index] = (known[index] ?? 0) + 1
      return
    }
    const counts = useKinds.map(() => 0)
    counts[index] = 1
    this.#counts[environment].set(ark, counts)
    this.#works += 1
    if (this.#works >= batchWorksMax) this.flush()
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
