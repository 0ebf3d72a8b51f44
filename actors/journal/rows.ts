import type { JournalEvent } from '#actors/journal/journal.ts'
import { bufferOf, orderedJson } from '#actors/values/serialization.ts'
import type { Operation, Range, Store } from '#log/store/store.ts'
import { assert, LogError } from '#log/tlog/errors.ts'

/**
 * Reads a row as it will stand once the operations before this one are written. `kept` gives the
 * value of one that an operation of `putKept` puts.
 */
export type ReadRow = {
  (key: string): Uint8Array | undefined
  readonly kept?: (key: string) => unknown
}

/** Reads the rows of a store as they are committed. */
export function readerOf(store: Pick<Store, 'get'>): ReadRow {
  return (key) => store.get(key)
}

/**
 * The state row of a stream, stored at the stream's own name: the `seq` and the journal position of
 * its newest event, and the state its rules evolved.
 */
export type StreamRow = { readonly seq: number; readonly newest: number; readonly state: unknown }

/**
 * An index over the streams of one kind: the rows that an event leads to beside that of its stream.
 * A step is what an event changes, with the state before and after it.
 */
export type Index<Step> = {
  /** What its keys begin with. */
  readonly keys: readonly string[]
  /** The types of the events that can change it; absent for all. */
  readonly on?: readonly string[]
  /** Whether its rows end after a day, so that one may be missing. */
  readonly endsAfterDay?: true
  /** `made` are the rows that the same event has led to so far. */
  readonly rows: (step: Step, read: ReadRow, made: readonly Operation[]) => readonly Operation[]
}

/** What a journal's events lead to: pure functions of an event and of the rows before it. */
export type Projection = {
  /** The stream's next row, and the rows to write. The stream's own row comes first. */
  project(
    before: StreamRow | undefined,
    event: JournalEvent,
    read: ReadRow,
  ): { readonly stream: StreamRow; readonly operations: readonly Operation[] }
  /** The rows of older events that an event rewrites, with `rowAt`: none, but for an erasure. */
  rewrite(event: JournalEvent, rowAt: (position: number) => Uint8Array): readonly Operation[]
}

