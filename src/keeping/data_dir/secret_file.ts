import fs from 'node:fs/promises'
import path from 'node:path'

import { StartError } from '#src/keeping/data_dir/start_error.ts'

// Any right of the group or of others; the owner's own rights do not matter.
const othersMask = 0o077
const secretBytesMax = 64 * 1024

/**
 * The bytes of a secret file, at most 64 KiB. Refuses a file that anyone but its owner may read,
 * write or execute (`secret_exposed`): such a secret has to be taken for known. `secret_missing`
 * when there is no file.
 */
export async function readSecretFile(file: string): Promise<Buffer> {
  const handle = await openSecret(file)
  try {
    const { mode, size } = await handle.stat()
    if ((mode & othersMask) !== 0) {
      const shown = (mode & 0o777).toString(8).padStart(4, '0')
      throw new StartError(
        'secret_exposed',
        `${file} is open to others than its owner (mode ${shown}): run "chmod 600 ${file}", ` +
          'and replace the secret if anyone can have read it',
      )
    }
    if (size > secretBytesMax) {
      throw new StartError('secret_malformed', `${file} is too large to be a secret`)
    }
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function openSecret(file: string) {
  try {
    return await fs.open(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new StartError('secret_missing', `${file} is missing: restore it from a backup`, {
      cause: error,
    })
  }
}

/** Writes a new secret file that only its owner can read, and syncs it; it must not exist yet. */
export function createSecretFile(file: string, content: string | Uint8Array): Promise<void> {
  return writeSynced(file, content, 'wx')
}

/**
 * Replaces a file that only its owner reads, and its folder if need be: after a crash there is the
 * old content or the new one, whole.
 */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file)
  await fs.mkdir(folder, { recursive: true })
  const draft = `${file}.new`
  await writeSynced(draft, content, 'w')
  await fs.rename(draft, file)
  await syncFolder(folder)
}

async function writeSynced(
  file: string,
  content: string | Uint8Array,
  flags: 'w' | 'wx',
): Promise<void> {
  await using handle = await fs.open(file, flags, 0o600)
  await handle.writeFile(content)
  await handle.sync()
}

/** Makes the names in a folder durable; file systems that cannot do it are let be. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** Files and folders that a warning names; it counts the others. */
const namedMax = 5

/** Something that others than its owner could reach, with its mode. */
type Open = { readonly file: string; readonly mode: number }

/**
 * Takes all rights of the group and of others from a folder and from what lies in it, so that what
 * was made, copied or restored with other modes is its owner's alone. Gives a warning that says
 * what was open, if anything was. Files at or below `secrets` are left to `readSecretFile`, which
 * refuses those that are open: they have to be taken for known. What a symbolic link leads to is
 * left alone, too. StartError `data_dir_exposed` where a mode cannot be changed.
 */
export async function makePrivate(
  folder: string,
  secrets: readonly string[],
): Promise<string | undefined> {
  // Modes mean nothing there.
  if (process.platform === 'win32') return undefined
  const found: Open[] = []
  for await (const entry of openIn(folder, new Set(secrets), false)) {
    await closeToOthers(entry, folder)
    found.push(entry)
  }
  return found.length === 0 ? undefined : describe(folder, found)
}

/** What of a folder is open to others, a folder before what lies in it. */
async function* openIn(
  file: string,
  secrets: ReadonlySet<string>,
  isBelowSecret: boolean,
): AsyncGenerator<Open> {
  const stats = await fs.lstat(file)
  const isFolder = stats.isDirectory()
  if (!isFolder && !stats.isFile()) return
  const isSecret = isBelowSecret || secrets.has(file)
  const mode = stats.mode & 0o7777
  if ((mode & othersMask) !== 0 && (isFolder || !isSecret)) yield { file, mode }
  if (!isFolder) return
  for (const name of (await fs.readdir(file)).sort()) {
    yield* openIn(path.join(file, name), secrets, isSecret)
  }
}

async function closeToOthers({ file, mode }: Open, folder: string): Promise<void> {
  try {
    await fs.chmod(file, mode & ~othersMask)
  } catch (cause) {
    throw exposed({ file, mode }, folder, cause)
  }
  // Some file systems take a mode and keep their own.
  const now = (await fs.lstat(file)).mode
  if ((now & othersMask) !== 0) throw exposed({ file, mode: now & 0o7777 }, folder)
}

function exposed({ file, mode }: Open, folder: string, cause?: unknown): StartError {
  return new StartError(
    'data_dir_exposed',
    `${file} is open to other users of this machine (mode ${format(mode)}), and this process may ` +
      `not change that. Run "chmod -R go-rwx ${folder}" as its owner, or set DATA_DIR to a ` +
      'folder in it that is not there yet, which is then made for this process alone.',
    { cause },
  )
}

function describe(folder: string, found: readonly Open[]): string {
  const names = found
    .slice(0, namedMax)
    .map(({ file, mode }) => `${path.relative(folder, file) || folder} (${format(mode)})`)
  const others = found.length > namedMax ? ` and ${found.length - namedMax} others` : ''
  return (
    `Other users of this machine could reach parts of the data directory, and no longer can: ` +
    `${names.join(', ')}${others}. Anything that they may have read is no longer secret.`
  )
}

function format(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

/** The file of the link with which the first administrator is made: it is good at all nodes. */
export const setupTokenName = 'setup.token'

/** The file of the secret under which API keys are hashed, and backups are authenticated. */
export const pepperName = 'api-keys.pepper'

/** Files of KEYS_DIR that all nodes of a registry have, and those that may not be there. */
const neededSecrets = [
  'live-log.pem',
  'live-receipt.pem',
  'sandbox-log.pem',
  'sandbox-receipt.pem',
  pepperName,
] as const
const furtherSecrets = ['token-keys.json', 'sandbox-token-keys.json', setupTokenName] as const

/** The file of a log's key, by the name of its environment. */
export function logKeyName(environment: string): string {
  return `${environment}-log.pem`
}

/**
 * The secrets that all nodes of a registry have, by their names: Base64 of each file's bytes. What
 * else lies in KEYS_DIR is this node's own. Errors as `readSecretFile`.
 */
export async function readSharedSecrets(keysDir: string): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const name of neededSecrets) secrets[name] = await readOne(keysDir, name)
  for (const name of furtherSecrets) {
    const text = await readOne(keysDir, name).catch(unlessMissingSecret)
    if (text !== undefined) secrets[name] = text
  }
  return secrets
}

/** Whether these are the names of secrets that all nodes have, with none left out. */
export function areSharedSecrets(names: readonly string[]): boolean {
  const known: readonly string[] = [...neededSecrets, ...furtherSecrets]
  return (
    names.every((name) => known.includes(name)) && neededSecrets.every((n) => names.includes(n))
  )
}

async function readOne(keysDir: string, name: string): Promise<string> {
  return (await readSecretFile(path.join(keysDir, name))).toString('base64')
}

function unlessMissingSecret(error: unknown): undefined {
  if (error instanceof StartError && error.code === 'secret_missing') return undefined
  throw error
}

/** Takes an error of the file system that says that there is no such file; others are thrown. */
export function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}
