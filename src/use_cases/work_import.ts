import { idempotencyOf } from '#actors/journal/idempotency.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import { joinAuthors, splitAuthors } from '#actors/values/author_name.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type { AuthorDetail, Metadata } from '#actors/works/metadata.ts'
import type { ChangeAnswer } from '#actors/works/port.ts'
import { applyPatch, checkWorkPatch } from '#actors/works/request_checks.ts'
import { registrantOf } from '#src/discovery/formats/resolution.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { sentWithAnotherBody } from '#src/edge/keyed_writes.ts'
import {
  answerEach,
  type BulkResult,
  registerWorks,
  type RegistrationRequest,
} from '#src/use_cases/registration.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { goneWork, metadataOf, workNotFound } from '#src/use_cases/work_lookup.ts'

/** An entry of a file: a new work or, with an ARK, what one that is here is to become. */
export type ImportRequest = RegistrationRequest & {
  /** In any spelling. */
  readonly ark?: string
}

/** A field that an entry changes; undefined where it is not there. */
export type FieldChange = {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

const updatesAtOnce = 16

/**
 * Registers the works of a file, and changes those that it names by their ARKs, each on its own and
 * by what differs alone. Results stand in the order of the requests. Of a change they are 200, with
 * `changes` and the number of the `version` that it makes, or `unchanged`.
 */
export async function importWorks(
  registry: Registry,
  requests: readonly ImportRequest[],
): Promise<BulkResult[]> {
  const all = [...requests.entries()]
  const fresh = all.filter(([, { ark }]) => ark === undefined)
  const changes = all.filter(([, { ark }]) => ark !== undefined)
  const registered = await registerWorks(
    registry,
    fresh.map(([, request]) => request),
  )
  const changed = await answerEach(changes, updatesAtOnce, async ([, request]) => {
    return { status: 200, ...(await changeWork(registry, request)) }
  })
  return [...inPlace(fresh, registered), ...inPlace(changes, changed)].toSorted(
    (one, other) => one.index - other.index,
  )
}

/** Results of some of the requests, each with the place of its request among all. */
function inPlace(
  some: readonly (readonly [index: number, request: ImportRequest])[],
  results: readonly BulkResult[],
): readonly BulkResult[] {
  return results.map((result) => ({ ...result, index: some[result.index]?.[0] ?? result.index }))
}

/** Changes a work to what a row says of it. Every refusal is an HttpError. */
async function changeWork({ environment }: Registry, request: ImportRequest) {
  const { ark: text = '', body, by, dryRun, idempotencyKey, batch } = request
  const parsed = parseArkReference(text, environment.naan)
  if (parsed.type === 'malformed') {
    throw new HttpError('malformed_ark', `The ARK is malformed: ${parsed.reason}`)
  }
  const { ark } = parsed
  const state = environment.catalogue.state(ark)
  const found = await environment.catalogue.work(ark)
  if (state === undefined || found.type !== 'found') throw workNotFound(environment, ark)
  if (state.status === 'withdrawn')
    throw new HttpError('gone', `The work ark:/${ark} was withdrawn`)
  if (!may(by, 'work', 'change', state)) {
    throw new HttpError('forbidden', `The work ark:/${ark} belongs to another registrant`)
  }
  const written = JSON.parse(Buffer.from(found.body).toString('utf8')) as Patch
  const metadata = metadataOf(written)
  const check = checkWorkPatch(body)
  if (check.type === 'invalid') throw invalidInput(notAsAsked, check.faults)
  const patch = differing(metadata, check.patch, registrantOf(environment, ark))
  const applied = applyPatch(metadata, patch)
  if (applied.type === 'invalid') throw invalidInput(notAsAsked, applied.faults)
  const changes = applied.changedFields.map((field): FieldChange => {
    return { field, before: metadata[field], after: applied.metadata[field] }
  })
  const about = { ark_identifier: `ark:/${ark}`, changes }
  if (changes.length === 0) return { ...about, version: state.version, unchanged: true }
  if (dryRun) return { ...about, version: state.version + 1 }
  const answer = await environment.works.update({
    ark,
    by,
    patch,
    ifMatch: [entityTag(state)],
    ...(idempotencyKey !== undefined && {
      idempotency: { ...idempotencyOf(idempotencyKey, patch), ...(batch && { batch }) },
    }),
  })
  return { ...about, version: versionOf(answer, environment, ark) }
}

const notAsAsked = 'The work cannot be changed like this'

function versionOf(
  answer: ChangeAnswer,
  environment: Registry['environment'],
  ark: string,
): number {
  switch (answer.type) {
    case 'changed':
    case 'unchanged':
      return answer.change.version
    case 'gone':
      throw goneWork(answer)
    case 'invalid':
      throw invalidInput(notAsAsked, answer.faults)
    case 'precondition_failed':
      throw new HttpError('conflict', `The work ark:/${ark} has just been changed: import it again`)
    case 'idempotency_mismatch':
      throw sentWithAnotherBody()
    case 'not_found':
    case 'forbidden':
    case 'not_administrator':
    case 'not_withdrawn':
    case 'version_unchanged':
      throw new HttpError('forbidden', `${environment.name}: ark:/${ark} cannot be changed`)
  }
}

type Patch = Readonly<Record<string, unknown>>

/**
 * The fields in which a row of a table differs from a work: not by how it is written, and not by
 * the name of the registrant, which an export gives where a work names no publisher.
 */
function differing(metadata: Metadata, row: Patch, registrant: string | undefined): Patch {
  const before = metadata as Patch
  const { authors, author_details, ...others } = row
  const patch = Object.fromEntries(
    Object.entries(others).filter(([name, value]) => {
      if (name === 'publisher_name' && before[name] === undefined && value === registrant)
        return false
      return !isSameValue(before[name] ?? null, value)
    }),
  )
  if (typeof authors !== 'string') return patch
  return { ...patch, ...differingAuthors(metadata, authors, author_details) }
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') {
    return one.replaceAll(/\r\n?/g, '\n') === other.replaceAll(/\r\n?/g, '\n')
  }
  return JSON.stringify(one) === JSON.stringify(other)
}

function differingAuthors(metadata: Metadata, authors: string, given: unknown): Patch {
  const names = splitAuthors(authors)
  const same = joinAuthors(names) === joinAuthors(splitAuthors(metadata.authors))
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
