import { FaultList } from '#actors/values/fault_list.ts'
import type { FieldKind } from '#actors/values/field_table.ts'
import { relations } from '#actors/values/related_identifier.ts'
import { escapeMarkup } from '#actors/values/markup.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { type LanguageSample, languageSamples } from '#test/vectors/_languages.ts'

/** The body of a creation as a client may send it: right, though not always in its stored form. */
export type CreationBody = Readonly<Record<string, unknown>>

/** A seeded source of choices, so that one seed gives the same works on every machine. */
class Choices {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 and below `bound` (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('there is nothing to pick from')
    return value
  }

  /** True for `percent` of all choices. */
  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  digits(length: number): string {
    return Array.from({ length }, () => this.below(10)).join('')
  }
}

/**
 * `count` bodies of creations in many languages and scripts. Every type of work comes in turn;
 * every field is in each of the first works of a type, and in some of the others. No two works
 * share a DOI or a title, so that all of them can be registered in one registry.
 */
export function generateWorks(seed: number, count: number): CreationBody[] {
  const choices = new Choices(seed)
  return Array.from({ length: count }, (_, index) => generateWork(choices, seed, index))
}

function generateWork(choices: Choices, seed: number, index: number): CreationBody {
  const language = choices.pick(languageSamples)
  const people = Array.from({ length: 1 + choices.below(5) }, () => choices.pick(language.people))
  const isFull = index < workTypeNames.length
  const isGiven = (percent: number) => isFull || choices.chance(percent)
  const hasDoi = isGiven(50)
  const hasDetails = isGiven(50)
  return withMarkups({
    work_title: `${phrase(choices, language, 3, 12)} ${seed}.${index}`,
    work_type: spellType(choices, workTypeNames[index % workTypeNames.length] ?? 'other'),
    authors: writeAuthors(choices, people, hasDetails),
    ...((isGiven(80) || !hasDoi) && { work_url: writeUrl(choices, language, seed, index) }),
    ...(hasDoi && { existing_doi: spellDoi(choices, `10.${5_000 + seed}/Generated.${index}`) }),
    ...(isGiven(80) && { description: writeAbstract(choices, language) }),
    ...(isGiven(60) && { keywords: phrase(choices, language, 2, 6).replaceAll(' ', ', ') }),
    ...(isGiven(80) && { language: choices.chance(80) ? language.code : upper(language.code) }),
    ...(isGiven(60) && { license: choices.pick(licenses) }),
    ...(isGiven(70) && { published_date: writeDate(choices) }),
    ...(isGiven(50) && { publisher_name: phrase(choices, language, 1, 4) }),
    ...(isGiven(50) && { container_title: phrase(choices, language, 2, 6) }),
    ...(isGiven(40) && { volume: String(1 + choices.below(300)) }),
    ...(isGiven(40) && { issue: choices.pick(['1', '2–3', 'Supplement', '①']) }),
    ...(isGiven(40) && { pages: choices.pick(['1–12', 'e1001', '٣–٧', 'xii–xv']) }),
    ...(hasDetails && { author_details: people.map((name) => writeDetails(choices, name)) }),
    ...(isGiven(30) && { related_identifiers: writeRelated(choices) }),
    ...(isGiven(30) && { funding: writeFunding(choices, language) }),
    ...(isFull && { external_id: `generated-${seed}-${index}` }),
    ...(isGiven(20) && { content_hash: `sha256:${choices.digits(64)}` }),
    ...Object.fromEntries(furtherFields(index).filter(() => isGiven(5))),
  })
}

/** A work whose markups, where it has some, are those of its texts. */
function withMarkups(work: CreationBody): CreationBody {
  const { work_title_markup: title, description_markup: description, ...rest } = work
  const { work_title, description: abstract } = rest
  return {
    ...rest,
    ...(title !== undefined && { work_title_markup: markedUp(work_title) }),
    ...(description !== undefined &&
      abstract !== undefined && { description_markup: markedUp(abstract) }),
  }
}

/** A text with marks, of which the first word is italic, and the last sign bold. */
function markedUp(text: unknown): string {
  const [, first = '', rest = '', last = ''] = /^(\S*)([^]*?)(\S?)$/.exec(String(text)) ?? []
  const [start, middle, end] = [first, rest, last].map(escapeMarkup)
  return `<i>${start}</i>${middle}<b>${end}</b>`
}

