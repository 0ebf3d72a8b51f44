import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test from 'ava'

import { adminSocketPath, clearAdminSocket } from '#src/keeping/data_dir/admin_socket.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

test('the socket lies in the data directory', (t) => {
  t.is(adminSocketPath('/srv/arklog'), '/srv/arklog/admin.sock')
  t.is(adminSocketPath('data'), path.resolve('data/admin.sock'))
})

test('where its path would be too long, it lies in a folder that the path names', (t) => {
  const long = `/${'deep/'.repeat(30)}`
  const socket = adminSocketPath(long)
  t.regex(socket.slice(os.tmpdir().length), /^\/arklog-[0-9a-f]{16}\/admin\.sock$/)
  t.is(adminSocketPath(long), socket)
  t.not(adminSocketPath(`${long}other`), socket)
})

test('a socket that a process left behind is removed, and a missing folder made', async (t) => {
  const dir = await makeTempDir(t)
  const socket = path.join(dir, 'run', 'admin.sock')
  await clearAdminSocket(socket)
  t.is((await stat(path.dirname(socket))).mode & 0o777, 0o700)
  await writeFile(socket, '')
  await clearAdminSocket(socket)
  t.deepEqual(await readdir(path.dirname(socket)), [])
})

test('a folder that others can write to is refused', async (t) => {
  const folder = path.join(await makeTempDir(t), 'run')
  await mkdir(folder)
  for (const mode of [0o770, 0o702, 0o777]) {
    await chmod(folder, mode)
    await t.throwsAsync(clearAdminSocket(path.join(folder, 'admin.sock')), {
      code: 'secret_exposed',
      message: /run "chmod go-w .*run" if it is yours, or set DATA_DIR to a folder that is/,
    })
  }
})
