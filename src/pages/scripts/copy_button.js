// @ts-check

// How long a button says that it has done its work, in milliseconds.
const thanksMs = 2_000

/**
 * Shows a button that copies the text of an element, where there is a clipboard: in secure contexts
 * only.
 * @param {HTMLButtonElement} button
 * @param {Element | null} source
 */
export function enableCopy(button, source) {
  if (source === null || navigator.clipboard === undefined) return
  const name = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(source.textContent.trim()).then(
      () => say('Copied'),
      () => say('It could not be copied'),
    )
  })

  /** @param {string} text */
  function say(text) {
    button.textContent = text
    setTimeout(() => (button.textContent = name), thanksMs)
  }
}

/** Enables the buttons of the page that copy the code or the secret beside them. */
export function enableCopyBeside() {
  for (const button of document.querySelectorAll('button[data-copy-beside]')) {
    if (!(button instanceof HTMLButtonElement)) continue
    enableCopy(button, button.parentElement?.querySelector('code') ?? null)
  }
}
