import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { undefinedIfDamage } from '#log/tlog/errors.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import { fieldNames, indexShapes, newest } from '#src/discovery/search/index_shape.ts'
import {
  charactersPerWord,
  countFieldWords,
  countWords,
  isOr,
  parseQueryText,
  queryWordsMax,
  unknownNames,
} from '#src/discovery/search/query_text.ts'
import {
  type FacetCount,
  type Filter,
  type IndexKind,
  SearchError,
} from '#src/discovery/search/search_engine.ts'
import {
  type FoundPage,
  identifierFilters,
  type RecordSearch,
  type Searcher,
  type SearchQuery,
} from '#src/discovery/search/search_service.ts'
import { countedAddress } from '#src/edge/caller.ts'
import { HttpError } from '#src/edge/errors.ts'
import { allBelow } from '#src/use_cases/consortium.ts'
import { organizationReply } from '#src/use_cases/organization_reply.ts'
import { everybody, personReply } from '#src/use_cases/person_reply.ts'
import type { Registry, RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  activeWorks,
  filterParameters,
  formatCursor,
  parseCursor,
  type View,
  viewParameters,
} from '#src/use_cases/search_parameters.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import { workRecord } from '#src/use_cases/work_record.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { QueryError, readParameters, wrongParameter } from '#src/edge/query_string.ts'

/** Seconds after which a search that could not be answered may be tried again. */
export const searchRetrySeconds = 5

/** Where records are looked for, and for whom. */
export type SearchSource = {
  readonly service: RecordSearch | undefined
  readonly searcher: Searcher
}

/** The search of live records for somebody without a key, at the address `ip`. */
export function publicSearch(
  { search }: Pick<RegistryEdge, 'search'>,
  ip: string,
  signal: AbortSignal,
): SearchSource {
  return { service: search?.live, searcher: { caller: countedAddress(ip), signal } }
}

/** A page of a search, and what leads to the next one; null at the end. */
export type RecordPage = FoundPage & {
  readonly nextCursor: string | null
  /** What was typed as a command of other searches, and was looked for as words. */
  readonly notUnderstood: readonly string[]
}

/**
 * Finds records of a kind as the parameters ask that were read from a request; `limit` of them at
 * most unless it says. HttpError `bad_request` for a cursor of another search and for too many
 * words, `timeout` for one that takes too long, `unavailable` if nothing can be searched now.
 */
export async function searchRecords(
  source: SearchSource,
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
  limit: number,
): Promise<RecordPage> {
  const view = values as View
  const { q = '', facets = [], isCountedWhole = false, isAnyWord = false, cursor } = view
  const sort = sortOf(view)
  const fields = fieldsOf(kind, values)
  checkWords(kind, q, fields)
  const filters = [...fields.values()].flat()
  const asked = JSON.stringify([kind, q, sort, filters])
  const after = cursor === undefined ? undefined : parseCursor(cursor, asked)
  if (cursor !== undefined && after === undefined) throw wrongCursor()
  const query = { text: q, sort, limit, facets, filters, isCountedWhole, isAnyWord }
  const page = await find(source, kind, { ...query, ...(after && { after }) })
  const nextCursor = page.next === undefined ? null : formatCursor(page.next, asked)
  return { ...page, notUnderstood: notUnderstoodIn(kind, q), nextCursor }
}

const schemes = /^(?:ark|doi|orcid|ror|https?|urn)$/i

/** What of a text looks like a command of other searches, and is looked for as words. */
function notUnderstoodIn(kind: IndexKind, q: string): readonly string[] {
  const unknown = unknownNames(q, fieldNames[kind]).filter((name) => !schemes.test(name))
  return [...operatorsIn(kind, q), ...unknown.map((name) => `${name}:`)]
}

// An `OR` that joins nothing is a word.
function operatorsIn(kind: IndexKind, q: string): ReadonlySet<string> {
  const found = [...q.matchAll(/(?<=^|\s)(?:OR|AND|NOT)(?=\s)/g)].map(([word]) => word)
  const hasLoneOr = found.includes('OR') && parseQueryText(q, fieldNames[kind]).some(isOr)
  return new Set(found.filter((word) => word !== 'OR' || hasLoneOr))
}

/** What results are ordered by: `order` is another word for the two sorts of its names. */
function sortOf({ sort, order }: View): string {
  if (sort === undefined || order === undefined || sort === order) {
    return sort ?? order ?? 'relevance'
  }
  const message =
    'The query parameter order is the sort of that name: ' +
    `give sort=${sort} or order=${order}, not both`
  throw new HttpError('bad_request', message)
}

