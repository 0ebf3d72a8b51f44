import test from 'ava'
import { foldLanguage, languageCodes, recognizeLanguage } from '#actors/values/language.ts'

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
  en: ['en-US', 'en_GB', 'eng', 'English', ' ENGLISH ', 'american', 'en-Latn-US'],
  de: ['deu', 'ger', 'German', 'Deutsch', 'ngerman', 'de-AT'],
  fr: ['fre', 'fra', 'français', 'francais'],
  pt: ['pt-BR', 'brazilian', 'por'],
  zh: ['zh-Hans-CN', 'chi', 'zho', 'cmn', 'Chinese'],
  es: ['spa', 'es-419', 'Spanish'],
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
