// @ts-check

/**
 * The result of one step of a check, with its reason in a sentence.
 * @template {string} Name
 * @typedef {object} Step
 * @property {Name} step
 * @property {'done' | 'failed' | 'not_checked'} status
 * @property {string} reason
 */

/** @typedef {Step<string>['status']} Status */

/** @type {Record<Status, string>} */
const statusNames = { done: 'Right', failed: 'Wrong', not_checked: 'Not checked' }

/**
 * One line of the list of a check: the status in a word, what was looked at, and what was found.
 * @param {Status} status
 * @param {string} name
 * @param {string} reason
 */
export function lineOf(status, name, reason) {
  const line = document.createElement('li')
  line.className = `check-step check-step-${status}`
  const word = document.createElement('strong')
  word.textContent = `${statusNames[status]}: ${name}`
  line.append(word, ` – ${reason}.`)
  return line
}

/** What a withdrawn work is answered with, whose record is there all the same. */
const gone = 410

/**
 * @param {string} url
 * @returns {Promise<unknown>}
 */
export async function fetchJson(url) {
  const reply = await fetch(url, { headers: { accept: 'application/json' } })
  if (!reply.ok && reply.status !== gone) throw new Error(`${url} answered ${reply.status}`)
  return reply.json()
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
export function memberOf(value, name) {
  return Object.entries(value ?? {}).find(([member]) => member === name)?.[1]
}
