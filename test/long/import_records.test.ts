import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import test from 'ava'

import { createFullRecord } from '#test/bench/_full_records.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { killOnceNoted } from '#test/scenario/_killed_import.ts'
import { newDataDir, runJson, type Settings } from '#test/scenario/_process.ts'

type Report = {
  readonly registered: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly works_per_second: number
}

async function writeRecords(file: string, count: number, version: string): Promise<void> {
  const lines = function* () {
    for (let n = 0; n < count; n += 1) yield `${JSON.stringify(createFullRecord(n, version))}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}

test('a dump of whole records is imported, killed twice, and updated by DOI', async (t) => {
  const count = countOf({ few: 1_000, full: 100_000 })
  const dataDir = await newDataDir(t)
  const settings: Settings = { DATA_DIR: dataDir, FETCH_CONTENT: 'off' }
  const [first, mended] = [`${dataDir}.first`, `${dataDir}.mended`]
  await writeRecords(first, count, '1')
  await writeRecords(mended, count, '2')
  const args = ['import', first, '--new']
  const once = await killOnceNoted(t, args, settings, 0)
  const twice = await killOnceNoted(t, args, settings, Math.max(once, Math.floor(count / 2)))
  t.true(once > 0 && twice > once && twice < count, `${once}, ${twice}`)
  const rest = await runJson<Report>(t, args, settings)
  t.like(rest, { registered: count, failed: 0 })

  const update = ['import', mended, '--update']
  const updated = await runJson<Report>(t, update, settings)
  t.like(updated, { registered: 0, changed: count, unchanged: 0, failed: 0 })
  const again = await runJson<Report>(t, [...update, '--restart'], settings)
  t.like(again, { registered: 0, changed: 0, unchanged: count, failed: 0 })
  t.log(`${rest.works_per_second} registered a second, ${updated.works_per_second} updated`)
})
