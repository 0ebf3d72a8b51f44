import test from 'ava'

import { html } from '#src/pages/kit/html.ts'
import { Language, english } from '#src/words/language.ts'
import { messages } from '#src/words/message.ts'
import type { Wording } from '#src/words/wording.ts'

const place = messages('place', {
  plain: 'Works & people',
  greeting: 'Dear {$name},',
  works:
    '.input {$count :integer} .match $count 0 {{none}} one {{{$count} work}} * {{{$count} works}}',
  link: 'See {#link}the {$what}{/link} now{#br /}',
  kind: '.input {$kind :string} .match $kind mail {{a mail}} * {{something}}',
  both: `.input {$kind :string} .input {$count :integer} .match $kind $count
    mail one {{one mail}} mail * {{mails}} * * {{many}}`,
})

const polish = new Language({
  tag: 'pl',
  name: 'Polski',
  translations: {
    place: {
      works: `.input {$count :integer} .match $count
        one {{{$count} praca}} few {{{$count} prace}} * {{{$count} prac}}`,
    },
  },
})

const hebrew = new Language({
  tag: 'he',
  name: 'עברית',
  direction: 'rtl',
  translations: { place: { greeting: 'שלום {$name},' } },
})

test('a text without values is what stands in the catalogue, escaped in HTML', (t) => {
  t.is(place.plain.text(english), 'Works & people')
  t.is(place.plain.html(english), 'Works &#38; people')
})

test('values are escaped, and HTML among them stays HTML', (t) => {
  t.is(place.greeting({ name: '<b>' }).html(english), 'Dear &#60;b&#62;,')
  t.is(place.greeting({ name: '<b>' }).text(english), 'Dear <b>,')
  t.is(place.greeting({ name: html`<b>${'&'}</b>` }).html(english), 'Dear <b>&#38;</b>,')
})

test('a form is chosen by the number, an equal one before the form of the language', (t) => {
  const said = [0, 1, 2, 12_345].map((count) => place.works({ count }).text(english))
  t.deepEqual(said, ['none', '1 work', '2 works', '12,345 works'])
  const inPolish = [1, 3, 5, 22].map((count) => place.works({ count }).text(polish))
  t.deepEqual(inPolish, ['1 praca', '3 prace', '5 prac', '22 prace'])
})

test('a form is chosen by a word, and by a word and a number', (t) => {
  t.is(place.kind({ kind: 'mail' }).text(english), 'a mail')
  t.is(place.kind({ kind: 'other' }).text(english), 'something')
  t.is(place.both({ kind: 'mail', count: 1 }).text(english), 'one mail')
  t.is(place.both({ kind: 'mail', count: 2 }).text(english), 'mails')
  t.is(place.both({ kind: 'x', count: 1 }).text(english), 'many')
})

test('words stand in the elements that a page gives', (t) => {
  const given = {
    link: (words: Wording) => html`<a href="/x?a&b">${words}</a>`,
    br: () => html`<br>`,
    what: '<log>',
  }
  const said = place.link(given)
  t.is(said.html(english), 'See <a href="/x?a&b">the &#60;log&#62;</a> now<br>')
  t.is(said.text(english), 'See the <log> now')
})

test('what a language lacks is English, with the forms of English', (t) => {
  t.is(place.greeting({ name: 'Ada' }).text(polish), 'Dear Ada,')
  t.is(place.works({ count: 1 }).text(hebrew), '1 work')
})

test('a typed text is isolated between letters from right to left', (t) => {
  t.is(place.greeting({ name: 'Ada' }).text(hebrew), 'שלום \u2068Ada\u2069,')
})

test('a place takes its texts once, and all texts of a language can still be read', (t) => {
  const translations = { place: { plain: 'dzieła' }, other: { key: 'inne' } }
  const language = new Language({ tag: 'pl', name: 'Polski', translations })
  t.deepEqual(language.takeTexts('place'), { plain: 'dzieła' })
  t.is(language.takeTexts('place'), undefined)
  t.deepEqual(language.takeTexts('other'), { key: 'inne' })
  t.deepEqual(language.translations, translations)
})
