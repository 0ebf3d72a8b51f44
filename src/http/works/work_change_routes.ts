import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TObject, Type } from 'typebox'

import { publicSource, workLinks } from '#actors/registry/catalogue/representation.ts'
import type { Idempotency } from '#actors/journal/idempotency.ts'
import { type Agent, isOperator } from '#actors/values/agent.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { ChangeAnswer, Works } from '#actors/works/port.ts'
import {
  checkErasure,
  checkNewVersion,
  checkWithdrawal,
  checkWorkPatch,
  erasureSchema,
  isErasureReason,
  newVersionSchema,
  withdrawalSchema,
  workUpdateSchema,
} from '#actors/works/request_checks.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { ifMatch } from '#src/edge/conditional.ts'
import { namedRequest, replayedHeader } from '#src/edge/keyed_writes.ts'
import { recordSentBack, type SentBack } from '#src/edge/record_sent_back.ts'
import { component, conditionalChange } from '#src/edge/reply_schemas.ts'
import { invalidInput } from '#src/edge/errors.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { linksSchema, workOfPath, type WorkRequest, type WorkRoute } from '#src/http/kit/works.ts'
import { workChangeSchema, workSchema } from '#src/http/works/work_routes.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { changeRefusal, type MadeChange, notAsAsked } from '#src/use_cases/work_change.ts'
import { existingWork, type WorkLookup } from '#src/use_cases/work_lookup.ts'
import { arkCharactersMax } from '#actors/values/ark.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { decodeArk } from '#src/edge/request_path.ts'
import {
  type Erasure,
  eraseWork,
  registerTakenDown,
  takeDown,
  takedownReasons,
} from '#src/use_cases/takedown.ts'

type WorkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'oauth' | 'nowMs'>

/** Updates, adds versions to, withdraws and erases works, below both prefixes. */
export function registerWorkChangeRoutes(server: FastifyInstance, edge: WorkEdge): void {
  registerRoutes(server, edge, 'works', changeRoutes)
}

const withdrawing = {
  demands: { right: 'withdraw works', limit: 'works_withdraw' },
  isCheckedByRules: true,
  ...conditionalChange,
  summary: 'Withdraws a work: its ARK answers with a tombstone for ever.',
  body: withdrawalSchema,
  response: { 200: workChangeSchema },
  handle: withdraw,
} as const

const changeRoutes: readonly Route<WorkEdge, WorkRoute['Params']>[] = [
  {
    method: 'PUT',
    path: '/works/:ark',
    demands: { right: 'update works', limit: 'works_update' },
    isCheckedByRules: true,
    operationId: 'updateWork',
    ...conditionalChange,
    summary: 'Changes a work: any difference makes a new version.',
    body: workUpdateSchema,
    response: { 200: workChangeSchema },
    async handle(edge, request, reply) {
      const change = readChange(edge, request, reply)
      const { body } = request
      const { record, ...seen } = await sentBack(workUpdateSchema, body, change)
      const { patch, warnings } = accepted(checkWorkPatch(body, record))
      const answer = await ask(change, (works, command) =>
        works.update({ ...command, ...seen, patch }),
      )
      return sendChange(reply, edge, change.named, answer, warnings)
    },
  },
  {
    method: 'POST',
    path: '/works/:ark/versions',
    demands: { right: 'update works', limit: 'works_version' },
    isCheckedByRules: true,
    operationId: 'createVersion',
    ...conditionalChange,
    summary: 'Adds a version to a work.',
    body: newVersionSchema,
    response: { 201: workChangeSchema },
    async handle(edge, request, reply) {
      const change = readChange(edge, request, reply)
      const { body } = request
      const { record, ...seen } = await sentBack(newVersionSchema, body, change)
      const { patch, versionNote, warnings } = accepted(checkNewVersion(body, record))
      const version = { ...seen, patch, ...(versionNote !== undefined && { versionNote }) }
      const answer = await ask(change, (works, command) =>
        works.addVersion({ ...command, ...version }),
      )
      return sendChange(reply.code(201), edge, change.named, answer, warnings)
    },
  },
  { ...withdrawing, method: 'POST', path: '/works/:ark/withdraw', operationId: 'withdrawWork' },
  { ...withdrawing, method: 'DELETE', path: '/works/:ark', operationId: 'deleteWork' },
  {
    method: 'POST',
    path: '/works/:ark/erase',
    demands: { right: 'erase works', limit: 'works_withdraw' },
    isCheckedByRules: true,
    operationId: 'eraseWork',
    requestHeaders: ['If-Match', 'X-Admin-Code'],
    replyHeaders: ['ETag'],
    summary: 'Erases the metadata of a withdrawn work; hashes, receipts and proofs stay.',
    description:
      'For administrators: a key with `admin:*`, and a one-time code in `X-Admin-Code`. ' +
      'Erasing again changes nothing. Withdraw the work first, or do both in one call: ' +
      'withdraw it with `erase_metadata`.',
    body: erasureSchema,
    response: { 200: workChangeSchema },
    async handle(edge, request, reply) {
      const change = readChange(edge, request, reply)
      const { erasure } = accepted(checkErasure(request.body))
      const answer = await erase(edge, request, change, { ...erasure, withdraws: false })
      return sendChange(reply, edge, change.named, answer)
    },
  },
]

