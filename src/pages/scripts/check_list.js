// @ts-check

/**
 * The result of one step of a check, with its reason in a sentence.
 * @template {string} Name
 * @typedef {object} Step
 * @property {Name} step
 * @property {'done' | 'failed' | 'not_checked'} status
 * @property {string} reason
 * @property {string} [code]
 */

/** @typedef {Step<string>['status']} Status */

/**
 * A text of the catalogue (`checks` in `src/words`) in the language of the page, by its key, with
 * values in the places that have their names; empty if there is none.
 * @typedef {(key: string, values?: Readonly<Record<string, string | number>>) => string} Words
 */

/** @type {Promise<unknown> | undefined} */
let texts

/**
 * The texts of checks in the language of the page, which are asked for once.
 * @returns {Promise<Words>}
 */
export async function loadWords() {
  texts ??= fetchJson(`/verify.json?lang=${document.documentElement.lang}`)
  const known = await texts
  return (key, values = {}) => {
    const text = memberOf(known, key)
    if (typeof text !== 'string') return ''
    return text.replaceAll(/\{(\w+)\}/g, (place, /** @type {string} */ name) => {
      const value = values[name] ?? place
      return typeof value === 'number' ? formatNumber(value) : value
    })
  }
}

/** @param {number} count */
function formatNumber(count) {
  return count.toLocaleString(document.documentElement.lang, { numberingSystem: 'latn' })
}

/**
 * One line of the list of a check: the status in a word, what was looked at, what was found, and
 * the reason for programs, which is English.
 * @param {Words} words
 * @param {Step<string>} step
 * @param {string} [name] What the step is called here.
 */
export function lineOf(words, { step, status, reason, code }, name = step) {
  const found = words(`why_${code}`) || words(`${step}_${status}`) || words(`other_${status}`)
  const title = { status: words(status), name: words(`name_${name}`) }
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = words('details')
  const exact = document.createElement('p')
  exact.lang = 'en'
  exact.dir = 'ltr'
  exact.textContent = `${reason}.`
  details.className = 'fold'
  details.append(summary, exact)
  return plainLine(status, words('statusAndName', title), found, details)
}

/**
 * A line of the list of a check whose words are made already.
 * @param {Status} status
 * @param {string} title
 * @param {(string | Node)[]} found
 */
export function plainLine(status, title, ...found) {
  const line = document.createElement('li')
  line.className = `check-step check-step-${status}`
  const word = document.createElement('strong')
  word.textContent = title
  line.append(word, ' ', ...found)
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
