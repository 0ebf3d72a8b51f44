// @ts-check

import { fromHex, sha256, toBase64, toHex, utf8 } from '#src/web/browser/bytes.js'
import { isObject, readReceipt } from '#src/web/browser/receipt_form.js'
import {
  demandSignature,
  logKeyType,
  readNote,
  readVkey,
  signatureBy,
} from '#src/web/browser/signed_note.js'
import { Failure, NotChecked } from '#src/web/browser/verdict.js'
import { demandQuorum } from '#src/web/browser/witness_quorum.js'

/**
 * What became of one step, and why, in a sentence.
 * @typedef {object} Step
 * @property {StepName} step
 * @property {'done' | 'failed' | 'not_checked'} status
 * @property {string} reason
 *
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
 * @typedef {import('#src/web/browser/receipt_form.js').Receipt} Receipt
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

/**
 * @param {StepName} step
 * @param {() => Promise<string>} check
 * @returns {Promise<Step>}
 */
async function attempt(step, check) {
  try {
    return { step, status: 'done', reason: await check() }
  } catch (error) {
    if (error instanceof NotChecked) return { step, status: 'not_checked', reason: error.message }
    if (error instanceof Failure) return { step, status: 'failed', reason: error.message }
    // Deep or strange JSON ends here: whatever cannot be checked is not right.
    return { step, status: 'failed', reason: `it could not be read: ${String(error)}` }
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
async function checkSignature({ statement, signature }, { keys }) {
  const key = publishedKeys(keys).find((one) => one['public_key'] === signature.public_key)
  if (key === undefined) throw new Failure('the key of the receipt is none of the published keys')
  const at = timeOf(statement['timestamp'])
  const from = timeOf(key['valid_from'])
  // A key that is in use has no end yet.
  const until = timeOf(key['valid_until'] ?? '9999-12-31T23:59:59.999Z')
  if (!(at >= from && at < until)) throw new Failure('the key was not in use at that time')
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
  if (leafIndex >= treeSize) throw new Failure(`leaf ${leafIndex} is in no tree of ${treeSize}`)
  let hash = await sha256(Uint8Array.of(0), utf8.encode(canonicalText({ ...statement, signature })))
  let index = leafIndex
  let used = 0
  // RFC 9162 §2.1.3.2: at each level a right child, or a sibling on its right, or neither.
  for (let last = treeSize - 1; last > 0; last = Math.floor(last / 2)) {
    if (index % 2 === 1 || index < last) {
      const text = proof[used]
      if (text === undefined) throw new Failure('the proof has too few hashes')
      const sibling = fromHex(text)
      const children = index % 2 === 1 ? [sibling, hash] : [hash, sibling]
      hash = await sha256(Uint8Array.of(1), ...children)
      used += 1
    }
    index = Math.floor(index / 2)
  }
  if (used !== proof.length) throw new Failure('the proof has too many hashes')
  if (toHex(hash) !== chainProof.merkle_root) throw new Failure('the proof leads to another root')
  return `${used} hashes lead from leaf ${leafIndex} to the root of the log of ${treeSize} entries`
}

/** @type {(receipt: Receipt, evidence: Evidence) => Promise<string>} */
async function checkCheckpoint({ chainProof }, { keys }) {
  const key = await readVkey(String(logOf(keys)['vkey']), logKeyType)
  const note = readNote(chainProof.checkpoint)
  const root = toBase64(fromHex(chainProof.merkle_root))
  if (note.text !== `${key.name}\n${chainProof.tree_size}\n${root}\n`) {
    throw new Failure('the checkpoint is not about this log, this size and this root')
  }
  if (chainProof.block_height !== chainProof.tree_size) {
    throw new Failure('block_height is not the size of the log')
  }
  const found = signatureBy(note, key)
  if (found === undefined) throw new Failure('the published key has not signed the checkpoint')
  await demandSignature(utf8.encode(note.text), found, key.publicKey)
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
function logOf(keys) {
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
