import path from 'node:path'
import { type Static, Type } from 'typebox'

import { keep, MonitorStateError, readKept } from '#src/tlog_tools/monitor/kept_file.ts'

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
