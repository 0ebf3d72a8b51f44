import type { Agent } from 'undici'

import { readCosignature } from '#log/cosigned_checkpoint.ts'
import { cosignatureVerifier, decodeCosignature } from '#log/cosignature.ts'
import { assert, LogError } from '#log/errors.ts'
import type { LogReader } from '#log/log_reader.ts'
import type { Signature, Verifier } from '#log/note.ts'
import type { CosignedHead, WitnessMark } from '#log/witnessed_history.ts'
import type { ReachableWitness } from '#src/witnessing/policy_file.ts'
import { addCheckpoint, type WitnessAnswer } from '#src/witnessing/witness_client.ts'

/** What came of asking a witness for its cosignature. */
export type LinkOutcome =
  | { readonly type: 'cosigned'; readonly signature: Signature; readonly timestamp: number }
  /** It has signed a checkpoint that is larger than the log. */
  | { readonly type: 'ahead'; readonly treeSize: number }
  /** It has signed a checkpoint of that size, which is no beginning of the log. */
  | { readonly type: 'forked'; readonly treeSize: number }
  | { readonly type: 'failed'; readonly reason: string }

/** What a link to a witness uses; `random` is from 0 up to 1. */
export type LinkParts = {
  readonly agent: Agent
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  readonly random: () => number
}

/** What is told of a witness. */
export type LinkFacts = {
  readonly name: string
  readonly url: string
  /** What it has signed last; undefined as long as it has not. */
  readonly mark: WitnessMark | undefined
  /** Attempts that failed since the start, and the last of them if none has succeeded since. */
  readonly failures: number
  readonly problem: string | undefined
}

const backOffMsMin = 1_000
const backOffMsMax = 300_000

// With a wrong size, with none, with the one it tells: more answers than these are none.
const attemptsMax = 4

/**
 * One witness of a log: what it has signed last, and whether it may be asked now. After a failure
 * it is left alone for a second, after each further one for twice as long, give or take a half, and
 * never for more than some minutes.
 */
export class WitnessLink {
  readonly witness: ReachableWitness
  readonly #parts: LinkParts
  readonly #verifier: Verifier
  #treeSize = 0
  #mark: WitnessMark | undefined
  #isBusy = false
  #streak = 0
  #failures = 0
  #problem: string | undefined
  #restsUntilMs = 0

  constructor(witness: ReachableWitness, parts: LinkParts) {
    this.witness = witness
    this.#parts = parts
    this.#verifier = cosignatureVerifier(witness.vkey)
  }

  /** Whether it can be asked now. */
  get isFree(): boolean {
    return !this.#isBusy && this.#parts.elapsedMs() >= this.#restsUntilMs
  }

  get facts(): LinkFacts {
    const { name, url } = this.witness
    const failures = this.#failures
    return { name, url, mark: this.#mark, failures, problem: this.#problem }
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
  async submit(log: LogReader, head: CosignedHead, signal: AbortSignal): Promise<LinkOutcome> {
    assert(!this.#isBusy, 'a witness is asked one thing at a time')
    assert(head.treeSize > 0, 'no witness is asked to sign an empty tree')
    this.#isBusy = true
    try {
      const outcome = await this.#ask(log, head, signal)
      if (outcome.type === 'cosigned') this.#succeed(head, outcome.timestamp)
      else if (outcome.type === 'failed' && !signal.aborted) this.#fail(outcome.reason)
      return outcome
    } finally {
      this.#isBusy = false
    }
  }

  async #ask(log: LogReader, head: CosignedHead, signal: AbortSignal): Promise<LinkOutcome> {
    let isTold = false
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const old = Math.min(this.#treeSize, head.treeSize)
      const proof = old === 0 || old === head.treeSize ? [] : log.consistency(old, head.treeSize)
      const submission = { old, proof, checkpoint: head.checkpoint }
      const { agent, nowMs } = this.#parts
      const sent = { agent, signal, nowMs }
      const answer = await addCheckpoint(this.witness.url, submission, sent)
      if (answer.type === 'cosigned') return this.#read(head, answer.lines)
      if (answer.type === 'conflict') {
        const { treeSize } = answer
        if (treeSize > log.head().treeSize) return { type: 'ahead', treeSize }
        if (treeSize > head.treeSize) {
          this.#treeSize = treeSize
          return { type: 'failed', reason: `it has signed ${treeSize} entries already` }
        }
        // Versions of the specification differ in how another root for the same size is refused.
        if (treeSize === old && old === head.treeSize) return { type: 'forked', treeSize }
        this.#treeSize = treeSize
        isTold = true
      } else if (answer.type === 'refused' && answer.status === 422) {
        if (isTold) return { type: 'forked', treeSize: old }
        // It may remember another size than is remembered here: from 0 on it will tell.
        if (old === 0) return { type: 'failed', reason: reasonOf(answer) }
        this.#treeSize = 0
      } else {
        if (answer.type === 'refused') this.#rest(answer.retryAfterMs)
        return { type: 'failed', reason: reasonOf(answer) }
      }
    }
    return { type: 'failed', reason: 'it tells another size each time that it is asked' }
  }

  #read(head: CosignedHead, lines: string): LinkOutcome {
    try {
      const signature = readCosignature(head.checkpoint, lines, this.#verifier)
      const { timestamp } = decodeCosignature(signature.bytes)
      const last = this.#mark?.timestamp ?? 0
      if (timestamp >= last) return { type: 'cosigned', signature, timestamp }
      const reason = `its time went back, from ${last} to ${timestamp}: is it an old cosignature?`
      return { type: 'failed', reason }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      const reason = `what it answers is no cosignature of the checkpoint: ${error.message}`
      return { type: 'failed', reason }
    }
  }

  #succeed({ treeSize }: CosignedHead, timestamp: number): void {
    this.#treeSize = treeSize
    this.#mark = { vkey: this.witness.vkey, treeSize, timestamp }
    this.#streak = 0
    this.#problem = undefined
    this.#restsUntilMs = 0
  }

  #fail(reason: string): void {
    this.#failures += 1
    this.#problem = reason
    const backOffMs = Math.min(backOffMsMax, backOffMsMin * 2 ** this.#streak)
    this.#streak = Math.min(this.#streak + 1, 16)
    this.#rest(backOffMs * (0.5 + this.#parts.random()))
  }

  /** Leaves the witness alone for so long, or for as long as it was to be already. */
  #rest(ms: number | undefined): void {
    const untilMs = this.#parts.elapsedMs() + Math.min(ms ?? 0, backOffMsMax)
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs)
  }
}

function reasonOf(answer: Extract<WitnessAnswer, { type: 'refused' | 'unreachable' }>): string {
  if (answer.type === 'unreachable') return `it cannot be reached: ${answer.reason}`
  const { status, reason } = answer
  return `it answers ${status}${reason === '' ? '' : `: ${reason}`}`
}
