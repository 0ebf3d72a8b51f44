import test, { type ExecutionContext } from 'ava'
import { cp, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

import { entryKey } from '#log/store/log_rows.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import { newDataDir, runArklog } from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'

const worksCount = 5

/** A data directory with some works in its live registry, of which each test has a copy. */
const sound = share(async (t) => {
  const dataDir = await newDataDir(t)
  const file = path.join(path.dirname(dataDir), 'works.jsonl')
  const works = Array.from({ length: worksCount }, (_, index) => ({
    work_title: `Work ${index}`,
    work_type: 'article',
    authors: 'Ada Ruiz',
    work_url: `https://papers.example.org/${index}`,
  }))
  await writeFile(file, works.map((work) => JSON.stringify(work)).join('\n'))
  const { code, stderr } = await runArklog(t, ['import', file, '--new'], { DATA_DIR: dataDir })
  t.is(code, 0, stderr)
  return dataDir
})

async function createRegistry(t: ExecutionContext): Promise<string> {
  const dataDir = await newDataDir(t)
  await cp(sound(), dataDir, { recursive: true })
  return dataDir
}

async function withStore(dataDir: string, use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openLevelStore(path.join(dataDir, 'live'), { create: false })
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

function audit(t: ExecutionContext, dataDir: string, ...args: string[]) {
  return runArklog(t, ['audit', ...args], { DATA_DIR: dataDir })
}

test('a sound registry has no problems, and an audit leaves nothing behind', async (t) => {
  const dataDir = await createRegistry(t)
  const before = await readdir(dataDir)
  const { code, stdout, stderr } = await audit(t, dataDir, '--json')
  t.is(code, 0, stderr)
  const [live, sandbox] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.like(live, { store: 'live', tree_size: worksCount, statements: worksCount, problems: [] })
  t.like(sandbox, { store: 'sandbox', tree_size: 0, problems: [] })
  t.deepEqual(await readdir(dataDir), before)
})

test('a view that no event made is a problem until the views are rebuilt', async (t) => {
  const dataDir = await createRegistry(t)
  await withStore(dataDir, (store) =>
    store.commit([{ type: 'put', key: 'work/12345/intruder', value: Buffer.from('{}') }]),
  )
  const found = await audit(t, dataDir)
  t.is(found.code, 1)
  t.regex(found.stdout, /^ {2}PROBLEM {7}work\/12345\/intruder: no event made this row$/m)
  t.is(found.stderr, 'arklog: there is a problem\n')
  const rebuilt = await audit(t, dataDir, '--rebuild-views')
  t.is(rebuilt.code, 0, rebuilt.stderr)
  t.regex(rebuilt.stdout, /^live: .*\n(?: {2}.*\n)* {2}all is as it should be$/m)
})

test('an entry that was exchanged is found by the log and by the journal', async (t) => {
  const dataDir = await createRegistry(t)
  await withStore(dataDir, (store) =>
    store.commit([{ type: 'put', key: entryKey(3), value: Buffer.from('another') }]),
  )
  const { code, stdout } = await audit(t, dataDir, '--json')
  t.is(code, 1)
  const { problems } = JSON.parse(stdout.split('\n', 1)[0] ?? '') as { problems: string[] }
  t.true(problems.some((problem) => problem.includes('checkpoint')))
  t.true(problems.includes(`${entryKey(3)}: there is no signed statement`))
})

test('a store that is open elsewhere, or not there, ends with exit code 2', async (t) => {
  const dataDir = await createRegistry(t)
  await withStore(dataDir, async () => {
    const { code, stderr } = await audit(t, dataDir)
    t.is(code, 2)
    t.regex(stderr, /another process has it open: close it there first/)
  })
  const empty = path.join(dataDir, 'nowhere')
  const { code, stderr } = await audit(t, empty)
  t.is(code, 2)
  t.is(stderr, `arklog: ${empty} has no registry and no log\n`)
})
