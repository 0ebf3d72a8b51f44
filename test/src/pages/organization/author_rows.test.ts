import test from 'ava'

import {
  authorRows,
  authorsBody,
  authorsText,
  authorValues,
  changeRows,
  namelessRows,
} from '#src/pages/organization/author_rows.ts'
import { english } from '#src/words/language.ts'

function rows(...list: readonly (readonly string[])[]): Map<string, string> {
  const names = ['family', 'given', 'orcid', 'affiliation']
  return new Map(
    list.flatMap((row, index) =>
      names.map((name, at) => [`author_${index + 1}_${name}`, row[at] ?? ''] as const),
    ),
  )
}

test('rows are names with their parts, and empty ones are nobody', (t) => {
  const orcid = '0000-0002-1825-0097'
  const form = rows(
    ['Gibbs', 'Josiah Willard', orcid, 'Yale College'],
    [],
    ['山田', '太郎'],
    ['ATLAS Collaboration'],
  )
  t.deepEqual(authorsBody(form), {
    authors: 'Josiah Willard Gibbs; 山田 太郎; ATLAS Collaboration',
    author_details: [
      {
        name: 'Josiah Willard Gibbs',
        family: 'Gibbs',
        given: 'Josiah Willard',
        orcid,
        affiliation: 'Yale College',
      },
      { name: '山田 太郎', family: '山田', given: '太郎' },
      { name: 'ATLAS Collaboration' },
    ],
  })
  t.deepEqual(authorsBody(rows([])), {})
  t.deepEqual(authorsBody(rows(['Ada Lovelace'])), { authors: 'Ada Lovelace' })
})

test('lines come after rows, with an ORCID iD behind the name', (t) => {
  const form = new Map([
    ...rows(['Lovelace', 'Ada']),
    ['authors', 'Gibbs, J. W. (0000-0002-1825-0097)\n\n CERN '],
  ])
  t.deepEqual(authorsBody(form).author_details, [
    { name: 'Ada Lovelace', family: 'Lovelace', given: 'Ada' },
    { name: 'J. W. Gibbs', family: 'Gibbs', given: 'J. W.', orcid: '0000-0002-1825-0097' },
    { name: 'CERN' },
  ])
})

const before = {
  authors: 'Lovelace, Ada; J. W. Gibbs',
  author_details: [
    {
      family: 'Lovelace',
      given: 'Ada',
      affiliation: 'A Society',
      ror: 'https://ror.org/05gq02987',
    },
    { name: 'J. W. Gibbs' },
  ],
}

test('a form that nobody has changed says what the work says', (t) => {
  const form = authorValues(before)
  t.is(form.get('author_1_family'), 'Lovelace')
  t.is(form.get('author_2_family'), 'J. W. Gibbs')
  t.deepEqual(authorsBody(form, before), before)
  t.is(authorsText(form), authorsText(authorValues(before)))
})

test('who stays keeps their name as it was, and what the form does not show of them', (t) => {
  const form = authorValues(before)
  const values = new Map([...form, ['author_1_orcid', '0000-0002-1825-0097']])
  values.set('author_2_family', 'Gibbs')
  values.set('author_2_given', 'J. W.')
  const { authors, author_details: details = [] } = authorsBody(values, before)
  t.is(authors, before.authors)
  t.like(details[0], { ror: 'https://ror.org/05gq02987', orcid: '0000-0002-1825-0097' })
  t.deepEqual(details[1], { name: 'J. W. Gibbs', family: 'Gibbs', given: 'J. W.' })
  values.set('author_1_affiliation', 'Another Society')
  t.false('ror' in (authorsBody(values, before).author_details?.[0] ?? {}))
})

test('rows are added at the end and removed from the middle; others stay as they are', (t) => {
  const form = rows(['A'], ['B', 'b'], ['C'])
  const added = changeRows(new Map([...form, ['add_author', 'on']]))
  t.is(added?.focus, 'author_4_family')
  t.is(added?.values.get('author_4_family'), '')
  const removed = changeRows(new Map([...form, ['remove_author', '2']]))
  t.is(removed?.values.get('author_2_family'), 'C')
  t.is(removed?.values.get('author_2_given'), '')
  t.false(removed?.values.has('author_3_family'))
  t.is(changeRows(form), undefined)
  for (const wrong of ['0', '31', 'x']) {
    t.is(changeRows(new Map([...form, ['remove_author', wrong]])), undefined, wrong)
  }
})

