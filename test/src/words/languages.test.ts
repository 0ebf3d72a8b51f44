import test from 'ava'

import { readerLanguage } from '#src/edge/reader_language.ts'
import { acceptedLanguage, languageOf, languages, pseudoLanguages } from '#src/words/languages.ts'

test('the language that a browser wants most is chosen, whatever its region', (t) => {
  const tagOf = (header: string | undefined) => acceptedLanguage(header)?.tag
  t.is(tagOf('de'), 'de')
  t.is(tagOf('de-AT, en;q=0.8'), 'de')
  t.is(tagOf('en;q=0.5, es-MX;q=0.9'), 'es')
  t.is(tagOf('xx, en-GB;q=0.3'), 'en')
  t.is(tagOf('de;q=0, es;q=0.1'), 'es')
  for (const header of [undefined, '', '*', 'xx', 'de;q=0', 'd"e', 'de;q=2']) {
    t.is(tagOf(header), undefined, header)
  }
})

test('numbers have the digits of identifiers, and the forms of Arabic are all there', (t) => {
  for (const language of languages) {
    t.regex(language.number(12_345), /^12\D345$/, language.tag)
    t.regex(language.time(0, 'day'), /1970/, language.tag)
  }
  const arabic = languageOf('ar')
  t.is(arabic?.direction, 'rtl')
  const forms = [0, 1, 2, 3, 11, 100].map((count) => arabic?.pluralOf(count))
  t.deepEqual(forms, ['zero', 'one', 'two', 'few', 'many', 'other'])
})

test('languages of one script or region are served to their neighbours', (t) => {
  const tagOf = (header: string) => acceptedLanguage(header)?.tag
  t.is(tagOf('zh-CN'), 'zh-Hans')
  t.is(tagOf('pt-PT'), 'pt')
  t.is(tagOf('ar-EG, fr;q=0.9'), 'ar')
})

test('an address comes before what was chosen, and that before what a browser accepts', (t) => {
  const headers = { 'accept-language': 'es', cookie: 'a=1; arklog_language=de' }
  const tagOf = (query: unknown, own = headers as Record<string, string>) =>
    readerLanguage({ query, headers: own }).tag
  t.is(tagOf({ lang: 'en' }), 'en')
  t.is(tagOf({ lang: ['en', 'es'] }), 'de')
  t.is(tagOf({ lang: 'xx' }), 'de')
  t.is(tagOf({}), 'de')
  t.is(tagOf({}, { 'accept-language': 'es' }), 'es')
  t.is(tagOf({}, {}), 'en')
  t.is(tagOf(undefined, { cookie: 'arklog_language=xx' }), 'en')
})

test('pseudo-languages are had by their address alone', (t) => {
  for (const { tag } of pseudoLanguages) {
    t.is(readerLanguage({ query: { lang: tag }, headers: {} }).tag, tag)
    const cookie = `arklog_language=${tag}`
    t.is(
      readerLanguage({ query: {}, headers: { cookie, 'accept-language': tag } }).tag,
      cookieless(tag),
    )
    t.false(languages.some((language) => language.tag === tag))
  }
})

// `en-XA` is English, as far as a browser asks for it.
function cookieless(tag: string): string {
  const [subtag] = tag.split('-')
  return languages.some((language) => language.tag === subtag) ? (subtag ?? '') : 'en'
}
