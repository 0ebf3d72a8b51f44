// Records as programs and registries write them, with what has gone wrong in reading them.

import test from 'ava'
import fc from 'fast-check'

import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readJson } from '#src/discovery/citation_files/json_records.ts'
import { readRis, splitRis } from '#src/discovery/citation_files/ris_file.ts'
import { readSchemaOrg, schemaOrgWorks } from '#src/discovery/citation_files/schema_org.ts'
import { messagesOf, readEntry } from '#test/src/discovery/citation_files/_read.ts'

/** What a record has, by paths such as `author_details.0.suffix`, and what must be told of it. */
type Case = readonly [name: string, source: string | object, right: object, told?: RegExp]

const author = 'AU  - Roe, Jane\n'

const risCases: readonly Case[] = [
  [
    'EndNote with a suffix',
    'TY  - JOUR\nAU  - Doe, Jane A.,Jr.\nTI  - T',
    { authors: 'Jane A. Doe Jr.', 'author_details.0.suffix': 'Jr.' },
  ],
  [
    'Web of Science',
    `TY  - JOUR\n${author}TI  - T\nDA  - 2019/03/05/\nC6  - MAR 2019\nSP  - 1123\nC7  - 1123`,
    { published_date: '2019-03-05', pages: '1123' },
    /C6 is left out/,
  ],
  [
    'Scopus, with an ISSN of zeros',
    `TY  - JOUR\n${author}TI  - T\nSN  - 00000000 (ISSN)`,
    { related_identifiers: undefined },
    /SN is left out/,
  ],
  [
    'ScienceDirect, with points in its abstract',
    `TY  - JOUR\n${author}TI  - T\nAB  - Highlights\n•one\n•two\ngoes on\nMETHODS: three`,
    { description: 'Highlights\n•one\n•two goes on\nMETHODS: three' },
  ],
  [
    'IEEE, with a conference of some days',
    `TY  - CONF\n${author}TI  - T\nT2  - Conf\nJA  - Conf\nVL  - \nY1  - 15-20 June 2019`,
    { work_type: 'conference_paper', container_title: 'Conf', published_date: '2019-06-15' },
    /it is a range/,
  ],
  [
    'a program that has nothing to say',
    `TY  - JOUR\n${author}AU  - null\nTI  - T\nJO  - undefined\nVL  - NaN`,
    { authors: 'Jane Roe', container_title: undefined, volume: undefined },
  ],
  [
    'a dictionary, an encyclopedia',
    `TY  - ENCYC\n${author}TI  - T\nT2  - Of Moss`,
    { work_type: 'book_chapter', container_title: 'Of Moss' },
  ],
  ['a pamphlet', `TY  - PAMP\n${author}TI  - T`, { work_type: 'book' }],
  ['a hearing', `TY  - HEAR\n${author}TI  - T`, { work_type: 'other' }],
  [
    'a type of nobody',
    `TY  - toString\n${author}TI  - T`,
    { work_type: 'other' },
    /TY "toString" is no type/,
  ],
  [
    'Mendeley, with an encoded DOI',
    `TY  - GEN\n${author}TI  - T\nDO  - 10.1000/a%3C1%3a%3A2%3E`,
    { existing_doi: '10.1000/a<1::2>' },
  ],
]

const names = { author: [{ family: 'Roe', given: 'Jane' }] }
const work = { type: 'article-journal', title: 'T', ...names }
const created = { creators: [{ name: 'Roe, Jane' }], titles: [{ title: 'T' }] }

