import { isOperator } from '#actors/values/agent.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeEvent, eventKey, eventMetadata, keyPosition } from '#actors/journal/rows.ts'
import type { ReceiptKeyRotated } from '#actors/works/receipts/keys.ts'
import {
  type KeyStatement,
  metadataHash,
  parseEntry,
  receiptKeyId,
  signedBytes,
  type SignedStatement,
  type Statement,
} from '#actors/works/receipts/statement.ts'
import { parseArk } from '#actors/values/ark.ts'
import { isBlank, isErasure } from '#actors/works/erasure.ts'
import {
  type FixityChecked,
  type MetadataLost,
  streamArk,
  type SupersededChecked,
  type WorkEvent,
  type WorkRegistered,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import type { ReadStore } from '#log/store/store.ts'
import { entryKey } from '#log/store/log_rows.ts'
import { verify } from '#log/tlog/ed25519.ts'

/** Something in the store that is not as the journal and the receipts say. */
export type RegistryFault = { readonly where: string; readonly message: string }

/** Faults that are reported at most: the first ones tell enough. */
export const faultsMax = 100

/** What the events before a place of the journal say of those that follow it. */
export type JournalPlace = {
  /** The position that comes next. */
  readonly position: number
  /** Log entries until there: those of the events, and map leaves between them. */
  readonly statements: number
  /** When something happened and was signed last; empty before the first. */
  readonly newestAt: string
  readonly signedAt: string
  /** The key in use, 64 hex digits. */
  readonly receiptKey: string
}

/**
 * Events that are audited together: from one position up to, not including, another. Where they
 * begin is read from the events before them unless it is told.
 */
export type JournalRange = {
  readonly from: number
  readonly to: number
  readonly firstReceiptKey: string
  readonly start?: JournalPlace
}

/**
 * What a range was found to be, as plain data: faults, and the events that the audit of erasures
 * follows, in their order. It holds if the range begins where `start` says.
 */
export type JournalReport = {
  readonly start: JournalPlace
  readonly end: JournalPlace
  readonly found: readonly JournalFinding[]
}

/** A fault, or an event whose erasure or loss is to be held against others. */
export type JournalFinding = RegistryFault | JournalEvent

/** How far back the newest statement before a range is looked for. */
const lookBackMax = 1_000

/**
 * Audits a range of the journal: it has no gaps, and every statement is in the log where its event
 * says, says what the event says and is signed. Undefined if it was not told where the range begins
 * and the events before it do not say that.
 */
export async function auditJournalRange(
  store: ReadStore,
  range: JournalRange,
): Promise<JournalReport | undefined> {
  const start = range.start ?? placeBefore(store, range)
  if (start === undefined) return undefined
  const audit = new RangeAudit(store, start)
  await audit.read(range)
  return { start, end: audit.place, found: audit.found }
}

/** Where the first range of a journal begins. */
export function journalStart(receiptKey: string): JournalPlace {
  return { position: 0, statements: 0, newestAt: '', signedAt: '', receiptKey }
}

/** Whether two places of a journal are the same in all that follows from them. */
export function isSamePlace(one: JournalPlace, other: JournalPlace): boolean {
  return (
    one.position === other.position &&
    one.statements === other.statements &&
    one.newestAt === other.newestAt &&
    one.signedAt === other.signedAt &&
    one.receiptKey === other.receiptKey
  )
}

/**
 * Where a range begins if all before it is sound: as the last events before it say. Whoever has
 * audited those compares it with where they end.
 */
function placeBefore(
  store: ReadStore,
  { from, firstReceiptKey }: JournalRange,
): JournalPlace | undefined {
  if (from === 0) return journalStart(firstReceiptKey)
  let newestAt: string | undefined
  for (let position = from - 1; position >= Math.max(0, from - lookBackMax); position -= 1) {
    const row = store.get(eventKey(position))
    if (row === undefined) return undefined
    const event = decodeEvent(position, row)
    newestAt ??= event.at
    if (event.entryCount > 0) return placeAfter(store, event as StatedEvent, { from, newestAt })
  }
  if (from > lookBackMax || newestAt === undefined) return undefined
  return { ...journalStart(firstReceiptKey), position: from, newestAt }
}

function placeAfter(
  store: ReadStore,
  event: StatedEvent,
  { from, newestAt }: { readonly from: number; readonly newestAt: string },
): JournalPlace | undefined {
  const statements = event.leafIndex + event.entryCount
  const receiptKey =
    event.type === 'ReceiptKeyRotated'
      ? event.data.new_public_key
      : signerOf(store.get(entryKey(statements - 1)))
  if (receiptKey === undefined) return undefined
  return { position: from, statements, newestAt, signedAt: event.at, receiptKey }
}

function signerOf(entry: Uint8Array | undefined): string | undefined {
  const signed = entry && parseEntry(entry)
  return signed === undefined || 'type' in signed ? undefined : signed.signature.public_key
}

/** Where the first entry stands, from one leaf up to another, that is no map leaf: no event's. */
export function afterMapLeaves(store: ReadStore, from: number, to: number): number {
  let leafIndex = from
  while (leafIndex < to) {
    const entry = store.get(entryKey(leafIndex))
    if (entry === undefined || !isMapLeaf(entry)) break
    leafIndex += 1
  }
  return leafIndex
}

class RangeAudit {
  readonly #store: ReadStore
  readonly found: JournalFinding[] = []
  #faults = 0
  /** Where the next event stands. */
  readonly #place: { -readonly [Key in keyof JournalPlace]: JournalPlace[Key] }

  constructor(store: ReadStore, start: JournalPlace) {
    this.#store = store
    this.#place = { ...start }
  }

  get place(): JournalPlace {
    return this.#place
  }

  async read({ from, to }: JournalRange): Promise<void> {
    const keys = { gte: eventKey(from), lt: eventKey(to) }
    for await (const batch of this.#store.scanBatches(keys)) {
      for (const [key, row] of batch) {
        const position = keyPosition(key)
        if (position !== this.#place.position) {
          this.#fault(eventKey(this.#place.position), 'the event is missing')
          this.#place.position = position
        }
        this.#checkEvent(decodeEvent(position, row), row)
        this.#place.position += 1
      }
    }
  }

  #fault(where: string, message: string): void {
    if (this.#faults < faultsMax) this.found.push({ where, message })
    this.#faults += 1
  }

  #checkEvent(event: JournalEvent, row: Uint8Array): void {
    const where = eventKey(event.position)
    const previous = event.previous < 0 ? undefined : this.#store.get(eventKey(event.previous))
    const before = previous && decodeEvent(event.previous, previous)
    const isNext = before?.stream === event.stream && before.seq === event.seq - 1
    const isFirst = event.previous === -1 && event.seq === 1
    if (!isFirst && !isNext) this.#fault(where, 'it does not follow the event before it')
    if (event.at < this.#place.newestAt) this.#fault(where, 'it is dated before an event before it')
    if (isErasedOrHasReason(event)) this.found.push(event)
    this.#checkEntries(event, row)
    this.#place.newestAt = event.at
  }

  #checkEntries(event: JournalEvent, row: Uint8Array): void {
    if (event.entryCount === 0) return
    const where = eventKey(event.position)
    this.#place.statements = afterMapLeaves(this.#store, this.#place.statements, event.leafIndex)
    if (event.leafIndex !== this.#place.statements) {
      this.#fault(where, `its first entry should be leaf ${this.#place.statements}`)
    }
    for (let index = 0; index < event.entryCount; index += 1) {
      this.#checkStatement(event as StatedEvent, row, event.leafIndex + index)
    }
    this.#place.statements += event.entryCount
    this.#place.signedAt = event.at
  }

  #checkStatement(event: StatedEvent, row: Uint8Array, leafIndex: number): void {
    const where = entryKey(leafIndex)
    const entry = this.#store.get(where)
    const signed = entry && parseEntry(entry)
    if (signed === undefined || 'type' in signed) {
      return this.#fault(where, 'there is no signed statement')
    }
    if (!this.#isSigned(signed)) this.#fault(where, 'its signature is wrong')
    const agrees =
      event.type === 'ReceiptKeyRotated'
        ? this.#isRotation(signed, event)
        : isStatementOf(signed, event, row)
    if (!agrees) this.#fault(where, 'it contradicts its event')
    if (event.type === 'ReceiptKeyRotated') this.#place.receiptKey = event.data.new_public_key
  }

  // The old key ends at the time of the rotation, so all it signed before must be dated before.
  #isRotation({ statement }: SignedStatement, event: JournalEvent & ReceiptKeyRotated): boolean {
    const { data, at } = event
    return (
      statement.statement === 'key_rotated' &&
      statement.timestamp === at &&
      at > this.#place.signedAt &&
      data.old_public_key === this.#place.receiptKey &&
      statement.old_key_id === receiptKeyId(data.old_public_key) &&
      statement.new_key_id === receiptKeyId(data.new_public_key) &&
      // Older statements name the new key by its id alone.
      (statement.new_public_key ?? data.new_public_key) === data.new_public_key
    )
  }

  #isSigned({ statement, signature }: SignedStatement): boolean {
    if (signature.public_key !== this.#place.receiptKey) return false
    const bytes = Buffer.from(signature.signature, 'hex')
    return verify(signedBytes(statement), bytes, Buffer.from(signature.public_key, 'hex'))
  }
}

