import { parseDecimal } from '#log/tlog/encoding.ts'
import type { HeldWork, OwnerListPage } from '#actors/catalogue/owner_lists.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import { foldTitle } from '#actors/values/text.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import type { Filter } from '#src/discovery/search/search_engine.ts'
import { timesOf, type WorkFilter } from '#src/pages/organization/work_filter.ts'

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
export type AskedPage = { readonly cursor: string | undefined; readonly limit: number }

/** Withdrawn works that one page looks at, at most, for those that are asked for. */
const withdrawnReadMax = 1_000

/**
 * Works of an owner as a filter asks for them. Without one they come from the rows, as they stand
 * this moment; withdrawn ones as well; all else is answered by the index of the search, which knows
 * of a work moments after it was registered, and of none that was withdrawn. Errors: HttpError as
 * `searchRecords`.
 */
export function findHeld(
  source: HeldSource,
  filter: WorkFilter,
  page: AskedPage,
): Promise<HeldPage> {
  const { q, type, content, registered, state, sort } = filter
  if (state === 'withdrawn') return withdrawnWorks(source, filter, page)
  const isPlain = [q, type, content, registered, state].every((value) => value === '')
  const isByTime = sort === '' || sort === 'newest' || sort === 'oldest'
  return isPlain && isByTime ? allWorks(source, sort, page) : foundWorks(source, filter, page)
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
  filter: WorkFilter,
  { cursor, limit }: AskedPage,
): Promise<HeldPage> {
  const { environment, owner } = source
  const { holdings } = environment
  const isWanted = wantedBy(filter)
  const isAll = [filter.q, filter.type, filter.registered, filter.content].every((v) => v === '')
  const order = filter.sort === 'oldest' ? 'oldest' : 'newest'
  const stride = new Stride()
  const works: HeldWork[] = []
  let place = parseDecimal(cursor ?? '')
  let read = 0
  // One after another where some are left out: a page goes on behind the last one that it shows.
  while (works.length < limit && read < withdrawnReadMax) {
    const some = isAll ? limit : 1
    const page = { limit: some, order, ...(place !== undefined && { cursor: place }) } as const
    const held = await holdings.withdrawn(owner, page)
    works.push(...describe(source, held).works.filter(isWanted))
    read += some
    place = held.next ?? undefined
    if (place === undefined) break
    await stride.step(1)
  }
  const { withdrawn } = holdings.breakdown(owner)
  const next = place === undefined ? null : `${place}`
  return { works, next, ...(isAll && { total: { count: withdrawn, isExact: true } }) }
}

/** Tells whether a withdrawn work is asked for; nobody knows more of it than its row. */
function wantedBy({ q, type, content, registered }: WorkFilter): (work: HeldWork) => boolean {
  const words = foldTitle(q).split(' ')
  return (work) => {
    if (type !== '' && work.work_type !== type) return false
    if (content !== '' && work.fixity_status !== content) return false
    if (!work.created_at.startsWith(registered)) return false
    const title = foldTitle(work.work_title ?? '')
    return q === '' || q.includes(plainArk(work.ark_identifier)) || words.every(isIn(title))
  }
}

function isIn(title: string): (word: string) => boolean {
  return (word) => title.includes(word)
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
  const { type, content } = filter
  const times = timesOf(filter)
  const anyOf = (field: string, value: string): readonly Filter[] => [
    { type: 'any_of', field, values: [value] },
  ]
  return {
    organization: anyOf('organization', owner.id),
    ...(type !== '' && { type: anyOf('type', type) }),
    ...(content !== '' && { fixity_status: anyOf('fixity_status', content) }),
    ...(times && { created_from: [{ type: 'range', field: 'created', ...times }] }),
  }
}
