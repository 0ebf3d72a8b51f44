import { isDeepStrictEqual } from 'node:util'

import { bodyHashOf, idempotencyOf } from '#actors/journal/idempotency.ts'
import { digestOf } from '#actors/works/receipts/statement.ts'
import { type Ark, parseArkReference } from '#actors/values/ark.ts'
import { joinAuthors, splitAuthors } from '#actors/values/author_name.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { foldDoi } from '#actors/values/identifier.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import { listItemsMax } from '#actors/works/lengths.ts'
import { applyPatch, checkWorkPatch } from '#actors/works/request_checks.ts'
import { shorten } from '#src/discovery/citation_files/citation_file.ts'
import { isMadeByTableProgram } from '#src/discovery/citation_files/table_programs.ts'
import { describeAuthors } from '#src/discovery/formats/described_work.ts'
import { registrantOf } from '#src/discovery/formats/resolution.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import {
  answerEach,
  type BulkResult,
  registerWork,
  type RegistrationReply,
  type RegistrationRequest,
  worksAtOnce,
} from '#src/use_cases/registration.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { namesOf, registerOrChange } from '#src/use_cases/work_by_doi.ts'
import { changeWork, notAsAsked, readSeen, wholePatch } from '#src/use_cases/work_change.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import { LeftOutEntry, notesOf, PreparedWork } from '#src/use_cases/work_preparation.ts'

/**
 * What an entry makes of a work that is here: `said`, what it says alone, or `whole`, so that the
 * work has no other fields.
 */
export type EntryExtent = 'said' | 'whole'

/**
 * An entry of a file: a new work or, with an ARK, what one that is here is to become; with
 * `updates`, so is the work of its owner that has its DOI.
 */
export type ImportRequest = RegistrationRequest & {
  /** In any spelling. */
  readonly ark?: string
  readonly updates?: EntryExtent
  /** Whether works of ours that it is related to by their DOIs are named by their ARKs too. */
  readonly relates?: boolean
  /** Whether a work that is related to nothing is passed over. */
  readonly relatedOnly?: boolean
  /** Of the item of the call that brought it, if that is not its own place. */
  readonly index?: number
}

