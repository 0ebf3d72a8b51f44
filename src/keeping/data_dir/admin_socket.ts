import { hash } from 'node:crypto'
import { lstat, mkdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { StartError } from '#src/keeping/data_dir/start_error.ts'

// The kernel's limit is 108 bytes on Linux and 104 on macOS, the terminating zero included.
const socketPathBytesMax = 100

/**
 * Where the admin socket of a data directory lies: in it, or in a folder of its own among the
 * temporary files when that path is too long for a socket.
 */
export function adminSocketPath(dataDir: string): string {
  const folder = path.resolve(dataDir)
  const socket = path.join(folder, 'admin.sock')
  if (Buffer.byteLength(socket) <= socketPathBytesMax) return socket
  const name = `arklog-${hash('sha256', folder).slice(0, 16)}`
  return path.join(os.tmpdir(), name, 'admin.sock')
}

/**
 * Makes way for the admin socket. The caller holds the lock of the store, so a socket that lies
 * there belongs to a process that is gone. Refuses a folder that others can write to.
 */
export async function clearAdminSocket(socket: string): Promise<void> {
  const folder = path.dirname(socket)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = await lstat(folder)
  if ((mode & 0o022) !== 0 || uid !== process.getuid?.()) {
    throw new StartError(
      'secret_exposed',
      `${folder}, the folder of the admin socket, is not this user's alone: run "chmod go-w ` +
        `${folder}" if it is yours, or set DATA_DIR to a folder that is`,
    )
  }
  await rm(socket, { force: true })
}
