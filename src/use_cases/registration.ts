import { claimantOf } from '#actors/people/claims/record.ts'
import type { Agent } from '#actors/values/agent.ts'
import { publicSource } from '#actors/registry/catalogue/representation.ts'
import type { RegisterAnswer, RegisterCommand, RegisteredWork } from '#actors/works/port.ts'
import { errorStatus, HttpError, invalidInput } from '#src/edge/errors.ts'
import { PreparedWork } from '#src/use_cases/work_preparation.ts'
import type { Registry } from '#src/use_cases/registry_edge.ts'
import { errorBody, toHttpError } from '#src/edge/error_reply.ts'
import { sentWithAnotherBody } from '#src/edge/keyed_writes.ts'
import { idempotencyOf } from '#actors/journal/idempotency.ts'
import { checkNewWork, type NewWorkCheck } from '#actors/works/request_checks.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** A request to register a work. */
export type RegistrationRequest = Pick<
  RegisterCommand,
  'by' | 'allowDuplicate' | 'allowRepeat' | 'onlyWithDoi' | 'dryRun'
> & {
  /** As it was sent, unchecked, or a `PreparedWork`. */
  readonly body: unknown
  /** The client's own name for the request, so that it can be sent again. */
  readonly idempotencyKey?: string
  /** What the requests of one import, or of one bulk request, have in common. */
  readonly batch?: string
}

/** What was registered: the body of 201, but for its links, which come last. */
export type CreatedWork = Omit<RegisteredWork, 'source'> & {
  readonly source: Readonly<Record<string, string>>
}

/** The body of 200 for a dry run: the work could be registered as it is. */
export type ValidWork = { readonly valid: true; readonly warnings: readonly FieldFault[] }

/** A work that was registered, now or when the same request came first; or that would be. */
export type RegistrationReply =
  | {
      readonly type: 'created'
      readonly work: CreatedWork
      readonly replayed: boolean
      readonly etag: string
    }
  | { readonly type: 'valid'; readonly reply: ValidWork }

type Registered = Extract<RegisterAnswer, { type: 'registered' }>

/** What became of one work of many: the status and the body it would have had alone. */
export type BulkResult = { readonly index: number } & RequestResult

type RequestResult = { readonly status: number } & Readonly<Record<string, unknown>>

/** Registers one work. Every refusal is an HttpError. */
export async function registerWork(
  registry: Registry,
  request: RegistrationRequest,
): Promise<RegistrationReply> {
  const { body, by, allowDuplicate, allowRepeat, onlyWithDoi, dryRun } = request
  const { idempotencyKey, batch } = request
  const isPrepared = body instanceof PreparedWork
  const { metadata, warnings } = acceptedWork(isPrepared ? body.check : checkNewWork(body))
  const answer = await registry.environment.works.register({
    metadata,
    warnings,
    by,
    allowDuplicate,
    allowRepeat,
    ...(onlyWithDoi === true && { onlyWithDoi }),
    dryRun,
    ...(idempotencyKey !== undefined && {
      idempotency: {
        ...(isPrepared
          ? { key: idempotencyKey, bodyHash: body.bodyHash }
          : idempotencyOf(idempotencyKey, body)),
        ...(batch !== undefined && { batch }),
      },
    }),
  })
  switch (answer.type) {
    case 'registered':
      return created(answer, registry.environment)
    case 'valid':
      return { type: 'valid', reply: { valid: true, warnings: answer.warnings } }
    case 'duplicate_work':
      throw duplicateWork(answer.existingArk)
    case 'named_work':
      throw namedWork(answer.existingArk, answer.externalId)
    case 'repeated_work':
      throw repeatedWork(answer.existingArk)
    case 'erased':
      throw new HttpError('gone', `This request registered ${answer.ark_identifier}, now erased`)
    case 'idempotency_mismatch':
      throw sentWithAnotherBody()
  }
}

/**
 * Works of one bulk request that are under way at a time. With fewer a commit takes few of them;
 * what more of them hold outlives the young garbage, and costs twice the time.
 */
export const worksAtOnce = 64

/**
 * Answers requests that came together, each on its own and `atOnce` of them at a time: a refusal is
 * the result of its request alone. They begin in their order, and results stand in it.
 */
export async function answerEach<Request>(
  requests: readonly Request[],
  atOnce: number,
  answer: (request: Request) => Promise<RequestResult>,
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  const waiting = requests.entries()
  const answerNext = async (): Promise<void> => {
    for (const [index, request] of waiting) {
      results[index] = await answer(request).then(
        (result) => ({ index, ...result }),
        (failure: unknown) => refusal(index, failure),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, answerNext))
  return results
}

function refusal(index: number, failure: unknown): BulkResult {
  const error = toHttpError(failure)
  return { index, status: errorStatus[error.code], ...errorBody(error) }
}

function acceptedWork(check: NewWorkCheck): Extract<NewWorkCheck, { type: 'ok' }> {
  if (check.type === 'ok') return check
  throw invalidInput('The work cannot be registered as it is', check.faults)
}

function created(
  { work, replayed, etag }: Registered,
  environment: Registry['environment'],
): RegistrationReply {
  const source = publicSource(work.source, nameOf(work.source, environment))
  return { type: 'created', work: { ...work, source }, replayed, etag }
}

/** What a person is called who registers a work, if their profile shows it to everybody. */
function nameOf({ type, id }: Agent, { people }: Registry['environment']): string | undefined {
  const found = type === 'person' ? people.read(id) : undefined
  return found?.type === 'person' ? claimantOf(found.profile).name : undefined
}

function duplicateWork(existing_ark: string): HttpError {
  const message =
    `${existing_ark} has the same DOI and title; ` +
    'send allow_duplicate=true to register the work all the same'
  return new HttpError('duplicate_work', message, { extra: { existing_ark } })
}

function namedWork(existing_ark: string, externalId: string): HttpError {
  const message =
    `${existing_ark} of yours has the external_id "${externalId}": change that work, ` +
    'or give this one another'
  return new HttpError('duplicate_work', message, { extra: { existing_ark } })
}

function repeatedWork(existing_ark: string): HttpError {
  const message =
    `${existing_ark} was registered with the same title and work_url less than a day ago; ` +
    'for another work, send allow_duplicate=true or an Idempotency-Key of its own'
  return new HttpError('duplicate_work', message, { extra: { existing_ark } })
}
