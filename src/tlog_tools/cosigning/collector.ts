import type { Logger } from 'pino'
import type { Agent } from 'undici'

import type { Witnessing } from '#actors/registry/witnessing.ts'
import { assert } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { Cosigned, CosignedHead, WitnessMark } from '#log/store/witnessed_history.ts'
import { addSignatures } from '#log/tlog/cosigned_checkpoint.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import type { Signature, Verifier } from '#log/tlog/note.ts'
import {
  formatPolicy,
  isVerifiable,
  type Policy,
  policyWarnings,
  reachesQuorum,
} from '#log/tlog/policy.ts'
import { type claimFiles, KeptClaims } from '#src/tlog_tools/cosigning/kept_claims.ts'
import { hasAddress } from '#src/tlog_tools/cosigning/policy_file.ts'
import { openWitnessAgent } from '#src/tlog_tools/cosigning/witness_client.ts'
import {
  type Contradiction,
  type DatedHead,
  historyFault,
  judgeNote,
  type LinkOutcome,
  WitnessLink,
} from '#src/tlog_tools/cosigning/witness_link.ts'

/** The parts of a collector. */
type CollectorOptions = {
  readonly witnessing: Witnessing
  readonly policy: Policy
  /** The policy as it is written for this log. */
  readonly policyText: string
  readonly links: readonly WitnessLink[]
  readonly claims: KeptClaims
  /** Least time from one checkpoint that is sent to the next, in milliseconds. */
  readonly intervalMs: number
  readonly elapsedMs: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  readonly logger: Logger
}

/** How often it is looked whether something is to be done, at the least. */
const tickMsMax = 100

/** A checkpoint is sent again after so long when nothing has grown, give or take some minutes. */
const refreshMs = 50 * 60_000
const refreshSpreadMs = 5 * 60_000

/** How long the next checkpoint waits for who is asked about this one, while it has no quorum. */
const patienceMs = 10_000

/** How long a checkpoint that has its quorum waits for further cosignatures that are on the way. */
const graceMs = 250

/** A checkpoint for which cosignatures are collected. */
type Target = {
  readonly head: DatedHead
  readonly chosenAtMs: number
  readonly refreshAtMs: number
  readonly signatures: Map<WitnessLink, Signature>
  /** The witnesses that are being asked about it now. */
  readonly asked: Set<WitnessLink>
  /** Those whose clock was behind, and that are asked again in a moment. */
  readonly behind: Set<WitnessLink>
  /** When it has reached the quorum. */
  reachedAtMs: number | undefined
  isKept: boolean
}

/**
 * Collects cosignatures of a log's checkpoints: the newest (with a map, the newest that ends with a
 * map leaf) goes to every witness, but not more
 * often than once in an interval, and it stays the one that all are asked about until it has its
 * quorum or nobody is left to ask. A witness that is slow or dead holds up nobody else, and nobody
 * who writes waits for any. It owns the checkpoint that is asked about.
 */
export class CosignatureCollector {
  readonly #options: CollectorOptions
  readonly #timer: NodeJS.Timeout
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #target: Target | undefined
  /** Earlier ones that somebody is still being asked about, the newest last. */
  #earlier: Target[] = []
  #isKeeping = false
  #isWoken = false

  constructor(options: CollectorOptions) {
    this.#options = options
    const { witnessing, links, policyText, intervalMs } = options
    const known = witnessing.log.cosigned()
    for (const link of links) {
      const mark = known.witnesses.find(({ vkey }) => vkey === link.witness.vkey)
      if (mark !== undefined) link.recall(mark)
    }
    if (known.policy !== policyText) {
      witnessing.show({ ...known, policy: policyText, first: known.count })
    }
    const look = () => this.#step()
    this.#timer = setInterval(look, Math.min(intervalMs, tickMsMax)).unref()
    witnessing.follow(this)
    this.published()
  }

  /** The witnesses, for what is told of them. */
  get links(): readonly WitnessLink[] {
    return this.#options.links
  }

  /** The known cosignatures. */
  get cosigned(): Cosigned {
    return this.#options.witnessing.log.cosigned()
  }

  /** Whether the quorum can be reached by those who are not set aside. */
  get canReachQuorum(): boolean {
    const { links, policy } = this.#options
    const able = links.filter(({ facts }) => !facts.isSetAside)
    return reachesQuorum(policy, new Set(able.map(({ witness }) => witness.name)))
  }

