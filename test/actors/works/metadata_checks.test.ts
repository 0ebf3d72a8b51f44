import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { canonicalJson, orderedJson } from '#actors/values/serialization.ts'
import { faultsMax } from '#actors/values/fault_list.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { type CreationBody, generateWorks } from '#test/vectors/_generated_works.ts'
import { checkNewVersion, checkNewWork, checkWorkPatch } from '#actors/works/request_checks.ts'

const least = {
  work_title: 'A title',
  work_type: 'article',
  authors: 'Ada Gibbs',
  work_url: 'https://example.org/a.pdf',
}

function faultsOf(body: unknown): readonly { field: string; code: string; message: string }[] {
  const checked = checkNewWork(body)
  return checked.type === 'invalid' ? checked.faults : []
}

function metadataOf(t: ExecutionContext, body: unknown): Metadata {
  const checked = checkNewWork(body)
  if (checked.type === 'ok') return checked.metadata
  t.fail(checked.faults.map((fault) => fault.message).join('; '))
  throw new Error('the body is refused')
}

/** Asserts that a body with these members beside the least ones has exactly one fault. */
const refuses = test.macro(
  (t: ExecutionContext, members: CreationBody, field: string, code: string, message: string) => {
    t.deepEqual(faultsOf({ ...least, ...members }), [{ field, code, message }])
  },
)

test('accepts the least, and stores it in the order of canonical JSON', (t) => {
  const metadata = metadataOf(t, least)
  t.deepEqual(Object.keys(metadata), ['authors', 'work_title', 'work_type', 'work_url'])
  t.deepEqual(metadata, least as Metadata)
})

test('stores every field in its form', (t) => {
  const body = {
    ...least,
    work_title: '  A\ttitle\r\nof  two\u00a0lines ',
    work_type: 'Journal-Article',
    authors: 'Noe\u0308ther, Emma; Gibbs, Ada',
    description: ' First line.\r\n\tSecond line.\n',
    existing_doi: 'https://doi.org/10.1234/ABC.Def',
    language: 'EN',
    license: 'cc by 4.0',
    published_date: '2024-02-29',
    author_details: [
      { orcid: 'https://orcid.org/0000-0002-1825-0097', family: 'Noe\u0308ther', given: null },
      { name: 'Ada Gibbs', ror: '05gq02987' },
    ],
    related_identifiers: [{ scheme: 'doi', relation: 'is cited by', identifier: 'doi:10.1234/X' }],
    funding: [{ award: '7', funder: 'A\nFunder' }],
    content_hash: `sha256:${'0a'.repeat(32)}`,
    volume: null,
  }
  t.deepEqual(metadataOf(t, body), {
    work_title: 'A title of  two\u00a0lines',
    work_type: 'article',
    authors: 'No\u00ebther, Emma; Gibbs, Ada',
    description: 'First line.\r\n\tSecond line.',
    work_url: least.work_url,
    existing_doi: '10.1234/abc.def',
    language: 'en',
    license: 'CC-BY-4.0',
    published_date: '2024-02-29',
    author_details: [
      { orcid: '0000-0002-1825-0097', family: 'No\u00ebther' },
      { name: 'Ada Gibbs', ror: 'https://ror.org/05gq02987' },
    ],
    related_identifiers: [{ scheme: 'DOI', relation: 'IsCitedBy', identifier: '10.1234/x' }],
    funding: [{ award: '7', funder: 'A Funder' }],
    content_hash: body.content_hash,
  })
})

test('tells all faults at once, each with its path', (t) => {
  const faults = faultsOf({
    title: 'x',
    work_type: 7,
    authors: '',
    language: 'Elvish',
    author_details: [{ name: 'x' }, { name: 'y', orcid: '0000-0002-1825-0098' }, 'z', {}],
    funding: [{ award: '1', sum: 3 }],
    volume: 'v'.repeat(101),
  })
  t.deepEqual(
    faults.map(({ field, code }) => `${field} ${code}`).toSorted(),
    [
      'author_details[1].orcid bad_value',
      'author_details[2] wrong_type',
      'author_details[3].name required',
      'authors empty',
      'funding[0].funder required',
      'funding[0].sum unknown_field',
      'language bad_value',
      'title unknown_field',
      'volume too_long',
      'work_title required',
      'work_type wrong_type',
      'work_url required',
    ].toSorted(),
  )
})

