import canonicalize from 'canonicalize'

import { assert } from '#log/tlog/errors.ts'

/**
 * The canonical JSON of a value (RFC 8785). The value must be plain JSON: numbers that JSON cannot
 * spell, lone surrogates and cycles throw an Error.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  assert(text !== undefined, 'the value has a JSON form')
  return text
}

/** A record whose members stand in the order of canonical JSON. */
export function inOrder<T extends object>(record: T): T {
  const members = Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members) as T
}

/** What JSON says; undefined for a text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object of JSON, and no list. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object without members that are undefined: those that may be are optional. */
type Defined<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & { readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }

/** The members of an object that have a value. */
export function definedOf<T extends object>(members: T): Defined<T> {
  const defined: Partial<T> = {}
  // A loop takes a third of the time of lists of entries, which every export would make by the ten.
  for (const name in members) if (members[name] !== undefined) defined[name] = members[name]
  return defined as unknown as Defined<T>
}

/** A list that has items; undefined in place of one that has none. */
export function someOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values
}

const orderedTexts = new WeakMap<object, string>()

/**
 * The canonical JSON (RFC 8785) of a value whose members stand in canonical order already, so that
 * no sorting is needed; properties of the tests hold this to the general algorithm. The text is
 * kept as long as the value is: metadata is hashed first, and then stored.
 */
export function orderedJson(value: object): string {
  const known = orderedTexts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  orderedTexts.set(value, text)
  return text
}

/** Keeps the text of such a value, which another thread has made of it. */
export function rememberOrderedJson(value: object, text: string): void {
  orderedTexts.set(value, text)
}

/** The same bytes as a `Buffer`, which those of a store are already. */
export function bufferOf(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/**
 * Bytes that are to be kept, alone in their memory. Node cuts short buffers out of pools, zlib out
 * of its chunks, and all of such a pool is kept with any part of it: 64 KiB for a reply of 5 kB.
 */
export function ownMemory(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : Buffer.from(Uint8Array.from(bytes).buffer)
}

/** Bytes that a writer has room for at first, and keeps when it has written more. */
const keptBytes = 65_536

/**
 * Writes the parts of a text into bytes, one after the other: joined as texts they would be copied
 * twice more. It serves one text after the other; whoever begins one takes it without waiting.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(keptBytes)
  #length = 0

  /** Bytes that were written of the text. */
  get length(): number {
    return this.#length
  }

  /** Begins a text. What was not taken is dropped: an error has come between. */
  begin(): this {
    this.#length = 0
    return this
  }

  /** Writes a part in UTF-8. */
  text(part: string): this {
    // No character of a text takes more than three bytes.
    this.#makeRoom(3 * part.length)
    this.#length += this.#bytes.write(part, this.#length)
    return this
  }

  /** Writes a part that is ASCII, which takes half of the time. */
  ascii(part: string): this {
    this.#makeRoom(part.length)
    this.#length += this.#bytes.write(part, this.#length, 'latin1')
    return this
  }

  /** Writes the bytes from `start` up to, not including, `end`. */
  bytes(part: Uint8Array, start = 0, end = part.length): this {
    this.#makeRoom(end - start)
    this.#length += bufferOf(part).copy(this.#bytes, this.#length, start, end)
    return this
  }

  /** What was written, in memory of its own. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    if (this.#bytes.length === keptBytes) return Buffer.from(written)
    this.#bytes = Buffer.allocUnsafeSlow(keptBytes)
    return written
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