/** Encodes a value as the JSON of a view row. */
export function encodeRow(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function decodeRow<T>(row: Uint8Array): T
export function decodeRow<T>(row: Uint8Array | undefined): T | undefined
/** Decodes the JSON of a view row; undefined stays undefined. */
export function decodeRow<T>(row: Uint8Array | undefined): T | undefined {
  if (row === undefined) return undefined
  return JSON.parse(bufferOf(row).toString('utf8')) as T
}

/** Puts a value of JSON, which is encoded when it is written. */
class KeptRow {
  readonly type = 'put'
  readonly key: string
  readonly kept: unknown
  #row: Buffer | undefined

  constructor(key: string, kept: unknown) {
    this.key = key
    this.kept = kept
  }

  get value(): Buffer {
    return (this.#row ??= encodeRow(this.kept))
  }
}

/**
 * Puts the value of a row that each event of a commit replaces, such as a count: only what the last
 * of them has put is encoded, and `readKept` gives the others the value itself.
 */
export function putKept(key: string, value: unknown): Operation {
  return new KeptRow(key, value)
}

/** Reads a row of `putKept`; undefined if there is none. */
export function readKept<T>(key: string, read: ReadRow): T | undefined {
  return (read.kept?.(key) as T | undefined) ?? decodeRow<T>(read(key))
}

/** The greatest position that a key can name: one of more digits would sort wrongly. */
const positionMax = 16 ** 12 - 1

/** A position as it stands in keys: fixed width, so that keys sort as positions do. */
export function positionPart(position: number): string {
  return Math.min(position, positionMax).toString(16).padStart(12, '0')
}

/**
 * The rows of a page, by default newest first, and of one more that tells whether another follows,
 * of those whose keys are a prefix and a position; the cursor is the position of the last one seen.
 */
export function positionRange(
  prefix: string,
  { cursor, order = 'newest', limit }: Page<number>,
): Range {
  const bounds =
    order === 'newest'
      ? { gte: prefix, lt: prefix + (cursor === undefined ? '~' : positionPart(cursor)) }
      : { gt: prefix + (cursor === undefined ? '' : positionPart(cursor)), lt: `${prefix}~` }
  return { ...bounds, reverse: order === 'newest', limit: limit + 1 }
}

/** A time in milliseconds since 1970 as it stands in keys, which sort as times do. */
export function timePart(atMs: number): string {
  return positionPart(atMs)
}

/** The number of a version as it stands in keys, which sort as versions do. */
export function versionPart(version: number): string {
  return version.toString(16).padStart(8, '0')
}

/** The position at the end of a key. */
export function keyPosition(key: string): number {
  return Number.parseInt(key.slice(key.lastIndexOf('/') + 1), 16)
}

/** Where the keys of events begin. */
export const eventPrefix = 'event/'

/** Key of the event at a journal position: fixed width, so that keys sort as positions do. */
export function eventKey(position: number): string {
  return eventPrefix + positionPart(position)
}

/** What to do about a row that is missing. */
export const restoreAdvice = 'restore the store from a copy and run audit'

/** What stands before the metadata in the row of an event that carries some. */
const metadataMember = ',"metadata":'

/** The end of the row of an event: of its `data`, and of the event. */
const eventEnd = '}}'

/**
 * Encodes an event as JSON. Its position is the row's key and is left out. `data` comes last, and
 * `metadata` last within it, so that `eventMetadata` can cut the stored bytes out of the row.
 */
export function encodeEvent(event: JournalEvent): Buffer {
  const { position: _, data, ...envelope } = event
  const { metadata, ...facts } = data as { readonly metadata?: object | null }
  const text = JSON.stringify({ ...envelope, data: facts })
  if (metadata === undefined) return Buffer.from(text)
  assert(text.endsWith(eventEnd) && !text.endsWith('{}}'), 'facts stand beside the metadata')
  const spelled = metadata === null ? 'null' : orderedJson(metadata)
  // Metadata are long: joined to one text with the rest they would be copied once more.
  const bytes = Buffer.allocUnsafe(
    Buffer.byteLength(text) + metadataMember.length + Buffer.byteLength(spelled),
  )
  let at = bytes.write(text) - eventEnd.length
  at += bytes.write(metadataMember, at)
  at += bytes.write(spelled, at)
  bytes.write(eventEnd, at)
  return bytes
}

/** An event's row with null in place of its metadata; one that holds none is the same. */
export function withoutMetadata(row: Uint8Array): Uint8Array {
  const bytes = bufferOf(row)
  const at = bytes.indexOf(metadataMember)
  if (at < 0) return row
  return Buffer.concat([bytes.subarray(0, at + metadataMember.length), Buffer.from('null}}')])
}

/** Decodes the row at `position`. The checksum of the row has been checked by the store. */
export function decodeEvent(position: number, row: Uint8Array): JournalEvent {
  return parseEvent(position, bufferOf(row).toString('utf8'))
}

/** Decodes a row but for its metadata, which may be long and is null in what is given. */
export function decodeEventFacts(position: number, row: Uint8Array): JournalEvent {
  const bytes = bufferOf(row)
  const at = bytes.indexOf(metadataMember)
  if (at < 0) return decodeEvent(position, row)
  const facts = bytes.toString('utf8', 0, at + metadataMember.length)
  return parseEvent(position, `${facts}null}}`)
}

function parseEvent(position: number, text: string): JournalEvent {
  return { position, ...(JSON.parse(text) as Omit<JournalEvent, 'position'>) }
}

/**
 * The metadata's bytes within an event row, exactly as they were hashed. A string inside the JSON
 * cannot contain the member's bytes, because its quotes would be escaped.
 */
export function eventMetadata(row: Uint8Array): Buffer {
  const bytes = bufferOf(row)
  const at = bytes.indexOf(metadataMember)
  assert(at > 0, 'the event carries metadata')
  return bytes.subarray(at + metadataMember.length, bytes.length - 2)
}

/**
 * A row that other rows say is there, as it was read; `what` names it. Where it is missing, they or
 * it are lost: `store_corrupt`.
 */
export function present<T>(row: T | undefined, what: string): T {
  if (row !== undefined) return row
  throw new LogError('store_corrupt', `${what} is missing; ${restoreAdvice}`)
}

/** Reads an event that a view points to. A journal with a hole is `store_corrupt`. */
export function readEvent(position: number, read: ReadRow): JournalEvent {
  return decodeEvent(position, readEventRow(position, read))
}

/** The row of an event that a view points to, as stored. Errors as `readEvent`. */
export function readEventRow(position: number, read: ReadRow): Uint8Array {
  return present(read(eventKey(position)), `the event at position ${position}`)
}

/**
 * Reads each row once and remembers it, also that there is none: the rows of one pool are asked for
 * by its proposals and by their views, and a look into the store takes longer than all else.
 */
export function readOnce(read: ReadRow): ReadRow {
  const rows = new Map<string, Uint8Array | undefined>()
  return (key) => {
    const known = rows.get(key)
    if (known !== undefined || rows.has(key)) return known
    const row = read(key)
    rows.set(key, row)
    return row
  }
}

/** Rows laid over others: what a batch will write, readable before it is written. */
export class Overlay {
  /** What is written last of each key. */
  readonly #rows = new Map<string, Operation>()
  readonly #below: ReadRow

  constructor(below: ReadRow) {
    this.#below = below
  }

  /** The row as it will stand; undefined if there is none or it is deleted. */
  readonly read: ReadRow = Object.assign(
    (key: string): Uint8Array | undefined => {
      const operation = this.#rows.get(key)
      if (operation === undefined) return this.#below(key)
      return operation.type === 'put' ? operation.value : undefined
    },
    {
      kept: (key: string): unknown => {
        const operation = this.#rows.get(key)
        if (operation === undefined) return this.#below.kept?.(key)
        return operation instanceof KeptRow ? operation.kept : undefined
      },
    },
  )

  put(key: string, value: Uint8Array): void {
    this.#rows.set(key, { type: 'put', key, value })
  }

  apply(operations: Iterable<Operation>): void {
    for (const operation of operations) this.#rows.set(operation.key, operation)
  }

  /** Takes over the rows of an overlay that lies on this one. */
  absorb(above: Overlay): void {
    this.apply(above.#rows.values())
  }

  /** The batch that writes the rows, each key once. */
  operations(): Operation[] {
    return [...this.#rows.values()]
  }
}

/**
 * An event's row, of which a few members are read where they stand: to decode all of it takes many
 * times as long. Within a string of JSON a quote has a backslash before it, so no text that a
 * client sent can look like the name of a member.
 */
export class EventText {
  /** The bytes of the metadata, as `eventMetadata` gives them. */
  readonly metadata: Buffer

  constructor(row: Uint8Array) {
    this.metadata = eventMetadata(row)
  }

  /**
   * A text of the metadata, undefined if it has none of this name; no member within its lists may
   * have the same name.
   */
  metadataText(name: string): string | undefined {
    const before = `"${name}":`
    const at = this.metadata.indexOf(`${before}"`)
    if (at < 0) return undefined
    const start = at + before.length
    const spelled = this.metadata.toString('utf8', start, endOfString(this.metadata, start))
    return JSON.parse(spelled) as string
  }
}

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)

/** Where the string of JSON that begins at `start` ends: behind its closing quote. */
function endOfString(text: Buffer, start: number): number {
  for (let end = text.indexOf(quote, start + 1); ; end = text.indexOf(quote, end + 1)) {
    assert(end > 0, 'a string of JSON ends')
    let backslashes = 0
    while (text[end - 1 - backslashes] === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end + 1
  }
}

/**
 * Checks the newest events of a journal that should hold `events` of them: none is missing, none is
 * beyond the end. LevelDB drops damaged records of its write-ahead file without a word, so the
 * check goes back over `recentBytes`, which must exceed what that file can hold. A hole is
 * `store_corrupt`.
 */
export async function checkRecentEvents(
  store: Store,
  events: number,
  recentBytes: number,
): Promise<void> {
  let expected = events - 1
  let bytes = 0
  for await (const [key, value] of store.scan({ gte: 'event/', lt: 'event0', reverse: true })) {
    if (keyPosition(key) !== expected) throw damaged(expected)
    bytes += value.length
    if (bytes > recentBytes || expected === 0) return
    expected -= 1
  }
  if (expected >= 0) throw damaged(expected)
}

function damaged(position: number): LogError {
  return new LogError(
    'store_corrupt',
    `the journal does not hold what it should around ${eventKey(position)}: ` +
      'the store was damaged; restore the newest copy of it, then run "arklog audit"',
  )
}

/** The directions in which a list can be read. */
export const orders = ['oldest', 'newest'] as const

/** Which entries of a list come first. */
export type Order = (typeof orders)[number]

/**
 * A part of a list: so many entries at most, in an order, from the place that `cursor` names, which
 * is the `next` of the page before. Without a cursor it begins at the beginning, and without an
 * order it is read in the one that the list says it has.
 */
export type Page<Cursor> = {
  readonly cursor?: Cursor
  readonly order?: Order
  readonly limit: number
}