test('the title is required', (t) => {
  const { work_title: _, ...others } = least
  const message = 'work_title is required'
  t.deepEqual(faultsOf(others), [{ field: 'work_title', code: 'required', message }])
  t.deepEqual(faultsOf({ ...least, work_title: null })[0]?.message, message)
})

test('an address or a DOI is required, and a wrong one is given', (t) => {
  const { work_url: _, ...others } = least
  const message = 'work_url or existing_doi is required'
  t.deepEqual(faultsOf(others), [{ field: 'work_url', code: 'required', message }])
  t.deepEqual(faultsOf({ ...others, existing_doi: '10.1234/a' }), [])
  const wrong = faultsOf({ ...others, existing_doi: 'ten' })
  t.deepEqual(
    wrong.map((fault) => `${fault.field} ${fault.code}`),
    ['existing_doi bad_value'],
  )
})

for (const [body, name] of [
  [null, 'null'],
  [[], 'an array'],
  ['{}', 'a string'],
  [7, 'a number'],
] as const) {
  test(`a body that is ${name} is no work`, (t) => {
    const message = `the body must be a JSON object, not ${name}`
    t.deepEqual(faultsOf(body), [{ field: '', code: 'wrong_type', message }])
    t.like(checkWorkPatch(body), { type: 'invalid', faults: [{ message }] })
  })
}

