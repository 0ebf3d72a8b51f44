import { charactersOf, isUnparted, lookedForPieces, lookedForWords } from '#src/search/fold.ts'
import type { Clause } from '#src/search/query_text.ts'
import type { Filter } from '#src/search/search_engine.ts'

/** Fewest letters of a word that others may begin with: shorter ones begin too many. */
const prefixLettersMin = 2

/** Words that stand for others, by the word as it was typed. */
export type Alternatives = ReadonlyMap<string, readonly string[]>

/** What a query looks for, as FTS5 reads it: `wanted` in all hits, `excluded` in none. */
export type MatchText = {
  readonly wanted: string | undefined
  readonly excluded: string | undefined
}

/**
 * The words of a query and those that its filters want, in FTS5's language. Every word is quoted,
 * so that nothing that was typed is a command.
 */
export function matchText(
  clauses: readonly Clause[],
  filters: readonly Filter[],
  alternatives: Alternatives = new Map(),
): MatchText {
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded)
  const excluded = clauses.filter(({ isExcluded }) => isExcluded)
  const parts = [
    ...wanted.map((clause) => clauseText(clause, alternatives.get(clause.text))),
    ...filters.flatMap((filter) => (filter.type === 'words' ? [filterText(filter)] : [])),
  ]
  return {
    wanted: parts.length === 0 ? undefined : parts.join(' AND '),
    excluded:
      excluded.length === 0 ? undefined : excluded.map((clause) => clauseText(clause)).join(' OR '),
  }
}

function clauseText({ text, isPrefix }: Clause, others: readonly string[] = []): string {
  const pieces = lookedForPieces(text)
  const texts = pieces.map((piece, index) => {
    const begins = isPrefix && index === pieces.length - 1 && beginsWords(piece)
    return begins || isLoneCharacter(piece) ? `${quote(piece)} *` : quote(piece)
  })
  const itself = `(${texts.join(' AND ')})`
  return others.length === 0 ? itself : `(${[itself, ...others.map(quote)].join(' OR ')})`
}

function filterText({ field, text }: Extract<Filter, { type: 'words' }>): string {
  const words = [...new Set(lookedForWords(text))].map(
    (word) => quote(word) + (isLoneCharacter(word) ? ' *' : ''),
  )
  return `({${field}} : (${words.join(' AND ')}))`
}

function beginsWords(piece: string): boolean {
  return isUnparted(piece) || charactersOf(piece).length >= prefixLettersMin
}

// Of such scripts pairs are indexed: one character is the beginning of many.
function isLoneCharacter(piece: string): boolean {
  return isUnparted(piece) && charactersOf(piece).length === 1
}

// What is read ends at a NUL, and with it the quote would be left open.
function quote(text: string): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`
}
