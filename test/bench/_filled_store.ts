import { readFile } from 'node:fs/promises'
import path from 'node:path'

import type { FilledStore } from '#test/bench/_bench.ts'
import { startNode } from '#test/bench/_process.ts'

const fill = new URL('./fill.ts', import.meta.url)

/** The file in a filled folder that says it is complete. */
export const filledFile = 'filled.json'

/** The filled store in a folder; `fill.ts` makes it with `works` works if there is none yet. */
export async function openFilledStore(folder: string, works: number): Promise<FilledStore> {
  const found = await readFilled(folder)
  if (found !== undefined) return found
  const { process: child } = startNode(fill, [folder, '--works', String(works)])
  const code = await new Promise((resolve) => child.once('exit', resolve))
  const made = await readFilled(folder)
  if (made === undefined) throw new Error(`filling ${folder} ended with code ${String(code)}`)
  return made
}

async function readFilled(folder: string): Promise<FilledStore | undefined> {
  try {
    const { works } = JSON.parse(await readFile(path.join(folder, filledFile), 'utf8'))
    return { dataDir: path.join(folder, 'data'), works, pathsFile: path.join(folder, 'paths.txt') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
