// @ts-check

import { checkpointIn } from '#src/client/verify/checkpoint.js'
import { decodeHex } from '#src/client/verify/encoding.js'
import { fetchJson, lineOf, loadWords, memberOf, plainLine } from '#src/pages/scripts/check_list.js'
import {
  checkContinuation,
  checkEntry,
  checkHead,
  checkSinceKept,
} from '#src/pages/scripts/log_check.js'

/**
 * @typedef {import('#src/pages/scripts/log_check.js').Step} Step
 * @typedef {import('#src/pages/scripts/log_check.js').Trust} Trust
 */

/**
 * What each kind of check holds against each other. All of it is what the page shows; the keys, and
 * the proof from a checkpoint that the reader has, are asked of the site.
 * @type {Record<string, (section: HTMLElement, trust: Trust) => AsyncGenerator<Step>>}
 */
const checks = {
  head: checkAndKeep,
  entry: (section, trust) => {
    const shown = {
      entry: textOf('entry'),
      words: wordsOf(document),
      leafIndex: Number(section.dataset['leafIndex']),
      proof: hashesOf('.path-steps'),
      checkpoint: textOf('checkpoint'),
      climbed: markStep,
    }
    return checkEntry(shown, trust)
  },
  continuation: (section, trust) => {
    const own = section.querySelector('textarea')?.value.trim() ?? ''
    const older = own === '' ? textOf('older') : `${own}\n`
    const newer = textOf('newer')
    const shown = async () => hashesOf('.proof-hashes')
    const sizeOf = (/** @type {string} */ note) => checkpointIn(note).treeSize
    const asked = async () => askProof(section, sizeOf(older), sizeOf(newer))
    const proof = own === '' ? shown : asked
    return checkContinuation({ older, newer, proof }, trust)
  },
}

// From one step of a path to the next, so that somebody can see it climb.
const paceMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 50

const memory = openMemory()

for (const section of document.querySelectorAll('.log-check')) {
  if (section instanceof HTMLElement) enableCheck(section)
}

/** @param {HTMLElement} section */
function enableCheck(section) {
  const button = section.querySelector('button.check')
  const list = section.querySelector('.check-steps')
  const verdict = section.querySelector('.verdict')
  if (!(button instanceof HTMLButtonElement && verdict instanceof HTMLElement)) return
  if (list === null) return
  section.hidden = false
  section.querySelector('.kept button')?.addEventListener('click', () => forget(section))
  offerToForget(section)
  for (const words of document.querySelectorAll('.without-check')) words.remove()
  button.addEventListener('click', () => {
    button.disabled = true
    list.replaceChildren()
    verdict.hidden = true
    unmarkSteps()
    void run(section, list)
      .catch((/** @type {unknown} */ error) => {
        list.append(plainLine('not_checked', String(error)))
        return /** @type {const} */ ('not_checked')
      })
      .then((status) => tell(verdict, status))
      .finally(() => {
        button.disabled = false
      })
  })
}

/**
 * Makes the check of a section, a line for each step: gives what became of the whole.
 * @param {HTMLElement} section
 * @param {Element} list
 * @returns {Promise<Step['status']>}
 */
async function run(section, list) {
  const words = await loadWords()
  if (globalThis.crypto.subtle === undefined) {
    list.append(plainLine('not_checked', words('name_log'), words('httpsOnly')))
    return 'not_checked'
  }
  const { keys = '', environment, check = '' } = section.dataset
  const own = section.querySelector('input')?.value.trim() ?? ''
  /** @type {Trust} */
  const trust = {
    published: await fetchJson(keys),
    environment: environment === 'sandbox' ? 'sandbox' : 'live',
    ownVkey: own,
  }
  /** @type {Step['status'][]} */
  const statuses = []
  const steps = checks[check]?.(section, trust) ?? []
  for await (const found of steps) {
    // Here it is the checkpoint of the page, and not that of a receipt.
    list.append(lineOf(words, found, found.step === 'checkpoint' ? 'head' : found.step))
    statuses.push(found.status)
  }
  if (statuses.includes('failed')) return 'failed'
  return statuses.includes('not_checked') ? 'not_checked' : 'done'
}

