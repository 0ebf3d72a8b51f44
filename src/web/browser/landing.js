// @ts-check

import { enableCopy, fetchJson, lineOf, memberOf } from '#src/web/browser/check_list.js'

/** @typedef {import('#src/web/browser/receipt_check.js').Step} Step */

/** @type {Record<Step['step'], string>} */
const stepNames = {
  metadata: 'The metadata',
  signature: 'The signature',
  inclusion: 'The place in the log',
  checkpoint: 'The log’s own signature',
  witnesses: 'The signatures of witnesses',
  content: 'Your copy of the content',
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (button instanceof HTMLButtonElement) enableCopy(button)
}
for (const section of document.querySelectorAll('.receipt-check')) {
  if (section instanceof HTMLElement) enableCheck(section)
}

/** @param {HTMLElement} section */
function enableCheck(section) {
  const button = section.querySelector('button')
  const list = section.querySelector('.check-steps')
  if (button === null || list === null) return
  section.hidden = false
  button.addEventListener('click', () => {
    button.disabled = true
    list.replaceChildren()
    void check(section, list)
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
 * @param {Element} list
 */
async function check(section, list) {
  if (globalThis.crypto.subtle === undefined) {
    const reason = 'browsers check signatures on pages that come over https only'
    list.append(lineOf('not_checked', 'The receipt', reason))
    return
  }
  const { checkReceipt } = await import('#src/web/browser/receipt_check.js')
  const { receipt = '', metadata = '', keys = '', environment } = section.dataset
  const published = await fetchJson(keys)
  const evidence = {
    receipt: await fetchJson(receipt),
    keys: environment === 'sandbox' ? memberOf(published, 'sandbox') : published,
    metadata: metadata === '' ? undefined : memberOf(await fetchJson(metadata), 'metadata'),
    ...(await chosenContent(section)),
  }
  for await (const { step, status, reason } of checkReceipt(evidence)) {
    list.append(lineOf(status, stepNames[step], reason))
  }
}

/** @param {HTMLElement} section */
async function chosenContent(section) {
  const file = section.querySelector('input')?.files?.[0]
  return file === undefined ? {} : { content: new Uint8Array(await file.arrayBuffer()) }
}
