import { hasCharacters } from '#src/search/fold.ts'

/** A part of what is looked for: a word, or words that stand together. */
export type Clause = {
  readonly type: 'word' | 'phrase'
  /** As it was typed. */
  readonly text: string
  readonly isExcluded: boolean
  /** Whether words that begin like this are meant, too: the last word may not be finished. */
  readonly isPrefix: boolean
}

// A quoted phrase, to the end if it is not closed, or a word; each with a minus or without.
const part = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/** Whether anything must occur, so that hits can be ranked. */
export function hasWanted(clauses: readonly Clause[]): boolean {
  return clauses.some(({ isExcluded }) => !isExcluded)
}

/**
 * What a person has typed: words that must all occur, `"words in quotes"` as they stand, `-` before
 * what must not occur. Typographic quotes are quotes. Nothing in it is an error.
 */
export function parseQueryText(text: string): Clause[] {
  const typed = text.replaceAll(/[“”„«»]/g, '"').replaceAll(/[−–—](?=\S)/g, '-')
  const clauses = [...typed.matchAll(part)].flatMap(([, minus, phrase, word = '']): Clause[] => {
    const quoted = phrase !== undefined
    const said = (quoted ? phrase : word).trim()
    if (!hasCharacters(said)) return []
    return [
      {
        type: quoted ? 'phrase' : 'word',
        text: said,
        isExcluded: minus === '-',
        isPrefix: false,
      },
    ]
  })
  const last = clauses.at(-1)
  if (last?.type === 'word' && !last.isExcluded && /\S$/.test(typed)) {
    clauses.splice(-1, 1, { ...last, isPrefix: true })
  }
  return clauses
}
