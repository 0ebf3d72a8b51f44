// @ts-check

import { sha256 } from '#src/client/verify/encoding.js'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { examineReceipt, spellHash } from '#src/client/verify/receipt.js'
import { isObject, registrationDay } from '#src/client/verify/receipt_form.js'
import { lineOf, memberOf } from '#src/pages/scripts/check_list.js'
import { noCrypto, trustOf, witnessedBy } from '#src/pages/scripts/published_trust.js'

/**
 * @import {
 *   EnvironmentName, Examination, SignedStatement, StepName as CheckedStep, TrustedKeys,
 *   UnverifiedReceipt
 * } from '#src/client/verify/types.ts'
 *
 * @typedef {'metadata' | 'signature' | 'inclusion' | 'checkpoint' | 'witnesses' | 'time' |
 *   'content'}
 *   StepName
 * @typedef {import('#src/pages/scripts/check_list.js').Step<StepName>} Step
 * @typedef {import('#src/pages/scripts/check_list.js').Words} Words
 *
 * The receipt and its evidence. `published` is the published key file; `content` a copy of the
 * content, if there is one.
 * @typedef {object} Evidence
 * @property {unknown} receipt
 * @property {unknown} published
 * @property {EnvironmentName} environment
 * @property {unknown} metadata
 * @property {Uint8Array<ArrayBuffer> | undefined} [content]
 *
 * Where the outcome of a check is shown: one line that says what it comes to, a line for each step,
 * and the path.
 * @typedef {{ verdict: HTMLElement, list: Element, path: HTMLElement }} Places
 */

/**
 * The steps of the verification that each line of a page is about.
 * @type {Record<StepName, readonly CheckedStep[]>}
 */
const stepsOf = {
  metadata: ['metadata_hash'],
  signature: ['receipt_key', 'signature'],
  inclusion: ['entry', 'inclusion'],
  checkpoint: ['tree_head', 'checkpoint'],
  witnesses: ['witnesses'],
  time: ['time'],
  content: ['content_hash'],
}

/**
 * Checks a receipt by itself, in this browser: nothing is asked of anybody. Gives the steps, those
 * that were not made too, and the receipt if it could be read.
 * @param {Evidence} evidence
 * @returns {Promise<{ steps: readonly Step[], receipt?: UnverifiedReceipt }>}
 */
export async function checkReceipt({ receipt: value, published, environment, metadata, content }) {
  const names = /** @type {StepName[]} */ (Object.keys(stepsOf))
  /** @type {(reason: string) => { steps: readonly Step[] }} */
  const nothingRight = (reason) => {
    const steps = names.filter((name) => !isOfWitnesses(name))
    return { steps: steps.map((step) => ({ step, status: 'failed', reason })) }
  }
  const keys = await trustOf(published, environment).catch((/** @type {unknown} */ error) => {
    if (!(error instanceof EvidenceError)) throw error
    return `the published keys cannot be used: ${error.message}`
  })
  if (typeof keys === 'string') return nothingRight(keys)
  const examination = await examineReceipt(value, keys, {
    metadata: isObject(metadata) ? metadata : undefined,
    ...(await contentOf(value, content)),
  })
  const { report, receipt } = examination
  const [form] = report.steps
  if (receipt === undefined) return nothingRight(form?.reason ?? '')
  // A log without published witnesses has nothing to say of them.
  const told = names.filter((name) => !isOfWitnesses(name) || keys.witnesses !== undefined)
  return { receipt, steps: told.map((step) => stepOf(step, examination, receipt, keys)) }
}

/** @param {StepName} name */
function isOfWitnesses(name) {
  return name === 'witnesses' || name === 'time'
}

/**
 * @param {unknown} receipt
 * @param {Uint8Array<ArrayBuffer> | undefined} content
 */
async function contentOf(receipt, content) {
  if (content === undefined) return { noContent: 'no copy of the content was chosen' }
  const isNamed = memberOf(receipt, 'content_hash') !== null
  if (!isNamed) return { noContent: 'the receipt names no content yet' }
  return { contentHash: spellHash(await sha256(content)) }
}

/**
 * @param {StepName} step
 * @param {Examination} examination
 * @param {UnverifiedReceipt} receipt
 * @param {TrustedKeys} keys
 * @returns {Step}
 */
