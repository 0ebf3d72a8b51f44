// @ts-check

import { lineOf } from '#src/pages/browser/check_list.js'
import { drawPath } from '#src/pages/browser/path_drawing.js'
import { checkReceipt } from '#src/pages/browser/receipt_check.js'
import { readReceipt } from '#src/pages/browser/receipt_form.js'

/**
 * @typedef {import('#src/pages/browser/receipt_check.js').Step} Step
 * @typedef {import('#src/pages/browser/receipt_check.js').Evidence} Evidence
 *
 * Where the outcome of a check is shown: one line that says what it comes to, a line for each step,
 * and the path.
 * @typedef {{ verdict: HTMLElement, list: Element, path: HTMLElement }} Places
 */

/** @type {Record<Step['step'], string>} */
const stepNames = {
  metadata: 'The metadata',
  signature: 'The signature',
  inclusion: 'The place in the log',
  checkpoint: 'The log’s own signature',
  witnesses: 'The signatures of witnesses',
  content: 'Your copy of the content',
}

/**
 * Checks a receipt and shows what came of it: every step as it is made, then the verdict.
 * @param {Evidence} evidence
 * @param {Places} places
 */
export async function showCheck(evidence, { verdict, list, path }) {
  /** @type {Map<Step['step'], Step['status']>} */
  const statuses = new Map()
  list.replaceChildren()
  path.replaceChildren()
  verdict.hidden = true
  for await (const { step, status, reason } of checkReceipt(evidence)) {
    list.append(lineOf(status, stepNames[step], reason))
    statuses.set(step, status)
  }
  const receipt = readReceipt(evidence.receipt)
  if (!('wrong' in receipt) && statuses.get('inclusion') === 'done') {
    const { chainProof } = receipt
    path.replaceChildren(drawPath(chainProof))
  }
  const { kind, text } = 'wrong' in receipt ? notProven : verdictOf(receipt, statuses)
  verdict.textContent = text
  verdict.className = `verdict verdict-${kind}`
  verdict.hidden = false
}

/** @typedef {{ kind: Step['status'], text: string }} Verdict */

/** @type {Verdict} */
const notProven = {
  kind: 'failed',
  text: 'Not proven: something here is wrong. Do not rely on it.',
}

/**
 * @param {import('#src/pages/browser/receipt_form.js').Receipt} receipt
 * @param {ReadonlyMap<Step['step'], Step['status']>} statuses
 * @returns {Verdict}
 */
function verdictOf({ statement, chainProof }, statuses) {
  const isDone = (/** @type {Step['step']} */ step) => statuses.get(step) === 'done'
  if ([...statuses.values()].includes('failed')) return notProven
  const needed = /** @type {const} */ (['signature', 'inclusion', 'checkpoint'])
  if (!needed.every(isDone)) {
    return { kind: 'not_checked', text: 'Not proven yet: not all of it could be checked here.' }
  }
  const entry = chainProof.leaf_index.toLocaleString('en-US')
  const size = chainProof.tree_size.toLocaleString('en-US')
  const parts = [
    `Proven, in your browser: ${whatHappened(statement)}. ` +
      `It is signed as entry ${entry} in the log of size ${size}.`,
    isDone('metadata')
      ? 'The metadata is exactly what was registered.'
      : 'Its metadata was not compared.',
    ...(isDone('content') ? ['Your file is exactly the content that it names.'] : []),
  ]
  return { kind: 'done', text: parts.join(' ') }
}

/**
 * What a statement says, each time under its own name. What came before the statement is the
 * registration, whose day alone it says, in the id of the receipt.
 * @param {import('#src/pages/browser/receipt_form.js').Receipt['statement']} statement
 * @returns {string}
 */
export function whatHappened({ statement: kind, timestamp, receipt_id: id }) {
  const at = String(timestamp)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
  if (kind === 'registered') return `this version was registered on ${at}`
  const day = String(id).slice('rcpt_'.length, 'rcpt_yyyy_mm_dd'.length).replaceAll('_', '-')
  const registered = `this version was registered on ${day}`
  return kind === 'content'
    ? `${registered}, and its content was confirmed on ${at}`
    : `${registered}, and the work was withdrawn on ${at}`
}
