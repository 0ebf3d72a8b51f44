import { diffWordsWithSpace } from 'diff'

import { html, type Html } from '#src/web/kit/html.ts'

/** Words that may differ before two texts count as different as a whole: work is bounded by it. */
const editsMax = 1_000

/**
 * What a text says beside what it said before, word by word: `del` and `ins`, which are told apart
 * by a line through or below them, and not by colour alone. Texts of which more than 1,000 words
 * differ are shown one after the other.
 */
export function wordDifference(before: string, after: string): Html {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: editsMax })
  if (parts === undefined) return html`${removed(before)} ${added(after)}`
  return html`${parts.map(({ value, added: isNew, removed: isOld }) => {
    if (isNew) return added(value)
    return isOld ? removed(value) : html`${value}`
  })}`
}

function removed(text: string): Html {
  return text === '' ? html`` : html`<del>${text}</del>`
}

function added(text: string): Html {
  return text === '' ? html`` : html`<ins>${text}</ins>`
}
