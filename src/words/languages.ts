import { arabic } from '#src/words/arabic.ts'
import { german } from '#src/words/german.ts'
import { spanish } from '#src/words/spanish.ts'
import { french } from '#src/words/french.ts'
import { japanese } from '#src/words/japanese.ts'
import { english, Language } from '#src/words/language.ts'
import { portuguese } from '#src/words/portuguese.ts'
import { chinese } from '#src/words/chinese.ts'

/** The languages that readers are offered, in the order of their switch. */
export const languages: readonly Language[] = [
  english,
  german,
  spanish,
  french,
  portuguese,
  arabic,
  chinese,
  japanese,
]

/** Languages by which tests and translators find what is not of the catalogue, or has no room. */
export const pseudoLanguages: readonly Language[] = [
  new Language({ tag: 'en-XA', name: 'Long', locale: 'en-GB', disguise: lengthen }),
  new Language({
    tag: 'ar-XB',
    name: 'Mirrored',
    locale: 'en-GB',
    direction: 'rtl',
    disguise: (text) => `\u202e${text}\u202c`,
  }),
]

/** The language of a tag, one that is not offered too; undefined if there is none. */
export function languageOf(tag: string): Language | undefined {
  return byTag.get(tag.toLowerCase())
}

const byTag = new Map(
  [...languages, ...pseudoLanguages].map((language) => [language.tag.toLowerCase(), language]),
)

/** A range of an Accept-Language header (RFC 9110, section 12.5.4). */
const rangePattern = /^([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** Ranges that are read of a header. */
const rangesMax = 20

/**
 * The offered language that an Accept-Language header wants most; undefined if it wants none of
 * them. A range is for any language whose first subtag it has: `pt-PT` and `zh-TW` are served as
 * well as can be.
 */
export function acceptedLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined
  const ranges = header.split(',', rangesMax).flatMap((text) => {
    const [, subtag, quality = '1'] =
      rangePattern.exec(text.replaceAll(/\s/g, '').toLowerCase()) ?? []
    const language = languages.find(({ tag }) => tag.split('-')[0] === subtag)
    return language === undefined ? [] : [{ language, quality: Number(quality) }]
  })
  const [best] = ranges.toSorted((one, other) => other.quality - one.quality)
  return best === undefined || best.quality === 0 ? undefined : best.language
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'î',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ö',
  p: 'þ',
  q: 'ɋ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'û',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Å',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Î',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ö',
  P: 'Þ',
  Q: 'Ɋ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Û',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
}

/** How much longer than in English a text can become, which German or Portuguese do. */
const longerBy = 0.4

/** The same letters with accents, and more of them. */
function lengthen(text: string): string {
  const accented = text.replaceAll(/[A-Za-z]/g, (letter) => accents[letter] ?? letter)
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0
  return `${accented}${'ö'.repeat(Math.ceil(letters * longerBy))}`
}
