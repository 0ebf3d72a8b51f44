import * as fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, rm } from 'node:fs/promises'
import * as path from 'node:path'
import { crc32 } from 'node:zlib'

import { damagedMap } from '#log/tlog/map/map_layer.ts'
import { explain } from '#log/store/level_rows.ts'
import { assert } from '#log/tlog/errors.ts'

/** What one write appends: rows by their numbers, and a note of the state that they lead to. */
export type Frame = {
  readonly note: Uint8Array
  readonly rows: ReadonlyMap<number, Uint8Array>
}

/**
 * Rows with the numbers 0 to count − 1, in files that are only appended to: a row is where it was
 * written last. Each write is a frame, all numbers big-endian and each part filled up to 16 bytes:
 *
 *     u32 bytes of the frame, u32 CRC-32 of what follows, u32 bytes of the note, the note
 *     rows: u32 number, u32 bytes, u32 CRC-32 of the bytes, the bytes
 *
 * What a crash leaves of the last frame is cut off at the next start. The oldest file is removed
 * once the rows in it that still count are written again: a part of that with each write.
 */
export class MapSegments {
  readonly #dir: string
  readonly #prefix: string
  /** Where each row is, in units: 0 if there is none. Its file is the upper part. */
  readonly #places: Uint32Array
  readonly #segments: Segment[] = []
  /** Bytes of the oldest file of which nothing counts any more. */
  #cleanedBytes = 0

  private constructor(dir: string, prefix: string, count: number) {
    this.#dir = dir
    this.#prefix = prefix
    this.#places = new Uint32Array(count)
  }

  /** Begins without rows; its files are those of the folder that begin with the prefix. */
  static create(dir: string, prefix: string, count: number): MapSegments {
    return new MapSegments(dir, prefix, count)
  }

