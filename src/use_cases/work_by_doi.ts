import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type Agent, formatOwner } from '#actors/values/agent.ts'
import type { Ark } from '#actors/values/ark.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import { FaultList, type FieldFault } from '#actors/values/fault_list.ts'
import { foldDoi } from '#actors/values/identifier.ts'
import type { WorkState } from '#actors/works/events.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import {
  registerWork,
  type RegistrationReply,
  type RegistrationRequest,
} from '#src/use_cases/registration.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import {
  changeWork,
  type MadeChange,
  notAsAsked,
  type ValidChange,
  wholePatch,
} from '#src/use_cases/work_change.ts'
import type { WorkLookup } from '#src/use_cases/work_lookup.ts'
import { draftWork } from '#src/use_cases/work_drafting.ts'
import { PreparedWork } from '#src/use_cases/work_preparation.ts'

/** Works with one DOI that a refusal, or a list of them, names. */
export const namedWithDoiMax = 100

/** Times a DOI is looked up anew because its works have changed in the meantime. */
const lookUpsMax = 4

/** What a caller wants of the work with a DOI. */
export type DoiConditions = {
  /** Only one that is there, and has one of these entity tags. */
  readonly ifMatch?: readonly string[]
  /** Only a new one. */
  readonly isNew?: boolean
}

/** The stored form of a DOI that names a work. HttpError `validation_failed`. */
export function readNamedDoi(text: string): string {
  const doi = foldDoi(text)
  if (doi !== undefined) return doi
  const message = `"${text.slice(0, 200)}" is no DOI: write one such as 10.5555/12345678`
  throw invalidInput('There is no such DOI', [{ field: 'doi', code: 'bad_value', message }])
}

/** A body of a work with the DOI that names it; what else it is, is for its check to say. */
function bodyWithDoi(body: unknown, doi: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { existing_doi: given, ...others } = body as Readonly<Record<string, unknown>>
  return { ...others, existing_doi: given ?? doi }
}

/** What names a work for its owner: their own identifier of it, or else its DOI. */
export type WorkName = { readonly doi?: string; readonly externalId?: string }

/**
 * Registers the work of a caller with a DOI or with their own identifier of it, or has the one that
 * is there changed by `change`, whose answer it gives. There is no second one of the same owner,
 * however many ask at a time. Every refusal is an HttpError: `several_works` where more
 * of the owner's have the DOI; `duplicate_work` where only another's have, and `gone` where the
 * owner's was withdrawn, unless
 * `allowDuplicate`; `precondition_failed`; those of a registration.
 */
export async function registerOrChange<Changed>(
  registry: Registry,
  request: RegistrationRequest & WorkName & { readonly conditions?: DoiConditions },
  change: (ark: string, prepared: PreparedWork) => Promise<Changed>,
): Promise<RegistrationReply | Changed> {
  const { doi, externalId, conditions = {}, ...wanted } = request
  const { environment } = registry
  const { body } = wanted
  const prepared = body instanceof PreparedWork ? body : new PreparedWork(draftWork(body))
  if (doi !== undefined) checkDoi(prepared, doi)
  const registration = { ...wanted, body: prepared, allowDuplicate: true, allowRepeat: true }
  const earlier = await replayed(registry, registration)
  if (earlier !== undefined) return earlier
  for (let lookUps = 1; ; lookUps += 1) {
    const standing = standingOf(environment, wanted, { doi, externalId })
    checkConditions(environment, standing, conditions)
    if (standing !== undefined) return change(standing, prepared)
    try {
      const onlyWithDoi = doi !== undefined
      return await registerWork(registry, { ...registration, onlyWithDoi })
    } catch (error) {
      if (!isBeaten(error) || lookUps === lookUpsMax) throw error
    }
  }
}

/** Whether another work came first. */
function isBeaten(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'duplicate_work'
}

/** A request for the work of a name to be as its body says, and no other. */
export type PutRequest = Omit<RegistrationRequest, 'allowRepeat' | 'onlyWithDoi'> &
  WorkName & {
    readonly conditions?: DoiConditions
    readonly kind: KnownCaller['kind']
    /** Throws the refusal of a caller whose credential has no right to change works. */
    readonly demandChange: () => void
  }

/** What became of it: of a work that was there, with what is told of its body. */
export type PutReply = RegistrationReply | PutChange

export type PutChange = {
  readonly type: 'changed'
  readonly named: WorkLookup
  readonly made: MadeChange | ValidChange
  readonly warnings: readonly FieldFault[]
}

/** Registers the work of a caller with a name, or replaces it: as `registerOrChange`. */
export async function putWork(
  registry: Registry,
  { kind, demandChange, ...request }: PutRequest,
): Promise<PutReply> {
  const { environment } = registry
  const { doi, body, by, dryRun, conditions, idempotencyKey, batch } = request
  const isWhole = body instanceof PreparedWork || doi === undefined
  const whole = isWhole ? body : bodyWithDoi(body, doi)
  const wanted = { ...request, body: whole, allowRepeat: true }
  return registerOrChange<PutChange>(registry, wanted, async (ark, { check, bodyHash }) => {
    demandChange()
    if (check.type === 'invalid') throw invalidInput(notAsAsked, check.faults)
    const named = { environment, ark: ark as Ark, requested: `ark:/${ark}` }
    const tags = conditions?.ifMatch
    const change = {
      patch: wholePatch(check.metadata),
      by,
      dryRun,
      ...(tags !== undefined && { ifMatch: tags }),
      ...(idempotencyKey !== undefined && {
        idempotency: { key: idempotencyKey, bodyHash, ...(batch !== undefined && { batch }) },
      }),
    }
    const made = await changeWork(named, change, kind)
    return { type: 'changed', named, made, warnings: check.warnings }
  })
}

