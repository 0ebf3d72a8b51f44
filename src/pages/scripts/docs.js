// @ts-check

import { enableCopyBeside } from '#src/pages/scripts/copy_button.js'

enableCopyBeside()

// Characters of a reply that are shown.
const shownMax = 20_000

for (const form of document.querySelectorAll('form.try')) {
  if (!(form instanceof HTMLFormElement)) continue
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}

/**
 * Sends what the form says, and shows the reply. With a key that is not one of the sandbox, nothing
 * is sent that would be kept.
 * @param {HTMLFormElement} form
 */
async function send(form) {
  const key = valueOf(form, 'key')?.trim() ?? ''
  const url = new URL(valueOf(form, 'path') ?? '', location.origin)
  const { method = 'GET', live, type = '' } = form.dataset
  if (url.origin !== location.origin) return show(form, 'The address is one of this registry.')
  const isSandbox = live !== 'as it is' && (await isOfSandbox(key))
  if (!isSandbox && live === 'sandbox only') {
    return show(form, 'Nothing was sent: this writes, and the key is not one of the sandbox.')
  }
  if (!isSandbox && live === 'dry run') url.searchParams.set('dry_run', 'true')
  const body = valueOf(form, 'body')
  const headers = {
    accept: 'application/json',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': type }),
  }
  const options = { method, headers, ...(body !== undefined && { body }) }
  try {
    const reply = await fetch(url, { ...options, credentials: 'omit', redirect: 'manual' })
    const where = reply.headers.get('x-svc-environment') === 'sandbox' ? ', of the sandbox' : ''
    show(form, `${reply.status}${where}`, pretty(await reply.text()))
  } catch (error) {
    show(form, `It could not be sent: ${String(error)}`)
  }
}

/**
 * Whether a key is one of the sandbox. Keys of people do not say it, but replies to them do; in
 * doubt it is none.
 * @param {string} key
 */
async function isOfSandbox(key) {
  if (!key.startsWith('svc-')) return key.startsWith('svc_test_')
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch('/v1/user', { headers, credentials: 'omit' }).catch(() => undefined)
  return reply?.headers.get('x-svc-environment') === 'sandbox'
}

/**
 * The text in a field; undefined if the form has none of this name.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function valueOf(form, name) {
  const field = form.elements.namedItem(name)
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  return isField ? field.value : undefined
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} title
 * @param {string} [text]
 */
function show(form, title, text) {
  const place = form.querySelector('.try-reply')
  if (place === null) return
  const line = document.createElement('p')
  const strong = document.createElement('strong')
  strong.textContent = title
  line.append(strong)
  place.replaceChildren(line)
  if (text === undefined) return
  const code = document.createElement('pre')
  code.className = 'code'
  code.tabIndex = 0
  code.setAttribute('role', 'group')
  code.setAttribute('aria-label', 'The reply')
  code.textContent = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
  place.append(code)
}
