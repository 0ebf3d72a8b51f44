import { type Checkpoint, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { LogError } from '#log/base/errors.ts'
import { parseNote, type Verifier } from '#log/tlog/note.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'

/**
 * Opens a checkpoint that must be of the log of `verifier` and signed by it. Otherwise LogAlarm:
 * `key_changed` if another key of its name has signed it, else `bad_checkpoint`.
 */
export function openHead(message: Uint8Array | string, verifier: Verifier): Checkpoint {
  try {
    return openCheckpoint(message, verifier.keyName, [verifier])
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    const isOther = error.code === 'unverified_note' && isByAnotherKey(message, verifier)
    const said = isOther ? 'another key than the trusted one signs as the log' : error.message
    throw new LogAlarm(isOther ? 'key_changed' : 'bad_checkpoint', said, { cause: error })
  }
}

function isByAnotherKey(message: Uint8Array | string, { keyName, keyId }: Verifier): boolean {
  const ofName = parseNote(message).signatures.filter((line) => line.keyName === keyName)
  return ofName.length > 0 && ofName.every((line) => line.keyId !== keyId)
}