function stepOf(step, { report, cosigned }, receipt, keys) {
  const made = report.steps.filter((one) => stepsOf[step].includes(one.step))
  const found =
    made.find(({ status }) => status === 'failed') ??
    made.find(({ status }) => status === 'not_checked')
  if (step === 'witnesses' && keys.witnesses !== undefined && cosigned !== undefined) {
    return { step, ...witnessedBy(cosigned, keys.witnesses) }
  }
  const [time] = made
  if (step === 'time' && time !== undefined) return { ...time, step }
  if (found === undefined) return { step, status: 'done', reason: whatIsRight(step, receipt, keys) }
  const { status } = found
  if (status === 'failed' && step === 'signature') {
    return { ...found, step, reason: whatIsWrong(found.step, receipt, keys) }
  }
  if (status === 'failed' || step === 'content') return { ...found, step }
  return {
    step,
    status,
    reason: step === 'metadata' ? 'there is no metadata to look at' : noCrypto,
  }
}

/**
 * @param {StepName} step
 * @param {UnverifiedReceipt} receipt
 * @param {TrustedKeys} keys
 */
function whatIsRight(step, { statement, signature, chainProof }, { log }) {
  const { leaf_index: leafIndex, tree_size: treeSize, inclusion_proof: proof } = chainProof
  const root = `the root of the log of ${treeSize} entries`
  const publicKey = `${signature.public_key.slice(0, 16)}…`
  const hash = statement.content_hash
  /** @type {Record<StepName, string>} */
  const texts = {
    metadata: `the metadata has the hash that the receipt names, ${statement.metadata_hash}`,
    signature: `the published key ${publicKey} signed exactly this statement`,
    inclusion: `${proof.length} hashes lead from entry ${leafIndex} to ${root}`,
    checkpoint: `the published key of ${log.name} signed this size and this root`,
    witnesses: '',
    time: '',
    content: `your copy has the hash that the receipt names, ${hash}`,
  }
  return texts[step]
}

/**
 * The fault of a signature. Here the keys are those that are published now.
 * @param {CheckedStep} step
 * @param {UnverifiedReceipt} receipt
 * @param {TrustedKeys} keys
 */
function whatIsWrong(step, { signature }, { receiptKeys }) {
  if (step === 'signature') return 'the signature is not one by the published key'
  const isPublished = receiptKeys.some(({ publicKey }) => publicKey === signature.public_key)
  return isPublished
    ? 'the key was not in use at that time'
    : 'the key of the receipt is none of the published keys'
}

/**
 * What the texts of the catalogue call a step, where it is called otherwise here.
 * @type {Partial<Record<StepName, CheckedStep>>}
 */
const namesInWords = { metadata: 'metadata_hash', content: 'content_hash' }

/**
 * Checks a receipt and shows what came of it: every step, then the verdict.
 * @param {Evidence} evidence
 * @param {Places} places
 * @param {Words} words
 */
export async function showCheck(evidence, { verdict, list, path }, words) {
  /** @type {Map<Step['step'], Step['status']>} */
  const statuses = new Map()
  list.replaceChildren()
  path.replaceChildren()
  verdict.hidden = true
  const { steps, receipt } = await checkReceipt(evidence)
  for (const { step, status, reason } of steps) {
    list.append(lineOf(words, { step: namesInWords[step] ?? step, status, reason }))
    statuses.set(step, status)
  }
  if (receipt !== undefined && statuses.get('inclusion') === 'done') {
    path.replaceChildren(drawPath(receipt.chainProof, words))
  }
  const { kind, text } =
    receipt === undefined ? notProven(words) : verdictOf(receipt, statuses, words)
  verdict.textContent = text
  verdict.className = `verdict verdict-${kind}`
  verdict.hidden = false
}

/** @typedef {{ kind: Step['status'], text: string }} Verdict */

/** @type {(words: Words) => Verdict} */
const notProven = (words) => ({ kind: 'failed', text: words('notProven') })

/**
 * @param {UnverifiedReceipt} receipt
 * @param {ReadonlyMap<Step['step'], Step['status']>} statuses
 * @param {Words} words
 * @returns {Verdict}
 */
