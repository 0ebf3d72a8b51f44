import fs from 'node:fs/promises'
import path from 'node:path'

import { CodedError } from '#log/tlog/errors.ts'
import { replaceFile, syncFolder, unlessMissing } from '#src/keeping/data_dir/secret_file.ts'

/**
 * Where backups are kept: files that are written once, whole, under names of letters, digits, dots,
 * hyphens and slashes. Others may write there too: nothing that is read is authentic yet. Faults:
 * BackupError `target_failed`.
 */
export type BackupTarget = {
  /** The names that begin with `prefix`, which ends in a slash, in any order. */
  list(prefix: string): Promise<readonly string[]>
  /**
   * The bytes of a file; undefined where there is none. BackupError `backup_damaged` if it has more
   * than `bytesMax`: it is not read then.
   */
  read(name: string, bytesMax: number): Promise<Buffer | undefined>
  /** Writes a file: once this resolves it is there, whole, and outlives a power cut. */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Removes a file; one that is not there is let be. */
  remove(name: string): Promise<void>
}

/** Every way in which a backup cannot be made, read or gone on from. */
export type BackupErrorCode =
  | 'backup_missing'
  | 'backup_damaged'
  | 'backup_foreign'
  | 'backup_encrypted'
  | 'backup_outrun'
  | 'backup_unowned'
  | 'backups_left_alone'
  | 'newer_unreadable'
  | 'newer_foreign'
  | 'target_failed'

/** A fault of a backup or of where it is kept. `message` says what was found and what to do. */
export class BackupError extends CodedError<BackupErrorCode> {
  override readonly name: string = 'BackupError'
}

/** A part of a backup is not what was written. */
export function damaged(what: string): BackupError {
  return new BackupError(
    'backup_damaged',
    `${what}. Restore another backup ("arklog restore --list" shows them), or from another target.`,
  )
}

/** A file of a target is longer than what it is read as may be. */
export function tooLong(name: string, bytesMax: number): BackupError {
  return damaged(`${name} has more than ${bytesMax} bytes`)
}

/** What a file is called until all of it is written. */
const draftEnding = '.new'

/** Backups in a folder that only their owner reads; made when the first file is written. */
export class FolderTarget implements BackupTarget {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = path.resolve(folder)
  }

  async list(prefix: string): Promise<readonly string[]> {
    const files = await this.#try(() => listBelow(path.join(this.#folder, prefix)))
    return files
      .filter((file) => !file.endsWith(draftEnding))
      .map((file) => path.relative(this.#folder, file).split(path.sep).join('/'))
  }

  async read(name: string, bytesMax: number): Promise<Buffer | undefined> {
    const file = this.#pathOf(name)
    const bytes = await this.#try(() => readUpTo(file, bytesMax).catch(unlessMissing))
    if (bytes === 'too long') throw tooLong(name, bytesMax)
    return bytes
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const file = this.#pathOf(name)
    await this.#try(async () => {
      await makeFolder(path.dirname(file))
      await replaceFile(file, bytes)
    })
  }

  async remove(name: string): Promise<void> {
    await this.#try(() => fs.rm(this.#pathOf(name), { force: true }))
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name)
  }

  async #try<Done>(attempt: () => Promise<Done>): Promise<Done> {
    try {
      return await attempt()
    } catch (cause) {
      throw new BackupError(
        'target_failed',
        `${this.#folder} cannot be used (${(cause as Error).message}). Check that its disk is ` +
          'mounted, writable and not full, and run the command again: it does not rewrite what ' +
          'is already there.',
        { cause },
      )
    }
  }
}

/** Makes a folder and those above it, each durable in the one that holds it. */
async function makeFolder(folder: string): Promise<void> {
  const made = await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let at = folder; at.length >= made.length; at = path.dirname(at)) {
    await syncFolder(path.dirname(at))
  }
}

async function readUpTo(file: string, bytesMax: number): Promise<Buffer | 'too long'> {
  await using handle = await fs.open(file, 'r')
  const { size } = await handle.stat()
  return size > bytesMax ? 'too long' : await handle.readFile()
}

async function listBelow(folder: string): Promise<readonly string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(unlessMissing)
  const files: string[] = []
  for (const entry of entries ?? []) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await listBelow(file)))
    // Links, devices and pipes are nothing that was written here, and may never end.
    else if (entry.isFile()) files.push(file)
  }
  return files
}
