import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'

import type { HeldWork, OwnerListPage } from '#actors/registry/catalogue/owner_lists.ts'
import { FairQueue } from '#actors/kernel/fair_queue.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { formatBibtex } from '#src/discovery/formats/bibtex.ts'
import { csvNote, csvRows } from '#src/discovery/formats/csv_row.ts'
import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import {
  describedWork,
  readResolution,
  registrantOf,
  type ResolutionBody,
} from '#src/discovery/formats/resolution.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import type { Filter } from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { filterField, type FilterOption, filterQuery } from '#src/pages/kit/parts.ts'
import { formatNumber, plural, typeName } from '#src/pages/kit/words.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'

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
  ['verified', 'As registered'],
  ['pending', 'Not read yet'],
  ['failed', 'Changed'],
  ['unreachable', 'Could not be read'],
] as const

const states = [
  ['registered', 'Registered'],
  ['withdrawn', 'Withdrawn'],
] as const

const sorts = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['updated', 'Changed last first'],
  ['published', 'Published last first'],
  ['title', 'Title'],
] as const

const monthForm = /^(?<year>\d{4})(?:-(?<month>0[1-9]|1[0-2]))?$/

/** Reads a filter from the query of an address; `fault` says what of it cannot be asked. */
export function readFilter(query: URLSearchParams): {
  readonly filter: WorkFilter
  readonly fault?: string
} {
  const given = (name: string) => (query.get(name) ?? '').trim()
  const oneOf = (name: string, values: readonly (readonly [string, string])[]) =>
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
  return { filter, fault: `“${registered}” is no year or month: write 2026 or 2026-03.` }
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
  const count = folded.length === 0 ? '' : html` (${folded.length} set)`
  const clear =
    filterQuery(filter).size === 0 ? nothing : html`<a href="${action}">Show all works</a>`
  const types = workTypeNames.map((name) => [name, typeName(name)] as const)
  const choice = (name: keyof WorkFilter, label: string, options: readonly FilterOption[]) =>
    filterField({ name, label, value: filter[name], options })
  return html`<form class="filter" method="get" action="${action}" role="search"
aria-label="Works of the organization">
<div class="filter-search"><input type="search" name="q" value="${q}" maxlength="1000"
aria-label="Title, DOI or ARK" placeholder="Title, DOI or ARK" autocomplete="off"
spellcheck="false"><button class="button" type="submit">Find</button></div>
<details class="filter-more" ${folded.length === 0 ? '' : 'open'}><summary>Filter and sort${count}
</summary><div class="filter-fields">
${choice('type', 'Type', [['', 'Every type'], ...types])}
${choice('state', 'State', [['', 'All'], ...states])}
${choice('content', 'Content', [['', 'All'], ...contents])}
<div class="field"><label for="filter-registered">Registered in</label><input type="text"
id="filter-registered" name="registered" value="${registered}" maxlength="7" size="8"
placeholder="2026-03" spellcheck="false"></div>
${choice('sort', 'Order', [['', 'As it fits'], ...sorts])}
<button class="button button-quiet" type="submit">Apply</button></div></details>
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

/** What one file may have: a file that would have more ends with a word on how to go on. */
export const exportWorksMax = 100_000
const exportBytesMax = 67_108_864
const exportMsMax = 60_000

/** Bytes that are sent at a time, about. */
const chunkBytes = 65_536

// A file keeps a thread half busy for as long as it takes: two at a time, and one of a person.
const exportLimits = {
  runningMax: 2,
  runningPerCallerMax: 1,
  waitingMax: 32,
  waitingPerCallerMax: 2,
}

/** The files that works are exported as. */
export const exportFormats = {
  csv: { label: 'CSV', mediaType: 'text/csv', extension: 'csv' },
  bibtex: { label: 'BibTeX', mediaType: 'application/x-bibtex', extension: 'bib' },
} as const

export type ExportFormat = keyof typeof exportFormats

type WorkExport = {
  readonly format: ExportFormat
  /** The name of the file without its ending. */
  readonly name: string
  /** A page of the works; it begins at `cursor`, or with the first one. */
  readonly page: (cursor: string | undefined) => Promise<HeldPage>
  /** The address of the file that goes on at a place. */
  readonly addressAt: (cursor: string) => string
}

type WorkExporterOptions = {
  readonly environment: Pick<ServedEnvironment, 'catalogue' | 'organizations'>
  readonly baseUrl: string
  readonly nowMs: () => number
}

/** Sends works as files, piece by piece, within bounds; its callers take turns. */
export class WorkExporter {
  readonly #options: WorkExporterOptions
  readonly #queue = new FairQueue(exportLimits)

  constructor(options: WorkExporterOptions) {
    this.#options = options
  }

  /**
   * Sends the file as the reply, for whom `caller` names; resolves when it is sent, or its reader
   * has left. Errors: QueueError if too many wait; what the first page throws. What fails later
   * ends the file with a word.
   */
  async send(reply: FastifyReply, caller: string, wanted: WorkExport): Promise<void> {
    await this.#queue.run(
      caller,
      async () => {
        const first = await wanted.page(undefined)
        const { mediaType, extension } = exportFormats[wanted.format]
        reply.header('content-type', `${mediaType}; charset=utf-8`)
        const file = `${wanted.name}.${extension}`
        reply.header('content-disposition', `attachment; filename="${file}"`)
        reply.header('cache-control', 'no-store')
        const stream = Readable.from(this.#pieces(wanted, first))
        reply.send(stream)
        // Whoever leaves has had enough of it.
        await finished(stream).catch(() => undefined)
      },
      reply.standAside(),
    )
  }

  async *#pieces(wanted: WorkExport, first: HeldPage): AsyncGenerator<Buffer> {
    let text = ''
    let bytes = 0
    for await (const piece of this.#texts(wanted, first, () => bytes)) {
      text += piece
      bytes += Buffer.byteLength(piece)
      if (text.length < chunkBytes) continue
      yield Buffer.from(text)
      text = ''
    }
    if (text !== '') yield Buffer.from(text)
  }

  async *#texts(
    { format, page, addressAt }: WorkExport,
    first: HeldPage,
    bytesSent: () => number,
  ): AsyncGenerator<string> {
    const { nowMs } = this.#options
    const endMs = nowMs() + exportMsMax
    const stride = new Stride()
    const write = writers[format]()
    let works = 0
    let erased = 0
    let held = first
    for (;;) {
      for (const work of held.works) {
        const described = await this.#describe(work)
        if (described === undefined) erased += 1
        else {
          const text = write.work(described)
          works += 1
          yield text
          await stride.step(text.length)
        }
      }
      const { next } = held
      if (next === null) break
      const bound = boundOf(works, bytesSent(), endMs - nowMs())
      const rest = `The rest: ${addressAt(next)}`
      if (bound !== undefined) {
        yield write.note(`${plural(works, 'work')}; the file ends here ${bound}. ${rest}`)
        return
      }
      try {
        held = await page(next)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        yield write.note(`${plural(works, 'work')}; cut off: ${error.message}. ${rest}`)
        return
      }
    }
    if (erased > 0) {
      yield write.note(`${plural(erased, 'work')} without metadata, which were erased: left out.`)
    }
  }

  /** The work as formats describe it; undefined if there is nothing left to describe. */
  async #describe({ ark_identifier: shown }: HeldWork): Promise<DescribedWork | undefined> {
    const { environment, baseUrl } = this.#options
    const { catalogue } = environment
    const ark = plainArk(shown)
    const found = await catalogue.resolve(ark, shown)
    if (found.type === 'not_found') return undefined
    const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as ResolutionBody
    const place = { baseUrl, isPinned: false, registrant: registrantOf(environment, ark) }
    return describedWork(readResolution(body), place)
  }
}

function boundOf(works: number, bytes: number, msLeft: number): string | undefined {
  if (works >= exportWorksMax) return `because it has ${formatNumber(exportWorksMax)} works`
  if (bytes >= exportBytesMax) return `because it has ${exportBytesMax / 1_048_576} MiB`
  if (msLeft <= 0) return `because it took ${exportMsMax / 1_000} seconds`
  return undefined
}

/** How a format writes one work after another, and a word at the end. */
type Writer = {
  readonly work: (work: DescribedWork) => string
  readonly note: (text: string) => string
}

const writers: Readonly<Record<ExportFormat, () => Writer>> = {
  csv() {
    let columns = ''
    return {
      work(work) {
        const { header, row } = csvRows(work)
        if (columns !== '') return row
        columns = header
        // By this mark programs for tables know that it is UTF-8.
        return `\ufeff${header}${row}`
      },
      note: (text) => csvNote(text, columns),
    }
  },
  bibtex: () => ({
    work: (work) => `${formatBibtex(work)}\n`,
    // What stands outside of entries, BibTeX leaves alone, unless an at sign is in it.
    note: (text) => `% ${text.replaceAll('@', '(at)')}\n`,
  }),
}