test('a body that is missing is asked for with an example', (t) => {
  const [fault, ...others] = faultsOf(undefined)
  t.is(others.length, 0)
  t.like(fault, { field: '', code: 'required' })
  t.regex(fault?.message ?? '', /^there is no body: send a JSON object such as \{"work_title":"/)
  const patch = checkWorkPatch(undefined)
  t.regex(patch.type === 'invalid' ? (patch.faults[0]?.message ?? '') : '', /\{"description":"/)
})

test(
  'an unknown field is refused with the one it may have meant',
  refuses,
  { keyword: 'x' },
  'keyword',
  'unknown_field',
  'keyword is not a field here; did you mean keywords?',
)

test(
  'names of other registries lead to ours',
  refuses,
  { Abstract: 'x' },
  'Abstract',
  'unknown_field',
  'Abstract is not a field here; did you mean description?',
)

test(
  'an unknown member of an item lists what there is',
  refuses,
  { funding: [{ funder: 'x', zzzzzzzz: 1 }] },
  'funding[0].zzzzzzzz',
  'unknown_field',
  'funding[0].zzzzzzzz is not a field here; the fields are funder, identifier, identifier_type, ' +
    'scheme_uri, award, award_title, award_uri',
)

test('a member named __proto__ is a field like another, and unknown', (t) => {
  const body: unknown = JSON.parse(`{"__proto__":{"work_title":"x"},"constructor":1}`)
  const unknown = faultsOf(body).filter((fault) => fault.code === 'unknown_field')
  t.deepEqual(
    unknown.map((fault) => fault.field),
    ['__proto__', 'constructor'],
  )
})

test(
  'types are not converted',
  refuses,
  { volume: 7 },
  'volume',
  'wrong_type',
  'volume must be a string, not a number',
)

test(
  'a list must be one',
  refuses,
  { funding: { funder: 'x' } },
  'funding',
  'wrong_type',
  'funding must be an array, not an object',
)

test(
  'a required text that is empty is said to be required',
  refuses,
  { work_title: ' ' },
  'work_title',
  'empty',
  'work_title must not be empty; it is required',
)

test(
  'a required list that is empty is said to be required',
  refuses,
  { content_domain: { domains: [] } },
  'content_domain.domains',
  'empty',
  'content_domain.domains must not be empty; it is required',
)

test(
  'an empty text is not a missing one',
  refuses,
  { keywords: ' \n' },
  'keywords',
  'empty',
  'keywords must not be empty; leave it out if there is none',
)

test(
  'an empty list is not a missing one',
  refuses,
  { funding: [] },
  'funding',
  'empty',
  'funding must not be empty; leave it out if there is none',
)

test(
  'a list may not be endless',
  refuses,
  { funding: Array.from({ length: 1_001 }, () => ({ funder: 'x' })) },
  'funding',
  'too_long',
  'funding may have at most 1000 items, not 1001',
)

test(
  'an unknown type lists all types',
  refuses,
  { work_type: 'sculpture' },
  'work_type',
  'bad_value',
  `work_type must be one of ${workTypeNames.join(', ')}; for others, other, with your own word ` +
    'in resource_type',
)

test(
  'separators alone are no authors',
  refuses,
  { authors: ' ; , ' },
  'authors',
  'bad_value',
  'authors must be names separated by commas or semicolons',
)

test(
  'there are more authors than any work has',
  refuses,
  { authors: 'a;'.repeat(20_001) },
  'authors',
  'too_long',
  'authors may have at most 20000 names, not 20001',
)

test('the largest collaborations are taken', (t) => {
  const authors = 'a;'.repeat(20_000)
  t.deepEqual(faultsOf({ ...least, authors }), [])
})

test(
  'a date must be in the calendar',
  refuses,
  { published_date: '2023-02-29' },
  'published_date',
  'bad_value',
  'published_date must be a date of the calendar such as 2026-11-21, 2026-11 or 2026',
)

test(
  'a content hash is lower-case hex',
  refuses,
  { content_hash: `sha256:${'0A'.repeat(32)}` },
  'content_hash',
  'bad_value',
  'content_hash must be sha256: and 64 lower-case hexadecimal digits',
)

test(
  'an author has a name',
  refuses,
  { author_details: [{ given: 'Ada' }] },
  'author_details[0].name',
  'required',
  'author_details[0].name or author_details[0].family is required',
)

for (const [field, max] of [
  ['work_title', 2_000],
  ['authors', 200_000],
  ['description', 50_000],
  ['keywords', 5_000],
] as const) {
  test(`${field} may have ${max} characters, whatever their encoding`, (t) => {
    t.deepEqual(faultsOf({ ...least, [field]: `${'𝒳'.repeat(max)} ` }), [])
    const message = `${field} may have at most ${max} characters, not ${max + 1}`
    const faults = faultsOf({ ...least, [field]: '𝒳'.repeat(max + 1) })
    t.deepEqual(faults, [{ field, code: 'too_long', message }])
  })
}

test('more faults than anyone mends are not told', (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]))
  t.is(faultsOf(unknown).length, faultsMax)
  const [fault] = faultsOf({ ...least, ['x'.repeat(100_000)]: 1 })
  t.is(fault?.field, `${'x'.repeat(100)}…`)
})

test('warns when author_details and authors differ in number', (t) => {
  const body = { ...least, authors: 'Ada Gibbs, Bo Ox', author_details: [{ name: 'Ada Gibbs' }] }
  const message = 'authors has 2 names, author_details 1'
  t.like(checkNewWork(body), {
    type: 'ok',
    warnings: [{ field: 'author_details', code: 'count_mismatch', message }],
  })
  t.like(checkNewWork({ ...body, authors: 'Gibbs, Ada;' }), { type: 'ok', warnings: [] })
})

test('names on lines of their own are parted, or it is told that they are not', (t) => {
  for (const [authors, meant] of [
    ['Jane Roe\nAnn Doe', 'Jane Roe; Ann Doe'],
    ['Roe, Jane\r\nDoe, Ann\r\n', 'Roe, Jane; Doe, Ann'],
    ['Roe, J.,\nDoe, A.', 'Roe, J.; Doe, A.'],
  ] as const) {
    const check = checkNewWork({ ...least, authors })
    const warnings = [{ field: 'authors', code: 'value_folded' }]
    t.like(check, { type: 'ok', metadata: { authors: meant }, warnings }, authors)
  }
  for (const [authors, joined] of [
    ['World Health\nOrganization', 'World Health Organization'],
    ['Jane Roe, Ann Doe\nBob Beta', 'Ann Doe Bob Beta'],
  ] as const) {
    const message = `authors: “${joined}” is read as one author; put a semicolon between two names`
    const warnings = [{ field: 'authors', code: 'names_joined', message }]
    t.like(checkNewWork({ ...least, authors }), { type: 'ok', warnings }, authors)
  }
  t.like(checkNewWork({ ...least, authors: 'Roe,\nJane; Doe,\nAnn' }), { warnings: [] })
})

test('the number of a volume or an issue is kept without the word for it, which is told', (t) => {
  for (const [given, kept] of [
    ['Vol. 3', '3'],
    ['volume IV', 'IV'],
    ['Bd. 12a', '12a'],
    ['Т. 95', '95'],
    ['№3', '3'],
    ['n° 2-3', '2-3'],
    ['第12卷', '12'],
  ] as const) {
    for (const field of ['volume', 'issue']) {
      const check = checkNewWork({ ...least, [field]: given })
      t.like(check, { metadata: { [field]: kept }, warnings: [{ code: 'value_folded' }] }, given)
    }
  }
  for (const volume of ['3', 'S1', 'v3', 'Suppl. 1', 'Vol. 3, no. 2', 'Vol.', 'Spec. No.', 'N3']) {
    t.like(checkNewWork({ ...least, volume }), { metadata: { volume }, warnings: [] }, volume)
  }
})

test('pages that are the number of an article, or how many there are, are told', (t) => {
  for (const [pages, help] of [
    ['245 p.', '“245 pages”'],
    ['xii, 245 S.', '“245 pages”'],
    ['Article 5', 'article_number, as “5”'],
    ['Art. no. e123', 'article_number, as “e123”'],
  ] as const) {
    const check = checkNewWork({ ...least, pages })
    t.like(check, { type: 'ok', metadata: { pages }, warnings: [{ code: 'other_field' }] }, pages)
    t.true(check.type === 'ok' && check.warnings[0]?.message.includes(help) === true, pages)
  }
  for (const pages of ['e123', 'S12-S19', '123-5', 'iv-xii', 'pp. 3-7', '12', '15-20 p.']) {
    t.like(checkNewWork({ ...least, pages }), { warnings: [] }, pages)
  }
})

test('the degree that work_type tells of a thesis is its resource_type', (t) => {
  for (const [work_type, resource_type] of [
    ['masters_thesis', "Master's thesis"],
    ['@mastersthesis', "Master's thesis"],
    ['info:eu-repo/semantics/bachelorThesis', "Bachelor's thesis"],
    ['http://purl.org/coar/resource_type/c_db06', 'Doctoral thesis'],
    ['PhD thesis', 'Doctoral thesis'],
  ] as const) {
    const check = checkNewWork({ ...least, work_type })
    t.like(check, { type: 'ok', metadata: { work_type: 'thesis', resource_type } }, work_type)
    const message = `resource_type is “${resource_type}”, as work_type says`
    t.true(check.type === 'ok' && check.warnings.some((each) => each.message === message))
  }
  const own = { ...least, work_type: 'master thesis', resource_type: 'Diplomarbeit' }
  t.like(checkNewWork(own), { metadata: { resource_type: 'Diplomarbeit' } })
  const plain = checkNewWork({ ...least, work_type: 'thesis' })
  t.true(plain.type === 'ok' && plain.metadata.resource_type === undefined)
  const degree = { ...least, work_type: 'dissertation' }
  t.true(!JSON.stringify(checkNewWork(degree)).includes('resource_type'))
})

test('names that commas part within are parted as author_details say', (t) => {
  const bank = { given: 'Ada', family: 'Bank' }
  for (const [authors, details, meant] of [
    ['Bank, Ada', [bank], 'Bank, Ada;'],
    ['Bank, Ada, Roe, J.', [bank, { given: 'J.', family: 'Roe' }], 'Bank, Ada; Roe, J.'],
  ] as const) {
    const body = { ...least, authors, author_details: details }
    const message = `authors was "${authors}", which is taken as ${meant}`
    const warnings = [{ field: 'authors', code: 'value_folded', message }]
    t.like(checkNewWork(body), { type: 'ok', metadata: { authors: meant }, warnings })
  }
  const other = {
    ...least,
    authors: 'Bank, Ada',
    author_details: [{ given: 'A.', family: 'Bank' }],
  }
  t.like(checkNewWork(other), { type: 'ok', metadata: { authors: 'Bank, Ada' } })
})

test('warns of authors that seem to be none, or two', (t) => {
  for (const [authors, code, message] of [
    [
      'Martin Luther King, Jr.',
      'names_parted',
      'authors: “Jr.” is read as an author; end a name that has a comma in it with a semicolon',
    ],
    [
      'Ann Alpha and Bob Beta',
      'names_joined',
      'authors: “Ann Alpha and Bob Beta” is read as one author; put a semicolon between two names',
    ],
    ...['Ana Alfa y Berta Beta', 'Ann Alpha et Émile Zola', 'Ann Alpha/Bob Beta'].map((text) => {
      const told = `authors: “${text}” is read as one author; put a semicolon between two names`
      return [text, 'names_joined', told] as const
    }),
    [
      'Alpha, Ann and Beta, Bob',
      'names_parted',
      'authors is read as 3 names, of which one is “Ann and Beta”; ' +
        'put a semicolon between two names, and no other sign or word',
    ],
    ...['et al.', 'Jane Roe et al', 'Jane Roe & al.', 'others', 'u. a.'].map((text) => {
      const told = `authors: “${text}” is read as one author; name all authors, or leave out what `
      return [`Ann Alpha; ${text}`, 'names_joined', `${told}stands for the others`] as const
    }),
    [
      'Jane Roe, Ann Doe, et al.',
      'names_joined',
      'authors: “et al.” is read as one author; ' +
        'name all authors, or leave out what stands for the others',
    ],
    [
      'Department of Soil, Water and Environment',
      'names_parted',
      'authors: “Water and Environment” is read as an author; ' +
        'end a name that has a comma in it with a semicolon',
    ],
  ] as const) {
    t.like(checkNewWork({ ...least, authors }), {
      type: 'ok',
      metadata: { authors },
      warnings: [{ field: 'authors', code, message }],
    })
  }
  const right = { ...least, authors: 'Martin Luther King, Jr.; Ralph Abernathy' }
  t.like(checkNewWork(right), { type: 'ok', warnings: [] })
})

test('an author may have a suffix', (t) => {
  const detail = { given: 'Martin Luther', family: 'King', suffix: ' Jr. ' }
  const body = { ...least, authors: 'Martin Luther King, Jr.;', author_details: [detail] }
  const stored = { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }
  const checked = checkNewWork(body)
  t.like(checked, { type: 'ok', metadata: { author_details: [stored] }, warnings: [] })
})

test('what is meant is told with the value that was sent', (t) => {
  const related = { relation: 'Cites', scheme: 'DOI', identifier: '10.1000/a&lt;b' }
  const body = {
    ...least,
    work_type: 'journal-article',
    existing_doi: '10.1000/a&lt;b',
    license: 'https://creativecommons.org/licenses/by/4.0/',
    language: 'zh-cmn-Hans-CN',
    related_identifiers: [related],
  }
  const told = (field: string, sent: string, meant: string) => {
    const message = `${field} was ${JSON.stringify(sent)}, which is taken as ${meant}`
    return { field, code: 'value_folded', message }
  }
  const checked = checkNewWork(body)
  t.deepEqual(checked.type === 'ok' && checked.warnings, [
    told('existing_doi', body.existing_doi, '10.1000/a<b'),
    told('language', body.language, 'zh'),
    told('license', body.license, 'CC-BY-4.0'),
    told('related_identifiers[0].identifier', related.identifier, '10.1000/a<b'),
    told('work_type', body.work_type, 'article'),
  ])
  t.like(checkNewWork({ ...least, existing_doi: '10.1000/abc.' }), {
    metadata: { existing_doi: '10.1000/abc.' },
    warnings: [{ field: 'existing_doi', code: 'ends_with_stop' }],
  })
})

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 })
const bodies = fc
  .record(
    {
      seed: fc.nat(1_000),
      work_title: anyText,
      description: fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...' \t\r\n\u0301aé') })),
      keywords: anyText,
      container_title: fc.string({ unit: 'grapheme', maxLength: 30 }),
      work_url: fc.oneof(
        fc.webUrl(),
        anyText.map((path) => `https://example.org/${path}`),
      ),
    },
    { requiredKeys: ['seed'] },
  )
  .map(({ seed, ...members }): CreationBody => {
    // A markup is that of the text that was made with it.
    const {
      work_title_markup: _,
      description_markup: __,
      ...rest
    } = generateWorks(seed, 1)[0] ?? {}
    return { ...rest, ...members }
  })

