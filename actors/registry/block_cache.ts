import { eventPrefix } from '#actors/journal/rows.ts'
import { entryPrefix, tilePrefix } from '#log/store/log_rows.ts'

/**
 * The rows of which there are most bytes, and whose readers keep what they make of them where it is
 * asked for again: replies, and the hashes of tiles. In the store's cache they would take the place
 * of many small rows, which are read again and again.
 */
export function bypassesBlockCache(key: string): boolean {
  return key.startsWith(eventPrefix) || key.startsWith(entryPrefix) || key.startsWith(tilePrefix)
}
