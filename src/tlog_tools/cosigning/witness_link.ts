import type { Agent } from 'undici'

import { assert, LogError } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { CosignedHead, WitnessMark } from '#log/store/witnessed_history.ts'
import { openCheckpoint } from '#log/tlog/checkpoint.ts'
import { cosignatureVerifier, decodeCosignature, formatSeconds } from '#log/tlog/cosignature.ts'
import { readCosignature } from '#log/tlog/cosigned_checkpoint.ts'
import type { Signature, Verifier } from '#log/tlog/note.ts'
import { equalBytes } from '#log/tlog/proof.ts'
import type { KeptClaims } from '#src/tlog_tools/cosigning/kept_claims.ts'
import type { ReachableWitness } from '#src/tlog_tools/cosigning/policy_file.ts'
import {
  addCheckpoint,
  type Asking,
  readCheckpoint,
  type WitnessAnswer,
} from '#src/tlog_tools/cosigning/witness_client.ts'

/** The outcome of asking a witness for its cosignature. */
export type LinkOutcome =
  | { readonly type: 'cosigned'; readonly signature: Signature; readonly timestamp: number }
  /** It shows a checkpoint that the log's own key has signed, and that contradicts the log. */
  | { readonly type: 'contradicted'; readonly contradiction: Contradiction }
  /** It says that it has signed more than the log has, or something else, and does not show it. */
  | { readonly type: 'claimed'; readonly reason: string }
  /** Its clock is behind what the checkpoint holds: in a moment it may sign at a later time. */
  | { readonly type: 'behind' }
  | { readonly type: 'failed'; readonly reason: string }

/** A checkpoint for a witness; none of its entries has a later time, in milliseconds since 1970. */
export type DatedHead = CosignedHead & { readonly datedMs: number }

/** The parts of a link to a witness; `random` is from 0 up to 1. */
export type LinkParts = {
  readonly agent: Agent
  /** Verifies checkpoints of the log. */
  readonly log: Verifier
  readonly claims: KeptClaims
  /** How far a cosignature may be ahead of the time of day, in milliseconds. */
  readonly aheadMsMax: number
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  readonly random: () => number
}

/** The facts of a witness for operators. */
export type LinkFacts = {
  readonly name: string
  readonly url: string
  /**
   * What it has signed last; undefined as long as it has not, and where the time of that is ahead
   * of ours.
   */
  readonly mark: WitnessMark | undefined
  /** Whether it is left alone for what it has said against the log without proving it. */
  readonly isSetAside: boolean
  /** Attempts that failed since the start, and the last of them if none has succeeded since. */
  readonly failures: number
  readonly problem: string | undefined
}

/** How long a witness is left alone after a failure, at first and at most. */
const backOffMs = { min: 1_000, max: 300_000 }

/** The same after it has said something against the log that it does not prove. */
const setAsideMs = { min: 60_000, max: 3_600_000 }

/** A witness that is behind by so much at most is asked again at once, after a pause of this. */
const behindMsMax = 5_000
const behindPauseMs = 250

// With a wrong size, with none, with the one it tells: more answers than these are none.
const attemptsMax = 4

/**
 * One witness of a log: what it has signed last, and whether it may be asked now. After a failure
 * it is left alone for a second, after each further one for twice as long, give or take a half, and
 * never for more than some minutes.
 *
 * What it says of its last checkpoint is not signed. So it stops the log only by showing one that
 * is signed with the log's key; one that says so and shows none is set aside: left alone for a
 * minute at first, for an hour at most.
 */
export class WitnessLink {
  readonly witness: ReachableWitness
  readonly #parts: LinkParts
  readonly #verifier: Verifier
  #treeSize = 0
  #mark: WitnessMark | undefined
  #isSetAside: boolean
  #isBusy = false
  #streak = 0
  #failures = 0
  #problem: string | undefined
  #restsUntilMs = 0

  constructor(witness: ReachableWitness, parts: LinkParts) {
    this.witness = witness
    this.#parts = parts
    this.#verifier = cosignatureVerifier(witness.vkey)
    this.#isSetAside = parts.claims.isSetAside(witness.vkey)
  }

  /** Whether it can be asked now. */
  get isFree(): boolean {
    return !this.#isBusy && this.#parts.elapsedMs() >= this.#restsUntilMs
  }

  get facts(): LinkFacts {
    const { name, url } = this.witness
    const mark = this.#mark && !this.#isAhead(this.#mark.timestamp) ? this.#mark : undefined
    return {
      name,
      url,
      mark,
      isSetAside: this.#isSetAside,
      failures: this.#failures,
      problem: this.#problem,
    }
  }

