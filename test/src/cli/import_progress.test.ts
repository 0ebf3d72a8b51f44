import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { newProgress, progressFile, readProgress, writeProgress } from '#src/cli/import_run.ts'

async function newDir(t: ExecutionContext): Promise<string> {
  const dir = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  t.teardown(() => fs.rm(dir, { recursive: true }))
  return dir
}

const identity = { fileHash: 'aa', owner: 'org:demo', environment: 'live' }

test('progress is read back as it was written', async (t) => {
  const file = progressFile(await newDir(t), identity)
  const progress = { ...newProgress(), lines_done: 7, registered: 5, failed: 2 }
  await writeProgress(file, progress)
  t.deepEqual(await readProgress(file), progress)
})

test('an import that was never begun, or whose progress is damaged, starts anew', async (t) => {
  const file = progressFile(await newDir(t), identity)
  const { run, ...fresh } = await readProgress(file)
  t.deepEqual(fresh, { schema: 1, lines_done: 0, registered: 0, failed: 0, complete: false })
  await writeProgress(file, newProgress())
  for (const damaged of ['', '{', '{"schema": 2}', 'null']) {
    await fs.writeFile(file, damaged)
    const progress = await readProgress(file)
    t.is(progress.lines_done, 0)
    t.not(progress.run, run)
  }
})

test('file, owner and environment tell imports apart', (t) => {
  const files = [
    identity,
    { ...identity, fileHash: 'ab' },
    { ...identity, owner: 'org:other' },
    { ...identity, environment: 'sandbox' },
  ].map((each) => progressFile('/data', each))
  t.is(new Set(files).size, 4)
  t.true(files.includes(progressFile('/data', { ...identity })))
})
