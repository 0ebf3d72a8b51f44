import test from 'ava'

import { feedLinkElement, linkElements } from '#src/pages/public/landing/landing_page.ts'
import { english } from '#src/words/language.ts'

test('on a page the links are elements, and what they hold is escaped', (t) => {
  const links = [{ rel: 'item', href: 'https://example.org/?a=1&b=2', type: 'text/html' }]
  t.is(
    linkElements(links).html(english),
    '<link rel="item" type="text/html" href="https://example.org/?a&#61;1&#38;b&#61;2">',
  )
})

test('a page leads readers to a feed', (t) => {
  t.is(
    feedLinkElement('A & B', '/feeds/works.atom').html(english),
    '<link rel="alternate" type="application/atom+xml" title="A &#38; B" href="/feeds/works.atom">',
  )
})
