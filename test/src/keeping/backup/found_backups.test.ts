import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { type BackupOwner, ownerOf } from '#src/keeping/backup/backup_owner.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { ChunkNames } from '#src/keeping/backup/chunk.ts'
import { findOwnBackups, pruneBackups } from '#src/keeping/backup/found_backups.ts'
import {
  backupId,
  type Manifest,
  manifestFile,
  signManifest,
} from '#src/keeping/backup/manifest.ts'
import {
  backUp,
  checkpointOf,
  newTarget,
  openKept,
  ownRegistry,
  rowsOf,
  testRegistry,
} from '#test/src/keeping/backup/_backed_up.ts'

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const dayMs = 86_400_000
const owner = ownerOf(ownRegistry.head)
const others = testRegistry('others')

/** Makes backups of a log that grows, a day apart, the last one now. */
async function backUpDaily(target: BackupTarget, count: number): Promise<readonly Manifest[]> {
  const made: Manifest[] = []
  for (let day = 1; day <= count; day += 1) {
    const ms = nowMs - (count - day) * dayMs
    const options = { target, nowMs: ms, treeSize: day }
    made.push((await backUp(rowsOf(100 * day), options)).manifest)
  }
  return made
}

function write(target: BackupTarget, id: string, manifest: unknown): Promise<void> {
  return target.write(manifestFile(id), Buffer.from(JSON.stringify(manifest)))
}

function signed(manifest: Manifest, { pepper }: BackupOwner): Manifest {
  const members = Object.entries(manifest).filter(([name]) => name !== 'mac')
  const unsigned = Object.fromEntries(members) as Omit<Manifest, 'mac'>
  return signManifest(unsigned, new ChunkNames(pepper, manifest.recipients))
}

function idAt(days: number): string {
  return backupId(nowMs + days * dayMs)
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort()
}

async function isWhole(target: BackupTarget, { id, rows }: Manifest): Promise<boolean> {
  const kept = await openKept(target, { id })
  const items = await Array.fromAsync(kept.items())
  return items.filter(({ type }) => type === 'row').length === rows
}

type Plant = (target: BackupTarget, newest: Manifest) => Promise<readonly [id: string, why: RegExp]>

/** What others, or a wrong clock, may have put beside the backups of a registry. */
const planted: Readonly<Record<string, Plant>> = {
  'an unsigned manifest of the future': async (target, newest) => {
    const id = idAt(400)
    await write(target, id, { ...newest, id, mac: '0'.repeat(64) })
    return [id, /was not authenticated by this registry/]
  },
  'a manifest that another key has signed': async (target, newest) => {
    const id = idAt(-0.5)
    await write(target, id, signed({ ...newest, id }, ownerOf(others.head)))
    return [id, /was not authenticated by this registry/]
  },
  'a manifest that shows a state that another log has signed': async (target, newest) => {
    const id = idAt(-0.5)
    const checkpoints = { live: checkpointOf(others, 1_000) }
    await write(target, id, signed({ ...newest, id, checkpoints }, owner))
    return [id, /was not authenticated by this registry/]
  },
  'a manifest that was cut off': async (target, newest) => {
    const id = idAt(-0.5)
    const text = JSON.stringify({ ...newest, id })
    await target.write(manifestFile(id), Buffer.from(text.slice(0, -20)))
    return [id, /is damaged, or is not a manifest/]
  },
  'an own manifest of a clock that was ahead': async (target, newest) => {
    const id = idAt(400)
    await write(target, id, signed({ ...newest, id }, owner))
    return [id, /is dated in the future/]
  },
  'a manifest under another name': async (target, newest) => {
    const id = idAt(1)
    await write(target, id, newest)
    return [id, /has the manifest of backup 20260102T030405\.006Z under another name/]
  },
  'a manifest at a time that there is not': async (target, newest) => {
    const id = '99999999T999999.999Z'
    await write(target, id, { ...newest, id })
    return [id, /is damaged, or is not a manifest/]
  },
  'the real backup of another registry': async (target) => {
    const options = { target, nowMs: nowMs + dayMs, registry: others, treeSize: 1_000 }
    const { manifest } = await backUp(rowsOf(50), options)
    return [manifest.id, /was not authenticated by this registry/]
  },
  'an own manifest whose chunks are gone': async (target, newest) => {
    const id = idAt(-0.5)
    const chunks = [...newest.chunks, randomBytes(32).toString('hex')]
    await write(target, id, signed({ ...newest, id, chunks }, owner))
    return [id, /lacks 1 of its \d+ parts/]
  },
  'a manifest of a newer program': async (target, newest) => {
    const id = idAt(-0.5)
    await write(target, id, signed({ ...newest, id, format: 3 }, owner))
    return [id, /was made by a newer version/]
  },
  'a copy whose name is no time': async (target, newest) => {
    await target.write('backups/copy of it.json', Buffer.from(JSON.stringify(newest)))
    return ['copy of it', /has the manifest of backup \S+ under another name/]
  },
}

for (const [what, plant] of Object.entries(planted)) {
  test(`${what} costs no backup, and is left alone`, async (t) => {
    const { target } = await newTarget(t)
    const made = await backUpDaily(target, 4)
    const [, , third, newest] = made as [Manifest, Manifest, Manifest, Manifest]
    const [id, why] = await plant(target, newest)
    const before = await target.read(manifestFile(id), 1_000_000)
    const { removed, left } = await pruneBackups({ target, owner, nowMs }, newest, 2)
    t.deepEqual(removed, [made[0]?.id, made[1]?.id])
    t.deepEqual(
      left.map(({ file }) => file),
      [manifestFile(id)],
    )
    t.regex(left[0]?.why ?? '', why)
    t.deepEqual(await target.read(manifestFile(id), 1_000_000), before)
    t.true(await isWhole(target, third))
    t.true(await isWhole(target, newest))
  })
}

