import test from 'ava'
import fc from 'fast-check'

import { type AtomFeed, formatAtom } from '#src/discovery/feeds/atom.ts'
import { english } from '#src/words/language.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { entriesOf, linksOf } from '#test/src/discovery/feeds/_atom.ts'
import { readXml, texts } from '#test/src/_xml.ts'

const url = 'https://registry.example/feeds/works.atom'
const time = '2026-11-21T10:20:30.000Z'

const feed: AtomFeed = {
  url,
  title: 'Works',
  language: english,
  updated: time,
  author: 'registry.example',
  query: '?before=9',
  next: '?before=3',
  links: [{ rel: 'alternate', href: 'https://registry.example/', type: 'text/html' }],
  entries: [
    {
      id: 'https://registry.example/ark:/12345/k2x',
      title: 'Notes',
      updated: time,
      published: time,
      authors: ['Ada Lovelace', 'Luigi Menabrea'],
      categories: ['article'],
      links: [{ rel: 'alternate', href: 'https://registry.example/ark:/12345/k2x' }],
      summary: 'On the Analytical Engine.',
    },
  ],
}

test('a feed has what RFC 4287 demands, and leads to its other pages', (t) => {
  const read = readXml(formatAtom(feed))
  t.is(read.attributes['xmlns'], 'http://www.w3.org/2005/Atom')
  t.deepEqual(texts(read, 'id'), [url])
  t.is(read.attributes['xml:lang'], 'en')
  t.deepEqual(texts(read, 'title'), ['Works'])
  t.deepEqual(texts(read, 'updated'), [time])
  t.deepEqual(texts(read, 'author'), ['registry.example'])
  t.deepEqual(linksOf(read, 'self'), [`${url}?before=9`])
  t.deepEqual(linksOf(read, 'first'), [url])
  t.deepEqual(linksOf(read, 'next'), [`${url}?before=3`])
  const [entry] = entriesOf(read)
  t.deepEqual(entry && texts(entry, 'author'), ['Ada Lovelace', 'Luigi Menabrea'])
  t.deepEqual(entry && texts(entry, 'summary'), ['On the Analytical Engine.'])
  t.deepEqual(linksOf(readXml(formatAtom({ ...feed, next: undefined })), 'next'), [])
})

test('no text breaks out of its element', (t) => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
    fc.constantFrom(']]></title><script>', '&amp;&lt;&nbsp;', '<!--', '"><x y="', '\ufffe\0'),
  )
  t.true(formatAtom({ ...feed, title: '&#x0;&lt;' }).includes('<title>&amp;#x0;&amp;lt;</title>'))
  fc.assert(
    fc.property(hostile, hostile, (title, name) => {
      // The parser of the test decodes numbers of characters twice.
      fc.pre(!/&#/.test(title + name))
      const [entry] = feed.entries
      const entries = entry === undefined ? [] : [{ ...entry, title, authors: [name] }]
      const read = readXml(formatAtom({ ...feed, title, entries }))
      t.is(read.children.length, formatted(feed).children.length)
      const kept = title.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      t.is(normal(texts(read, 'title')[0] ?? ''), normal(kept))
      const [shown] = entriesOf(read)
      t.is(shown?.children.length, 8)
    }),
  )
})

function formatted(some: AtomFeed) {
  return readXml(formatAtom(some))
}

// Parsers make one line end of each kind of them.
function normal(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
