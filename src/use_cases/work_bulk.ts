import { publicSource, workLinks } from '#actors/registry/catalogue/representation.ts'
import { bodyHashOf } from '#actors/journal/idempotency.ts'
import { parseArkReference } from '#actors/values/ark.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { checkWorkPatch } from '#actors/works/request_checks.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
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
import { namesOf, putWork } from '#src/use_cases/work_by_doi.ts'
import {
  changeWork,
  type MadeChange,
  notAsAsked,
  type ValidChange,
} from '#src/use_cases/work_change.ts'
import { PreparedWork } from '#src/use_cases/work_preparation.ts'

/** What all works of one bulk request have in common. */
export type BulkRequest = Omit<RegistrationRequest, 'body' | 'onlyWithDoi'> & {
  /** Whether a work whose DOI one of the caller's has replaces that. */
  readonly updates: boolean
  readonly kind: KnownCaller['kind']
  /** Throws the refusal of a caller whose credential has no right to change works. */
  readonly demandChange: () => void
}

/**
 * Registers works, changes those that name one of ours by `ark`, as a PUT of it does, and with
 * `updates` replaces those that have the `external_id` or the DOI of one, as a PUT by DOI does:
 * each on its own. They begin in their order, and results stand in it. A work that could not be
 * read is its HttpError.
 */
export function bringWorks(
  registry: Registry,
  works: readonly unknown[],
  shared: BulkRequest,
): Promise<BulkResult[]> {
  return answerEach([...works.entries()], worksAtOnce, async ([index, body]) => {
    if (body instanceof HttpError) throw body
    const { idempotencyKey, ...rest } = shared
    const keyed = idempotencyKey !== undefined && {
      idempotencyKey: `${idempotencyKey}/${index}`,
      batch: idempotencyKey,
    }
    const { updates, kind, demandChange, ...wanted } = { ...rest, ...keyed, body }
    const ark = memberOf(body, 'ark')
    if (ark !== undefined) {
      demandChange()
      return changeNamed(registry, { ...wanted, kind }, ark)
    }
    const named = updates ? namesOf(body) : {}
    if (Object.keys(named).length === 0) {
      return registered(registry, await registerWork(registry, wanted))
    }
    const answer = await putWork(registry, { ...wanted, ...named, kind, demandChange })
    if (answer.type !== 'changed') return registered(registry, answer)
    return changed(registry, answer.made, answer.warnings)
  })
}

function memberOf(body: unknown, name: string): unknown {
  const isObject = typeof body === 'object' && body !== null && !(body instanceof PreparedWork)
  return isObject ? (body as Readonly<Record<string, unknown>>)[name] : undefined
}

type Wanted = Omit<RegistrationRequest, 'onlyWithDoi'> & Pick<BulkRequest, 'kind'>

async function changeNamed(
  registry: Registry,
  { body, by, dryRun, idempotencyKey, batch, kind }: Wanted,
  text: unknown,
) {
  const { environment } = registry
  if (typeof text !== 'string') {
    const fault = { field: 'ark', code: 'wrong_type', message: 'ark must be a text' }
    throw invalidInput(notAsAsked, [fault])
  }
  const parsed = parseArkReference(text, environment.naan)
  if (parsed.type === 'malformed') {
    throw new HttpError('malformed_ark', `The ARK is malformed: ${parsed.reason}`)
  }
  const { ark: _, ...change } = body as Readonly<Record<string, unknown>>
  const check = checkWorkPatch(change)
  if (check.type === 'invalid') throw invalidInput(notAsAsked, check.faults)
  const named = { environment, ark: parsed.ark }
  const made = await changeWork(
    named,
    {
      patch: check.patch,
      by,
      dryRun,
      ...(idempotencyKey !== undefined && {
        idempotency: {
          key: idempotencyKey,
          bodyHash: bodyHashOf(change),
          ...(batch !== undefined && { batch }),
        },
      }),
    },
    kind,
  )
  return changed(registry, made, check.warnings)
}

function registered({ baseUrl }: Registry, answer: RegistrationReply) {
  if (answer.type === 'valid') return { status: 200, ...answer.reply }
  const { work, replayed } = answer
  const links = workLinks(baseUrl, work.ark_identifier, work.version)
  return { status: 201, ...work, links, ...(replayed && { replayed: true }) }
}

function changed(
  { baseUrl }: Registry,
  made: MadeChange | ValidChange,
  ofBody: readonly FieldFault[],
) {
  const warnings = [...ofBody, ...(('warnings' in made && made.warnings) || [])]
  if (made.type === 'valid') {
    const { version, changedFields: changed_fields } = made
    const isUnchanged = changed_fields.length === 0
    const about = { status: 200, valid: true, version, changed_fields, warnings }
    return { ...about, ...(isUnchanged && { unchanged: true }) }
  }
  const { change } = made
  return {
    status: 200,
    ...change,
    ...(made.type === 'unchanged' && { unchanged: true }),
    ...('replayed' in made && { replayed: true }),
    ...(warnings.length > 0 && { warnings }),
    source: publicSource(change.source),
    links: workLinks(baseUrl, change.ark_identifier, change.version),
  }
}
