import { isStrictPublicKey } from '#src/client/ed25519.ts'
import { decodeHex } from '#src/client/encoding.ts'
import { VerificationError } from '#src/client/errors.ts'
import { isObject, readRotation } from '#src/client/receipt_form.ts'
import { checkChainProof, checkSignature } from '#src/client/receipt_verification.ts'
import { listedKeys, type ReceiptKey, type TrustedKeys } from '#src/client/trusted_keys.ts'

/**
 * Follows the rotations of receipt keys from the newest key that is trusted to the newest there is.
 * `list` is a newer `/.well-known/svc-keys.json`, of which nothing is believed: each rotation must
 * be signed by the key before it, name the whole next key, and be an entry of the log. Throws
 * VerificationError `keys`.
 */
export async function followRotations(keys: TrustedKeys, list: unknown): Promise<TrustedKeys> {
  const { receipt_keys: listed } = listedKeys(list, keys.environment)
  const entries = Array.isArray(listed) ? listed.filter(isObject) : []
  const newest = keys.receiptKeys.at(-1)
  const start = entries.findIndex((entry) => entry['public_key'] === newest?.publicKey)
  if (newest === undefined || start < 0) throw broken('the newest trusted key is not in the list')
  const receiptKeys = [...keys.receiptKeys]
  let last = newest
  let leafIndex = -1
  for (const { public_key: publicKey, rotation } of entries.slice(start + 1)) {
    const followed = await followOne(last, String(publicKey), rotation, keys)
    if (followed.leafIndex <= leafIndex) throw broken('a rotation stands before an earlier one')
    leafIndex = followed.leafIndex
    const { key } = followed
    receiptKeys.splice(-1, 1, { ...last, validUntilMs: key.validFromMs }, key)
    last = key
  }
  return { ...keys, receiptKeys }
}

async function followOne(
  last: ReceiptKey,
  publicKey: string,
  value: unknown,
  keys: TrustedKeys,
): Promise<{ readonly key: ReceiptKey; readonly leafIndex: number }> {
  const form = readRotation(value)
  if (form.type === 'malformed') throw broken(`not as they must be: ${form.members.join(', ')}`)
  const { statement, signature, chainProof } = form.read
  const validFromMs = Date.parse(statement.timestamp)
  if (signature.public_key !== last.publicKey) throw broken('another key has signed the rotation')
  if (statement.new_public_key !== publicKey) throw broken('the rotation announces another key')
  if (!isStrictPublicKey(decodeHex(publicKey))) throw broken('the new key is no usable key')
  if (validFromMs < last.validFromMs) throw broken('the rotation is older than the key that signed')
  try {
    await checkSignature(statement, signature, last)
    await checkChainProof({ statement, signature }, chainProof, keys.log)
  } catch (cause) {
    if (!(cause instanceof VerificationError)) throw cause
    throw broken(cause.message, cause)
  }
  const key = { publicKey, validFromMs, validUntilMs: Number.POSITIVE_INFINITY }
  return { key, leafIndex: chainProof.leaf_index }
}

function broken(what: string, cause?: unknown): VerificationError {
  const message = `The rotations do not lead from the trusted keys to the newest: ${what}`
  return new VerificationError('keys', message, { cause })
}
