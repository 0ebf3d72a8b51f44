import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import { parseJson } from '#actors/values/serialization.ts'
import { CodedError } from '#log/tlog/errors.ts'
import type { Row } from '#log/store/store.ts'
import type { LogsInstance } from '#src/keeping/data_dir/instance.ts'

/** What is read as a copy of a registry is none, or not a whole one. */
export class SnapshotError extends CodedError<'snapshot_malformed'> {
  override readonly name: string = 'SnapshotError'
}

/** A copy that no registry makes, or that was cut off or changed on its way. */
export function malformed(why: string): SnapshotError {
  return new SnapshotError('snapshot_malformed', `The copy cannot be used: ${why}.`)
}

/** Settings without which a registry would go on as another one. */
export type SharedSettings = Readonly<Record<string, string | number | boolean | null>>

/** What is said of a copy before its rows. */
export type SnapshotHead = {
  readonly format: typeof snapshotFormat
  /** The shape of the rows, as the program that wrote them has it. */
  readonly views: number
  readonly instance: LogsInstance
  /** Files with secrets that all nodes have, by their names: their bytes in Base64. */
  readonly secrets: Readonly<Record<string, string>>
  readonly settings: SharedSettings
  /** Bytes of the files that are copied, about: what is sent is as long or shorter. */
  readonly bytes: number
}

/** A store that is copied: all of its rows as they are at one moment. */
type CopiedStore = {
  readonly name: string
  readonly rows: AsyncIterable<readonly Row[]>
}

/** What a copy consists of, in its order: a head, each store before its rows, and an end. */
export type SnapshotItem =
  | { readonly type: 'head'; readonly head: SnapshotHead }
  | { readonly type: 'store'; readonly name: string }
  | { readonly type: 'row'; readonly row: Row }
  /** How many rows there were, of all stores. */
  | { readonly type: 'end'; readonly rows: number }

/** Goes up when nodes of before cannot read what is written. */
export const snapshotFormat = 1

const kinds = ['head', 'store', 'row', 'end'] as const

// An item is its kind, the lengths of its key and value (4 bytes each), its key and its value.
const prefixBytes = 9
const keyBytesMax = 64 * 1_024
const valueBytesMax = 256 * 1_048_576

/** Writes a copy. The rows of all stores are as they are when this is begun, or later. */
export async function* writeSnapshot(
  head: SnapshotHead,
  stores: readonly CopiedStore[],
): AsyncGenerator<Buffer> {
  yield encodeItem('head', '', Buffer.from(JSON.stringify(head)))
  let rows = 0
  for (const store of stores) {
    yield encodeItem('store', store.name, new Uint8Array())
    for await (const batch of store.rows) {
      yield Buffer.concat(batch.map(([key, value]) => encodeItem('row', key, value)))
      rows += batch.length
    }
  }
  yield encodeItem('end', '', Buffer.from(`${rows}`))
}

function encodeItem(kind: (typeof kinds)[number], key: string, value: Uint8Array): Buffer {
  const keyLength = Buffer.byteLength(key)
  const item = Buffer.allocUnsafe(prefixBytes + keyLength + value.length)
  item.writeUInt8(kinds.indexOf(kind), 0)
  item.writeUInt32BE(keyLength, 1)
  item.writeUInt32BE(value.length, 5)
  item.write(key, prefixBytes)
  item.set(value, prefixBytes + keyLength)
  return item
}

/**
 * Reads a copy from bytes that come in pieces. SnapshotError `snapshot_malformed` for what nobody
 * writes, or where it ends early.
 */
export async function* readSnapshot(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<SnapshotItem> {
  let rows = 0
  let isEnded = false
  for await (const bytes of splitItems(pieces)) {
    const item = decodeItem(bytes)
    if (isEnded) throw malformed('something follows its end')
    if (item.type === 'row') rows += 1
    if (item.type === 'end' && item.rows !== rows) throw malformed('rows of it are missing')
    isEnded = item.type === 'end'
    yield item
  }
  if (!isEnded) throw malformed('it ends early')
}

/** The items of a copy as they are written, one by one. SnapshotError as `readSnapshot`. */
export async function* splitItems(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece])
    for (let length = itemBytes(rest); length <= rest.length; length = itemBytes(rest)) {
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
  if (rest.length > 0) throw malformed('it ends early')
}

/** Bytes of the item that begins here; infinitely many as long as that cannot be told. */
function itemBytes(bytes: Buffer): number {
  if (bytes.length < prefixBytes) return Number.POSITIVE_INFINITY
  const [keyLength, valueLength] = [bytes.readUInt32BE(1), bytes.readUInt32BE(5)]
  if (keyLength > keyBytesMax || valueLength > valueBytesMax) throw malformed('an item is too long')
  return prefixBytes + keyLength + valueLength
}

/** What an item says. SnapshotError `snapshot_malformed`. */
export function decodeItem(item: Buffer): SnapshotItem {
  const keyEnd = prefixBytes + item.readUInt32BE(1)
  const key = item.toString('utf8', prefixBytes, keyEnd)
  const value = item.subarray(keyEnd)
  switch (kinds[item.readUInt8(0)]) {
    case 'head':
      return { type: 'head', head: readHead(value) }
    case 'store':
      return { type: 'store', name: key }
    case 'row':
      return { type: 'row', row: [key, value] }
    case 'end':
      return { type: 'end', rows: Number(value.toString('latin1')) }
    case undefined:
    default:
      throw malformed('an item is of no kind')
  }
}

// The contents of its objects are checked once their writer is known: a newer program may write
// other members.
const headSchema = Type.Object({
  format: Type.Integer(),
  views: Type.Integer(),
  instance: Type.Object({}),
  secrets: Type.Record(Type.String(), Type.String()),
  settings: Type.Object({}),
  bytes: Type.Number(),
})

function readHead(value: Buffer): SnapshotHead {
  const head = parseJson(value.toString('utf8'))
  if (Check(headSchema, head)) return head as unknown as SnapshotHead
  throw malformed('its head is none')
}

/** Rows whose first batch is read at once: a store's rows are those of that moment. */
export class BegunRows implements AsyncIterable<readonly Row[]> {
  readonly #rows: AsyncIterator<readonly Row[]>
  readonly #first: Promise<IteratorResult<readonly Row[]>>

  constructor(rows: AsyncIterable<readonly Row[]>) {
    this.#rows = rows[Symbol.asyncIterator]()
    this.#first = this.#rows.next()
    // Their reader gets the error.
    this.#first.catch(() => undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[]> {
    for (let step = await this.#first; step.done !== true; step = await this.#rows.next()) {
      yield step.value
    }
  }

  /** Resolves once the first batch is read. Rejects as reading does. */
  async begun(): Promise<void> {
    await this.#first
  }

  async close(): Promise<void> {
    await this.#rows.return?.()
  }
}