/** A field that an entry changes; undefined where it is not there. */
export type FieldChange = {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** A field that stays as it is, because a program for tables has made of it what a row says. */
export type KeptField = { readonly field: string; readonly message: string }

/** What became of the requests of one call. */
export type ImportAnswer = {
  /** In the order of the requests: `index` is that of the item that brought it. */
  readonly results: readonly BulkResult[]
  /** Of the works that could be read, how many have each field. */
  readonly carried: Readonly<Record<string, number>>
}

/**
 * Registers the works of a file, and changes those that it names, each on its own and by what
 * differs alone. Results stand in the order of the requests. Of a change they are 200, with
 * `changes`, the fields that are `kept`, and the number of the `version` that it makes, or
 * `unchanged`; of what is left out, 200 with `left_out` or, for its relations, `passed_over`.
 */
export async function importWorks(
  registry: Registry,
  requests: readonly ImportRequest[],
): Promise<ImportAnswer> {
  const carried = new Map<string, number>()
  const answered = await answerEach(requests, worksAtOnce, async (request) => {
    const { body } = request
    if (body instanceof HttpError) throw body
    if (body instanceof LeftOutEntry) return { status: 200, left_out: true }
    const metadata = body instanceof PreparedWork ? metadataIn(body) : undefined
    if (request.relatedOnly === true && metadata?.related_identifiers === undefined) {
      return { status: 200, passed_over: true }
    }
    for (const name in metadata) carried.set(name, (carried.get(name) ?? 0) + 1)
    return importWork(registry, request)
  })
  const results = answered.map(({ warnings, ...result }, nth) => {
    const { body, index = nth } = requests[nth] ?? {}
    const notes = notesOf(body, warnings as readonly FieldFault[] | undefined)
    return { ...result, index, ...(notes.length > 0 && { notes }) }
  })
  return { results, carried: Object.fromEntries(carried) }
}

async function importWork(registry: Registry, request: ImportRequest) {
  const { ark, updates, relates = false } = request
  const body = relates ? withArks(registry, request) : request.body
  if (ark !== undefined) return changeEntry(registry, request, ark, 'said')
  const named = updates === undefined ? {} : namesOf(body)
  if (updates === undefined || Object.keys(named).length === 0) {
    return registered(await registerWork(registry, { ...request, body }))
  }
  const wanted = { ...request, ...named, body }
  const answer = await registerOrChange(registry, wanted, (own, prepared) => {
    return changeEntry(registry, { ...request, body: prepared }, own, updates)
  })
  return 'type' in answer ? registered(answer) : answer
}

/**
 * A body whose relations to works with DOIs name those by ARK, too, where they are here: the
 * caller's own, or the only one with a DOI. The DOI stays, for others know no ARK of ours.
 */
function withArks({ environment }: Registry, { body: given, by }: ImportRequest): unknown {
  const metadata = given instanceof PreparedWork ? metadataIn(given) : undefined
  const all = metadata?.related_identifiers
  if (!(given instanceof PreparedWork) || metadata === undefined || all === undefined) return given
  const nameOf = (relation: unknown, identifier: unknown) =>
    JSON.stringify([relation, identifier]).replace('"ark:/', '"ark:')
  const known = new Set(all.map(({ relation, identifier }) => nameOf(relation, identifier)))
  const added = all.flatMap((related): readonly RelatedIdentifier[] => {
    const ark = arkOf(environment, by, related)
    if (ark === undefined || known.has(nameOf(related.relation, ark))) return []
    return [{ identifier: ark, relation: related.relation, scheme: 'ARK' }]
  })
  const related_identifiers = [...all, ...added]
  if (added.length === 0 || related_identifiers.length > listItemsMax) return given
  const { bodyHash, notes, warnings } = given
  // Members stand in their order, and it is the same request, whichever works are here by now.
  const digest = digestOf({ ...metadata, related_identifiers })
  return new PreparedWork({ type: 'ok', bodyHash, digest, warnings, ...(notes && { notes }) })
}

function metadataIn({ check }: PreparedWork): Metadata | undefined {
  return check.type === 'ok' ? check.metadata : undefined
}

function arkOf(
  { catalogue }: Registry['environment'],
  by: RegistrationRequest['by'],
  { scheme, identifier }: RelatedIdentifier,
): string | undefined {
  if (scheme !== 'DOI') return undefined
  const doi = foldDoi(identifier)
  if (doi === undefined) return undefined
  const live = { doi, standing: 'live' } as const
  const [own] = catalogue.withDoi({ ...live, owner: by }, 1)
  const all = own === undefined ? catalogue.withDoi(live, 2) : [own]
  return all.length === 1 ? `ark:${all[0]}` : undefined
}

// An import asks for no more of what was registered: to send the rest for each takes longer.
function registered(answer: RegistrationReply) {
  if (answer.type === 'valid') return { status: 200, ...answer.reply }
  const { work, replayed } = answer
  const { ark_identifier, metadata_hash, warnings } = work
  // The answer to a repetition warns of nothing.
  const more = replayed ? { replayed } : { warnings }
  return { status: 201, ark_identifier, metadata_hash, ...more }
}

/** Changes a work to what an entry says of it. Every refusal is an HttpError. */
async function changeEntry(
  { environment }: Registry,
  request: ImportRequest,
  text: string,
  extent: EntryExtent,
) {
  const { body, by, dryRun, idempotencyKey, batch } = request
  const parsed = parseArkReference(text, environment.naan)
  if (parsed.type === 'malformed') {
    throw new HttpError('malformed_ark', `The ARK is malformed: ${parsed.reason}`)
  }
  const { ark } = parsed
  const seen = await readSeen(environment, ark)
  if (seen === undefined) throw workNotFound(environment, ark)
  const { state, metadata } = seen
  if (state.status === 'withdrawn')
    throw new HttpError('gone', `The work ark:/${ark} was withdrawn`)
  if (!may(by, 'work', 'change', state)) {
    throw new HttpError('forbidden', `The work ark:/${ark} belongs to another registrant`)
  }
  const { rest, kept } = withoutMadeValues(metadata, body)
  const said = saidOf(rest)
  const patch =
    extent === 'whole' && body instanceof PreparedWork
      ? different(metadata, wholePatch(said.values as Metadata))
      : differing(metadata, said.values, registrantOf(environment, ark))
  const applied = applyPatch(metadata, patch)
  if (applied.type === 'invalid') throw invalidInput(notAsAsked, applied.faults)
  const changes = applied.changedFields.map((field): FieldChange => {
    return { field, before: metadata[field], after: applied.metadata[field] }
  })
  const warnings = [...said.warnings, ...(applied.warnings ?? [])].filter(({ field }) =>
    changes.some(({ field: name }) => name === /^\w+/.exec(field)?.[0]),
  )
  const about = { status: 200, ark_identifier: `ark:/${ark}`, changes, kept, warnings }
  if (changes.length === 0) return { ...about, version: state.version, unchanged: true }
  if (dryRun) return { ...about, version: state.version + 1 }
  // An entry that is sent again may find less to change: that is another change.
  const named = idempotencyKey && `${idempotencyKey}/${bodyHashOf(patch).slice(0, 32)}`
  const idempotency = named === undefined ? undefined : idempotencyOf(named, patch)
  const command = {
    by,
    patch,
    dryRun,
    ifMatch: [entityTag(state)],
    ...(idempotency && { idempotency: { ...idempotency, ...(batch && { batch }) } }),
  }
  return { ...about, version: await versionMade(environment, ark, command) }
}

async function versionMade(
  environment: Registry['environment'],
  ark: Ark,
  command: Parameters<typeof changeWork>[1],
): Promise<number> {
  try {
    const made = await changeWork({ environment, ark }, command)
    return made.type === 'valid' ? made.version : made.change.version
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'precondition_failed') throw error
    throw new HttpError('conflict', `The work ark:/${ark} has just been changed: import it again`)
  }
}

