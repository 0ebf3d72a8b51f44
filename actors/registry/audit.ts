import { eventKey } from '#actors/journal/rows.ts'
import {
  afterMapLeaves,
  auditJournalRange,
  ErasureAudit,
  faultsMax,
  isSamePlace,
  type JournalPlace,
  type JournalRange,
  type JournalReport,
  journalStart,
  type RegistryFault,
} from '#actors/registry/journal_audit.ts'
import { dayRowPrefixes, projectJournal, viewPrefixes } from '#actors/registry/views.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Range, ReadStore, Row, Store } from '#log/store/store.ts'
import type { RangeAuditor } from '#log/store/audit_range.ts'

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
  /** Threads that audit ranges of the journal while this one makes the views anew. */
  readonly threads?: RangeAuditor<JournalRange, JournalReport | undefined>
  readonly rangeEvents?: number
}

/** Events of a range unless told: what a thread is at for some tenths of a second. */
const rangeEventsDefault = 2_048

/**
 * Audits the registry above its log: the journal has no gaps, every statement is in the log where
 * its event says, says what the event says and is signed, and the views are what the journal
 * projects to. Threads find the same, in the same order. The log itself is audited by
 * `log/store/audit.ts`.
 */
export async function auditRegistry(
  store: Store,
  options: RegistryAuditOptions,
): Promise<RegistryAuditReport> {
  const { events, scratch, progress, threads } = options
  const journal = new JournalAudit(store, options)
  let isStopped = false
  let isRead = false
  const compareViews = () =>
    auditViews(store, {
      events,
      scratch,
      // Of what happens at the same time, the first is told of.
      progress: (done, total) => isRead && progress('views', done, total),
      isStopped: () => isStopped,
    })
  const comparing = threads && compareViews()
  // Whoever waits for the journal hears of it afterwards.
  comparing?.catch(() => undefined)
  try {
    await journal.read()
  } catch (error) {
    isStopped = true
    await comparing?.catch(() => undefined)
    throw error
  }
  isRead = true
  const views = await (comparing ?? compareViews())
  assert(views !== undefined, 'the views were compared to their end')
  return journal.report(views)
}

class JournalAudit {
  readonly #store: Store
  readonly #options: RegistryAuditOptions
  readonly #faults: RegistryFault[] = []
  readonly #erasures: ErasureAudit
  #place: JournalPlace

  constructor(store: Store, options: RegistryAuditOptions) {
    this.#store = store
    this.#options = options
    this.#place = journalStart(options.firstReceiptKey)
    this.#erasures = new ErasureAudit((position) => store.get(eventKey(position)))
  }

