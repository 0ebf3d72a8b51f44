import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock } from 'node:test'
import test, { type ExecutionContext } from 'ava'

import { OwnUsage } from '#src/operations/usage/usage.ts'
import { dayMs, monthOf } from '#src/operations/usage/usage_batch.ts'
import { daysKept, UsageReader, UsageRows } from '#src/operations/usage/usage_rows.ts'
import {
  everything,
  press,
  resolutionsIn,
  resolutionsOf,
  usageFile,
  workSubject,
} from '#test/src/operations/usage/_usage_rows.ts'

/** The last day of a month. */
const lastDay = Date.UTC(2026, 0, 31) / dayMs
const month = monthOf(lastDay)
const range = [lastDay - 5, lastDay + 5] as const
const months = [month - 1, month + 1] as const

async function openRows(t: ExecutionContext, today = lastDay) {
  const rows = new UsageRows(await usageFile(t), today)
  t.teardown(() => rows.close())
  return { rows, reader: rows.reader() }
}

function tidyAll(rows: UsageRows, today: number): number {
  let steps = 1
  while (rows.tidy(today)) steps += 1
  return steps
}

test('a count is one of its day and month, of the work, its organization and all', async (t) => {
  const { rows, reader } = await openRows(t)
  rows.add(resolutionsOf(lastDay, ['1/a', '1/b'], 2))
  rows.add(resolutionsOf(lastDay, ['1/a']))
  rows.add(resolutionsOf(lastDay + 1, ['1/a'], 4))
  for (const [subject, first, second] of [
    [workSubject('1/a'), 3, 4],
    [workSubject('1/b'), 2, 0],
    [press, 5, 4],
    [everything, 5, 4],
  ] as const) {
    const expected = [first, second].flatMap((count, at) => (count > 0 ? [[at, count]] : []))
    const inDays = resolutionsIn(reader, 'days', subject, range)
    t.deepEqual(
      inDays.map(([at, count]) => [at - lastDay, count]),
      expected,
    )
    const inMonths = resolutionsIn(reader, 'months', subject, months)
    t.deepEqual(
      inMonths.map(([at, count]) => [at - month, count]),
      expected,
    )
  }
})

test('each step of making months of days leaves all that is told as it was', async (t) => {
  const { rows, reader } = await openRows(t, lastDay - 2)
  // More than a step takes, of names that end at any place of it.
  const arks = Array.from({ length: 2_400 }, (_, at) => `1/w${at}`)
  for (const day of [lastDay - 2, lastDay - 1, lastDay]) {
    for (let at = 0; at < arks.length; at += 800) {
      rows.add(resolutionsOf(day, arks.slice(at, at + 800)))
    }
  }
  const subjects = [everything, press, ...['1/w0', '1/w999', '1/w2399'].map(workSubject)]
  const told = () => {
    return subjects.flatMap((subject) => [
      ...resolutionsIn(reader, 'days', subject, range),
      ...resolutionsIn(reader, 'months', subject, months),
    ])
  }
  const before = told()
  t.is(before.at(-1)?.[1], 3)
  let steps = 0
  for (const today of [lastDay + 1, lastDay + 3]) {
    while (rows.tidy(today)) {
      steps += 1
      t.deepEqual(told(), before)
    }
  }
  t.true(steps > 6)
})

test('what comes for a day that is in its month already is in both', async (t) => {
  const { rows, reader } = await openRows(t)
  const arks = Array.from({ length: 1_500 }, (_, at) => `1/w${String(at).padStart(4, '0')}`)
  rows.add(resolutionsOf(lastDay, arks))
  // One step: the first works of the day are in their month, and the last ones are not.
  t.true(rows.tidy(lastDay + 1))
  rows.add(resolutionsOf(lastDay, ['1/w0000', '1/w1499'], 10))
  const told = () =>
    ['1/w0000', '1/w1499'].map((ark) => resolutionsIn(reader, 'months', workSubject(ark), months))
  t.deepEqual(told(), [[[month, 11]], [[month, 11]]])
  tidyAll(rows, lastDay + 1)
  rows.add(resolutionsOf(lastDay, ['1/w0000', '1/w1499'], 100))
  t.deepEqual(told(), [[[month, 111]], [[month, 111]]])
  t.deepEqual(resolutionsIn(reader, 'days', everything, range), [[lastDay, 1_720]])
})

