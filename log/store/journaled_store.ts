import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

import { assert, LogError } from '#log/tlog/errors.ts'
import { CorruptRowError, decodeRow, encodeRow } from '#log/store/damage.ts'
import {
  type HeldRows,
  type LevelRows,
  noLaterWrite,
  type RowBatch,
} from '#log/store/level_rows.ts'
import type { StoredRow } from '#log/store/level_rows.ts'
import { entryPrefix, keyNumber, keysWith, missingRow } from '#log/store/log_rows.ts'
import type { Operation, Range, Row, Store } from '#log/store/store.ts'
import { encodeHex } from '#log/tlog/encoding.ts'

/**
 * A store that writes each fact once. Its **journal** is a database whose keys only ascend, so that
 * nothing in it is ever merged: a synced write to it makes a batch certain. All other rows are
 * **views**, in a database beside it, written after that without a sync: what a crash takes of them
 * is written again from the journal. The journal's rows, where P is the key of the newest event:
 *
 *     !form                         where the journal begins (JournalForm)
 *     event/<12 hex: position>      an event's row, as the store gives it
 *     P+<12 hex: leafIndex>         an entry; its row among the views says which P that is
 *     P/<12 hex: number>            the changes of the views of the batch of that number
 *
 * Rows of before the journal began lie among the views, where they always lay. Two rows of the
 * views are not shown: `!applied`, the newest batch that they have, and `!flushed`, one that they
 * have on the disk with all before it.
 */
export type JournalForm = {
  readonly schema: 1
  /** What the keys of events begin with. */
  readonly prefix: string
  /** The key of the first event of the journal; those before it lie among the views. */
  readonly from: string
  /** The same of entries. */
  readonly fromLeaf: number
  readonly firstBatch: number
}

/** Name of the journal's folder within that of the store. */
export const journalFolder = 'journal'

const formKey = '!form'
const appliedKey = '!applied'
const flushedKey = '!flushed'

/** No key that is shown comes before this one. */
const firstShown = '"'

const numberDigits = 12

/** A batch by its number, and the key of its row in the journal. */
type BatchMark = { readonly batch: number; readonly at: string }

function putMark(batch: RowBatch, key: string, mark: BatchMark): void {
  batch.put(key, encodeRow(key, Buffer.from(JSON.stringify(mark))))
}

function decodeMark(key: string, bytes: Uint8Array | undefined): BatchMark | undefined {
  return bytes && (decodeJson(key, bytes) as BatchMark)
}

function decodeJson(key: string, bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(decodeRow(key, bytes)).toString('utf8'))
}

/** Whether a database is the views of a journal. */
export function isJournaled(views: LevelRows): boolean {
  return views.get(appliedKey) !== undefined
}

/** Where the journal of a store begins; undefined if it has not begun. */
export function readForm(journal: LevelRows): JournalForm | undefined {
  const bytes = journal.get(formKey)
  if (bytes === undefined) return undefined
  const form = decodeJson(formKey, bytes) as JournalForm
  assert(form.schema === 1, 'the journal has a form that this version knows')
  return form
}

/** Whether anything was ever written to a journal. */
export async function hasBatches(journal: LevelRows): Promise<boolean> {
  return (await newestBatch(journal)) !== undefined
}

/**
 * Begins a journal after what lies among the views, whose newest events and entries have no gap for
 * as far back as `tailBytes`. `prefix` is that of the keys of events. Errors: `store_corrupt`.
 */
export async function beginJournal(
  { views, journal }: { readonly views: LevelRows; readonly journal: LevelRows },
  prefix: string,
  tailBytes: number,
): Promise<JournalForm> {
  const form: JournalForm = {
    schema: 1,
    prefix,
    from: prefix + numberPart(await countRows(views, prefix, tailBytes)),
    fromLeaf: await countRows(views, entryPrefix, tailBytes),
    firstBatch: 1,
  }
  const bytes = encodeRow(formKey, Buffer.from(JSON.stringify(form)))
  const batch = journal.newBatch()
  batch.put(formKey, bytes)
  await journal.write(batch, { sync: true })
  return form
}

