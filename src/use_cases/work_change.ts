import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type Idempotency, idempotencyOf } from '#actors/journal/idempotency.ts'
import type { Agent } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { entityTag, isCurrent, type Precondition } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { editionOf, goneRefusal } from '#actors/works/events.ts'
import { type Metadata, metadataFields, type MetadataPatch } from '#actors/works/metadata.ts'
import type { ChangeAnswer, ChangeRefusal } from '#actors/works/port.ts'
import { applyPatch } from '#actors/works/request_checks.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
import { sentWithAnotherBody } from '#src/edge/keyed_writes.ts'
import { editedSince } from '#src/edge/record_sent_back.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { goneWork, metadataOf, type WorkLookup, workNotFound } from '#src/use_cases/work_lookup.ts'

/** A change that was made, or that changes nothing. */
export type MadeChange = Extract<ChangeAnswer, { type: 'changed' | 'unchanged' }>

/** What a change would do: the fields that would be others, and the number of the version. */
export type ValidChange = {
  readonly type: 'valid'
  readonly version: number
  readonly changedFields: readonly string[]
  readonly warnings: readonly FieldFault[]
}

/** A change of a work as it is asked for; `dryRun` goes through every rule and writes nothing. */
export type ChangeRequest = Precondition & {
  readonly patch: MetadataPatch
  readonly by: Agent
  readonly idempotency?: Idempotency
  readonly dryRun: boolean
}

type Named = Pick<WorkLookup, 'environment' | 'ark'>

/** Changes a work, or tells what that would do. Every refusal is an HttpError. */
export async function changeWork(
  named: Named,
  { dryRun, ...command }: ChangeRequest,
  kind: KnownCaller['kind'] = 'key',
): Promise<MadeChange | ValidChange> {
  const { environment, ark } = named
  const answer = dryRun
    ? await tryOut(named, command)
    : await environment.works.update({ ark, ...command })
  if (answer.type === 'changed' || answer.type === 'unchanged' || answer.type === 'valid') {
    return answer
  }
  throw changeRefusal(named, answer, kind)
}

async function tryOut(
  { environment, ark }: Named,
  { patch, by, ...precondition }: Omit<ChangeRequest, 'dryRun'>,
): Promise<ValidChange | ChangeRefusal> {
  const seen = await readSeen(environment, ark)
  if (seen === undefined) return { type: 'not_found' }
  const { state, metadata } = seen
  if (!may(by, 'work', 'change', state)) return { type: 'forbidden' }
  if (state.status === 'withdrawn') return goneRefusal(state)
  if (!isCurrent(precondition, editionOf(state))) {
    return { type: 'precondition_failed', etag: entityTag(state) }
  }
  const applied = applyPatch(metadata, patch)
  if (applied.type === 'invalid') return applied
  const { changedFields, warnings = [] } = applied
  const version = state.version + Number(changedFields.length > 0)
  return { type: 'valid', version, changedFields, warnings }
}

/** A work as it stands. */
export type SeenWork = {
  readonly state: NonNullable<ReturnType<ServedEnvironment['catalogue']['state']>>
  readonly metadata: Metadata
}

/** Reads a work, `naan/name`; undefined if there is none. */
export async function readSeen(
  { catalogue }: ServedEnvironment,
  ark: string,
): Promise<SeenWork | undefined> {
  const current = catalogue.current(ark)
  if (current === undefined) return undefined
  const { state, metadata } = current
  if (metadata !== undefined) return { state, metadata }
  const found = await catalogue.work(ark)
  if (found.type === 'not_found') return undefined
  const body = JSON.parse(Buffer.from(found.body).toString('utf8')) as Record<string, unknown>
  return { state, metadata: metadataOf(body) }
}

/** What makes a form that is sent again do nothing more; `key` is that of the form. */
export function formIdempotency(key: string, asked: unknown): Idempotency {
  return idempotencyOf(`page-${key}`, asked)
}

/** The patch that makes a work what a whole record says of it: it has no other fields. */
export function wholePatch(metadata: Metadata): MetadataPatch {
  const given: Readonly<Record<string, unknown>> = metadata
  const names = Object.keys(metadataFields)
  return Object.fromEntries(names.map((name) => [name, given[name] ?? null])) as MetadataPatch
}

export const notAsAsked = 'The work cannot be changed like this'

const notTheirs = {
  key: 'This work belongs to another registrant',
  token: 'An application can change only works that it has added for this person',
} as const

/** The HttpError that a change of a work which was not made is for a caller. */
export function changeRefusal(
  { environment, ark }: Named,
  answer: ChangeRefusal,
  kind: KnownCaller['kind'],
): HttpError {
  switch (answer.type) {
    case 'not_found':
      return workNotFound(environment, ark)
    case 'gone':
      return goneWork(answer)
    case 'forbidden':
      return new HttpError('forbidden', notTheirs[kind])
    case 'not_administrator':
      return new HttpError(
        'forbidden',
        'Only an administrator can erase metadata: send a key with admin:* and X-Admin-Code',
      )
    case 'not_withdrawn':
      return new HttpError(
        'conflict',
        'The work is not withdrawn: withdraw it first, or with the same call (erase_metadata)',
      )
    case 'precondition_failed':
      return editedSince('The work', answer)
    case 'version_unchanged':
      return new HttpError('version_unchanged', 'A new version must differ from the newest one')
    case 'invalid':
      return invalidInput(notAsAsked, answer.faults)
    case 'idempotency_mismatch':
      return sentWithAnotherBody()
  }
}
