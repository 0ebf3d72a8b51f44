import type { HeldWork, OwnerListPage } from '#actors/registry/catalogue/owner_lists.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import type { Filter } from '#src/discovery/search/search_engine.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { filterField, type FilterOption, filterQuery } from '#src/pages/kit/parts.ts'
import { typeName } from '#src/pages/kit/words.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import { organizations, record } from '#src/words/english.ts'
import { capitalized } from '#src/words/format.ts'
import { worksList as words } from '#src/words/publisher_desk.ts'
import type { Text } from '#src/words/wording.ts'

/** What is asked of an organization's works; an empty text asks for nothing. */
export type WorkFilter = {
  /** Words, an ARK or a DOI. */
  readonly q: string
  readonly type: string
  readonly state: '' | 'registered' | 'withdrawn'
  readonly content: string
  /** When they were registered: `2026` or `2026-03`. */
  readonly registered: string
  readonly sort: string
}

/** The members of a filter, as they are called in addresses. */
const names = ['q', 'type', 'state', 'content', 'registered', 'sort'] as const

const textCharactersMax = 1_000

/** What is known of content, by the status that searches know. */
const contents = [
  ['verified', capitalized(organizations.verified)],
  ['pending', capitalized(organizations.pending)],
  ['failed', capitalized(organizations.changed)],
  ['unreachable', capitalized(organizations.unreachable)],
] as const

const states = [
  ['registered', words.stateRegistered],
  ['withdrawn', words.stateWithdrawn],
] as const

const sorts = [
  ['newest', words.newest],
  ['oldest', words.oldest],
  ['updated', words.updated],
  ['published', words.published],
  ['title', words.byTitle],
] as const

const monthForm = /^(?<year>\d{4})(?:-(?<month>0[1-9]|1[0-2]))?$/

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
export function readFilter(query: URLSearchParams): {
  readonly filter: WorkFilter
  readonly fault?: Text
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const oneOf = (name: string, values: readonly (readonly [string, Text])[]) =>
    values.find(([value]) => value === given(name))?.[0] ?? ''
  const registered = given('registered')
  const isMonth = registered === '' || monthForm.test(registered)
  const filter: WorkFilter = {
    q: given('q').slice(0, textCharactersMax),
    type: workTypeNames.find((name) => name === given('type')) ?? '',
    state: oneOf('state', states) as WorkFilter['state'],
    content: oneOf('content', contents),
    registered: isMonth ? registered : '',
    sort: oneOf('sort', sorts),
  }
  if (isMonth) return { filter }
  return { filter, fault: words.noMonth({ typed: registered }) }
}

/** The first and the last moment of the year or month, in milliseconds; undefined without one. */
function timesOf({
  registered,
}: WorkFilter): { readonly from: number; readonly to: number } | undefined {
  const { year, month } = monthForm.exec(registered)?.groups ?? {}
  if (year === undefined) return undefined
  const [first, next] =
    month === undefined
      ? [Date.UTC(Number(year), 0), Date.UTC(Number(year) + 1, 0)]
      : [Date.UTC(Number(year), Number(month) - 1), Date.UTC(Number(year), Number(month))]
  return { from: first, to: next - 1 }
}