const jsonCases: readonly Case[] = [
  [
    'a film of Zotero, which has no author',
    {
      type: 'motion_picture',
      title: 'T',
      PMID: '123',
      'number-of-pages': '12',
      performer: [{ literal: 'X' }],
      director: [{ family: 'Roe', given: 'Jane' }],
    },
    {
      authors: 'Jane Roe',
      contributors: [{ role: 'other', name: 'X' }],
      alternate_identifiers: [{ identifier: '123', type: 'PMID' }],
      sizes: ['12 pages'],
    },
    /It has no author: director is taken for it/,
  ],
  [
    'a publisher of DataCite whose scheme its address says, and two awards in one entry',
    {
      ...created,
      publisher: { name: 'P', publisherIdentifier: 'https://ror.org/05gq02987' },
      fundingReferences: [{ funderName: 'F', awardNumber: ['1', '2'] }],
    },
    {
      'publisher_id.scheme': 'ROR',
      funding: [
        { funder: 'F', award: '1' },
        { funder: 'F', award: '2' },
      ],
    },
  ],
  [
    'an institution of Crossref, with hyphens for what is not known',
    {
      type: 'posted-content',
      title: ['T'],
      ...names,
      institution: [{ name: 'bioRxiv', place: ['-'], acronym: ['BR'] }],
    },
    { institutions: [{ acronym: 'BR', name: 'bioRxiv' }] },
  ],
  [
    'a grant of Crossref',
    {
      type: 'grant',
      DOI: '10.1000/g',
      project: [
        {
          'project-title': [{ title: 'Of Moss' }],
          'project-description': [{ description: 'Why.' }],
          'lead-investigator': [{ given: 'Jane', family: 'Roe' }],
          investigator: [{ given: 'Ann', family: 'Doe' }],
          funding: [{ funder: { name: 'A Fund' } }],
          'award-amount': { amount: 3 },
        },
      ],
    },
    {
      work_title: 'Of Moss',
      authors: 'Jane Roe; Ann Doe',
      description: 'Why.',
      'funding.0.funder': 'A Fund',
      'assertions.0.value': '3',
    },
  ],
  [
    "a publisher's terms before a licence, and those of mining before both",
    {
      type: 'journal-article',
      title: ['T'],
      ...names,
      license: [
        { URL: 'https://example.org/mining', 'content-version': 'tdm' },
        { URL: 'https://example.org/terms', 'content-version': 'vor' },
        { URL: 'https://creativecommons.org/licenses/by/4.0/', 'content-version': 'vor' },
      ],
    },
    { license: 'CC-BY-4.0', 'rights.1.license': 'https://example.org/terms' },
  ],
  [
    'a standard of Crossref',
    {
      type: 'standard',
      title: ['T'],
      author: [{ name: 'ISO' }],
      'standards-body': { name: 'ISO' },
    },
    { work_type: 'standard', publisher_name: 'ISO' },
  ],
  [
    'a component of Crossref',
    { ...work, type: 'component', created: { 'date-parts': [[2011]] } },
    { work_type: 'other', published_date: undefined },
    /about the record alone: created/,
  ],
  ['a series of reports', { ...work, type: 'report-series' }, { work_type: 'report' }],
  ['posted content', { ...work, type: 'posted-content' }, { work_type: 'preprint' }],
  ['a manuscript of CSL', { ...work, type: 'manuscript' }, { work_type: 'preprint' }],
  [
    'names in one text',
    { ...work, author: 'Doe, Jane and Roe, Rick' },
    { authors: 'Jane Doe; Rick Roe' },
  ],
  [
    'parts of names with what is no part of them',
    {
      ...work,
      author: [
        { family: 'Smith PhD', given: 'Dr. John' },
        { family: 'Roe*', given: 'Jane, MD' },
        { family: 'al- Hakim', given: 'Tawfik' },
        { family: 'Doe', given: 'John,! Jr.' },
        { literal: 'Carl Gamma et al.' },
        { family: 'Alpha', given: 'Ann & Bob' },
      ],
    },
    {
      authors: 'John Smith; Jane Roe; Tawfik al-Hakim; John Doe Jr.; Carl Gamma; Ann & Bob Alpha',
      'author_details.3.suffix': 'Jr.',
    },
    /"PhD"[^]*"Dr\."[^]*"MD"[^]*"\*"[^]*more authors[^]*Ann & Bob Alpha seems to be several/,
  ],
  [
    'a group of Crossref that is a list of persons',
    { ...work, author: [{ name: 'Alpha, Ann; Beta, Bob' }] },
    { authors: 'Ann Alpha; Bob Beta', 'author_details.0.name_type': undefined },
    /one name has several|parted by semicolons/,
  ],
  [
    'a list of DataCite that goes on',
    { ...created, creators: [{ name: 'Roe, Jane' }, { name: 'et al.' }] },
    { authors: 'Jane Roe' },
    /more authors/,
  ],
  ['a group in a text', { ...work, author: 'Food and Farms' }, { authors: 'Food and Farms' }],
  ['a name in a text', { ...work, author: ['Doe, Jane'] }, { 'author_details.0.family': 'Doe' }],
  [
    'a number for a name',
    { ...work, author: [{ family: 'Roe' }, 5, null] },
    { authors: 'Roe' },
    /author "5" is left out/,
  ],
  [
    'a suffix',
    { ...work, author: [{ family: 'King', given: 'M. L.', suffix: 'Jr.' }] },
    { authors: 'M. L. King Jr.', 'author_details.0.suffix': 'Jr.' },
  ],
  [
    'nothing in words',
    { ...work, 'container-title': '[object Object]', volume: 'NaN', abstract: 'null' },
    { container_title: undefined, volume: undefined, description: undefined },
  ],
  [
    'an object where a text stands',
    { ...work, publisher: { a: 1 } },
    { publisher_name: undefined },
    /publisher .*is left out/,
  ],
  [
    'a suffix in the whole name of DataCite',
    {
      ...created,
      creators: [{ name: 'King, M. L., Jr.', familyName: 'King', givenName: 'M. L.' }],
    },
    { authors: 'M. L. King Jr.', 'author_details.0.suffix': 'Jr.' },
  ],
  [
    'DataCite before 2018',
    { attributes: { ...work, doi: '10.1000/o', description: 'D', 'resource-type-id': 'dataset' } },
    { existing_doi: '10.1000/o', description: 'D' },
  ],
  [
    'DataCite made of XML',
    { titles: { title: 'T' }, creators: { creator: { creatorName: 'Roe, Jane' } } },
    { work_title: 'T', authors: 'Jane Roe' },
  ],
  [
    'codes of DataCite with words',
    { ...created, creators: [{ name: '(:unkn) Unknown' }, { name: 'Roe, Jane' }] },
    { authors: 'Jane Roe' },
  ],
  [
    'a general type of DataCite, in words',
    { ...created, types: { resourceTypeGeneral: 'Text', resourceType: 'Article' } },
    { work_type: 'article' },
  ],
  [
    'a computed type of DataCite',
    { ...created, types: { resourceTypeGeneral: 'Other', citeproc: 'article' } },
    { work_type: 'other' },
  ],
  [
    'a date that is none',
    { ...created, dates: true },
    { published_date: undefined },
    /dates "true" is left out: it is no date/,
  ],
  [
    'what holds a dataset',
    {
      ...created,
      relatedItems: [
        {
          relationType: 'IsPublishedIn',
          titles: [{ title: 'Journal' }],
          relatedItemIdentifier: {
            relatedItemIdentifier: '0028-0836',
            relatedItemIdentifierType: 'ISSN',
          },
        },
      ],
    },
    { container_title: 'Journal', 'issn.0.value': '0028-0836' },
  ],
]

