import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'

import { BackupError, type BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { pepperOf } from '#src/keeping/backup/backup_owner.ts'
import { ChunkNames, encodeChunk } from '#src/keeping/backup/chunk.ts'
import { type KeptBackup, listBackups } from '#src/keeping/backup/backup.ts'
import {
  backupId,
  chunkFile,
  type Manifest,
  manifestFile,
  signManifest,
} from '#src/keeping/backup/manifest.ts'
import { readSnapshot, type SnapshotHead, writeSnapshot } from '#src/keeping/snapshot/snapshot.ts'
import {
  backUp,
  checkpointOf,
  newTarget,
  openKept,
  ownRegistry,
  rowsOf,
  snapshotOf,
  testRegistry,
} from '#test/src/keeping/backup/_backed_up.ts'
import { seed } from '#test/_seed.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const rows = rowsOf(12_000)
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 6)

async function readAll(target: BackupTarget, options = {}): Promise<unknown[]> {
  const kept = await openKept(target, options)
  return Array.fromAsync(kept.items())
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

test('a backup gives back what it was made of', async (t) => {
  const { target } = await newTarget(t)
  const { manifest, newChunks } = await backUp(rows, { target, nowMs })
  t.is(manifest.id, '20260102T030405.006Z')
  t.deepEqual(manifest.checkpoints, { live: checkpointOf(ownRegistry, 7) })
  t.is(manifest.rows, rows.length + 2)
  t.is(newChunks, manifest.chunks.length)
  t.deepEqual((await openKept(target)).head, ownRegistry.head)
  t.deepEqual(await readAll(target), await Array.fromAsync(readSnapshot(snapshotOf(rows))))
})

test('what the target has already is not written again', async (t) => {
  const { target } = await newTarget(t)
  await backUp(rows, { target, nowMs })
  const same = await backUp(rows, { target, nowMs: nowMs + 1 })
  t.deepEqual([same.newChunks, same.writtenBytes], [0, 0])
  const more = await backUp(rowsOf(12_010), { target, nowMs: nowMs + 2 })
  // Where the rows were added, and the end, which says how many there are.
  t.is(more.newChunks, 2)
  t.is((await target.list('backups/')).length, 3)
  const first = await readAll(target, { id: '20260102T030405.006Z' })
  t.deepEqual(first, await Array.fromAsync(readSnapshot(snapshotOf(rows))))
})

test('a backup that is cut off is none, and the next one goes on from it', async (t) => {
  const { target } = await newTarget(t)
  const whole = Buffer.concat(await Array.fromAsync(snapshotOf(rows)))
  async function* cut() {
    yield whole.subarray(0, whole.length / 2)
  }
  await t.throwsAsync(backUp(rows, { target, pieces: cut() }), { code: 'snapshot_malformed' })
  t.deepEqual(await target.list('backups/'), [])
  await t.throwsAsync(openKept(target), { code: 'backup_missing' })
  const { manifest, newChunks } = await backUp(rows, { target })
  t.true(newChunks < manifest.chunks.length)
})

test('an encrypted backup opens with each recipient’s identity, and no other', async (t) => {
  const { folder, target } = await newTarget(t)
  const identities = await Promise.all([generateX25519Identity(), generateX25519Identity()])
  const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
  await backUp(rows, { target, recipients })
  for (const identity of identities) {
    t.is((await readAll(target, { identities: [identity] })).length, rows.length + 6)
  }
  const stranger = await generateX25519Identity()
  await t.throwsAsync(openKept(target), { code: 'backup_encrypted' })
  await t.throwsAsync(openKept(target, { identities: [stranger] }), { code: 'backup_encrypted' })
  for (const file of await filesOf(folder)) {
    const bytes = await fs.readFile(file, 'latin1')
    t.is(file.endsWith('.age'), bytes.startsWith('age-encryption.org/v1'), file)
    t.false(bytes.includes(ownRegistry.head.secrets['api-keys.pepper'] ?? ''), file)
  }
  // Whoever has the first key may not read what is encrypted for others from now on.
  const { newChunks, manifest } = await backUp(rows, { target, recipients: recipients.slice(1) })
  t.is(newChunks, manifest.chunks.length)
})

test('a backup with a byte of any file flipped, or without it, is refused', async (t) => {
  const { folder, target } = await newTarget(t)
  await backUp(rows, { target })
  const whole = await readAll(target)
  t.is(whole.length, rows.length + 6)
  const files = await filesOf(folder)
  t.true(files.length > 3)
  const random = seededRandom(seed)
  let refused = 0
  for (const file of files) {
    const bytes = await fs.readFile(file)
    const flipped = Buffer.from(bytes)
    const at = Math.floor(random() * bytes.length)
    flipped.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    await fs.writeFile(file, flipped)
    const read = await readAll(target).catch((error: unknown) => error)
    if (read instanceof BackupError) {
      refused += 1
      t.regex(read.code, /^backup_(?:damaged|foreign|missing)$/, `${file} ${at}`)
    } else {
      // Now and then Zstandard unpacks what was changed to the very same.
      t.deepEqual(read, whole, `${file} ${at}`)
    }
    await fs.rm(file)
    await t.throwsAsync(readAll(target), { instanceOf: BackupError })
    await fs.writeFile(file, bytes)
  }
  t.true(refused > files.length / 2, `${refused} of ${files.length}`)
  t.deepEqual(await readAll(target), whole)
})

test('a head that is damaged anywhere is refused as such, or is as it was', async (t) => {
  const { folder, target } = await newTarget(t)
  const { manifest } = await backUp(rowsOf(10), { target })
  const file = path.join(folder, chunkFile(manifest.chunks[0] ?? '', manifest.recipients))
  const bytes = await fs.readFile(file)
  let refused = 0
  for (const [at, byte] of bytes.entries()) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(byte ^ 16, at)
    await fs.writeFile(file, flipped)
    const opened = await openKept(target).catch((error: unknown) => error)
    if (opened instanceof BackupError) {
      refused += 1
      t.is(opened.code, 'backup_damaged', `${at}`)
    } else {
      // Now and then Zstandard unpacks what was changed to the very same.
      t.deepEqual((opened as KeptBackup).head, ownRegistry.head, `${at}`)
    }
  }
  t.true(refused > bytes.length / 2, `${refused} of ${bytes.length}`)
})

