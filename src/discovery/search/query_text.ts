import {
  foldText,
  hasCharacters,
  isUnparted,
  lookedForPieces,
  lookedForWords,
} from '#src/discovery/search/fold.ts'

/** A part of what is looked for: a word, or words that stand together. */
export type Clause = {
  readonly type: 'word' | 'phrase'
  /** As it was typed. */
  readonly text: string
  readonly isExcluded: boolean
  /** Whether words that begin like this are meant, too: the last word may not be finished. */
  readonly isPrefix: boolean
  /** The field in which all its words must stand; absent if any field will do. */
  readonly field?: string
  /** What may stand in its place, as `OR` between them says. */
  readonly or?: readonly Clause[]
}

/** The fields that can be typed before a colon, by what people call them. */
export type FieldNames = Readonly<Record<string, string>>

// A quoted phrase, to the end if it is not closed, or a word; each with a minus and with what may
// be the name of a field, or without.
const part = /(-?)(?:(\p{L}+):(?=[^\s"]|"[^"]))?(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/** Whether anything must occur, so that hits can be ranked. */
export function hasWanted(clauses: readonly Clause[]): boolean {
  return clauses.some(({ isExcluded }) => !isExcluded)
}

/**
 * What a person has typed: words that must all occur, `"words in quotes"` as they stand, `-` before
 * what must not occur, `OR` between those of which one must, and one of `names` with a colon before
 * what is looked for in that field alone. Typographic quotes are quotes. Nothing in it is an error,
 * and nothing in it twice: what is said again asks for nothing more.
 */
export function parseQueryText(text: string, names: FieldNames = {}): Clause[] {
  const clauses = partsOf(text).flatMap(([, minus, name, phrase, word = '']) => {
    const isExcluded = minus === '-'
    const said = { type: phrase === undefined ? 'word' : 'phrase', isExcluded } as const
    const field = fieldNamed(name, names)
    const value = clausesOf(said, phrase ?? word)
    if (name === undefined) return value
    if (field !== undefined) return value.map((clause) => ({ ...clause, field }))
    // What stands before the colon is a word of its own before a phrase, else one with the rest.
    const before = { type: 'word', isExcluded } as const
    if (phrase === undefined) return clausesOf(before, `${name}:${word}`)
    return [...clausesOf(before, `${name}:`), ...value]
  })
  const last = clauses.at(-1)
  const mayGoOn = last?.type === 'word' && !last.isExcluded && last.field === undefined
  if (mayGoOn && /\S$/.test(text)) clauses.splice(-1, 1, { ...last, isPrefix: true })
  return withoutRepeats(joinAlternatives(clauses))
}

/** What stands before a colon as the name of a field, and is none of `names`. */
export function unknownNames(text: string, names: FieldNames): string[] {
  return partsOf(text).flatMap(([, , name]) => {
    return name === undefined || fieldNamed(name, names) !== undefined ? [] : [name]
  })
}

function partsOf(text: string): RegExpExecArray[] {
  const typed = text.replaceAll(/[“”„«»]/g, '"').replaceAll(/[−–—](?=\S)/g, '-')
  return [...typed.matchAll(part)]
}

/** The field that a typed name is one of, in capitals or not. */
function fieldNamed(name: string | undefined, names: FieldNames): string | undefined {
  const known = name?.toLowerCase() ?? ''
  return Object.hasOwn(names, known) ? names[known] : undefined
}

function clausesOf(said: Pick<Clause, 'type' | 'isExcluded'>, text: string): Clause[] {
  return hasCharacters(text) ? [{ ...said, text: text.trim(), isPrefix: false }] : []
}

// What joins nothing is a word.
function joinAlternatives(clauses: readonly Clause[]): Clause[] {
  const joined: Clause[] = []
  for (const clause of clauses) {
    const [before, last] = [joined.at(-2), joined.at(-1)]
    if (isOr(last) && isWanted(before) && isWanted(clause)) {
      joined.splice(-2, 2, { ...before, or: [...(before.or ?? []), clause] })
    } else joined.push(clause)
  }
  return joined
}

function isWanted(clause: Clause | undefined): clause is Clause {
  return clause?.isExcluded === false && !isOr(clause)
}

/** Whether a clause is an `OR` that joins nothing. */
export function isOr(clause: Clause | undefined): boolean {
  return clause?.type === 'word' && clause.text === 'OR' && !clause.isExcluded
}

/** A clause and those that may stand in its place. */
export function alternativesOf(clause: Clause): readonly Clause[] {
  const { or = [], ...first } = clause
  return [first, ...or]
}

/** The words of a clause that may stand anywhere in its field, each a clause; else the clause. */
export function fieldWords(clause: Clause): readonly Clause[] {
  const { type, field, text, or } = clause
  if (type !== 'phrase' || field === undefined || or !== undefined) return [clause]
  return text.split(/\s+/u).map((word) => ({ ...clause, type: 'word', text: word }))
}

/**
 * What was typed, with other words in the place of some: `meant` has them by each word, several
 * with `OR` between them where it stands by itself.
 */
export function replaceWords(text: string, meant: ReadonlyMap<string, string>): string {
  const parts = text.split(/([\s"“”„«»]+)/u)
  return parts
    .map((typed) => {
      const [, name = '', word = ''] = /^(\p{L}+:)(.*)$/u.exec(typed) ?? []
      const inField = meant.get(word)?.replaceAll(' OR ', ` OR ${name}`)
      return meant.get(typed) ?? (inField === undefined ? typed : name + inField)
    })
    .join('')
}

/** Most words of a search, those of its fields with them. */
export const queryWordsMax = 32

/** Characters that count as one word in scripts that part no words. */
export const charactersPerWord = 4

/** How many words are looked for, where each clause is found by itself. */
export function countWords(clauses: readonly Clause[]): number {
  const pieces = clauses.flatMap(alternativesOf).flatMap(({ text }) => lookedForPieces(text))
  return pieces.reduce((sum, piece) => sum + countOf(wordsOf(piece)), 0)
}

/** How many words of a text are looked for in a field, in which they may stand anywhere. */
export function countFieldWords(text: string): number {
  return countOf([...new Set(lookedForWords(text))])
}

function wordsOf(piece: string): string[] {
  return isUnparted(piece) ? piece.split(' ') : lookedForWords(piece)
}

function countOf(words: readonly string[]): number {
  const unparted = words.filter(isUnparted).length
  return words.length - unparted + Math.ceil(unparted / charactersPerWord)
}

// A word that stands unfinished at the end is one that stands finished before it.
function withoutRepeats(clauses: readonly Clause[]): Clause[] {
  const said = new Map<string, Clause>()
  for (const clause of clauses) {
    const { isExcluded, or = [] } = clause
    const all = [clause, ...or].map(({ type, field, text }) => [type, field, foldText(text)])
    const name = JSON.stringify([isExcluded, ...all])
    if (!said.has(name)) said.set(name, clause)
  }
  return [...said.values()]
}
