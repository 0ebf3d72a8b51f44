import fs from 'node:fs/promises'
import path from 'node:path'

import { syncFolder } from '#src/keeping/data_dir/durable_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** The file that says that the node of a data directory has left its cluster, and when. */
const leftName = 'left'

/** Notes that a node has left its cluster, at a time as `formatTimestamp` writes it. */
export async function markLeft(dataDir: string, at: string): Promise<void> {
  const handle = await fs.open(path.join(dataDir, leftName), 'w', 0o600)
  try {
    await handle.writeFile(`${at}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncFolder(dataDir)
}

/**
 * Refuses the data directory of a node that has left its cluster: started alone, it would go on
 * with the same log as the others, and sign a second history of it. StartError `cluster_left`.
 */
export async function refuseLeft(dataDir: string): Promise<void> {
  const at = await readLeft(dataDir)
  if (at === undefined) return
  throw new StartError(
    'cluster_left',
    `The node of ${dataDir} left its cluster at ${at}, and the others have gone on without it. ` +
      leavingAdvice,
  )
}

/** What to do with the folder of a node that has left. */
export const leavingAdvice =
  'Remove the folder, and that of its keys, which are those of the whole cluster; to run a node ' +
  'here again, let it join with an empty folder ("arklog cluster join").'

async function readLeft(dataDir: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(path.join(dataDir, leftName), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
