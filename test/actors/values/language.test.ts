import test from 'ava'
import fc from 'fast-check'
import { iso6392 } from 'iso-639-2'
import { iso6393 } from 'iso-639-3'
import { FaultList } from '#actors/values/fault_list.ts'
import {
  explainLanguage,
  foldLanguage,
  foldLanguageTag,
  languageCodes,
  languageKind,
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
    'eng (English)',
    'en-GB-oed',
    'en-Latn-US',
    'en_US.UTF-8',
    'http://id.loc.gov/vocabulary/iso639-2/eng',
    'http://id.loc.gov/vocabulary/languages/eng',
    'http://publications.europa.eu/resource/authority/language/ENG',
  ],
  sl: ['slv', 'Slovenian', 'Slovene'],
  de: ['deu', 'ger', 'German', 'Deutsch', 'ngerman', 'de-AT', 'de-1996', 'de-CH-1901'],
  fr: ['fre', 'fra', 'français', 'francais'],
  pt: ['pt-BR', 'brazilian', 'por'],
  zh: ['zh-Hans-CN', 'chi', 'zho', 'cmn', 'zh-cmn-Hans-CN', 'Chinese', 'zh-min-nan', 'zh-yue'],
  es: ['spa', 'es-419', 'Spanish', 'Castilian'],
  ak: ['aka'],
  tw: ['twi', 'Twi'],
  tl: ['tgl', 'Tagalog'],
  mi: ['mri', 'mao', 'Maori', 'Māori'],
  ar: ['arb', 'Standard Arabic'],
  az: ['Azeri', 'North Azerbaijani'],
  bn: ['Bangla'],
  bs: ['bosanski'],
  el: ['gre', 'Greek', 'Modern Greek', 'Greek, Modern (1453-)'],
  fa: ['Farsi', 'pes', 'Persian', 'Dari', 'prs'],
  ug: ['Uighur; Uyghur'],
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

test('a code goes before a name, which is told where one is written', (t) => {
  for (const [text, code, other] of [
    ['Ga', 'ga', 'ga (Irish), not as the name of Ga (gaa)'],
    ['Dan', 'da', 'da (Danish), not as the name of Dan (dnj)'],
    ['GA', 'ga', undefined],
    ['dan', 'da', undefined],
    ['Eng', 'en', undefined],
  ] as const) {
    const faults = new FaultList()
    t.is(languageKind.read(text, 'language', faults), code)
    const told = faults.warnings.find((warning) => warning.code === 'code_or_name')?.message
    t.is(told, other && `language is read as the code of ${other}`, text)
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

test('a name of ISO 639-3 is read as its code is, unless it is another code itself', (t) => {
  const shortest = 4
  for (const { iso6393: code, name } of iso6393) {
    // `Aka-Bo` and `Kua-nsi` are tags of BCP 47.
    if (name.length < shortest || /^[A-Z][a-z]{2}-/.test(name)) continue
    t.is(recognizeLanguage(name), recognizeLanguage(code), `${code} ${name}`)
  }
  t.is(recognizeLanguage('Lü'), undefined)
})

test('every code and name of ISO 639-2 is read, or told which language it is', (t) => {
  for (const { iso6392B: code, name } of iso6392) {
    for (const text of [code, name, ...name.split('; ')]) {
      if (recognizeLanguage(text) === undefined) {
        t.regex(explainLanguage(text), / \([a-z]{3}(?:-[a-z]{3})?\) has none: /, text)
      }
    }
  }
})

test('a language without a two-letter code is refused with the nearest that has one', (t) => {
  const rule = 'a two-letter ISO 639-1 code such as en'
  for (const [text, help] of [
    ['arz', 'Egyptian Arabic (arz) has none: the nearest is ar (Arabic)'],
    ['Berber languages', 'Berber languages (ber) has none: leave it out'],
    ['Cantonese', 'Yue Chinese (yue) has none: the nearest is zh (Chinese)'],
    ['Tonga (Nyasa)', 'Tonga (Nyasa) (tog) has none: the nearest is to (Tonga)'],
    ['Yue Chinese', 'Yue Chinese (yue) has none: the nearest is zh (Chinese)'],
    ['tlh', 'Klingon (tlh) has none: leave it out'],
    ['Grman', 'did you mean de (German)?'],
    ['anglais', 'did you mean en (English)?'],
    ['английский', 'did you mean en (English)?'],
    ['英語', 'did you mean en (English)?'],
    ['Engels', 'did you mean en (English)?'],
    ['Romani', 'Romany (rom) has none: leave it out'],
    ['unknown', 'leave it out for a language that has none'],
  ] as const) {
    t.is(recognizeLanguage(text), undefined, text)
    t.is(explainLanguage(text), `${rule}; ${help}`)
  }
  t.is(explainLanguage('eng fre'), `${rule}, of one language: en (English) or fr (French)`)
  t.is(explainLanguage('en; de'), `${rule}, of one language: en (English) or de (German)`)
  t.is(explainLanguage('x'.repeat(200)), rule)
})

test('words that are tags of no language are refused, of whatever length', (t) => {
  for (const text of ['abcd', 'Bari', 'abcde', 'abcdefgh', 'abcd-Latn', 'a', 'x-abcd']) {
    t.is(recognizeLanguage(text), undefined, text)
    t.regex(explainLanguage(text), /^a two-letter ISO 639-1 code/, text)
  }
  t.regex(explainLanguage('sh'), /Serbo-Croatian/)
})

test('a tag of BCP 47 is kept in its canonical form, whatever older form it has', (t) => {
  const folded = {
    'zh-yue': 'yue',
    'i-klingon': 'tlh',
    'zh-min-nan': 'nan',
    'en-GB-oed': 'en-GB-oxendict',
    'sgn-BE-FR': 'sfb',
    PT_br: 'pt-BR',
    'ja-hira': 'ja-Hira',
    'de-u-co-phonebk': 'de',
    'de-x-mine': 'de-x-mine',
  }
  for (const [text, tag] of Object.entries(folded)) t.is(foldLanguageTag(text), tag, text)
  for (const text of ['de-1996-1996', 'x-mine', 'i-default', 'xx-YY']) {
    t.is(foldLanguageTag(text), undefined, text)
  }
})

test('no text that is like a tag is more than refused', (t) => {
  const subtag = fc.oneof(
    fc.constantFrom('zh', 'en', 'i', 'x', 'u', 'yue', 'cmn', 'Hans', 'GB', 'oed', '1996', 'a'),
    fc.string({ unit: fc.constantFrom(...'abhsxu019-_'), minLength: 1, maxLength: 8 }),
  )
  const property = fc.property(fc.array(subtag, { minLength: 1, maxLength: 6 }), (subtags) => {
    const tag = foldLanguageTag(subtags.join('-'))
    t.true(tag === undefined || Intl.getCanonicalLocales(tag)[0] === tag)
  })
  fc.assert(property, { numRuns: 2_000 })
})