test('all that can be planted at once, twice, costs no backup', async (t) => {
  const { folder, target } = await newTarget(t)
  const made = await backUpDaily(target, 3)
  const newest = made[2] as Manifest
  for (const plant of Object.values(planted)) await plant(target, newest)
  const foreign = await backUp(rowsOf(70), { target, registry: others, nowMs: nowMs + 2 * dayMs })
  const before = await filesIn(folder)
  const { removed } = await pruneBackups({ target, owner, nowMs }, newest, 3)
  t.deepEqual(removed, [])
  t.deepEqual(await filesIn(folder), before)
  t.deepEqual((await pruneBackups({ target, owner, nowMs }, newest, 1)).removed, [
    made[0]?.id,
    made[1]?.id,
  ])
  t.true(await isWhole(target, newest))
  t.true(await isWhole(target, foreign.manifest))
})

test('the newest backups stay whole when older ones are removed', async (t) => {
  const { folder, target } = await newTarget(t)
  const made = await backUpDaily(target, 4)
  const ids = made.map(({ id }) => id)
  // A backup that was cut off has left it, and no manifest names it.
  const orphan = `chunks/ab/${'ab'.repeat(32)}.zst`
  await target.write(orphan, Buffer.from('orphan'))
  await target.write('chunks/README', Buffer.from('of somebody else'))
  const before = await filesIn(folder)
  const newest = made[3] as Manifest
  const pruned = await pruneBackups({ target, owner, nowMs }, newest, 2)
  t.deepEqual(pruned, { removed: ids.slice(0, 2), left: [] })
  t.deepEqual(
    [...(await target.list('backups/'))].sort(),
    ids.slice(2).map((id) => manifestFile(id)),
  )
  t.true((await filesIn(folder)).length < before.length - 3)
  t.is(await target.read(orphan, 100), undefined)
  t.not(await target.read('chunks/README', 100), undefined)
  for (const manifest of made.slice(2)) t.true(await isWhole(target, manifest))
  t.deepEqual((await pruneBackups({ target, owner, nowMs }, newest, 2)).removed, [])
})

test('of which backup is the newest, the log tells more than any clock', async (t) => {
  const { target } = await newTarget(t)
  // The clock was half an hour ahead, then right, then years behind.
  const made: Manifest[] = []
  for (const [index, minutes] of [30, 0, -3_000_000].entries()) {
    const options = { target, nowMs: nowMs + minutes * 60_000, treeSize: 10 + index }
    made.push((await backUp(rowsOf(10 + index), options)).manifest)
  }
  const { own } = await findOwnBackups({ target, owner, nowMs })
  t.deepEqual(
    own.map(({ treeSize }) => treeSize),
    [12, 11, 10],
  )
  const newest = made[2] as Manifest
  t.is((await openKept(target, { nowMs })).manifest.id, newest.id)
  const { removed } = await pruneBackups({ target, owner, nowMs }, newest, 1)
  t.deepEqual(removed.length, 2)
})

test('what was just made stays, whatever its time and the size of its log', async (t) => {
  for (const [days, treeSize] of [
    [0, 1],
    [400, 5],
    [-9_000, 4],
    [-9_000, 1],
  ] as const) {
    const { target } = await newTarget(t)
    await backUpDaily(target, 4)
    const options = { target, nowMs: nowMs + days * dayMs, treeSize }
    const { manifest } = await backUp(rowsOf(500), options)
    await pruneBackups({ target, owner, nowMs }, manifest, 1)
    t.true(await isWhole(target, manifest), `${days} days, ${treeSize} entries`)
  }
})

test('while the clock is wrong, backups of the right time are not removed', async (t) => {
  const { target } = await newTarget(t)
  const made = await backUpDaily(target, 3)
  const wrongMs = nowMs - 9_000 * dayMs
  const { manifest } = await backUp(rowsOf(400), { target, nowMs: wrongMs, treeSize: 4 })
  const pruned = await pruneBackups({ target, owner, nowMs: wrongMs }, manifest, 1)
  t.deepEqual(pruned.removed, [])
  t.is(pruned.left.length, 3)
  for (const each of [...made, manifest]) t.true(await isWhole(target, each))
})

test('a clock that is put back does not write over another backup', async (t) => {
  const { target } = await newTarget(t)
  const first = await backUp(rowsOf(10), { target, nowMs, treeSize: 1 })
  const second = await backUp(rowsOf(20), { target, nowMs, treeSize: 2 })
  t.is(second.manifest.id, '20260102T030405.007Z')
  t.true(await isWhole(target, first.manifest))
  t.true(await isWhole(target, second.manifest))
})

test('links and folders among the manifests are nothing', async (t) => {
  const { folder, target } = await newTarget(t)
  const [made] = (await backUpDaily(target, 1)) as [Manifest]
  await fs.symlink(
    path.join(folder, manifestFile(idAt(0))),
    path.join(folder, manifestFile(idAt(-1))),
  )
  await fs.symlink('/dev/zero', path.join(folder, manifestFile(idAt(1))))
  await fs.mkdir(path.join(folder, manifestFile(idAt(2))))
  const { own, left } = await findOwnBackups({ target, owner, nowMs })
  t.deepEqual(
    own.map(({ manifest }) => manifest.id),
    [made.id],
  )
  t.deepEqual(left, [])
})
