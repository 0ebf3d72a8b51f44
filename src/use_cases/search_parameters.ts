import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import { isSlug } from '#actors/people/organizations/rules.ts'
import { parseArk } from '#actors/values/ark.ts'
import { foldDoi, foldOrcid, foldRor, isPpid } from '#actors/values/identifier.ts'
import { languageCodes } from '#actors/values/language.ts'
import { readLicense } from '#actors/values/license.ts'
import type { Order } from '#actors/journal/rows.ts'
import { foldWorkType, workTypeNames } from '#actors/values/work_type.ts'
import type { RelationTarget } from '#actors/works/relations.ts'
import { noticeKinds } from '#actors/works/update_notices.ts'
import { documentId, funderValue, nameValue } from '#src/discovery/search/documents.ts'
import { foldText, hasCharacters } from '#src/discovery/search/fold.ts'
import { indexShapes } from '#src/discovery/search/index_shape.ts'
import type { Filter, IndexKind, SearchPlace } from '#src/discovery/search/search_engine.ts'
import { orderParameter } from '#src/edge/list_page.ts'
import { flagParameter, integerParameter, type Parameter } from '#src/edge/query_string.ts'

/** Characters of a cursor at most: a thousand hits that were given take a few thousand. */
export const cursorCharactersMax = 12_000

/** Words of a place, and characters of each: what is typed has a thousand. */
const wordCharactersMax = 2_000
const meantMax = 32
const beginningsMax = 32

