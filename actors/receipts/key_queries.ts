import { readerOf } from '#actors/journal/rows.ts'
import {
  readReceiptKeys,
  readRotationLeaves,
  type ReceiptKeyPeriod,
} from '#actors/receipts/key_events.ts'
import type { ReadStore } from '#log/base/store.ts'

/** Which receipt keys there are, from the committed rows. */
export type ReceiptKeyQueries = {
  /** The key in use, as 64 hex digits. */
  readonly publicKey: string
  /** Every key there was, oldest first; the last one is in use. */
  list(): readonly ReceiptKeyPeriod[]
  /** The leaves of the log that announce the keys after the first one, in the order of `list`. */
  rotations(): readonly number[]
}

/** Opens the queries; `firstKey` is the one in use until the log announces another. */
export function openReceiptKeyQueries(
  store: Pick<ReadStore, 'get'>,
  firstKey: string,
): ReceiptKeyQueries {
  const read = readerOf(store)
  const list = () => {
    const { keys } = readReceiptKeys(read)
    return keys.length > 0 ? keys : [{ public_key: firstKey, valid_from: null, valid_until: null }]
  }
  return {
    get publicKey() {
      return list().at(-1)?.public_key ?? firstKey
    },
    list,
    rotations: () => readRotationLeaves(read),
  }
}
