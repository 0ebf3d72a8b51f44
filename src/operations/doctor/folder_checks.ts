import type { StatsFs } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'

import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { bad, type Check, good, type Verdict, warning } from '#src/operations/doctor/finding.ts'

// Any right of the group or of others.
const othersMask = 0o077

/** Below so many times the reserve the disk is told of before writes are refused. */
const reservesMin = 8

/** Where a registry keeps what it has, and how many bytes of the disk must stay free. */
export type Disk = DataFolders & { readonly reserveBytes: number }

/** What is looked at on the disk: the data directory, its secrets, the room that is left. */
export function folderChecks(disk: Disk): readonly Check[] {
  return [
    { name: 'data', look: () => lookAtFolder(disk) },
    { name: 'keys', look: () => lookAtSecrets(disk) },
    { name: 'disk', look: () => lookAtDisk(disk) },
  ]
}

async function lookAtFolder({ dataDir }: Disk): Promise<Verdict> {
  const stats = await fs.stat(dataDir).catch(() => undefined)
  if (stats === undefined) {
    return warning(
      `${dataDir} is not there: the first start makes it. If this registry has run before, its ` +
        'disk is not mounted, or DATA_DIR names another folder.',
    )
  }
  const instance = await readInstance(dataDir)
  if (instance === undefined) {
    return warning(`${dataDir} holds no registry yet: the first start makes one.`)
  }
  if (instance.kind !== 'registry') {
    return bad(`${dataDir} holds no registry: set DATA_DIR to the folder of one.`)
  }
  if (process.platform !== 'win32' && (stats.mode & othersMask) !== 0) {
    return warning(
      `${dataDir} is open to other users of this machine: run "chmod -R go-rwx ${dataDir}". The ` +
        'next start does that too, and says what was open.',
    )
  }
  return good(`${dataDir} holds a registry that began at ${instance.created_at}.`)
}

async function lookAtSecrets({ keysDir }: Disk): Promise<readonly Verdict[]> {
  const names = await fs.readdir(keysDir).catch(() => [])
  if (names.length === 0) return [warning(`${keysDir} holds no keys: the first start makes them.`)]
  const verdicts: Verdict[] = []
  for (const name of names) {
    const problem = await readSecretFile(path.join(keysDir, name)).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    )
    if (problem !== undefined) verdicts.push(bad(problem))
  }
  return verdicts.length > 0
    ? verdicts
    : [good(`The ${names.length} files of ${keysDir} are this user's alone.`)]
}

async function lookAtDisk({ dataDir, reserveBytes }: Disk): Promise<Verdict> {
  const { bavail, blocks, bsize } = await statNearest(dataDir)
  const freeBytes = bavail * bsize
  const share = `${formatBytes(freeBytes)} of ${formatBytes(blocks * bsize)} are free`
  if (freeBytes < reserveBytes) {
    return bad(
      `${share}, less than DISK_RESERVE_BYTES: nothing is registered any more. Free some, or ` +
        'move DATA_DIR to a larger disk.',
    )
  }
  if (freeBytes < reservesMin * reserveBytes) {
    return warning(
      `${share}: below ${formatBytes(reserveBytes)} nothing is registered any more. Free some.`,
    )
  }
  return good(`${share}.`)
}

// The folder may be yet to be made.
async function statNearest(folder: string): Promise<StatsFs> {
  try {
    return await fs.statfs(folder)
  } catch (error) {
    const parent = path.dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return statNearest(parent)
  }
}

function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const value = bytes / 1_024 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}
