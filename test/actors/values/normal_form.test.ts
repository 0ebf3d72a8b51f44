import test from 'ava'

import { findLongMarkRun, marksMax, normalForm } from '#actors/values/text.ts'

/** So many marks of two classes, in the order that normalising changes. */
const marks = (count: number) => '\u0301\u0323'.repeat(count / 2)

test('what is written is normalised', (t) => {
  t.is(normalForm(`e${marks(marksMax)}`, 'NFC'), `e${marks(marksMax)}`.normalize('NFC'))
  t.is(normalForm('ﬁ', 'NFKC'), 'fi')
  t.is(findLongMarkRun(`e${marks(marksMax)}e${marks(marksMax)}`), -1)
})

test('a run of more marks than are written is found, and left as it is', (t) => {
  const text = `ab${marks(marksMax + 2)}`
  t.is(findLongMarkRun(text), 2)
  t.is(normalForm(text, 'NFC'), text)
  t.not(text.normalize('NFC'), text)
})

test('marks of half width, which are marks once decomposed, count as well', (t) => {
  t.is(findLongMarkRun('\uff76' + '\uff9e\u0301'.repeat(marksMax)), 1)
})
