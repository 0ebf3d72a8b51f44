import type { Logger } from 'pino'
import type { Agent } from 'undici'

import type { Witnessing } from '#actors/registry/witnessing.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { Verifier } from '#log/tlog/note.ts'
import { formatPolicy, isVerifiable, type Policy, policyWarnings } from '#log/tlog/policy.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { CosignatureCollector } from '#src/tlog_tools/cosigning/collector.ts'
import { historyFault, judgeNote, WitnessLink } from '#src/tlog_tools/cosigning/witness_link.ts'
import { type claimFiles, KeptClaims } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { hasAddress } from '#src/tlog_tools/cosigning/policy_file.ts'
import { openWitnessAgent } from '#src/tlog_tools/cosigning/witness_client.ts'

/** The settings of the witnesses of a log; `random` is from 0 up to 1. */
export type LogWitnessesOptions = {
  readonly policy: Policy
  /** The verifier key of the log. */
  readonly vkey: string
  /** Where what witnesses say against the log is kept. */
  readonly files: ReturnType<typeof claimFiles>
  /** How far a cosignature may be ahead of the time of day, in milliseconds. */
  readonly aheadMsMax: number
  /** Least time from one checkpoint that is sent to the next, in milliseconds. */
  readonly intervalMs: number
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  readonly random: () => number
  readonly logger: Logger
}

/** When a witness has cosigned last, by its own clock, in seconds since 1970. */
export type CosignatureTimes = {
  readonly name: string
  readonly accepted: number | undefined
  readonly ahead: number | undefined
}

/** How long a start waits for what witnesses say of the log. */
const startMsMax = 3_000

/** The witnesses of one log, before and while it runs. It owns the connections to them. */
export class LogWitnesses {
  readonly #options: LogWitnessesOptions
  readonly #agent: Agent
  readonly #links: readonly WitnessLink[]
  readonly #log: Verifier
  readonly #claims: KeptClaims

  constructor(options: LogWitnessesOptions) {
    this.#options = options
    const agent = openWitnessAgent()
    this.#agent = agent
    const log = noteVerifier(options.vkey)
    this.#log = log
    const claims = new KeptClaims(options)
    this.#claims = claims
    this.#links = options.policy.witnesses
      .filter(isVerifiable)
      .filter(hasAddress)
      .map((witness) => new WitnessLink(witness, { ...options, agent, log, claims }))
  }

  /** Warnings about its policy for the operator, a sentence each. */
  get warnings(): readonly string[] {
    return policyWarnings(this.#options.policy, hasAddress)
  }

  /**
   * When each witness that can be asked has cosigned last, in seconds since 1970 by its own clock:
   * the newest cosignature that was accepted, also before the start, and the newest that was not
   * because it is ahead of our clock, unless one was accepted since.
   */
  cosignatureTimes(): readonly CosignatureTimes[] {
    return this.#links.map(({ facts: { name, mark, aheadTimestamp } }) => {
      return { name, accepted: mark?.timestamp, ahead: aheadTimestamp }
    })
  }

  /**
   * Asks every witness about the newest checkpoint, before anything further is signed. Rejects with
   * the LogError of `historyFault` if a checkpoint of the log's own key, which one of them shows or
   * which was kept, contradicts the log. What a witness only says, and one that does not answer in
   * time, holds nothing up.
   */
  async compareHead(log: LogReader): Promise<void> {
    const { evidenceFile: file } = this.#claims
    const kept = this.#claims.evidence()
    const verdict = kept === undefined ? undefined : judgeNote(log, kept, this.#log)
    if (verdict !== undefined && verdict.type !== 'none') {
      const source = `the file ${file} holds`
      throw historyFault(verdict, log.head().treeSize, { source, file })
    }
    const { treeSize, checkpoint } = log.head()
    // An empty tree is sent to no witness: some would never sign the log again.
    if (treeSize === 0) return
    const { witnesses } = log.cosigned()
    const signal = AbortSignal.timeout(startMsMax)
    const asked = this.#links.map(async (link) => {
      const mark = witnesses.find(({ vkey }) => vkey === link.witness.vkey)
      if (mark !== undefined) link.recall(mark)
      const outcome = await link.submit(log, { treeSize, checkpoint }, signal)
      if (outcome.type !== 'contradicted') return
      const source = `the witness ${link.witness.name} shows`
      throw historyFault(outcome.contradiction, treeSize, { source, file })
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
      claims: this.#claims,
    })
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}
