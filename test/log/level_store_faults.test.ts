import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import test, { type ExecutionContext } from 'ava'

import { LogError } from '#log/tlog/errors.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Store } from '#log/store/store.ts'
import { filesWith, flipByte, replaceDir } from '#test/log/_damage.ts'
import { put } from '#test/log/_log.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const run = promisify(execFile)
const rows = new Map(
  Array.from({ length: 400 }, (_, i) => {
    const key = `row/${i.toString().padStart(4, '0')}`
    return [key, `${key} ${Math.sin(i)} `.repeat(8)] as const
  }),
)

/** A store of `rows`, all of them in a table: opening a store writes its .log into one. */
async function makeStore(t: ExecutionContext): Promise<string> {
  const dir = path.join(await makeTempDir(t), 'store')
  const store = await openLevelStore(dir, { create: true })
  await store.commit([...rows].map(([key, value]) => put(key, value)))
  await store.close()
  await (await openLevelStore(dir, { create: false })).close()
  return dir
}

async function names(dir: string): Promise<string[]> {
  return (await fs.readdir(dir)).sort()
}

/** Reads all rows, in order and by key: how the damage showed. A wrong value fails the test. */
async function readAll(
  t: ExecutionContext,
  store: Store,
): Promise<'sound' | 'missing' | 'corrupt'> {
  try {
    const scanned = await Array.fromAsync(store.scan({}))
    for (const [key, value] of scanned)
      t.is(Buffer.from(value).toString(), rows.get(key) ?? `no row ${key}`)
    let found = 0
    for (const [key, expected] of rows) {
      const value = store.get(key)
      if (value === undefined) continue
      t.is(Buffer.from(value).toString(), expected)
      found += 1
    }
    return scanned.length === rows.size && found === rows.size ? 'sound' : 'missing'
  } catch (error) {
    t.true(error instanceof LogError && error.code === 'store_corrupt', String(error))
    return 'corrupt'
  }
}

test('a flipped byte of a table is store_corrupt or loses a row: no value is wrong', async (t) => {
  const dir = await makeStore(t)
  const pristine = `${dir}-pristine`
  await fs.cp(dir, pristine, { recursive: true })
  const [table = ''] = await filesWith(dir, '.ldb')
  const { size } = await fs.stat(table)
  const seen = { sound: 0, missing: 0, corrupt: 0 }
  for (let at = 0; at < size; at += Math.ceil(size / 60)) {
    await replaceDir(pristine, dir)
    await flipByte(table, at)
    try {
      const store = await openLevelStore(dir, { create: false })
      seen[await readAll(t, store)] += 1
      await store.close()
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      t.is(error.code, 'store_corrupt', `${at}: ${error.message}`)
      seen.corrupt += 1
    }
  }
  t.true(seen.corrupt >= 40, JSON.stringify(seen))
})

test('a store without CURRENT is store_missing, and not replaced by an empty one', async (t) => {
  const dir = await makeStore(t)
  await fs.rm(path.join(dir, 'CURRENT'))
  const before = await names(dir)
  for (const create of [false, true]) {
    await t.throwsAsync(openLevelStore(dir, { create }), {
      code: 'store_missing',
      message: /^the store .* has lost its file CURRENT but still holds .*: restore the whole/,
    })
  }
  t.deepEqual(await names(dir), before, 'nothing was touched')
})

test('a directory that is missing or emptied is store_missing, and stays as it is', async (t) => {
  const dir = await makeStore(t)
  const expected = {
    code: 'store_missing',
    message: /^the store .* is missing or empty: check that the disk is mounted/,
  }
  for (const name of await names(dir)) await fs.rm(path.join(dir, name))
  await t.throwsAsync(openLevelStore(dir, { create: false }), expected)
  t.deepEqual(await names(dir), [])
  await fs.rmdir(dir)
  await t.throwsAsync(openLevelStore(dir, { create: false }), expected)
  await t.throwsAsync(fs.stat(dir), { code: 'ENOENT' })
})

test('a store that lost a table or its manifest is store_corrupt', async (t) => {
  for (const pattern of [/\.ldb$/, /^MANIFEST/]) {
    const dir = await makeStore(t)
    const lost = (await names(dir)).find((name) => pattern.test(name)) ?? ''
    await fs.rm(path.join(dir, lost))
    await t.throwsAsync(openLevelStore(dir, { create: false }), {
      code: 'store_corrupt',
      message: /^the store .* cannot be opened: LevelDB found it damaged: restore the whole/,
    })
  }
})

test('a file where the store should be is store_failed', async (t) => {
  const file = path.join(await makeTempDir(t), 'store')
  await fs.writeFile(file, 'not a directory')
  await t.throwsAsync(openLevelStore(file, { create: true }), {
    code: 'store_failed',
    message: /^the store .* cannot be read: ENOTDIR.*: check the disk and the permissions/,
  })
})

test('a second process is store_locked, and so is a second opening in this one', async (t) => {
  const dir = await makeStore(t)
  const store = await openLevelStore(dir, { create: false })
  const link = `${dir}-link`
  await fs.symlink(dir, link)
  for (const name of [dir, link]) {
    await t.throwsAsync(openLevelStore(name, { create: false }), {
      code: 'store_locked',
      message: /^the store .* cannot be opened: this process has it open: close it there first/,
    })
  }
  // LevelDB itself would have dropped the lock in refusing, so the process comes second.
  const refused = await openInChild(dir)
  t.is(refused.code, 'store_locked')
  t.regex(refused.message ?? '', /cannot be opened: another process has it open: close it there/)
  t.is(await readAll(t, store), 'sound', 'the owner is not disturbed')
  await store.close()
  t.deepEqual(await openInChild(dir), { code: 'opened' })
  await (await openLevelStore(link, { create: false })).close()
})

async function openInChild(dir: string): Promise<{ code: string; message?: string }> {
  const script = fileURLToPath(new URL('_open_store.ts', import.meta.url))
  return JSON.parse((await run(process.execPath, [script, dir])).stdout)
}
