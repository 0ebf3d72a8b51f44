import { type Corrections, orSign } from '#src/discovery/search/embedded/match_text.ts'
import type { Vocabulary } from '#src/discovery/search/embedded/vocabulary.ts'
import { charactersOf, foldText } from '#src/discovery/search/fold.ts'
import { type Clause, fieldWords } from '#src/discovery/search/query_text.ts'

/** One of what a word may have been meant as, and how far that is; undefined for what was typed. */
type SpellingOption = { readonly meant: string | undefined; readonly distance: number }

/** An option for each word, and how far all of them are together. */
type SpellingChoice = {
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

/** Words of a query, the first ones, for which others are looked up. */
const wordsMax = 8

/** Ways to spell a query that are tried. */
const choicesMax = 32

/**
 * Time of the processor for looking words up and trying, and time in all, which a busy machine
 * makes longer: a query must not be ended for its typing errors.
 */
const triedCpuMsMax = 500

const triedMsMax = 1_200

/** Most records of what may be a typing error, and how many times more a likelier word has. */
const rareRecordsMax = 3

const likelierTimes = 20

/** Other forms of a word that are looked for, those that most records have. */
const formsMax = 6

/** Finds what words were meant that are spelled wrongly, by the words of an index. */
export class SpellingCorrector {
  readonly #vocabulary: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /**
   * What is nearest to the words of a query that finds nothing, and finds something: of what is
   * equally near, what finds most. `count` gives the hits. Empty if there is nothing like it.
   */
  correct(clauses: readonly Clause[], count: (corrections: Corrections) => number): Corrections {
    const hasTime = timer()
    const words = correctable(clauses.flatMap(fieldWords))
    const options = words.map((clause) => {
      return hasTime() ? this.#options(clause) : [asTyped]
    })
    let best: { corrections: Corrections; hits: number; distance: number } | undefined
    for (const { options: chosen, distance } of spellingChoices(options, choicesMax)) {
      if (!hasTime()) break
      if (best !== undefined && distance > best.distance) break
      const corrections = chosenCorrections(words, chosen)
      const hits = corrections.size === 0 ? 0 : count(corrections)
      if (hits > (best?.hits ?? 0)) best = { corrections, hits, distance }
    }
    return best?.corrections ?? new Map()
  }

  /**
   * Words that are much commoner than one that hardly any record has, and one letter from it. The
   * last word stands for all that begin like it: hardly any may have them together.
   */
  commoner(clauses: readonly Clause[]): Corrections {
    const found = new Map<string, string>()
    for (const { text, isPrefix } of correctable(clauses.flatMap(fieldWords))) {
      const records = isPrefix
        ? this.#vocabulary.begun(text, rareRecordsMax)
        : this.#vocabulary.records(text)
      if (records > rareRecordsMax) continue
      const [nearest] = this.#vocabulary.near(text)
      if (nearest === undefined || nearest.distance > 1) continue
      if (nearest.records >= likelierTimes * Math.max(1, records)) found.set(text, nearest.text)
    }
    return found
  }

  /**
   * The words of a query with the other forms and spellings of each that the index has; those that
   * have none are left out.
   */
  forms(clauses: readonly Clause[]): Corrections {
    const found = new Map<string, string>()
    for (const { text } of correctable(clauses)) {
      const forms = wordForms(foldText(text))
        .map((form) => ({ form, records: this.#vocabulary.records(form) }))
        .filter(({ records }) => records > 0)
        .toSorted((one, other) => other.records - one.records)
        .slice(0, formsMax)
      const typed = this.#vocabulary.records(text) > 0 ? [text] : []
      const all = [...typed, ...forms.map(({ form }) => form)]
      if (forms.length > 0) found.set(text, all.join(orSign))
    }
    return found
  }

  // A word that is in the index was less likely typed wrongly than one that is not.
  #options({ text, isPrefix }: Clause): readonly SpellingOption[] {
    const isKnown = isPrefix ? this.#vocabulary.begins(text) : this.#vocabulary.records(text) > 0
    const parted = isKnown ? undefined : this.#vocabulary.parted(text)
    const near = [...this.#vocabulary.near(text), ...(parted === undefined ? [] : [parted])]
    const others = near
      .toSorted((one, other) => one.distance - other.distance)
      .map(({ text: meant, distance }) => ({ meant, distance: distance + (isKnown ? 1 : 0) }))
    return isKnown || others.length === 0 ? [asTyped, ...others] : others
  }
}

/** Tells whether there is time left, from now on. */
function timer(): () => boolean {
  const startMs = performance.now()
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1_000 < triedCpuMsMax && performance.now() - startMs < triedMsMax
  }
}

const asTyped: SpellingOption = { meant: undefined, distance: 0 }

function correctable(clauses: readonly Clause[]): readonly Clause[] {
  const words = clauses.filter(({ type, isExcluded, or }) => {
    return type === 'word' && !isExcluded && or === undefined
  })
  return words.slice(0, wordsMax)
}

function chosenCorrections(
  words: readonly Clause[],
  chosen: readonly SpellingOption[],
): Corrections {
  const pairs = words.map(({ text }, index) => [text, chosen[index]?.meant] as const)
  return new Map(pairs.flatMap(([text, meant]) => (meant === undefined ? [] : [[text, meant]])))
}

/** Fewest letters of a word that has other forms, and of a form: shorter ones are other words. */
const lettersMin = 4
const formLettersMin = 3

/** Endings that stand for each other, those of singular and plural, of words that are folded. */
const endings: readonly (readonly [one: string, other: string])[] = [
  ['', 's'],
  ['', 'es'],
  ['y', 'ies'],
  // German: Netz, Netze, Netzen; Frau, Frauen; Bild, Bilder.
  ['', 'e'],
  ['', 'en'],
  ['', 'er'],
  ['e', 'en'],
  // French: réseau, réseaux; journal, journaux.
  ['', 'x'],
  ['al', 'aux'],
  // Spanish and Portuguese: luz, luces; análise, análises; ação, ações; animal, animais.
  ['z', 'ces'],
  ['ao', 'oes'],
  ['al', 'ais'],
  ['m', 'ns'],
  // Latin and Greek.
  ['um', 'a'],
  ['us', 'i'],
  ['is', 'es'],
  ['on', 'a'],
  ['ix', 'ices'],
  ['ex', 'ices'],
]

/** Parts of words that are written in two ways, in Britain and in America, or with an umlaut. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/is(?=(?:e|ed|es|er|ers|ing|ation|ations|able)$)/u, 'iz'],
  [/iz(?=(?:e|ed|es|er|ers|ing|ation|ations|able)$)/u, 'is'],
  [/ys(?=(?:e|ed|es|er|ers|ing)$)/u, 'yz'],
  [/yz(?=(?:e|ed|es|er|ers|ing)$)/u, 'ys'],
  [/our(?=$|[aeils])/u, 'or'],
  [/(?<=[bdilmnpv])or(?=$|[aeils])/u, 'our'],
  [/(?<=[bht])re$/u, 'er'],
  [/(?<=[bht])er$/u, 're'],
  [/ae/u, 'e'],
  [/oe/u, 'e'],
  [/ogue(?=s?$)/u, 'og'],
  [/og(?=s?$)/u, 'ogue'],
  [/ll(?=(?:ed|er|ers|ing)$)/u, 'l'],
  [/(?<=[aeiou])l(?=(?:ed|er|ers|ing)$)/u, 'll'],
  [/ue/u, 'u'],
]

/**
 * What a folded word may be written as, too: in the other number, and as it is spelled elsewhere,
 * in English, German, French, Spanish and Portuguese. Not all of it are words: ask the index.
 */
export function wordForms(word: string): readonly string[] {
  if (!/^\p{Script=Latin}+$/u.test(word) || charactersOf(word).length < lettersMin) return []
  const spelled = spellings.map(([found, other]) => word.replace(found, other))
  const forms = [word, ...spelled].flatMap((one) => [one, ...inOtherNumber(one)])
  return [...new Set(forms)].filter((form) => form !== word && form.length >= formLettersMin)
}

function inOtherNumber(word: string): readonly string[] {
  return endings.flatMap(([one, other]) => [
    ...(word.endsWith(one) ? [word.slice(0, word.length - one.length) + other] : []),
    ...(word.endsWith(other) ? [word.slice(0, word.length - other.length) + one] : []),
  ])
}
