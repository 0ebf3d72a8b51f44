import { nameWord } from '#src/discovery/search/embedded/index_tables.ts'
import type { QueryWords, WordList } from '#src/discovery/search/embedded/vocabulary.ts'
import {
  charactersOf,
  isUnparted,
  lookedForPieces,
  lookedForWords,
} from '#src/discovery/search/fold.ts'
import { alternativesOf, type Clause, fieldWords } from '#src/discovery/search/query_text.ts'
import { type Filter, rankedHitsMax } from '#src/discovery/search/search_engine.ts'

/** Fewest letters of a word that others may begin with: shorter ones begin too many. */
const prefixLettersMin = 2

/** Words that begin like the last one and count for rank, the commonest; the others are found. */
const rankedBeginningsMax = 4

/** Letters of a last word that is ranked as it stands, whatever begins like it. */
const finishedLettersMax = 3

/** The words that were probably meant, by the words as they were typed. */
export type Corrections = ReadonlyMap<string, string>

/** What a query looks for, as FTS5 reads it: `wanted` in all hits, `excluded` in none. */
export type MatchText = {
  readonly wanted: string | undefined
  readonly excluded: string | undefined
}

/** `corrections` stand for the words that were typed; `words` are those of the index. */
export type MatchOptions = {
  readonly corrections: Corrections
  readonly words: Pick<QueryWords, 'beginning' | 'isCommon' | 'isInMost'>
}

/**
 * The words of a query and those that its filters want, in FTS5's language. Every word is quoted,
 * so that nothing that was typed is a command.
 */
export function matchText(
  clauses: readonly Clause[],
  filters: readonly Filter[],
  options: MatchOptions,
): MatchText {
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded)
  const excluded = clauses.filter(({ isExcluded }) => isExcluded)
  const parts = [
    ...wanted.map((clause) => clauseText(clause, options)),
    ...filters.flatMap((filter) => (filter.type === 'words' ? [fieldText(filter)] : [])),
  ]
  const without = { ...options, corrections: nothingElse }
  return {
    wanted: parts.length === 0 ? undefined : parts.join(' AND '),
    excluded:
      excluded.length === 0
        ? undefined
        : excluded.map((clause) => clauseText(clause, without)).join(' OR '),
  }
}

/**
 * The words of which one is enough, in FTS5's language: the rarest, as far as no more hits than can
 * be ranked have them. Undefined if none of them says anything.
 */
export function anyWordText(
  clauses: readonly Clause[],
  words: Pick<WordList, 'records' | 'isInMost'>,
): string | undefined {
  const counted = clauses.flatMap(({ text }) => {
    const parts = lookedForWords(text).map((word) => ({ word, records: words.records(word) }))
    const [rarest] = parts.toSorted((one, other) => one.records - other.records)
    const isTelling = rarest !== undefined && rarest.records > 0 && !words.isInMost(rarest.word)
    return isTelling ? [{ text, records: rarest.records }] : []
  })
  let read = 0
  const chosen = counted
    .toSorted((one, other) => one.records - other.records)
    .filter(({ records }) => (read += records) <= rankedHitsMax)
  const texts = chosen.map(({ text }) => quote(lookedForPieces(text).join(' ')))
  return texts.length === 0 ? undefined : texts.join(orSign)
}

/**
 * What hits are ranked by, in FTS5's language. `isWithin`: `text` finds nothing but hits of the
 * same words without filters and without excluded ones. Each of `near` finds some of what `text`
 * finds: that in which the words stand together in a column of `together`, or are a whole name.
 */
export type RankText = {
  readonly text: string
  readonly isWithin: boolean
  readonly near: readonly string[]
}

/**
 * The words by which the hits of a query are ranked: not those that most records have, which weigh
 * nothing and take longest to be counted.
 */
export function rankText(
  clauses: readonly Clause[],
  filters: readonly Filter[],
  { together, ...options }: MatchOptions & { readonly together: readonly string[] },
): RankText {
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded)
  const telling = wanted.filter((clause) => !isInMost(clause, options))
  const ranking = telling.length === 0 ? wanted : telling
  const words = ranking.map((clause) => clauseText(clause, options, true))
  const fields = filters.flatMap((one) => (one.type === 'words' ? [fieldText(one)] : []))
  const near = together.length === 0 ? [] : phrasesOf(wanted, options.corrections)
  return {
    text: [...words, ...fields].join(' AND '),
    isWithin: ranking.length === wanted.length,
    near: near.map((one) => `{${together.join(' ')}} : (${one})`),
  }
}

