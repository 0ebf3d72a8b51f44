import { nameWord } from '#src/search/embedded/index_tables.ts'
import { charactersOf, isUnparted, lookedForPieces, lookedForWords } from '#src/search/fold.ts'
import type { Clause } from '#src/search/query_text.ts'
import type { Filter } from '#src/search/search_engine.ts'

/** Fewest letters of a word that others may begin with: shorter ones begin too many. */
const prefixLettersMin = 2

/** What was probably meant by words, by the word as it was typed. */
export type Meant = ReadonlyMap<string, string>

/** What a query looks for, as FTS5 reads it: `wanted` in all hits, `excluded` in none. */
export type MatchText = {
  readonly wanted: string | undefined
  readonly excluded: string | undefined
}

/** `meant` words stand for those that were typed; what names hold is for ranking: `together`. */
export type MatchOptions = {
  readonly meant?: Meant
  /** Columns in which words that stand together count once more, as a word that few have. */
  readonly together?: readonly string[]
}

/**
 * The words of a query and those that its filters want, in FTS5's language. Every word is quoted,
 * so that nothing that was typed is a command. `together` finds nothing more: it ranks.
 */
export function matchText(
  clauses: readonly Clause[],
  filters: readonly Filter[],
  { meant = new Map(), together = [] }: MatchOptions = {},
): MatchText {
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded)
  const excluded = clauses.filter(({ isExcluded }) => isExcluded)
  const words = wanted.map((clause) => clauseText(clause, meant.get(clause.text))).join(' AND ')
  const near = together.length === 0 ? [] : phrasesOf(wanted, meant)
  const columns = `{${together.join(' ')}}`
  const all = near.length === 0 ? words : `((${words}) OR (${columns} : (${near.join(' OR ')})))`
  const parts = [
    ...(words === '' ? [] : [all]),
    ...filters.flatMap((filter) => (filter.type === 'words' ? [filterText(filter)] : [])),
  ]
  return {
    wanted: parts.length === 0 ? undefined : parts.join(' AND '),
    excluded:
      excluded.length === 0
        ? undefined
        : excluded.map((clause) => clauseText(clause, undefined)).join(' OR '),
  }
}

function clauseText({ text, isPrefix }: Clause, meant: string | undefined): string {
  if (meant !== undefined) return quote(meant)
  const pieces = lookedForPieces(text)
  const texts = pieces.map((piece, index) => {
    const begins = isPrefix && index === pieces.length - 1 && beginsWords(piece)
    return begins || isLoneCharacter(piece) ? `${quote(piece)} *` : quote(piece)
  })
  return `(${texts.join(' AND ')})`
}

/** Most words that are looked for as one phrase: longer ones are hardly typed as they stand. */
const phraseWordsMax = 12

// All words as they stand, two of them the other way round, too, as names are, and a whole name.
function phrasesOf(clauses: readonly Clause[], meant: Meant): readonly string[] {
  if (clauses.length < 2 || clauses.length > phraseWordsMax) return []
  if (clauses.some(({ type }) => type === 'phrase')) return []
  const words = clauses.map(({ text }) => meant.get(text) ?? lookedForPieces(text).join(' '))
  const orders = words.length === 2 ? [words, words.toReversed()] : [words]
  return [...orders.map((order) => quote(order.join(' '))), quote(nameWord(words.join(' ')))]
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