function verdictOf({ statement, chainProof }, statuses, words) {
  const isDone = (/** @type {Step['step']} */ step) => statuses.get(step) === 'done'
  const failed = [...statuses].filter(([, status]) => status === 'failed').map(([step]) => step)
  if (failed.length === 1 && failed[0] === 'content') {
    return { kind: 'failed', text: words('otherContent') }
  }
  if (failed.length > 0) return notProven(words)
  const needed = /** @type {const} */ (['signature', 'inclusion', 'checkpoint'])
  if (!needed.every(isDone)) return { kind: 'not_checked', text: words('notAll') }
  const { leaf_index: entry, tree_size: size } = chainProof
  const [key, times] = whatHappened(statement)
  const parts = [
    words(key, { ...times, entry, size }),
    words(isDone('metadata') ? 'metadata_hash_done' : 'metadataNotCompared'),
    ...(isDone('content') ? [words('fileIsContent')] : []),
  ]
  return { kind: 'done', text: parts.join(' ') }
}

/**
 * The events in a statement: the key of their text, and their times. Of the registration a later
 * statement says the day alone, in the id of the receipt.
 * @param {Pick<SignedStatement, 'statement' | 'timestamp' | 'receipt_id'>} statement
 * @returns {[key: string, times: { at: string, day: string }]}
 */
export function whatHappened(statement) {
  const { statement: kind, timestamp } = statement
  const at = timestamp.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  const later = kind === 'content' ? 'provenContent' : 'provenWithdrawn'
  return [
    kind === 'registered' ? 'provenRegistered' : later,
    { at, day: registrationDay(statement) },
  ]
}

// Distances in units of the drawing: of levels, of siblings from the middle, and around all.
const width = 320
const levelStep = 34
const reach = 70
const margin = 34
const radius = 7

/**
 * Draws how an entry leads to the root of a log: the hashes that were computed, one above the
 * other, and beside each the hash of the proof that it was joined with. The sides are those of
 * RFC 9162 §2.1.3.2; the hashes are not shown.
 * @param {{ leaf_index: number, tree_size: number, inclusion_proof: readonly string[] }} place
 * @param {Words} words
 * @returns {SVGElement}
 */
function drawPath({ leaf_index: entry, tree_size: size, inclusion_proof: proof }, words) {
  const sides = sidesOf(entry, size)
  const height = 2 * margin + sides.length * levelStep
  const middle = width / 2
  const bottom = height - margin
  const svg = part('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' })
  svg.setAttribute('aria-label', words('drawing', { entry, size, count: proof.length }))
  for (const [level, side] of sides.entries()) {
    const at = bottom - level * levelStep
    const x = side === 'left' ? middle - reach : middle + reach
    const to = { x2: middle, y2: at - levelStep }
    svg.append(
      part('line', { class: 'path-proof', x1: x, y1: at, ...to }),
      part('line', { class: 'path-line step-done', x1: middle, y1: at, ...to }),
      part('circle', { class: 'path-sibling', cx: x, cy: at, r: radius - 2 }),
    )
  }
  svg.append(part('circle', { class: 'path-leaf', cx: middle, cy: bottom, r: radius }))
  for (const level of sides.keys()) {
    const node = part('g', { class: 'path-node step-done' })
    const cy = bottom - (level + 1) * levelStep
    node.append(part('circle', { cx: middle, cy, r: radius }))
    svg.append(node)
  }
  svg.append(
    textAt(words('drawnEntry', { entry }), middle, bottom + 24),
    textAt(words('drawnRoot', { size }), middle, 20),
  )
  return svg
}

/**
 * On which side of the path each hash of a proof stands, from the leaf up.
 * @param {number} leafIndex
 * @param {number} treeSize
 * @returns {('left' | 'right')[]}
 */
function sidesOf(leafIndex, treeSize) {
  /** @type {('left' | 'right')[]} */
  const sides = []
  let index = leafIndex
  for (let last = treeSize - 1; last > 0; last = Math.floor(last / 2)) {
    if (index % 2 === 1) sides.push('left')
    else if (index < last) sides.push('right')
    index = Math.floor(index / 2)
  }
  return sides
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
function textAt(text, x, y) {
  const element = part('text', { x, y, 'text-anchor': 'middle' })
  element.textContent = text
  return element
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function part(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`)
  return element
}