  /** Remembers what the witness had signed before the start. */
  recall(mark: WitnessMark): void {
    if (this.#mark !== undefined) return
    this.#mark = mark
    this.#treeSize = mark.treeSize
  }

  /**
   * Asks the witness to cosign a checkpoint of the log, whose tree is not empty. It never rejects
   * for what the witness does.
   */
  async submit(log: LogReader, head: DatedHead, signal: AbortSignal): Promise<LinkOutcome> {
    assert(!this.#isBusy, 'a witness is asked one thing at a time')
    assert(head.treeSize > 0, 'no witness is asked to sign an empty tree')
    this.#isBusy = true
    try {
      const outcome = await this.#ask(log, head, signal)
      if (outcome.type === 'cosigned') await this.#succeed(head, outcome.timestamp)
      else if (outcome.type === 'failed' && !signal.aborted) this.#fail(outcome.reason, backOffMs)
      else if (outcome.type === 'claimed') await this.#leaveAlone(outcome.reason)
      return outcome
    } finally {
      this.#isBusy = false
    }
  }

  async #ask(log: LogReader, head: DatedHead, signal: AbortSignal): Promise<LinkOutcome> {
    let isTold = false
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const old = Math.min(this.#treeSize, head.treeSize)
      const proof = old === 0 || old === head.treeSize ? [] : log.consistency(old, head.treeSize)
      const submission = { old, proof, checkpoint: head.checkpoint }
      const asking = { ...this.#parts, signal }
      const answer = await addCheckpoint(this.witness.url, submission, asking)
      if (answer.type === 'cosigned') return this.#read(head, answer.lines)
      if (answer.type === 'conflict') {
        const { treeSize } = answer
        const { treeSize: own } = log.head()
        if (treeSize > own) {
          const said = `it says that it has cosigned ${treeSize} entries, and the log has ${own}`
          return this.#examine(log, said, asking)
        }
        if (treeSize > head.treeSize) {
          this.#treeSize = treeSize
          return { type: 'failed', reason: `it has signed ${treeSize} entries already` }
        }
        // Versions of the specification differ in how another root for the same size is refused.
        if (treeSize === old && old === head.treeSize) {
          return this.#examine(log, saysForked(treeSize), asking)
        }
        this.#treeSize = treeSize
        isTold = true
      } else if (answer.type === 'refused' && answer.status === 422) {
        if (isTold) return this.#examine(log, saysForked(old), asking)
        // It may remember another size than is remembered here: from 0 on it will tell.
        if (old === 0) return { type: 'failed', reason: reasonOf(answer) }
        this.#treeSize = 0
      } else {
        const waitMs = answer.type === 'refused' ? (answer.retryAfterMs ?? 0) : 0
        this.#rest(Math.min(waitMs, backOffMs.max))
        return { type: 'failed', reason: reasonOf(answer) }
      }
    }
    return { type: 'failed', reason: 'it tells another size each time that it is asked' }
  }

  /** Looks whether a witness can prove what it has said against the log. */
  async #examine(log: LogReader, said: string, asking: Asking): Promise<LinkOutcome> {
    const { log: verifier, claims } = this.#parts
    const served = await readCheckpoint(this.witness.url, verifier.keyName, asking)
    if (asking.signal.aborted) return { type: 'failed', reason: said }
    if (served.type === 'none') {
      return { type: 'claimed', reason: `${said}, but shows no checkpoint: ${served.reason}` }
    }
    const verdict = judgeNote(log, served.note, verifier)
    if (verdict.type === 'none') {
      return { type: 'claimed', reason: `${said}, but shows ${verdict.found}` }
    }
    await claims.keepEvidence(served.note)
    return { type: 'contradicted', contradiction: verdict }
  }

  #read(head: DatedHead, lines: string): LinkOutcome {
    try {
      const signature = readCosignature(head.checkpoint, lines, this.#verifier)
      const { timestamp } = decodeCosignature(signature.bytes)
      if (this.#isAhead(timestamp)) {
        return { type: 'failed', reason: this.#describeAhead(timestamp) }
      }
      const last = this.facts.mark?.timestamp ?? 0
      // An entry with a later time than the cosignature that covers it could never be proven.
      const behindMs = head.datedMs + 1 - (timestamp + 1) * 1_000
      if (timestamp >= last && behindMs > 0) return this.#waitFor(head, behindMs)
      if (timestamp >= last) return { type: 'cosigned', signature, timestamp }
      const reason = `its time went back, from ${last} to ${timestamp}: is it an old cosignature?`
      return { type: 'failed', reason }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      const reason = `what it answers is no cosignature of the checkpoint: ${error.message}`
      return { type: 'failed', reason }
    }
  }

  #waitFor({ treeSize }: DatedHead, behindMs: number): LinkOutcome {
    this.#treeSize = treeSize
    if (behindMs > behindMsMax) {
      const by = `${Math.ceil(behindMs / 1_000)} s behind what the checkpoint holds`
      return { type: 'failed', reason: `the time of its cosignature is ${by}: a clock is wrong` }
    }
    this.#rest(Math.max(behindMs, behindPauseMs))
    return { type: 'behind' }
  }

  #isAhead(timestamp: number): boolean {
    return timestamp * 1_000 > this.#parts.nowMs() + this.#parts.aheadMsMax
  }

