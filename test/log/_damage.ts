import * as fs from 'node:fs/promises'
import * as path from 'node:path'

import { assert } from '#log/tlog/errors.ts'

/** The paths of a directory's files with that extension, such as `.ldb`, by size: largest first. */
export async function filesWith(dir: string, extension: string): Promise<string[]> {
  const names = (await fs.readdir(dir)).filter((name) => name.endsWith(extension))
  assert(names.length > 0, `the store has a file ${extension}`)
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(dir, name)
      return { file, size: (await fs.stat(file)).size }
    }),
  )
  return files.sort((a, b) => b.size - a.size).map(({ file }) => file)
}

/** Flips the bits of one byte of a file. */
export async function flipByte(file: string, at: number): Promise<void> {
  const bytes = await fs.readFile(file)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  await fs.writeFile(file, bytes)
}

/** Copies a whole directory in place of another. */
export async function replaceDir(from: string, to: string): Promise<void> {
  await fs.rm(to, { recursive: true, force: true })
  await fs.cp(from, to, { recursive: true })
}