/** How many rows there are of a prefix and a number that goes up by one; the last are counted. */
async function countRows(views: LevelRows, prefix: string, tailBytes: number): Promise<number> {
  let count: number | undefined
  let next: number | undefined
  let bytesRead = 0
  for await (const rows of views.read({ ...keysWith(prefix), reverse: true })) {
    for (const [key, bytes] of rows) {
      const number = keyNumber(key)
      if (next !== undefined && number !== next) throw missingRow(`the row ${prefix}${next}`)
      count ??= number + 1
      next = number - 1
      bytesRead += bytes.length
    }
    if (bytesRead > tailBytes) break
  }
  return count ?? 0
}

function numberPart(number: number): string {
  return number.toString(16).padStart(numberDigits, '0')
}

/** Whether a key of the journal is that of a batch's changes of the views. */
function isChangesKey(key: string, { prefix }: JournalForm): boolean {
  return (
    key.startsWith(prefix) &&
    key.length > prefix.length + numberDigits &&
    key.at(-1 - numberDigits) === '/'
  )
}

/** Bytes before the key and the bytes of a change: how many of both there are. */
const lengthBytes = 6

/** Changes that are longer than this are compressed, of which the row's first byte tells. */
const compressedFrom = 16_384

const plainForm = 0
const zstdForm = 1

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * The changes of the views by one batch, as the journal keeps them: each its lengths (2 bytes and
 * 4, big-endian; 0 if it deletes), its key, and its bytes.
 */
class Changes {
  #bytes = Buffer.allocUnsafe(changesBytesFirst)
  length = 1

  add(key: string, row: Uint8Array): void {
    const end = this.length + lengthBytes + key.length + row.length
    if (end > this.#bytes.length) this.#grow(end)
    let at = this.#bytes.writeUInt16BE(key.length, this.length)
    at = this.#bytes.writeUInt32BE(row.length, at)
    at += this.#bytes.write(key, at, 'latin1')
    this.#bytes.set(row, at)
    this.length = end
  }

  encode(): Buffer {
    const bytes = this.#bytes.subarray(0, this.length)
    bytes.writeUInt8(plainForm)
    if (this.length < compressedFrom) return bytes
    return Buffer.concat([Buffer.of(zstdForm), zstdCompressSync(bytes.subarray(1), fastest)])
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafe(Math.max(least, 2 * this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.length))
    this.#bytes = grown
  }
}

const changesBytesFirst = 4_096

/** Puts the changes that are kept in a row of the journal into a batch; gives their bytes. */
function decodeChanges(encoded: Uint8Array, batch: RowBatch): number {
  const [form] = encoded
  const rest = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length).subarray(1)
  assert(form === undefined || form === plainForm || form === zstdForm, 'the changes have a form')
  const bytes = form === zstdForm ? zstdDecompressSync(rest) : rest
  for (let at = 0; at < bytes.length; ) {
    const keyEnd = at + lengthBytes + bytes.readUInt16BE(at)
    const key = bytes.toString('latin1', at + lengthBytes, keyEnd)
    const end = keyEnd + bytes.readUInt32BE(at + 2)
    if (end === keyEnd) batch.del(key)
    else batch.put(key, bytes.subarray(keyEnd, end))
    at = end
  }
  return bytes.length
}

/** Bounds of keys: from one up to, not including, another, or to the end. */
type Bounds = { readonly gte: string; readonly lt: string | undefined }

function boundsOf({ gte, gt, lte, lt }: Range): Bounds {
  const from = gte ?? (gt === undefined ? firstShown : after(gt))
  return {
    gte: from < firstShown ? firstShown : from,
    lt: lt ?? (lte === undefined ? undefined : after(lte)),
  }
}