/**
 * `count` bodies of creations in which every field has a value, each list several, and each record
 * most of its members, of all words that there are for them. Types and titles are as above.
 */
export function generateFullWorks(seed: number, count: number): CreationBody[] {
  const choices = new Choices(seed)
  return Array.from({ length: count }, (_, index) => generateFullWork(choices, seed, index))
}

function generateFullWork(choices: Choices, seed: number, index: number): CreationBody {
  const language = choices.pick(languageSamples)
  const length = 1 + choices.below(4)
  const people = Array.from({ length }, () => choices.pick(language.people))
  const fill = (kind: FieldKind<unknown>, example: unknown) =>
    valueOf(choices, language, kind, example)
  const fields = Object.entries(metadataFields).map(([name, { kind, example }]) => {
    return [name, fill(kind, example)] as const
  })
  const own = metadataFields.author_details
  const details = people.map(([family, given]) => {
    const [filled] = fill(own.kind, own.example) as readonly object[]
    return { ...filled, name: `${given} ${family}`, family, given, name_type: 'person' }
  })
  return withMarkups({
    ...Object.fromEntries(fields),
    work_title: `${phrase(choices, language, 3, 12)} ${seed}.${index}`,
    work_type: workTypeNames[index % workTypeNames.length] ?? 'other',
    authors: writeAuthors(choices, people, true),
    author_details: details,
    work_url: writeUrl(choices, language, seed, index),
    existing_doi: `10.${5_000 + seed}/full.${index}`,
    external_id: `full-${seed}-${index}`,
    language: language.code,
    license: choices.pick(licenses),
    published_date: writeDate(choices),
    pages: choices.pick(['1–12', 'e1001', '٣–٧', 'xii–xv', 'S1-S9, S12']),
  })
}

const listedMax = 3
const textsMax = 40

/** A value of a kind: of the words that it knows, of the language, or else its example. */
function valueOf(
  choices: Choices,
  language: LanguageSample,
  kind: FieldKind<unknown>,
  example: unknown,
): unknown {
  const { parts } = kind
  if (parts?.type === 'list') {
    const [first] = example as readonly unknown[]
    const length = 1 + choices.below(listedMax)
    return Array.from({ length }, () => valueOf(choices, language, parts.item, first))
  }
  const schema = kind.schema({}) as { readonly title?: string; readonly enum?: readonly string[] }
  if (parts?.type === 'record') {
    if (schema.title === 'RelatedIdentifier') return relatedOf(choices)
    const members = parts.shape.readingOrder.flatMap(({ name, kind: member, example: one }) => {
      return choices.chance(80) ? [[name, valueOf(choices, language, member, one)] as const] : []
    })
    const record = Object.fromEntries(members)
    const marked = record['title'] ?? record['description']
    if (record['markup'] !== undefined && marked !== undefined) record['markup'] = markedUp(marked)
    return isTaken(kind, record) ? record : example
  }
  if (schema.enum !== undefined) return choices.pick(schema.enum)
  if (parts?.type === 'paragraphs') return writeAbstract(choices, language)
  const text = choices.chance(20)
    ? choices.pick(hardTexts)
    : phrase(choices, language, 1, choices.chance(10) ? textsMax : 4)
  const candidates = [text, choices.pick(samples), choices.pick(samples), choices.pick(samples)]
  return candidates.find((each) => isTaken(kind, each)) ?? example
}

function isTaken(kind: FieldKind<unknown>, value: unknown): boolean {
  const faults = new FaultList()
  return kind.read(value, '', faults) !== undefined && faults.count === 0
}

function relatedOf(choices: Choices): Record<string, unknown> {
  const [scheme, identifier] = choices.pick(identifiers)
  return {
    relation: choices.pick(relations),
    scheme,
    identifier,
    ...(choices.chance(50) && { resource_type: choices.pick(workTypeNames) }),
    ...(choices.chance(50) && {
      note: choices.pick(['isPreprintOf', 'is read from', 'a < b: & c']),
    }),
  }
}