  /**
   * Opens what was written before, the files of these names in their order, and shows each frame.
   * Errors: `store_corrupt`.
   */
  static async open(
    { dir, prefix, count }: { dir: string; prefix: string; count: number },
    names: readonly string[],
    visit: (frame: Frame) => Promise<void>,
  ): Promise<MapSegments> {
    const segments = new MapSegments(dir, prefix, count)
    try {
      for (const name of names) {
        const number = Number.parseInt(name.slice(prefix.length), 16)
        const next = (segments.#segments.at(-1)?.number ?? number - 1) + 1
        if (number !== next) throw damagedMap('a file that is missing')
        await segments.#load(number, name === names.at(-1), visit)
      }
      return segments
    } catch (error) {
      await segments.close()
      throw error
    }
  }

  /** The bytes of a row, its own copy; undefined if there is none. Errors: `store_corrupt`. */
  get(number: number): Uint8Array | undefined {
    const place = this.#places[number] ?? 0
    if (place === 0) return undefined
    const segment = this.#segmentOf(place)
    const { fd } = segment.handle
    const start = (place % segmentUnits) * unitBytes
    const known = fs.readSync(fd, scratch, 0, scratch.length, start)
    const end = rowHeaderBytes + scratch.readUInt32BE(4)
    let row = Buffer.from(scratch.subarray(0, Math.min(known, end)))
    if (end > known && start + end <= segment.bytes) {
      row = Buffer.allocUnsafe(end)
      fs.readSync(fd, row, 0, end, start)
    }
    const value = row.subarray(rowHeaderBytes)
    const isSound = row.length === end && row.readUInt32BE(0) === number
    if (!isSound || row.readUInt32BE(8) !== crc32(value)) throw damagedMap(`row ${number}`)
    return value
  }

  /**
   * Appends a frame, and writes some older rows again if the files have more than twice what the
   * rows that count have about together, `liveBytes`.
   */
  async append(frame: Frame, liveBytes: number): Promise<void> {
    const bytes = await this.#write(frame, liveBytes)
    const all = this.#segments.reduce((sum, one) => sum + one.bytes, 0)
    if (all > 2 * liveBytes + segmentBytesMin) await this.#clean(frame.note, 2 * bytes, liveBytes)
  }

  /** Syncs what was written to the disk. */
  async sync(): Promise<void> {
    await this.#segments.at(-1)?.handle.datasync()
  }

  async close(): Promise<void> {
    await Promise.all(this.#segments.map(({ handle }) => handle.close()))
  }

  async #write(frame: Frame, liveBytes: number): Promise<number> {
    const { bytes, starts } = encodeFrame(frame)
    const segment = await this.#segmentFor(bytes.length, liveBytes)
    await writeAll(segment, bytes)
    this.#place(segment, starts)
    segment.bytes += bytes.length
    return bytes.length
  }

  #segmentOf(place: number): Segment {
    const slot = Math.floor(place / segmentUnits)
    const at = (slot + segmentsMax - segmentSlot(this.#segments[0])) % segmentsMax
    const segment = this.#segments[at]
    assert(segment !== undefined, 'a row is in a file that is open')
    return segment
  }

  #place({ number, bytes }: Segment, starts: ReadonlyMap<number, number>): void {
    const first = (number % segmentsMax) * segmentUnits + bytes / unitBytes
    for (const [row, start] of starts) this.#places[row] = first + start / unitBytes
  }

  async #segmentFor(bytes: number, liveBytes: number): Promise<Segment> {
    assert(bytes <= spanBytes, 'a frame fits into a file')
    const last = this.#segments.at(-1)
    const most = Math.min(Math.max(segmentBytesMin, liveBytes / 16), spanBytes / 2)
    if (last !== undefined && last.bytes < most && last.bytes + bytes <= spanBytes) return last
    await last?.handle.datasync()
    const number = (last?.number ?? 0) + 1
    const segment = { number, handle: await open(this.#pathOf(number), 'w+', 0o600), bytes: 0 }
    this.#segments.push(segment)
    assert(this.#segments.length < segmentsMax, 'files have numbers of their own')
    return segment
  }

  /** Goes on over `bytes` of the oldest file: what counts of them is written again. */
  async #clean(note: Uint8Array, bytes: number, liveBytes: number): Promise<void> {
    const [oldest] = this.#segments
    if (oldest === undefined || this.#segments.length < 2) return
    const rows = new Map<number, Uint8Array>()
    const end = Math.min(oldest.bytes, this.#cleanedBytes + bytes)
    while (this.#cleanedBytes < end) {
      const found = await readFrame(oldest.handle, this.#cleanedBytes)
      if (found === undefined) throw damagedMap('an old row')
      const first = segmentSlot(oldest) * segmentUnits + this.#cleanedBytes / unitBytes
      for (const [row, start] of found.starts) {
        const value = found.frame.rows.get(row)
        const isLive = this.#places[row] === first + start / unitBytes
        if (isLive && value !== undefined) rows.set(row, value)
      }
      this.#cleanedBytes += found.bytes
    }
    if (rows.size > 0) await this.#write({ note, rows }, liveBytes)
    if (this.#cleanedBytes < oldest.bytes) return
    await this.sync()
    this.#segments.shift()
    this.#cleanedBytes = 0
    await oldest.handle.close()
    await rm(this.#pathOf(oldest.number))
  }

  async #load(
    number: number,
    isLast: boolean,
    visit: (frame: Frame) => Promise<void>,
  ): Promise<void> {
    const handle = await open(this.#pathOf(number), 'r+')
    const segment = { number, handle, bytes: 0 }
    this.#segments.push(segment)
    const { size } = await handle.stat()
    while (segment.bytes < size) {
      const found = await readFrame(handle, segment.bytes)
      if (found === undefined) {
        if (!isLast) throw damagedMap('the middle of its files')
        await handle.truncate(segment.bytes)
        return
      }
      for (const row of found.starts.keys())
        if (row >= this.#places.length) throw damagedMap(`row ${row}`)
      this.#place(segment, found.starts)
      segment.bytes += found.bytes
      await visit(found.frame)
    }
  }

  #pathOf(number: number): string {
    return path.join(this.#dir, `${this.#prefix}${number.toString(16).padStart(8, '0')}`)
  }
}

type Segment = { readonly number: number; readonly handle: FileHandle; bytes: number }

/** Rows and files begin at whole units, so that 32 bits say where a row is in 64 GiB. */
const unitBytes = 16
const spanBytes = 64 * 1024 * 1024
const segmentUnits = spanBytes / unitBytes
const segmentsMax = 2 ** 32 / segmentUnits

/** A file grows to so many bytes at the least, and to half of its span at most. */
const segmentBytesMin = 4 * 1024 * 1024

const frameHeaderBytes = 12
const rowHeaderBytes = 12

// Reading is synchronous, and copies what it returns. Most rows are shorter.
const scratch = Buffer.alloc(1_024)

/** Writes at the end of a file. Errors: `store_full`, `store_failed`; then it ends where it did. */
async function writeAll({ handle, bytes: end }: Segment, bytes: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at, null, end + at)
      at += bytesWritten
    }
  } catch (error) {
    throw explain(error, 'the map of the log cannot be written')
  }
}

function segmentSlot(segment: Segment | undefined): number {
  return (segment?.number ?? 0) % segmentsMax
}

function filledUp(bytes: number): number {
  return Math.ceil(bytes / unitBytes) * unitBytes
}

/** A frame as it is written, and where its rows begin in it. */
function encodeFrame({ note, rows }: Frame): {
  readonly bytes: Buffer
  readonly starts: ReadonlyMap<number, number>
} {
  let length = filledUp(frameHeaderBytes + note.length)
  for (const row of rows.values()) length += filledUp(rowHeaderBytes + row.length)
  const bytes = Buffer.alloc(length)
  const starts = new Map<number, number>()
  bytes.writeUInt32BE(length)
  bytes.writeUInt32BE(note.length, 8)
  bytes.set(note, frameHeaderBytes)
  let at = filledUp(frameHeaderBytes + note.length)
  for (const [number, row] of rows) {
    starts.set(number, at)
    bytes.writeUInt32BE(number, at)
    bytes.writeUInt32BE(row.length, at + 4)
    bytes.writeUInt32BE(crc32(row), at + 8)
    bytes.set(row, at + rowHeaderBytes)
    at += filledUp(rowHeaderBytes + row.length)
  }
  bytes.writeUInt32BE(crc32(bytes.subarray(8)), 4)
  return { bytes, starts }
}

/** Reads the frame at a place of a file; undefined if none is there that is whole. */
async function readFrame(
  handle: FileHandle,
  position: number,
): Promise<{ frame: Frame; starts: Map<number, number>; bytes: number } | undefined> {
  const header = Buffer.alloc(unitBytes)
  const { bytesRead } = await handle.read(header, 0, unitBytes, position)
  const length = header.readUInt32BE(0)
  if (bytesRead < unitBytes || length < unitBytes || length > spanBytes) return undefined
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead: found } = await handle.read(bytes, 0, length, position)
  if (found < length || bytes.readUInt32BE(4) !== crc32(bytes.subarray(8))) return undefined
  const note = bytes.subarray(frameHeaderBytes, frameHeaderBytes + bytes.readUInt32BE(8))
  const rows = new Map<number, Uint8Array>()
  const starts = new Map<number, number>()
  for (let at = filledUp(frameHeaderBytes + note.length); at < length; ) {
    const number = bytes.readUInt32BE(at)
    const start = at + rowHeaderBytes
    const row = bytes.subarray(start, start + bytes.readUInt32BE(at + 4))
    rows.set(number, row)
    starts.set(number, at)
    at += filledUp(rowHeaderBytes + row.length)
  }
  return { frame: { note, rows }, starts, bytes: length }
}
