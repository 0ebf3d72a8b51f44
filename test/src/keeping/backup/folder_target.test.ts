import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { FolderTarget } from '#src/keeping/backup/backup_target.ts'
import { testBackupTarget } from '#test/contracts/backup_target.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

async function newFolder(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'made', 'when needed')
}

testBackupTarget(test, async (t) => {
  const folder = await newFolder(t)
  return [new FolderTarget(folder), new FolderTarget(folder)]
})

test('files and folders are their owner’s alone', async (t) => {
  const folder = await newFolder(t)
  await new FolderTarget(folder).write('backups/a.json', Buffer.from('{}'))
  for (const name of ['', 'backups', 'backups/a.json']) {
    const { mode } = await fs.stat(path.join(folder, name))
    t.is(mode & 0o077, 0, name)
  }
})

test('what was not written whole is no file', async (t) => {
  const folder = await newFolder(t)
  const target = new FolderTarget(folder)
  await target.write('chunks/ab/whole.zst', Buffer.from('whole'))
  await fs.writeFile(path.join(folder, 'chunks/ab/half.zst.new'), 'ha')
  t.deepEqual(await target.list('chunks/'), ['chunks/ab/whole.zst'])
})

test('a folder that cannot be used is told with what to do', async (t) => {
  const folder = await newFolder(t)
  await fs.mkdir(path.dirname(folder), { recursive: true })
  await fs.writeFile(folder, 'a file')
  const target = new FolderTarget(folder)
  const expected = { code: 'target_failed', message: /cannot be used .*Check that its disk/ }
  await t.throwsAsync(target.write('backups/a.json', Buffer.from('{}')), expected)
  await t.throwsAsync(target.list('backups/'), expected)
})
