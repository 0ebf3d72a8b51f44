import { type FieldKind, foldedText } from '#actors/values/field_table.ts'
import { lazily } from '#actors/values/lazy_table.ts'
import { nearestName } from '#actors/values/nearest_name.ts'
import { normalForm } from '#actors/values/text.ts'
import { parse, stringify } from 'bcp-47'
import iso6391 from 'iso-639-1'
import type * as Iso6392 from 'iso-639-2'
import type * as Iso6393 from 'iso-639-3'
import extlangs from 'language-subtag-registry/data/json/extlang.json' with { type: 'json' }
import regions from 'language-subtag-registry/data/json/region.json' with { type: 'json' }
import scripts from 'language-subtag-registry/data/json/script.json' with { type: 'json' }
import variants from 'language-subtag-registry/data/json/variant.json' with { type: 'json' }
import { createRequire } from 'node:module'

/** All two-letter language codes of ISO 639-1. */
export const languageCodes: readonly string[] = iso6391.getAllCodes()

const known = new Set(languageCodes)

/** The stored form of a language: its ISO 639-1 code in lower case; undefined if there is none. */
export function foldLanguage(text: string): string | undefined {
  const code = text.toLowerCase()
  return known.has(code) ? code : undefined
}

// Loaded with the first language that is written in another way: the 8,000 languages of ISO 639-3
// take a thread longer to load than most of its start.
const require = createRequire(import.meta.url)
const iso6392 = lazily(() => (require('iso-639-2') as typeof Iso6392).iso6392)
const iso6393 = lazily(() => (require('iso-639-3') as typeof Iso6393).iso6393)

// The codes of three letters that ISO 639-1 has in two: terminological and bibliographic ones.
const shortCodes = lazily(
  () =>
    new Map(
      iso6393().flatMap(({ iso6393: code, iso6392B: other, iso6391: short = '' }) => {
        if (!known.has(short)) return []
        return [code, other ?? code].map((long) => [long, short] as const)
      }),
    ),
)

// What people call languages beside the names of ISO 639.
const commonNames: Readonly<Record<string, string>> = {
  farsi: 'fa',
  mandarin: 'zh',
  'mandarin chinese': 'zh',
  'simplified chinese': 'zh',
  'traditional chinese': 'zh',
  'american english': 'en',
  'british english': 'en',
  'brazilian portuguese': 'pt',
  'european portuguese': 'pt',
  'canadian french': 'fr',
  'modern standard arabic': 'ar',
  azeri: 'az',
  frisian: 'fy',
  'west frisian': 'fy',
  bokmal: 'nb',
  'norwegian (bokmal)': 'nb',
  'norwegian (nynorsk)': 'nn',
  'irish gaelic': 'ga',
  myanmar: 'my',
  cambodian: 'km',
  kurmanji: 'ku',
  odia: 'or',
  sami: 'se',
  slovene: 'sl',
  sinhalese: 'si',
  setswana: 'tn',
  sesotho: 'st',
  sotho: 'st',
  provencal: 'oc',
  'te reo maori': 'mi',
  kiswahili: 'sw',
  isizulu: 'zu',
  isixhosa: 'xh',
}

// What the LaTeX package babel calls its variants.
const babelNames: Readonly<Record<string, string>> = {
  american: 'en',
  australian: 'en',
  british: 'en',
  canadian: 'en',
  usenglish: 'en',
  ukenglish: 'en',
  ngerman: 'de',
  naustrian: 'de',
  austrian: 'de',
  nswissgerman: 'de',
  swissgerman: 'de',
  francais: 'fr',
  frenchb: 'fr',
  acadian: 'fr',
  canadien: 'fr',
  brazil: 'pt',
  brazilian: 'pt',
  portuges: 'pt',
  magyar: 'hu',
  nynorsk: 'nn',
  norsk: 'no',
  spanishmx: 'es',
}

const codesByName = lazily(spellNames)

/**
 * The ISO 639-1 code of a language that may be written in another way: as a tag of BCP 47
 * (`en-US`, `de-1996`, `zh-cmn-Hans-CN`), in three letters (`eng`), by any of its names in ISO 639
 * or its own (`Modern Greek`, `Deutsch`), or as babel, the package of LaTeX, calls it. Undefined if
 * the text is none of these, or a language that ISO 639-1 has no code for.
 */