  report(views: ViewReport): RegistryAuditReport {
    return {
      events: this.#place.position,
      statements: this.#place.statements,
      erasedVersions: this.#erasures.versions,
      viewRows: views.rows,
      faults: [...this.#faults, ...views.faults].slice(0, faultsMax),
    }
  }

  async read(): Promise<void> {
    const { events, treeSize, progress } = this.#options
    for await (const [range, report] of this.#auditRanges()) {
      // Where the events before a range are not what they say, it is audited from where they end.
      const isTrue = report !== undefined && isSamePlace(report.start, this.#place)
      this.#take(isTrue ? report : await this.#audit({ ...range, start: this.#place }))
      progress('journal', Math.min(range.to, events), events)
    }
    for (const fault of this.#erasures.finish()) this.#fault(fault)
    const { position } = this.#place
    const statements = afterMapLeaves(this.#store, this.#place.statements, treeSize)
    const where = 'journal'
    if (position !== events) this.#fault({ where, message: `it should hold ${events} events` })
    if (statements !== treeSize) {
      const message = `its events made ${statements} of ${treeSize} log entries`
      this.#fault({ where, message })
    }
  }

  /** The ranges in their order, audited. As many are under way as threads can be at. */
  async *#auditRanges(): AsyncGenerator<readonly [JournalRange, JournalReport | undefined]> {
    const { events, firstReceiptKey, threads, rangeEvents = rangeEventsDefault } = this.#options
    const underWayMax = threads === undefined ? 1 : 2 * threads.threadsMax
    const underWay: (readonly [JournalRange, Promise<JournalReport | undefined>])[] = []
    for (let from = 0; from < events || underWay.length > 0; ) {
      while (from < events && underWay.length < underWayMax) {
        const range = { from, to: Math.min(from + rangeEvents, events), firstReceiptKey }
        const auditing = this.#audit(range)
        // After the end of this one nobody waits for those behind it.
        auditing.catch(() => undefined)
        underWay.push([range, auditing])
        from = range.to
      }
      const next = underWay.shift()
      if (next !== undefined) yield [next[0], await next[1]]
    }
  }

  #audit(range: JournalRange): Promise<JournalReport | undefined> {
    const { threads } = this.#options
    return threads === undefined ? auditJournalRange(this.#store, range) : threads.audit(range)
  }

  #take(report: JournalReport | undefined): void {
    assert(report !== undefined, 'a range whose start is told is audited')
    for (const finding of report.found) {
      if ('where' in finding) this.#fault(finding)
      else for (const fault of this.#erasures.read(finding)) this.#fault(fault)
    }
    this.#place = report.end
  }

  #fault(fault: RegistryFault): void {
    if (this.#faults.length < faultsMax) this.#faults.push(fault)
  }
}

/** What the views were found to be: how many rows there should be, and the first faults. */
export type ViewReport = { readonly rows: number; readonly faults: readonly RegistryFault[] }

/** What an audit of views needs beside the store. */
export type ViewAuditOptions = {
  readonly events: number
  /** An empty store that may be thrown away. */
  readonly scratch: Store
  readonly progress: (done: number, total: number) => void
  /** Asked now and then whether nobody waits for the report any more. */
  readonly isStopped: () => boolean
}

/**
 * Projects the journal into the scratch store and compares every row of the views with it.
 * Undefined if it was stopped.
 */
async function auditViews(
  store: ReadStore,
  { events, scratch, progress, isStopped }: ViewAuditOptions,
): Promise<ViewReport | undefined> {
  await projectJournal(store, scratch, events, progress, isStopped)
  const report = { rows: 0, faults: [] as RegistryFault[] }
  for (const prefix of viewPrefixes) {
    if (isStopped()) return undefined
    const compared = await compareRows(store, scratch, prefix)
    report.rows += compared.rows
    report.faults.push(...compared.faults)
  }
  return { rows: report.rows, faults: report.faults.slice(0, faultsMax) }
}

/** Rows that are missing or wrong come first, then those that no event made. */
async function compareRows(
  store: ReadStore,
  scratch: ReadStore,
  prefix: string,
): Promise<ViewReport> {
  const range = { gte: prefix, lt: `${prefix}~` }
  const faults: RegistryFault[] = []
  const planted: RegistryFault[] = []
  let rows = 0
  for await (const { key, expected, actual } of joinRows(scratch, store, range)) {
    if (expected !== undefined) rows += 1
    const found = expected === undefined ? planted : faults
    const message = messageOf(prefix, expected, actual)
    if (message !== undefined && found.length < faultsMax) found.push({ where: key, message })
  }
  return { rows, faults: [...faults, ...planted] }
}

function messageOf(
  prefix: string,
  expected: Uint8Array | undefined,
  actual: Uint8Array | undefined,
): string | undefined {
  if (expected === undefined) return 'no event made this row'
  if (actual !== undefined) {
    return Buffer.compare(actual, expected) === 0 ? undefined : 'the view row is wrong'
  }
  return dayRowPrefixes.includes(prefix) ? undefined : 'the view row is missing'
}

type JoinedRow = {
  readonly key: string
  readonly expected?: Uint8Array
  readonly actual?: Uint8Array
}

/** The rows of two stores in the order of their keys, those of one key as one. */
async function* joinRows(
  expected: ReadStore,
  actual: ReadStore,
  range: Range,
): AsyncGenerator<JoinedRow> {
  await using left = new RowReader(expected.scanBatches(range))
  await using right = new RowReader(actual.scanBatches(range))
  for (;;) {
    const [a, b] = [left.row ?? (await left.fill()), right.row ?? (await right.fill())]
    if (a === undefined && b === undefined) return
    const isFirst = a !== undefined && (b === undefined || a[0] <= b[0])
    const isSecond = b !== undefined && (a === undefined || b[0] <= a[0])
    const key = isFirst ? a[0] : (b as Row)[0]
    yield {
      key,
      ...(isFirst && { expected: a[1] }),
      ...(isSecond && { actual: b[1] }),
    }
    if (isFirst) left.next()
    if (isSecond) right.next()
  }
}

/** Rows one after the other, of batches. */
class RowReader implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly Row[]>
  #batch: readonly Row[] = []
  #at = 0

  constructor(batches: AsyncIterable<readonly Row[]>) {
    this.#batches = batches[Symbol.asyncIterator]()
  }

  /** The row that is looked at; undefined at the end, and where the next batch is not read yet. */
  get row(): Row | undefined {
    return this.#batch[this.#at]
  }

  next(): void {
    this.#at += 1
  }

  /** Reads the next batch, and gives its first row; undefined at the end. */
  async fill(): Promise<Row | undefined> {
    const step = await this.#batches.next()
    this.#batch = step.done === true ? [] : step.value
    this.#at = 0
    return this.row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.()
  }
}
