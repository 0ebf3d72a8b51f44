import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import test, { type ExecutionContext } from 'ava'

import { filesWith, flipByte, replaceDir } from '#test/log/_damage.ts'
import { outcomeOf, runLog, startLog, type Stopped, stoppedIn } from '#test/log/_stopped_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

// So many commits before the store is opened again, which moves them into a table, and after.
const commitsInTable = 140
const commitsInLog = 100
const treeSize = 2 * (commitsInTable + commitsInLog)

// A log with rows in a table and in a .log, and an older copy of its store. Each test copies it.
const pristine = stoppedIn(await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-')))
const olderStore = path.join(pristine.dir, 'older')
await runLog(pristine, commitsInTable)
await fs.cp(pristine.store, olderStore, { recursive: true })
await runLog(pristine, commitsInLog)

test.after.always(() => fs.rm(pristine.dir, { recursive: true }))

async function stopLog(t: ExecutionContext): Promise<Stopped> {
  const dir = await makeTempDir(t)
  await replaceDir(pristine.dir, dir)
  return stoppedIn(dir)
}

/** Every `step` of the positions in a file, and its last one. */
async function positionsIn(file: string, count: number): Promise<number[]> {
  const { size } = await fs.stat(file)
  const step = Math.ceil(size / count)
  return [...Array.from({ length: Math.floor(size / step) }, (_, i) => i * step), size - 1]
}

test('a log that was stopped starts again', async (t) => {
  const [store, log] = await startLog(await stopLog(t))
  t.is(log.head().treeSize, treeSize)
  await store.close()
})

test('a .log that was cut anywhere is log_rolled_back', async (t) => {
  const [file = ''] = await filesWith(pristine.store, '.log')
  for (const length of await positionsIn(file, 5)) {
    const stopped = await stopLog(t)
    const [log = ''] = await filesWith(stopped.store, '.log')
    await fs.truncate(log, length)
    t.is(await outcomeOf(stopped), 'log_rolled_back', `${length}`)
    t.is(await outcomeOf(stopped), 'log_rolled_back', `${length}, once more`)
  }
})

test('a .log that was deleted is log_rolled_back, and the message says what to do', async (t) => {
  const stopped = await stopLog(t)
  for (const log of await filesWith(stopped.store, '.log')) await fs.rm(log)
  await t.throwsAsync(startLog(stopped), {
    code: 'log_rolled_back',
    message:
      /^the store holds 280 entries, but a checkpoint of 480 was signed .* Restore the newest copy/,
  })
})

test('an older copy of the store is log_rolled_back', async (t) => {
  const stopped = await stopLog(t)
  await replaceDir(olderStore, stopped.store)
  await t.throwsAsync(startLog(stopped), {
    code: 'log_rolled_back',
    message: /^the store holds 280 entries, but a checkpoint of 480 was signed/,
  })
})

// LevelDB drops what it cannot read of a .log and keeps what comes after it, without a word.
test('a flipped byte within the .log never goes unnoticed', async (t) => {
  const [file = ''] = await filesWith(pristine.store, '.log')
  const seen: string[] = []
  for (const at of await positionsIn(file, 16)) {
    const stopped = await stopLog(t)
    const [log = ''] = await filesWith(stopped.store, '.log')
    await flipByte(log, at)
    seen.push(await outcomeOf(stopped))
  }
  const codes = new Set(seen)
  t.deepEqual([...codes].sort(), ['log_rolled_back', 'store_corrupt'], seen.join())
})

test('commits lost from the middle of the .log are found missing', async (t) => {
  const stopped = await stopLog(t)
  const [log = ''] = await filesWith(stopped.store, '.log')
  await flipByte(log, 5_000)
  await t.throwsAsync(startLog(stopped), {
    code: 'store_corrupt',
    message: /^entry [0-9]+ is missing although a signed checkpoint covers it: stop the service/,
  })
})

test('a flipped byte of a table is found, or changes no answer', async (t) => {
  const [file = ''] = await filesWith(pristine.store, '.ldb')
  const found = await findDamage(
    await makeTempDir(t),
    path.basename(file),
    await positionsIn(file, 40),
  )
  t.true(found.filter((where) => where !== 'nothing').length > 30, found.join())
})

/** Where damage at each of the positions is found; `abort` if LevelDB itself ends the process. */
async function findDamage(dir: string, table: string, positions: number[]): Promise<string[]> {
  const script = fileURLToPath(new URL('_find_damage.ts', import.meta.url))
  const found: string[] = []
  while (found.length < positions.length) {
    const rest = positions.slice(found.length).map(String)
    const child = spawn(process.execPath, [
      script,
      pristine.dir,
      path.join(dir, 'log'),
      table,
      ...rest,
    ])
    const errors = text(child.stderr)
    for (const line of (await text(child.stdout)).trim().split('\n')) {
      if (line !== '') found.push(line.slice(line.indexOf(' ') + 1))
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    if (child.signalCode === 'SIGABRT') found.push('abort')
    else if (child.exitCode !== 0) throw new Error(await errors)
  }
  return found
}
