import { decodeBase64, encodeBase64, parseDecimal } from '#log/tlog/encoding.ts'
import { LogError } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'

/**
 * The entry by which a log commits to its map. As text:
 *
 *     arklog-map/v1
 *     registry.example/log
 *     1234
 *     567
 *     SwNtr+ZedOlNi9M2UDk4fn0NmU3eOzh6j+5crQLGFYU=
 *
 * Origin, entries covered, number of keys, root. It covers all entries before it and no others, so
 * the number is its own leaf index.
 */
export type MapLeaf = {
  readonly origin: string
  /** How many entries it covers: its own leaf index. */
  readonly covers: number
  readonly keys: number
  readonly rootHash: Uint8Array
}

const firstLine = 'arklog-map/v1\n'

/** Bytes of a map leaf at most: its origin is a name, and the rest is short. */
const mapLeafBytesMax = 1_024

/** Whether an entry is a map leaf, well-formed or not: no statement begins so. */
export function isMapLeaf(entry: Uint8Array): boolean {
  if (entry[0] !== firstLine.charCodeAt(0)) return false
  return Buffer.from(entry.subarray(0, firstLine.length)).toString('latin1') === firstLine
}

/** Writes a map leaf. */
export function encodeMapLeaf({ origin, covers, keys, rootHash }: MapLeaf): Uint8Array {
  return Buffer.from(`${firstLine}${origin}\n${covers}\n${keys}\n${encodeBase64(rootHash)}\n`)
}

/** Reads a map leaf; strict. Errors: `malformed_map_leaf`. */
export function decodeMapLeaf(entry: Uint8Array): MapLeaf {
  const text = entry.length > mapLeafBytesMax ? '' : Buffer.from(entry).toString('utf8')
  const [first, origin = '', size = '', count = '', root = '', ...rest] = text.split('\n')
  const covers = parseDecimal(size)
  const keys = parseDecimal(count)
  const isForm = `${first}\n` === firstLine && origin !== '' && rest.length === 1 && rest[0] === ''
  if (!isForm || covers === undefined || keys === undefined) throw malformed()
  let rootHash: Uint8Array
  try {
    rootHash = decodeBase64(root, 'the root of the map')
  } catch (cause) {
    throw malformed(cause)
  }
  if (rootHash.length !== hashBytes) throw malformed()
  const leaf = { origin, covers, keys, rootHash }
  if (Buffer.compare(encodeMapLeaf(leaf), entry) !== 0) throw malformed()
  return leaf
}

function malformed(cause?: unknown): LogError {
  const message = 'not a map leaf: five lines of form, origin, entries, keys and root'
  return new LogError('malformed_map_leaf', message, { cause })
}
