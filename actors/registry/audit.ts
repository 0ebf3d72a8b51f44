import { parseArk } from '#actors/values/ark.ts'
import { ErasureAudit } from '#actors/registry/erasure_audit.ts'
import { decodeEvent, eventKey, eventMetadata, keyPosition } from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  type KeyStatement,
  metadataHash,
  parseEntry,
  receiptKeyId,
  signedBytes,
  type SignedStatement,
  type Statement,
} from '#actors/receipts/statement.ts'
import type { ReceiptKeyRotated } from '#actors/receipts/key_events.ts'
import { projectJournal, viewPrefixes } from '#actors/registry/view_rebuild.ts'
import { dayRowPrefixes } from '#actors/registry/views.ts'
import {
  type FixityChecked,
  type SupersededChecked,
  streamArk,
  type WorkEvent,
  type WorkRegistered,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { verify } from '#log/ed25519.ts'
import { entryKey } from '#log/log_rows.ts'
import type { Store } from '#log/store.ts'

/** Something in the store that is not as the journal and the receipts say. */
export type RegistryFault = { readonly where: string; readonly message: string }

/** What an audit found: how much was read, and the first faults (`faultsMax` of them). */
export type RegistryAuditReport = {
  readonly events: number
  readonly statements: number
  /** Versions whose metadata was erased: their hashes stay, and cannot be recomputed. */
  readonly erasedVersions: number
  readonly viewRows: number
  readonly faults: readonly RegistryFault[]
}

/** What an audit needs beside the store. `scratch` is an empty store that may be thrown away. */
export type RegistryAuditOptions = {
  readonly events: number
  readonly treeSize: number
  /** The key of the first statements, 64 hex digits; the log announces those that follow it. */
  readonly firstReceiptKey: string
  readonly scratch: Store
  readonly progress: (step: 'journal' | 'views', done: number, total: number) => void
}

// Faults that are reported at most: the first ones tell enough.
const faultsMax = 100

/** Events between two reports of progress. */
const progressEvents = 1_000

/**
 * Audits the registry above its log: the journal has no gaps, every statement is in the log where
 * its event says, says what the event says and is signed, and the views are what the journal
 * projects to. The log itself is audited by `log/audit.ts`.
 */
export async function auditRegistry(
  store: Store,
  options: RegistryAuditOptions,
): Promise<RegistryAuditReport> {
  const audit = new RegistryAudit(store, options)
  await audit.readJournal()
  await audit.compareViews()
  return audit.report()
}

class RegistryAudit {
  readonly #store: Store
  readonly #options: RegistryAuditOptions
  readonly #faults: RegistryFault[] = []
  readonly #erasures: ErasureAudit
  /** At the place that is read: the key in use, and when something happened and was signed last. */
  #receiptKey: string
  #newestAt = ''
  #signedAt = ''
  #events = 0
  #statements = 0
  #viewRows = 0

  constructor(store: Store, options: RegistryAuditOptions) {
    this.#store = store
    this.#options = options
    this.#receiptKey = options.firstReceiptKey
    this.#erasures = new ErasureAudit((position) => store.get(eventKey(position)))
  }

  report(): RegistryAuditReport {
    return {
      events: this.#events,
      statements: this.#statements,
      erasedVersions: this.#erasures.versions,
      viewRows: this.#viewRows,
      faults: this.#faults,
    }
  }

  #fault(where: string, message: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push({ where, message })
  }

  async readJournal(): Promise<void> {
    const { events, treeSize, progress } = this.#options
    const range = { gte: eventKey(0), lt: eventKey(events) }
    for await (const [key, row] of this.#store.scan(range)) {
      const position = keyPosition(key)
      if (position !== this.#events) {
        this.#fault(eventKey(this.#events), 'the event is missing')
        this.#events = position
      }
      this.#checkEvent(decodeEvent(position, row), row)
      this.#events += 1
      if (this.#events % progressEvents === 0) progress('journal', this.#events, events)
    }
    for (const { where, message } of this.#erasures.finish()) this.#fault(where, message)
    if (this.#events !== events) this.#fault('journal', `it should hold ${events} events`)
    if (this.#statements !== treeSize) {
      this.#fault('journal', `its events made ${this.#statements} of ${treeSize} log entries`)
    }
  }

  #checkEvent(event: JournalEvent, row: Uint8Array): void {
    const where = eventKey(event.position)
    const previous = event.previous < 0 ? undefined : this.#store.get(eventKey(event.previous))
    const before = previous && decodeEvent(event.previous, previous)
    const isNext = before?.stream === event.stream && before.seq === event.seq - 1
    const isFirst = event.previous === -1 && event.seq === 1
    if (!isFirst && !isNext) this.#fault(where, 'it does not follow the event before it')
    if (event.at < this.#newestAt) this.#fault(where, 'it is dated before an event before it')
    for (const fault of this.#erasures.read(event)) this.#fault(fault.where, fault.message)
    this.#checkEntries(event, row)
    this.#newestAt = event.at
  }

  #checkEntries(event: JournalEvent, row: Uint8Array): void {
    if (event.entryCount === 0) return
    const where = eventKey(event.position)
    if (event.leafIndex !== this.#statements) {
      this.#fault(where, `its first entry should be leaf ${this.#statements}`)
    }
    for (let index = 0; index < event.entryCount; index += 1) {
      this.#checkStatement(event as StatedEvent, row, event.leafIndex + index)
    }
    this.#statements += event.entryCount
    this.#signedAt = event.at
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
    if (event.type === 'ReceiptKeyRotated') this.#receiptKey = event.data.new_public_key
  }

  // The old key ends at the time of the rotation, so all it signed before must be dated before.
  #isRotation({ statement }: SignedStatement, event: JournalEvent & ReceiptKeyRotated): boolean {
    const { data, at } = event
    return (
      statement.statement === 'key_rotated' &&
      statement.timestamp === at &&
      at > this.#signedAt &&
      data.old_public_key === this.#receiptKey &&
      statement.old_key_id === receiptKeyId(data.old_public_key) &&
      statement.new_key_id === receiptKeyId(data.new_public_key) &&
      // Older statements name the new key by its id alone.
      (statement.new_public_key ?? data.new_public_key) === data.new_public_key
    )
  }

  #isSigned({ statement, signature }: SignedStatement): boolean {
    if (signature.public_key !== this.#receiptKey) return false
    const bytes = Buffer.from(signature.signature, 'hex')
    return verify(signedBytes(statement), bytes, Buffer.from(signature.public_key, 'hex'))
  }

  /** Projects the journal into the scratch store and compares every view row with it. */
  async compareViews(): Promise<void> {
    const { scratch, events, progress } = this.#options
    await projectJournal(this.#store, scratch, events, (done, total) => {
      progress('views', done, total)
    })
    for (const prefix of viewPrefixes) await this.#compareRows(prefix)
  }

  async #compareRows(prefix: string): Promise<void> {
    const range = { gte: prefix, lt: `${prefix}~` }
    for await (const [key, expected] of this.#options.scratch.scan(range)) {
      this.#viewRows += 1
      const actual = this.#store.get(key)
      if (actual === undefined && dayRowPrefixes.includes(prefix)) continue
      if (actual === undefined) this.#fault(key, 'the view row is missing')
      else if (Buffer.compare(actual, expected) !== 0) this.#fault(key, 'the view row is wrong')
    }
    for await (const [key] of this.#store.scan(range)) {
      if (this.#options.scratch.get(key) === undefined) this.#fault(key, 'no event made this row')
    }
  }
}

type StatementAboutWork = Exclude<Statement, KeyStatement>

/** An event whose entries are statements. */
type StatedEvent = JournalEvent & (WorkEvent | ReceiptKeyRotated)

/** Whether a statement says what its event says. */
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
      return statement.statement === 'tombstoned' && statement.reason === event.data.reason
    case 'FixityChecked':
    case 'SupersededChecked':
      return isContentOf(statement, event)
    case 'FixityRequested':
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