type StatementAboutWork = Exclude<Statement, KeyStatement>

/** An event whose entries are statements. */
export type StatedEvent = JournalEvent & (WorkEvent | ReceiptKeyRotated)

/** Whether a statement says what its event says; `row` is the event's. */
function isStatementOf(
  { statement }: SignedStatement,
  event: JournalEvent & WorkEvent,
  row: Uint8Array,
): boolean {
  if (statement.statement === 'key_rotated') return false
  const ark = parseArk(statement.ark)
  if (ark.type !== 'ark' || ark.ark !== streamArk(event.stream)) return false
  if (statement.timestamp !== event.at) return false
  switch (event.type) {
    case 'WorkWithdrawn':
      return (
        statement.statement === 'tombstoned' &&
        statement.reason === event.data.reason &&
        (statement.by === undefined || isOperator(event.by))
      )
    case 'FixityChecked':
    case 'SupersededChecked':
      return isContentOf(statement, event)
    case 'FixityRequested':
    case 'FileChecked':
    case 'WorkErased':
    case 'MetadataLost':
      return false
    case 'WorkRegistered':
    case 'WorkVersioned':
      return isRegistrationOf(statement, event, row)
  }
}

function isContentOf(
  statement: StatementAboutWork,
  { data }: FixityChecked | SupersededChecked,
): boolean {
  return (
    statement.statement === 'content' &&
    data.status === 'verified' &&
    statement.version === data.version &&
    statement.receipt_id === data.receipt_id &&
    statement.content_hash === `sha256:${data.sha256}` &&
    statement.content_hash === data.content?.content_hash &&
    statement.metadata_hash === data.content.metadata_hash
  )
}

