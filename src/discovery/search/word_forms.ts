import { charactersOf } from '#src/discovery/search/fold.ts'

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