/** The key right after another one. */
function after(key: string): string {
  return `${key}\0`
}

/** A part of a scan that lies in one of the two databases. */
type Part = Bounds & { readonly isJournal: boolean }

type BothHeld = { readonly views: HeldRows; readonly journal: HeldRows }

async function releaseBoth({ views, journal }: BothHeld): Promise<void> {
  await Promise.all([views.release(), journal.release()])
}

// Between the writes of one batch are some turns of the event loop. More of them than this, and the
// second one never comes.
const turnsMax = 20_000

/** What a journaled store is made of. */
type JournaledParts = {
  readonly views: LevelRows
  readonly journal: LevelRows
  readonly form: JournalForm
}

type Bypass = ((key: string) => boolean) | undefined

/** Reads a journaled store: as its owner, or as another thread that has joined it. */
export class JournaledReader {
  protected readonly views: LevelRows
  protected readonly journal: LevelRows
  protected readonly form: JournalForm
  readonly #bypassesBlockCache: (key: string) => boolean
  readonly #eventKeyLength: number
  readonly #eventsEnd: string

  constructor({ views, journal, form }: JournaledParts, bypassesBlockCache: Bypass = () => false) {
    this.views = views
    this.journal = journal
    this.form = form
    this.#bypassesBlockCache = bypassesBlockCache
    this.#eventKeyLength = form.prefix.length + numberDigits
    this.#eventsEnd = keysWith(form.prefix).lt
  }

  get(key: string): Uint8Array | undefined {
    const bypasses = this.#bypassesBlockCache(key)
    if (this.isEvent(key)) return decodeIfThere(key, this.journal.get(key, bypasses))
    const bytes = this.views.get(key, bypasses)
    if (bytes === undefined || !this.isEntry(key)) return decodeIfThere(key, bytes)
    return decodeRow(key, this.journal.get(this.#placeOf(key, bytes), bypasses) ?? noBytes)
  }

  async *scan(range: Range): AsyncGenerator<Row> {
    for await (const batch of this.#read(range)) {
      for (const [key, bytes] of batch) yield [key, decodeRow(key, bytes)]
    }
  }

  async *scanBatches(range: Range): AsyncGenerator<readonly Row[]> {
    for await (const batch of this.#read(range)) {
      yield batch.map(([key, bytes]) => [key, decodeRow(key, bytes)])
    }
  }

  /** Resolves when the scans under way now have ended. */
  async scansEnded(): Promise<void> {
    await Promise.all([this.views.scansEnded(), this.journal.scansEnded()])
  }

  async close(): Promise<void> {
    await this.journal.close()
    await this.views.close()
  }

  /** Whether a row is an event that the journal holds. */
  protected isEvent(key: string): boolean {
    const { prefix, from } = this.form
    return key.length === this.#eventKeyLength && key.startsWith(prefix) && key >= from
  }

  /** Whether a row is an entry that the journal holds. */
  protected isEntry(key: string): boolean {
    return key.startsWith(entryPrefix) && keyNumber(key) >= this.form.fromLeaf
  }

  /** The key in the journal of an entry, of which the views say beside which event it lies. */
  #placeOf(key: string, bytes: Uint8Array): string {
    const place = encodeHex(decodeRow(key, bytes))
    return `${this.form.prefix}${place}+${key.slice(entryPrefix.length)}`
  }

  async *#read(range: Range): AsyncGenerator<StoredRow[]> {
    const { reverse = false, limit = Number.POSITIVE_INFINITY } = range
    const parts = this.#partsOf(boundsOf(range))
    if (reverse) parts.reverse()
    const held = parts.length > 1 ? await this.#holdBoth() : undefined
    try {
      let left = limit
      for (const part of parts) {
        if (left <= 0) return
        for await (const batch of this.#readPart(part, { reverse, left }, held)) {
          if (batch.length === 0) continue
          const rows = batch.length > left ? batch.slice(0, left) : batch
          yield rows
          left -= rows.length
          if (left <= 0) break
        }
      }
    } finally {
      if (held !== undefined) await releaseBoth(held)
    }
  }

