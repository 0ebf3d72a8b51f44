// @ts-check

import { fromHex, sha256, toHex, utf8 } from '#src/pages/browser/bytes.js'
import { demandSignedByLog, readCheckpoint } from '#src/pages/browser/checkpoint.js'
import { climb, leafHash } from '#src/pages/browser/merkle_proof.js'
import { isObject, readReceipt } from '#src/pages/browser/receipt_form.js'
import { demandSignature, logKeyType, readNote, readVkey } from '#src/pages/browser/signed_note.js'
import { attempt, Failure, NotChecked } from '#src/pages/browser/verdict.js'
import { demandQuorum } from '#src/pages/browser/witness_quorum.js'

/**
 * @typedef {'metadata' | 'signature' | 'inclusion' | 'checkpoint' | 'witnesses' | 'content'}
 *   StepName
 *
 * What there is to check. `keys` is one environment's part of the published key file; `content`
 * a copy of the content, if there is one.
 * @typedef {object} Evidence
 * @property {unknown} receipt
 * @property {unknown} keys
 * @property {unknown} metadata
 * @property {Uint8Array<ArrayBuffer> | undefined} [content]
 *
 * @typedef {import('#src/pages/browser/receipt_form.js').Receipt} Receipt
 * @typedef {import('#src/pages/browser/verdict.js').Step<StepName>} Step
 */

const receiptContext = 'svc-receipt-v1\n'

/**
 * Checks a receipt by itself, in this browser: nothing is asked of anybody. Each step is given as
 * soon as it is made, those that were not made too. It shares no code with what signs.
 * @param {Evidence} evidence
 * @returns {AsyncGenerator<Step>}
 */
export async function* checkReceipt(evidence) {
  const form = readReceipt(evidence.receipt)
  // A log without published witnesses has nothing to say here.
  const isWitnessed = typeof logOf(evidence.keys)['witness_policy'] === 'string'
  const steps = /** @type {const} */ ([
    ['metadata', checkMetadata],
    ['signature', checkSignature],
    ['inclusion', checkInclusion],
    ['checkpoint', checkCheckpoint],
    ...(isWitnessed ? [/** @type {const} */ (['witnesses', checkWitnesses])] : []),
    ['content', checkContent],
  ])
  for (const [step, check] of steps) {
    yield await attempt(step, () => {
      if ('wrong' in form) throw new Failure(`${form.wrong} is not as in any receipt`)
      return check(form, evidence)
    })
  }
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkMetadata({ statement }, { metadata }) {
  if (!isObject(metadata)) throw new NotChecked('there is no metadata to look at')
  const hash = `sha256:${toHex(await sha256(utf8.encode(canonicalText(metadata))))}`
  if (hash !== statement['metadata_hash']) {
    throw new Failure(`the metadata has the hash ${hash}, the receipt is about another`)
  }
  return `the metadata has the hash that the receipt names, ${hash}`
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
function checkSignature({ statement, signature }, { keys }) {
  return demandReceiptKey(statement, signature, keys)
}

/**
 * Demands that a published key, which was in use at that time, has signed a statement: says which.
 * @param {Record<string, unknown>} statement
 * @param {{ public_key: string, signature: string }} signature
 * @param {unknown} keys One environment's part of the published key file.
 */
export async function demandReceiptKey(statement, signature, keys) {
  const key = publishedKeys(keys).find((one) => one['public_key'] === signature.public_key)
  if (key === undefined) throw new Failure('the key of the receipt is none of the published keys')
  const at = timeOf(statement['timestamp'])
  const from = timeOf(key['valid_from'])
  // A key that is in use has no end yet.
  const until = timeOf(key['valid_until'] ?? '9999-12-31T23:59:59.999Z')
  // The last that a key signs is what announces the next one.
  const isLast = statement['statement'] === 'key_rotated' && at === until
  if (!(at >= from && (at < until || isLast)))
    throw new Failure('the key was not in use at that time')
  const message = utf8.encode(receiptContext + canonicalText(statement))
  const publicKey = fromHex(signature.public_key)
  await demandSignature(message, fromHex(signature.signature), publicKey)
  return `the published key ${signature.public_key.slice(0, 16)}… signed exactly this statement`
}

/**
 * Milliseconds since 1970; NaN if it is no time.
 * @param {unknown} value
 */
function timeOf(value) {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkInclusion({ statement, signature, chainProof }) {
  const { leaf_index: leafIndex, tree_size: treeSize, inclusion_proof: proof } = chainProof
  let hash = await leafHash(utf8.encode(canonicalText({ ...statement, signature })))
  const place = { leafIndex, treeSize, proof: proof.map(fromHex) }
  for await (const next of climb(hash, place)) hash = next
  if (toHex(hash) !== chainProof.merkle_root) throw new Failure('the proof leads to another root')
  const root = `the root of the log of ${treeSize} entries`
  return `${proof.length} hashes lead from entry ${leafIndex} to ${root}`
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkCheckpoint({ chainProof }, { keys }) {
  const key = await readVkey(String(logOf(keys)['vkey']), logKeyType)
  const note = readNote(chainProof.checkpoint)
  const { origin, treeSize, root } = readCheckpoint(note)
  const isAbout = origin === key.name && treeSize === chainProof.tree_size
  if (!isAbout || toHex(root) !== chainProof.merkle_root) {
    throw new Failure('the checkpoint is not about this log, this size and this root')
  }
  if (chainProof.block_height !== chainProof.tree_size) {
    throw new Failure('block_height is not the size of the log')
  }
  await demandSignedByLog(note, key)
  return `the published key of ${key.name} signed this size and this root`
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkWitnesses({ chainProof }, { keys }) {
  return demandQuorum(readNote(chainProof.checkpoint), String(logOf(keys)['witness_policy']))
}

/**
 * What the keys of an environment say of its log.
 * @param {unknown} keys
 * @returns {Record<string, unknown>}
 */
export function logOf(keys) {
  return isObject(keys) && isObject(keys['log']) ? keys['log'] : {}
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkContent({ statement }, { content }) {
  const named = statement['content_hash']
  if (content === undefined) throw new NotChecked('no copy of the content was chosen')
  if (named === null) throw new NotChecked('the receipt names no content yet')
  const hash = `sha256:${toHex(await sha256(content))}`
  if (hash === named) return `your copy has the hash that the receipt names, ${hash}`
  throw new Failure(`your copy has the hash ${hash}, the receipt names ${named}`)
}

/**
 * @param {unknown} keys
 * @returns {Record<string, unknown>[]}
 */
function publishedKeys(keys) {
  const list = isObject(keys) ? keys['receipt_keys'] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/**
 * The canonical JSON of a parsed value (RFC 8785).
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (isObject(value)) {
    const names = Object.keys(value).sort()
    const members = names.map((name) => `${canonicalText(name)}:${canonicalText(value[name])}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new Failure('a text has half a character')
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Failure('a number is too large')
  }
  return JSON.stringify(value)
}