test('days are removed when they are old, and their months stay', async (t) => {
  const { rows, reader } = await openRows(t)
  rows.add(resolutionsOf(lastDay, ['1/a'], 7))
  const later = lastDay + daysKept + 1
  rows.add(resolutionsOf(later, ['1/a']))
  tidyAll(rows, later)
  t.deepEqual(resolutionsIn(reader, 'days', everything, range), [])
  t.deepEqual(resolutionsIn(reader, 'months', everything, months), [[month, 7]])
})

test('a file that was closed goes on, and others read it meanwhile', async (t) => {
  const file = await usageFile(t)
  const first = new UsageRows(file, lastDay)
  first.add(resolutionsOf(lastDay, ['1/a']))
  first.close()
  const again = new UsageRows(file, lastDay + 9)
  const other = UsageReader.open(file)
  again.add(resolutionsOf(lastDay + 9, ['1/a']))
  tidyAll(again, lastDay + 9)
  t.deepEqual(resolutionsIn(other, 'months', everything, months), [
    [month, 1],
    [month + 1, 1],
  ])
  other.close()
  again.close()
})

test('a file that somebody has locked stays where it is, with all that it holds', async (t) => {
  const file = await usageFile(t)
  const first = new UsageRows(file, lastDay)
  first.add(resolutionsOf(lastDay, ['1/a']))
  first.close()
  const other = new DatabaseSync(file)
  other.exec('BEGIN IMMEDIATE')
  t.throws(() => new UsageRows(file, lastDay), { message: 'database is locked' })
  other.close()
  const again = new UsageRows(file, lastDay)
  t.teardown(() => again.close())
  t.deepEqual(resolutionsIn(again.reader(), 'days', everything, range), [[lastDay, 1]])
})

test('while the clock is wrong, no day counts as old', async (t) => {
  const file = await usageFile(t)
  const rows = new UsageRows(file, lastDay)
  rows.add(resolutionsOf(lastDay, ['1/a']))
  rows.close()
  let isClockSound = false
  // Nothing else runs until the timers are real again.
  mock.timers.enable({ apis: ['setTimeout'] })
  const usage = new OwnUsage(
    { dataDir: path.dirname(file) },
    {
      nowMs: () => (lastDay + 2 * daysKept) * dayMs,
      isClockSound: () => isClockSound,
      report: (error) => t.fail(String(error)),
    },
  )
  const daysAfterAMinute = () => {
    for (let second = 0; second < 60; second += 1) mock.timers.tick(1_000)
    return resolutionsIn(usage, 'days', everything, range)
  }
  const found = daysAfterAMinute()
  isClockSound = true
  const later = daysAfterAMinute()
  mock.timers.reset()
  await usage.close()
  t.deepEqual(found, [[lastDay, 1]])
  t.deepEqual(later, [])
})

test('a file of an older release, with each day in its month, is read and goes on', async (t) => {
  const file = await usageFile(t)
  const old = new DatabaseSync(file)
  const counts =
    'resolutions INTEGER NOT NULL, landings INTEGER NOT NULL, verifications INTEGER NOT NULL, ' +
    'harvests INTEGER NOT NULL'
  for (const table of ['days', 'months']) {
    old.exec(
      `CREATE TABLE ${table} (subject TEXT NOT NULL, at INTEGER NOT NULL, ${counts}, ` +
        'PRIMARY KEY (subject, at)) WITHOUT ROWID',
    )
  }
  old.exec('CREATE INDEX old_days ON days (at)')
  const day = old.prepare("INSERT INTO days VALUES ('live *', ?, ?, 0, 0, 0)")
  day.run(lastDay - 1, 3)
  day.run(lastDay, 4)
  const inMonth = old.prepare("INSERT INTO months VALUES ('live *', ?, ?, 0, 0, 0)")
  inMonth.run(month, 107)
  old.close()
  const rows = new UsageRows(file, lastDay)
  t.teardown(() => rows.close())
  rows.add(resolutionsOf(lastDay, ['1/a'], 1_000))
  const reader = rows.reader()
  const expected = [
    [lastDay - 1, 3],
    [lastDay, 1_004],
  ]
  t.deepEqual(resolutionsIn(reader, 'days', everything, range), expected)
  t.deepEqual(resolutionsIn(reader, 'months', everything, months), [[month, 1_107]])
  tidyAll(rows, lastDay + 2)
  t.deepEqual(resolutionsIn(reader, 'months', everything, months), [[month, 1_107]])
})
