import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation } from '#log/store/store.ts'
import { logId } from '#src/tlog_tools/witness/decision.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { openWitnessIn } from '#test/src/tlog_tools/witness/_open_witness.ts'
import { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const log = new WitnessedHistory('log.example/a').branch(0, 100, 'a')
const other = new WitnessedHistory('log.example/b').branch(0, 100, 'b')

/** The folder of a witness that has cosigned two logs, and is closed. */
async function writtenWitness(t: ExecutionContext): Promise<string> {
  const dir = await makeTempDir(t)
  const opened = await openWitnessIn(t, { dir })
  await opened.addLog(log)
  await opened.addLog(other)
  for (const from of [0, 10, 20]) {
    await opened.submit(log.submission(from, from + 10))
    await opened.submit(other.submission(from, from + 10))
  }
  await opened.close()
  return dir
}

async function alter(dir: string, operations: readonly Operation[]): Promise<void> {
  const store = await openLevelStore(path.join(dir, 'witness'), { create: false })
  await store.commit(operations)
  await store.close()
}

test('rows that went back alone, as after a damaged file, are missed', async (t) => {
  const dir = await writtenWitness(t)
  const note = log.checkpoint(30)
  const witness = await openWitnessIn(t, { dir, create: false })
  const kept = witness.witness.checkpoint(logId(log.origin)) ?? ''
  t.true(kept.startsWith(note))
  await witness.submit(log.submission(30, 40))
  await witness.close()
  const value = Buffer.from(kept)
  await alter(dir, [{ type: 'put', key: `checkpoint/${logId(log.origin)}`, value }])
  await t.throwsAsync(openWitnessIn(t, { dir, create: false }), {
    code: 'store_corrupt',
    message: /^the store has lost some of its writes\. Restore the newest copy/,
  })
})

for (const key of ['log/', 'checkpoint/']) {
  test(`a row ${key} that is gone is missed`, async (t) => {
    const dir = await writtenWitness(t)
    await alter(dir, [{ type: 'del', key: key + logId(log.origin) }])
    await t.throwsAsync(openWitnessIn(t, { dir, create: false }), { code: 'store_corrupt' })
  })
}

test('an older copy of the store is refused, by what lies beside it', async (t) => {
  const dir = await writtenWitness(t)
  const [store, copy] = [path.join(dir, 'witness'), path.join(dir, 'copy')]
  await fs.cp(store, copy, { recursive: true })
  const opened = await openWitnessIn(t, { dir, create: false })
  await opened.submit(log.submission(30, 40))
  await opened.close()
  await fs.rm(store, { recursive: true })
  await fs.rename(copy, store)
  await t.throwsAsync(openWitnessIn(t, { dir, create: false }), {
    code: 'log_rolled_back',
    message:
      /^the store holds 9 batches of changes, but 10 were written \(.*guard\): it is an older/,
  })
})

test('a guard that lags behind, as after a loss of power, is put right', async (t) => {
  const dir = await writtenWitness(t)
  const guard = path.join(dir, 'guard')
  await fs.writeFile(guard, '7\n'.padEnd(4_096, '\n'))
  await (await openWitnessIn(t, { dir, create: false })).close()
  t.is((await fs.readFile(guard, 'utf8')).trimEnd(), '9')
  await fs.writeFile(guard, 'nine\n')
  await t.throwsAsync(openWitnessIn(t, { dir, create: false }), { code: 'log_inconsistent' })
})

test('a checkpoint that the witness did not cosign is refused', async (t) => {
  const dir = await writtenWitness(t)
  const value = Buffer.from(log.checkpoint(90))
  await alter(dir, [{ type: 'put', key: `checkpoint/${logId(log.origin)}`, value }])
  await t.throwsAsync(openWitnessIn(t, { dir, create: false }), {
    code: 'log_inconsistent',
    message: /^the store holds a checkpoint that this witness has not cosigned/,
  })
})

test('the store of another witness, and an empty one, are refused', async (t) => {
  const dir = await writtenWitness(t)
  const value = Buffer.from('{"schema":1,"vkey":"another"}')
  await alter(dir, [{ type: 'put', key: 'witness', value }])
  await t.throwsAsync(openWitnessIn(t, { dir, create: false }), {
    code: 'log_inconsistent',
    message: /^the store is that of the witness another, not of witness\.example\/w1\+/,
  })
  const empty = await makeTempDir(t)
  await (await openLevelStore(path.join(empty, 'witness'), { create: true })).close()
  await t.throwsAsync(openWitnessIn(t, { dir: empty, create: false }), { code: 'store_missing' })
})
