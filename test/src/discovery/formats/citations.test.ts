import test from 'ava'

import { workTypeNames } from '#actors/values/work_type.ts'
import {
  apaDifferences,
  bibtexDifferences,
  risDifferences,
} from '#test/src/discovery/formats/_citation_check.ts'
import type { Difference } from '#test/src/discovery/formats/_citeproc.ts'
import { registered } from '#test/src/discovery/formats/_generated.ts'
import { describedWork, fullMetadata } from '#test/src/discovery/formats/_works.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'

const works = generateWorks(7, 60).map(registered)

const checks = { BibTeX: bibtexDifferences, RIS: risDifferences, APA: apaDifferences }

for (const [name, differencesOf] of Object.entries(checks)) {
  test(`citation-js agrees with our ${name} of works in many languages`, (t) => {
    t.deepEqual(works.flatMap(differencesOf).filter(isUnexplained), [])
  })

  test(`citation-js agrees with our ${name} of a work of every type`, (t) => {
    const all = workTypeNames.map((work_type) => describedWork({ ...fullMetadata, work_type }))
    t.deepEqual(all.flatMap(differencesOf).filter(isUnexplained), [])
  })
}

test('a journal article comes back whole, and is cited alike', (t) => {
  const work = describedWork(fullMetadata)
  for (const differencesOf of Object.values(checks)) t.deepEqual(differencesOf(work), [])
})

test('a title that ends in quotation marks has the period within', (t) => {
  for (const work_title of ['A factor in "Local Glivenko"', 'On “truth”', 'What is “truth?”']) {
    t.deepEqual(apaDifferences(describedWork({ ...fullMetadata, work_title })), [])
  }
})

for (const work_title of [
  'Quotes "a" and “b” and ‘c’',
  'Braces { } and \\ backslashes \\alpha, $x, 50 % & more #1 ~',
  '{unbalanced',
  'A </script><script>alert(1)</script> title',
  'שלום עולם: a title from both sides \u202e\u202c',
  'Emoji \u{1f642} and a DNA of CycleGAN in iPhones',
  'What is truth?',
  'Ends with a period.',
]) {
  test(`hostile text survives BibTeX and RIS: ${work_title}`, (t) => {
    const work = describedWork({ ...fullMetadata, work_title })
    t.deepEqual(bibtexDifferences(work), [])
    t.deepEqual(risDifferences(work), [])
  })
}

test('names with commas, `and` and signs survive', (t) => {
  const authors = 'Fast & Furious Group; Ox and Pen Ltd; Ox, Ada; O’Neil, Zoë {x}; Smith, John, Jr.'
  const work = describedWork({ ...fullMetadata, authors, author_details: undefined as never })
  t.deepEqual(bibtexDifferences(work), [])
})

function isUnexplained({ reason }: Difference): boolean {
  return reason === undefined
}
