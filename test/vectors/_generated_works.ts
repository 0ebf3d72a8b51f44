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
  return {
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
    ...(isGiven(20) && { content_hash: `sha256:${choices.digits(64)}` }),
    ...Object.fromEntries(furtherFields(index).filter(() => isGiven(5))),
  }
}

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
    'related_identifiers funding content_hash'
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
