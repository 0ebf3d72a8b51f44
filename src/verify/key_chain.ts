import { canonicalJson } from '#actors/values/serialization.ts'
import { isStrictPublicKey } from '#log/tlog/ed25519_policy.ts'
import type { ReceiptKey, TrustedKeys } from '#src/verify/key_list.ts'
import { nobleHasher, sha256, verifyStrict } from '#src/verify/noble.ts'
import { checkChainProof, receiptContext } from '#src/verify/receipt.ts'
import { isObject, readRotation, type UnverifiedRotation } from '#src/verify/receipt_form.ts'

/** Rotations do not lead from the saved keys to the newest one; the message says where and why. */
class KeyChainError extends Error {
  readonly code = 'broken_key_chain'

  constructor(message: string) {
    super(`the rotations do not follow from the key file: ${message}`)
    this.name = 'KeyChainError'
  }
}

const utf8 = new TextEncoder()

// The DER that stands before the raw key in a SubjectPublicKeyInfo (RFC 8410).
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const keyIdDigits = 16

/** The id of a receipt key, 16 hex digits: a name for people, never a proof. */
export function receiptKeyIdOf(publicKey: string): string {
  const spki = Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')])
  return Buffer.from(sha256(spki)).toString('hex').slice(0, keyIdDigits)
}

/**
 * Follows the rotations of receipt keys from the newest key that is trusted to the newest there is.
 * `text` is a newer `/.well-known/svc-keys.json`, of which nothing is believed: each rotation must
 * be signed by the key before it, name the whole next key, and be an entry of the log, under a
 * checkpoint of the log's trusted key. Throws KeyChainError.
 */
export function followRotations(keys: TrustedKeys, text: string): TrustedKeys {
  const listed = listedKeys(text, keys.environment)
  const receiptKeys = [...keys.receiptKeys]
  const newest = receiptKeys.at(-1)
  const start = listed.findIndex((key) => key['public_key'] === newest?.publicKey)
  if (newest === undefined || start < 0) {
    throw new KeyChainError(`the newer list has not the key ${newest?.keyId}, the last one trusted`)
  }
  let last = newest
  let leafIndex = -1
  for (const { public_key: publicKey, rotation } of listed.slice(start + 1)) {
    const followed = followOne(last, String(publicKey), rotation, keys)
    if (followed.leafIndex <= leafIndex) throw broken(last, 'it stands before an earlier one')
    leafIndex = followed.leafIndex
    const { key } = followed
    receiptKeys.splice(-1, 1, { ...last, validUntilMs: key.validFromMs }, key)
    last = key
  }
  return { ...keys, receiptKeys }
}

function listedKeys(
  text: string,
  environment: TrustedKeys['environment'],
): readonly Record<string, unknown>[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const part = isObject(list) && environment === 'sandbox' ? list['sandbox'] : list
  const listed = isObject(part) ? part['receipt_keys'] : undefined
  if (Array.isArray(listed) && listed.every(isObject)) return listed
  throw new KeyChainError(`the newer list has no receipt_keys of the ${environment} registry`)
}

function broken(last: ReceiptKey, why: string): KeyChainError {
  return new KeyChainError(`of the rotation after the key ${last.keyId}, ${why}`)
}

/** The key to which a rotation leads from `last`, and the place of the rotation in the log. */
function followOne(
  last: ReceiptKey,
  publicKey: string,
  value: unknown,
  keys: TrustedKeys,
): { readonly key: ReceiptKey; readonly leafIndex: number } {
  const form = readRotation(value)
  if (form.type === 'malformed') throw broken(last, form.reasons.join('; '))
  const { rotation } = form
  const { statement, chainProof } = rotation
  checkNames(rotation, last, publicKey)
  const message = utf8.encode(receiptContext + canonicalJson(statement))
  const signature = Buffer.from(rotation.signature.signature, 'hex')
  if (!verifyStrict(message, signature, Buffer.from(last.publicKey, 'hex'))) {
    throw broken(last, 'the signature is not one of it by that key')
  }
  const validFromMs = Date.parse(statement.timestamp)
  if (validFromMs < last.validFromMs) throw broken(last, 'its time is before that key was in use')
  const entry = utf8.encode(canonicalJson({ ...statement, signature: rotation.signature }))
  const steps = checkChainProof(chainProof, nobleHasher.leafHash(entry), keys)
  const wrong = steps.find(({ status }) => status === 'failed')
  if (wrong !== undefined) throw broken(last, `the log does not have it: ${wrong.reason}`)
  const key: ReceiptKey = {
    keyId: statement.new_key_id,
    publicKey,
    validFromMs,
    validUntilMs: Infinity,
    rotations: last.rotations + 1,
  }
  return { key, leafIndex: chainProof.leaf_index }
}

function checkNames(
  { statement, signature }: UnverifiedRotation,
  last: ReceiptKey,
  publicKey: string,
): void {
  const { old_key_id, new_key_id, new_public_key } = statement
  if (signature.public_key !== last.publicKey) {
    throw broken(last, `another key has signed it, ${receiptKeyIdOf(signature.public_key)}`)
  }
  if (old_key_id !== receiptKeyIdOf(last.publicKey)) {
    throw broken(last, `old_key_id is ${old_key_id}, which is not the id of the key that signed it`)
  }
  if (new_public_key !== publicKey) {
    throw broken(last, 'it announces another key than the one that the newer list has next')
  }
  if (new_key_id !== receiptKeyIdOf(new_public_key)) {
    throw broken(last, `new_key_id is ${new_key_id}, which is not the id of new_public_key`)
  }
  if (!isStrictPublicKey(Buffer.from(new_public_key, 'hex'))) {
    throw broken(last, 'new_public_key is of small order or no canonical encoding of a key')
  }
}
