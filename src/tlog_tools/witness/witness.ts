import { assert, LogError } from '#log/tlog/errors.ts'
import { type VerifiedNote, verifyNote } from '#log/tlog/note.ts'
import {
  cosign,
  type CosignedCheckpoint,
  type Cosigner,
  decide,
  type KnownLog,
  logId,
} from '#src/tlog_tools/witness/decision.ts'
import type { MapChecker } from '#src/tlog_tools/witness/map_checker.ts'
import { parseSubmission, type UnverifiedSubmission } from '#src/tlog_tools/witness/submission.ts'
import type { Changes, WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'

/** Logs of one witness, at most: all of them lie in memory. */
const logsMax = 10_000

/** The time may go back by so much, in seconds: then cosignatures keep the last time. */
const clockBackSecondsMax = 60

/** What a log is told of a checkpoint that it submits. Nothing but `cosigned` is signed. */
export type SubmissionAnswer =
  /** The lines with the cosignatures, which are durable. */
  | { readonly type: 'cosigned'; readonly lines: string }
  | { readonly type: 'malformed'; readonly message: string }
  | { readonly type: 'unknown_log' }
  | { readonly type: 'unverified'; readonly message: string }
  | { readonly type: 'backwards'; readonly message: string }
  | { readonly type: 'stale'; readonly treeSize: number }
  | { readonly type: 'unproven'; readonly message: string }
  /** The log has had its new checkpoints of this minute. */
  | { readonly type: 'too_often'; readonly waitMs: number }
  /** Its map is wrong, or it has none; of a witness that checks maps. */
  | { readonly type: 'wrong_map'; readonly message: string }
  /** More wait than may, the clock is wrong, or its map is not known yet. */
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
  /** Computes maps: only checkpoints whose map is right are cosigned then. */
  readonly maps?: Pick<MapChecker, 'check' | 'close'>
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
      if (known.rate === log.rate && known.url === log.url) return { type: 'unchanged', treeSize }
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
    await this.#parts.maps?.close()
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
    const isMapRight = await this.#checkMap(submission, log)
    if (typeof isMapRight !== 'boolean') return isMapRight
    return this.#turns.take((draft) =>
      this.#judge(draft, { submission, log, verified, isMapRight }),
    )
  }

  /**
   * Whether the map of a checkpoint is right, or need not be. What is refused anyhow is not looked
   * at: a map is computed only of what continues the last checkpoint.
   */
  async #checkMap(
    { oldSize, proof, unverifiedCheckpoint: checkpoint }: UnverifiedSubmission,
    log: KnownLog,
  ): Promise<boolean | SubmissionAnswer> {
    const { maps, store } = this.#parts
    if (maps === undefined) return true
    const { type } = decide({ oldSize, proof, checkpoint }, store.checkpoints.get(log.id))
    if (type === 'repeat') return true
    if (type !== 'advance') return false
    const verdict = await maps.check(log, checkpoint)
    if (verdict.type === 'right') return true
    const message = `The checkpoint is not cosigned: ${verdict.message}`
    return { type: verdict.type === 'wrong' ? 'wrong_map' : 'unavailable', message }
  }

  #judge(
    draft: WitnessDraft,
    { submission, log, verified, isMapRight }: Verified,
  ): SubmissionAnswer {
    // Between verifying and this turn the operator may have removed it.
    if (draft.log(log.id)?.vkey !== log.vkey) return { type: 'unknown_log' }
    const last = draft.checkpoint(log.id)
    const { oldSize, proof, unverifiedCheckpoint: checkpoint } = submission
    const decision = decide({ oldSize, proof, checkpoint }, last)
    if (decision.type !== 'advance' && decision.type !== 'repeat') return decision
    // Another submission came between, and what was to be refused would now be signed.
    if (!isMapRight) return { type: 'unavailable', message: 'Its map was not looked at yet' }
    const timestamp = this.#timestamp(last)
    if (timestamp === undefined) return { type: 'unavailable', message: clockIsBehind }
    // What was cosigned in this second already is the same again, and costs no write; with other
    // extension lines it is another text.
    const isSame = last?.timestamp === timestamp && last.note.startsWith(`${verified.text}\n`)
    if (decision.type === 'repeat' && isSame) {
      return { type: 'cosigned', lines: last.lines }
    }
    if (decision.type === 'advance') {
      const waitMs = this.#count(log)
      if (waitMs > 0) return { type: 'too_often', waitMs }
    }
    const cosigned = cosign(verified, this.#parts.cosigner, timestamp)
    draft.setCheckpoint(log.id, cosigned)
    return { type: 'cosigned', lines: cosigned.lines }
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
  readonly isMapRight: boolean
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

/** What a group of changes makes of the rows of a witness, before they are written. */
export class WitnessDraft implements Changes {
  readonly logs = new Map<string, KnownLog | undefined>()
  readonly checkpoints = new Map<string, CosignedCheckpoint>()
  readonly #stored: Pick<WitnessStore, 'logs' | 'checkpoints'>
  #logCount: number

  constructor(stored: Pick<WitnessStore, 'logs' | 'checkpoints'>) {
    this.#stored = stored
    this.#logCount = stored.logs.size
  }

  get logCount(): number {
    return this.#logCount
  }

  /** The log with this id, unless it is removed. */
  log(id: string): KnownLog | undefined {
    return this.logs.has(id) ? this.logs.get(id) : this.#stored.logs.get(id)
  }

  /** What was last cosigned of the log with this id. */
  checkpoint(id: string): CosignedCheckpoint | undefined {
    return this.checkpoints.get(id) ?? this.#stored.checkpoints.get(id)
  }

  setLog(id: string, log: KnownLog | undefined): void {
    const before = this.log(id) === undefined ? 0 : 1
    this.#logCount += (log === undefined ? 0 : 1) - before
    this.logs.set(id, log)
  }

  setCheckpoint(id: string, checkpoint: CosignedCheckpoint): void {
    this.checkpoints.set(id, checkpoint)
  }
}

const windowMs = 60_000

/**
 * Counts the new checkpoints of each log in windows of a minute, in memory. Only what is about to
 * be cosigned counts, and a log alone can make it: so nobody can use up the rate of another's log.
 */
export class LogRates {
  readonly #windows = new Map<string, { endsMs: number; count: number }>()
  readonly #elapsedMs: () => number

  /** `elapsedMs` is a clock that only goes forward. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Counts a checkpoint; beyond `max` a minute it gives the milliseconds to wait, uncounted. */
  count(id: string, max: number): number {
    const now = this.#elapsedMs()
    const window = this.#windows.get(id)
    if (window === undefined || window.endsMs <= now) {
      this.#windows.set(id, { endsMs: now + windowMs, count: 1 })
      return 0
    }
    if (window.count >= max) return window.endsMs - now
    window.count += 1
    return 0
  }

  /** Forgets a log. */
  delete(id: string): void {
    this.#windows.delete(id)
  }
}

/** Requests that wait for a turn: the last of them waits for 200 ms of work at most. */
const waitingMax = 2_048

/** Turns that are taken before others than their askers get a chance: 50 ms of work. */
const groupTurnsMax = 256

/** What a group of turns is carried out on, and how what they changed is written. */
export type GroupOptions<D> = {
  /** What the turns of a group change, as nobody else sees it yet. */
  readonly begin: () => D
  /** Writes all of it or nothing, synced, then lets it be seen. Changes may be none. */
  readonly commit: (draft: D) => Promise<void>
  /** Called once, when the outcome of a write is unknown: the process must end. */
  readonly fatal: (error: unknown) => void
}

type Turn<D> = {
  readonly take: (draft: D) => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Lets changes take turns, one after another, and writes those of many turns in one synced batch:
 * while one batch is written the next group gathers. Each turn sees what those before it changed.
 * Nobody is answered before the batch of the group is durable, not even who was refused: the
 * refusal may tell of a change that a crash would undo. It is the single writer of what it commits.
 */
export class GroupCommit<D> {
  readonly #options: GroupOptions<D>
  readonly #waiting: Turn<D>[] = []
  #writing: Promise<void> | undefined
  #failure: unknown

  constructor(options: GroupOptions<D>) {
    this.#options = options
  }

  /** Whether as many wait as may. */
  get isFull(): boolean {
    return this.#waiting.length >= waitingMax
  }

  /** Whether a write has failed: nothing is written any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Gives what `change` answers, once all that it changed is durable. Rejects if that cannot be
   * known. What `change` throws is its asker's, and it must not have changed the draft then.
   */
  take<A>(change: (draft: D) => A): Promise<A> {
    if (this.#failure !== undefined) return Promise.reject(hasEnded(this.#failure))
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    const take = (draft: D) => {
      const answer = change(draft)
      return () => resolve(answer)
    }
    this.#waiting.push({ take, reject })
    this.#writing ??= this.#write()
    return promise
  }

  /** Resolves when nobody waits. The caller sees to it that nobody comes any more. */
  async close(): Promise<void> {
    await this.#writing
    assert(this.#waiting.length === 0, 'nobody comes after the close')
  }

  async #write(): Promise<void> {
    // A group gathers for one turn of the event loop before the first commit.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#carryOut(this.#waiting.splice(0, groupTurnsMax))
    this.#writing = undefined
  }

  async #carryOut(group: readonly Turn<D>[]): Promise<void> {
    const draft = this.#options.begin()
    const answers: (() => void)[] = []
    for (const { take, reject } of group) {
      try {
        answers.push(take(draft))
      } catch (error) {
        reject(error)
      }
    }
    try {
      await this.#options.commit(draft)
    } catch (error) {
      this.#failure = error
      for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error)
      this.#options.fatal(error)
      return
    }
    for (const answer of answers) answer()
  }
}

function hasEnded(cause: unknown): LogError {
  const message = 'the outcome of an earlier write is unknown: the service is ending'
  return new LogError('store_failed', message, { cause })
}
