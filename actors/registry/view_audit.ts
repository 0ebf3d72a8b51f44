import { faultsMax, type RegistryFault } from '#actors/registry/journal_audit.ts'
import { projectJournal } from '#actors/registry/view_rebuild.ts'
import { dayRowPrefixes, viewPrefixes } from '#actors/registry/views.ts'
import type { Range, ReadStore, Row, Store } from '#log/base/store.ts'

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
export async function auditViews(
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
