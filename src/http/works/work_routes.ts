import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
} from 'fastify'

import type { Rendered } from '#actors/catalogue/port.ts'
import { type Access, knownCaller, readingAccess } from '#src/edge/admission.ts'
import { bulkSchema, readBulk } from '#src/http/works/bulk_body.ts'
import { readIdempotencyKey } from '#src/edge/idempotency_key.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import { existingWork } from '#src/api/named_work.ts'
import { type WorkRequest, workOfPath } from '#src/http/kit/work_path.ts'
import { flagParameter, integerParameter, readQuery } from '#src/edge/query_string.ts'
import { registerWork, registerWorks, type Registration } from '#src/api/registration.ts'
import { jsonType, sendRendered } from '#src/edge/rendered_reply.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import {
  bulkReplySchema,
  createdWorkSchema,
  validWorkSchema,
  versionsSchema,
  workSchema,
} from '#src/http/works/work_schemas.ts'
import type { Registry, RegistryEdge } from '#src/api/registry_edge.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import { newWorkSchema } from '#actors/works/metadata_checks.ts'

type WorkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

/** Bytes of the body of a bulk request, at most. */
const bulkBytesMax = 8 * 1_048_576

/** Versions on one page, unless told and at most. */
const versionsDefault = 100
const versionsMax = 1_000

const creationParameters = {
  dry_run: flagParameter('Check everything and register nothing.'),
  allow_duplicate: flagParameter('Register a work even if another one has its DOI and title.'),
}

const versionsParameters = {
  after: integerParameter('Only versions above this one.', { minimum: 0, maximum: 2 ** 31 - 1 }),
  limit: integerParameter('Versions at most.', { minimum: 1, maximum: versionsMax }),
}

/** Registers works and reads them, below both prefixes. */
export function registerWorkRoutes(server: FastifyInstance, edge: WorkEdge): void {
  const waitForTurn = createLongBodyTurns()
  for (const prefix of pathPrefixes) {
    registerCreation(server, edge, prefix)
    registerBulk(server, edge, prefix, waitForTurn)
    registerReads(server, edge, prefix)
  }
}

function registerCreation(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_create' }
  const options = {
    ...edge.admit(access, creationParameters),
    ...checkedByRules,
    schema: {
      tags: ['works'],
      summary: 'Registers a work.',
      body: newWorkSchema,
      response: { 200: validWorkSchema, 201: createdWorkSchema },
    },
  }
  server.post(`${prefix}/works`, options, async (request, reply) => {
    const registration = { ...readRegistration(request), body: request.body }
    const answer = await registerWork(registryOf(edge, request), registration)
    if (answer.type === 'valid') return answer.reply
    if (answer.replayed) reply.header('idempotent-replayed', 'true')
    reply.header('location', answer.work.links['self'])
    reply.header('etag', answer.etag)
    return reply.code(201).send(answer.work)
  })
}

function registerBulk(
  server: FastifyInstance,
  edge: WorkEdge,
  prefix: PathPrefix,
  preParsing: preParsingAsyncHookHandler,
): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_bulk' }
  const options = {
    ...edge.admit(access, creationParameters),
    ...checkedByRules,
    preParsing,
    bodyLimit: bulkBytesMax,
    schema: {
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
      ...(idempotencyKey !== undefined && { idempotencyKey: `${idempotencyKey}/${index}` }),
    }))
    const results = await registerWorks(registryOf(edge, request), registrations)
    reply.header('content-type', jsonType)
    return reply.send(JSON.stringify({ results }))
  })
}

function registerReads(server: FastifyInstance, edge: WorkEdge, prefix: PathPrefix): void {
  const access = readingAccess(prefix, 'read works', 'works_read')
  const workOptions = {
    ...edge.admit(access),
    schema: { tags: ['works'], summary: 'Reads a work.', response: { 200: workSchema } },
  }
  server.get(`${prefix}/works/:ark`, workOptions, async (request: WorkRequest, reply) => {
    return sendRendered(request, reply, await readWork(edge, request, reply))
  })

  const versionsOptions = {
    ...edge.admit(access, versionsParameters),
    schema: {
      tags: ['works'],
      summary: 'Lists the versions of a work, newest last.',
      response: { 200: versionsSchema },
    },
  }
  server.get(
    `${prefix}/works/:ark/versions`,
    versionsOptions,
    async (request: WorkRequest, reply) => {
      const { after = 0, limit = versionsDefault } = readQuery(request, versionsParameters)
      const named = workOfPath(edge.environments, request, reply)
      const found = await named.environment.catalogue.versions(named.ark, { after, limit })
      return sendRendered(request, reply, existingWork(named, found))
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

/** What all works of one request share. */
function readRegistration(request: FastifyRequest): Omit<Registration, 'body'> {
  const { dry_run = false, allow_duplicate = false } = readQuery(request, creationParameters)
  const idempotencyKey = readIdempotencyKey(request)
  return {
    by: knownCaller(request).agent,
    dryRun: dry_run,
    allowDuplicate: allow_duplicate,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

function registryOf({ environments, baseUrl }: WorkEdge, request: FastifyRequest): Registry {
  return { environment: environments[knownCaller(request).environment], baseUrl }
}