  #partsOf({ gte, lt }: Bounds): Part[] {
    const { from } = this.form
    const end = this.#eventsEnd
    const parts: Part[] = []
    if (gte < from)
      parts.push({ isJournal: false, gte, lt: lt === undefined || lt > from ? from : lt })
    const begin = gte > from ? gte : from
    const stop = lt === undefined || lt > end ? end : lt
    if (begin < stop) parts.push({ isJournal: true, gte: begin, lt: stop })
    if (lt === undefined || lt > end)
      parts.push({ isJournal: false, gte: gte > end ? gte : end, lt })
    return parts.filter((part) => part.lt === undefined || part.gte < part.lt)
  }

  async *#readPart(
    { isJournal, gte, lt }: Part,
    { reverse, left }: { readonly reverse: boolean; readonly left: number },
    held: BothHeld | undefined,
  ): AsyncGenerator<StoredRow[]> {
    const range = { gte, ...(lt !== undefined && { lt }), reverse }
    if (isJournal) {
      for await (const batch of this.journal.read(range, held?.journal)) {
        yield batch.filter(([key]) => key.length === this.#eventKeyLength)
      }
      return
    }
    const limited = Number.isFinite(left) ? { ...range, limit: left } : range
    for await (const batch of this.views.read(limited, held?.views)) {
      yield await this.#withEntries(batch)
    }
  }

  /** Puts the bytes of entries in place of the rows that say where they are. */
  async #withEntries(batch: StoredRow[]): Promise<StoredRow[]> {
    const [first, last] = [batch[0]?.[0] ?? '', batch.at(-1)?.[0] ?? '']
    const hasEntries =
      first < `${entryPrefix}~` === last >= entryPrefix || this.isEntry(first) || this.isEntry(last)
    if (!hasEntries) return batch
    const places: string[] = []
    const at: number[] = []
    batch.forEach(([key, bytes], index) => {
      if (!this.isEntry(key)) return
      try {
        places.push(this.#placeOf(key, bytes))
        at.push(index)
      } catch (error) {
        // Its own decoding fails as well, once it is looked at.
        if (!(error instanceof CorruptRowError)) throw error
      }
    })
    const entries = await this.journal.getMany(places)
    const rows = [...batch]
    for (const [nth, index] of at.entries()) {
      const key = batch[index]?.[0] ?? ''
      rows[index] = [key, entries[nth] ?? noBytes]
    }
    return rows
  }

  /** Holds both as they are after one batch: between the writes of one they are not. */
  async #holdBoth(): Promise<BothHeld> {
    for (let turn = 0; turn < turnsMax; turn += 1) {
      const held = { views: this.views.hold(), journal: this.journal.hold() }
      const applied = decodeMark(appliedKey, this.views.getHeld(appliedKey, held.views))
      const newest = await newestBatch(this.journal, held.journal)
      if ((applied?.batch ?? 0) === (newest?.batch ?? 0)) return held
      await releaseBoth(held)
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    const what = `the views of the store ${this.views.dir} lag behind its journal`
    throw new LogError('store_failed', `${what}: a write has failed; restart the service`)
  }
}

/** The newest batch of a journal; undefined if it has none. */
async function newestBatch(journal: LevelRows, held?: HeldRows): Promise<BatchMark | undefined> {
  for await (const [row] of journal.read({ gt: formKey, reverse: true, limit: 1 }, held)) {
    // Each batch writes the row of its changes last.
    if (row !== undefined) return { batch: keyNumber(row[0]), at: row[0] }
  }
  return undefined
}

const noBytes = new Uint8Array(0)

function decodeIfThere(key: string, bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes === undefined ? undefined : decodeRow(key, bytes)
}

/** How a journaled store is opened; `flushBytes` of changes are between two flushes of views. */
type JournaledOptions = { readonly flushBytes: number; readonly bypassesBlockCache: Bypass }

