// @ts-check

import { isEvidenceFile, verifyEvidence } from '#src/client/verify/evidence.js'
import { isObject, readReceipt } from '#src/client/verify/receipt_form.js'
import { encodeHex, sha256 } from '#src/client/verify/encoding.js'
import { fetchJson, lineOf, loadWords, memberOf, plainLine } from '#src/pages/scripts/check_list.js'

// Dropped files are read by this browser and sent nowhere. A receipt is told apart from content by
// what stands in it; of each there is one at a time, the newest that was given.

/** Receipts and evidence are short; what is longer is content. */
const receiptBytesMax = 4_194_304

/** Content is read as a whole. */
const contentBytesMax = 1_000_000_000

/** @import { Words } from '#src/pages/scripts/check_list.js' */

/**
 * @typedef {object} Given
 * @property {unknown} receipt
 * @property {unknown} evidence
 * @property {Uint8Array<ArrayBuffer> | undefined} content
 * @property {string} name
 */

/** @type {Given} */
const given = { receipt: undefined, evidence: undefined, content: undefined, name: '' }

const around = document.querySelector('form.verify')
if (around instanceof HTMLFormElement) enable(around)

/** @param {HTMLFormElement} form */
function enable(form) {
  const outcome = document.querySelector('.verify-outcome')
  const input = form.querySelector('input[type=file]')
  const text = form.querySelector('textarea')
  if (!(outcome instanceof HTMLElement && input instanceof HTMLInputElement)) return
  if (text === null) return
  for (const part of document.querySelectorAll('[data-unscripted]')) part.remove()
  input.multiple = true
  input.addEventListener('change', () => takeInTurn([...(input.files ?? [])], outcome))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = text.value.trim()
    const files = typed === '' ? [...(input.files ?? [])] : [new File([typed], 'receipt.json')]
    takeInTurn(files, outcome)
  })
  document.addEventListener('dragover', (event) => event.preventDefault())
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    takeInTurn([...(event.dataTransfer?.files ?? [])], outcome)
  })
}

/** The check in progress: who chooses a file, and presses the button at once, asks for two. */
let turn = Promise.resolve()

/** @type {(files: readonly File[], outcome: HTMLElement) => void} */
function takeInTurn(files, outcome) {
  turn = turn.then(() => take(files, outcome))
}

/**
 * @param {readonly File[]} files
 * @param {HTMLElement} outcome
 */
async function take(files, outcome) {
  const list = outcome.querySelector('.check-steps')
  if (list === null) return
  outcome.hidden = false
  list.replaceChildren()
  try {
    const words = await loadWords()
    for (const file of files) {
      if (await sort(file)) continue
      list.replaceChildren(plainLine('not_checked', words('tooLarge', { name: file.name })))
      return
    }
    await show(outcome, words)
  } catch (error) {
    list.replaceChildren(plainLine('not_checked', String(error)))
  }
}

/**
 * Keeps what a file has; false for one that is too large.
 * @param {File} file
 */
async function sort(file) {
  const text = file.size > receiptBytesMax ? '' : await file.text()
  const evidence = evidenceIn(text)
  const receipt = evidence === undefined ? receiptIn(text) : undefined
  if (evidence !== undefined || receipt !== undefined) {
    Object.assign(given, { evidence, receipt })
    return true
  }
  if (file.size > contentBytesMax) return false
  given.content = new Uint8Array(await file.arrayBuffer())
  given.name = file.name
  return true
}

/**
 * Evidence in a text.
 * @param {string} text
 * @returns {unknown}
 */