test('property: what is stored is stored again unchanged, and is canonical JSON', (t) => {
  let accepted = 0
  fc.assert(
    fc.property(bodies, (body) => {
      const checked = checkNewWork(body)
      if (checked.type === 'invalid') return
      accepted += 1
      // What was put right is right now, and nothing else is told of it.
      const warnings = checked.warnings.filter(({ code }) => code === 'count_mismatch')
      t.deepEqual(checkNewWork(checked.metadata), { ...checked, warnings })
      t.is(orderedJson(checked.metadata), canonicalJson(checked.metadata))
      t.is(JSON.stringify(metadataOf(t, checked.metadata)), orderedJson(checked.metadata))
    }),
    { numRuns: 500 },
  )
  t.true(accepted > 50, `only ${accepted} bodies were accepted`)
})

test('property: no JSON at all makes the checks throw', (t) => {
  const members = fc.dictionary(
    fc.constantFrom(...Object.keys(least), 'author_details', 'funding', 'volume', 'x'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), members), (body) => {
      for (const checked of [checkNewWork(body), checkWorkPatch(body), checkNewVersion(body)]) {
        if (checked.type === 'ok') continue
        t.true(checked.faults.length > 0)
        t.true(checked.faults.every((fault) => fault.code !== '' && fault.message !== ''))
      }
    }),
    { numRuns: 300 },
  )
})
