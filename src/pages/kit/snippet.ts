import { html, type Html } from '#src/pages/kit/html.ts'
import { codeBlock } from '#src/pages/kit/parts.ts'

/**
 * Commands or data with a button that copies them, where scripts run; `label` names them to screen
 * readers.
 */
export function snippet(label: string, text: string): Html {
  return html`<div class="snippet">${codeBlock(label, text)}
<button class="button button-quiet" type="button" data-copy-beside hidden>Copy</button></div>`
}