function evidenceIn(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text)
    return isEvidenceFile(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A receipt in a text, as a reply of the interface wraps it or not.
 * @param {string} text
 * @returns {unknown}
 */
function receiptIn(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text)
    const inner = memberOf(value, 'receipt')
    const receipt = isObject(inner) ? inner : value
    const isOne = isObject(receipt) && 'chain_proof' in receipt && 'signature' in receipt
    return isOne ? receipt : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {HTMLElement} outcome
 * @param {Words} words
 */
async function show(outcome, words) {
  const verdict = outcome.querySelector('.verdict')
  const list = outcome.querySelector('.check-steps')
  const path = outcome.querySelector('.path')
  const about = outcome.querySelector('.verify-about')
  if (!(verdict instanceof HTMLElement && path instanceof HTMLElement)) return
  if (list === null || about === null) return
  about.textContent = ''
  path.replaceChildren()
  if (given.evidence !== undefined) {
    await showEvidence(given.evidence, { verdict, list, about }, words)
    return
  }
  if (given.receipt === undefined) {
    const { text, isKnown, links } = await ofContentAlone(words)
    verdict.textContent = text
    verdict.className = `verdict verdict-${isKnown ? 'done' : 'not_checked'}`
    about.append(...links)
    verdict.hidden = false
    return
  }
  const { showCheck } = await import('#src/pages/scripts/receipt_check.js')
  const { published, environment } = await keysOf(given.receipt)
  const { ark, version, link } = namesOf(given.receipt, words)
  const prefix = environment === 'sandbox' ? '/sandbox' : ''
  const address = `${prefix}/api/v1/resolve/${ark}`
  const metadata = ark === '' ? undefined : await metadataOf(address, version)
  const content = given.content === undefined ? {} : { content: given.content }
  const evidence = { receipt: given.receipt, published, environment, metadata, ...content }
  await showCheck(evidence, { verdict, list, path }, words)
  if (link === undefined) return
  const [before = '', after = ''] = words('about').split('{version}')
  about.append(before, link, after)
}

/**
 * Checks evidence by the published keys if it is of this registry, and otherwise by its own.
 * @param {unknown} evidence
 * @param {{ verdict: HTMLElement, list: Element, about: Element }} places
 * @param {Words} words
 */
async function showEvidence(evidence, { verdict, list, about }, words) {
  const published = await fetchJson('/.well-known/svc-keys.json')
  const vkey = memberOf(memberOf(memberOf(evidence, 'keys'), 'log'), 'vkey')
  const lists = [published, memberOf(published, 'sandbox')]
  const isOurs = lists.some((one) => memberOf(memberOf(one, 'log'), 'vkey') === vkey)
  const hash = given.content && `sha256:${encodeHex(await sha256(given.content))}`
  const report = await verifyEvidence(evidence, isOurs ? { keys: published } : {}, hash)
  for (const step of report.steps) list.append(lineOf(words, step))
  const { statement, valid, policy_source: source, environment } = report
  const right = isOurs ? 'provenByPublished' : 'fitsTogether'
  verdict.textContent = words(valid ? right : 'notProven')
  verdict.className = `verdict verdict-${valid ? (isOurs ? 'done' : 'not_checked') : 'failed'}`
  verdict.hidden = false
  if (!valid) return
  const version = words('arkVersion', {
    ark: `${statement?.ark}`,
    version: `${statement?.version}`,
  })
  const trial = environment === 'sandbox' ? words('sandboxFile') : ''
  about.textContent = [words('about', { version }), words(`source_${source}`), trial]
    .join(' ')
    .trim()
}

/**
 * What is said where there is no receipt.
 * @param {Words} words
 */
async function ofContentAlone(words) {
  if (given.content === undefined) {
    return { text: words('nothingYet'), isKnown: false, links: [] }
  }
  const { contentWords } = await import('#src/pages/scripts/content_words.js')
  const { text, ...said } = await contentWords(given.content, given.name, words)
  return { ...said, text: said.isKnown ? text : `${text} ${words('addReceipt')}` }
}

/**
 * The published keys, and the environment whose key has signed the receipt.
 * @param {unknown} receipt
 * @returns {Promise<{ published: unknown, environment: 'live' | 'sandbox' }>}
 */
async function keysOf(receipt) {
  const published = await fetchJson('/.well-known/svc-keys.json')
  const sandbox = memberOf(published, 'sandbox')
  const key = String(memberOf(memberOf(receipt, 'signature'), 'public_key'))
  const isTest = JSON.stringify(memberOf(sandbox, 'receipt_keys') ?? []).includes(`"${key}"`)
  return { published, environment: isTest ? 'sandbox' : 'live' }
}

/**
 * @param {unknown} receipt
 * @param {Words} words
 */
function namesOf(receipt, words) {
  const read = readReceipt(receipt)
  if (read.type === 'malformed') return { ark: '', version: '', link: undefined }
  const { ark, version } = read.receipt.statement
  const link = document.createElement('a')
  link.href = `/${ark}/v${version}`
  link.textContent = words('arkVersion', { ark, version: `${version}` })
  return { ark, version: String(version), link }
}

/**
 * The metadata that the registry has now; what it has none of any more cannot be compared.
 * @param {string} address
 * @param {string} version
 */
async function metadataOf(address, version) {
  try {
    return memberOf(await fetchJson(`${address}/v${version}`), 'metadata')
  } catch {
    return undefined
  }
}