/** What one commit writes to each of the two. */
type Split = {
  readonly mark: BatchMark
  readonly journal: RowBatch
  readonly views: RowBatch
}

/** The store as its owner has it. It owns the numbers of batches, and what is flushed of them. */
export class JournaledStore extends JournaledReader implements Store {
  readonly #flushBytes: number
  /** The newest batch that was asked for, and the newest that the views have. */
  #newest: BatchMark
  #applied: BatchMark
  /** Key of the newest event, without its position if there is none. */
  #newestEvent: string
  #unflushedBytes = 0
  #flushing: Promise<void> | undefined
  /** What is flushed, to be written with the next batch. */
  #flushed: BatchMark | undefined
  #last: Promise<void> = Promise.resolve()

  private constructor(parts: JournaledParts, newest: BatchMark, options: JournaledOptions) {
    super(parts, options.bypassesBlockCache)
    this.#newest = newest
    this.#applied = newest
    this.#flushBytes = options.flushBytes
    this.#newestEvent = newest.at.slice(0, -1 - numberDigits)
  }

  /**
   * Opens the store on its two databases: what the views lack is written to them again. Errors:
   * `log_rolled_back` if the journal has lost batches, `store_corrupt` if it has a hole.
   */
  static async open(parts: JournaledParts, options: JournaledOptions): Promise<JournaledStore> {
    const { form, views, journal } = parts
    const batch = form.firstBatch - 1
    const beginning = { batch, at: `${form.prefix}/${numberPart(batch)}` }
    const newest = (await newestBatch(journal)) ?? beginning
    const applied = decodeMark(appliedKey, views.get(appliedKey))
    if (applied !== undefined && applied.batch > newest.batch) {
      throw lostBatches(views.dir, newest, applied)
    }
    const store = new JournaledStore(parts, newest, options)
    await store.#replay(decodeMark(flushedKey, views.get(flushedKey)) ?? beginning)
    return store
  }