/** What a body names its work by: the registrant's own identifier, and the DOI. */
export function namesOf(body: unknown): WorkName {
  const doi = foldDoi(textIn(body, 'existing_doi'))
  const own = textIn(body, 'external_id')
  const { kind } = metadataFields.external_id
  const externalId = own === '' ? undefined : kind.read(own, 'external_id', new FaultList())
  return { ...(doi !== undefined && { doi }), ...(externalId !== undefined && { externalId }) }
}

/** A text that a body gives; an empty one if none. */
function textIn(body: unknown, name: 'existing_doi' | 'external_id'): string {
  if (body instanceof PreparedWork) {
    const { check } = body
    return check.type === 'ok' ? (check.metadata[name] ?? '') : ''
  }
  if (typeof body !== 'object' || body === null) return ''
  const given = (body as Readonly<Record<string, unknown>>)[name]
  return typeof given === 'string' ? given : ''
}

function checkDoi({ check }: PreparedWork, doi: string): void {
  if (check.type === 'invalid' || check.metadata.existing_doi === doi) return
  const { existing_doi: given } = check.metadata
  const message = `existing_doi must be ${doi}, by which the work is named, not ${given}`
  const fault = { field: 'existing_doi', code: 'bad_value', message }
  throw invalidInput('The work cannot be registered as it is', [fault])
}

/** What the same request has registered before, under the client's name for it. */
async function replayed(
  registry: Registry,
  request: RegistrationRequest,
): Promise<RegistrationReply | undefined> {
  if (request.idempotencyKey === undefined) return undefined
  try {
    const answer = await registerWork(registry, { ...request, dryRun: true })
    return answer.type === 'created' ? answer : undefined
  } catch (error) {
    if (isBeaten(error)) return undefined
    throw error
  }
}

/** The ARK of the live work of a caller with a name; undefined if one can be registered. */
function standingOf(
  environment: ServedEnvironment,
  { by, allowDuplicate }: Pick<RegistrationRequest, 'by' | 'allowDuplicate'>,
  { doi, externalId }: { [Name in keyof WorkName]-?: WorkName[Name] | undefined },
): string | undefined {
  const { catalogue } = environment
  const named = externalId === undefined ? undefined : catalogue.withExternalId(by, externalId)
  if (named !== undefined) return named
  if (doi === undefined) return undefined
  const live = { doi, standing: 'live' } as const
  const own = catalogue.withDoi({ ...live, owner: by }, namedWithDoiMax)
  const [first] = own
  if (first !== undefined) {
    if (own.length > 1) throw severalWorks(environment, own)
    return first
  }
  if (allowDuplicate) return undefined
  const [withdrawn] = catalogue.withDoi({ doi, standing: 'withdrawn', owner: by }, 1)
  const ended = withdrawn === undefined ? undefined : catalogue.state(withdrawn)
  if (ended !== undefined) throw withdrawnWork(ended)
  const [others] = catalogue.withDoi(live, 1)
  const other = others === undefined ? undefined : catalogue.state(others)
  if (other !== undefined && !isOf(other, by)) throw anothersWork(other)
  return undefined
}

function isOf({ owner }: WorkState, by: Agent): boolean {
  return formatOwner(owner) === formatOwner(by)
}

function checkConditions(
  { catalogue }: ServedEnvironment,
  standing: string | undefined,
  { ifMatch, isNew = false }: DoiConditions,
): void {
  if (standing === undefined) {
    if (ifMatch === undefined) return
    const message = 'No work of yours has this DOI: leave If-Match out to register one'
    throw new HttpError('precondition_failed', message)
  }
  const state = isNew ? catalogue.state(standing) : undefined
  if (state === undefined) return
  const { identifier } = state
  const message = `${identifier} has this DOI: leave If-None-Match out to replace it`
  const extra = { existing_ark: identifier }
  throw new HttpError('precondition_failed', message, { etag: entityTag(state), extra })
}

function severalWorks({ catalogue }: ServedEnvironment, arks: readonly string[]): HttpError {
  const works = arks.flatMap((ark) => catalogue.state(ark)?.identifier ?? [])
  const count =
    arks.length === namedWithDoiMax ? `${arks.length} works or more` : `${arks.length} works`
  const message = `${count} of yours have this DOI: change one by its ARK`
  return new HttpError('several_works', message, { extra: { works } })
}

function withdrawnWork({ identifier, updated_at }: WorkState): HttpError {
  const message =
    `Your work ${identifier} with this DOI was withdrawn on ${updated_at}; ` +
    'send allow_duplicate=true to register another one'
  return new HttpError('gone', message, { extra: { existing_ark: identifier } })
}

function anothersWork({ identifier: existing_ark }: WorkState): HttpError {
  const message =
    `${existing_ark} of another registrant has this DOI; ` +
    'send allow_duplicate=true to register a work of your own with it'
  return new HttpError('duplicate_work', message, { extra: { existing_ark } })
}
