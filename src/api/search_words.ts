import { HttpError } from '#src/errors.ts'
import {
  charactersPerWord,
  countFieldWords,
  countWords,
  parseQueryText,
  queryWordsMax,
} from '#src/search/query_text.ts'
import type { Filter } from '#src/search/search_engine.ts'

/**
 * Refuses a search for more words than `queryWordsMax`, with HttpError `bad_request`. `fields` are
 * the filters of each parameter: the words that they look for count together with those of `q`.
 */
export function checkWords(q: string, fields: ReadonlyMap<string, readonly Filter[]>): void {
  const counts = new Map([['q', countWords(parseQueryText(q))]])
  for (const [name, filters] of fields) {
    const words = filters.map((one) => (one.type === 'words' ? countFieldWords(one.text) : 0))
    counts.set(name, sumOf(words))
  }
  const total = sumOf([...counts.values()])
  if (total <= queryWordsMax) return
  const names = [...counts].filter(([, count]) => count > 0).map(([name]) => name)
  const isOne = names.length === 1
  const subject = isOne ? `parameter ${names[0]}` : `parameters ${names.join(', ')} together`
  throw new HttpError(
    'bad_request',
    `The query ${subject} must have ${queryWordsMax} different words at most, not ${total}; ` +
      `in scripts that part no words, ${charactersPerWord} characters count as one`,
  )
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
