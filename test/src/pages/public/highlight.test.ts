import test from 'ava'

import { highlight, lookedFor, snippet } from '#src/pages/public/result_list.ts'
import { english } from '#src/words/language.ts'

test('words are marked however they are spelled, and nothing else is', (t) => {
  const looked = lookedFor('größe "der wale" -fisch med', [])
  const marked = highlight('Die GROSSE der Wale; Medizin, Fisch & Maß', looked)
  t.is(
    marked.html(english),
    'Die <mark>GROSSE</mark> <mark>der</mark> <mark>Wale</mark>; ' +
      '<mark>Medizin</mark>, Fisch &#38; Maß',
  )
})

test('only the last word may be a beginning, and none when a space follows', (t) => {
  t.is(
    highlight('medical imaging', lookedFor('med imag', [])).html(english),
    'medical <mark>imaging</mark>',
  )
  t.is(highlight('medical imaging', lookedFor('imag ', [])).html(english), 'medical imaging')
})

test('words that were taken in besides are marked, too', (t) => {
  t.is(highlight('An image', lookedFor('imags', ['image'])).html(english), 'An <mark>image</mark>')
})

test('markup in a text stays text', (t) => {
  const looked = lookedFor('script', [])
  t.is(highlight('<script>"', looked).html(english), '&#60;<mark>script</mark>&#62;&#34;')
  t.is(snippet('<b>&', looked).html(english), '&#60;b&#62;&#38;')
})

test('a snippet begins shortly before the first word that was found', (t) => {
  const words = Array.from({ length: 200 }, (_, index) => `w${index}`)
  const shown = snippet(words.join(' '), lookedFor('w100', [])).html(english)
  t.true(shown.startsWith('… w92 w93 '))
  t.true(shown.includes('<mark>w100</mark>'))
  t.regex(shown, /w\d+ …$/)
  t.true(shown.length < 300)
})

test('a snippet of a text without the words is its beginning', (t) => {
  t.is(snippet('A short text', lookedFor('other', [])).html(english), 'A short text')
  t.is(snippet('', lookedFor('other', [])).html(english), '')
})

test('a text without spaces is cut between two characters', (t) => {
  const shown = snippet('𝒳'.repeat(300), lookedFor('x', [])).html(english)
  t.true(shown.isWellFormed())
  t.true(shown.endsWith(' …'))
})
