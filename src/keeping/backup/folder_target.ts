import fs from 'node:fs/promises'
import path from 'node:path'

import { BackupError, tooLong } from '#src/keeping/backup/backup_error.ts'
import type { BackupTarget } from '#src/keeping/backup/backup_target.ts'
import { replaceFile, syncFolder } from '#src/keeping/data_dir/durable_file.ts'

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
          'mounted, has room and may be written to, and run the command again: what is there ' +
          'already is not written again.',
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

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}