const wordSchema = Type.String({ maxLength: wordCharactersMax })
const integerSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A place but for its ranked hits, which are written shorter. */
const placeSchema = Type.Object(
  {
    engine: Type.Union([Type.Literal('embedded'), Type.Literal('meilisearch')]),
    sort: Type.String(),
    last: Type.Optional(
      Type.Object(
        {
          value: Type.Union([Type.String({ maxLength: 400 }), Type.Number()]),
          seq: integerSchema,
        },
        { additionalProperties: false },
      ),
    ),
    total: integerSchema,
    isExact: Type.Boolean(),
    meant: Type.Array(
      Type.Object({ typed: wordSchema, meant: wordSchema }, { additionalProperties: false }),
      { maxItems: meantMax },
    ),
    beginnings: Type.Array(wordSchema, { maxItems: beginningsMax }),
    named: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

function fingerprint(asked: string): string {
  return hash('sha256', asked).slice(0, 16)
}

/** The place after a page, as clients carry it to the next one: of base64url, and a dot at most. */
export function formatCursor({ ranked, ...place }: SearchPlace, asked: string): string {
  const text = Buffer.from(JSON.stringify([fingerprint(asked), place])).toString('base64url')
  return ranked.length === 0 ? text : `${text}.${encodeRising(ranked).toString('base64url')}`
}

/** The place in a cursor; undefined if it is not a cursor, or is one of another search. */
export function parseCursor(cursor: string, asked: string): SearchPlace | undefined {
  const [text = '', rising = ''] = cursor.split('.')
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined
    const [mark, place] = parsed as readonly unknown[]
    if (mark !== fingerprint(asked) || !Check(placeSchema, place)) return undefined
    return { ...place, ranked: decodeRising(Buffer.from(rising, 'base64url')) }
  } catch {
    return undefined
  }
}

/**
 * Rising numbers as bytes: of each how much it is more than the one before, seven bits a byte, the
 * lowest first, and the eighth bit where more follow. A thousand of a million take two kilobytes.
 */
function encodeRising(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  let before = 0
  for (const number of numbers) {
    let left = number - before
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
    bytes.push(left)
    before = number
  }
  return Buffer.from(bytes)
}

/** The numbers in such bytes; what are none give numbers that no place has. */
function decodeRising(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  let unit = 1
  for (const byte of bytes) {
    number += (byte % 128) * unit
    unit *= 128
    if (byte >= 128) continue
    numbers.push(number)
    unit = 1
  }
  return numbers
}

const textCharactersMax = 1_000
const valuesMax = 50

/** Records on one page by default, and at most. */
export const resultsDefault = 20
const resultsMax = 200

const several = 'Several are separated by commas, or given one by one.'

/** A parameter that filters: what it asks for, as conditions of the index. */
export type FilterParameter = Parameter<readonly Filter[]>

/** A text of words, of which each is looked for in one field. */
function wordsIn(field: string, description: string): FilterParameter {
  return {
    read: (text) => (isSearchable(text) ? [{ type: 'words', field, text }] : undefined),
    accepts: `text with a letter or digit, of ${textCharactersMax} characters at most`,
    schema: Type.String({ description, minLength: 1, maxLength: textCharactersMax }),
  }
}

/**
 * Values of which a record has one, parted by commas or given one by one. `fold` gives the stored
 * form of a value.
 */
function oneOf(
  field: string,
  description: string,
  accepts: string,
  fold: (text: string) => string | undefined,
): FilterParameter {
  return {
    read(text) {
      const texts = text.split(',').map((part) => part.trim())
      const parts = texts.map(fold).filter((value) => value !== undefined)
      // A value may have a comma itself, as a DOI or the address of a license.
      const whole = parts.length === texts.length ? undefined : fold(text.trim())
      const values = whole === undefined ? parts : [whole]
      const isRead = whole !== undefined || values.length === texts.length
      return isRead && values.length <= valuesMax ? [{ type: 'any_of', field, values }] : undefined
    },
    accepts: `${accepts}, or several of them, ${valuesMax} at most, separated by commas`,
    join(all) {
      const given = all.flat().flatMap((filter) => (filter.type === 'any_of' ? filter.values : []))
      const values = [...new Set(given)]
      return values.length > valuesMax ? undefined : [{ type: 'any_of', field, values }]
    },
    schema: Type.String({ description: `${description} ${several}` }),
  }
}

/** One value that a record has. */
function equalTo(
  field: string,
  description: string,
  accepts: string,
  fold: (text: string) => string | undefined,
): FilterParameter {
  return {
    read(text) {
      const value = fold(text)
      return value === undefined ? undefined : [{ type: 'any_of', field, values: [value] }]
    },
    accepts,
    schema: Type.String({ description }),
  }
}

const years = /^(\d{4})(?:-(\d{4}))?$/

const yearParameter: FilterParameter = {
  read(text) {
    const [, from, to = from] = years.exec(text) ?? []
    if (from === undefined || to === undefined || to < from) return undefined
    return [{ type: 'range', field: 'year', from: Number(from), to: Number(to) }]
  },
  accepts: 'a year such as 2024, or years such as 2019-2024',
  schema: Type.String({ description: 'Year of publication, or the first and the last one.' }),
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/
const dayMs = 86_400_000

/** A time, or a whole day. */
function createdParameter(end: 'from' | 'to', description: string): FilterParameter {
  return {
    read(text) {
      const ms = dayForm.test(text) || timeForm.test(text) ? Date.parse(text) : Number.NaN
      if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text.slice(0, 10)) {
        return undefined
      }
      const last = dayForm.test(text) ? ms + dayMs - 1 : ms
      const bound = end === 'from' ? { from: ms } : { to: last }
      return [{ type: 'range', field: 'created', ...bound }]
    },
    accepts: 'a day such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z',
    schema: Type.String({ description }),
  }
}

const hasDoi = flagParameter('Whether it has a DOI.')

const hasDoiParameter: FilterParameter = {
  read(text) {
    const value = hasDoi.read(text)
    if (value === undefined) return undefined
    return [{ type: 'any_of', field: 'has_doi', values: [String(value)] }]
  },
  accepts: hasDoi.accepts,
  schema: hasDoi.schema,
}

function chosen(names: readonly string[]): (text: string) => string | undefined {
  return (text) => (names.includes(text) ? text : undefined)
}

/** The name by which works say that they relate to another one. */
function relationTarget(text: string): RelationTarget | undefined {
  const parsed = parseArk(text)
  if (parsed.type === 'ark') return `ark:${parsed.ark}`
  const doi = foldDoi(text)
  return doi === undefined ? undefined : `doi:${doi}`
}

function workId(text: string): string | undefined {
  const parsed = parseArk(text)
  return parsed.type === 'ark' ? documentId({ type: 'work', id: parsed.ark }) : undefined
}

const fixityStatuses = ['pending', 'verified', 'failed', 'unreachable']

const statuses = ['active', 'withdrawn']

const statusParameter: FilterParameter = {
  read(text) {
    const values = text.split(',').map((part) => part.trim())
    if (!values.every((value) => value === 'all' || statuses.includes(value))) return undefined
    return values.includes('all') ? [] : [{ type: 'any_of', field: 'status', values }]
  },
  accepts: 'active, withdrawn, or all',
  schema: Type.String({
    description: 'Whether works were withdrawn: `active`, `withdrawn`, or, as without it, `all`.',
  }),
}

/** The filter of works that were not withdrawn, for what is done with works. */
export const activeWorks = {
  status: [{ type: 'any_of', field: 'status', values: ['active'] }],
} as const satisfies Readonly<Record<string, readonly Filter[]>>

/** Something by its name, whose case, accents and punctuation make no difference. */
function calledBy(field: string, description: string): FilterParameter {
  return oneOf(field, description, 'a name', nameValue)
}

const orcid = equalTo('orcid', 'ORCID iD.', 'an ORCID iD such as 0000-0002-1825-0097', foldOrcid)
const ror = equalTo('ror', 'ROR id.', 'a ROR id such as https://ror.org/05gq02987', foldRor)

/** The parameters of each kind that filter, by name. */
export const filterParameters = {
  works: {
    title: wordsIn('title', 'Words of the title.'),
    author: wordsIn('authors', 'Words of the names of authors.'),
    keyword: equalTo('keyword', 'A keyword, as a whole.', 'a keyword', (text) =>
      isSearchable(text) ? foldText(text.trim()) : undefined,
    ),
    type: oneOf('type', 'Type of work.', `one of ${workTypeNames.join(', ')}`, foldWorkType),
    language: oneOf(
      'language',
      'Language, ISO 639-1.',
      'a language code such as en',
      chosen(languageCodes),
    ),
    license: oneOf('license', 'License.', 'an SPDX id such as CC-BY-4.0 or a URL', readLicense),
    ark: oneOf('id', 'The works themselves, by their ARKs.', 'an ARK', workId),
    doi: equalTo('doi', 'DOI.', 'a DOI such as 10.1000/182', foldDoi),
    orcid,
    ppid: equalTo('ppid', 'Person with a verified claim.', 'a ppid', (text) =>
      isPpid(text) ? text : undefined,
    ),
    organization: oneOf(
      'organization',
      'Slug of the registering organization.',
      'the slug of an organization',
      (text) => (isSlug(text) ? text : undefined),
    ),
    affiliation: oneOf(
      'affiliation',
      'Organization of an author, by its ROR id.',
      'a ROR id such as https://ror.org/05gq02987',
      foldRor,
    ),
    publisher: calledBy('publisher', 'Publisher, by its name.'),
    journal: calledBy('journal', 'Journal, book or other work that holds it, by its title.'),
    funder: oneOf(
      'funder',
      'Funder, by its name, ROR id, or DOI in the Funder Registry.',
      'a name, a ROR id or a DOI',
      (text) => funderValue(text) ?? nameValue(text),
    ),
    year: yearParameter,
    created_from: createdParameter('from', 'Registered at this time or later.'),
    created_to: createdParameter('to', 'Registered at this time or earlier.'),
    has_doi: hasDoiParameter,
    status: statusParameter,
    fixity_status: oneOf(
      'fixity_status',
      'Fixity status of the newest version; withdrawn works have none.',
      `one of ${fixityStatuses.join(', ')}`,
      chosen(fixityStatuses),
    ),
    related_to: oneOf(
      'related_to',
      'What the works say they relate to: a work, by its ARK or its DOI.',
      'an ARK or a DOI',
      relationTarget,
    ),
    notice: oneOf(
      'notice',
      'The gravest notice on the work, such as a retraction; of a work that was withdrawn as ' +
        'retracted, that.',
      `one of ${noticeKinds.join(', ')}`,
      chosen(noticeKinds),
    ),
  },
  people: {
    name: wordsIn('name', 'Words of the name.'),
    affiliation: wordsIn('affiliations', 'Words of affiliations.'),
    orcid,
    ror,
  },
  organizations: {
    name: wordsIn('name', 'Words of the name.'),
    country: oneOf('country', 'Country, ISO 3166-1.', 'a country code such as DE', (text) =>
      /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined,
    ),
    ror,
  },
} as const satisfies Record<IndexKind, Record<string, FilterParameter>>

/** The parameters of each kind that say what is looked for, in which order, and how it is shown. */
export function viewParameters(kind: IndexKind) {
  const { sorts, facets } = indexShapes[kind]
  return {
    q: textOf(
      'Words; "a phrase"; -without; one OR another; or an ARK, DOI, ORCID iD, ppid or ROR id.',
    ),
    sort: nameOf(['relevance', ...Object.keys(sorts)], {
      title: kind === 'works' ? 'WorkSort' : 'NameSort',
      description: 'What the results are ordered by; relevance if there are words.',
    }),
    order: orderParameter('The `sort` of the same name, as other lists call it.'),
    limit: integerParameter('Records at most.', { minimum: 1, maximum: resultsMax }),
    cursor: cursorParameter,
    ...(facets.length > 0 && { facets: namesOf(facets, 'What is counted.') }),
  }
}

/** What a search is asked for beside its filters. */
export type View = {
  readonly q?: string
  readonly sort?: string
  readonly order?: Order
  readonly limit?: number
  readonly cursor?: string
  readonly facets?: readonly string[]
  /** Whether facets are counted over all results; no request asks for it by itself. */
  readonly isCountedWhole?: boolean
  /** Whether one of the words is enough; no request asks for it by itself either. */
  readonly isAnyWord?: boolean
}

const cursorForm = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)?$/

