// @ts-check

import { isStrictPublicKey } from '#src/client/verify/ed25519.js'
import {
  concatBytes,
  decodeHex,
  ed25519Spki,
  encodeHex,
  sha256,
} from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { checkChainProof, isSignedBy } from '#src/client/verify/receipt.js'
import { isObject, readRotation } from '#src/client/verify/receipt_form.js'
import { parsedList } from '#src/client/verify/trusted_keys.js'

/** @import { ReceiptKey, TrustedKeys, UnverifiedRotation } from '#src/client/verify/types.ts' */

const keyIdDigits = 16

/**
 * The id of a receipt key, 16 hex digits: a name for people, never a proof.
 * @type {(publicKey: string) => Promise<string>}
 */
async function receiptKeyIdOf(publicKey) {
  const digest = await sha256(concatBytes(ed25519Spki, decodeHex(publicKey)))
  return encodeHex(digest).slice(0, keyIdDigits)
}

/**
 * Follows the rotations of receipt keys from the newest key that is trusted to the newest there is.
 * `list` is a newer `/.well-known/svc-keys.json`, as JSON or as its text, of which nothing is
 * believed: each rotation must be signed by the key before it, name the whole next key, and be an
 * entry of the log, under a checkpoint of the log's trusted key. Throws EvidenceError
 * `broken_key_chain`; the message says where and why.
 * @type {(keys: TrustedKeys, list: unknown) => Promise<TrustedKeys>}
 */
export async function followRotations(keys, list) {
  const listed = listedKeys(list, keys.environment)
  const receiptKeys = [...keys.receiptKeys]
  const newest = receiptKeys.at(-1)
  const start = listed.findIndex((key) => key['public_key'] === newest?.publicKey)
  if (newest === undefined || start < 0) {
    throw brokenChain(`the newer list has not the key ${newest?.keyId}, the last one trusted`)
  }
  let last = newest
  let leafIndex = -1
  for (const { public_key: publicKey, rotation } of listed.slice(start + 1)) {
    const followed = await followOne(last, String(publicKey), rotation, keys)
    if (followed.leafIndex <= leafIndex) throw broken(last, 'it stands before an earlier one')
    leafIndex = followed.leafIndex
    const { key } = followed
    receiptKeys.splice(-1, 1, { ...last, validUntilMs: key.validFromMs }, key)
    last = key
  }
  return { ...keys, receiptKeys }
}

/** @type {(
 *   given: unknown,
 *   environment: TrustedKeys['environment']
 * ) => readonly Record<string, unknown>[]} */
function listedKeys(given, environment) {
  const list = parsedList(given)
  const part = isObject(list) && environment === 'sandbox' ? list['sandbox'] : list
  const listed = isObject(part) ? part['receipt_keys'] : undefined
  if (Array.isArray(listed) && listed.every(isObject)) return listed
  throw brokenChain(`the newer list has no receipt_keys of the ${environment} registry`)
}

/** @type {(why: string) => EvidenceError} */
function brokenChain(why) {
  const message = `the rotations do not follow from the key file: ${why}`
  return new EvidenceError('broken_key_chain', message)
}

/** @type {(last: ReceiptKey, why: string) => EvidenceError} */
function broken(last, why) {
  return brokenChain(`of the rotation after the key ${last.keyId}, ${why}`)
}

/**
 * The key to which a rotation leads from `last`, and the place of the rotation in the log.
 * @type {(
 *   last: ReceiptKey,
 *   publicKey: string,
 *   value: unknown,
 *   keys: TrustedKeys
 * ) => Promise<{ readonly key: ReceiptKey; readonly leafIndex: number }>}
 */
async function followOne(last, publicKey, value, keys) {
  const form = readRotation(value)
  if (form.type === 'malformed') throw broken(last, form.reasons.join('; '))
  const { rotation } = form
  const { statement, signature, chainProof } = rotation
  await checkNames(rotation, last, publicKey)
  if (!(await isSignedBy(statement, signature, last))) {
    throw broken(last, 'the signature is not one of it by that key')
  }
  const validFromMs = Date.parse(statement.timestamp)
  if (validFromMs < last.validFromMs) throw broken(last, 'its time is before that key was in use')
  const steps = await checkChainProof({ statement, signature }, chainProof, keys)
  const wrong = steps.find(({ status }) => status !== 'done')
  if (wrong !== undefined) throw broken(last, `the log does not have it: ${wrong.reason}`)
  /** @type {ReceiptKey} */
  const key = {
    keyId: statement.new_key_id,
    publicKey,
    validFromMs,
    validUntilMs: Infinity,
    rotations: last.rotations + 1,
  }
  return { key, leafIndex: chainProof.leaf_index }
}

/** @type {(given: UnverifiedRotation, last: ReceiptKey, publicKey: string) => Promise<void>} */
async function checkNames({ statement, signature }, last, publicKey) {
  const { old_key_id, new_key_id, new_public_key } = statement
  if (signature.public_key !== last.publicKey) {
    throw broken(last, `another key has signed it, ${await receiptKeyIdOf(signature.public_key)}`)
  }
  if (old_key_id !== (await receiptKeyIdOf(last.publicKey))) {
    throw broken(last, `old_key_id is ${old_key_id}, which is not the id of the key that signed it`)
  }
  if (new_public_key !== publicKey) {
    throw broken(last, 'it announces another key than the one that the newer list has next')
  }
  if (new_key_id !== (await receiptKeyIdOf(new_public_key))) {
    throw broken(last, `new_key_id is ${new_key_id}, which is not the id of new_public_key`)
  }
  if (!isStrictPublicKey(decodeHex(new_public_key))) {
    throw broken(last, 'new_public_key is of small order or no canonical encoding of a key')
  }
}
