import { html, type Html } from '#src/pages/kit/html.ts'
import { foldText, lookedForWords } from '#src/discovery/search/fold.ts'
import { alternativesOf, parseQueryText } from '#src/discovery/search/query_text.ts'

/** Words that a reader has looked for, folded; those in `beginnings` need not be whole. */
export type LookedFor = {
  readonly words: ReadonlySet<string>
  readonly beginnings: readonly string[]
}

/** Characters of a text that a snippet shows, and words before the first one that was found. */
const snippetCharacters = 260
const wordsBefore = 8

const wordForm = /[\p{L}\p{N}\p{M}]+/gu

/** What was looked for: what was typed, and words that the search took in besides. */
export function lookedFor(typed: string, besides: readonly string[]): LookedFor {
  const wanted = parseQueryText(typed).filter(({ isExcluded }) => !isExcluded)
  const clauses = wanted.flatMap(alternativesOf)
  const words = clauses.flatMap(({ text }) => lookedForWords(text))
  const last = clauses.at(-1)
  const beginnings = last?.isPrefix === true ? lookedForWords(last.text).slice(-1) : []
  return { words: new Set([...words, ...besides.flatMap(lookedForWords)]), beginnings }
}

/** A text in which the words that were looked for are marked. */
export function highlight(text: string, looked: LookedFor): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(wordForm)) {
    const [word] = match
    if (!isLookedFor(word, looked)) continue
    parts.push(html`${text.slice(end, match.index)}<mark>${word}</mark>`)
    end = match.index + word.length
  }
  return html`${parts}${text.slice(end)}`
}

/** The part of a text around the first word that was looked for; its beginning if there is none. */
export function snippet(text: string, looked: LookedFor): Html {
  const words = [...text.matchAll(wordForm)]
  const hit = words.findIndex(([word]) => isLookedFor(word, looked))
  const isNearStart = hit <= wordsBefore
  const start = isNearStart ? 0 : (words[hit - wordsBefore]?.index ?? 0)
  const shown = wholeWords(text.slice(start), snippetCharacters)
  const isCut = start + shown.length < text.length
  return html`${start > 0 ? '… ' : ''}${highlight(shown, looked)}${isCut ? ' …' : ''}`
}

/** The beginning of a text, which ends between two words. */
function wholeWords(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  const cut = text.slice(0, charactersMax)
  const end = cut.search(/\s\S*$/)
  // A script without spaces is cut between two characters, none of them in half.
  return end > 0 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, '')
}

function isLookedFor(word: string, { words, beginnings }: LookedFor): boolean {
  const folded = foldText(word)
  return words.has(folded) || beginnings.some((beginning) => folded.startsWith(beginning))
}
