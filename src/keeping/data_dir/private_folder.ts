import fs from 'node:fs/promises'
import path from 'node:path'

import { StartError } from '#src/keeping/data_dir/start_error.ts'

// Any right of the group or of others.
const othersMask = 0o077

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
  for await (const open of openIn(folder, new Set(secrets), false)) {
    await closeToOthers(open, folder)
    found.push(open)
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
    `${names.join(', ')}${others}. What they may have read is no secret any more.`
  )
}

function format(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
