import { diffWordsWithSpace } from 'diff'

import { html, type Html } from '#src/pages/kit/html.ts'
import { comparison } from '#src/words/english.ts'

/** Words that may differ on one page: the work of finding them grows with their square. */
const editsMax = 600

/** Characters of two texts that are compared word by word. */
const charactersMax = 20_000

/**
 * What the texts of one page say beside what they said before, word by word: `del` and `ins`, which
 * are told apart by a line through or below them, and not by colour alone. The work of a page is
 * bounded, whatever its texts are: each may have half of the edits that are left. Texts that differ
 * in more than that are shown one after the other; longer ones than 20,000 characters, not at all.
 */
export class WordDifferences {
  #editsLeft = editsMax

  /** The difference of two texts. */
  between(before: string, after: string): Html {
    if (before.length + after.length > charactersMax) {
      return html`${comparison.tooLong}`
    }
    const maxEditLength = Math.ceil(this.#editsLeft / 2)
    const parts = diffWordsWithSpace(before, after, { maxEditLength })
    this.#editsLeft -= parts === undefined ? maxEditLength : editsOf(parts)
    if (parts === undefined) return html`${removed(before)} ${added(after)}`
    return html`${parts.map(({ value, added: isNew, removed: isOld }) => {
      if (isNew) return added(value)
      return isOld ? removed(value) : html`${value}`
    })}`
  }
}

type Part = ReturnType<typeof diffWordsWithSpace>[number]

function editsOf(parts: readonly Part[]): number {
  const edited = parts.filter((part) => part.added || part.removed)
  return edited.reduce((sum, { count }) => sum + count, 0)
}

function removed(text: string): Html {
  return text === '' ? html`` : html`<del>${text}</del>`
}

function added(text: string): Html {
  return text === '' ? html`` : html`<ins>${text}</ins>`
}
