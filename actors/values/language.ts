import iso6391 from 'iso-639-1'

/** All two-letter language codes of ISO 639-1. */
export const languageCodes: readonly string[] = iso6391.getAllCodes()

const known = new Set(languageCodes)

/** The stored form of a language: its ISO 639-1 code in lower case; undefined if there is none. */
export function foldLanguage(text: string): string | undefined {
  const code = text.toLowerCase()
  return known.has(code) ? code : undefined
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

// The bibliographic codes of ISO 639-2, where they differ from the terminological ones of BCP 47.
const bibliographicCodes: Readonly<Record<string, string>> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  mao: 'mi',
  may: 'ms',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy',
}

/**
 * The ISO 639-1 code of a language that may be written in another way: with a region (`en-US`), in
 * three letters (`eng`), by its name in English or its own (`English`, `Deutsch`), or as babel, the
 * package of LaTeX, calls it. Undefined if the text is none of these.
 */
export function recognizeLanguage(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  return named(babelNames, name) ?? named(bibliographicCodes, name) ?? ofTag(name) ?? ofName(name)
}

function named(names: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined
}

// BCP 47 has one code for each language, the shortest; a script and a region may follow. A code
// that was several languages (`hbs`) leads to one of them with its script, and is left alone.
const tagForm = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/

function ofTag(tag: string): string | undefined {
  if (!tagForm.test(tag)) return undefined
  const [code = ''] = tag.split(/[-_]/, 1)
  const { language, script } = new Intl.Locale(code)
  return script === undefined && language ? foldLanguage(language) : undefined
}

function ofName(name: string): string | undefined {
  const code = iso6391.getCode(name)
  return code === '' ? undefined : code
}
