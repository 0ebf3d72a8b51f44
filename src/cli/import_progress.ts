import { hash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

/**
 * How far an import came. `run` names its idempotency keys, so that lines which were sent but not
 * yet noted here are not registered twice. Every line up to `lines_done` has had its answer.
 */
const progressSchema = Type.Object({
  schema: Type.Literal(1),
  run: Type.String(),
  lines_done: Type.Integer({ minimum: 0 }),
  registered: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  complete: Type.Boolean(),
})

export type ImportProgress = Static<typeof progressSchema>

/** What makes an import the same one when it is started again. */
export type ImportIdentity = {
  /** SHA-256 of the file, in hex. */
  readonly fileHash: string
  readonly owner: string
  readonly environment: string
}

/** The file that remembers an import; it may be lost, and then the import starts anew. */
export function progressFile(dataDir: string, identity: ImportIdentity): string {
  const { fileHash, owner, environment } = identity
  const name = hash('sha256', `${fileHash}\n${owner}\n${environment}`).slice(0, 32)
  return path.join(dataDir, 'imports', `${name}.json`)
}

/** The progress of an earlier run, or that of a run which has not begun. */
export async function readProgress(file: string): Promise<ImportProgress> {
  try {
    const progress: unknown = JSON.parse(await fs.readFile(file, 'utf8'))
    if (Check(progressSchema, progress)) return progress
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error
    }
  }
  return newProgress()
}

/** The progress of an import that starts with the first line. */
export function newProgress(): ImportProgress {
  const run = randomUUID()
  return { schema: 1, run, lines_done: 0, registered: 0, failed: 0, complete: false }
}

/** Replaces the file whole, so that a crash leaves the old progress or the new. */
export async function writeProgress(file: string, progress: ImportProgress): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await fs.writeFile(`${file}.new`, `${JSON.stringify(progress)}\n`)
  await fs.rename(`${file}.new`, file)
}
