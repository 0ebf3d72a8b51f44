import test from 'ava'

import { leftWords } from '#test/src/pages/_left_words.ts'
import { openPage } from '#test/src/pages/_reader.ts'
import { serveRegistry } from '#test/src/_served_registry.ts'

/** Pages of which every word is in the catalogue. */
const paths = ['/', '/no-such-page']

test('pages have no word that is not in the catalogue', async (t) => {
  const registry = await serveRegistry()
  t.teardown(registry.close)
  for (const path of paths) {
    const { body } = await openPage(registry, `${path}?lang=en-XA`)
    t.true(body.includes('lang="en-XA" dir="ltr"'))
    t.deepEqual(leftWords(body), [], path)
  }
})

test('a word beside the catalogue is found', (t) => {
  t.deepEqual(leftWords('<p title="Açţ">Ĝö ţö <b>Works</b></p><code>code</code>'), ['Works'])
  t.deepEqual(leftWords('<a aria-label="Close it">×</a>'), ['Close', 'it'])
})
