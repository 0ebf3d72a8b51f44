import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { parseJson } from '#actors/values/serialization.ts'
import { replaceFile } from '#src/keeping/data_dir/secret_file.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

const stateSchema = Type.Object(
  {
    schema: Type.Literal(1),
    vkey: Type.String(),
    checkpoint: Type.String(),
    headSinceMs: Type.Integer({ minimum: 0 }),
    entriesChecked: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    receiptKeys: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }))),
  },
  { additionalProperties: false },
)

/**
 * What a monitor remembers of a log between rounds: the newest head it has verified (a signed
 * checkpoint), when it first saw that head (milliseconds of 1970), and how many entries from the
 * first on it has hashed and found in the tree. `receiptKeys`, oldest first, are those that it was
 * given and those to which the rotations among these entries lead; absent if it was given none.
 */
export type MonitorState = Readonly<Static<typeof stateSchema>>

const fileName = 'state.json'

/** The state kept in the folder, undefined if it has none yet. Throws MonitorStateError. */
export async function readMonitorState(
  folder: string,
  vkey: string,
): Promise<MonitorState | undefined> {
  const file = path.join(folder, fileName)
  const state = await readKept(file, stateSchema)
  if (state === undefined || state.vkey === vkey) return state
  throw new MonitorStateError(`${file} is of the log ${state.vkey}: use another folder`)
}

/** Replaces the state in the folder at once: a crash leaves the old state or the new one. */
export async function writeMonitorState(folder: string, state: MonitorState): Promise<void> {
  await keep(path.join(folder, fileName), state)
}

/** The state folder cannot be used; the message says what to do. */
class MonitorStateError extends Error {
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
  const value = parseJson(text)
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

/**
 * Makes the state folder, if need be, and takes it for this monitor alone, until `opened` is
 * disposed or the process ends, however it does. Throws MonitorStateError if another has it.
 */
export async function lockStateFolder(folder: string, opened: DisposableStack): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const lock = lockDataDir(folder)
    opened.defer(() => lock.release())
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const isHeld = error.code === 'data_dir_held'
    throw new MonitorStateError(
      isHeld
        ? `another monitor uses ${folder}: stop that one, or give this one another --state`
        : error.message,
    )
  }
}
