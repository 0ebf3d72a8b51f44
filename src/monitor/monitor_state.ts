import { mkdir, open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'

import { syncFolder } from '#src/data_dir/instance.ts'

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

/** The state folder cannot be used; the message says what to do. */
class MonitorStateError extends Error {
  readonly code = 'unusable_state'

  constructor(message: string) {
    super(message)
    this.name = 'MonitorStateError'
  }
}

const fileName = 'state.json'

/** The state kept in the folder, undefined if it has none yet. Throws MonitorStateError. */
export async function readMonitorState(
  folder: string,
  vkey: string,
): Promise<MonitorState | undefined> {
  const file = path.join(folder, fileName)
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const state = parseState(text)
  if (state === undefined) {
    throw new MonitorStateError(`${file} is damaged: restore it, or start with an empty folder`)
  }
  if (state.vkey !== vkey) {
    throw new MonitorStateError(`${file} is of the log ${state.vkey}: use another folder`)
  }
  return state
}

/** Replaces the state in the folder at once: a crash leaves the old state or the new one. */
export async function writeMonitorState(folder: string, state: MonitorState): Promise<void> {
  await replaceFile(path.join(folder, fileName), `${JSON.stringify(state, undefined, 2)}\n`)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parseState(text: string): MonitorState | undefined {
  try {
    const state: unknown = JSON.parse(text)
    return Check(stateSchema, state) ? state : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.tmp`
  await syncedWrite(temporary, text)
  await rename(temporary, file)
  await syncFolder(path.dirname(file))
}

async function syncedWrite(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
