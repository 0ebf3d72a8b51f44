import test from 'ava'
import { iso6392 } from 'iso-639-2'
import { iso6393 } from 'iso-639-3'
import {
  explainLanguage,
  foldLanguage,
  languageCodes,
  recognizeLanguage,
} from '#actors/values/language.ts'

test('knows the codes of ISO 639-1', (t) => {
  t.true(languageCodes.length >= 183)
  for (const code of ['en', 'de', 'zh', 'ar', 'yo', 'nb'])
    t.true(languageCodes.includes(code), code)
  for (const code of languageCodes) t.regex(code, /^[a-z]{2}$/)
})

test('folds case', (t) => {
  t.is(foldLanguage('EN'), 'en')
  for (const text of ['xx', 'eng', 'en-US', 'English', 'e', '']) {
    t.is(foldLanguage(text), undefined, text)
  }
})

const spellings: Readonly<Record<string, readonly string[]>> = {
  en: [
    'en-US',
    'en_GB',
    'eng',
    'English',
    ' ENGLISH ',
    'american',
    'English (UK)',
    'en-GB-oed',
    'en-Latn-US',
    'en_US.UTF-8',
    'http://id.loc.gov/vocabulary/iso639-2/eng',
  ],
  sl: ['slv', 'Slovenian', 'Slovene'],
  de: ['deu', 'ger', 'German', 'Deutsch', 'ngerman', 'de-AT', 'de-1996', 'de-CH-1901'],
  fr: ['fre', 'fra', 'français', 'francais'],
  pt: ['pt-BR', 'brazilian', 'por'],
  zh: ['zh-Hans-CN', 'chi', 'zho', 'cmn', 'zh-cmn-Hans-CN', 'Chinese'],
  es: ['spa', 'es-419', 'Spanish', 'Castilian'],
  ak: ['aka'],
  tw: ['twi', 'Twi'],
  tl: ['tgl', 'Tagalog'],
  mi: ['mri', 'mao', 'Maori', 'Māori'],
  el: ['gre', 'Greek', 'Modern Greek', 'Greek, Modern (1453-)'],
  fa: ['Farsi', 'pes', 'Persian'],
  pa: ['Punjabi', 'Panjabi', 'pan'],
  nd: ['North Ndebele', 'Ndebele, North'],
  nb: ['Norwegian Bokmål', 'Norwegian Bokmal', 'Norwegian (Bokmål)', 'Bokmål', 'no-bok'],
  nn: ['Norwegian (Nynorsk)', 'nno'],
  nl: ['Dutch; Flemish', 'Flemish'],
  fy: ['Frisian', 'West Frisian'],
  sr: ['sr-Latn-RS'],
}

for (const [code, texts] of Object.entries(spellings)) {
  for (const text of texts) {
    test(`${text} is recognized as ${code}`, (t) => t.is(recognizeLanguage(text), code))
  }
}

test('what may be several languages, or none, is not recognized', (t) => {
  for (const text of [
    'en, fr',
    'eng;fre',
    'hbs',
    'Elvish',
    'xx-US',
    'mul',
    'und',
    '',
    'be-quiet',
  ]) {
    t.is(recognizeLanguage(text), undefined, text)
  }
})

test('codes and names of ISO 639 for a language of ISO 639-1 are read as its code', (t) => {
  const languages = [...iso6393, ...iso6392].filter(({ iso6391 = '' }) => foldLanguage(iso6391))
  t.true(languages.length > 360)
  for (const language of languages) {
    const { iso6391: code, name, iso6392B } = language
    const long = 'iso6393' in language ? language.iso6393 : iso6392B
    for (const text of [long ?? '', iso6392B ?? long ?? '', ...name.split('; ')]) {
      t.is(recognizeLanguage(text), code, text)
    }
  }
})

test('a language without a two-letter code is refused with the nearest that has one', (t) => {
  const rule = 'a two-letter ISO 639-1 code such as en'
  for (const [text, help] of [
    ['arz', 'Egyptian Arabic (arz) has none: the nearest is ar (Arabic)'],
    ['Yue Chinese', 'Yue Chinese (yue) has none: the nearest is zh (Chinese)'],
    ['tlh', 'Klingon (tlh) has none: leave it out'],
    ['Grman', 'did you mean de (German)?'],
  ] as const) {
    t.is(recognizeLanguage(text), undefined, text)
    t.is(explainLanguage(text), `${rule}; ${help}`)
  }
  t.is(explainLanguage('x'.repeat(200)), rule)
})

test('words that are tags of no language are refused, of whatever length', (t) => {
  for (const text of ['abcd', 'Bari', 'abcde', 'abcdefgh', 'abcd-Latn', 'a', 'x-abcd']) {
    t.is(recognizeLanguage(text), undefined, text)
    t.regex(explainLanguage(text), /^a two-letter ISO 639-1 code/, text)
  }
  t.regex(explainLanguage('sh'), /Serbo-Croatian/)
})