const cursorParameter: Parameter<string> = {
  read: (text) => (text.length <= cursorCharactersMax && cursorForm.test(text) ? text : undefined),
  accepts: 'the next_cursor of the page before',
  schema: Type.String({ description: 'The `next_cursor` of the page before.' }),
}

function textOf(description: string): Parameter<string> {
  return {
    read: (text) => (text.length <= textCharactersMax ? text : undefined),
    accepts: `text of ${textCharactersMax} characters at most`,
    schema: Type.String({ description, maxLength: textCharactersMax }),
  }
}

function nameOf(
  names: readonly string[],
  notes: { readonly title: string; readonly description: string },
): Parameter<string> {
  return {
    read: chosen(names),
    accepts: `one of ${names.join(', ')}`,
    schema: Type.String({ ...notes, enum: [...names] }),
  }
}

/** Some of the names, parted by commas or given one by one. */
export function namesOf(
  names: readonly string[],
  description: string,
): Parameter<readonly string[]> {
  const one = `(${names.join('|')})`
  const pattern = `^${one}(,${one})*$`
  return {
    read(text) {
      const chosenNames = [...new Set(text.split(','))]
      return chosenNames.every((name) => names.includes(name)) ? chosenNames : undefined
    },
    accepts: `some of ${names.join(', ')}, separated by commas`,
    join: (all) => [...new Set(all.flat())],
    schema: Type.String({ description: `${description} ${several}`, pattern }),
  }
}

function isSearchable(text: string): boolean {
  return text.length <= textCharactersMax && hasCharacters(text)
}