test('a form has thirty rows at most, and the others are lines', (t) => {
  const authors = Array.from({ length: 32 }, (_, index) => `Author ${index + 1}`).join('; ')
  const form = authorValues({ authors })
  t.is(form.get('authors'), 'Author 31\nAuthor 32')
  t.is(authorsBody(form).authors, authors)
  t.false(changeRows(new Map([...form, ['add_author', 'on']]))?.values.has('author_31_family'))
})

test('a row without a name is told by its place', (t) => {
  t.deepEqual(namelessRows(rows(['A'], ['', 'b'], [])), [2])
})

test('what the form does not show of an author stays when another part of them is changed', (t) => {
  const unseen = {
    identifiers: [{ identifier: '0000000500000075', scheme: 'ISNI' }],
    name_type: 'person',
    credit_roles: ['software'],
  } as const
  const known = {
    authors: 'Ada Ox',
    author_details: [
      {
        ...unseen,
        name: 'Ada Ox',
        family: 'Ox',
        given: 'Ada',
        affiliation: 'Brown University',
        affiliations: [{ name: 'Brown University' }, { name: 'Yale' }],
      },
    ],
  }
  const form = new Map([
    ['author_1_family', 'Ox'],
    ['author_1_given', 'Ada'],
    ['author_1_orcid', '0000-0002-1825-0097'],
    ['author_1_affiliation', 'Brown University'],
  ])
  t.like(authorsBody(form, known).author_details?.[0], {
    ...unseen,
    orcid: '0000-0002-1825-0097',
    affiliations: [{ name: 'Brown University' }, { name: 'Yale' }],
  })
  form.set('author_1_affiliation', 'Oxford')
  t.like(authorsBody(form, known).author_details?.[0], {
    ...unseen,
    affiliation: 'Oxford',
    affiliations: [{ name: 'Oxford' }, { name: 'Yale' }],
  })
})

test('what is asked for by need is read from lines, and written as them', (t) => {
  const form = new Map([
    ...rows(['Quill', 'Ada', '', 'Brown University'], ['Bay Watch']),
    ['author_1_suffix', 'Jr.'],
    ['author_1_name_type', 'person'],
    ['author_1_ror', 'https://ror.org/05gq02987'],
    ['author_1_affiliations', 'School of Gauges, Pier 2\nYale (GRID grid.47100.32)'],
    ['author_1_identifiers', 'ISNI 0000000121032683\n Scopus Author 7'],
    ['author_2_name_type', 'organization'],
  ])
  const body = authorsBody(form)
  t.is(body.authors, 'Ada Quill Jr.; Bay Watch')
  t.deepEqual(body.author_details, [
    {
      name: 'Ada Quill Jr.',
      family: 'Quill',
      given: 'Ada',
      suffix: 'Jr.',
      affiliation: 'Brown University',
      ror: 'https://ror.org/05gq02987',
      name_type: 'person',
      affiliations: [
        { name: 'Brown University', identifier: 'https://ror.org/05gq02987', scheme: 'ROR' },
        { name: 'School of Gauges, Pier 2' },
        { name: 'Yale', identifier: 'grid.47100.32', scheme: 'GRID' },
      ],
      identifiers: [
        { identifier: '0000000121032683', scheme: 'ISNI' },
        { identifier: 'Author 7', scheme: 'Scopus' },
      ],
    },
    { name: 'Bay Watch', name_type: 'organization' },
  ])
  const { authors = '', author_details: details = [] } = body
  const shown = new Map(authorValues({ authors, author_details: details }))
  for (const [name, text] of form) {
    const lines = text.split('\n').map((line) => line.trim())
    t.is(shown.get(name), lines.join('\n'), name)
  }
  t.deepEqual(authorsBody(shown, { authors, author_details: details }), body)
  shown.set('author_1_suffix', '')
  shown.set('author_1_affiliations', 'Yale (GRID grid.47100.32)')
  const changed = authorsBody(shown, { authors, author_details: details })
  t.is(changed.authors, 'Ada Quill; Bay Watch')
  t.like(changed.author_details?.[0], { suffix: undefined, affiliations: { length: 2 } })
})

test('more about an author stands behind a click, open where something is said', (t) => {
  const closed = authorRows({ values: rows(['Quill', 'Ada']), faults: [] }).html(english)
  t.regex(closed, /<details class="fold">\s*<summary>More details: author 1</)
  const values = new Map([...rows(['Quill', 'Ada']), ['author_1_ror', 'https://ror.org/05gq02987']])
  t.regex(authorRows({ values, faults: [] }).html(english), /<details class="fold" open>/)
})