const thing = { name: 'T', author: { '@type': 'Person', name: 'Jane Roe' } }

const jsonLdCases: readonly Case[] = [
  [
    'an article in no journal',
    { '@type': 'ScholarlyArticle', ...thing },
    { work_type: 'article', authors: 'Jane Roe' },
  ],
  [
    'an article with the number of its journal',
    { '@type': 'Article', ...thing, isPartOf: { '@type': 'Periodical', issn: '0028-0836' } },
    { 'issn.0.value': '0028-0836' },
  ],
  [
    'a dataset with a creator, which is in nothing',
    { '@type': 'Dataset', name: 'D', creator: { '@type': 'Person', name: 'Roe, Jane' } },
    { container_title: undefined, authors: 'Jane Roe', 'author_details.0.family': 'Roe' },
  ],
  [
    'persons by their whole names, and keywords in one text',
    {
      '@type': 'Article',
      name: 'T',
      author: [
        { '@type': 'Person', name: 'Jane Roe' },
        'John Doe',
        { '@type': 'Organization', name: 'O' },
      ],
      keywords: 'a, b',
    },
    {
      'author_details.0.name_type': undefined,
      'author_details.1.name_type': undefined,
      'author_details.2.name_type': 'organization',
      keywords: 'a, b',
    },
  ],
  [
    'a work with two DOIs',
    { '@type': 'Book', ...thing, identifier: ['https://doi.org/10.1000/x', 'doi:10.1000/y'] },
    { existing_doi: '10.1000/x' },
    /identifier has several DOIs; the first counts/,
  ],
  [
    'a book with its translation',
    {
      '@type': 'Book',
      ...thing,
      workTranslation: { identifier: { propertyID: 'DOI', value: '10.1000/t' } },
    },
    { 'related_identifiers.0.relation': 'HasTranslation' },
  ],
]

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  return valueAt((value as Readonly<Record<string, unknown>> | undefined)?.[name], rest)
}

const readers = {
  RIS: { cases: risCases, read: (text: unknown) => readRis(splitRis(String(text))) },
  JSON: { cases: jsonCases, read: (record: unknown) => readJson([record]) },
  'JSON-LD': {
    cases: jsonLdCases,
    read: (record: unknown) => readSchemaOrg(schemaOrgWorks([record])),
  },
}

for (const [format, { cases, read }] of Object.entries(readers)) {
  for (const [name, source, right, told = /^/] of cases) {
    test(`${format}: ${name}`, (t) => {
      const [entry] = read(source)
      for (const [path, value] of Object.entries(right)) {
        t.deepEqual(valueAt(entry?.body, path.split('.')), value, path)
      }
      t.regex(entry?.notes.map(({ message }) => message).join(' ') ?? '', told)
    })
  }
}

/** Letters and digits, in whatever form they stand. */
function lettersOf(text: string): string {
  return text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')
}

const pieces = 'é e\u0301 ß 漢 ﬁ Ω 10 x a<b p>q $5 C++ {T} &c "q" „z“ – _ ^ \\ % # — null of'
const marks = '<i> </i> <sub> </sub> <sup> </sup> <b> </b> &amp; &lt; <jats:p> </jats:p>'
const titleOf = (words: string) =>
  fc.array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 12 }).map((parts) => {
    return `T ${parts.join(' ')} t`
  })

/** What all readers make of a title. */
function readings(title: string): readonly unknown[] {
  const dois = { DOI: '10.1000/x', title: [title] }
  const [ris] = readRis(splitRis(`TY  - JOUR\nTI  - ${title}\nER  - `))
  const found = [dois, { ...created, titles: [{ title }] }].flatMap((record) => readJson([record]))
  return [ris, ...found].map((entry) => entry?.body?.['work_title'])
}

test('property: each title keeps its letters, and has none that it had not', (t) => {
  const same = fc.property(titleOf(pieces), (title) => {
    return readings(title).every((read) => read === title)
  })
  t.notThrows(() => fc.assert(same, { numRuns: 500 }))
  const marked = fc.property(titleOf(`${pieces} ${marks}`), (title) => {
    const words = lettersOf(plainText(title.replace(/<\/?(?:i|b|su[bp]|jats:p)>/g, ' ')))
    return readings(title).every((read) => {
      const letters = lettersOf(typeof read === 'string' ? read : '')
      // A mark that nothing ends is text.
      return Array.from(words).every((letter) => letters.includes(letter))
    })
  })
  t.notThrows(() => fc.assert(marked, { numRuns: 500 }))
})

