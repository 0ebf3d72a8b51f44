import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { writeInstance } from '#src/keeping/data_dir/instance.ts'
import {
  beginCopy,
  copyInto,
  finishCopy,
  copyFolder,
  refuseUnfinishedCopy,
} from '#src/keeping/data_dir/copied_folder.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const instance = {
  schema: 1,
  kind: 'registry',
  created_at: '2026-01-01T00:00:00.000Z',
  stores: 'created',
  logs: {},
} as const
const secrets = { 'a.pem': Buffer.from('a'), 'b.pem': Buffer.from('b') }
const stores = ['live', 'sandbox', 'identity']

async function newPlace(t: ExecutionContext, hasOwnKeysDir: boolean) {
  const folder = await makeTempDir(t)
  const dataDir = path.join(folder, 'data')
  await fs.mkdir(dataDir)
  return { dataDir, keysDir: path.join(hasOwnKeysDir ? folder : dataDir, 'keys') }
}

async function copyStores(dataDir: string): Promise<void> {
  for (const name of stores) {
    await fs.mkdir(path.join(copyFolder(dataDir), name))
    await fs.writeFile(path.join(copyFolder(dataDir), name, 'rows'), name)
  }
}

for (const hasOwnKeysDir of [false, true]) {
  const where = hasOwnKeysDir ? 'with a folder of keys elsewhere' : 'with its keys in it'

  test(`an empty folder becomes that of a node, ${where}`, async (t) => {
    const place = await newPlace(t, hasOwnKeysDir)
    await beginCopy(place)
    await t.throwsAsync(refuseUnfinishedCopy(place.dataDir), { code: 'copy_unfinished' })
    await copyStores(place.dataDir)
    await finishCopy(place, { secrets, instance })
    await t.notThrowsAsync(refuseUnfinishedCopy(place.dataDir))
    const own = hasOwnKeysDir ? [] : ['keys']
    const expected = ['identity', 'instance.json', ...own, 'live', 'sandbox']
    t.deepEqual((await fs.readdir(place.dataDir)).toSorted(), expected)
    t.deepEqual((await fs.readdir(place.keysDir)).toSorted(), ['a.pem', 'b.pem'])
    await t.throwsAsync(beginCopy(place), { code: 'copy_folder_taken' })
  })

  test(`of a copy that is refused nothing is left, ${where}`, async (t) => {
    const place = await newPlace(t, hasOwnKeysDir)
    const refused = copyInto(place, async (folder) => {
      await fs.writeFile(path.join(folder, 'rows'), 'some')
      throw new Error('refused')
    })
    await t.throwsAsync(refused, { message: 'refused' })
    t.deepEqual(await fs.readdir(place.dataDir), [])
    await copyInto(place, async () => {
      await copyStores(place.dataDir)
      return { secrets, instance }
    })
    await t.notThrowsAsync(refuseUnfinishedCopy(place.dataDir))
  })

  test(`a join that was cut off at any step is begun again, ${where}`, async (t) => {
    for (let moved = 0; moved <= stores.length; moved += 1) {
      const place = await newPlace(t, hasOwnKeysDir)
      await beginCopy(place)
      await copyStores(place.dataDir)
      await fs.writeFile(path.join(copyFolder(place.dataDir), 'secrets.json'), '["a.pem"]')
      await fs.mkdir(place.keysDir)
      await fs.writeFile(path.join(place.keysDir, 'a.pem'), '')
      for (const name of stores.slice(0, moved)) {
        const from = path.join(copyFolder(place.dataDir), name)
        await fs.rename(from, path.join(place.dataDir, name))
      }
      await beginCopy(place)
      t.deepEqual(await fs.readdir(copyFolder(place.dataDir)), [])
      await copyStores(place.dataDir)
      await finishCopy(place, { secrets, instance })
      t.is(await fs.readFile(path.join(place.keysDir, 'a.pem'), 'utf8'), 'a')
    }
  })
}

test('a list of secrets that was cut off is begun again: none was put in place yet', async (t) => {
  for (const cutOff of ['', '["a.pem', '["a.pem","b.pem"']) {
    const place = await newPlace(t, true)
    await beginCopy(place)
    await copyStores(place.dataDir)
    await fs.writeFile(path.join(copyFolder(place.dataDir), 'secrets.json'), cutOff)
    await beginCopy(place)
    t.deepEqual(await fs.readdir(copyFolder(place.dataDir)), [])
  }
})

test('as long as anything is missing, the folder is no node’s', async (t) => {
  for (const missing of stores) {
    const place = await newPlace(t, false)
    await beginCopy(place)
    await copyStores(place.dataDir)
    await fs.rm(path.join(copyFolder(place.dataDir), missing), { recursive: true })
    await t.throwsAsync(finishCopy(place, { secrets, instance }), { code: 'ENOENT' })
    t.false((await fs.readdir(place.dataDir)).includes('instance.json'))
    await t.throwsAsync(refuseUnfinishedCopy(place.dataDir), { code: 'copy_unfinished' })
  }
})

test('a folder that holds anything is refused, and stays as it is', async (t) => {
  const place = await newPlace(t, false)
  await fs.writeFile(path.join(place.dataDir, 'notes.txt'), 'mine')
  await t.throwsAsync(beginCopy(place), { code: 'copy_folder_taken', message: /notes\.txt/ })
  t.deepEqual(await fs.readdir(place.dataDir), ['notes.txt'])
  const node = await newPlace(t, false)
  await writeInstance(node.dataDir, { ...instance })
  await fs.mkdir(copyFolder(node.dataDir))
  await t.throwsAsync(beginCopy(node), { code: 'copy_folder_taken' })
  const keys = await newPlace(t, true)
  await fs.mkdir(keys.keysDir)
  await fs.writeFile(path.join(keys.keysDir, 'live-log.pem'), 'mine')
  await t.throwsAsync(beginCopy(keys), { code: 'copy_folder_taken', message: /live-log/ })
})