const nothingElse: Corrections = new Map()

/** What stands between words that are all meant in place of one. */
export const orSign = ' OR '

function isInMost({ type, text, or }: Clause, { corrections, words }: MatchOptions): boolean {
  if (type !== 'word' || or !== undefined || corrections.has(text)) return false
  const pieces = lookedForPieces(text)
  return pieces.every((piece) => isOneWord(piece) && words.isInMost(piece))
}

function clauseText(clause: Clause, options: MatchOptions, isForRank = false): string {
  const texts = alternativesOf(clause).map((one) => oneText(one, options, isForRank))
  return texts.length === 1 ? texts.join('') : `(${texts.join(' OR ')})`
}

function oneText(
  { field, text, isPrefix }: Clause,
  { corrections, words }: MatchOptions,
  isForRank: boolean,
): string {
  if (field !== undefined) return fieldText({ field, text }, corrections)
  const other = corrections.get(text)
  if (other !== undefined) return correctedText(other)
  const pieces = lookedForPieces(text)
  const texts = pieces.map((piece, index) => {
    if (isLoneCharacter(piece)) return `${quote(piece)} *`
    const begins = isPrefix && index === pieces.length - 1 && beginsWords(piece)
    if (!begins) return quote(piece)
    if (isUnparted(piece) || !isOneWord(piece)) return `${quote(piece)} *`
    // FTS5 would merge all records of all words that begin like this, for each use of the word.
    const alike = words.beginning(piece)
    const some = isForRank ? alike.slice(0, rankedBeginningsMax) : alike
    if (isForRank && !isFinished(piece, some, words)) return `${quote(piece)} *`
    return `(${[...new Set([piece, ...some])].map(quote).join(' OR ')})`
  })
  return `(${texts.join(' AND ')})`
}

/** Most words that are looked for as one phrase: longer ones are hardly typed as they stand. */
const phraseWordsMax = 12

// All words as they stand, two of them the other way round, too, as names are, and a whole name.
function phrasesOf(typed: readonly Clause[], corrections: Corrections): readonly string[] {
  const clauses = typed.flatMap(fieldWords)
  if (clauses.length < 2 || clauses.length > phraseWordsMax) return []
  if (clauses.some(({ type, or }) => type === 'phrase' || or !== undefined)) return []
  const words = clauses.map(({ text }) => corrections.get(text) ?? lookedForPieces(text).join(' '))
  if (words.some((word) => word.includes(orSign))) return []
  const orders = words.length === 2 ? [words, words.toReversed()] : [words]
  return [
    orders.map((order) => quote(order.join(' '))).join(' OR '),
    quote(nameWord(words.join(' '))),
  ]
}

function correctedText(other: string): string {
  return `(${other.split(orSign).map(quote).join(orSign)})`
}

function fieldText(
  { field, text }: { readonly field: string; readonly text: string },
  corrections = nothingElse,
): string {
  const terms = text.split(/\s+/u).flatMap((typed) => {
    const other = corrections.get(typed)
    if (other !== undefined) return [correctedText(other)]
    return lookedForWords(typed).map((word) => quote(word) + (isLoneCharacter(word) ? ' *' : ''))
  })
  return `({${field}} : (${[...new Set(terms)].join(' AND ')}))`
}

function beginsWords(piece: string): boolean {
  return isUnparted(piece) || charactersOf(piece).length >= prefixLettersMin
}

// A word that is rare, or that is beside those that begin like it, was not typed to its end. What
// is short begins so many that they say nothing.
function isFinished(
  piece: string,
  alike: readonly string[],
  words: MatchOptions['words'],
): boolean {
  if (charactersOf(piece).length <= finishedLettersMax) return true
  return words.isCommon(alike[0] ?? piece) && alike.includes(piece)
}

// What the index has as one word, so that others can begin with it.
function isOneWord(piece: string): boolean {
  return /^[\p{L}\p{N}\p{Mn}\p{Mc}]+$/u.test(piece)
}

// Of such scripts pairs are indexed: one character is the beginning of many.
function isLoneCharacter(piece: string): boolean {
  return isUnparted(piece) && charactersOf(piece).length === 1
}

// What is read ends at a NUL, and with it the quote would be left open.
function quote(text: string): string {
  return `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`
}