const empty = fc.constantFrom<unknown>(
  null,
  '',
  [],
  {},
  [null],
  [''],
  0,
  'null',
  'undefined',
  'NaN',
)
const values = fc.oneof(
  empty,
  fc.constantFrom<unknown>('text', ['a', 'b'], { a: { b: 1 } }, [{ x: 1 }, 2], true, 12, [[[]]]),
)
const memberNames =
  'title author editor issued container-title publisher page volume license funder relation ' +
  'subject language ISSN DOI URL abstract type titles creators dates types rightsList subjects ' +
  'descriptions relatedIdentifiers relatedItems container fundingReferences identifiers project'

test('property: whatever stands for a value, no word for nothing is read', (t) => {
  const record = fc.dictionary(fc.constantFrom(...memberNames.split(' ')), values, { maxKeys: 12 })
  const clean = fc.property(record, (given) => {
    const [entry] = readJson([{ doi: '10.1000/x', ...given }])
    const text = JSON.stringify(entry?.body ?? {})
    return !/undefined|\bnull\b|NaN|\[object/.test(text)
  })
  t.notThrows(() => fc.assert(clean, { numRuns: 1_000 }))
})

const least = 'title={T}, author={Ann Alpha}, year=2020'
const csl = (members: object) =>
  JSON.stringify([{ type: 'book', title: 'T', author: [{ family: 'Roe' }], ...members }])
const mods = (name: string) =>
  `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>T</title></titleInfo>${name}</mods>`
const jats = (meta: string) =>
  `<article><front><article-meta><title-group><article-title>T</article-title></title-group>` +
  `${meta}</article-meta></front></article>`

type Foreign = readonly [file: string, body: object, note?: RegExp]

const told: readonly Foreign[] = [
  [
    jats(
      '<contrib-group><contrib><name><surname>Roe</surname></name></contrib></contrib-group>' +
        '<kwd-group><kwd>musgo</kwd></kwd-group>' +
        '<kwd-group xml:lang="en"><kwd>moss</kwd></kwd-group>',
    ),
    { keywords: 'musgo', subjects: [{ subject: 'moss', language: 'en' }] },
  ],
  [
    mods(
      '<originInfo><place><placeTerm>London :</placeTerm></place><publisher>Moss Press,' +
        '</publisher></originInfo>',
    ),
    { publisher_name: 'Moss Press', publisher_place: 'London' },
  ],
  [
    'TY  - THES\nTI  - T\nAU  - Roe, J\nPB  - U of X\nT2  - Biology\nT3  - Studies\nER  - ',
    {
      institutions: [{ name: 'U of X', department: 'Biology' }],
      container_title: 'Studies',
    },
  ],
  [
    'TY  - CONF\nTI  - T\nAU  - Roe, J\nT2  - Meeting\nC3  - Proceedings\n' +
      'Y2  - 3 May 2019 through 5 May 2019\nER  - ',
    { event: { name: 'Meeting', start_date: '2019-05-03', end_date: '2019-05-05' } },
  ],
  [
    'TY  - JOUR\nTI  - T\nAU  - Roe, J\nKW  - 苔藓；土壤\nKW  - *Moss/*growth\nSE  - Articles\nER  - ',
    { keywords: '苔藓, 土壤, Moss/growth', pages: undefined },
    /SE "Articles" is left out: it is no page/,
  ],
  [
    'TY  - BOOK\nTI  - T\nAU  - Roe, J\nED  - 2\nL4  - https://example.org/a.png\nER  - ',
    { edition: '2', contributors: undefined, work_url: 'https://example.org/a.png' },
  ],
  [
    `@article{k, ${least}, volume={Vol. 3}, number={№ 2}, pages={00--00}, place={Bonn}, ` +
      'journal-iso={J. M.}, art_number={77}, pubmedid={12}, printed={printed}}',
    {
      publisher_place: 'Bonn',
      container_short_title: 'J. M.',
      article_number: '77',
      alternate_identifiers: [{ identifier: '12', type: 'PMID' }],
    },
    /pages "00-00" is left out: it is no page/,
  ],
  [
    `@phdthesis{k, ${least}, pages={xii, 210}, eprint={2301.00001}, primaryclass={math.AG}}`,
    { sizes: ['xii, 210'], pages: undefined, subjects: [{ subject: 'math.AG', scheme: 'arXiv' }] },
  ],
  [
    '@book{k, title={T}, author={山田 太郎 and ジェーン ドウ and 김 철수}}',
    { authors: '山田 太郎; ジェーン ドウ; 김 철수' },
  ],
  [csl({ page: 'to appear' }), { pages: undefined }, /page "to appear" is left out/],
  [`@misc{k, ${least}, doi={$10.1000/ab_c$}}`, { existing_doi: '10.1000/ab_c' }],
  [`@misc{k, ${least}, url={https://example.org/a b}}`, { work_url: 'https://example.org/a%20b' }],
  [
    `@misc{k, ${least}, url={https://example.org/a accessed}}`,
    { work_url: 'https://example.org/a' },
    /"accessed" is left out/,
  ],
  [`@foobar{k, ${least}}`, { work_type: 'other' }, /@foobar is no type that we know/],
  [`@misc{k, ${least}, month={8/9}}`, { published_date: '2020-08' }, /it is a range/],
  [`@mastersthesis{k, ${least}}`, { resource_type: "Master's thesis" }],
  [`@thesis{k, ${least}, type={mathesis}}`, { resource_type: "Master's thesis" }],
  [`@phdthesis{k, ${least}, type={Habilitation}}`, { resource_type: 'Habilitation' }],
  [csl({ type: 'thesis', genre: "Master's thesis" }), { resource_type: "Master's thesis" }],
  [
    "TY  - THES\nTI  - T\nAU  - Roe, J\nM3  - Master's thesis\nER  - ",
    { resource_type: "Master's thesis" },
  ],
  [mods('<genre>bachelor thesis</genre>'), { resource_type: 'bachelor thesis' }],
  ['title,authors,type\nT,Ann Alpha,Master thesis', { resource_type: "Master's thesis" }],
  ['TY  - THES\nTI  - T\nAU  - Roe, J\nM3  - Diplom\nER  - ', { resource_type: 'Diplom' }],
  [
    "TY  - THES\nTI  - T\nAU  - Roe, J\nM3  - Master's thesis\nVL  - M.Sc.\nER  - ",
    { resource_type: "Master's thesis", degree: 'M.Sc.', volume: undefined },
  ],
  [csl({ type: 'thesis', genre: 'Bachelor thesis' }), { resource_type: 'Bachelor thesis' }],
  ['TY  - JOUR\nTI  - T\nAU  - Roe, J\nM3  - 10.1000/a\nER  - ', { existing_doi: '10.1000/a' }],
  [
    'TY  - CHAP\nTI  - T\nAU  - Roe, J\nBT  - Of Moss\nT2  - Studies\nPU  - P\nPI  - Bonn\nER  - ',
    {
      container_title: 'Of Moss',
      series_title: 'Studies',
      publisher_name: 'P',
      publisher_place: 'Bonn',
    },
  ],
  [
    'TY  - JOUR\nTI  - T\nAU  - Roe, J\nT2  - J Moss\nJF  - Journal of Moss\nJ2  - J Moss\nER  - ',
    { container_title: 'Journal of Moss', container_short_title: 'J Moss' },
  ],
  [
    `@article{k, ${least}, url={http://dx.doi.org/10.1000/q http://example.org/a}, ` +
      'eprint={1901.00001}, archivePrefix={arXiv}}',
    {
      work_url: 'http://example.org/a',
      alternate_identifiers: [{ identifier: '1901.00001', type: 'arXiv' }],
    },
  ],
  [
    `@misc{k, ${least}, adsurl={https://ui.adsabs.harvard.edu/abs/1}}`,
    { work_url: 'https://ui.adsabs.harvard.edu/abs/1' },
    /adsurl is taken for it/,
  ],
  [`@misc{k, ${least}, ee={https://example.org/a\\_b}}`, { work_url: 'https://example.org/a_b' }],
  ['TY  - BOOK\nTI  - T\nAU  - Roe, J\nT2  - Studies\nM1  - B-7\nER  - ', { series_number: 'B-7' }],
  [`@misc{k, ${least}, keywords={{Moss, big}, fern}}`, { keywords: 'Moss, big; fern' }],
  [
    `@misc{k, ${least}, date={2020}, month=may}`,
    { published_date: '2020' },
    /month "may" is left out: date counts/,
  ],
  [
    '@misc{k, title={{CO}$_{\\textrm{2}}$}, author={Ann Alpha}, abstract={<i>a</i> ' +
      '<inline-formula><tex-math notation="LaTeX">$x^{2}$</tex-math></inline-formula>}}',
    {
      work_title_markup: 'CO<sub>2</sub>',
      description_markup: '<i>a</i> <tex-math>x²</tex-math>',
    },
  ],
  [csl({ issued: { year: 2013, month: 5, day: 3 } }), { published_date: '2013-05-03' }],
  [
    csl({ event: 'Meeting', 'event-title': 'Meeting on Moss' }),
    { event: { name: 'Meeting on Moss' } },
    /event has several names/,
  ],
  [
    csl({
      author: [
        { family: 'Smith, Jr.', given: 'Bob' },
        { family: '', given: '' },
      ],
    }),
    { author_details: [{ name: 'Bob Smith Jr.', given: 'Bob', family: 'Smith', suffix: 'Jr.' }] },
    /A name that is empty was left out/,
  ],
  [
    csl({ type: 'article-journal', 'container-title': ['Moss', 'Mosses'] }),
    { container_title: 'Moss' },
    /Moss counts/,
  ],
  [
    mods('<name type="personal"><namePart>Beta, Bob</namePart></name>'),
    { author_details: [{ name: 'Bob Beta', given: 'Bob', family: 'Beta' }] },
  ],
  [
    mods('<name><namePart>Ann Alpha</namePart></name>'),
    { author_details: [{ name: 'Ann Alpha' }] },
  ],
  [
    jats(
      '<contrib-group><contrib><name><surname>Roe</surname></name><aff><institution>Uni' +
        '</institution>, <city>Jena</city>, <country>Germany</country></aff></contrib>' +
        '</contrib-group><pub-date><month>May</month><year>2020</year></pub-date>',
    ),
    {
      author_details: [
        {
          name: 'Roe',
          family: 'Roe',
          affiliation: 'Uni',
          affiliations: [{ name: 'Uni', place: 'Jena, Germany' }],
        },
      ],
      published_date: '2020-05',
    },
  ],
  [
    JSON.stringify({
      '@type': 'Dataset',
      name: 'T',
      author: 'A B',
      license: { '@type': 'CreativeWork', name: 'CC BY 4.0' },
    }),
    { license: 'CC-BY-4.0' },
  ],
  [
    jats(
      '<contrib-group><contrib><collab>Moss Consortium<contrib-group><contrib><name><surname>Mo' +
        '</surname></name></contrib></contrib-group></collab></contrib><contrib><string-name>' +
        '<surname>Roe</surname>, <given-names>Jane</given-names></string-name><role ' +
        'vocab="credit" vocab-term="Writing – original draft">Wrote</role></contrib>' +
        '</contrib-group>' +
        '<abstract abstract-type="plain-language-summary"><p>Plain.</p></abstract>',
    ),
    {
      authors: 'Moss Consortium; Jane Roe',
      author_details: [
        { name: 'Moss Consortium' },
        { family: 'Roe', credit_roles: ['writing_original_draft'] },
      ],
      descriptions: [{ description: 'Plain.', kind: 'plain_language' }],
    },
    /^(?![^]*string-name)[^]*Moss ConsortiumMo/,
  ],
  [
    JSON.stringify({
      '@type': 'ScholarlyArticle',
      headline: 'T',
      author: 'A B',
      url: 'https://a.example/page',
      encoding: { '@type': 'MediaObject', contentUrl: 'https://a.example/1.pdf', name: 'PDF' },
      isPartOf: {
        '@type': 'PublicationIssue',
        issueNumber: '3',
        isPartOf: { '@type': ['PublicationVolume', 'Periodical'], name: 'J', volumeNumber: '12' },
      },
    }),
    {
      container_title: 'J',
      volume: '12',
      issue: '3',
      work_url: 'https://a.example/page',
      files: [{ url: 'https://a.example/1.pdf', name: 'PDF' }],
    },
  ],
  [
    '@article{a, author={Roe, J}, title={T}, journal={J. Moss}, fjournal={Journal of Moss}, ' +
      'volume={n/a}, doi={10.1000/x}, copyright={CC BY}}',
    {
      container_title: 'Journal of Moss',
      container_short_title: 'J. Moss',
      license: 'CC-BY-4.0',
    },
    /Nothing stands in volume\.[^]*copyright "CC BY" names no version: it is taken as CC-BY-4\.0/,
  ],
  [
    mods('<name><namePart>A B</namePart></name><accessCondition>CC BY</accessCondition>'),
    { license: 'CC-BY-4.0' },
    /"CC BY" names no version/,
  ],
  [
    JSON.stringify({ ...created, rightsList: [{ rights: 'CC BY-NC' }] }),
    { license: 'CC-BY-NC-4.0' },
    /"CC BY-NC" names no version/,
  ],
  // Years of other calendars, in every format.
  [
    `@misc{k, title={T}, author={Roe, J}, doi={10.1000/x}, date={2563-05-01}}`,
    { published_date: '2020-05-01' },
    /its year is one of the Buddhist calendar/,
  ],
  [
    JSON.stringify({ ...work, DOI: '10.1000/x', issued: { 'date-parts': [[2563]] } }),
    { published_date: '2020' },
    /Buddhist/,
  ],
  [
    'title,type,url,authors,published_date\nT,book,https://example.org/x,Ann Alpha,2563\n',
    { published_date: '2563' },
    /if 2563 is a year of the Buddhist calendar, give 2020/,
  ],
  [
    'TY  - JOUR\nTI  - T\nDO  - 10.1000/x\nAU  - Roe, J\nPY  - ٢٠٢٠\nER  - \n',
    { published_date: '2020' },
  ],
  [
    JSON.stringify({ ...work, DOI: '10.1000/x', issued: { raw: '1399' } }),
    { published_date: '1399' },
    /a year before 1450/,
  ],
  // LaTeX in files that are none of it.
  [
    String.raw`TY  - JOUR
TI  - {\"U}ber \textit{E. coli}
DO  - 10.1000/x
AU  - M{\"u}ller, J{\"o}rg
AU  - Erd\H{o}s, P.
ER  - `,
    { authors: 'Jörg Müller; P. Erdős', work_title: String.raw`{\"U}ber \textit{E. coli}` },
    /TI has LaTeX, which stays as it is/,
  ],
  [
    JSON.stringify({
      ...work,
      DOI: '10.1000/x',
      title: String.raw`About $\mathbb{R}$`,
      author: [
        { family: String.raw`M{\"u}ller`, given: String.raw`J\"org` },
        { family: 'Moss Ltd', isInstitution: 'true' },
      ],
    }),
    {
      authors: 'Jörg Müller; Moss Ltd',
      author_details: [{ family: 'Müller' }, { name_type: 'organization' }],
    },
    /^(?![^]*LaTeX)/,
  ],
  // Who can read a work.
  [
    JSON.stringify({ ...work, DOI: '10.1000/x', 'free-to-read': {} }),
    { access: { right: 'open' } },
  ],
  [
    JSON.stringify({
      ...work,
      DOI: '10.1000/x',
      issued: { 'date-parts': [[2020]] },
      'free-to-read': { 'start-date': { 'date-parts': [[2021, 3]] } },
    }),
    { access: { right: 'embargoed', start_date: '2021-03' } },
  ],
  [
    JSON.stringify({
      '@type': 'Dataset',
      name: 'T',
      author: 'A B',
      isAccessibleForFree: true,
      conditionsOfAccess: 'ask us',
      variableMeasured: 'heat',
      distribution: { contentUrl: 'https://a.example/d', encodingFormat: 'text/csv' },
    }),
    { access: { right: 'open' }, formats: ['text/csv'], variables: [{ name: 'heat' }] },
    /^(?![^]*variableMeasured)[^]*conditionsOfAccess is left out/,
  ],
  [
    jats(
      '<contrib-group><contrib corresp="yes"><name><surname>Roe</surname></name><role ' +
        'content-type="https://credit.niso.org/contributor-roles/software/">Code</role>' +
        '<xref ref-type="aff" rid="a"/></contrib></contrib-group><aff id="a"><institution ' +
        'content-type="original">U, D, Rio</institution><institution content-type="orgname">U' +
        '</institution></aff><permissions><free_to_read/></permissions>' +
        '<abstract abstract-type="graphical"><p><fig><graphic/></fig></p></abstract>' +
        '<counts><fig-count count="3"/><page-count count="9"/></counts>',
    ),
    {
      author_details: [{ credit_roles: ['software'], affiliation: 'U' }],
      access: { right: 'open' },
      sizes: ['9 pages'],
      descriptions: undefined,
    },
    /corresp of a person[^]*counts\/fig-count/,
  ],
  [
    mods(
      '<name valueURI="https://orcid.org/0000-0002-1694-233X"><namePart>Roe</namePart><namePart ' +
        'type="date">1950-</namePart><nameIdentifier type="isni">0000000500000075' +
        '</nameIdentifier></name><name type="corporate"><namePart>S</namePart><role><roleTerm>' +
        'ctb</roleTerm></role></name><originInfo><place><placeTerm type="code">gw</placeTerm>' +
        '</place><place><placeTerm>Berlin</placeTerm></place><copyrightDate>c2009' +
        '</copyrightDate><dateCreated point="start">2008</dateCreated><dateCreated point="end">' +
        '2009</dateCreated></originInfo><extension><degree><name>PhD</name><level>3</level>' +
        '</degree></extension><recordInfo><recordIdentifier>1</recordIdentifier></recordInfo>',
    ),
    {
      author_details: [
        {
          orcid: '0000-0002-1694-233X',
          identifiers: [{ scheme: 'ISNI', identifier: '0000000500000075' }],
        },
      ],
      contributors: [{ role: 'other', name: 'S' }],
      publisher_place: 'Berlin',
      degree: 'PhD',
      dates: [
        { kind: 'copyrighted', date: '2009' },
        { kind: 'created', date: '2008/2009' },
      ],
    },
    /1950-[^]*“gw”[^]*extension\/degree\/level[^]*recordInfo/,
  ],
  // Tables of Scopus and PubMed.
  [
    'Title,Authors,DOI\nT,Roe J.; Núñez A.M.,10.1000/x\n',
    {
      authors: 'J. Roe; A.M. Núñez',
      author_details: [
        { family: 'Roe', given: 'J.' },
        { family: 'Núñez', given: 'A.M.' },
      ],
    },
  ],
  [
    'Title,Authors,DOI\nT,"Roe J, Alpha AB, van der Berg C.",10.1000/x\n',
    { authors: 'J Roe; AB Alpha; C. van der Berg' },
  ],
  ['Title,Authors,DOI\nT,Wei MA; Na LI,10.1000/x\n', { authors: 'Wei MA; Na LI' }],
  [
    'TY  - JOUR\nTI  - T\nDO  - 10.1000/x\nAU  - Roe J\nAU  - Alpha AB\nER  - \n',
    { author_details: [{ family: 'Roe', given: 'J' }, { family: 'Alpha' }] },
  ],
  [
    'TY  - JOUR\nTI  - T\nDO  - 10.1000/x\nAU  - Roe, J.,\nAU  - and Alpha, A.\nER  - \n',
    { authors: 'J. Roe; A. Alpha' },
  ],
  // Groups and the rest of a list.
  [
    '@misc{k, title={T}, doi={10.1000/x}, author={{The} {ATLAS} Collaboration and 3 others}}',
    { authors: 'The ATLAS Collaboration', author_details: [{ given: undefined }] },
    /reads as the name of a group[^]*more authors/,
  ],
  [
    JSON.stringify({ ...created, creators: [{ name: 'Moss University, Institute of Fern' }] }),
    { author_details: [{ name: 'Moss University, Institute of Fern' }] },
  ],
  [
    '<doi_records><doi_record><crossref><journal><journal_article><titles><title>T</title>' +
      '</titles></journal_article></journal></crossref></doi_record></doi_records>',
    { work_title: 'T' },
  ],
  // One name that may be two, in each format.
  [
    'TY  - JOUR\nTI  - T\nDO  - 10.1000/x\nAU  - Ann Alpha, Bob Beta\nER  - \n',
    { authors: 'Bob Beta Ann Alpha' },
    /Ann Alpha, Bob Beta is taken as one name, of which Ann Alpha is the family name/,
  ],
  [
    'TY  - JOUR\nTI  - T\nDO  - 10.1000/x\nAU  - Paz Marquez, Gabriel Jose\nAU  - Roe, J.\nER  - ',
    { authors: 'Gabriel Jose Paz Marquez; J. Roe' },
    /^$/,
  ],
  [
    '@book{k, title={T}, doi={10.1000/x}, author={Ann Alpha, Bob Beta}, editor={Roe, J.}}',
    { authors: 'Bob Beta Ann Alpha' },
    /of which Ann Alpha is the family name/,
  ],
  [
    'title,type,url,authors\nT,book,https://example.org/x,"Ann Alpha, Bob Beta; Carl Gamma"\n',
    { authors: 'Bob Beta Ann Alpha; Carl Gamma' },
    /of which Ann Alpha is the family name/,
  ],
  ...[
    { type: 'book', title: 'T', DOI: '10.1000/x', author: [{ family: 'Ann Alpha, Bob Beta' }] },
    {
      '@context': 'https://schema.org',
      '@type': 'Book',
      name: 'T',
      author: { '@type': 'Person', name: 'Ann Alpha, Bob Beta' },
    },
    { ...created, creators: [{ name: 'Ann Alpha, Bob Beta' }] },
  ].map(
    (record): Foreign => [
      JSON.stringify(record),
      { authors: 'Bob Beta Ann Alpha' },
      /of which Ann Alpha is the family name/,
    ],
  ),
  ...[
    { ...created, creators: [{ familyName: 'Ann Alpha', givenName: 'Bob Beta' }] },
    {
      type: 'book',
      title: 'T',
      DOI: '10.1000/x',
      author: [
        { family: 'Ann Alpha', given: 'Bob Beta' },
        { family: 'Martin Gomez', given: 'Ana Maria' },
      ],
    },
  ].map(
    (record): Foreign => [
      JSON.stringify(record),
      { work_title: 'T' },
      /^[^,]*Ann Alpha, Bob Beta is taken as one name, of which Ann Alpha is the family name\.$/,
    ],
  ),
  [
    JSON.stringify({ ...created, creators: [{ name: 'Ann Alpha, Bob Beta, Carl Gamma' }] }),
    { authors: 'Ann Alpha; Bob Beta; Carl Gamma' },
    /parted by commas/,
  ],
  [
    JSON.stringify({
      type: 'book',
      title: ['T<fn><p>A note.</p></fn> of X'],
      author: [
        { family: 'King', given: 'Martin Luther, Jr.', particle: 'x' },
        { family: '"van Alpha"', given: 'Ann' },
      ],
      issued: { 'date-parts': [[13]] },
    }),
    {
      authors: 'Martin Luther King Jr.; Ann van Alpha',
      work_title: 'T of X',
      published_date: undefined,
    },
    /particle of a name is left out[^]*“A note.” is left out[^]*its year has no century/,
  ],
  [
    JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Book',
      name: ['T', 'Other'],
      author: {
        givenName: 'Ann',
        additionalName: 'B.',
        familyName: 'Alpha',
        email: 'a@example.org',
      },
      creator: { name: 'Carl' },
      isbn: '9780306406157',
    }),
    { work_title: 'T', authors: 'Ann B. Alpha', isbn: [{ value: '9780306406157' }] },
    /name has several values[^]*creator is left out: author counts[^]*email/,
  ],
  [
    String.raw`@book{k, title={T\footnote{A note.} of X}, author={Ann Alpha\thanks{To Y}}}`,
    { work_title: 'T of X', authors: 'Ann Alpha' },
    /\\footnote\{A note.\}[^]*\\thanks\{To Y\}/,
  ],
  [
    JSON.stringify({
      type: 'journal-article',
      DOI: '10.1000/x',
      title: ['T'],
      author: [{ family: 'Roe' }],
      volume: 'ahead-of-print',
    }),
    { volume: undefined },
  ],
]

test('what other programs write in their own ways is read, or told', async (t) => {
  for (const [file, body, note] of told) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- several would wait for one thread
    const entry = await readEntry(t, file)
    t.like(entry.body, body, file)
    const messages = messagesOf(entry).join('\n')
    if (note !== undefined) t.regex(messages, note, file)
  }
})
