import { keyPosition } from '#actors/journal/rows.ts'
import type { Row } from '#log/base/store.ts'

/**
 * The rows of two scans whose keys end with positions, in the order of these: of ascending ones, or
 * descending ones with `reverse`, as both scans must be.
 */
export async function* mergeScans(
  scans: readonly [AsyncIterable<Row>, AsyncIterable<Row>],
  { reverse = false }: { readonly reverse?: boolean } = {},
): AsyncGenerator<Row> {
  const [first, second] = scans.map((scan) => scan[Symbol.asyncIterator]()) as [Rows, Rows]
  try {
    let [a, b] = await Promise.all([first.next(), second.next()])
    while (a.done !== true || b.done !== true) {
      const isFirst = b.done === true || (a.done !== true && isBefore(a.value, b.value, reverse))
      const row = isFirst ? a.value : b.value
      yield row as Row
      if (isFirst) a = await first.next()
      else b = await second.next()
    }
  } finally {
    await Promise.all([first.return?.(), second.return?.()])
  }
}

type Rows = AsyncIterator<Row, undefined>

function isBefore([key]: Row, [other]: Row, reverse: boolean): boolean {
  return keyPosition(key) < keyPosition(other) !== reverse
}
