import { assert, LogError } from '#log/tlog/errors.ts'

/**
 * The rows of a log. Each is written once and never changed:
 *
 *     log                               what log this is, as JSON (LogRow)
 *     entry/<12 hex: leafIndex>         the entry's bytes
 *     tile/<2 hex: level>/<12 hex: index>   a full tile, expanded: 511 hashes
 *     checkpoint/<12 hex: treeSize>     the signed checkpoint of that size
 *     leaf/<32 hex>/<12 hex: leafIndex> empty; the 32 digits begin the leaf hash
 *     witnessed/<12 hex: number>        a checkpoint with the cosignatures of its quorum
 *     cosigned                          what is known of cosignatures now; it is replaced
 *
 * Numbers have a fixed width, so that keys sort as numbers do. `leaf` rows carry the index in the
 * key: equal entries then need no read before the write, and the first index is found first.
 */
export const logKey = 'log'

/** Where the keys of each kind of row that is scanned begin. */
export const entryPrefix = 'entry/'
export const checkpointPrefix = 'checkpoint/'
export const leafPrefix = 'leaf/'
export const tilePrefix = 'tile/'

/** Key of the row of what is known of cosignatures. */
export const cosignedKey = 'cosigned'

export const witnessedPrefix = 'witnessed/'

const numberDigits = 12
const levelDigits = 2

/** Bytes of the leaf hash that its row's key has. */
export const leafKeyBytes = 16

/** Key of the entry at a leaf index. */
export function entryKey(leafIndex: number): string {
  return entryPrefix + formatNumber(leafIndex)
}

/** Key of a full tile. */
export function tileKey(level: number, index: number): string {
  return `${tilePrefix}${level.toString(16).padStart(levelDigits, '0')}/${formatNumber(index)}`
}

/** Key of the checkpoint of a tree size. */
export function checkpointKey(treeSize: number): string {
  return checkpointPrefix + formatNumber(treeSize)
}

/** Key of the witnessed checkpoint of a number. */
export function witnessedKey(number: number): string {
  return witnessedPrefix + formatNumber(number)
}

/** Where the keys of the leaves with this 32-byte hash begin. */
export function leafHashPrefix(leafHash: Uint8Array): string {
  const digits = Buffer.from(leafHash.buffer, leafHash.byteOffset, leafKeyBytes)
  return `${leafPrefix}${digits.toString('hex')}/`
}

/** Key of the row that finds a leaf by its hash. */
export function leafKey(leafHash: Uint8Array, leafIndex: number): string {
  return leafHashPrefix(leafHash) + formatNumber(leafIndex)
}

/** The bytes of the leaf hash in a leaf's key. */
export function leafKeyHash(key: string): Uint8Array {
  return Buffer.from(key.slice(leafPrefix.length, leafPrefix.length + 2 * leafKeyBytes), 'hex')
}

/** The number at the end of a key: a leaf index, a tile index or a tree size. */
export function keyNumber(key: string): number {
  return Number.parseInt(key.slice(-numberDigits), 16)
}

/** Bounds of the keys that begin with a prefix: no key has a `~`. */
export function keysWith(prefix: string): { readonly gte: string; readonly lt: string } {
  return { gte: prefix, lt: `${prefix}~` }
}

/** What the store holds besides the log: nothing, or a registry that makes the entries. */
export type LogKind = 'registry' | 'log'

/** The row that says what log this is. `created_at` is an ISO time in UTC. */
export type LogRow = {
  readonly schema: 1
  readonly kind: LogKind
  readonly origin: string
  readonly vkey: string
  readonly created_at: string
}

/** Encodes the log's row as JSON. */
export function encodeLogRow(row: LogRow): Uint8Array {
  return Buffer.from(JSON.stringify(row))
}

/** Decodes the log's row; the store has checked that it is what was written. */
export function decodeLogRow(bytes: Uint8Array): LogRow {
  const row = JSON.parse(Buffer.from(bytes).toString('utf8')) as LogRow
  assert(row.schema === 1, 'the log row has a schema that this version knows')
  return row
}

/** The fault of a row that its log must have and the store has not; `what` names it. */
export function missingRow(what: string): LogError {
  return new LogError(
    'store_corrupt',
    `${what} is missing although a signed checkpoint covers it: stop the service and restore the ` +
      'store from a backup that has it',
  )
}

function formatNumber(value: number): string {
  assert(Number.isSafeInteger(value) && value >= 0 && value < 2 ** 48, 'the number fits its key')
  return value.toString(16).padStart(numberDigits, '0')
}
