import test from 'ava'

import { workTypeNames } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import {
  type CitationForm,
  type CitationStyle,
  citationStyles,
  formatCitation,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import { openProcessor, styleDifference } from '#test/src/discovery/formats/_citeproc.ts'
import { citedWorks } from '#test/src/discovery/formats/_cited_works.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const url = 'https://registry.example/ark:/12345/k2bcd45g7h3'

/** Two works of each kind: over all kinds, each of the twenty is among them. */
const sample = citedWorks.filter((_, index) => {
  const [kind, place] = [Math.floor(index / 20), index % 20]
  return place === kind % 20 || place === (kind + 7) % 20
})

const forms: readonly CitationForm[] = [
  ...(Object.keys(citationStyles) as CitationStyle[]).map((style) => ({ ...usualForm, style })),
  { style: 'harvard', locale: 'en-GB' },
  { style: 'chicago-author-date', locale: 'de-DE' },
  { style: 'mla', locale: 'fr-FR' },
  { style: 'ieee', locale: 'es-ES' },
]

for (const form of forms) {
  test(`${form.style} in ${form.locale} is what citeproc-js makes of works of every kind`, (t) => {
    t.is(sample.length, 2 * workTypeNames.length)
    const processor = openProcessor(form)
    const differences = sample.map(({ work }) => styleDifference(processor, work, form))
    t.deepEqual(
      differences.filter((one) => one !== undefined && one.reason === undefined),
      [],
    )
  })
}

/** Tests what styles make of a work; `url` stands for its address. */
function testReferences(
  name: string,
  metadata: Metadata,
  references: Readonly<Record<string, string>>,
): void {
  test(name, (t) => {
    for (const [style, expected] of Object.entries(references)) {
      const form = { ...usualForm, style }
      t.is(formatCitation(describedWork(metadata), form).trim().replace(url, 'url'), expected)
    }
  })
}

testReferences(
  'a book in a series is a book',
  {
    work_title: 'The origin of moss',
    work_type: 'book',
    authors: 'Charles Alpha',
    published_date: '1999',
    publisher_name: 'Moss Press',
    container_title: 'Great Books of Moss',
    volume: '3',
  },
  {
    apa: 'Alpha, C. (1999). The origin of moss. Moss Press. url',
    'chicago-author-date':
      'Alpha, Charles. 1999. The Origin of Moss. Great Books of Moss 3. Moss Press. url.',
    mla: 'Alpha, Charles. The Origin of Moss. Moss Press, 1999, url.',
    ieee:
      'C. Alpha, The origin of moss. in Great Books of Moss, no. 3. Moss Press, 1999. ' +
      '[Online]. Available: url',
    vancouver:
      'Alpha C. The origin of moss [Internet]. Moss Press; 1999. ' +
      '(Great Books of Moss; no. 3). Available from: url',
    harvard:
      'Alpha, C. (1999) The origin of moss. Moss Press (Great Books of Moss, 3). ' +
      'Available at: url.',
  },
)

testReferences(
  'title case leaves names of species, formulas, addresses and words with digits as they are',
  {
    work_title: 'Growth of <i>Escherichia coli</i> and E. coli',
    titles: [{ kind: 'subtitle', title: 'p53, word2vec and $\\alpha$ from example.org to ω' }],
    work_type: 'article',
    authors: 'Jane Roe',
    published_date: '2014',
    language: 'en',
  },
  {
    'chicago-author-date':
      'Roe, Jane. 2014. “Growth of Escherichia coli and E. coli: p53, word2vec and $\\alpha$ ' +
      'from example.org to ω.” url.',
    mla:
      'Roe, Jane. Growth of Escherichia coli and E. coli: p53, word2vec and $\\alpha$ from ' +
      'example.org to ω. 2014, url.',
    apa:
      'Roe, J. (2014). Growth of Escherichia coli and E. coli: p53, word2vec and $\\alpha$ from ' +
      'example.org to ω. url',
  },
)

testReferences(
  'an article has title case in English, its pages shortened, and its date where it belongs',
  {
    work_title: 'On the price of moss: a study',
    work_type: 'article',
    authors: 'Jane Roe',
    published_date: '2014-06-03',
    language: 'en',
    container_title: 'Journal of Moss',
    volume: '12',
    issue: '3',
    pages: '100-115',
  },
  {
    'chicago-author-date':
      'Roe, Jane. 2014. “On the Price of Moss: A Study.” Journal of Moss 12 (3): 100–115. url.',
    mla:
      'Roe, Jane. “On the Price of Moss: A Study.” Journal of Moss, vol. 12, no. 3, June 2014, ' +
      'pp. 100–15, url.',
    ieee:
      'J. Roe, “On the price of moss: a study,” Journal of Moss, vol. 12, no. 3, pp. 100–115, ' +
      'June 2014, [Online]. Available: url',
    vancouver:
      'Roe J. On the price of moss: a study. Journal of Moss [Internet]. ' +
      '2014 Jun 3;12(3):100–15. Available from: url',
  },
)

testReferences(
  'titles in other languages keep their letters, and formulas and raised signs are printed',
  {
    work_title: 'Die größte Dichte von 10<sup>18</sup> in $O(\\sqrt{T})$ bei <i>E. coli</i>',
    work_type: 'book',
    authors: 'Änne Weiß',
    published_date: '2001',
    language: 'de',
    publisher_name: 'Moosverlag',
  },
  {
    mla:
      'Weiß, Änne. Die größte Dichte von 10¹⁸ in $O(\\sqrt{T})$ bei E. coli. ' +
      'Moosverlag, 2001, url.',
    'chicago-author-date':
      'Weiß, Änne. 2001. Die größte Dichte von 10¹⁸ in $O(\\sqrt{T})$ bei E. coli. ' +
      'Moosverlag. url.',
  },
)

testReferences(
  'what other styles ask of periods, particles, labels, and of what stands in the place of names',
  {
    work_title: 'Moss',
    work_type: 'proceedings',
    authors: 'Roe, Jane; de la Tour, Anne',
    published_date: '2020',
    publisher_name: 'A Press',
    container_title: 'Mosses',
    pages: '3-7',
  },
  {
    'ugeskrift-for-laeger':
      'Roe J, de la Tour A, editors. Moss [Internet]. A Press; 2020. p. 3–7.Available from: url',
    'universite-du-quebec-a-montreal-prenoms':
      'Roe, Jane and de la Tour, Anne (eds.). (2020). Moss (pp. 3–7). A Press. url',
    politix: 'Roe (J.), Tour (A. de la), eds., Moss, A Press, coll. “Mosses,” 2020.',
    'university-of-hull-harvard':
      'Roe, J. & de la Tour, A. (eds.) (2020) Moss. A Press (Mosses), p. 3–7. url.',
  },
)

test('the periods of a DOI stay where a style leaves out those of other texts', (t) => {
  const work = describedWork({
    work_title: 'Moss',
    work_type: 'preprint',
    authors: 'Roe, Jane;',
    existing_doi: '10.1000/moss.1',
  })
  const style = 'journal-of-the-botanical-research-institute-of-texas'
  t.regex(formatCitation(work, { ...usualForm, style }), /doi:10\.1000\/moss\.1\.\n$/)
})

test('a version is named where a style prints neither its number nor its address', (t) => {
  const work = describedWork(
    { work_title: 'Moss', work_type: 'article', authors: 'Roe, Jane;', existing_doi: '10.1000/m' },
    { isPinned: true },
  )
  t.regex(formatCitation(work, { style: 'apa', locale: 'en-US' }), / Version 2\.\n$/)
  t.regex(formatCitation(work, { style: 'mla', locale: 'en-US' }), /Moss\. 2, .* Version 2\.\n$/)
  t.regex(formatCitation(work, { style: 'ieee', locale: 'fr-FR' }), / Version 2\.\n$/)
})

test('a style that asks for the event of a talk by its older name prints it', (t) => {
  const talk = describedWork({
    work_title: 'Moss',
    work_type: 'lecture',
    authors: 'Roe, Jane;',
    published_date: '2020',
    container_title: 'Moss 2020',
  })
  for (const style of ['ieee', 'vancouver', 'harvard', 'mla'] as const) {
    t.true(formatCitation(talk, { ...usualForm, style }).includes('Moss 2020'), style)
  }
})
