import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'

import { BackupError } from '#src/backup/backup_error.ts'
import type { BackupTarget } from '#src/backup/backup_target.ts'
import { type KeptBackup, listBackups, openBackup, pruneBackups } from '#src/backup/kept_backup.ts'
import { chunkFile } from '#src/backup/manifest.ts'
import { readSnapshot } from '#src/snapshot/snapshot.ts'
import { backUp, newTarget, rowsOf, snapshotOf, testHead } from '#test/src/backup/_backed_up.ts'

const rows = rowsOf(12_000)
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 6)

function open(target: BackupTarget, options: { id?: string; identities?: string[] } = {}) {
  return openBackup({ target, id: options.id, identities: options.identities ?? [] })
}

async function readAll(target: BackupTarget, options = {}): Promise<unknown[]> {
  const kept = await open(target, options)
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
  t.deepEqual(manifest.checkpoints, { live: 'a note of 7 entries' })
  t.is(manifest.rows, rows.length + 2)
  t.is(newChunks, manifest.chunks.length)
  t.deepEqual((await open(target)).head, testHead)
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
  t.is((await listBackups(target)).length, 3)
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
  t.deepEqual(await listBackups(target), [])
  await t.throwsAsync(open(target), { code: 'backup_missing' })
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
  await t.throwsAsync(open(target), { code: 'backup_encrypted' })
  await t.throwsAsync(open(target, { identities: [stranger] }), { code: 'backup_encrypted' })
  for (const file of await filesOf(folder)) {
    const bytes = await fs.readFile(file, 'latin1')
    t.is(file.endsWith('.age'), bytes.startsWith('age-encryption.org/v1'), file)
    t.false(bytes.includes(testHead.secrets['api-keys.pepper'] ?? ''), file)
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
  let refused = 0
  for (const file of files) {
    const bytes = await fs.readFile(file)
    const flipped = Buffer.from(bytes)
    const at = randomBytes(4).readUInt32BE(0) % bytes.length
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
    const opened = await open(target).catch((error: unknown) => error)
    if (opened instanceof BackupError) {
      refused += 1
      t.is(opened.code, 'backup_damaged', `${at}`)
    } else {
      // Now and then Zstandard unpacks what was changed to the very same.
      t.deepEqual((opened as KeptBackup).head, testHead, `${at}`)
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
  await t.throwsAsync(open(target), { code: 'backup_damaged' })
})

test('the newest backups stay whole when older ones are removed', async (t) => {
  const { folder, target } = await newTarget(t)
  for (let nth = 0; nth < 4; nth += 1) {
    await backUp(rowsOf(12_000 + nth * 4_000), { target, nowMs: nowMs + nth })
  }
  const ids = await listBackups(target)
  const before = await filesOf(folder)
  t.deepEqual(await pruneBackups(target, 2), ids.slice(0, 2))
  t.deepEqual(await listBackups(target), ids.slice(2))
  t.true((await filesOf(folder)).length < before.length - 2)
  for (const id of ids.slice(2)) await t.notThrowsAsync(readAll(target, { id }))
  t.deepEqual(await pruneBackups(target, 2), [])
})