async function withdraw(
  edge: WorkEdge,
  request: WorkRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = readChange(edge, request, reply)
  const { withdrawal: wanted } = accepted(checkWithdrawal(request.body))
  const { reason, note, replaced_by } = wanted
  if (wanted.erase_metadata === true && isErasureReason(reason)) {
    // The right to withdraw every work is no right to erase one.
    const answer = await erase(edge, request, asked, { reason, withdraws: true })
    return sendChange(reply, edge, asked.named, answer)
  }
  const change = { ...asked, by: withdrawingAgent(request) }
  const withdrawal = {
    reason,
    ...(note !== undefined && { note }),
    ...(replaced_by !== undefined && { replacedBy: replaced_by }),
  }
  const answer = await ask(change, (works, command) =>
    works.withdraw({ ...command, ...withdrawal }),
  )
  return sendChange(reply, edge, change.named, answer)
}

function erase(
  edge: WorkEdge,
  request: WorkRequest,
  { named, ...asked }: Change,
  wanted: Omit<Erasure, keyof Asked>,
): Promise<ChangeAnswer> {
  return eraseWork(edge, named, { ...asked, ...wanted }, handOf(edge, request))
}

/** The operator's key reaches every work if it has the scope; another owner's reaches its own. */
function withdrawingAgent(request: WorkRequest): Agent {
  const { agent, scopes } = knownCaller(request)
  return isOperator(agent) && scopes.has('works:delete') ? { ...agent, admin: true } : agent
}

/** A change of a work: of which, by whom, and only if it stands as the caller has seen it. */
type Change = { readonly named: WorkLookup } & Asked

/** The agent, and the conditions of the change. */
type Asked = {
  readonly by: Agent
  readonly ifMatch?: readonly string[]
  readonly idempotency?: Idempotency
}

function readChange(edge: WorkEdge, request: WorkRequest, reply: FastifyReply): Change {
  const named = workOfPath(edge.environments, request, reply)
  const tags = ifMatch(request)
  const idempotency = namedRequest(request)
  return {
    named,
    by: knownCaller(request).agent,
    ...(tags !== undefined && { ifMatch: tags }),
    ...(idempotency !== undefined && { idempotency }),
  }
}

/** The work, where a body has members of it that are no metadata, and which one was read. */
function sentBack(update: TObject, body: unknown, change: Change): Promise<SentBack> {
  const { fixity_status, source, ...others } = workSchema.properties
  const { version, updated_at, receipt_id, metadata_hash } = others
  return recordSentBack(body, {
    update,
    edition: { version, updated_at, receipt_id, metadata_hash },
    edited: ['links'],
    // A check of the content, and a new name of its registrant, make no version.
    moving: { fixity_status, source },
    read: () => read(change),
  })
}

/** The work of a change as its readers get it. */
async function read({ named }: Change): Promise<Readonly<Record<string, unknown>>> {
  const { body } = existingWork(named, await named.environment.catalogue.work(named.ark))
  return JSON.parse(Buffer.from(body).toString()) as Readonly<Record<string, unknown>>
}

/** The result of a check; what it found wrong is an HttpError `validation_failed`. */
function accepted<C extends { readonly type: string }>(
  check: C | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] },
): Exclude<C, { type: 'invalid' }> {
  if ('faults' in check) throw invalidInput(notAsAsked, check.faults)
  return check as Exclude<C, { type: 'invalid' }>
}

type Command = Asked & { readonly ark: string }

function ask(
  { named: { environment, ark }, ...rest }: Change,
  call: (works: Works, command: Command) => Promise<ChangeAnswer>,
): Promise<ChangeAnswer> {
  return call(environment.works, { ark, ...rest })
}

