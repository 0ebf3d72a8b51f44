import { crc32 } from 'node:zlib'

import { LogError } from '#log/errors.ts'

/** Bytes that the checksum adds to a row. */
export const rowOverheadBytes = 4

/** A row whose checksum does not hold. With its `key` a reader of the whole store goes on. */
export class CorruptRowError extends LogError {
  readonly key: string

  constructor(key: string) {
    super(
      'store_corrupt',
      `the row ${JSON.stringify(key)} fails its checksum, so the disk or the memory has altered ` +
        'it: stop the service, check the disk, and restore the store from a backup',
    )
    this.key = key
  }
}

/**
 * Encodes a row as `value ‖ CRC-32(key ‖ value)`, the checksum as 4 bytes, big-endian. The key is
 * part of it, so that a row which turns up under another key is seen too.
 */
export function encodeRow(key: string, value: Uint8Array): Buffer {
  const row = Buffer.allocUnsafe(value.length + rowOverheadBytes)
  row.set(value)
  row.writeUInt32BE(crc32(value, crc32(key)), value.length)
  return row
}

/** The value of the row at `key`, as a view of its bytes, or CorruptRowError (`store_corrupt`). */
export function decodeRow(key: string, row: Uint8Array): Uint8Array {
  const length = row.length - rowOverheadBytes
  if (length < 0) throw new CorruptRowError(key)
  const value = row.subarray(0, length)
  const checksum = new DataView(row.buffer, row.byteOffset + length, rowOverheadBytes).getUint32(0)
  if (checksum !== crc32(value, crc32(key))) throw new CorruptRowError(key)
  return value
}
