import { randomBytes } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'

import type { BackupTarget } from '#src/backup/backup_target.ts'

/** Gives a test two ways to one target that is empty. */
export type MakeBackupTarget = (
  t: ExecutionContext,
) => Promise<readonly [BackupTarget, BackupTarget]>

/** The contract of the BackupTarget port: what every adapter does alike. */
export function testBackupTarget(test: TestFn, make: MakeBackupTarget): void {
  test('a file is read as it was written, by others too', async (t) => {
    const [one, other] = await make(t)
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), randomBytes(3_000_000)]) {
      await one.write('chunks/ab/abc.zst', bytes)
      t.deepEqual(await other.read('chunks/ab/abc.zst'), bytes)
    }
  })

  test('files are listed by the folder they are in', async (t) => {
    const [one, other] = await make(t)
    t.deepEqual(await one.list('chunks/'), [])
    const names = ['chunks/00/a.zst', 'chunks/ff/b.zst.age', 'backups/20260101T000000.000Z.json']
    for (const name of names) await one.write(name, Buffer.from(name))
    t.deepEqual([...(await other.list('chunks/'))].sort(), names.slice(0, 2))
    t.deepEqual(await other.list('backups/'), names.slice(2))
    t.deepEqual(await other.list('nothing/'), [])
  })

  test('a file that is not there is none, and need not be removed', async (t) => {
    const [one, other] = await make(t)
    t.is(await one.read('chunks/00/a.zst'), undefined)
    await t.notThrowsAsync(one.remove('chunks/00/a.zst'))
    await one.write('chunks/00/a.zst', Buffer.from('a'))
    await other.remove('chunks/00/a.zst')
    t.is(await one.read('chunks/00/a.zst'), undefined)
    t.deepEqual(await one.list('chunks/'), [])
  })

  test('more files than one answer may name are listed', async (t) => {
    const [one, other] = await make(t)
    const names = Array.from({ length: 1_100 }, (_, index) => `chunks/${index % 8}/${index}.zst`)
    for (let at = 0; at < names.length; at += 50) {
      await Promise.all(names.slice(at, at + 50).map((name) => one.write(name, Buffer.from('x'))))
    }
    t.deepEqual([...(await other.list('chunks/'))].sort(), names.sort())
  })
}
