// @ts-check

import { enableCopy } from '#src/pages/scripts/copy_button.js'
import { fetchJson, lineOf, memberOf } from '#src/pages/scripts/check_list.js'

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue
  enableCopy(button, document.getElementById(button.dataset['copy'] ?? ''))
}
for (const section of document.querySelectorAll('.receipt-check')) {
  if (section instanceof HTMLElement) enableCheck(section)
}

/** @param {HTMLElement} section */
function enableCheck(section) {
  const button = section.querySelector('button')
  const list = section.querySelector('.check-steps')
  const verdict = section.querySelector('.verdict')
  const path = section.querySelector('.path')
  if (!(verdict instanceof HTMLElement && path instanceof HTMLElement)) return
  if (button === null || list === null) return
  section.hidden = false
  button.addEventListener('click', () => {
    button.disabled = true
    list.replaceChildren()
    verdict.hidden = true
    void check(section, { list, verdict, path })
      .catch((/** @type {unknown} */ error) =>
        list.append(lineOf('failed', 'The check', String(error))),
      )
      .finally(() => {
        button.disabled = false
      })
  })
}

/**
 * @param {HTMLElement} section
 * @param {import('#src/pages/scripts/receipt_check.js').Places} places
 */
async function check(section, places) {
  if (globalThis.crypto.subtle === undefined) {
    const reason = 'browsers check signatures on pages that come over https only'
    places.list.append(lineOf('not_checked', 'The receipt', reason))
    return
  }
  const { showCheck } = await import('#src/pages/scripts/receipt_check.js')
  const { receipt = '', metadata = '', keys = '', environment } = section.dataset
  /** @type {import('#src/pages/scripts/receipt_check.js').Evidence} */
  const evidence = {
    receipt: await fetchJson(receipt),
    published: await fetchJson(keys),
    environment: environment === 'sandbox' ? 'sandbox' : 'live',
    metadata: metadata === '' ? undefined : memberOf(await fetchJson(metadata), 'metadata'),
    ...(await chosenContent(section)),
  }
  await showCheck(evidence, places)
  if (section.dataset['map'] !== undefined) await showNewest(evidence, places, saidBy(section))
  const { content } = evidence
  if (content === undefined) return
  const { contentWords } = await import('#src/pages/scripts/content_words.js')
  const { text, links } = await contentWords(content, 'Your file')
  const line = document.createElement('li')
  line.append(`${text} `, ...links)
  places.list.append(line)
}

/**
 * The words that the page has for its reader, with facts in their places.
 * @param {HTMLElement} section
 * @returns {(words: string, facts?: Readonly<Record<string, string>>) => string}
 */
function saidBy(section) {
  const words = section.querySelector('template')?.content
  return (name, facts = {}) => {
    const said = words?.querySelector(`[data-said="${name}"]`)?.cloneNode(true)
    if (!(said instanceof HTMLElement)) return ''
    for (const place of said.querySelectorAll('[data-fact]')) {
      place.textContent = facts[place.getAttribute('data-fact') ?? ''] ?? ''
    }
    return said.textContent
  }
}

/**
 * Adds a line that says whether this is the newest version, if the registry proves that.
 * @param {import('#src/pages/scripts/receipt_check.js').Evidence} evidence
 * @param {import('#src/pages/scripts/receipt_check.js').Places} places
 * @param {ReturnType<typeof saidBy>} said
 */
async function showNewest(evidence, { list }, said) {
  const ark = String(memberOf(evidence.receipt, 'ark')).replace(/^ark:\//, 'ark:')
  const answer = await fetchJson(`/v1/map/${ark}`).catch(() => undefined)
  if (answer === undefined) return
  const { newestWords } = await import('#src/pages/scripts/newest_words.js')
  const words = await newestWords(evidence, memberOf(answer, 'map_proof'), Date.now(), said)
  if (words !== undefined) list.append(lineOf(words.status, said('title'), words.reason))
}

/** @param {HTMLElement} section */
async function chosenContent(section) {
  const file = section.querySelector('input')?.files?.[0]
  return file === undefined ? {} : { content: new Uint8Array(await file.arrayBuffer()) }
}
