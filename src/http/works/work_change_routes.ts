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
import { readQuery } from '#src/edge/query_string.ts'
import { recordSentBack, type SentBack } from '#src/edge/record_sent_back.ts'
import { checkedByRules, component, conditionalChange } from '#src/edge/reply_schemas.ts'
import { invalidInput } from '#src/edge/errors.ts'
import { workOfPath, type WorkRequest, type WorkRoute } from '#src/http/kit/works.ts'
import { workChangeSchema, workSchema } from '#src/http/works/work_routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { changeRefusal, type MadeChange, notAsAsked } from '#src/use_cases/work_change.ts'
import { existingWork, type WorkLookup } from '#src/use_cases/work_lookup.ts'
import { arkCharactersMax } from '#actors/values/ark.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { takeDown, takedownReasons } from '#src/use_cases/takedown.ts'

type WorkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

/** Updates, adds versions to, withdraws and erases works, below both prefixes. */
export function registerWorkChangeRoutes(server: FastifyInstance, edge: WorkEdge): void {
  for (const prefix of pathPrefixes) {
    registerUpdate(server, edge, prefix)
    registerNewVersion(server, edge, prefix)
    registerWithdrawal(server, edge, prefix)
    registerErasure(server, edge, prefix)
  }
}

function registerUpdate(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'update works', limit: 'works_update' }),
    ...checkedByRules,
    schema: {
      operationId: 'updateWork',
      ...conditionalChange,
      tags: ['works'],
      summary: 'Changes a work: any difference makes a new version.',
      body: workUpdateSchema,
      response: { 200: workChangeSchema },
    },
  }
  server.put(`${prefix}/works/:ark`, options, async (request: WorkRequest, reply) => {
    const change = readChange(edge, request, reply)
    const { body } = request
    const { record, ...seen } = await sentBack(workUpdateSchema, body, change)
    const { patch, warnings } = accepted(checkWorkPatch(body, record))
    const answer = await ask(change, (works, command) =>
      works.update({ ...command, ...seen, patch }),
    )
    return sendChange(reply, edge, change.named, answer, warnings)
  })
}

function registerNewVersion(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'update works', limit: 'works_version' }),
    ...checkedByRules,
    schema: {
      operationId: 'createVersion',
      ...conditionalChange,
      tags: ['works'],
      summary: 'Adds a version to a work.',
      body: newVersionSchema,
      response: { 201: workChangeSchema },
    },
  }
  server.post(`${prefix}/works/:ark/versions`, options, async (request: WorkRequest, reply) => {
    const change = readChange(edge, request, reply)
    const { body } = request
    const { record, ...seen } = await sentBack(newVersionSchema, body, change)
    const { patch, versionNote, warnings } = accepted(checkNewVersion(body, record))
    const version = { ...seen, patch, ...(versionNote !== undefined && { versionNote }) }
    const answer = await ask(change, (works, command) =>
      works.addVersion({ ...command, ...version }),
    )
    return sendChange(reply.code(201), edge, change.named, answer, warnings)
  })
}

function registerWithdrawal(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const described = (operationId: string) => ({
    ...checkedByRules,
    schema: {
      operationId,
      ...conditionalChange,
      tags: ['works'],
      summary: 'Withdraws a work: its ARK answers with a tombstone for ever.',
      body: withdrawalSchema,
      response: { 200: workChangeSchema },
    },
  })
  const withdraw = async (request: WorkRequest, reply: FastifyReply) => {
    const asked = readChange(edge, request, reply)
    const { withdrawal: wanted } = accepted(checkWithdrawal(request.body))
    const { reason, note, replaced_by } = wanted
    if (wanted.erase_metadata === true && isErasureReason(reason)) {
      // The right to withdraw every work is no right to erase one.
      const erasure = { reason, withdraws: true }
      const answer = await ask(asked, (works, command) => works.erase({ ...command, ...erasure }))
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
  const limit = 'works_withdraw'
  const admitted = edge.admit({ type: 'key', prefix, right: 'withdraw works', limit })
  const posted = { ...admitted, ...described('withdrawWork') }
  server.post<WorkRoute>(`${prefix}/works/:ark/withdraw`, posted, withdraw)
  const deleted = { ...admitted, ...described('deleteWork') }
  server.delete<WorkRoute>(`${prefix}/works/:ark`, deleted, withdraw)
}

/** The operator's key reaches every work if it has the scope; another owner's reaches its own. */
function withdrawingAgent(request: WorkRequest): Agent {
  const { agent, scopes } = knownCaller(request)
  return isOperator(agent) && scopes.has('works:delete') ? { ...agent, admin: true } : agent
}

function registerErasure(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access = { type: 'key', prefix, right: 'erase works', limit: 'works_withdraw' } as const
  const options = {
    ...edge.admit(access),
    ...checkedByRules,
    schema: {
      operationId: 'eraseWork',
      requestHeaders: ['If-Match', 'X-Admin-Code'] as const,
      replyHeaders: ['ETag'] as const,
      tags: ['works'],
      summary: 'Erases the metadata of a withdrawn work; hashes, receipts and proofs stay.',
      description:
        'For administrators: a key with `admin:*`, and a one-time code in `X-Admin-Code`. ' +
        'Erasing again changes nothing. Withdraw the work first, or do both in one call: ' +
        'withdraw it with `erase_metadata`.',
      body: erasureSchema,
      response: { 200: workChangeSchema },
    },
  }
  server.post(`${prefix}/works/:ark/erase`, options, async (request: WorkRequest, reply) => {
    const change = readChange(edge, request, reply)
    const { reason } = accepted(checkErasure(request.body)).erasure
    const answer = await ask(change, (works, command) =>
      works.erase({ ...command, reason, withdraws: false }),
    )
    return sendChange(reply, edge, change.named, answer)
  })
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
  readQuery(request, {})
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
  for (const prefix of pathPrefixes) register(server, edge, prefix)
}

function register(server: FastifyInstance, edge: TakedownEdge, prefix: PathPrefix): void {
  const access = { type: 'key', prefix, right: 'administer', limit: 'works_withdraw' } as const
  const making = {
    ...edge.admit(access),
    schema: {
      operationId: 'takeDownWork',
      tags: ['works'],
      summary: 'Withdraws any work in the name of the operator of the registry.',
      description: `A key with \`admin:*\` and a one-time code in \`X-Admin-Code\` (\`arklog key
confirm\`). Tombstone, history, feeds and the signed statement say that the operator did it; the
owner is told.`.replaceAll('\n', ' '),
      body: takedownSchema,
      response: { 200: workChangeSchema },
    },
  }
  server.post(`${prefix}/admin/takedowns`, making, async (request: FastifyRequest, reply) => {
    readQuery(request, {})
    const { agent } = knownCaller(request)
    const { type, id, name } = agent
    const hand = { by: { type, id, name }, via: agent.via, nowMs: edge.nowMs() }
    const asked = request.body as Static<typeof takedownSchema>
    const answer = await takeDown(edge, asked, hand)
    keepPrivate(reply)
    return sendMade(reply, edge, { ...answer, warnings: [] })
  })
}
