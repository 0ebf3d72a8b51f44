import { randomBytes } from 'node:crypto'
import type { ExecutionContext, TestFn } from 'ava'

import { ownerOf } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { type Manifest, manifestFile } from '#src/keeping/backup/manifest.ts'
import { pruneBackups } from '#src/keeping/backup/found_backups.ts'
import { backUp, openKept, ownRegistry, rowsOf } from '#test/src/keeping/backup/_backed_up.ts'

/** Gives a test two ways to one target that is empty. */
export type MakeBackupTarget = (
  t: ExecutionContext,
) => Promise<readonly [BackupTarget, BackupTarget]>

const bytesMax = 10_000_000

/** The contract of the BackupTarget port: what every adapter does alike. */
export function testBackupTarget(test: TestFn, make: MakeBackupTarget): void {
  test('a file is read as it was written, by others too', async (t) => {
    const [one, other] = await make(t)
    for (const bytes of [Buffer.alloc(0), Buffer.from('text'), randomBytes(3_000_000)]) {
      await one.write('chunks/ab/abc.zst', bytes)
      // Not by AVA, which compares such long ones for seconds.
      t.true(bytes.equals((await other.read('chunks/ab/abc.zst', bytesMax)) ?? Buffer.of(0)))
    }
  })

  test('a file that is longer than it may be is not read', async (t) => {
    const [one, other] = await make(t)
    await one.write('backups/long.json', randomBytes(1_000_001))
    await t.throwsAsync(other.read('backups/long.json', 1_000_000), {
      code: 'backup_damaged',
      message: /^backups\/long\.json has more than 1000000 bytes/,
    })
    t.is((await other.read('backups/long.json', 1_000_001))?.length, 1_000_001)
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
    t.is(await one.read('chunks/00/a.zst', bytesMax), undefined)
    await t.notThrowsAsync(one.remove('chunks/00/a.zst'))
    await one.write('chunks/00/a.zst', Buffer.from('a'))
    await other.remove('chunks/00/a.zst')
    t.is(await one.read('chunks/00/a.zst', bytesMax), undefined)
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

  test('what others plant among backups costs none, and is left alone', async (t) => {
    const [one, other] = await make(t)
    const made = []
    for (const day of [1, 2, 3]) {
      const options = { target: one, nowMs: Date.UTC(2026, 0, day), treeSize: day }
      made.push((await backUp(rowsOf(10 * day), options)).manifest)
    }
    const planted = ['29990101T000000.000Z', '29990102T000000.000Z'].map(manifestFile)
    for (const file of planted) await other.write(file, Buffer.from(JSON.stringify(made[2])))
    const own = { target: other, owner: ownerOf(ownRegistry.head), nowMs: Date.UTC(2026, 0, 4) }
    const { removed, left } = await pruneBackups(own, made[2] as Manifest, 2)
    t.deepEqual(removed, [made[0]?.id])
    t.deepEqual(left.map(({ file }) => file).sort(), planted)
    const files = made.slice(1).map(({ id }) => manifestFile(id))
    t.deepEqual([...(await one.list('backups/'))].sort(), [...files, ...planted])
    for (const { id } of made.slice(1)) {
      const kept = await openKept(one, { id })
      await t.notThrowsAsync(Array.fromAsync(kept.items()))
    }
  })
}
