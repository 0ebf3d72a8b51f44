import type { NewEvent } from '#actors/journal/journal.ts'
import { type JournalHead, PoolDraft } from '#actors/journal/pool.ts'
import { readerOf, readEvent, type ReadRow } from '#actors/journal/rows.ts'
import { registryProjection } from '#actors/registry/views.ts'
import type { Agent } from '#actors/values/agent.ts'
import { formatArk, parseArk } from '#actors/values/ark.ts'
import {
  type FixityChecked,
  type MetadataLost,
  streamArk,
  type SupersededChecked,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
  workStream,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { type WithdrawalReason, withdrawalReasons } from '#actors/works/port.ts'
import {
  parseEntry,
  receiptKeyId,
  signedBytes,
  type SignedStatement,
  type Statement,
  type TombstoneStatement,
  type WorkStatement,
} from '#actors/works/receipts/statement.ts'
import { readVersionRow, readWork } from '#actors/works/record.ts'
import { isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import type { AgreedTree } from '#log/store/commit.ts'
import type { Store } from '#log/store/store.ts'
import { verify } from '#log/tlog/ed25519.ts'
import { assert, CodedError } from '#log/tlog/errors.ts'
import type { Signer } from '#log/tlog/note.ts'

/** Why the entries of a log cannot be gone on from. */
export type RecoveryErrorCode = 'recovery_key_lost' | 'recovery_impossible'

/** A fault of a recovery; nothing that it has written may be used. */
class RecoveryError extends CodedError<RecoveryErrorCode> {
  override readonly name: string = 'RecoveryError'
}

/** What is recovered into: an older copy of the registry, which nobody else uses. */
export type RecoveryOptions = {
  readonly store: Store
  readonly head: JournalHead
  /** Signs checkpoints as the log. */
  readonly signer: Signer
  /** The receipt key in use at `head`, as 64 hex digits. */
  readonly receiptKey: string
}

/** What came of a recovery: entries that were appended, and works that lack something now. */
export type RecoveryReport = { readonly entries: number; readonly lostWorks: number }

/** From which version on a work's metadata is lost, and why it is shown no more. */
type Loss = MetadataLost['data']

// Whoever sequenced the entries has kept its bounds and judged their times.
const noLimits = { notBefore: '', eventBytesMax: Number.POSITIVE_INFINITY }

/** Losses that are written down with one batch. */
const lossesPerBatch = 4_096

/**
 * Has an older copy of a registry go on from its log as others have it: the entries after those of
 * the copy are appended as they stand, so that the log has one history, and for each there is an
 * event that says what the statement says. What came with it is nowhere: a work of which a version
 * is lost is withdrawn, and its ARK is never minted again. It owns the head.
 */
export class LogRecovery {
  readonly #options: RecoveryOptions
  readonly #losses = new Map<string, Loss>()
  #head: JournalHead
  #entries = 0

  constructor(options: RecoveryOptions) {
    this.#options = options
    this.#head = options.head
  }

  /** Where journal and log stand. */
  get head(): JournalHead {
    return this.#head
  }

  /**
   * Appends the next entries in one synced batch. `agreed` is the tree that the log has with them,
   * as its own key has signed it: no other is signed here. Errors: RecoveryError
   * `recovery_key_lost`, `recovery_impossible`; LogError `log_inconsistent`, those of the store.
   */
  async append(entries: readonly Uint8Array[], agreed: AgreedTree): Promise<void> {
    const draft = this.#draft()
    for (const [at, entry] of entries.entries()) {
      if (isMapLeaf(entry)) draft.takeMapLeaf(entry)
      else this.#take(draft, this.#head.log.treeSize + at, entry)
    }
    await this.#commit(draft, agreed)
    this.#entries += entries.length
  }

  /** Writes down, as of a time, which works lack something. Errors: those of the store. */
  async finish(at: string): Promise<RecoveryReport> {
    const losses = [...this.#losses]
    for (let from = 0; from < losses.length; from += lossesPerBatch) {
      const draft = this.#draft()
      for (const [ark, data] of losses.slice(from, from + lossesPerBatch)) {
        const event: MetadataLost = { type: 'MetadataLost', schema: 1, by: recoverer, data }
        this.#propose(draft, { ark, at, event, entries: [] })
      }
      await this.#commit(draft)
    }
    return { entries: this.#entries, lostWorks: losses.length }
  }

  #draft(): PoolDraft {
    const { store, signer } = this.#options
    const sources = { read: readerOf(store), signer, projection: registryProjection }
    return new PoolDraft(this.#head, sources, noLimits)
  }

  async #commit(draft: PoolDraft, agreed?: AgreedTree): Promise<void> {
    const { refusal } = draft
    if (refusal?.type === 'failed') throw refusal.error
    assert(refusal === undefined, `what the log says follows: ${JSON.stringify(refusal)}`)
    const plan = draft.finish(agreed)
    await this.#options.store.commit(plan.operations)
    this.#head = plan.next
  }

  #take(draft: PoolDraft, leafIndex: number, entry: Uint8Array): void {
    const signed = parseEntry(entry)
    if ('type' in signed) throw impossible(leafIndex, signed.reason)
    this.#checkSigned(leafIndex, signed)
    const { statement } = signed
    if (!isAboutWork(statement)) throw keyLost(leafIndex, statement.new_key_id)
    const ark = parseArk(statement.ark)
    if (ark.type !== 'ark') throw impossible(leafIndex, 'it names no ARK')
    const state = readWork(ark.ark, draft.read)?.state
    const stream = workStream(ark.ark)
    const events = recoverEvents(statement, { stream, state, read: draft.read })
    const at = statement.timestamp
    if (events === undefined || at < this.#head.newestAt) {
      throw impossible(leafIndex, `${statement.ark} is not at the state that it speaks of`)
    }
    for (const [index, event] of events.entries()) {
      const entries = index === events.length - 1 ? [entry] : []
      this.#propose(draft, { ark: ark.ark, at, event, entries })
    }
    this.#noteLoss(ark.ark, statement)
  }

  #propose(
    draft: PoolDraft,
    change: { ark: string; at: string; event: NewEvent; entries: readonly Uint8Array[] },
  ): void {
    const { ark, at, event, entries } = change
    const stream = workStream(ark)
    const expectedSeq = readWork(ark, draft.read)?.state.seq ?? 0
    draft.take({ stream, expectedSeq, at, events: [event], unique: [], entries })
  }

  #checkSigned(leafIndex: number, { statement, signature }: SignedStatement): void {
    const { receiptKey } = this.#options
    const key = signature.public_key
    const bytes = Buffer.from(signature.signature, 'hex')
    if (
      key === receiptKey &&
      verify(signedBytes(statement), bytes, Buffer.from(receiptKey, 'hex'))
    ) {
      return
    }
    throw impossible(leafIndex, `it is not signed with the receipt key ${receiptKeyId(receiptKey)}`)
  }

  #noteLoss(ark: string, statement: StatementAboutWork): void {
    const known = this.#losses.get(ark)
    if (statement.statement === 'registered' && known === undefined) {
      this.#losses.set(ark, { since: statement.version, reason: 'data_lost' })
    }
    if (statement.statement === 'tombstoned' && known !== undefined && 'reason' in statement) {
      this.#losses.set(ark, { ...known, reason: statement.reason as Loss['reason'] })
    }
  }
}

