import { assert, LogError } from '#log/errors.ts'

/** Bytes of an entry at most: its length is written in 16 bits (C2SP tlog-tiles). */
export const entryBytesMax = 65_535

const lengthBytes = 2

/** Encodes entries as a bundle: each is its length in two bytes, big-endian, then its bytes. */
export function encodeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  const size = entries.reduce((sum, entry) => sum + lengthBytes + entry.length, 0)
  const bundle = Buffer.allocUnsafe(size)
  let at = 0
  for (const entry of entries) {
    assert(entry.length <= entryBytesMax, 'an entry that was accepted fits a bundle')
    at = bundle.writeUInt16BE(entry.length, at)
    bundle.set(entry, at)
    at += entry.length
  }
  return bundle
}

/**
 * Decodes a bundle of exactly `width` entries. Missing or left-over bytes are
 * `malformed_entry_bundle`.
 */
export function decodeEntryBundle(bundle: Uint8Array, width: number): Uint8Array[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.length)
  const entries: Uint8Array[] = []
  let at = 0
  while (entries.length < width) {
    const start = at + lengthBytes
    if (start > bytes.length) throw malformed(width)
    at = start + bytes.readUInt16BE(at)
    entries.push(bundle.subarray(start, at))
  }
  // An entry that was cut leads behind the end, too.
  if (at !== bytes.length) throw malformed(width)
  return entries
}

function malformed(width: number): LogError {
  return new LogError('malformed_entry_bundle', `the bundle does not hold exactly ${width} entries`)
}

/** Refuses an entry that no bundle could hold: `entry_too_large`. */
export function checkEntry(entry: Uint8Array): void {
  if (entry.length > entryBytesMax) {
    throw new LogError(
      'entry_too_large',
      `an entry has at most ${entryBytesMax} bytes, this one has ${entry.length}`,
    )
  }
}
