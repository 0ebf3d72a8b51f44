import test from 'ava'

import { WordDifferences } from '#src/pages/kit/word_difference.ts'
import { english } from '#src/words/language.ts'

const words = (word: string, count: number) => Array(count).fill(word).join(' ')

test('what went and what came is told apart word by word', (t) => {
  const text = new WordDifferences()
    .between('The old <b> engine', 'The new <b> engine')
    .html(english)
  t.is(text, 'The <del>old</del><ins>new</ins> &#60;b&#62; engine')
})

test('the edits of a page are bounded, and a text that takes too many leaves some', (t) => {
  const page = new WordDifferences()
  const rewritten = page.between(words('one', 400), words('two', 400)).html(english)
  t.is(rewritten, `<del>${words('one', 400)}</del> <ins>${words('two', 400)}</ins>`)
  t.is(page.between('a title', 'the title').html(english), '<del>a</del><ins>the</ins> title')
  for (let field = 0; field < 20; field += 1) page.between(words('one', 400), words('two', 400))
  const last = page.between('one two three', 'three two one').html(english)
  t.is(last, '<del>one two three</del> <ins>three two one</ins>', 'nothing is left by then')
})

test('texts of more than 20,000 characters are not compared', (t) => {
  const long = words('word', 2_001)
  const text = new WordDifferences().between(long, `x${long}`).html(english)
  t.regex(text, /^These texts are too long to compare here/)
})