export function recognizeLanguage(text: string): string | undefined {
  const name = reduce(text).replace(codeAddress, '')
  // `Lü` is no code.
  const tag = /[^\x20-\x7e]/.test(text) ? '' : name.replace(encoding, '').replaceAll('_', '-')
  const code = codesByName().get(name) ?? ofTag(tag)
  if (code !== undefined) return code
  const long = codesOfNames().get(name)
  if (long !== undefined) return ofMember(long)
  // English (UK), Portuguese (Brazil).
  return codesByName().get(name.replace(/\s*\([^()]*\)$/, '')) ?? ofNames(name)
}

/** `Uighur; Uyghur`, `eng (English)`: one language by several names. */
function ofNames(text: string): string | undefined {
  const [code, ...others] = new Set(partsOf(text).map((name) => recognizeLanguage(name)))
  return others.length === 0 ? code : undefined
}

/** What stands between the signs and words that join names; none if nothing does. */
function partsOf(text: string): readonly string[] {
  if (text.length > nameCharactersMax) return []
  const names = text.split(/[;,/()|+&]| and /).map((name) => name.trim())
  return names.length === 1 ? [] : names.filter((name) => name !== '')
}

// http://id.loc.gov/vocabulary/iso639-2/eng, http://lexvo.org/id/iso639-3/eng; en_US.UTF-8.
const codeAddress = new RegExp(
  String.raw`^https?://(?:id\.loc\.gov/vocabulary/(?:iso639-[12]|languages)|` +
    String.raw`(?:www\.)?lexvo\.org/id/iso639-[13]|` +
    String.raw`publications\.europa\.eu/resource/authority/language)/`,
)
const encoding = /\.(?:utf-?8|iso-?8859-\d{1,2})$/

function ofTag(tag: string): string | undefined {
  const parts = parse(tag, { forgiving: false })
  if (!isRegistered(parts) || typeof parts.language !== 'string') return undefined
  const code = parts.language
  const own = shortCodes().get(code) ?? foldLanguage(code) ?? ofMember(code)
  // `zh-min-nan` is one tag for `nan`, and says Chinese as `zh-yue` does.
  return own ?? foldLanguage(tag.split('-', 1)[0] ?? '')
}

function isRegistered(parts: ReturnType<typeof parse>): boolean {
  const { script, region, variants: named, extendedLanguageSubtags: extended } = parts
  return (
    (typeof script !== 'string' || Object.hasOwn(scripts, script.toLowerCase())) &&
    (typeof region !== 'string' || Object.hasOwn(regions, region.toLowerCase())) &&
    (named ?? []).every((variant) => Object.hasOwn(variants, variant.toLowerCase())) &&
    (extended ?? []).every((language) => Object.hasOwn(extlangs, language.toLowerCase()))
  )
}

// The chief member of a language that is several, such as Mandarin (`cmn`) of Chinese, is named by
// the code of the whole. A code that was several languages (`hbs`) leads to one of them with its
// script, and is left alone.
function ofMember(code: string): string | undefined {
  // A word of four letters is a tag, and Intl has no language of it.
  if (!/^[a-z]{2,3}$/.test(code)) return undefined
  const { language, script } = new Intl.Locale(code)
  return script === undefined && language ? foldLanguage(language) : undefined
}

const longCodes = lazily(() => new Set(iso6393().map(({ iso6393: code }) => code)))

/**
 * The stored form of a tag of BCP 47 whose subtags are registered: `zh-Hans`, `pt-BR`, `grc`; with
 * the capitals that its standard recommends, and two letters where ISO 639-1 has them. Undefined
 * for anything else.
 */
export function foldLanguageTag(text: string): string | undefined {
  const code = foldLanguage(text)
  if (code !== undefined) return code
  const tag = text.replaceAll('_', '-')
  const parts = parse(tag, { forgiving: false })
  if (typeof parts.language !== 'string' || !isRegistered(parts)) return undefined
  const language = parts.language.toLowerCase()
  if (!known.has(language) && !shortCodes().has(language) && !longCodes().has(language)) {
    return undefined
  }
  const subtags = (parts.variants ?? []).map((one) => one.toLowerCase())
  // No engine takes a tag that has a variant twice.
  if (new Set(subtags).size < subtags.length) return undefined
  return Intl.getCanonicalLocales(stringify(withoutMore(parts)))[0]
}

