import { LogError } from '#log/base/errors.ts'
import { type VerifiedNote, verifyNote } from '#log/tlog/note.ts'
import {
  cosign,
  type CosignedCheckpoint,
  type Cosigner,
} from '#src/tlog_tools/witness/cosigned_checkpoint.ts'
import { decide } from '#src/tlog_tools/witness/decision.ts'
import { GroupCommit } from '#src/tlog_tools/witness/group_commit.ts'
import { LogRates } from '#src/tlog_tools/witness/log_rates.ts'
import { parseSubmission, type UnverifiedSubmission } from '#src/tlog_tools/witness/submission.ts'
import { WitnessDraft } from '#src/tlog_tools/witness/witness_draft.ts'
import type { WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'
import { type KnownLog, logId } from '#src/tlog_tools/witness/witnessed_log.ts'

/** Logs of one witness, at most: all of them lie in memory. */
const logsMax = 10_000

/** The time may go back by so much, in seconds: then cosignatures keep the last time. */
const clockBackSecondsMax = 60

/** What a log is told of a checkpoint that it submits. Nothing but `cosigned` is signed. */
export type SubmissionAnswer =
  /** The line with the cosignature, which is durable. */
  | { readonly type: 'cosigned'; readonly line: string }
  | { readonly type: 'malformed'; readonly message: string }
  | { readonly type: 'unknown_log' }
  | { readonly type: 'unverified'; readonly message: string }
  | { readonly type: 'backwards'; readonly message: string }
  | { readonly type: 'stale'; readonly treeSize: number }
  | { readonly type: 'unproven'; readonly message: string }
  /** The log has had its new checkpoints of this minute. */
  | { readonly type: 'too_often'; readonly waitMs: number }
  /** More wait than may, or the clock is wrong: nothing can be signed now. */
  | { readonly type: 'unavailable'; readonly message: string }

/** What an operator is told who adds a log. */
export type AddAnswer =
  | { readonly type: 'added' | 'changed' | 'unchanged'; readonly treeSize: number | undefined }
  /** The origin is that of a log with another key. */
  | { readonly type: 'other_key'; readonly vkey: string }
  | { readonly type: 'too_many' }

/** A log, and how far it was cosigned. */
export type ListedLog = { readonly log: KnownLog; readonly last: CosignedCheckpoint | undefined }

/** What a witness is made of. Time is passed in: of day, and of a clock that only goes forward. */
export type WitnessParts = {
  readonly store: WitnessStore
  readonly cosigner: Cosigner
  /** New checkpoints of a log a minute, where nothing else is said of it; `off` for no bound. */
  readonly rate: number | 'off'
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  /** Called once, when the outcome of a write is unknown: the process must end. */
  readonly fatal: (error: unknown) => void
  /** Told of each answer to a submission. */
  readonly onAnswer?: (answer: SubmissionAnswer) => void
}

/**
 * A witness of logs (C2SP tlog-witness): it cosigns a checkpoint once it is proven to continue the
 * last one that it cosigned of that log, and remembers it durably before anybody sees the
 * signature. So it never signs two roots for one size, whenever its process ends.
 */
export class Witness {
  readonly #parts: WitnessParts
  readonly #rates: LogRates
  readonly #turns: GroupCommit<WitnessDraft>

  constructor(parts: WitnessParts) {
    const { store, fatal, elapsedMs } = parts
    this.#parts = parts
    this.#rates = new LogRates(elapsedMs)
    this.#turns = new GroupCommit({
      begin: () => new WitnessDraft(store),
      commit: (draft) => store.commit(draft),
      fatal,
    })
  }

  /** Whether it can still write what it signs. */
  get isHealthy(): boolean {
    return !this.#turns.hasFailed
  }

  /** Answers the body of an add-checkpoint request. Rejects if a write fails. */
  async submit(body: Uint8Array): Promise<SubmissionAnswer> {
    const answer = await this.#answer(body)
    this.#parts.onAnswer?.(answer)
    return answer
  }

  /** The last cosigned checkpoint of the log with this id, as a signed note. */
  checkpoint(id: string): string | undefined {
    return this.#parts.store.checkpoints.get(id)?.note
  }

  /** All logs, by their origins. */
  list(): readonly ListedLog[] {
    const { logs, checkpoints } = this.#parts.store
    return Array.from(logs.values(), (log) => ({ log, last: checkpoints.get(log.id) })).toSorted(
      (a, b) => (a.log.origin < b.log.origin ? -1 : 1),
    )
  }

  /** Adds a log, or changes its rate. What was cosigned of its origin before still counts. */
  addLog(log: KnownLog): Promise<AddAnswer> {
    return this.#turns.take((draft): AddAnswer => {
      const known = draft.log(log.id)
      const treeSize = draft.checkpoint(log.id)?.treeSize
      if (known === undefined) {
        if (draft.logCount >= logsMax) return { type: 'too_many' }
        draft.setLog(log.id, log)
        return { type: 'added', treeSize }
      }
      if (known.vkey !== log.vkey) return { type: 'other_key', vkey: known.vkey }
      if (known.rate === log.rate) return { type: 'unchanged', treeSize }
      draft.setLog(log.id, log)
      return { type: 'changed', treeSize }
    })
  }

  /** Cosigns a log no more; false if it was not known. What was cosigned of it is remembered. */
  removeLog(origin: string): Promise<boolean> {
    const id = logId(origin)
    return this.#turns.take((draft) => {
      if (draft.log(id) === undefined) return false
      draft.setLog(id, undefined)
      this.#rates.delete(id)
      return true
    })
  }

  /** Finishes what waits. The caller sees to it that nothing is submitted any more. */
  async close(): Promise<void> {
    await this.#turns.close()
    this.#parts.store.close()
  }

  async #answer(body: Uint8Array): Promise<SubmissionAnswer> {
    const parsed = parseSubmission(body)
    if (parsed.type === 'malformed') return parsed
    const { submission } = parsed
    const log = this.#parts.store.logs.get(logId(submission.unverifiedCheckpoint.origin))
    if (log === undefined) return { type: 'unknown_log' }
    const verified = verify(submission, log)
    if (verified instanceof LogError) return { type: 'unverified', message: verified.message }
    if (this.#turns.isFull) return { type: 'unavailable', message: 'Too many submissions wait' }
    return this.#turns.take((draft) => this.#judge(draft, { submission, log, verified }))
  }

  #judge(draft: WitnessDraft, { submission, log, verified }: Verified): SubmissionAnswer {
    // Between verifying and this turn the operator may have removed it.
    if (draft.log(log.id)?.vkey !== log.vkey) return { type: 'unknown_log' }
    const last = draft.checkpoint(log.id)
    const { oldSize, proof, unverifiedCheckpoint: checkpoint } = submission
    const decision = decide({ oldSize, proof, checkpoint }, last)
    if (decision.type !== 'advance' && decision.type !== 'repeat') return decision
    const timestamp = this.#timestamp(last)
    if (timestamp === undefined) return { type: 'unavailable', message: clockIsBehind }
    // What was cosigned in this second already is the same again, and costs no write.
    if (decision.type === 'repeat' && last !== undefined && last.timestamp === timestamp) {
      return { type: 'cosigned', line: last.line }
    }
    if (decision.type === 'advance') {
      const waitMs = this.#count(log)
      if (waitMs > 0) return { type: 'too_often', waitMs }
    }
    const cosigned = cosign(verified, this.#parts.cosigner, timestamp)
    draft.setCheckpoint(log.id, cosigned)
    return { type: 'cosigned', line: cosigned.line }
  }

  #count({ id, rate }: KnownLog): number {
    const max = rate ?? this.#parts.rate
    return max === 'off' ? 0 : this.#rates.count(id, max)
  }

  /** Seconds that only go forward for a log; undefined if the clock is far behind them. */
  #timestamp(last: CosignedCheckpoint | undefined): number | undefined {
    const now = Math.floor(this.#parts.nowMs() / 1_000)
    const before = last?.timestamp ?? 0
    if (before - now > clockBackSecondsMax) return undefined
    return Math.max(now, before)
  }
}

const clockIsBehind = 'The clock of the witness is behind what it has signed before'

/** A submission whose log is known and has signed its checkpoint. */
type Verified = {
  readonly submission: UnverifiedSubmission
  readonly log: KnownLog
  readonly verified: VerifiedNote
}

/** The note with the log's signature; the error if there is none, or one that is wrong. */
function verify({ note }: UnverifiedSubmission, { verifier }: KnownLog): VerifiedNote | LogError {
  try {
    return verifyNote(note, [verifier])
  } catch (error) {
    if (error instanceof LogError) return error
    throw error
  }
}
