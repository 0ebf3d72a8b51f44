import test from 'ava'

import { type Html, html, joinHtml, nothing, trustedHtml } from '#src/pages/kit/html.ts'
import { card } from '#src/pages/kit/parts.ts'
import type { Page } from '#src/pages/kit/page.ts'
import { english } from '#src/words/language.ts'

const hostile = `<b title="x" class='y'>&`
const escaped = '&#60;b title&#61;&#34;x&#34; class&#61;&#39;y&#39;&#62;&#38;'

test('text is escaped wherever it stands, and HTML is not', (t) => {
  t.is(html`<p>${hostile}</p>`.html(english), `<p>${escaped}</p>`)
  t.is(html`<p>${html`<b>${hostile}</b>`}</p>`.html(english), `<p><b>${escaped}</b></p>`)
  t.is(html`<p class="${hostile}">`.html(english), `<p class="${escaped}">`)
})

test('a mark before what is put in changes nothing', (t) => {
  t.is(html`Stop!${hostile}`.html(english), `Stop!${escaped}`)
})

test('lists stand in a row, each piece as what it is', (t) => {
  t.is(
    html`<ul>${[html`<li>1`, [hostile, 2], undefined]}</ul>`.html(english),
    `<ul><li>1${escaped}2</ul>`,
  )
  t.is(joinHtml([html`<i>`, html`<b>`, html`<u>`], ' & ').html(english), '<i> &#38; <b> &#38; <u>')
  t.is(joinHtml([], ', ').html(english), '')
})

test('null and undefined show nothing, and numbers are written out', (t) => {
  t.is(html`${undefined}${null}${nothing}${0}`.html(english), '0')
})

test('what turns HTML into text does not make HTML again', (t) => {
  const joined = [html`<b>1</b>`, html`<b>2</b>`].map((piece) => piece.html(english)).join('')
  t.is(html`${joined}`.html(english), '&#60;b&#62;1&#60;/b&#62;&#60;b&#62;2&#60;/b&#62;')
  t.is(trustedHtml('<b>').html(english), '<b>')
})

test('text where HTML is wanted does not compile', (t) => {
  // @ts-expect-error A text is not HTML, even if it looks like it.
  const text: Html = '<p>text</p>'
  // @ts-expect-error An object with a text is not HTML either.
  const object: Html = { text: '<p>text</p>' }
  // @ts-expect-error The body of a page is HTML.
  const page: Page = { title: 'A page', body: '<p>text</p>' }
  // @ts-expect-error HTML added up is text.
  const sum: Html = `${html`<p>`.text}${html`</p>`.text}`
  // @ts-expect-error Nothing but text, numbers, HTML and lists of them is put into a page.
  t.throws(() => html`${{ toString: () => '<p>' }}`.html(english))
  t.is(
    card('Title', text).html(english),
    html`<section class="card"><h2>Title</h2>${text}</section>`.html(english),
  )
  t.is([object, page, sum].length, 3)
})
