import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment, ServedEnvironments } from '#actors/registry/environment.ts'
import { type Agent, formatOwner, type OwnerRef } from '#actors/values/agent.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { foldDoi } from '#actors/values/identifier.ts'
import { foldLanguage } from '#actors/values/language.ts'
import { foldLicense } from '#actors/values/license.ts'
import { foldTitle } from '#actors/values/text.ts'
import { foldWorkType } from '#actors/values/work_type.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { readCsvCells } from '#src/discovery/citation_files/csv_file.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import type { Filter } from '#src/discovery/search/search_engine.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import type { BulkActors, BulkChanges, BulkJob } from '#src/use_cases/bulk_change_jobs.ts'
import {
  type BulkEdit,
  type BulkFilter,
  type BulkPlan,
  type BulkRefusal,
  type BulkSelection,
  bulkTextMax,
  bulkWorksMax,
  editedWork,
  fieldChanges,
  type LeftWork,
  powerOf,
  readBulkEdit,
  readDifference,
  type ReadyWork,
} from '#src/use_cases/bulk_edit.ts'
import type { BulkUndo } from '#src/use_cases/bulk_undo.ts'
import { searchRecords, type SearchSource } from '#src/use_cases/record_search.ts'
import { activeWorks } from '#src/use_cases/search_parameters.ts'
import { readSeen, type SeenWork } from '#src/use_cases/work_change.ts'

/** Works of an owner that are looked at for one. */
const lookedAtMax = 200_000

/**
 * The ARKs and DOIs of a file: one a line, or those of a table with a column for the ARK or DOI.
 * Lines that begin with # are notes. HttpError `validation_failed` for a table that is broken.
 */
export function readWorkList(given: string, field = 'works'): readonly string[] {
  const table = readCsvCells(given, ['ark', 'existing_doi'])
  if (table?.fault !== undefined) {
    const fault = { field, code: 'not_readable', message: table.fault }
    throw invalidInput('The list of works cannot be read', [fault])
  }
  const names = table?.cells ?? given.replace(/^\ufeff/, '').split(/\r\n|[\r\n]/)
  return names.map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('#'))
}

type IsChosen = (work: SeenWork) => boolean

/** A condition of a filter: undefined for a text that it cannot be made of. */
type ConditionOf = (text: string) => IsChosen | undefined

const yearsForm = /^(?<first>\d{4})(?:-(?<last>\d{4}))?$/
const dayForm = /^\d{4}-\d{2}-\d{2}$/

function equal(name: keyof Metadata, fold: (text: string) => string | undefined): ConditionOf {
  return (asked) => {
    const wanted = fold(asked)
    return wanted === undefined ? undefined : ({ metadata }) => metadata[name] === wanted
  }
}

function sameWords(name: 'publisher_name' | 'container_title'): ConditionOf {
  return (asked) => {
    const wanted = foldTitle(asked)
    return ({ metadata }) => foldTitle(metadata[name] ?? '') === wanted
  }
}

function registered(isIn: (day: string, asked: string) => boolean): ConditionOf {
  return (asked) => {
    return dayForm.test(asked)
      ? ({ state }) => isIn(state.created_at.slice(0, 10), asked)
      : undefined
  }
}

// Words are looked for in the index of the search, and all else in the works themselves.
const conditions: Readonly<
  Record<Exclude<keyof BulkFilter, 'q'>, readonly [ConditionOf, accepts: string]>
> = {
  type: [equal('work_type', foldWorkType), 'a type of works such as article'],
  license: [equal('license', foldLicense), 'an SPDX identifier such as CC-BY-4.0, or an address'],
  language: [equal('language', foldLanguage), 'a language code such as en'],
  publisher: [sameWords('publisher_name'), 'the name of a publisher'],
  container: [sameWords('container_title'), 'the title of a journal or book'],
  address: [
    (asked) =>
      ({ metadata }) =>
        metadata.work_url?.startsWith(asked) === true,
    'the beginning of an address',
  ],
  year: [
    (asked) => {
      const { first, last = first } = yearsForm.exec(asked)?.groups ?? {}
      if (first === undefined || last === undefined || last < first) return undefined
      return ({ metadata }) => {
        const year = metadata.published_date?.slice(0, 4) ?? ''
        return year >= first && year <= last
      }
    },
    'a year such as 2024, or years such as 2019-2024',
  ],
  registered_from: [registered((day, asked) => day >= asked), 'a day such as 2026-01-31'],
  registered_to: [registered((day, asked) => day <= asked), 'a day such as 2026-01-31'],
}

