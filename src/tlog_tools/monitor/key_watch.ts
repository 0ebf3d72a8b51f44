import {
  parseEntry,
  receiptKeyId,
  signedBytes,
  type SignedStatement,
} from '#actors/receipts/statement.ts'
import { verify } from '#log/tlog/ed25519.ts'
import { isStrictPublicKey } from '#log/tlog/ed25519_policy.ts'
import { LogAlarm } from '#src/tlog_tools/monitor/alarm.ts'

/** A rotation of receipt keys that a monitor has followed; keys are 64 hex digits. */
export type FollowedRotation = {
  readonly leafIndex: number
  readonly oldPublicKey: string
  readonly newPublicKey: string
  readonly timestamp: string
}

const rotationMark = Buffer.from('"statement":"key_rotated"')

/**
 * Follows the receipt keys of a log by its own entries, from those that are trusted. A rotation
 * that the key before it has not signed, or that contradicts one before, is an alarm. It owns the
 * list of keys, oldest first.
 */
export class KeyWatch {
  readonly #keys: string[]
  readonly #onRotation: (rotation: FollowedRotation) => void

  /** `keys` are trusted, oldest first; `onRotation` is told of each key that follows from them. */
  constructor(keys: readonly string[], onRotation: (rotation: FollowedRotation) => void) {
    this.#keys = [...keys]
    this.#onRotation = onRotation
  }

  get keys(): readonly string[] {
    return this.#keys
  }

  /** Looks at an entry that was found in the tree. Throws LogAlarm `bad_rotation`. */
  see(leafIndex: number, entry: Uint8Array): void {
    if (!Buffer.from(entry.buffer, entry.byteOffset, entry.length).includes(rotationMark)) return
    const signed = parseEntry(entry)
    if ('type' in signed) throw alarm(leafIndex, `is malformed: ${signed.reason}`)
    const { statement, signature } = signed
    if (statement.statement !== 'key_rotated') return
    const place = this.#keys.indexOf(signature.public_key)
    const fault = place < 0 ? 'is signed by a key that is not known' : faultOf(signed)
    if (fault !== undefined) throw alarm(leafIndex, fault)
    const next = this.#keys[place + 1]
    if (next === undefined) this.#follow(leafIndex, signed)
    else if (receiptKeyId(next) !== statement.new_key_id) {
      throw alarm(leafIndex, `announces ${statement.new_key_id} after a key that another followed`)
    }
  }

  #follow(leafIndex: number, { statement, signature }: SignedStatement): void {
    if (statement.statement !== 'key_rotated') return
    const { new_public_key: newPublicKey, timestamp } = statement
    if (newPublicKey === undefined) {
      throw alarm(leafIndex, 'names the new key by its id alone: save the key file anew')
    }
    this.#keys.push(newPublicKey)
    const oldPublicKey = signature.public_key
    this.#onRotation({ leafIndex, oldPublicKey, newPublicKey, timestamp })
  }
}

function faultOf({ statement, signature }: SignedStatement): string | undefined {
  if (statement.statement !== 'key_rotated') return undefined
  const { old_key_id, new_key_id, new_public_key: next } = statement
  const bytes = Buffer.from(signature.signature, 'hex')
  if (!verify(signedBytes(statement), bytes, Buffer.from(signature.public_key, 'hex'))) {
    return 'has a wrong signature'
  }
  if (old_key_id !== receiptKeyId(signature.public_key)) return 'names another key than its signer'
  if (next === undefined) return undefined
  if (!isStrictPublicKey(Buffer.from(next, 'hex'))) return 'announces a key that is not a valid one'
  return new_key_id === receiptKeyId(next) ? undefined : 'announces a key with the id of another'
}

function alarm(leafIndex: number, what: string): LogAlarm {
  return new LogAlarm('bad_rotation', `entry ${leafIndex}, a rotation of receipt keys, ${what}`)
}