/** Tells what became of a change, with the entity tag of the work as it stands now. */
function sendChange(
  reply: FastifyReply,
  edge: Pick<WorkEdge, 'baseUrl'>,
  named: WorkLookup,
  answer: ChangeAnswer,
  warnings: readonly FieldFault[] = [],
): FastifyReply {
  if (answer.type !== 'changed' && answer.type !== 'unchanged') {
    throw changeRefusal(named, answer, knownCaller(reply.request).kind)
  }
  return sendMade(reply, edge, { named, made: answer, warnings })
}

/** Tells of a change that was made, or changes nothing; `warnings` are those of its body. */
export function sendMade(
  reply: FastifyReply,
  { baseUrl }: Pick<WorkEdge, 'baseUrl'>,
  answer: {
    readonly named: WorkLookup
    readonly made: MadeChange
    readonly warnings: readonly FieldFault[]
  },
): FastifyReply {
  const { environment, ark } = answer.named
  const { made } = answer
  const { change } = made
  const warnings = [...answer.warnings, ...(('warnings' in made && made.warnings) || [])]
  const state = environment.catalogue.state(ark)
  if (state !== undefined) reply.header('etag', entityTag(state))
  if ('replayed' in made) reply.headers(replayedHeader)
  return reply.send({
    ...change,
    ...(made.type === 'unchanged' && { unchanged: true }),
    ...(warnings.length > 0 && { warnings }),
    source: publicSource(change.source),
    links: workLinks(baseUrl, change.ark_identifier, change.version),
  })
}

const takedownSchema = component(
  'Takedown',
  {
    work: Type.String({
      maxLength: arkCharactersMax,
      description: 'An ARK in any spelling, the address of a work’s page, or a DOI.',
    }),
    reason: Type.String({ description: `One of ${takedownReasons.join(', ')}.` }),
    note: Type.Optional(Type.String({ description: 'What else readers should know.' })),
  },
  { additionalProperties: false },
)

type TakedownEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'oauth' | 'baseUrl' | 'nowMs'>

/** Takes works down, for keys of the operator with a one-time code, below both prefixes. */
export function registerTakedownRoutes(server: FastifyInstance, edge: TakedownEdge): void {
  registerRoutes(server, edge, 'works', [takingDown, registeringAgain])
}

const takingDown: Route<TakedownEdge> = {
  method: 'POST',
  path: '/admin/takedowns',
  demands: { right: 'administer', limit: 'works_withdraw' },
  operationId: 'takeDownWork',
  summary: 'Withdraws any work in the name of the operator of the registry.',
  description: `A key with \`admin:*\` and a one-time code in \`X-Admin-Code\` (\`arklog key
confirm\`). Tombstone, history, feeds and the signed statement say that the operator did it; the
owner is told.`.replaceAll('\n', ' '),
  body: takedownSchema,
  response: { 200: workChangeSchema },
  async handle(edge, request, reply) {
    const asked = request.body as Static<typeof takedownSchema>
    const answer = await takeDown(edge, asked, handOf(edge, request))
    keepPrivate(reply)
    return sendMade(reply, edge, { ...answer, warnings: [] })
  },
}

const registeringAgain: Route<TakedownEdge, WorkRoute['Params']> = {
  method: 'POST',
  path: '/admin/takedowns/:ark/again',
  demands: { right: 'administer', limit: 'works_withdraw' },
  operationId: 'registerTakenDown',
  summary: 'Registers a withdrawn work again for its owner, under a new ARK.',
  description: `A key with \`admin:*\` and a one-time code in \`X-Admin-Code\` (\`arklog key
confirm\`). A withdrawal is final, and this is done once for each work: the page of the old ARK
leads to the new one. The owner is told. The reply has the links of the new work.`.replaceAll(
    '\n',
    ' ',
  ),
  replyHeaders: ['Location'],
  response: { 201: linksSchema },
  async handle(edge, request, reply) {
    const ark = decodeArk(request.params.ark)
    const { newArk } = await registerTakenDown(edge, ark, handOf(edge, request))
    keepPrivate(reply)
    const links = workLinks(edge.baseUrl, newArk, 1)
    return reply.code(201).header('location', links.self).send(links)
  },
}

/** By whose hand an administrator's call is done, and when. */
function handOf({ nowMs }: Pick<TakedownEdge, 'nowMs'>, request: FastifyRequest) {
  const { type, id, name, via } = knownCaller(request).agent
  return { by: { type, id, name }, via, nowMs: nowMs(), ip: request.ip }
}
