import iso6391 from 'iso-639-1'

import { foldLanguage } from '#actors/values/language.ts'

// What the package babel calls its variants.
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

/** The ISO 639-1 code of a language as reference managers name it; undefined if there is none. */
export function citationLanguage(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  const babel = Object.hasOwn(babelNames, name) ? babelNames[name] : undefined
  return babel ?? foldLanguage(name) ?? languageOfTag(name) ?? codeOfName(name)
}

// `en-US`, `eng`: BCP 47 has one code for each language.
function languageOfTag(tag: string): string | undefined {
  try {
    return foldLanguage(new Intl.Locale(tag.replaceAll('_', '-')).language)
  } catch {
    return undefined
  }
}

function codeOfName(name: string): string | undefined {
  const code = iso6391.getCode(name)
  return code === '' ? undefined : code
}