/** All conditions of a filter but its words, as one. HttpError `validation_failed`. */
function conditionOf({ q: _q, ...asked }: BulkFilter): IsChosen {
  const faults: FieldFault[] = []
  const all = Object.entries(asked).flatMap(([name, given]): readonly IsChosen[] => {
    const [condition, accepts] = conditions[name as keyof typeof conditions]
    const made = given.length > bulkTextMax ? undefined : condition(given)
    if (made !== undefined) return [made]
    faults.push({
      field: `filter.${name}`,
      code: 'bad_value',
      message: `${name} must be ${accepts}`,
    })
    return []
  })
  if (faults.length > 0) throw invalidInput('Works cannot be chosen like this', faults)
  return (work) => all.every((isChosen) => isChosen(work))
}

/** Where works are chosen, whose they are, and who changes them. */
export type BulkSource = {
  readonly environment: ServedEnvironment
  readonly search: SearchSource
  readonly owner: OwnerRef
  readonly by: Agent
}

/** A bulk change that is asked for: by whom in the organization, and of which works. */
export type BulkRequest = {
  readonly edit: BulkEdit
  readonly selection: BulkSelection
  readonly askedBy: Agent
}

/**
 * Finds what an edit would do to the works of an organization that are chosen, and keeps it as a
 * draft: no work is changed. HttpErrors: `validation_failed` for an edit or a filter that cannot be
 * asked for, `forbidden` for an undo by others than owners and administrators, those of
 * `searchRecords` where there are words or DOIs to look for. QueueError.
 */
export async function prepareBulkChange(
  changes: BulkChanges,
  source: BulkSource,
  { edit: asked, selection, askedBy }: BulkRequest,
): Promise<BulkJob> {
  const { owner, by, environment } = source
  const edit = readBulkEdit(asked)
  refuseUnpermitted(environment, { slug: owner.id, edit }, askedBy)
  if (edit.undo !== undefined && 'filter' in selection && selection.filter.q !== undefined) {
    const message = 'An undo looks at all works that were changed: leave out the words'
    throw invalidInput('Works cannot be chosen like this', [
      { field: 'filter.q', code: 'bad_value', message },
    ])
  }
  const { signal } = source.search.searcher
  const plan = await changes.planning.run(
    `${environment.name}/${owner.id}`,
    () => planBulkChange(source, edit, selection),
    signal,
  )
  return changes.keep({
    slug: owner.id,
    environment: environment.name,
    edit,
    chosen: 'works' in selection ? { listed: selection.works.length } : selection,
    by,
    asked_by: askedBy,
    plan,
  })
}

/**
 * Begins what was previewed, as the act of whoever begins it. HttpErrors: `forbidden` as above,
 * those of `BulkChanges.start`.
 */
export async function startBulkChange(
  { bulkChanges, environments }: BulkStarting,
  { slug, id }: Pick<BulkJob, 'slug' | 'id'>,
  actors: BulkActors,
): Promise<BulkJob> {
  const job = bulkChanges.find(slug, id)
  if (job !== undefined) refuseUnpermitted(environments[job.environment], job, actors.asked_by)
  return bulkChanges.start(slug, id, actors)
}

type BulkStarting = { readonly bulkChanges: BulkChanges; readonly environments: ServedEnvironments }

function refuseUnpermitted(
  { organizations }: ServedEnvironment,
  { slug, edit }: Pick<BulkJob, 'slug' | 'edit'>,
  askedBy: Agent,
): void {
  const members = organizations.members(slug) ?? []
  if (edit.undo === undefined) return
  if (may(askedBy, 'organization', powerOf(edit), { slug, members })) return
  throw new HttpError(
    'forbidden',
    'Only owners of the organization (on its pages) and administrators can undo what somebody did',
  )
}