function impossible(leafIndex: number, why: string): RecoveryError {
  return new RecoveryError(
    'recovery_impossible',
    `Entry ${leafIndex} cannot be gone on from: ${why}. The log is proven to have it, so the ` +
      'backup is of another state than the log was in then: restore another backup.',
  )
}

function keyLost(leafIndex: number, keyId: string): RecoveryError {
  return new RecoveryError(
    'recovery_key_lost',
    `Entry ${leafIndex} says that receipts are signed with the key ${keyId} from then on, which ` +
      'was made after the backup, so that nothing more can be signed. Restore a backup that was ' +
      'made after that key. If there is none, begin a new log, and say so to those who follow ' +
      'this one.',
  )
}

/** A statement about a work, of which the log has the entry. */
type StatementAboutWork = WorkStatement | TombstoneStatement

/**
 * The registry, which writes down what its log says. It owns the works of which nothing else is
 * known: nobody can tell any more who registered them.
 */
const recoverer: Agent = {
  type: 'operator',
  id: 'operator',
  name: 'Operator',
  via: 'service',
}

/** Content whose check is lost is looked at again after so long. */
const recheckMs = 24 * 3_600_000

/**
 * The events that a statement was made with, as far as it tells: what it leaves out is null. The
 * statement is of the last of them, and the others follow from it. `state` is the work before it,
 * whose stream is `stream`; `read` reads rows as they stand then. Undefined if it cannot follow.
 */
