import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
} from 'fastify'

import { assert } from '#log/base/errors.ts'
import type { Rendered } from '#actors/catalogue/port.ts'
import { conditionalRead } from '#src/edge/described_headers.ts'
import { type Access, knownCaller, readingAccess } from '#src/edge/admission.ts'
import { bulkSchema, readBulk } from '#src/http/works/bulk_body.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
import type { WrittenReply } from '#src/edge/direct_writes.ts'
import { markReplayed, readIdempotencyKey } from '#src/edge/idempotency_key.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import { existingWork } from '#src/use_cases/work_lookup.ts'
import { type WorkRequest, workOfPath } from '#src/http/kit/work_path.ts'
import { aliasMember } from '#src/edge/openapi_document.ts'
import { numberCursor, pagesOf } from '#src/edge/list_page.ts'
import { flagParameter, readQuery } from '#src/edge/query_string.ts'
import {
  type BulkResult,
  registerWork,
  registerWorks,
  type RegistrationRequest,
  type RegistrationReply,
} from '#src/use_cases/registration.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'
import { jsonType, sendPage, sendRendered } from '#src/edge/rendered_reply.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import {
  bulkReplySchema,
  createdWorkSchema,
  validWorkSchema,
  versionsSchema,
  workSchema,
} from '#src/http/works/work_schemas.ts'
import type { Registry, RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import { newWorkSchema } from '#actors/works/request_checks.ts'

type WorkEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'readWorks' | 'turnQueues'
>

/** Bytes of the body of a bulk request, at most. */
const bulkBytesMax = 8 * 1_048_576

/** The operation that is a creation but for what it leaves. */
const validateWork = 'validateWork'

const versionPages = pagesOf({
  cursor: numberCursor,
  olderName: 'after',
  limit: 100,
  limitMax: 1_000,
  order: 'oldest',
})

const validationParameters = {
  allow_duplicate: flagParameter(
    'Register a work even if another one has its DOI and title or, where there is no DOI, if you ' +
      'have registered one with its title and `work_url` in the last 24 hours.',
  ),
}

const bulkParameters = {
  dry_run: flagParameter('Check everything and register nothing.'),
  ...validationParameters,
}

const creationParameters = {
  ...bulkParameters,
  // The reply to it is another one, and an operation of its own is one type to programs.
  dry_run: { ...bulkParameters.dry_run, aliasOf: validateWork },
}

/** Registers works and reads them, below both prefixes. */
export function registerWorkRoutes(server: FastifyInstance, edge: WorkEdge): void {
  const waitForTurn = createLongBodyTurns(edge.turnQueues)
  for (const prefix of pathPrefixes) {
    registerCreation(server, edge, prefix)
    registerValidation(server, edge, prefix)
    registerBulk(server, edge, prefix, waitForTurn)
    registerReads(server, edge, prefix)
  }
}

function registerCreation(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_create' }
  const admission = edge.admit(access, creationParameters)
  const directWrite = async (body: unknown, caller: KnownCaller) => {
    const plain = { dryRun: false, allowDuplicate: false, allowRepeat: false }
    const registry = registryOf(edge, caller)
    const answer = await registerWork(registry, { body, by: caller.agent, ...plain })
    assert(answer.type === 'created', 'what is no dry run registers a work')
    return createdReply(answer)
  }
  const options = {
    ...admission,
    config: { ...admission.config, directWrite },
    ...checkedByRules,
    schema: {
      operationId: 'createWork',
      requestHeaders: ['Idempotency-Key'] as const,
      replyHeaders: ['Location', 'ETag', 'Idempotent-Replayed'] as const,
      tags: ['works'],
      summary: 'Registers a work.',
      description:
        'With `dry_run=true` it is `validateWork`. What seems to be here already is 409 ' +
        '`duplicate_work`, with `existing_ark`, unless `allow_duplicate=true`: a work with the ' +
        'DOI and the title of another one, or, without a DOI, with the title and the `work_url` ' +
        'of one that you have registered in the last 24 hours. The second rule is for requests ' +
        'without an `Idempotency-Key`: a new key says that this is another request.',
      body: newWorkSchema,
      response: {
        200: { ...validWorkSchema, [aliasMember]: validateWork },
        201: createdWorkSchema,
      },
    },
  }
  server.post(`${prefix}/works`, options, async (request, reply) => {
    const registration = { ...readRegistration(request), body: request.body }
    const answer = await registerWork(registryOf(edge, knownCaller(request)), registration)
    if (answer.type === 'valid') return answer.reply
    if (answer.replayed) markReplayed(reply)
    const { status, headers, body } = createdReply(answer)
    return reply.code(status).headers(headers).send(body)
  })
}

function createdReply({ work, etag }: Extract<RegistrationReply, { type: 'created' }>) {
  const { self: location = '' } = work.links
  const headers = { location, etag, 'content-type': jsonType }
  return { status: 201, headers, body: JSON.stringify(work) } as const satisfies WrittenReply
}

function registerValidation(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_create' }
  const admission = edge.admit(access, validationParameters)
  const options = {
    ...admission,
    config: { ...admission.config, writesNothing: true },
    ...checkedByRules,
    schema: {
      operationId: validateWork,
      tags: ['works'],
      summary: 'Checks all that a registration checks, and registers nothing.',
      body: newWorkSchema,
      response: { 200: validWorkSchema },
    },
  }
  server.post(`${prefix}/works/validate`, options, async (request) => {
    const { allow_duplicate: allowDuplicate = false } = readQuery(request, validationParameters)
    const { body } = request
    const allowed = { allowDuplicate, allowRepeat: false }
    const wanted = { body, by: knownCaller(request).agent, ...allowed, dryRun: true }
    const answer = await registerWork(registryOf(edge, knownCaller(request)), wanted)
    assert(answer.type === 'valid', 'a dry run registers nothing')
    return answer.reply
  })
}

function registerBulk(
  server: FastifyInstance,
  edge: WorkEdge,
  prefix: PathPrefix,
  preParsing: preParsingAsyncHookHandler,
): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_bulk' }
  const admission = edge.admit(access, bulkParameters)
  const options = {
    ...admission,
    config: { ...admission.config, parseLong: edge.readWorks ?? readWorksBody },
    ...checkedByRules,
    preParsing,
    bodyLimit: bulkBytesMax,
    schema: {
      operationId: 'createWorks',
      requestHeaders: ['Idempotency-Key'] as const,
      tags: ['works'],
      summary: 'Registers many works, each on its own.',
      body: bulkSchema,
      response: { 200: bulkReplySchema },
    },
  }
  server.post(`${prefix}/works/bulk`, options, async (request, reply) => {
    const { idempotencyKey, ...shared } = readRegistration(request)
    const registrations = readBulk(request.body).map((body, index) => ({
      ...shared,
      body,
      ...(idempotencyKey !== undefined && {
        idempotencyKey: `${idempotencyKey}/${index}`,
        batch: idempotencyKey,
      }),
    }))
    const results = await registerWorks(registryOf(edge, knownCaller(request)), registrations)
    if (isReplayed(results)) markReplayed(reply)
    reply.header('content-type', jsonType)
    return reply.send(JSON.stringify({ results }))
  })
}

