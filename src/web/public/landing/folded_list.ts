import { html } from 'ghtml'

import type { Html } from '#src/web/kit/page.ts'

/** A list whose end is folded where it is long. */
export type FoldedList = {
  /** Elements `li`. */
  readonly items: readonly Html[]
  /** Items that are shown at once. */
  readonly openMax: number
  /** The class of the list. */
  readonly kind: string
  /** What the fold is called, by the number of items in it. */
  readonly more: (count: number) => string
}

/** The list, and behind a click the rest of it. */
export function foldedList({ items, openMax, kind, more }: FoldedList): Html {
  const folded = items.slice(openMax)
  const open = html`<ol class="${kind}">!${items.slice(0, openMax)}</ol>`
  if (folded.length === 0) return open
  return html`!${open}<details class="fold"><summary>${more(folded.length)}</summary>
<ol class="${kind}" start="${openMax + 1}">!${folded}</ol></details>`
}