// `zh-yue` is an older way to write `yue`, which alone is canonical (RFC 5646, section 4.5); and an
// extension such as `u-co-phonebk` is about sorting and the like.
function withoutMore(parts: ReturnType<typeof parse>): ReturnType<typeof parse> {
  const { language, extendedLanguageSubtags } = parts
  return {
    ...parts,
    language: extendedLanguageSubtags?.[0] ?? language ?? null,
    extendedLanguageSubtags: [],
    extensions: [],
  }
}

const rule = 'a two-letter ISO 639-1 code such as en'

// A longer text is no name, and is not compared with all of them.
const nameCharactersMax = 80

/** What a text that is no such language would have to be, and which it may have meant. */
export function explainLanguage(text: string): string {
  const name = reduce(text).replace(codeAddress, '')
  if (name.length > nameCharactersMax) return rule
  const code = codesOfNames().get(name) ?? codesOfNames().get(name.split(/[-_]/, 1)[0] ?? '')
  const language = namesOfCodes().get(code ?? '')
  if (language !== undefined) {
    const last = reduce(language)
      .replace(/ \(.*$/, '')
      .split(' ')
      .at(-1)
    const nearest = codesByName().get(last ?? '')
    const help = nearest === undefined ? 'leave it out' : `the nearest is ${shown(nearest)}`
    return `${rule}; ${language} (${code}) has none: ${help}`
  }
  const words = partsOf(name)
  const several = (words.length > 0 ? words : name.split(' ')).map((part) =>
    recognizeLanguage(part),
  )
  if (several.length > 1 && !several.includes(undefined)) {
    return `${rule}, of one language: ${several.map((each = '') => shown(each)).join(' or ')}`
  }
  const spelling = nearestName(name, codesByName().keys()) ?? ''
  const nearest = codesByForeignName().get(name) ?? codesByName().get(spelling)
  const help = 'leave it out for a language that has none'
  return nearest === undefined ? `${rule}; ${help}` : `${rule}; did you mean ${shown(nearest)}?`
}

// In whose languages most records of libraries name them that are not in English.
const foreignNames = 'ko ja zh ru tr pl da sv nl it pt es de fr'.split(' ')

/** The codes by what languages are called in languages that are not their own. */
const codesByForeignName = lazily(
  () =>
    new Map(
      foreignNames.flatMap((locale) => {
        const names = new Intl.DisplayNames(locale, { type: 'language' })
        return languageCodes.map((code) => [reduce(names.of(code) ?? code), code] as const)
      }),
    ),
)

/** The names of all languages and groups of languages, by their codes of three letters. */
const namesOfCodes = lazily(
  () =>
    new Map<string, string>([
      ...iso6392().map(({ iso6392T, iso6392B, name }) => [iso6392T ?? iso6392B, name] as const),
      ...iso6393().map(({ iso6393: code, name }) => [code, name] as const),
    ]),
)

/** The code of three letters of each name, of a former code of two, and of a code itself. */
const codesOfNames = lazily(() => {
  const english = new Intl.DisplayNames('en', { type: 'language' })
  return new Map<string, string>([
    ['cantonese', 'yue'],
    ['min nan', 'nan'],
    ['hokkien', 'nan'],
    ['sorani', 'ckb'],
    ['fante', 'fat'],
    ['romani', 'rom'],
    ...iso6392().flatMap(({ iso6392T, iso6392B, name }) => {
      const code = iso6392T ?? iso6392B
      const spoken = code.length === 3 ? (english.of(code) ?? code) : code
      const group = name.replace(/ languages$/, '')
      const names = [spoken, group, name, ...name.split('; ')].flatMap(variantsOf)
      return names.map((each) => [each, code] as const)
    }),
    ...iso6393().flatMap(({ iso6393: code, iso6391: short = '', name }) =>
      [...variantsOf(name), ...(known.has(short) ? [] : [short])].map(
        (one) => [one, code] as const,
      ),
    ),
    ...[...namesOfCodes().keys()].map((code) => [code, code] as const),
  ])
})

function shown(code: string): string {
  return `${code} (${iso6391.getName(code)})`
}

/** The code of each name; what ISO 639-1 calls a language is stronger than other names. */
function spellNames(): ReadonlyMap<string, string> {
  const long = iso6393().map(({ iso6391: code, name }) => [name, code] as const)
  const listed = iso6392().flatMap(({ iso6391: code, name }) =>
    [name, ...name.split('; ')].map((each) => [each, code] as const),
  )
  const spoken = languageCodes.flatMap((code) =>
    [iso6391.getNativeName(code), iso6391.getName(code)].map((name) => [name, code] as const),
  )
  const used = Object.entries({ ...babelNames, ...commonNames })
  const names = [...long, ...listed, ...used, ...spoken].flatMap(([name, code = '']) =>
    known.has(code) ? variantsOf(name).map((each) => [each, code] as const) : [],
  )
  return new Map([...namesOfReaders(), ...names])
}

/** What CLDR calls each language in English and in itself, unless another has that name. */
function namesOfReaders(): readonly (readonly [string, string])[] {
  return languageCodes.flatMap((code) =>
    ['en', code].flatMap((locale) => {
      const name = reduce(new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code)
      const other = codesOfNames().get(name)
      return other === undefined || shortCodes().get(other) === code ? [[name, code] as const] : []
    }),
  )
}

/** `Greek, Modern (1453-)` is `Modern Greek` as well. */
function variantsOf(name: string): readonly string[] {
  if (!/[,(]/.test(name)) return [reduce(name)]
  const plain = name.replace(/\s*\(.*\)$/, '')
  const turned = [name, plain].map((each) => each.replace(/^([^,(]+), ([^(]+?)( \(|$)/, '$2 $1$3'))
  return [name, plain, ...turned].map(reduce)
}

/** A name in small letters, without the accents that people leave out. */
function reduce(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.trim().toLowerCase()
  const letters = normalForm(text.trim().toLowerCase(), 'NFC').normalize('NFD')
  return letters.replace(/[\u0300-\u036f]/g, '').normalize('NFC')
}

const languageText = foldedText({
  max: 200,
  fold: foldLanguage,
  recognize: recognizeLanguage,
  right: explainLanguage,
  values: languageCodes,
  title: 'Language',
})

/**
 * The kind of a language: its ISO 639-1 code. A code goes before a name; where `Ga` is written as
 * names are, and names a language of another code, the warning `code_or_name` tells.
 */
export const languageKind: FieldKind<string> = {
  ...languageText,
  read(value, path, faults) {
    const code = languageText.read(value, path, faults)
    const read = typeof value === 'string' ? explainCode(value) : undefined
    if (code !== undefined && read !== undefined) {
      faults.warn(path, 'code_or_name', `${path} is read as ${read}`)
    }
    return code
  },
}

/**
 * What a code is read as that is written as names are, and is the name of another language;
 * undefined for all else.
 */
export function explainCode(text: string): string | undefined {
  const name = text.trim()
  const other = nameForm.test(name) ? codesByOtherNames().get(reduce(name)) : undefined
  const code = other === undefined ? undefined : recognizeLanguage(name)
  if (other === undefined || code === undefined) return undefined
  return `the code of ${shown(code)}, not as the name of ${namesOfCodes().get(other)} (${other})`
}

// Codes are written in small letters or capitals alone.
const nameForm = /^\p{Lu}\p{Ll}{1,2}$/u

/** The code of three letters of each name that is the code of another language. */
const codesByOtherNames = lazily(
  () =>
    new Map(
      iso6393().flatMap(({ iso6393: code, name }) => {
        const other = shortCodes().get(reduce(name)) ?? foldLanguage(name)
        return other === undefined || other === shortCodes().get(code) ? [] : [[reduce(name), code]]
      }),
    ),
)

/** The kind of the language of a text: a tag of BCP 47, such as `de` or `zh-Hans`. */
export const languageTagKind: FieldKind<string> = foldedText({
  max: 100,
  fold: foldLanguageTag,
  recognize: recognizeLanguage,
  right: 'a language tag (BCP 47) such as de, pt-BR or zh-Hans',
})
