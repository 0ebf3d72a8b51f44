import fs from 'node:fs/promises'
import path from 'node:path'

import { type LogsInstance, readInstance, writeInstance } from '#src/data_dir/instance.ts'
import { syncFolder } from '#src/data_dir/durable_file.ts'
import { StartError } from '#src/data_dir/start_error.ts'

/** Where a data directory lies, and its secrets; both are absolute. */
export type JoiningPlace = { readonly dataDir: string; readonly keysDir: string }

/** The folder in a data directory where a copy of another node is made and checked. */
const joiningName = 'joining'

/** What may lie in a data directory where nothing is yet. */
const harmlessNames = new Set(['lock', 'lost+found', joiningName])

/** The stores that a registry's data directory holds, in the order in which they are copied. */
export const copiedStores = ['live', 'sandbox', 'identity'] as const

/** The folder that a copy is made in, as long as the data directory is none yet. */
export function joiningFolder(dataDir: string): string {
  return path.join(dataDir, joiningName)
}

/**
 * Begins to join in a data directory of which this process has the lock: an empty one, or one where
 * a join was cut off, of which nothing is kept. StartError `join_folder_taken`.
 */
export async function beginJoining({ dataDir, keysDir }: JoiningPlace): Promise<void> {
  const isBegun = (await listFiles(dataDir)).includes(joiningName)
  const isUnfinished = isBegun && (await readInstance(dataDir)) === undefined
  if (isUnfinished) {
    // What was put in place before it was cut off.
    for (const name of copiedStores) await remove(path.join(dataDir, name))
    await removeSecrets(dataDir, keysDir)
  }
  const taken = (await listFiles(dataDir)).filter((name) => {
    return !harmlessNames.has(name) && path.join(dataDir, name) !== keysDir
  })
  if (taken.length > 0) throw folderTaken(dataDir, taken)
  const foreign = await listFiles(keysDir)
  if (foreign.length > 0) throw folderTaken(keysDir, foreign)
  await remove(joiningFolder(dataDir))
  await fs.mkdir(joiningFolder(dataDir), { mode: 0o700 })
  await syncFolder(dataDir)
}

/** The list of secrets that are put in place, so that another join can take them away again. */
const secretsName = 'secrets.json'

async function removeSecrets(dataDir: string, keysDir: string): Promise<void> {
  const list = path.join(joiningFolder(dataDir), secretsName)
  const text = await fs.readFile(list, 'utf8').catch(() => '[]')
  const names = JSON.parse(text) as readonly string[]
  for (const name of names) await fs.rm(path.join(keysDir, name), { force: true })
}

/** What is put in place beside the stores that lie in the joining folder. */
export type JoinedParts = {
  readonly secrets: Readonly<Record<string, Uint8Array>>
  readonly instance: LogsInstance
}

/**
 * Puts a copy in place that was checked. The instance file goes last: before it is there, the data
 * directory is one where a join was cut off, and with it, it is a node's.
 */
export async function finishJoining(
  { dataDir, keysDir }: JoiningPlace,
  { secrets, instance }: JoinedParts,
): Promise<void> {
  const joining = joiningFolder(dataDir)
  await writeSynced(path.join(joining, secretsName), JSON.stringify(Object.keys(secrets)))
  await syncFolder(joining)
  await fs.mkdir(keysDir, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of Object.entries(secrets)) {
    await writeSynced(path.join(keysDir, name), bytes)
  }
  await syncFolder(keysDir)
  for (const name of copiedStores) {
    await fs.rename(path.join(joining, name), path.join(dataDir, name))
  }
  await syncFolder(dataDir)
  await writeInstance(dataDir, { ...instance, stores: 'created' })
  await remove(joining)
}

/** Refuses a data directory where a join was cut off. StartError `join_unfinished`. */
export async function refuseUnfinishedJoin(dataDir: string): Promise<void> {
  const isThere = await fs.access(joiningFolder(dataDir)).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new StartError(
    'join_unfinished',
    `A node was to join a cluster with ${dataDir}, and that was cut off: run ` +
      '"arklog cluster join" again, with a new invitation, or remove the folder.',
  )
}

async function writeSynced(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function remove(file: string): Promise<void> {
  await fs.rm(file, { recursive: true, force: true })
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function folderTaken(folder: string, names: readonly string[]): StartError {
  return new StartError(
    'join_folder_taken',
    `${folder} holds ${names.slice(0, 5).join(', ')}: a node joins with an empty folder. Set ` +
      'DATA_DIR (and KEYS_DIR) to folders that are empty; if this was a node that is to join ' +
      'anew, move them away first.',
  )
}