function recoverEvents(
  statement: StatementAboutWork,
  { stream, state, read }: { stream: string; state: WorkState | undefined; read: ReadRow },
): readonly WorkEvent[] | undefined {
  if (state?.status === 'withdrawn') return undefined
  switch (statement.statement) {
    case 'registered':
      return recoverVersion(statement, stream, state)
    case 'content':
      return state && recoverCheck(statement, state, read)
    case 'tombstoned':
      return state && recoverWithdrawal(statement, state)
  }
}

/** Whether a statement is about a work, and not about the log itself. */
function isAboutWork(statement: Statement): statement is StatementAboutWork {
  return statement.statement !== 'key_rotated'
}

function recoverVersion(
  statement: WorkStatement,
  stream: string,
  state: WorkState | undefined,
): readonly (WorkRegistered | WorkVersioned)[] | undefined {
  const { version, receipt_id, metadata_hash, content_hash } = statement
  if (version !== (state?.version ?? 0) + 1) return undefined
  const facts = { receipt_id, metadata_hash, content_hash }
  const common = { schema: 1, by: recoverer } as const
  if (state !== undefined) {
    const what = { kind: 'versioned', version, changed_fields: [] } as const
    const data = { ...what, ...facts, fixity_status: 'pending', metadata: null } as const
    return [{ type: 'WorkVersioned', ...common, data }]
  }
  const [naan = '', name = ''] = streamArk(stream).split('/')
  const dated = statement.ark === formatArk(naan, name) ? {} : ({ dated: true } as const)
  return [{ type: 'WorkRegistered', ...common, data: { ...facts, ...dated, metadata: null } }]
}

function recoverWithdrawal(
  { version, reason }: TombstoneStatement,
  state: WorkState,
): readonly WorkEvent[] | undefined {
  if (version !== state.version || !isWithdrawalReason(reason)) return undefined
  return [{ type: 'WorkWithdrawn', schema: 1, by: recoverer, data: { reason } }]
}

function isWithdrawalReason(reason: string): reason is WithdrawalReason {
  return (withdrawalReasons as readonly string[]).includes(reason)
}

/** What is left of a check: what it found is known by its hash alone. */
const lostCheck = {
  method: 'remote_fetch',
  final_url: null,
  http_status: null,
  bytes: null,
  media_type: null,
  sha512: null,
} as const

function recoverCheck(
  statement: WorkStatement,
  state: WorkState,
  read: ReadRow,
): readonly WorkEvent[] | undefined {
  const { version, timestamp, receipt_id } = statement
  if (version !== state.version) return recoverSuperseded(statement, state, read)
  const check: FixityChecked = {
    type: 'FixityChecked',
    schema: 1,
    by: recoverer,
    data: {
      version,
      since: state.checked?.since ?? version,
      receipt_id,
      from: state.fixity_status,
      ...verified(statement),
      next_check_at: new Date(Date.parse(timestamp) + recheckMs).toISOString(),
    },
  }
  return [check]
}

function verified({ content_hash, metadata_hash }: WorkStatement) {
  const hash = content_hash ?? ''
  const sha256 = hash.slice(hash.indexOf(':') + 1)
  const found = { ...lostCheck, sha256, reason: null, message: null }
  return { status: 'verified', ...found, content: { content_hash: hash, metadata_hash } } as const
}

// Superseded versions are checked from the newest on: those before the stated one had no content.
function recoverSuperseded(
  statement: WorkStatement,
  state: WorkState,
  read: ReadRow,
): readonly SupersededChecked[] | undefined {
  const checks: SupersededChecked[] = []
  let version = state.unsettled?.version ?? null
  while (version !== null) {
    const { position, waiting = null } = readVersionRow(state.ark, version, read)
    const isStated = version === statement.version
    const { receipt_id } = readEvent(position, read).data as { readonly receipt_id: string }
    const found = isStated ? verified(statement) : unread
    const data = { version, receipt_id, ...found, waiting }
    checks.push({ type: 'SupersededChecked', schema: 1, by: recoverer, data })
    if (isStated) return checks
    version = waiting
  }
  return undefined
}

const unread = {
  ...lostCheck,
  status: 'unreachable',
  sha256: null,
  reason: 'check_lost',
  message: 'what its check found is lost',
} as const