  /** Hears of a commit; what is to be done begins when who asked for it has the answer. */
  published(): void {
    if (this.#isWoken) return
    this.#isWoken = true
    setImmediate(() => {
      this.#isWoken = false
      this.#step()
    })
  }

  /** Asks nobody any more, and waits until what is being kept is written. */
  async close(): Promise<void> {
    this.#stopAsking()
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  #stopAsking(): void {
    clearInterval(this.#timer)
    this.#closing.abort()
  }

  #step(): void {
    if (this.#closing.signal.aborted || !this.#options.witnessing.isDue()) return
    this.#settle()
    if (this.#isDue()) this.#aim()
    const target = this.#target
    if (target === undefined) return
    for (const link of this.#options.links) {
      if (link.isFree && !target.signatures.has(link)) this.#run(this.#submit(link, target))
    }
  }

  #isDue(): boolean {
    const { witnessing, intervalMs, elapsedMs } = this.#options
    const { treeSize = 0 } = witnessing.head() ?? {}
    const target = this.#target
    if (target === undefined) return treeSize > 0
    const ageMs = elapsedMs() - target.chosenAtMs
    const isWanted = treeSize > target.head.treeSize || elapsedMs() >= target.refreshAtMs
    if (!isWanted || ageMs < intervalMs) return false
    const isWaiting = target.asked.size > 0 || target.behind.size > 0
    return target.isKept || !isWaiting || ageMs >= patienceMs
  }

  /** Chooses the newest checkpoint as the one that all are asked about. */
  #aim(): void {
    const { witnessing, elapsedMs, random } = this.#options
    const head = witnessing.head()
    assert(head !== undefined, 'there is a checkpoint to be signed')
    if (this.#target !== undefined) this.#earlier.push(this.#target)
    this.#earlier = this.#earlier.filter(({ asked }) => asked.size > 0)
    const chosenAtMs = elapsedMs()
    this.#target = {
      head: { ...head, datedMs: witnessing.datedMs() },
      chosenAtMs,
      refreshAtMs: chosenAtMs + refreshMs + random() * refreshSpreadMs,
      signatures: new Map(),
      asked: new Set(),
      behind: new Set(),
      reachedAtMs: undefined,
      isKept: false,
    }
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#underWay.delete(running))
    this.#underWay.add(running)
  }

  async #submit(link: WitnessLink, target: Target): Promise<void> {
    const { log } = this.#options.witnessing
    const { problem } = link.facts
    target.behind.delete(link)
    target.asked.add(link)
    const outcome = await link.submit(log, target.head, this.#closing.signal)
    target.asked.delete(link)
    if (this.#closing.signal.aborted) return
    this.#note(link, problem, outcome)
    if (outcome.type === 'cosigned') this.#add(link, target, outcome.signature)
    else if (outcome.type === 'behind') target.behind.add(link)
    else if (outcome.type === 'contradicted') return this.#stop(link, outcome.contradiction)
    this.#step()
  }

  #note({ witness }: WitnessLink, before: string | undefined, outcome: LinkOutcome): void {
    const { logger } = this.#options
    if (outcome.type === 'failed' && outcome.reason !== before) {
      const about = { witness: witness.name, reason: outcome.reason }
      logger.warn(about, 'a witness has not cosigned the checkpoint')
    } else if (outcome.type === 'cosigned' && before !== undefined) {
      logger.info({ witness: witness.name }, 'a witness cosigns again')
    }
  }

  #stop({ witness }: WitnessLink, contradiction: Contradiction): void {
    this.#stopAsking()
    const { witnessing, logger, claims } = this.#options
    const evidence = { source: `the witness ${witness.name} shows`, file: claims.evidenceFile }
    const error = historyFault(contradiction, witnessing.log.head().treeSize, evidence)
    logger.fatal({ witness: witness.name, err: error }, 'the log is not the one that was witnessed')
    witnessing.stop(error)
  }

  #add(link: WitnessLink, target: Target, signature: Signature): void {
    const { witnessing, policy, elapsedMs } = this.#options
    target.signatures.set(link, signature)
    const names = new Set([...target.signatures.keys()].map(({ witness }) => witness.name))
    // With a quorum of nobody, nothing is ever witnessed.
    if (policy.quorum !== undefined && reachesQuorum(policy, names)) {
      target.reachedAtMs ??= elapsedMs()
    }
    const known = witnessing.log.cosigned()
    const latest = target === this.#target ? this.#signedHead(target) : known.latest
    witnessing.show({ ...known, latest, witnesses: this.#marks() })
  }

  #signedHead({ head, signatures }: Target): CosignedHead {
    const inOrder = this.#options.links.flatMap((link) => signatures.get(link) ?? [])
    const checkpoint = addSignatures(head.checkpoint, inOrder)
    return { treeSize: head.treeSize, checkpoint }
  }

  #marks(): WitnessMark[] {
    return this.#options.links.flatMap(({ facts }) => facts.mark ?? [])
  }

  /** Keeps the newest checkpoint that has its quorum, and is not kept yet. */
  #settle(): void {
    if (this.#isKeeping) return
    const target = [...this.#earlier, ...(this.#target ? [this.#target] : [])].findLast((one) =>
      this.#isReady(one),
    )
    if (target === undefined) return
    target.isKept = true
    this.#isKeeping = true
    this.#run(this.#keep(target))
  }

  #isReady({ head, asked, reachedAtMs, isKept }: Target): boolean {
    if (reachedAtMs === undefined || isKept) return false
    const witnessed = this.cosigned.witnessed?.treeSize ?? 0
    if (head.treeSize < witnessed) return false
    return asked.size === 0 || this.#options.elapsedMs() - reachedAtMs >= graceMs
  }

  async #keep(target: Target): Promise<void> {
    const { witnessing, logger, policyText } = this.#options
    const known = witnessing.log.cosigned()
    assert(known.policy === policyText, 'the policy that holds is shown')
    const head = this.#signedHead(target)
    // One that is signed again is kept too: statements name the newest. Proofs go on to lead to the
    // oldest that covers their entry.
    const count = known.count + 1
    const next = { ...known, count, witnessed: head, witnesses: this.#marks() }
    try {
      await witnessing.keep(next, head)
    } catch (err) {
      logger.warn({ err, tree_size: head.treeSize }, 'a witnessed checkpoint could not be kept')
    }
    this.#isKeeping = false
    this.#step()
  }
}

/** The settings of the witnesses of a log; `random` is from 0 up to 1. */
type LogWitnessesOptions = {
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
      // What it signs now is used for nothing, so its time is of no matter.
      const outcome = await link.submit(log, { treeSize, checkpoint, datedMs: 0 }, signal)
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