/** The filters that parameters ask for, each with the name of its parameter. */
function fieldsOf(
  kind: IndexKind,
  values: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly Filter[]> {
  const names = Object.keys(filterParameters[kind]).filter((name) => values[name] !== undefined)
  return new Map(names.map((name) => [name, values[name] as readonly Filter[]]))
}

async function find(
  { service, searcher }: SearchSource,
  kind: IndexKind,
  query: SearchQuery,
): Promise<FoundPage> {
  if (service === undefined) throw unavailable()
  try {
    return await service.find(kind, query, searcher)
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    if (error.code === 'search_place_lost') throw wrongCursor()
    throw error.code === 'search_timeout' ? tooLong(error) : unavailable(error)
  }
}

function wrongCursor(): QueryError {
  return wrongParameter('cursor', 'the next_cursor of this very search; else begin without it')
}

function tooLong(cause: Error): HttpError {
  const message =
    'The search took too long and was ended; look for fewer or rarer words, or in fewer years'
  return new HttpError('timeout', message, { cause })
}

function unavailable(cause?: Error): HttpError {
  const message = 'Search is not available now; everything else is'
  const extra = { retry_after: searchRetrySeconds }
  return new HttpError('unavailable', message, { extra, ...(cause && { cause }) })
}

/**
 * Refuses a search for more words than `queryWordsMax`, with HttpError `bad_request`. `fields` are
 * the filters of each parameter: the words that they look for count together with those of `q`.
 */
function checkWords(
  kind: IndexKind,
  q: string,
  fields: ReadonlyMap<string, readonly Filter[]>,
): void {
  const counts = new Map([['q', countWords(parseQueryText(q, fieldNames[kind]))]])
  for (const [name, filters] of fields) {
    const words = filters.map((one) => (one.type === 'words' ? countFieldWords(one.text) : 0))
    counts.set(name, sumOf(words))
  }
  const total = sumOf([...counts.values()])
  if (total <= queryWordsMax) return
  const names = [...counts].filter(([, count]) => count > 0).map(([name]) => name)
  const isOne = names.length === 1
  const subject = isOne ? `parameter ${names[0]}` : `parameters ${names.join(', ')} together`
  throw new QueryError(
    names[0] ?? 'q',
    'too_many_words',
    `The query ${subject} must have ${queryWordsMax} different words at most, not ${total}; ` +
      `in scripts that part no words, ${charactersPerWord} characters count as one`,
  )
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * The path of the one record that an identifier names: a work's ARK or DOI, a person's ppid or
 * ORCID iD, an organization's ROR id. Undefined if the text is not an identifier, or if it names
 * several records. A DOI names the work that has it now, or else the one that was withdrawn last.
 * Errors: SearchError, QueueError.
 */
export async function exactRecord(
  typed: string,
  environments: ServedEnvironments,
  { service, searcher }: SearchSource,
): Promise<string | undefined> {
  const { live } = environments
  const ark = parseArkReference(typed.trim(), live.naan)
  if ('ark' in ark && knownIn(environments, ark.ark)) return `/ark:/${ark.ark}`
  if (service === undefined) return undefined
  for (const kind of ['works', 'people', 'organizations'] as const) {
    const named = identifierFilters(kind, typed, live.naan).filter(isOwn(kind))
    for (const filter of named) {
      const filters = kind === 'works' ? [filter, ...activeWorks.status] : [filter]
      const query = { text: '', filters, sort: newest, limit: 2, facets: [] }
      const [id, ...others] = (await service.find(kind, query, searcher)).ids
      if (id !== undefined) return others.length === 0 ? pathOf[kind](id) : undefined
    }
  }
  return withdrawnPath(typed, environments)
}

function withdrawnPath(typed: string, { live }: ServedEnvironments): string | undefined {
  const dois = identifierFilters('works', typed, live.naan).flatMap((filter) =>
    filter.type === 'any_of' && filter.field === 'doi' ? filter.values : [],
  )
  const [ark] = dois.flatMap((doi) => live.catalogue.withdrawnWithDoi(doi) ?? [])
  return ark === undefined ? undefined : `/ark:/${ark}`
}

/** The ARK to suggest for one that no work has, if the text is an ARK at all. */
export function suggestedArk(typed: string, { live }: ServedEnvironments): string | undefined {
  const parsed = parseArkReference(typed.trim(), live.naan)
  if (!('ark' in parsed)) return undefined
  const suggested = workNotFound(live, parsed.ark).extra['did_you_mean']
  return typeof suggested === 'string' ? suggested : undefined
}

const pathOf: Readonly<Record<IndexKind, (id: string) => string>> = {
  works: (id) => `/ark:/${documentArk(id)}`,
  people: (id) => `/people/${id}`,
  organizations: (slug) => `/publishers/${slug}`,
}

// Works have people among their values; what they are found by there names the person.
function isOwn(kind: IndexKind): (filter: Filter) => boolean {
  return ({ field }) => kind !== 'works' || field === 'doi' || field === 'id'
}

function knownIn({ live, sandbox }: ServedEnvironments, ark: string): boolean {
  const owner = ark.startsWith(`${sandbox.naan}/`) ? sandbox : live
  return owner.catalogue.state(ark) !== undefined
}

/** Bytes of records after which the reply of a search ends: what publishers write can be long. */
const resultBytesEnough = 1_048_576

/**
 * The records that an index names, as JSON texts in its order. They are read where they are kept,
 * as they stand now: what is erased or damaged since it was indexed is left out.
 */
export async function renderResults(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
): Promise<string[]> {
  return (await renderFirst(kind, ids, registry, Infinity)).texts
}

/** The first of these records, as many as one reply has; `read` tells how many that are. */
export function renderPage(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
): Promise<{ readonly texts: string[]; readonly read: number }> {
  return renderFirst(kind, ids, registry, resultBytesEnough)
}

async function renderFirst(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
  bytesEnough: number,
): Promise<{ readonly texts: string[]; readonly read: number }> {
  const stride = new Stride()
  const texts: string[] = []
  let bytes = 0
  let read = 0
  for (const id of ids) {
    const text = await renderResult(kind, id, registry).catch(undefinedIfDamage)
    read += 1
    if (text === undefined) continue
    texts.push(text)
    const cost = text.length + countedBelow(kind, id, registry) * countBytes
    bytes += cost
    if (bytes >= bytesEnough) break
    await stride.step(cost)
  }
  return { texts, read }
}

/** What a count of works of an organization below a found one takes, as bytes of a record. */
const countBytes = 512

function countedBelow(kind: IndexKind, id: string, { environment }: Registry): number {
  return kind === 'organizations' ? allBelow(environment, id).length : 0
}

async function renderResult(
  kind: IndexKind,
  id: string,
  { environment, baseUrl }: Registry,
): Promise<string | undefined> {
  switch (kind) {
    case 'works':
      return workRecord(environment, documentArk(id))
    case 'people': {
      const person = environment.people.read(id)
      if (person?.type !== 'person') return undefined
      const worksCount = environment.claims.worksCount(id)
      const known = { person, account: undefined, claims: [], worksCount }
      const { claims: _, ...shown } = personReply(known, everybody, baseUrl)
      return JSON.stringify(shown)
    }
    case 'organizations': {
      const organization = environment.organizations.read(id)
      return organization && JSON.stringify(organizationReply(baseUrl, environment, organization))
    }
  }
}

/** What works can be counted by. */
export const statisticsGroups: readonly string[] = indexShapes.works.facets

/** Where statistics are had as JSON and as CSV. */
export const statisticsPath = '/statistics/works'

/** How many works there are in all, and with each value of a group, the commonest first. */
export type WorkStatistics = {
  readonly works: number
  readonly groups: Readonly<Record<string, readonly FacetCount[]>>
}

/**
 * Counts all works that a search finds, however many, by groups. `values` are the parameters of the
 * search. Errors: those of `searchRecords`.
 */
export async function countWorks(
  source: SearchSource,
  values: Readonly<Record<string, unknown>>,
  groups: readonly string[],
): Promise<WorkStatistics> {
  // The order of a search of which only numbers are wanted: to rank what it finds takes longest.
  const asked = { ...values, facets: groups, sort: newest, isCountedWhole: true }
  const { facets, facetsOf } = await searchRecords(source, 'works', asked, 1)
  return { works: facetsOf, groups: facets }
}

/** Statistics as a table: a row for each value of each group. */
export function statisticsCsv({ groups }: WorkStatistics): string {
  const rows = Object.entries(groups).flatMap(([group, counts]) =>
    counts.map(({ value, name, count }) => csvRow([group, value, name, String(count)])),
  )
  return csvRow(['group', 'value', 'name', 'works']) + rows.join('')
}

/** What a saved search can ask for: its order is always the newest first. */
const parameters = { q: viewParameters('works').q, ...filterParameters.works }

/** Characters of a saved search. */
const queryCharactersMax = 2_000

/**
 * The query of a search of works as it is saved: its words and filters. HttpError `bad_request` if
 * one is wrong, if there are none, or if they are too long.
 */
export function savedQuery(text: string): string {
  const given = [...new URLSearchParams(text)].filter(([name, value]) => {
    return Object.hasOwn(parameters, name) && value.trim() !== ''
  })
  const asked = new Map(given)
  readParameters(Object.fromEntries(asked), parameters)
  const query = new URLSearchParams([...asked]).toString()
  if (query !== '' && query.length <= queryCharactersMax) return query
  throw new HttpError(
    'bad_request',
    `A saved search has words or filters, with ${queryCharactersMax} characters at most`,
  )
}

/** From which time on works are counted, and before which one, in milliseconds since 1970. */
type Span = { readonly fromMs: number; readonly untilMs?: number }

/**
 * How many works that a saved search finds were registered in a span; undefined if it is refused,
 * for a filter or a value that it was saved with is no longer known. HttpError as searches.
 */
export async function countNew(
  source: SearchSource,
  query: string,
  span: Span,
): Promise<number | undefined> {
  try {
    return await countInSpan(source, query, span)
  } catch (error) {
    if (error instanceof HttpError && error.code === 'bad_request') return undefined
    throw error
  }
}

async function countInSpan(
  source: SearchSource,
  query: string,
  { fromMs, untilMs }: Span,
): Promise<number> {
  const asked = readParameters(Object.fromEntries(new URLSearchParams(query)), parameters)
  const to = untilMs !== undefined && { to: untilMs - 1 }
  const created: Filter = { type: 'range', field: 'created', from: fromMs, ...to }
  const values = { ...asked, created_from: [...(asked.created_from ?? []), created], sort: newest }
  return (await searchRecords(source, 'works', values, 1)).total
}