test('chunks of two backups make no third one', async (t) => {
  const { folder, target } = await newTarget(t)
  const [older, newer] = [
    await backUp(rows, { target, nowMs }),
    await backUp(rowsOf(12_010), { target, nowMs: nowMs + 1 }),
  ]
  const mixed = { ...newer.manifest, chunks: older.manifest.chunks }
  const file = path.join(folder, 'backups', `${newer.manifest.id}.json`)
  await fs.writeFile(file, JSON.stringify(mixed))
  await t.throwsAsync(openKept(target, { id: newer.manifest.id }), { code: 'backup_damaged' })
  const kept = await openKept(target)
  t.is(kept.manifest.id, older.manifest.id)
  t.deepEqual(
    kept.left.map(({ code }) => code),
    ['backup_damaged'],
  )
})

const ownVkey = 'registry.example/log+24ebe817+AfyXCszjVwtVRoQDhRCop1lyvnBLF+IiYzMuP1GqS3le'
const forger = testRegistry('a forger')

test('a forged backup is whole, and of another log: its key tells it', async (t) => {
  const { target } = await newTarget(t)
  const real = await backUp(rowsOf(20), { target, nowMs, treeSize: 7 })
  const options = { target, nowMs: nowMs + 1, registry: forger, treeSize: 1_000 }
  const forged = await backUp(rowsOf(10), options)

  const claimed = await openKept(target)
  t.is(claimed.manifest.id, forged.manifest.id)
  t.not(claimed.log.vkey, ownVkey)
  t.deepEqual(
    claimed.left.map(({ file, why }) => [file, why]),
    [[manifestFile(real.manifest.id), `is not of the log ${claimed.log.vkey}`]],
  )
  const kept = await openKept(target, { vkey: ownVkey })
  t.is(kept.manifest.id, real.manifest.id)
  t.deepEqual([kept.log.vkey, kept.log.state.treeSize, kept.newest], [ownVkey, 7, undefined])
  await t.throwsAsync(openKept(target, { vkey: ownVkey, id: forged.manifest.id }), {
    code: 'backup_foreign',
    message: /^Backup \S+ is of the log \S+, but you gave the key /,
  })
})

test('a backup with the name of a log, and without its private key, is refused', async (t) => {
  const { target } = await newTarget(t)
  const { instance } = ownRegistry.head
  // What everybody knows of the registry, and secrets of somebody else.
  const registry = { ...ownRegistry, head: { ...forger.head, instance } }
  await t.throwsAsync(backUp(rowsOf(10), { target, registry }), {
    code: 'backup_damaged',
    message: /does not have the private key of its log, registry\.example\/log\+24ebe817/,
  })
  const manifest = await forge(target, registry.head)
  for (const options of [{}, { vkey: ownVkey }, { id: manifest.id }]) {
    await t.throwsAsync(openKept(target, options), { message: /does not have the private key/ })
  }
})

