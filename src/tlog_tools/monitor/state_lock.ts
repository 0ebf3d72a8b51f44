import { mkdir } from 'node:fs/promises'

import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { MonitorStateError } from '#src/tlog_tools/monitor/kept_file.ts'

/**
 * Makes the state folder, if need be, and takes it for this monitor alone, until `opened` is
 * disposed or the process ends, however it does. Throws MonitorStateError if another has it.
 */
export async function lockStateFolder(folder: string, opened: DisposableStack): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const lock = lockDataDir(folder)
    opened.defer(() => lock.release())
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const isHeld = error.code === 'data_dir_held'
    throw new MonitorStateError(
      isHeld
        ? `another monitor uses ${folder}: stop that one, or give this one another --state`
        : error.message,
    )
  }
}
