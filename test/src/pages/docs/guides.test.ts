import test from 'ava'

import { renderDocument, renderLine } from '#src/pages/docs/guides.ts'
import { english } from '#src/words/language.ts'

test('a document has a title, headings that are linked to, and code that can be copied', (t) => {
  const text = '# A title\n\n## One `code`, twice\n\n## One `code`, twice\n\n```sh\nls <a>\n```\n'
  const { title, headings, body } = renderDocument(text, () => undefined)
  t.is(title, 'A title')
  t.deepEqual(headings, [
    { id: 'one-code-twice', level: 2, text: 'One code, twice' },
    { id: 'one-code-twice-1', level: 2, text: 'One code, twice' },
  ])
  t.notRegex(body.html(english), /<h1/)
  t.regex(body.html(english), /<h2 id="one-code-twice">/)
  t.regex(body.html(english), /<code>ls &#60;a&#62;<\/code>/)
  t.regex(body.html(english), /data-copy-beside/)
})

test('links are resolved, and what leads nowhere keeps its text', (t) => {
  const resolve = (target: string) => (target === 'a.md' ? '/docs/guides/a' : undefined)
  const { body } = renderDocument('See [this](a.md), not [*that*](../b.ts).', resolve)
  t.is(
    body.html(english).trim(),
    '<p>See <a href="/docs/guides/a">this</a>, not <em>that</em>.</p>',
  )
})

test('neither HTML nor scripts nor styles come out of a document', (t) => {
  const text = '<script>x</script>\n\n[x](javascript:alert(1))\n\n| a |\n|:-:|\n| <b>c</b> |\n'
  const { body } = renderDocument(text, (target) => target)
  t.notRegex(body.html(english), /<script|<b>|href|style=/)
  t.is(renderLine('`a` <b>').html(english), '<code>a</code> &lt;b&gt;')
})