  /** Writes to the views what batches after one have changed, up to the newest. */
  async #replay(from: BatchMark): Promise<void> {
    const newest = this.#newest
    let { batch } = from
    if (batch === newest.batch) return
    const start = from.batch < this.form.firstBatch ? formKey : from.at
    for await (const rows of this.journal.read({ gt: start })) {
      for (const [key, bytes] of rows) {
        if (!isChangesKey(key, this.form)) continue
        batch += 1
        if (keyNumber(key) !== batch) throw missingBatch(this.journal.dir, batch)
        const views = this.views.newBatch()
        this.#unflushedBytes += decodeChanges(decodeRow(key, bytes), views)
        putMark(views, appliedKey, { batch, at: key })
        await this.views.write(views, { sync: false })
      }
    }
    if (batch !== newest.batch) throw missingBatch(this.journal.dir, batch + 1)
  }

  async commit(operations: readonly Operation[]): Promise<void> {
    const { failure } = this.views
    if (failure !== undefined) throw noLaterWrite(this.views.dir, failure)
    const committed = this.#commit(this.#split(operations))
    this.#last = committed.catch(() => undefined)
    return committed
  }

  async #commit({ mark, journal, views }: Split): Promise<void> {
    try {
      await this.journal.write(journal, { sync: true })
    } catch (error) {
      await views.close()
      throw error
    }
    putMark(views, appliedKey, mark)
    if (this.#flushed !== undefined) putMark(views, flushedKey, this.#flushed)
    this.#flushed = undefined
    await this.views.write(views, { sync: false })
    this.#applied = mark
    this.#flushIfLarge()
  }

  #split(operations: readonly Operation[]): Split {
    const journal = this.journal.newBatch()
    const views = this.views.newBatch()
    const changes = new Changes()
    const entries: Operation[] = []
    const change = (key: string, row: Uint8Array) => {
      if (row.length === 0) views.del(key)
      else views.put(key, row)
      changes.add(key, row)
    }
    for (const operation of operations) {
      const { key } = operation
      if (this.isEntry(key)) entries.push(operation)
      else if (!this.isEvent(key)) change(key, rowOf(operation))
      else {
        if (operation.type === 'put') journal.put(key, rowOf(operation))
        else journal.del(key)
        if (key > this.#newestEvent) this.#newestEvent = key
      }
    }
    const event = this.#newestEvent
    const place = Buffer.from(event.slice(this.form.prefix.length), 'hex')
    for (const operation of entries) {
      const { key } = operation
      change(key, operation.type === 'put' ? encodeRow(key, place) : noBytes)
      const at = `${event}+${key.slice(entryPrefix.length)}`
      if (operation.type === 'put') journal.put(at, rowOf(operation))
    }
    const batch = this.#newest.batch + 1
    const at = `${event}/${numberPart(batch)}`
    journal.put(at, encodeRow(at, changes.encode()))
    this.#unflushedBytes += changes.length
    this.#newest = { batch, at }
    return { mark: this.#newest, journal, views }
  }

  #flushIfLarge(): void {
    if (this.#unflushedBytes < this.#flushBytes || this.#flushing !== undefined) return
    this.#unflushedBytes = 0
    const mark = this.#applied
    this.#flushing = this.views
      .flush()
      .then(
        () => void (this.#flushed = mark),
        // The next one tries again; until then a start has more to write again.
        () => undefined,
      )
      .finally(() => void (this.#flushing = undefined))
  }

  /** Has on the disk what the views have, and says so there. */
  async #flush(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing
    const mark = this.#applied
    await this.views.flush()
    // No commit says after this that less is flushed: changes up to the mark may be gone by then.
    this.#flushed = undefined
    this.#unflushedBytes = 0
    const views = this.views.newBatch()
    putMark(views, flushedKey, mark)
    await this.views.write(views, { sync: true })
  }

  async purge(keys: readonly string[]): Promise<void> {
    const events = keys.filter((key) => this.isEvent(key))
    await this.views.purge(keys.filter((key) => !this.isEvent(key)))
    if (events.length === 0) return
    // What a batch has changed of the views stands in the journal until they are on the disk.
    await this.#flush()
    const changes = new Set<string>()
    for (const key of events) changes.add(await this.#changesWith(key))
    const blank = this.journal.newBatch()
    for (const key of changes) blank.put(key, encodeRow(key, noBytes))
    await this.journal.write(blank, { sync: true })
    await this.journal.purge([...events, ...changes].sort())
  }

  /** The key of the changes of the views that came with an event. */
  async #changesWith(event: string): Promise<string> {
    for await (const rows of this.journal.read({ gt: event })) {
      for (const [key] of rows) if (isChangesKey(key, this.form)) return key
    }
    throw missingBatch(this.journal.dir, this.#newest.batch)
  }

  override async close(): Promise<void> {
    await this.#last
    await this.#flushing
    // A start after a close has nothing to write again; without this it has, and no harm is done.
    if (this.views.failure === undefined) await this.#flush().catch(() => undefined)
    await super.close()
  }
}

/** The row that an operation puts, with its checksum; nothing if it deletes one. */
function rowOf(operation: Operation): Uint8Array {
  return operation.type === 'put' ? encodeRow(operation.key, operation.value) : noBytes
}

function lostBatches(dir: string, newest: BatchMark, applied: BatchMark): LogError {
  return new LogError(
    'log_rolled_back',
    `the journal of the store ${dir} ends with batch ${newest.batch}, but batch ${applied.batch} ` +
      'was written: it is an older copy, or has lost writes. Restore the newest copy of the store',
  )
}

function missingBatch(dir: string, batch: number): LogError {
  return new LogError(
    'store_corrupt',
    `batch ${batch} of the journal ${dir} is missing: stop the service and restore the store ` +
      'from a backup that has it',
  )
}