/**
 * @param {HTMLElement} verdict
 * @param {Step['status']} status
 */
async function tell(verdict, status) {
  const words = await loadWords()
  const { proven = '' } = verdict.dataset
  const keys = { done: 'logProven', failed: 'logNotProven', not_checked: 'logNotAll' }
  verdict.textContent = words(keys[status], { proven })
  verdict.className = `verdict verdict-${status}`
  verdict.hidden = false
}

/**
 * Checks the newest checkpoint, and that it continues the one that this browser has kept. What
 * is right in all steps is kept in its place.
 * @param {HTMLElement} section
 * @param {Trust} trust
 * @returns {AsyncGenerator<Step>}
 */
async function* checkAndKeep(section, trust) {
  const shown = textOf('checkpoint')
  let isRight = true
  for await (const step of checkHead(shown, trust)) {
    if (step.status === 'failed') isRight = false
    yield step
  }
  const place = keptPlace(section)
  const kept = memory?.getItem(place)
  if (typeof kept === 'string') {
    const ask = (/** @type {number} */ from, /** @type {number} */ to) =>
      askProof(section, from, to)
    const since = await checkSinceKept({ kept, shown, ask })
    if (since.status === 'failed') isRight = false
    yield since
  }
  if (!isRight) return
  memory?.setItem(place, shown)
  offerToForget(section)
}

/**
 * Where this browser keeps a checkpoint of a log.
 * @param {HTMLElement} section
 */
function keptPlace(section) {
  return `checkpoint of the log: ${section.dataset['environment']}`
}

/**
 * Shows the button that forgets what was kept, once something is.
 * @param {HTMLElement} section
 */
function offerToForget(section) {
  const part = section.querySelector('.kept')
  const isKept = typeof memory?.getItem(keptPlace(section)) === 'string'
  if (part instanceof HTMLElement) part.hidden = !isKept
}

/** The memory of this browser for this site; undefined where people have turned it off. */
function openMemory() {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** @param {HTMLElement} section */
function forget(section) {
  memory?.removeItem(keptPlace(section))
  offerToForget(section)
}

/**
 * @param {HTMLElement} section
 * @param {number} from
 * @param {number} to
 */
async function askProof(section, from, to) {
  const { consistency = '' } = section.dataset
  const reply = await fetchJson(`${consistency}?from=${from}&to=${to}`)
  const proof = memberOf(reply, 'consistency_proof')
  return Array.isArray(proof) ? proof.map((hash) => decodeHex(String(hash))) : []
}

/**
 * The text of an element, to the last character.
 * @param {string} id
 */
function textOf(id) {
  return document.getElementById(id)?.textContent ?? ''
}

/**
 * The members of the entry as the page shows them.
 * @param {Document} page
 * @returns {[member: string, said: string][]}
 */
function wordsOf(page) {
  const words = [...page.querySelectorAll('[data-member]')]
  return words.flatMap((word) => {
    if (!(word instanceof HTMLElement)) return []
    return [[word.dataset['member'] ?? '', word.textContent.trim()]]
  })
}

/** @param {string} list */
function hashesOf(list) {
  const hashes = document.querySelectorAll(`${list} [data-hash]`)
  return [...hashes].map((hash) => decodeHex(hash.textContent))
}

/** @returns {NodeListOf<Element>} */
function pathParts() {
  return document.querySelectorAll('.path [data-step], .path-steps [data-step]')
}

function unmarkSteps() {
  for (const part of pathParts()) part.classList.remove('step-done', 'step-wrong')
}

/**
 * Marks a step of the path in the drawing and in its words, when the browser has computed it; tells
 * whether they show what it is.
 * @param {number} step
 * @param {string} hash
 */
async function markStep(step, hash) {
  let isRight = true
  for (const part of pathParts()) {
    if (!(part instanceof HTMLElement || part instanceof SVGElement)) continue
    if (part.dataset['step'] !== `${step}`) continue
    const isShown = part.dataset['parent'] === hash
    part.classList.add(isShown ? 'step-done' : 'step-wrong')
    if (!isShown) isRight = false
  }
  await new Promise((resolve) => setTimeout(resolve, paceMs))
  return isRight
}
