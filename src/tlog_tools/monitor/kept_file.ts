import { readFile } from 'node:fs/promises'
import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/schema'

import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'

/** The state folder cannot be used; the message says what to do. */
export class MonitorStateError extends Error {
  readonly code = 'unusable_state'

  constructor(message: string) {
    super(message)
    this.name = 'MonitorStateError'
  }
}

/** The JSON in a file of the state folder; undefined if there is none. Throws MonitorStateError. */
export async function readKept<S extends TSchema>(
  file: string,
  schema: S,
): Promise<Static<S> | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const value = parse(text)
  if (Check(schema, value)) return value
  throw new MonitorStateError(`${file} is damaged: restore it, or start with an empty folder`)
}

/** Replaces a file with JSON for people and programs, as `replaceFile` does. */
export function keep(file: string, value: unknown): Promise<void> {
  return replaceFile(file, `${JSON.stringify(value, undefined, 2)}\n`)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
