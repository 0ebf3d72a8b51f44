import { eventKey, keyPosition } from '#actors/journal/rows.ts'
import { LogError } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

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