/**
 * A row without the values that a program for tables has made of what is stored, each of which is
 * told: nobody has changed them.
 */
function withoutMadeValues(
  metadata: Metadata,
  row: unknown,
): { readonly rest: unknown; readonly kept: readonly KeptField[] } {
  // What is no row of a table was prepared before.
  if (row instanceof PreparedWork || typeof row !== 'object') return { rest: row, kept: [] }
  const before = (name: string) => {
    const value = (metadata as Patch)[name]
    return typeof value === 'string' ? value : ''
  }
  const isMade = ([name, value]: readonly [string, unknown]) => {
    return typeof value === 'string' && isMadeByTableProgram(before(name), value)
  }
  const cells = Object.entries((row ?? {}) as Patch)
  const made = cells.filter(isMade)
  if (made.length === 0) return { rest: row, kept: [] }
  const names = new Set(made.map(([name]) => name))
  // Who an author is stands beside the name.
  if (names.has('authors')) names.add('author_details')
  return {
    rest: Object.fromEntries(cells.filter(([name]) => !names.has(name))),
    kept: made.map(([field, value]) => ({
      field,
      message:
        `${field} stays “${shorten(before(field))}”: programs for tables make ` +
        `“${shorten(String(value))}” of it. If it is to change, change it at the work itself.`,
    })),
  }
}

/** What an entry says of a work, and what is to be told of it. */
function saidOf(body: unknown): { values: Patch; warnings: readonly FieldFault[] } {
  const check = body instanceof PreparedWork ? body.check : checkWorkPatch(body)
  if (check.type === 'invalid') throw invalidInput(notAsAsked, check.faults)
  return { values: 'patch' in check ? check.patch : check.metadata, warnings: check.warnings }
}

function different(metadata: Metadata, patch: Patch): Patch {
  const before = metadata as Patch
  return Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => !isSameValue(before[name] ?? null, value)),
  )
}

type Patch = Readonly<Record<string, unknown>>

/**
 * The fields in which a row of a table differs from a work: not by how it is written, and not by
 * the name of the registrant, which an export gives where a work names no publisher.
 */
function differing(metadata: Metadata, row: Patch, registrant: string | undefined): Patch {
  const { authors, author_details, publisher_name, ...others } = row
  const isRegistrant = metadata.publisher_name === undefined && publisher_name === registrant
  const named = publisher_name === undefined || isRegistrant ? {} : { publisher_name }
  const patch = different(metadata, { ...others, ...named })
  if (typeof authors !== 'string') return patch
  return { ...patch, ...differingAuthors(metadata, authors, author_details) }
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') {
    return one.replaceAll(/\r\n?/g, '\n') === other.replaceAll(/\r\n?/g, '\n')
  }
  return isDeepStrictEqual(one, other)
}

function differingAuthors(metadata: Metadata, authors: string, given: unknown): Patch {
  const names = joinAuthors(splitAuthors(authors))
  // An export has `Bob Roe Jr.` where the work has `Roe, Jr., Bob`.
  const exported = describeAuthors(metadata).map(({ name }) => name)
  const same = [splitAuthors(metadata.authors), exported].some(
    (each) => joinAuthors(each) === names,
  )
  const details = given as readonly AuthorDetail[] | undefined | null
  if (!same) return { authors, ...(details && { author_details: details }) }
  if (!details) return {}
  const known = metadata.author_details
  const merged = details.map((detail, index) => ({ ...known?.[index], ...detail }))
  const isSame = merged.every((detail, index) => isSameDetail(detail, known?.[index] ?? {}))
  return isSame ? {} : { author_details: merged }
}

function isSameDetail(one: AuthorDetail, other: AuthorDetail): boolean {
  const keys = Object.keys(one) as (keyof AuthorDetail)[]
  // A name that the parts make is not repeated by a work.
  return keys.every(
    (key) => one[key] === other[key] || (key === 'name' && other.name === undefined),
  )
}
