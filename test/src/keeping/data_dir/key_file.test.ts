import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import {
  createKeyFile,
  openReceiptKeyFiles,
  publicKeyHex,
  readKeyFile,
} from '#src/keeping/data_dir/key_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** A receipt key in a file of its own, as a first start makes it. */
async function firstKey(t: ExecutionContext) {
  const folder = await makeTempDir(t)
  const place = { file: path.join(folder, 'live-receipt.pem'), firstPublicKey: '' }
  const firstPublicKey = publicKeyHex(await createKeyFile(place.file))
  const nextFile = path.join(folder, 'live-receipt-next.pem')
  const open = () => openReceiptKeyFiles({ ...place, firstPublicKey })
  const inPlace = async () => publicKeyHex(await readKeyFile(place.file))
  return { folder, ...place, nextFile, firstPublicKey, open, inPlace }
}

test('a rotation is announced while both keys are on the disk, then the new one is', async (t) => {
  const { folder, firstPublicKey, nextFile, open, inPlace } = await firstKey(t)
  const files = await open()
  let announced = firstPublicKey
  const answer = await files.rotate(
    async (next) => {
      t.is(publicKeyHex(await readKeyFile(nextFile)), publicKeyHex(next))
      t.is(await inPlace(), firstPublicKey)
      announced = publicKeyHex(next)
      return 'announced'
    },
    () => announced,
  )
  t.is(answer, 'announced')
  t.not(announced, firstPublicKey)
  t.is(await inPlace(), announced)
  t.deepEqual(await fs.readdir(folder), ['live-receipt.pem'])
  t.is(publicKeyHex((await open()).choose(announced)), announced)

  // The next one finds everything settled.
  const again = await files.rotate(
    async (next) => (announced = publicKeyHex(next)),
    () => announced,
  )
  t.is(again, announced)
  t.is(await inPlace(), announced)
})

test('a key that is not announced is removed, and the old one stays', async (t) => {
  const { folder, firstPublicKey, open, inPlace } = await firstKey(t)
  const files = await open()
  const answer = await files.rotate(
    async () => 'refused',
    () => firstPublicKey,
  )
  t.is(answer, 'refused')
  t.is(await inPlace(), firstPublicKey)
  t.deepEqual(await fs.readdir(folder), ['live-receipt.pem'])
})

test('two rotations at one time are one', async (t) => {
  const { firstPublicKey, open } = await firstKey(t)
  const files = await open()
  const inUse = () => firstPublicKey
  const announce = async () => 'refused'
  const both = await Promise.all([files.rotate(announce, inUse), files.rotate(announce, inUse)])
  t.deepEqual(both, ['refused', undefined])
})

test('when nobody knows what was announced both keys stay for the next start', async (t) => {
  for (const wasAnnounced of [true, false]) {
    const { folder, firstPublicKey, nextFile, open, inPlace } = await firstKey(t)
    const files = await open()
    const unknown = () => Promise.reject(new Error('unknown'))
    await t.throwsAsync(
      files.rotate(unknown, () => firstPublicKey),
      { message: 'unknown' },
    )
    t.is(await files.rotate(unknown, () => firstPublicKey), undefined, 'and there is no other')
    const next = publicKeyHex(await readKeyFile(nextFile))
    const inUse = wasAnnounced ? next : firstPublicKey

    const started = await open()
    t.is(publicKeyHex(started.choose(wasAnnounced ? next : undefined)), inUse)
    await started.settle(inUse)
    t.is(await inPlace(), inUse)
    t.deepEqual(await fs.readdir(folder), ['live-receipt.pem'])
    t.is(publicKeyHex((await open()).choose(inUse)), inUse)
  }
})

test('a key file that was cut off while it was written is removed', async (t) => {
  const { folder, firstPublicKey, nextFile, open } = await firstKey(t)
  for (const cut of ['', '-----BEGIN PRIVATE KEY-----\nMC4C']) {
    await fs.writeFile(nextFile, cut, { mode: 0o600 })
    const files = await open()
    t.is(publicKeyHex(files.choose(undefined)), firstPublicKey)
    await files.settle(firstPublicKey)
    t.deepEqual(await fs.readdir(folder), ['live-receipt.pem'])
  }
})

test('a key that neither file holds is refused', async (t) => {
  const { file, firstPublicKey, open } = await firstKey(t)
  const files = await open()
  const announced = 'ab'.repeat(32)
  t.throws(() => files.choose(announced), {
    instanceOf: StartError,
    code: 'key_file_changed',
    message:
      `${file} is not the key this data directory signs with: its public key is ` +
      `${firstPublicKey}, but must be ${announced}. Restore the file from a backup.`,
  })
  await fs.rm(file)
  await t.throwsAsync(open(), { code: 'secret_missing', message: /live-receipt\.pem is missing/ })
})
