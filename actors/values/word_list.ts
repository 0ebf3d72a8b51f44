import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { nearestName } from '#actors/values/nearest_name.ts'

// A longer text is no word of a list, and is not compared with all of them.
const wordCharactersMax = 100

/**
 * The kind of a word of a short list, called `title` in descriptions. Capitals, hyphens,
 * underscores and spaces are written as people like, so that `DataCollector` is `data_collector`;
 * `others` are further names for words of the list, which are taken with a warning.
 */
export function wordOf<T extends string>({
  words,
  title,
  what = '',
  others = {},
}: {
  readonly words: readonly T[]
  readonly title: string
  /** What the list is, before `one of`: `a relation type of DataCite`. */
  readonly what?: string
  readonly others?: Readonly<Record<string, T>>
}): FieldKind<T> {
  const bySpelling = new Map(
    words.flatMap((word) => [word, reduce(word)].map((each) => [each, word])),
  )
  const otherSpellings = new Map(Object.entries(others).map(([name, word]) => [reduce(name), word]))
  const rule = `${what === '' ? '' : `${what}, `}one of ${words.join(', ')}`
  return foldedText({
    max: wordCharactersMax,
    fold: (text) => bySpelling.get(text) ?? bySpelling.get(reduce(text)),
    recognize: (text) => otherSpellings.get(reduce(text)),
    right: (text) => {
      const near = nearestName(reduce(text), [...bySpelling.keys(), ...otherSpellings.keys()])
      const meant =
        near === undefined ? undefined : (bySpelling.get(near) ?? otherSpellings.get(near))
      return meant === undefined ? rule : `${rule}; did you mean ${meant}?`
    },
    values: words,
    title,
  })
}

function reduce(text: string): string {
  return text.toLowerCase().replace(/[-_\s]+/g, '')
}