function registerReads(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access = readingAccess(prefix, 'read works', 'works_read')
  const workOptions = {
    ...edge.admit(access),
    schema: {
      operationId: access.type === 'key' ? 'getWork' : 'getPublicWork',
      ...conditionalRead,
      tags: ['works'],
      summary: 'Reads a work.',
      response: { 200: workSchema },
    },
  }
  server.get(`${prefix}/works/:ark`, workOptions, async (request: WorkRequest, reply) => {
    return sendRendered(request, reply, await readWork(edge, request, reply))
  })

  const versionsOptions = {
    ...edge.admit(access, versionPages.parameters),
    schema: {
      operationId: access.type === 'key' ? 'listVersions' : 'listPublicVersions',
      ...conditionalRead,
      tags: ['works'],
      summary: 'Lists the versions of a work, newest last unless told.',
      response: { 200: versionsSchema },
    },
  }
  server.get(
    `${prefix}/works/:ark/versions`,
    versionsOptions,
    async (request: WorkRequest, reply) => {
      const page = versionPages.read(request)
      const named = workOfPath(edge.environments, request, reply)
      const found = await named.environment.catalogue.versions(named.ark, page)
      return sendPage(request, reply, existingWork(named, found), edge.baseUrl)
    },
  )
}

async function readWork(
  edge: WorkEdge,
  request: WorkRequest,
  reply: FastifyReply,
): Promise<Rendered> {
  readQuery(request, {})
  const named = workOfPath(edge.environments, request, reply)
  return existingWork(named, await named.environment.catalogue.work(named.ark))
}

/** Whether works were registered before by the same request, and none by this one. */
function isReplayed(results: readonly BulkResult[]): boolean {
  const registered = results.filter(({ status }) => status === 201)
  return registered.length > 0 && registered.every((result) => result['replayed'] === true)
}

/** What all works of one request share. */
function readRegistration(request: FastifyRequest): Omit<RegistrationRequest, 'body'> {
  const { dry_run = false, allow_duplicate = false } = readQuery(request, creationParameters)
  const idempotencyKey = readIdempotencyKey(request)
  return {
    by: knownCaller(request).agent,
    dryRun: dry_run,
    allowDuplicate: allow_duplicate,
    allowRepeat: idempotencyKey !== undefined,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

function registryOf({ environments, baseUrl }: WorkEdge, caller: KnownCaller): Registry {
  return { environment: environments[caller.environment], baseUrl }
}
