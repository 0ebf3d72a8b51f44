import fs from 'node:fs/promises'
import path from 'node:path'

import { type LogsInstance, readInstance, writeInstance } from '#src/keeping/data_dir/instance.ts'
import { createSecretFile, syncFolder, unlessMissing } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** Where a data directory lies, and its secrets; both are absolute. */
export type CopyPlace = { readonly dataDir: string; readonly keysDir: string }

/** The folder in a data directory where a copy of a registry is made and checked. */
const copyName = 'copying'

/** What may lie in a data directory where nothing is yet. */
const harmlessNames = new Set(['lock', 'lost+found', copyName])

/** The stores that a registry's data directory holds, in the order in which they are copied. */
export const copiedStores = ['live', 'sandbox', 'identity'] as const

/** Files that may be copied beside them, and are put in place with them. */
const copiedFiles = ['usage.db'] as const

/** The folder that a copy is made in, as long as the data directory is none yet. */
export function copyFolder(dataDir: string): string {
  return path.join(dataDir, copyName)
}

/**
 * Makes a copy in a data directory of which this process has the lock: `make` fills the folder that
 * it is given and checks it, and then all is put in place. Of a copy that is refused or fails
 * nothing is left, so that the directory is as it was; only one that is cut off leaves its folder.
 * Errors as `beginCopy`, and those of `make`.
 */
export async function copyInto<Made extends CopiedParts>(
  place: CopyPlace,
  make: (folder: string) => Promise<Made>,
): Promise<Made> {
  await beginCopy(place)
  const folder = copyFolder(place.dataDir)
  const made = await make(folder).catch(async (error: unknown) => {
    await remove(folder)
    throw error
  })
  await finishCopy(place, made)
  return made
}

/**
 * Begins a copy in a data directory of which this process has the lock: an empty one, or one where
 * a copy was cut off, of which nothing is kept. StartError `copy_folder_taken`.
 */
export async function beginCopy({ dataDir, keysDir }: CopyPlace): Promise<void> {
  const isBegun = (await listFiles(dataDir)).includes(copyName)
  const isUnfinished = isBegun && (await readInstance(dataDir)) === undefined
  if (isUnfinished) {
    // What was put in place before it was cut off.
    for (const name of [...copiedStores, ...copiedFiles]) await remove(path.join(dataDir, name))
    await removeSecrets(dataDir, keysDir)
  }
  const taken = (await listFiles(dataDir)).filter((name) => {
    return !harmlessNames.has(name) && path.join(dataDir, name) !== keysDir
  })
  if (taken.length > 0) throw folderTaken(dataDir, taken)
  const foreign = await listFiles(keysDir)
  if (foreign.length > 0) throw folderTaken(keysDir, foreign)
  await remove(copyFolder(dataDir))
  await fs.mkdir(copyFolder(dataDir), { mode: 0o700 })
  await syncFolder(dataDir)
}

/** The list of secrets that are put in place, so that another try can take them away again. */
const secretsName = 'secrets.json'

async function removeSecrets(dataDir: string, keysDir: string): Promise<void> {
  const list = path.join(copyFolder(dataDir), secretsName)
  const text = await fs.readFile(list, 'utf8').catch(() => '')
  // Secrets are put in place only after the list is on the disk: a cut-off list names none.
  if (text.at(-1) !== ']') return
  const names = JSON.parse(text) as readonly string[]
  for (const name of names) await fs.rm(path.join(keysDir, name), { force: true })
}

/** What is put in place beside the stores that lie in the folder of the copy. */
export type CopiedParts = {
  readonly secrets: Readonly<Record<string, Uint8Array>>
  readonly instance: LogsInstance
}

/**
 * Puts a copy in place that was checked. The instance file goes last: before it is there, the data
 * directory is one where a copy was cut off, and with it, it is a registry's.
 */
export async function finishCopy(
  { dataDir, keysDir }: CopyPlace,
  { secrets, instance }: CopiedParts,
): Promise<void> {
  const copy = copyFolder(dataDir)
  await createSecretFile(path.join(copy, secretsName), JSON.stringify(Object.keys(secrets)))
  await syncFolder(copy)
  await fs.mkdir(keysDir, { recursive: true, mode: 0o700 })
  for (const [name, bytes] of Object.entries(secrets)) {
    await createSecretFile(path.join(keysDir, name), bytes)
  }
  await syncFolder(keysDir)
  const made = await listFiles(copy)
  for (const name of [...copiedStores, ...copiedFiles.filter((file) => made.includes(file))]) {
    await fs.rename(path.join(copy, name), path.join(dataDir, name))
  }
  await syncFolder(dataDir)
  await writeInstance(dataDir, { ...instance, stores: 'created' })
  await remove(copy)
}

/** Refuses a data directory where a copy was cut off. StartError `copy_unfinished`. */
export async function refuseUnfinishedCopy(dataDir: string): Promise<void> {
  const isThere = await fs.access(copyFolder(dataDir)).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new StartError(
    'copy_unfinished',
    `A copy of a registry to ${dataDir} was interrupted. Run "arklog restore" again, or ` +
      '"arklog cluster join" with a new invitation, or delete the folder.',
  )
}

async function remove(file: string): Promise<void> {
  await fs.rm(file, { recursive: true, force: true })
}

async function listFiles(folder: string): Promise<readonly string[]> {
  return (await fs.readdir(folder).catch(unlessMissing)) ?? []
}

function folderTaken(folder: string, names: readonly string[]): StartError {
  return new StartError(
    'copy_folder_taken',
    `${folder} has ${names.slice(0, 5).join(', ')}, but to restore a registry, or to join a ` +
      'cluster, it must be empty. Set DATA_DIR (and KEYS_DIR) to empty folders, or move their ' +
      'content away.',
  )
}