  #describeAhead(timestamp: number): string {
    const now = formatSeconds(Math.floor(this.#parts.nowMs() / 1_000))
    const signed = `its cosignature is of ${formatSeconds(timestamp)}`
    return `${signed}, and here it is ${now}: a clock is wrong`
  }

  async #succeed({ treeSize }: CosignedHead, timestamp: number): Promise<void> {
    this.#treeSize = treeSize
    this.#mark = { vkey: this.witness.vkey, treeSize, timestamp }
    this.#streak = 0
    this.#problem = undefined
    this.#restsUntilMs = 0
    if (!this.#isSetAside) return
    this.#isSetAside = false
    await this.#parts.claims.settle(this.witness.vkey)
  }

  async #leaveAlone(said: string): Promise<void> {
    if (!this.#isSetAside) this.#streak = 0
    this.#isSetAside = true
    this.#fail(said, setAsideMs)
    const at = new Date(this.#parts.nowMs()).toISOString()
    await this.#parts.claims.add(this.witness, { at, said })
  }

  #fail(reason: string, { min, max }: typeof backOffMs): void {
    this.#failures += 1
    this.#problem = reason
    const ms = Math.min(max, min * 2 ** this.#streak)
    this.#streak = Math.min(this.#streak + 1, 16)
    this.#rest(ms * (0.5 + this.#parts.random()))
  }

  /** Leaves the witness alone for so long, or for as long as it was to be already. */
  #rest(ms: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, this.#parts.elapsedMs() + ms)
  }
}

function saysForked(treeSize: number): string {
  return `it says that the log does not continue the ${treeSize} entries that it has cosigned`
}

function reasonOf(answer: Extract<WitnessAnswer, { type: 'refused' | 'unreachable' }>): string {
  if (answer.type === 'unreachable') return `it cannot be reached: ${answer.reason}`
  const { status, reason } = answer
  return `it answers ${status}${reason === '' ? '' : `: ${reason}`}`
}

/** How a checkpoint that the log's own key has signed contradicts the log. */
export type Contradiction = {
  /** It is larger than the log; or of another root than the log had at that size. */
  readonly type: 'ahead' | 'forked'
  /** The size of its tree. */
  readonly treeSize: number
}

/** How a note contradicts a log; `none` if it does not, with what it is in place of that. */
type Verdict = Contradiction | { readonly type: 'none'; readonly found: string }

/**
 * Judges a note that is said to contradict a log. It does if the log's own key, that of `verifier`,
 * has signed it: nobody else can make such a note.
 */
export function judgeNote(log: LogReader, note: string, verifier: Verifier): Verdict {
  try {
    const { treeSize, rootHash } = openCheckpoint(note, verifier.keyName, [verifier])
    if (treeSize > log.head().treeSize) return { type: 'ahead', treeSize }
    if (!equalBytes(log.rootAt(treeSize), rootHash)) return { type: 'forked', treeSize }
    return { type: 'none', found: `a checkpoint of ${treeSize} entries that this log has signed` }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    const found = `no checkpoint that the key of this log has signed (${error.message})`
    return { type: 'none', found }
  }
}

/** Where a checkpoint that contradicts a log was found. */
export type Evidence = {
  /** Such as `the witness w1 shows`. */
  readonly source: string
  /** The file in which it is kept. */
  readonly file: string
}

/**
 * The fault of a log of `treeSize` entries that a checkpoint of its own key contradicts:
 * `log_rolled_back` if that is larger, `log_inconsistent` if it is of another history.
 */
export function historyFault(
  { type, treeSize: shown }: Contradiction,
  treeSize: number,
  { source, file }: Evidence,
): LogError {
  const seen = `${source} a checkpoint of ${shown} entries, signed with the key of this log`
  const whatToDo =
    `That checkpoint is kept in ${file}. Do not go on with this data: it would sign a second ` +
    'history of the log, which anybody can prove. Keep DATA_DIR as it is, and put the newest ' +
    'copy of it in its place. If there is no newer copy, or somebody else has the key of the ' +
    'log, begin a new log with a new key and origin, in another DATA_DIR'
  if (type === 'ahead') {
    const found = `but the store holds ${treeSize}: it is an older copy, or has lost writes`
    return new LogError('log_rolled_back', `${seen}, ${found}. ${whatToDo}`)
  }
  const found =
    `that is no beginning of the ${treeSize} entries in the store: the log was set back and has ` +
    'grown since, or has shown two histories'
  return new LogError('log_inconsistent', `${seen}, ${found}. ${whatToDo}`)
}