/** The form of the filter: a search, and what else may be asked for behind a fold. */
export function filterForm(action: string, filter: WorkFilter): Html {
  const { q, registered } = filter
  const folded = names.filter((name) => name !== 'q' && filter[name] !== '')
  const fold =
    folded.length === 0 ? words.filterAndSort : words.filtersSet({ count: folded.length })
  const clear =
    filterQuery(filter).size === 0 ? nothing : html`<a href="${action}">${words.showAll}</a>`
  const types = workTypeNames.map((name) => [name, typeName(name)] as const)
  const choice = (name: keyof WorkFilter, label: Text, options: readonly FilterOption[]) =>
    filterField({ name, label, value: filter[name], options })
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="${words.filterLabel}">
<div class="filter-search"><input type="search" name="q" value="${q}" maxlength="1000"
aria-label="${words.searchLabel}" placeholder="${words.searchLabel}" autocomplete="off"
spellcheck="false"><button class="button" type="submit">${words.search}</button></div>
<details class="filter-more" ${folded.length === 0 ? '' : 'open'}><summary>${fold}
</summary><div class="filter-fields">
${choice('type', record.type, [['', words.everyType], ...types])}
${choice('state', words.state, [['', words.all], ...states])}
${choice('content', words.content, [['', words.all], ...contents])}
<div class="field"><label for="filter-registered">${words.registeredIn}</label><input type="text"
id="filter-registered" name="registered" value="${registered}" maxlength="7" size="8"
placeholder="2026-03" spellcheck="false"></div>
${choice('sort', words.order, [['', words.bestMatch], ...sorts])}
<button class="button button-quiet" type="submit">${words.apply}</button></div></details>
${clear}</form>`
}

/** Where works of an owner are looked for. */
export type HeldSource = {
  readonly environment: Pick<ServedEnvironment, 'holdings'>
  readonly owner: OwnerRef & { readonly type: 'organization' }
  readonly search: SearchSource
}

/** A page of works; `next` is where the one after it begins, null at the end. */
export type HeldPage = {
  readonly works: readonly HeldWork[]
  readonly next: string | null
  /** How many there are in all, if that is known; `isExact`: there are no more. */
  readonly total?: { readonly count: number; readonly isExact: boolean }
}

/** A page that is asked for: where it begins, if not at the first work. */
type AskedPage = { readonly cursor: string | undefined; readonly limit: number }

/**
 * Works of an owner as a filter asks for them. Without one they come from the rows, as they stand
 * this moment, and withdrawn ones alone in the order of their withdrawal; all else is answered by
 * the index of the search, which knows of a work moments after it was registered or withdrawn.
 * Errors: HttpError as `searchRecords`.
 */
export function findHeld(
  source: HeldSource,
  filter: WorkFilter,
  page: AskedPage,
): Promise<HeldPage> {
  const { q, type, content, registered, state, sort } = filter
  const isPlain = [q, type, content, registered].every((value) => value === '')
  const isByTime = sort === '' || sort === 'newest' || sort === 'oldest'
  if (!isPlain || !isByTime || state === 'registered') return foundWorks(source, filter, page)
  return state === 'withdrawn' ? withdrawnWorks(source, sort, page) : allWorks(source, sort, page)
}

async function allWorks(
  { environment, owner }: HeldSource,
  sort: string,
  { cursor, limit }: AskedPage,
): Promise<HeldPage> {
  const { holdings } = environment
  const place = parseDecimal(cursor ?? '')
  const order = sort === 'oldest' ? 'oldest' : 'newest'
  const page = { limit, order, ...(place !== undefined && { cursor: place }) } as const
  const held = await holdings.works(owner, page)
  const { works_count } = holdings.counts(owner)
  const { withdrawn } = holdings.breakdown(owner)
  return {
    ...describe({ environment, owner }, held),
    total: { count: works_count + withdrawn, isExact: true },
  }
}

type Rows = Pick<HeldSource, 'environment' | 'owner'>

function describe({ environment, owner }: Rows, held: OwnerListPage<number>): HeldPage {
  const works = held.works.flatMap(({ ark_identifier: ark }) => {
    return environment.holdings.work(owner, plainArk(ark)) ?? []
  })
  return { works, next: held.next === null ? null : `${held.next}` }
}

/** `naan/name` of an ARK as it is shown. */
export function plainArk(shown: string): string {
  return shown.replace(/^ark:\/?/, '').replace(/\/\d{8}\//, '/')
}

async function withdrawnWorks(
  source: HeldSource,
  sort: string,
  { cursor, limit }: AskedPage,
): Promise<HeldPage> {
  const { environment, owner } = source
  const { holdings } = environment
  const place = parseDecimal(cursor ?? '')
  const order = sort === 'oldest' ? 'oldest' : 'newest'
  const page = { limit, order, ...(place !== undefined && { cursor: place }) } as const
  const held = await holdings.withdrawn(owner, page)
  const { withdrawn } = holdings.breakdown(owner)
  return { ...describe(source, held), total: { count: withdrawn, isExact: true } }
}

async function foundWorks(
  { environment, owner, search }: HeldSource,
  filter: WorkFilter,
  { cursor, limit }: AskedPage,
): Promise<HeldPage> {
  const { q, sort } = filter
  const order = sort === '' ? (q === '' ? 'newest' : 'relevance') : sort
  const asked = {
    ...(q !== '' && { q }),
    sort: order,
    ...(cursor !== undefined && { cursor }),
    ...conditions(owner, filter),
  }
  const page = await searchRecords(search, 'works', asked, limit)
  const works = page.ids.flatMap((id) => environment.holdings.work(owner, documentArk(id)) ?? [])
  const { total: count, isExact, nextCursor: next } = page
  return { works, next, total: { count, isExact } }
}

function conditions(
  owner: OwnerRef,
  filter: WorkFilter,
): Readonly<Record<string, readonly Filter[]>> {
  const { type, content, state } = filter
  const status = { registered: 'active', withdrawn: 'withdrawn' } as const
  const times = timesOf(filter)
  const anyOf = (field: string, value: string): readonly Filter[] => [
    { type: 'any_of', field, values: [value] },
  ]
  return {
    organization: anyOf('organization', owner.id),
    ...(type !== '' && { type: anyOf('type', type) }),
    ...(state !== '' && { status: anyOf('status', status[state]) }),
    ...(content !== '' && { fixity_status: anyOf('fixity_status', content) }),
    ...(times && { created_from: [{ type: 'range', field: 'created', ...times }] }),
  }
}

/** Writes that are under way at a time. */
const rechecksAtOnce = 20

/** Has the content of works, `naan/name`, read again as soon as their hosts allow. */
export async function recheckAll(
  fixity: ServedEnvironment['fixity'],
  arks: readonly string[],
  by: Agent,
): Promise<void> {
  for (let first = 0; first < arks.length; first += rechecksAtOnce) {
    const some = arks.slice(first, first + rechecksAtOnce)
    await Promise.all(some.map((ark) => fixity.recheck(ark, by)))
  }
}