// Texts that writers of formats have to take care of.
const hardTexts = [
  'CO<sub>2</sub> & <i>Fucus</i>',
  'a < b > c "d"',
  'one\u00a0two\u2028three',
  '\ud83e\uddea and \u{2f81a}',
  'x'.repeat(100),
  '42',
  '?',
  ']]>',
  '$x^2$ {y} \\alpha',
]

// Values that are right for some fields whose texts have a form.
const samples = (
  '2024-02-29 1999-12 2010 2026-21 2001/2004 -0054 1350 2004~ de-AT zh-Hans grc ' +
  'https://example.org/a%20b?c=d&e=f urn:example:a 2049-3630 978-3-16-148410-0 0-306-40615-2 ' +
  '0000-0002-1825-0097 10.1000/a<b>c text/x-example ark:/12345/x54xz321 CC-BY-SA-4.0'
).split(' ')

const identifiers = (
  'ARK ark:/12345/x54xz321,arXiv 2101.00001,bibcode 2014Wthr...69...72C,CSTR 31253.11.a,' +
  'DOI 10.1000/a_b,EAN13 4006381333931,EISSN 2049-3630,Handle 20.500/1,IGSN IECUR0097,ISTC A02,' +
  'ISBN 978-3-16-148410-0,ISSN 0028-0836,LISSN 0028-0836,LSID urn:lsid:example.org:a:1,PMID 123,' +
  'PURL https://purl.org/a,RAiD https://raid.org/10.1000/abcde,RRID RRID:AB_1,UPC 036000291452,' +
  `SWHID swh:1:dir:${'0'.repeat(40)},URL https://example.org/x?y=<z>,` +
  'URN urn:nbn:de:101:1-201102033592,w3id https://w3id.org/a'
)
  .split(',')
  .map((each) => each.split(' '))

function phrase(choices: Choices, language: LanguageSample, least: number, most: number): string {
  const length = least + choices.below(most - least + 1)
  const words = Array.from({ length }, () => choices.pick(language.words)).join(' ')
  return choices.chance(15) ? words.normalize('NFD') : words
}

function writeAbstract(choices: Choices, language: LanguageSample): string {
  const lines = Array.from({ length: 1 + choices.below(4) }, () => phrase(choices, language, 8, 60))
  return lines.join(choices.pick(['\n', '\r\n', '\n\n\t', ' ']))
}

function spellType(choices: Choices, type: string): string {
  return choices.pick([
    type,
    type,
    upper(type),
    type.replaceAll('_', '-'),
    type.replaceAll('_', ' '),
  ])
}

function spellDoi(choices: Choices, doi: string): string {
  const prefix = choices.pick(['', '', 'https://doi.org/', 'http://dx.doi.org/', 'doi:', 'DOI: '])
  return prefix + (choices.chance(50) ? doi : doi.toLowerCase())
}

type Person = readonly [family: string, given: string]

const ownFields = new Set(
  (
    'work_title work_type authors description work_url existing_doi keywords language license ' +
    'published_date publisher_name container_title volume issue pages author_details ' +
    'related_identifiers funding content_hash external_id'
  ).split(' '),
)

// What most works do not have is as the examples of the table of fields, or in another form that
// is harder to write and read.
function furtherFields(index: number): readonly (readonly [name: string, value: unknown])[] {
  return furtherExamples.map(([name, values]) => [name, values[index % values.length]] as const)
}

const hardForms: Readonly<Record<string, readonly unknown[]>> = {
  titles: [
    [{ title: 'in 50 % of {cases}', kind: 'subtitle' }],
    [{ title: 'Q&A', kind: 'short' }],
    [
      { title: 'L’équilibre des α-substances', kind: 'original' },
      { title: 'DNA_1', kind: 'short' },
    ],
  ],
  contributors: [
    [
      { name: 'Oğuz Atay', given: 'Oğuz', family: 'Atay', role: 'translator' },
      { given: 'Jan', family: 'van der Berg', role: 'editor' },
      { name: 'World Health Organization', role: 'editor' },
    ],
    [{ given: 'Martin Luther', family: 'King', suffix: 'Jr.', role: 'translator' }],
    [{ name: 'Steering Group', role: 'chair' }],
  ],
  event: [
    { name: 'Q&A on Moss #5', place: 'Köln', start_date: '2026-09-30', end_date: '2026-10-02' },
    { name: 'Moss_Days 2026', start_date: '2026-09' },
    { name: 'Moss Week', end_date: '2026-10-02', acronym: 'MW' },
  ],
  edition: ['Zweite, überarbeitete', '3rd'],
  article_number: ['A1', '064002'],
  chapter_number: ['IV', '12'],
  issue_title: ['Special issue: 50 % of $5'],
  series_title: ['Lecture Notes in Moss & Ferns', 'Reihe für Übersetzungen'],
  series_number: ['1234', 'B-7'],
  publisher_place: ['Cham; Basel', 'Łódź & Kraków'],
  resource_version: ['v1.0_rc#2', '2026-09'],
  container_short_title: ['J. Moss & Ferns'],
  isbn: [[{ value: '978-3-16-148410-0' }], [{ value: '0-306-40615-2' }]],
  issn: [[{ value: '0028-0836' }], [{ value: '2434-561X' }]],
  alternate_identifiers: [[{ identifier: '25462637', type: 'PMID' }]],
}

