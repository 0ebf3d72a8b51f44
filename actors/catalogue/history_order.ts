import { keyPosition, positionPart, present, readerOf } from '#actors/journal/rows.ts'
import type { Page } from '#actors/values/page.ts'
import { historyPrefix, mintedKey } from '#actors/works/views.ts'
import type { StoredWork } from '#actors/works/record.ts'
import type { ReadStore } from '#log/base/store.ts'

/**
 * The journal positions of what a work's history shows: those of a page, newest first unless told,
 * and one more if there is one. The cursor is the position with which the page begins; one that is
 * no place in this history gives nothing.
 */
export async function* readHistory(
  store: Pick<ReadStore, 'get' | 'scan'>,
  { state: { ark } }: StoredWork,
  { cursor, order = 'newest', limit }: Page<number>,
): AsyncGenerator<number> {
  const read = readerOf(store)
  const prefix = historyPrefix(ark)
  // The registration has no row of its own among them: it is where the ARK was minted.
  const minted = present(read(mintedKey(ark)), `the row of the minting of the work ${ark}`)
  const registered = Number(Buffer.from(minted).toString('utf8'))
  const isPlace = (position: number) =>
    position === registered || read(prefix + positionPart(position)) !== undefined
  if (cursor !== undefined && !isPlace(cursor)) return
  const beginsAt = cursor ?? registered
  if (order === 'oldest' && beginsAt === registered) yield registered
  const range =
    order === 'oldest'
      ? { gte: prefix + positionPart(beginsAt), lt: `${prefix}~` }
      : { gte: prefix, lte: cursor === undefined ? `${prefix}~` : prefix + positionPart(cursor) }
  const rows = store.scan({ ...range, reverse: order === 'newest', limit: limit + 1 })
  for await (const [key] of rows) yield keyPosition(key)
  if (order === 'newest') yield registered
}