test('a head that only says of itself that it is authentic is refused', async (t) => {
  const { head } = forger
  const heads: readonly (readonly [RegExp, unknown])[] = [
    [/Another version/, { ...head, format: 99 }],
    [/is not of a registry/, { ...head, instance: {} }],
    [/is not of a registry/, { ...head, instance: { ...head.instance, kind: 'log' } }],
    [/is not of a registry/, { ...head, instance: { ...head.instance, logs: { live: 7 } } }],
    [/has no live log/, { ...head, instance: { ...head.instance, logs: {} } }],
    [/has no name that a log has/, withOrigin('registry.example/log\u001b[2J')],
    [/does not have the private key/, { ...head, secrets: {} }],
    [/does not have the private key/, { ...head, secrets: { 'live-log.pem': 'AAAA' } }],
  ]
  for (const [message, forged] of heads) {
    const { target } = await newTarget(t)
    await forge(target, forged as SnapshotHead)
    await t.throwsAsync(openKept(target), { instanceOf: BackupError, message })
  }
})

test('a time that would move the cursor of a terminal is no time', async (t) => {
  const { target } = await newTarget(t)
  await forge(target, forger.head, '2026-01-01\u001b[2J\u001b[1;1H!!')
  const message = /cannot be restored: is damaged, or is not a manifest/
  await t.throwsAsync(openKept(target), { code: 'backup_damaged', message })
})

function withOrigin(origin: string): SnapshotHead {
  const { instance } = forger.head
  const live = { ...instance.logs['live'], origin }
  return { ...forger.head, instance: { ...instance, logs: { live } } } as SnapshotHead
}

/** Writes a backup with any head by hand, signed with the secret in it. */
async function forge(
  target: BackupTarget,
  head: SnapshotHead,
  created_at = new Date(nowMs).toISOString(),
): Promise<Manifest> {
  const pieces = await Array.fromAsync(writeSnapshot(head, []))
  const names = new ChunkNames(pepperOf(head), [])
  const chunks = await Promise.all(
    pieces.map(async (piece) => {
      const name = names.nameOf(piece)
      await target.write(chunkFile(name, []), await encodeChunk(piece, []))
      return name
    }),
  )
  const content = { recipients: [], checkpoints: { live: checkpointOf(forger, 9) } }
  const made = { format: 1, id: backupId(nowMs), created_at, rows: 0, bytes: 1, chunks }
  const manifest = signManifest({ ...made, ...content }, names)
  await target.write(manifestFile(manifest.id), Buffer.from(JSON.stringify(manifest)))
  return manifest
}

test('a newer backup that cannot be read still shows that the log went on', async (t) => {
  const { folder, target } = await newTarget(t)
  const older = await backUp(rowsOf(10), { target, nowMs, treeSize: 7 })
  const newer = await backUp(rowsOf(20), { target, nowMs: nowMs + 1, treeSize: 9 })
  const file = manifestFile(newer.manifest.id)
  const write = (manifest: Manifest) =>
    fs.writeFile(path.join(folder, file), JSON.stringify(manifest))
  await write({ ...newer.manifest, rows: 3 })
  for (const options of [{}, { vkey: ownVkey }, { id: older.manifest.id }]) {
    const kept = await openKept(target, options)
    t.is(kept.manifest.id, older.manifest.id)
    t.is(kept.newest?.file, file)
    t.is(kept.newest?.state.treeSize, 9)
  }
  // A state that another log has signed shows nothing.
  const checkpoints = { live: checkpointOf(forger, 1_000) }
  await write({ ...newer.manifest, checkpoints })
  t.is((await openKept(target, { vkey: ownVkey })).newest, undefined)
})

test('a list says of each backup whose it is, or why nobody can tell', async (t) => {
  const { target } = await newTarget(t)
  const recipients = [await identityToRecipient(await generateX25519Identity())]
  const encrypted = await backUp(rowsOf(10), { target, nowMs, treeSize: 7, recipients })
  const plain = await backUp(rowsOf(10), { target, nowMs: nowMs + 1, treeSize: 8 })
  await target.write(manifestFile('20300101T000000.000Z'), Buffer.from('{}'))
  const { backups, left } = await listBackups({
    target,
    identities: [],
    vkey: undefined,
    nowMs,
  })
  t.deepEqual(
    backups.map(({ id, log }) => [id, log instanceof BackupError ? log.code : log.vkey]),
    [
      [encrypted.manifest.id, 'backup_encrypted'],
      [plain.manifest.id, ownVkey],
    ],
  )
  t.deepEqual(
    left.map(({ file }) => file),
    [manifestFile('20300101T000000.000Z')],
  )
})
