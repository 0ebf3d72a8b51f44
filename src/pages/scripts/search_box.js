// @ts-check

import { memberOf } from '#src/pages/scripts/check_list.js'

// Titles that begin as what is typed does are offered below the box of a search. What is chosen is
// typed, and nothing more: the search is made by the form, as it is without this.

// How long nothing is typed before titles are asked for, and how much has to be there by then.
const waitMs = 200
const charactersMin = 3

for (const input of document.querySelectorAll('input[data-suggestions]')) {
  if (input instanceof HTMLInputElement) enableSuggestions(input)
}

/** @param {HTMLInputElement} input */
function enableSuggestions(input) {
  const list = document.createElement('datalist')
  list.id = 'suggestions'
  input.after(list)
  input.setAttribute('list', list.id)
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {AbortController | undefined} */
  let asking
  input.addEventListener('input', () => {
    clearTimeout(timer)
    asking?.abort()
    const typed = input.value.trim()
    // A title that was just chosen from the list needs no further offer.
    if (typed.length < charactersMin || offers(list).includes(input.value)) return
    timer = setTimeout(() => {
      asking = new AbortController()
      void offer(list, typed, asking.signal).catch(() => list.replaceChildren())
    }, waitMs)
  })

  /**
   * @param {HTMLDataListElement} shown
   * @param {string} typed
   * @param {AbortSignal} signal
   */
  async function offer(shown, typed, signal) {
    const path = `${input.dataset['suggestions']}?${new URLSearchParams({ q: typed })}`
    const reply = await fetch(path, { headers: { accept: 'application/json' }, signal })
    /** @type {unknown} */
    const body = reply.ok ? await reply.json() : {}
    const texts = memberOf(body, 'suggestions')
    const options = (Array.isArray(texts) ? texts : []).map((text) => {
      const option = document.createElement('option')
      option.value = String(text)
      return option
    })
    shown.replaceChildren(...options)
  }
}

/** @param {HTMLDataListElement} list */
function offers({ options }) {
  return [...options].map(({ value }) => value)
}
