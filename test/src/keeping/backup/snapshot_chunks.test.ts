import test from 'ava'

import type { Row } from '#log/base/store.ts'
import { cutSnapshot } from '#src/keeping/backup/chunk.ts'
import { rowsOf, snapshotOf } from '#test/src/keeping/backup/_backed_up.ts'

async function chunksOf(rows: readonly Row[]): Promise<readonly string[]> {
  const chunks = await Array.fromAsync(cutSnapshot(snapshotOf(rows)))
  return chunks.map(({ bytes }) => bytes.toString('latin1'))
}

test('the chunks of a snapshot are the snapshot, each of whole items', async (t) => {
  const rows = rowsOf(20_000)
  const chunks = await Array.fromAsync(cutSnapshot(snapshotOf(rows)))
  const whole = Buffer.concat(await Array.fromAsync(snapshotOf(rows)))
  t.true(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(whole))
  t.is(chunks.flatMap(({ items }) => items).length, rows.length + 6)
  t.deepEqual(
    chunks[0]?.items.map(({ type }) => type),
    ['head'],
  )
  t.true(chunks.length > 5)
  for (const { bytes } of chunks) t.true(bytes.length < 9_000_000)
})

test('a row that comes, goes or changes leaves nearly all chunks as they were', async (t) => {
  const rows = rowsOf(40_000)
  const before = new Set(await chunksOf(rows))
  const middle = 20_000
  const added: Row = ['work/00019999a', Buffer.from('new')]
  const cases = {
    added: [...rows.slice(0, middle), added, ...rows.slice(middle)],
    appended: [...rows, ['work/z', Buffer.from('last')] as Row],
    removed: [...rows.slice(0, middle), ...rows.slice(middle + 1)],
    changed: rows.map((row, nth): Row => (nth === middle ? [row[0], Buffer.from('other')] : row)),
  }
  for (const [name, changed] of Object.entries(cases)) {
    const fresh = (await chunksOf(changed)).filter((chunk) => !before.has(chunk))
    t.true(fresh.length <= 3, `${name}: ${fresh.length} of ${before.size}`)
  }
})