function isRegistrationOf(
  statement: StatementAboutWork,
  event: WorkRegistered | WorkVersioned,
  row: Uint8Array,
): boolean {
  const hash =
    event.data.metadata === null
      ? event.data.metadata_hash
      : metadataHash(Buffer.from(eventMetadata(row)).toString('utf8'))
  return (
    statement.statement === 'registered' &&
    statement.version === (event.type === 'WorkRegistered' ? 1 : event.data.version) &&
    statement.receipt_id === event.data.receipt_id &&
    statement.content_hash === event.data.content_hash &&
    statement.metadata_hash === event.data.metadata_hash &&
    statement.metadata_hash === hash
  )
}

/** An event that an erasure contradicts: its row's key, and what is wrong. */
type ErasureFault = { readonly where: string; readonly message: string }

/** Whether an audit of erasures follows an event: it has lost its metadata, or says why. */
function isErasedOrHasReason(event: JournalEvent): boolean {
  const { data } = event as JournalEvent & WorkEvent
  const isBlankWork = 'metadata' in data && data.metadata === null
  return isBlankWork || isErasure(event) || event.type === 'MetadataLost'
}

/** An event without its metadata: where it stands, and of which version it is. */
type BlankEvent = { readonly where: string; readonly version: number }

/**
 * Holds erasures and the events whose metadata is gone against each other, while a journal is read
 * in its order: an erasure blanks all events of its stream, a loss is of those from one version on,
 * and no other event has none.
 */
export class ErasureAudit {
  readonly #rowAt: (position: number) => Uint8Array | undefined
  /** The first blank event of each stream whose erasure, or loss, was not read yet. */
  readonly #unexplained = new Map<string, BlankEvent>()
  #versions = 0

  constructor(rowAt: (position: number) => Uint8Array | undefined) {
    this.#rowAt = rowAt
  }

  /** Versions that were read without their metadata. */
  get versions(): number {
    return this.#versions
  }

  /**
   * Takes the next event (others than those of `isErasedOrHasReason` change nothing), and gives
   * what is wrong with those that it explains.
   */
  read(event: JournalEvent): readonly ErasureFault[] {
    if (isErasure(event)) {
      this.#unexplained.delete(event.stream)
      return this.#keptBefore(event)
    }
    if (event.type === 'MetadataLost')
      return this.#explainLoss(event as JournalEvent & MetadataLost)
    const { data } = event as JournalEvent & WorkEvent
    if (!('metadata' in data) || data.metadata !== null) return []
    this.#versions += 1
    if (!this.#unexplained.has(event.stream)) {
      const version = 'version' in data ? data.version : 1
      this.#unexplained.set(event.stream, { where: eventKey(event.position), version })
    }
    return []
  }

  /** What is wrong once all events were read. */
  finish(): readonly ErasureFault[] {
    const message = 'its metadata is gone, and no event erased it'
    return [...this.#unexplained.values()].map(({ where }) => ({ where, message }))
  }

  // With an erasure after it, versions from before the loss may be blank too: that explains them.
  #explainLoss({ stream, position, data }: JournalEvent & MetadataLost): ErasureFault[] {
    const first = this.#unexplained.get(stream)
    if (first === undefined) {
      return [{ where: eventKey(position), message: 'it tells of a loss, and nothing is lost' }]
    }
    if (first.version >= data.since) this.#unexplained.delete(stream)
    return []
  }

  #keptBefore(erasure: JournalEvent): ErasureFault[] {
    const faults: ErasureFault[] = []
    for (let position = erasure.previous; position >= 0; ) {
      const row = this.#rowAt(position)
      // A hole in the journal is told by who reads it.
      if (row === undefined) break
      const event = decodeEvent(position, row) as JournalEvent & WorkEvent
      if (!isBlank(event)) {
        faults.push({
          where: eventKey(position),
          message: 'it was erased, and still says something',
        })
      }
      position = event.previous
    }
    return faults
  }
}
