import type { Logger } from 'pino'
import type { Agent } from 'undici'

import type { Witnessing } from '#actors/registry/witnessing.ts'
import type { LogReader } from '#log/log_reader.ts'
import { formatPolicy, isVerifiable, type Policy, policyWarnings } from '#log/policy.ts'
import { CosignatureCollector } from '#src/witnessing/collector.ts'
import { historyFault } from '#src/witnessing/history_fault.ts'
import { hasAddress } from '#src/witnessing/policy_file.ts'
import { openWitnessAgent } from '#src/witnessing/witness_client.ts'
import { WitnessLink } from '#src/witnessing/witness_link.ts'

/** What the witnesses of a log are asked with; `random` is from 0 up to 1. */
export type LogWitnessesOptions = {
  readonly policy: Policy
  /** The verifier key of the log. */
  readonly vkey: string
  /** Least time from one checkpoint that is sent to the next, in milliseconds. */
  readonly intervalMs: number
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  readonly random: () => number
  readonly logger: Logger
}

/** How long a start waits for what witnesses say of the log. */
const startMsMax = 3_000

/** The witnesses of one log, before and while it runs. It owns the connections to them. */
export class LogWitnesses {
  readonly #options: LogWitnessesOptions
  readonly #agent: Agent
  readonly #links: readonly WitnessLink[]

  constructor(options: LogWitnessesOptions) {
    this.#options = options
    const agent = openWitnessAgent()
    this.#agent = agent
    this.#links = options.policy.witnesses
      .filter(isVerifiable)
      .filter(hasAddress)
      .map((witness) => new WitnessLink(witness, { ...options, agent }))
  }

  /** What an operator should know of its policy, a sentence each. */
  get warnings(): readonly string[] {
    return policyWarnings(this.#options.policy, hasAddress)
  }

  /**
   * Asks every witness about the newest checkpoint, before anything further is signed. Rejects with
   * the LogError of `historyFault` if one of them knows more than the log, or another history. One
   * that does not answer in time holds nothing up.
   */
  async compareHead(log: LogReader): Promise<void> {
    const { treeSize, checkpoint } = log.head()
    // An empty tree is sent to no witness: some would never sign the log again.
    if (treeSize === 0) return
    const { witnesses } = log.cosigned()
    const signal = AbortSignal.timeout(startMsMax)
    const asked = this.#links.map(async (link) => {
      const mark = witnesses.find(({ vkey }) => vkey === link.witness.vkey)
      if (mark !== undefined) link.recall(mark)
      const outcome = await link.submit(log, { treeSize, checkpoint }, signal)
      if (outcome.type === 'ahead' || outcome.type === 'forked') {
        throw historyFault(link.witness.name, outcome, treeSize)
      }
    })
    await Promise.all(asked)
  }

  /** Collects cosignatures from now on, until the log is closed. */
  collect(witnessing: Witnessing): CosignatureCollector {
    const { policy, vkey } = this.#options
    const policyText = formatPolicy(policy, vkey)
    return new CosignatureCollector({
      ...this.#options,
      witnessing,
      policyText,
      links: this.#links,
    })
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}
