// @ts-check

import { enableCopy } from '#src/pages/scripts/copy_button.js'
import { fetchJson, lineOf, loadWords, memberOf, plainLine } from '#src/pages/scripts/check_list.js'

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue
  enableCopy(button, document.getElementById(button.dataset['copy'] ?? ''))
}
for (const section of document.querySelectorAll('.receipt-check')) {
  if (section instanceof HTMLElement) enableCheck(section)
}
const similar = document.querySelector('.similar')
if (similar !== null) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    showSimilar(similar)
  })
  observer.observe(similar)
}

/**
 * Puts similar works in the place of the link to them, which stays where they cannot be had. The
 * browser reads the page: no text becomes HTML here (Trusted Types).
 * @param {Element} place
 */
function showSimilar(place) {
  const request = new XMLHttpRequest()
  request.addEventListener('load', () => {
    const list = request.responseXML?.querySelector('.similar-works')
    if (request.status === 200 && list) place.replaceWith(list)
  })
  request.open('GET', place.querySelector('a')?.href ?? '')
  request.responseType = 'document'
  request.send()
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
      .catch((/** @type {unknown} */ error) => list.append(plainLine('failed', String(error))))
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
  const words = await loadWords()
  if (globalThis.crypto.subtle === undefined) {
    places.list.append(plainLine('not_checked', words('name_receipt'), words('httpsOnly')))
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
  await showCheck(evidence, places, words)
  if (section.dataset['map'] !== undefined) {
    await showNewest(evidence, places, saidBy(section), words)
  }
  const { content } = evidence
  if (content === undefined) return
  const { contentWords } = await import('#src/pages/scripts/content_words.js')
  const { text, links } = await contentWords(content, words('yourFile'), words)
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
 * @param {import('#src/pages/scripts/check_list.js').Words} words
 */
async function showNewest(evidence, { list }, said, words) {
  const ark = String(memberOf(evidence.receipt, 'ark')).replace(/^ark:\//, 'ark:')
  const answer = await fetchJson(`/v1/map/${ark}`).catch(() => undefined)
  if (answer === undefined) return
  const { newestWords } = await import('#src/pages/scripts/newest_words.js')
  const found = await newestWords(evidence, memberOf(answer, 'map_proof'), Date.now(), said)
  if (found === undefined) return
  const { status, reason } = found
  if (status === 'failed') list.append(lineOf(words, { step: 'map_proof', status, reason }))
  else {
    const name = { status: words(status), name: said('title') }
    list.append(plainLine(status, words('statusAndName', name), reason))
  }
}

/** @param {HTMLElement} section */
async function chosenContent(section) {
  const file = section.querySelector('input')?.files?.[0]
  return file === undefined ? {} : { content: new Uint8Array(await file.arrayBuffer()) }
}