/** A bulk change as it is told of: what it does, and how far it is. */
export function bulkReply({ by: _by, asked_by: _asked, slug: organization, ...job }: BulkJob) {
  return { ...job, organization }
}

/**
 * A part of the works of a bulk change: with what differs before it is started, and with outcomes
 * afterwards; and a part of those that are left out.
 */
export async function bulkPart(
  environments: ServedEnvironments,
  changes: BulkChanges,
  job: BulkJob,
  part: number,
) {
  const works = changes.readyPart(job.id, part).map(async ({ outcome = null, ...work }) => {
    const found = await readDifference(environments[job.environment], job.edit, work)
    const differences = found === undefined ? [] : fieldChanges(found)
    const { withdraws, registers } = work
    return {
      ark_identifier: `ark:/${work.ark}`,
      changes: differences,
      ...(withdraws && { withdraws }),
      ...(registers && { registers }),
      outcome,
    }
  })
  return { works: await Promise.all(works), left_out: changes.leftPart(job.id, part) }
}

/** Tells of each work that is chosen whether it would be changed. */
async function planBulkChange(
  source: BulkSource,
  edit: BulkEdit,
  selection: BulkSelection,
): Promise<BulkPlan> {
  const plan = new Planned()
  const isList = 'works' in selection
  const isChosen = isList ? () => true : conditionOf(selection.filter)
  const named = isList ? listedWorks(source, selection.works) : worksFor(source, edit, selection)
  const stride = new Stride()
  let lookedAt = 0
  for await (const { name, ark } of named) {
    if (plan.isFull || lookedAt === lookedAtMax) return { ...plan.end(), isCut: true }
    lookedAt += 1
    const work = ark === undefined ? undefined : await readSeen(source.environment, ark)
    if (work !== undefined && !isChosen(work)) continue
    const judged = ark === undefined ? 'not_found' : await judge(source, work, edit)
    if (judged !== undefined) plan.add(name, judged, isList)
    await stride.step(1_024)
  }
  return plan.end()
}

class Planned {
  readonly #ready: ReadyWork[] = []
  readonly #left: LeftWork[] = []
  readonly #seen = new Set<string>()
  #leftMore = 0

  get isFull(): boolean {
    return this.#ready.length === bulkWorksMax
  }