const furtherExamples = Object.entries(metadataFields)
  .filter(([name]) => !ownFields.has(name))
  .map(([name, { example }]) => [name, [example, ...(hardForms[name] ?? [])]] as const)

// Names in the order family, given need semicolons between them.
function writeAuthors(choices: Choices, people: readonly Person[], isCounted: boolean): string {
  if (people.length > 1 && (isCounted || choices.chance(40))) {
    return people.map(([family, given]) => `${family}, ${given}`).join('; ')
  }
  return people.map(([family, given]) => `${given} ${family}`).join(', ')
}

function writeDetails(choices: Choices, [family, given]: Person): Record<string, unknown> {
  return {
    ...(choices.chance(80) ? { name: `${given} ${family}`, family } : { family }),
    given,
    ...(choices.chance(60) && { orcid: writeOrcid(choices) }),
    ...(choices.chance(60) && { affiliation: 'École Polytechnique Fédérale' }),
    ...(choices.chance(60) && { ror: choices.pick(rors) }),
  }
}

// In a block of ORCID; the check character by ISO 7064, MOD 11-2, as the sum of powers of two.
function writeOrcid(choices: Choices): string {
  const body = `00000002${choices.digits(9).slice(2)}`
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * 2 ** (15 - at), 0)
  const check = '0123456789X'.charAt((12 - (sum % 11)) % 11)
  const iD = `${body}${check}`.replace(/(.{4})(?=.)/g, '$1-')
  return choices.pick([iD, `https://orcid.org/${iD}`, iD.replaceAll('-', '')])
}

function writeUrl(choices: Choices, language: LanguageSample, seed: number, index: number): string {
  const address = `https://example.org/${seed}/${index}`
  return choices.chance(25) ? `${address}/${choices.pick(language.words)}.pdf` : `${address}.pdf`
}

function writeDate(choices: Choices): string {
  const year = String(1600 + choices.below(430))
  return choices.pick([year, `${year}-0${1 + choices.below(9)}`, `${year}-02-28`, '2024-02-29'])
}

function writeRelated(choices: Choices): Record<string, unknown>[] {
  const length = 1 + choices.below(related.length)
  return related.slice(0, length).map((thing) => ({ ...thing }))
}

function writeFunding(choices: Choices, language: LanguageSample): Record<string, unknown>[] {
  const funder = phrase(choices, language, 1, 3)
  return [{ funder }, { funder: 'European Research Council', award: choices.digits(9) }]
}

function upper(text: string): string {
  return text.toUpperCase()
}

const licenses = [
  'CC-BY-4.0',
  'cc-by 4.0',
  'CC BY-NC-ND 4.0',
  'CC0',
  'Apache 2',
  'mit',
  'GPL v3',
  'https://creativecommons.org/licenses/by/4.0/',
]

const rors = ['https://ror.org/05gq02987', '02s376052', 'ror.org/03yrm5c26']

const related = [
  { relation: 'IsSupplementedBy', identifier: 'https://doi.org/10.5281/ZENODO.1', scheme: 'DOI' },
  { relation: 'is part of', identifier: '0028-0836', scheme: 'issn' },
  { relation: 'References', identifier: 'ark:/12345/x5-4-xz-321', scheme: 'ark' },
  { relation: 'IsTranslationOf', identifier: 'https://example.org/原文', scheme: 'url' },
]
