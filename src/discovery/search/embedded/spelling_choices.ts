/** One of what a word may have been meant as, and how far that is; undefined for what was typed. */
export type SpellingOption = { readonly meant: string | undefined; readonly distance: number }

/** An option for each word, and how far all of them are together. */
export type SpellingChoice = {
  readonly options: readonly SpellingOption[]
  readonly distance: number
}

/**
 * The ways to take one option for each word, the nearest first, `choicesMax` at most. The options
 * of each word are ordered by distance, and those that are equally far by how likely they are.
 */
export function spellingChoices(
  words: readonly (readonly SpellingOption[])[],
  choicesMax: number,
): SpellingChoice[] {
  const found: SpellingChoice[] = []
  const farthest = sumOf(words.map((options) => options.at(-1)?.distance ?? 0))
  const choose = (options: readonly SpellingOption[], left: number, distance: number): void => {
    if (found.length >= choicesMax) return
    const next = words[options.length]
    if (next === undefined) {
      if (left === 0) found.push({ options, distance })
      return
    }
    for (const option of next) {
      if (option.distance > left) break
      choose([...options, option], left - option.distance, distance)
    }
  }
  for (let distance = 0; distance <= farthest && found.length < choicesMax; distance += 1) {
    choose([], distance, distance)
  }
  return found
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