  /** What is as it should be already takes no room from what a filter finds beside it. */
  add(work: string, judged: ReadyWork | BulkRefusal | Omit<LeftWork, 'work'>, isList: boolean) {
    const name = typeof judged === 'object' && 'ark' in judged ? judged.ark : work
    if (this.#seen.has(name)) return
    if (typeof judged === 'object' && 'ark' in judged) this.#ready.push(judged)
    else if (!isList && this.#left.length >= bulkWorksMax) this.#leftMore += 1
    else this.#left.push({ work, ...(typeof judged === 'string' ? { reason: judged } : judged) })
    this.#seen.add(name)
  }

  end(): BulkPlan {
    return { ready: this.#ready, left: this.#left, leftMore: this.#leftMore, isCut: false }
  }
}

/**
 * Whether a work can be changed, by what it is now; a `work` that is undefined does not exist.
 * Undefined for a work that the actor of an undo did not touch.
 */
async function judge(
  { environment, owner, by }: BulkSource,
  work: SeenWork | undefined,
  edit: BulkEdit,
): Promise<ReadyWork | BulkRefusal | Omit<LeftWork, 'work'> | undefined> {
  if (work === undefined) return 'not_found'
  const { state } = work
  if (formatOwner(state.owner) !== formatOwner(owner)) return 'not_yours'
  const edited = await editedWork(environment, edit, work)
  if (edited.type === 'untouched') return undefined
  if (edited.type === 'withdrawn') return 'withdrawn'
  const withdraws = edited.type === 'withdrawal'
  if (!may(by, 'work', withdraws ? 'withdraw' : 'change', state)) return 'forbidden'
  const ready = { ark: state.ark, etag: entityTag(state) }
  if (withdraws) return { ...ready, withdraws }
  if (edited.type === 'registration') return { ...ready, registers: true }
  return edited.type === 'changed' ? ready : { ...edited, reason: edited.type }
}

type Named = { readonly name: string; readonly ark: string | undefined }

/** Works that are looked up at a time. */
const pageWorks = 200

function worksFor(source: BulkSource, { undo }: BulkEdit, { filter }: Filtered) {
  return undo === undefined ? foundWorks(source, filter) : changedWorks(source, undo)
}

type Filtered = Extract<BulkSelection, { filter: unknown }>

/** Bytes of metadata that are read at a time. */
const pageBytesEnough = 4 * 1_048_576

/** The works of an owner that were changed since a time, by whomever. */
async function* changedWorks(
  { environment: { harvest }, owner }: BulkSource,
  { since }: BulkUndo,
): AsyncGenerator<Named> {
  const from = Math.floor(Date.parse(since) / 1_000)
  // Works that change meanwhile come again, at the end.
  const span = { from, until: Number.MAX_SAFE_INTEGER, organization: owner.id }
  for (let after: number | undefined; ; ) {
    const page = { limit: pageWorks, bytesEnough: pageBytesEnough }
    const { places, hasMore } = await harvest.places(span, {
      ...page,
      ...(after !== undefined && { after }),
    })
    yield* places.map(({ state }) => ({ name: state.identifier, ark: state.ark }))
    if (!hasMore) return
    after = places.at(-1)?.changed.position
  }
}

async function* foundWorks(
  { environment, owner, search }: BulkSource,
  { q }: BulkFilter,
): AsyncGenerator<Named> {
  if (q !== undefined) {
    const filters: Filter[] = [{ type: 'any_of', field: 'organization', values: [owner.id] }]
    yield* searched(search, { q, sort: 'newest', organization: filters })
    return
  }
  let cursor: number | null | undefined
  while (cursor !== null) {
    const page = { limit: pageWorks, ...(cursor !== undefined && { cursor }) }
    const { works, next } = await environment.holdings.works(owner, page)
    yield* works.map(({ ark_identifier: name }) => ({ name, ark: plainArk(environment, name) }))
    cursor = next
  }
}

async function* searched(
  search: SearchSource,
  asked: Readonly<Record<string, unknown>>,
): AsyncGenerator<Named> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const values = { ...activeWorks, ...asked, ...(cursor !== undefined && { cursor }) }
    const page = await searchRecords(search, 'works', values, pageWorks)
    yield* page.ids.map((id) => ({ name: `ark:/${documentArk(id)}`, ark: documentArk(id) }))
    cursor = page.nextCursor
  }
}

async function* listedWorks(
  { environment, owner, search }: BulkSource,
  texts: readonly string[],
): AsyncGenerator<Named> {
  for (const name of texts.map((each) => each.trim()).filter((each) => each !== '')) {
    if (name.length > bulkTextMax) {
      yield { name, ark: undefined }
      continue
    }
    const ark = plainArk(environment, name)
    const doi = ark === undefined ? foldDoi(name) : undefined
    const found: Named[] = []
    if (doi !== undefined) {
      const values = { doi: [{ type: 'any_of', field: 'doi', values: [doi] }] }
      for await (const each of searched(search, { ...values, sort: 'newest' })) found.push(each)
    }
    // Of works with one DOI, those of the owner are meant.
    const own = found.filter((each) => {
      const state = each.ark === undefined ? undefined : environment.catalogue.state(each.ark)
      return state !== undefined && formatOwner(state.owner) === formatOwner(owner)
    })
    if (own.length > 0) yield* own
    else yield { name, ark: ark ?? found[0]?.ark }
  }
}

function plainArk({ naan }: ServedEnvironment, given: string): string | undefined {
  const parsed = parseArkReference(given, naan)
  return 'ark' in parsed && parsed.components === '' ? parsed.ark : undefined
}
