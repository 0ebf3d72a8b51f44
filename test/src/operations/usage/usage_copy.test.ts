import { DatabaseSync } from 'node:sqlite'
import test from 'ava'

import { monthOf } from '#src/operations/usage/usage_batch.ts'
import { UsageRows } from '#src/operations/usage/usage_rows.ts'
import { copyUsage, writeUsageCopy } from '#src/operations/usage/usage_rows.ts'
import {
  everything,
  resolutionsIn,
  resolutionsOf,
  usageFile,
} from '#test/src/operations/usage/_usage_rows.ts'

const day = 20_000

test('a copy that is read while more is counted is of one moment, place and all', async (t) => {
  const [file, copy] = [await usageFile(t), await usageFile(t)]
  const rows = new UsageRows(file, day)
  t.teardown(() => rows.close())
  const shared = rows.shared()
  const arks = Array.from({ length: 1_500 }, (_, at) => `1/w${at}`)
  rows.add(resolutionsOf(day - 60, arks.slice(0, 10)))
  const message = { life: 'a', number: 1, batch: resolutionsOf(day, arks) }
  shared.take(message, { stream: 'made', position: 4 })
  shared.keepOutgoing([{ id: 'a-2', bytes: Buffer.from('own') }])
  const later = { ...message, number: 2 }
  const copied = async function* () {
    for await (const batch of copyUsage(file)) {
      shared.take(later, { stream: 'made', position: 5 })
      yield batch
    }
  }
  await writeUsageCopy(copy, copied(), day + 9)
  const made = new UsageRows(copy, day + 9)
  t.teardown(() => made.close())
  const sharedThere = made.shared()
  t.deepEqual(sharedThere.place, { stream: 'made', position: 4 })
  t.deepEqual(sharedThere.outgoing(), [])
  const reader = made.reader()
  const all = [
    [day - 60, 10],
    [day, 1_500],
  ]
  t.deepEqual(resolutionsIn(reader, 'days', everything, [day - 60, day]), all)
  // What its next message is, it counts once, as the node that was copied has.
  t.true(sharedThere.take(later, { stream: 'made', position: 5 }))
  t.false(sharedThere.take(message, { stream: 'made', position: 6 }))
  while (made.tidy(day + 9));
  const inMonths = resolutionsIn(reader, 'months', everything, [monthOf(day), monthOf(day)])
  t.deepEqual(
    inMonths,
    resolutionsIn(rows.reader(), 'months', everything, [monthOf(day), monthOf(day)]),
  )
})

test('rows of another kind make no file of counts', async (t) => {
  const file = await usageFile(t)
  const rows = async function* () {
    yield [['sqlite_master/1', Buffer.from('[]')] as const]
  }
  await t.throwsAsync(writeUsageCopy(file, rows(), day), {
    message: 'sqlite_master/1 is no row of the counts of uses',
  })
  const db = new DatabaseSync(file)
  t.is(db.prepare('SELECT count(*) AS rows FROM uses').get()?.['rows'], 0)
  db.close()
})
