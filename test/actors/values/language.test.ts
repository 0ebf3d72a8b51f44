import test from 'ava'
import { explainLanguage, foldLanguage, languageCodes } from '#actors/values/language.ts'

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

test('says which code was likely meant', (t) => {
  const rule = 'a two-letter ISO 639-1 code such as en'
  t.is(explainLanguage('pt-BR'), `${rule}; did you mean pt?`)
  t.is(explainLanguage('German'), `${rule}; did you mean de?`)
  t.is(explainLanguage('Elvish'), rule)
})
