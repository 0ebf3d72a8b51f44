import { type TSchema, Type } from 'typebox'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingAsyncHookHandler,
} from 'fastify'

import { workLink, writeWorkLinks } from '#actors/registry/catalogue/representation.ts'
import { FaultList } from '#actors/values/fault_list.ts'
import { type FieldKind, fieldsSchema, readFields, shapeOf } from '#actors/values/field_table.ts'
import { ByteWriter } from '#actors/values/serialization.ts'
import { workTypeNames, workTypes } from '#actors/values/work_type.ts'
import { metadataSchema, newWorkSchema } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'
import { type Access, demandRight, knownCaller } from '#src/edge/admission.ts'
import type { KnownCaller } from '#src/edge/caller.ts'
import type { PlainReply, PlainRequest } from '#src/edge/fast_path.ts'
import { readIdempotencyKey, replayedHeader } from '#src/edge/keyed_writes.ts'
import { ndjsonType, registerNdjsonBody } from '#src/edge/json_body.ts'
import { numberCursor, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { aliasMember } from '#src/edge/openapi_document.ts'
import { flagParameter, readQuery } from '#src/edge/query_string.ts'
import { jsonType, sendPage, sendPlain, sendRendered } from '#src/edge/rendered_reply.ts'
import { tombstoneSchema } from '#src/http/arks/resolve_routes.ts'
import {
  checkedByRules,
  component,
  conditionalRead,
  fieldFaultSchema,
  time,
} from '#src/edge/reply_schemas.ts'
import { createLongBodyTurns } from '#src/edge/turns.ts'
import { invalidInput } from '#src/edge/errors.ts'
import {
  arkIdentifier,
  contentHash,
  fixityStatus,
  linksSchema,
  receiptId,
  sha256Hash,
  sourceSchema,
  version,
  versionSchema,
  shownWorkOfPath,
  workOfPath,
  type WorkRoute,
  workStatus,
} from '#src/http/kit/works.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import {
  type BulkResult,
  registerWork,
  type RegistrationReply,
  type RegistrationRequest,
} from '#src/use_cases/registration.ts'
import { bringWorks } from '#src/use_cases/work_bulk.ts'
import type { Registry, RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { existingWork } from '#src/use_cases/work_lookup.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'

const { work_title, work_type } = metadataSchema.properties as Record<string, TSchema>

const identity = {
  svc_id: Type.String(),
  ark_identifier: arkIdentifier,
  work_title: work_title as TSchema,
  work_type: work_type as TSchema,
  created_at: time,
}

/** The body of 201: what was registered. */
export const createdWorkSchema = component('CreatedWork', {
  ...identity,
  version,
  receipt_id: receiptId,
  fixity_status: fixityStatus,
  metadata_hash: sha256Hash,
  source: sourceSchema,
  warnings: Type.Array(fieldFaultSchema),
  links: linksSchema,
})

/** The body of 200 for a dry run: the work would be registered. */
const validWorkSchema = component('ValidWork', {
  valid: Type.Literal(true),
  warnings: Type.Array(fieldFaultSchema),
})

/** The body of a bulk registration's reply. */
const bulkReplySchema = component('BulkReply', {
  results: Type.Array(
    component(
      'BulkResult',
      { index: Type.Integer(), status: Type.Integer(), error: Type.Optional(Type.String()) },
      {
        additionalProperties: true,
        description: 'The body that the reply would have had if the work had been sent alone.',
      },
    ),
  ),
})

/** A work as it is read; all fields of its metadata stand beside these. */
export const workSchema = component('Work', {
  ...metadataSchema.properties,
  ...identity,
  version,
  updated_at: time,
  status: workStatus,
  withdrawn_at: Type.Optional({ ...time, description: 'Of a withdrawn work that was found.' }),
  withdrawal_reason: Type.Optional(Type.String({ description: 'Why it was withdrawn.' })),
  fixity_status: fixityStatus,
  receipt_id: receiptId,
  metadata_hash: sha256Hash,
  source: sourceSchema,
  links: linksSchema,
})

/** A page of a work's versions, newest last by default. */
const versionsSchema = component('VersionPage', {
  ark: arkIdentifier,
  total: Type.Integer({ minimum: 1 }),
  versions: Type.Array(versionSchema),
  ...pageMembers(version),
})

/** What a change of a work answers. */
export const workChangeSchema = component('WorkChange', {
  ark_identifier: arkIdentifier,
  version,
  kind: Type.String({ enum: ['registered', 'updated', 'versioned', 'withdrawn', 'erased'] }),
  receipt_id: receiptId,
  created_at: time,
  metadata_hash: sha256Hash,
  content_hash: contentHash,
  fixity_status: fixityStatus,
  changed_fields: Type.Array(Type.String()),
  unchanged: Type.Optional(Type.Literal(true)),
  warnings: Type.Optional(Type.Array(fieldFaultSchema)),
  source: sourceSchema,
  links: linksSchema,
})

type WorkEdge = Pick<
  RegistryEdge,
  'admit' | 'count' | 'environments' | 'baseUrl' | 'readWorks' | 'turnQueues' | 'suspensions'
>

/** Bytes of the body of a bulk request, at most. */
const bulkBytesMax = 8 * 1_048_576

/** Bytes of such a body that count as a work. */
const bytesPerWork = 8_192

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

const registrationParameters = {
  dry_run: flagParameter('Check everything and register nothing.'),
  ...validationParameters,
}

const bulkParameters = {
  ...registrationParameters,
  update: flagParameter('Replace the works of yours that have the DOIs of works.'),
}

const creationParameters = {
  ...registrationParameters,
  // The reply to it is another one, and an operation of its own is one type to programs.
  dry_run: { ...registrationParameters.dry_run, aliasOf: validateWork },
}

function register(edge: WorkEdge, request: PlainRequest) {
  const registration = { ...readRegistration(request), body: request.body }
  return registerWork(registryOf(edge, knownCaller(request)), registration)
}

const creating: Route<WorkEdge> = {
  method: 'POST',
  path: '/works',
  demands: { right: 'mint works', limit: 'works_create' },
  parameters: creationParameters,
  operationId: 'createWork',
  requestHeaders: ['Idempotency-Key'],
  replyHeaders: ['Location', 'ETag', 'Idempotent-Replayed'],
  summary: 'Registers a work.',
  description:
    'With `dry_run=true` it is `validateWork`. What seems to be here already is 409 ' +
    '`duplicate_work`, with `existing_ark`, unless `allow_duplicate=true`: a work with the ' +
    'DOI and the title of another one, or, without a DOI, with the title and the `work_url` ' +
    'of one that you have registered in the last 24 hours. The second rule is for requests ' +
    'without an `Idempotency-Key` and an `external_id`: a new one of these says that this is ' +
    'another work. An `external_id` is of one work of yours, whatever else is asked for.',
  body: newWorkSchema,
  isCheckedByRules: true,
  response: {
    200: { ...validWorkSchema, [aliasMember]: validateWork },
    201: createdWorkSchema,
  },
  config: (edge) => ({
    async plainWrite(request) {
      const answer = await register(edge, request)
      assert(answer.type === 'created', 'what is no dry run registers a work')
      return createdReply(answer, edge.baseUrl)
    },
  }),
  async handle(edge, request, reply) {
    const answer = await register(edge, request)
    if (answer.type === 'valid') return answer.reply
    return sendPlain(request, reply, createdReply(answer, edge.baseUrl))
  },
}

const createdOut = new ByteWriter()

/** The 201 of a work that was registered, now or when the same request came first. */
export function createdReply(
  { work, etag, replayed }: Extract<RegistrationReply, { type: 'created' }>,
  baseUrl: string,
): PlainReply {
  const { ark_identifier: identifier } = work
  const headers = {
    ...(replayed && replayedHeader),
    location: workLink('self', baseUrl, identifier, work.version),
    etag,
    'content-type': jsonType,
  }
  createdOut.begin().text(JSON.stringify(work).slice(0, -1)).ascii(',"links":')
  writeWorkLinks(createdOut, baseUrl, identifier, work.version)
  return { status: 201, headers, body: createdOut.ascii('}').take() }
}

const validating: Route<WorkEdge> = {
  method: 'POST',
  path: '/works/validate',
  demands: { right: 'mint works', limit: 'works_create' },
  parameters: validationParameters,
  operationId: validateWork,
  summary: 'Checks all that a registration checks, and registers nothing.',
  body: newWorkSchema,
  isCheckedByRules: true,
  response: { 200: validWorkSchema },
  config: () => ({ writesNothing: true }),
  async handle(edge, request) {
    const { allow_duplicate: allowDuplicate = false } = readQuery(request, validationParameters)
    const { body: work } = request
    const allowed = { allowDuplicate, allowRepeat: false }
    const wanted = { body: work, by: knownCaller(request).agent, ...allowed, dryRun: true }
    const answer = await registerWork(registryOf(edge, knownCaller(request)), wanted)
    assert(answer.type === 'valid', 'a dry run registers nothing')
    return answer.reply
  },
}

/** Registers works and reads them, below both prefixes. */
export function registerWorkRoutes(server: FastifyInstance, edge: WorkEdge): void {
  const waitForTurn = createLongBodyTurns(edge.turnQueues)
  for (const prefix of pathPrefixes) registerBulk(server, edge, prefix, waitForTurn)
  registerRoutes(server, edge, 'works', [creating, validating, reading, listingVersions])
}

function registerBulk(
  server: FastifyInstance,
  edge: WorkEdge,
  prefix: PathPrefix,
  preParsing: preParsingAsyncHookHandler,
): void {
  const limit = 'bulk_works'
  const access: Access = { type: 'key', prefix, right: 'mint works', limit, callsOf: worksIn }
  const admission = edge.admit(access, bulkParameters)
  const read = edge.readWorks ?? readWorksBody
  const options = {
    ...admission,
    config: { ...admission.config, parseLong: read },
    ...checkedByRules,
    preParsing,
    bodyLimit: bulkBytesMax,
    schema: {
      operationId: 'createWorks',
      requestHeaders: ['Idempotency-Key'] as const,
      tags: ['works'],
      summary: 'Registers and changes many works, each on its own.',
      description:
        'A work with a member `ark` changes the one of this ARK, as `PUT /v1/works/{ark}` does; ' +
        'with `update=true`, one whose `external_id` or `existing_doi` a work of yours has ' +
        'replaces that, as `PUT /v1/works/by-doi/{doi}` does. As `application/x-ndjson`, the ' +
        'body has a work a line, and the reply an answer a line, in their order. Sent again ' +
        'under its `Idempotency-Key`, it goes on where it was interrupted. Its limit counts ' +
        'works: one for each, and for each 8 KiB of the body if these are more.',
      body: bulkSchema,
      response: { 200: bulkReplySchema },
    },
  }
  // Only here JSON lines are a body.
  server.register((scope, _options, done) => {
    registerNdjsonBody(scope, (bytes) => read(bytes, 'lines'))
    scope.post(`${prefix}/works/bulk`, options, async (request, reply) => {
      const caller = knownCaller(request)
      const works = readBulk(request.body)
      // A body was counted by its length before it was read.
      const counted = { all: works.length, before: worksIn(request) }
      await edge.count(limit, request, reply, counted)
      const results = await bringWorks(registryOf(edge, caller), works, {
        ...readRegistration(request, bulkParameters),
        updates: readQuery(request, bulkParameters).update ?? false,
        kind: caller.kind,
        demandChange: () => demandRight(caller, 'update works', prefix),
      })
      if (isReplayed(results)) reply.headers(replayedHeader)
      return sendResults(request, reply, results)
    })
    done()
  })
}

/** Works that a body counts as before it is read, by its length: reading it costs as much. */
function worksIn({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const bytes = Number(headers['content-length'] ?? bulkBytesMax)
  return Math.max(1, Math.ceil(bytes / bytesPerWork))
}

function sendResults(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  results: readonly BulkResult[],
): FastifyReply {
  const { accept = '*/*', 'content-type': sent = '' } = headers
  const isLines = sent.startsWith(ndjsonType) && /\*\/\*|ndjson/.test(accept)
  if (!isLines) {
    reply.header('content-type', jsonType)
    return reply.send(JSON.stringify({ results }))
  }
  reply.header('content-type', ndjsonType)
  return reply.send(results.map((result) => `${JSON.stringify(result)}\n`).join(''))
}

const reading: Route<WorkEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/works/:ark',
  demands: { type: 'reading', right: 'read works', limit: 'works_read' },
  operationId: 'getWork',
  publicOperationId: 'getPublicWork',
  ...conditionalRead,
  summary: 'Reads a work.',
  response: { 200: workSchema, 410: tombstoneSchema },
  async handle(edge, request, reply) {
    const named = shownWorkOfPath(edge, request, reply)
    const found = await named.environment.catalogue.work(named.ark)
    return sendRendered(request, reply, existingWork(named, found))
  },
}

const listingVersions: Route<WorkEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/works/:ark/versions',
  demands: { type: 'reading', right: 'read works', limit: 'works_read' },
  parameters: versionPages.parameters,
  operationId: 'listVersions',
  publicOperationId: 'listPublicVersions',
  ...conditionalRead,
  summary: 'Lists the versions of a work, newest last unless told.',
  response: { 200: versionsSchema },
  async handle(edge, request, reply) {
    const page = versionPages.read(request)
    const named = workOfPath(edge.environments, request, reply)
    const found = await named.environment.catalogue.versions(named.ark, page)
    return sendPage(request, reply, existingWork(named, found), edge.baseUrl)
  },
}

/** Whether works were registered before by the same request, and none by this one. */
function isReplayed(results: readonly BulkResult[]): boolean {
  const registered = results.filter((result) => result.status < 300 && !('valid' in result))
  return registered.length > 0 && registered.every((result) => result['replayed'] === true)
}

/** What all works of one request share. */
function readRegistration(
  request: PlainRequest,
  parameters: typeof creationParameters | typeof bulkParameters = creationParameters,
): Omit<RegistrationRequest, 'body'> {
  const { dry_run = false, allow_duplicate = false } = readQuery(request, parameters)
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

/** Works in one bulk request, at most. */
const bulkWorksMax = 1_000

/** Works that are looked at one by one afterwards: here they are only counted. */
const works: FieldKind<readonly unknown[]> = {
  read(value, path, faults) {
    if (!Array.isArray(value)) {
      faults.addWrongType(path, 'an array', value)
    } else if (value.length === 0 || value.length > bulkWorksMax) {
      faults.add(path, 'bad_length', `${path} must have 1 to ${bulkWorksMax} works`)
    } else {
      return value as unknown[]
    }
    return undefined
  },
  schema: ({ description = '' }) =>
    Type.Array(newWorkSchema, { description, minItems: 1, maxItems: bulkWorksMax }),
}

const bulkShape = shapeOf<{ works: readonly unknown[] }>({
  works: { kind: works, required: true, about: 'The works to register.', example: [] },
})

/** Describes the body of a bulk registration. */
const bulkSchema = fieldsSchema(bulkShape, { title: 'NewWorks' })

/** The works of a bulk body, each unchecked. Throws HttpError `validation_failed`. */
function readBulk(body: unknown): readonly unknown[] {
  const faults = new FaultList()
  const record = readFields(bulkShape, body, '', faults)
  if (faults.count === 0) return record?.['works'] as readonly unknown[]
  throw invalidInput('The body must be {"works": […]}', faults.faults)
}

const name = Type.String()

const workTypesSchema = component('WorkTypeList', {
  work_types: Type.Array(
    component('WorkTypeNames', {
      work_type: name,
      coar: Type.String({ description: 'Below http://purl.org/coar/resource_type/; or empty.' }),
      datacite: name,
      crossref: name,
      csl: name,
      schema_org: name,
      bibtex: name,
      ris: name,
      eu_repo: name,
    }),
  ),
})

const body = {
  work_types: workTypeNames.map((type) => {
    const { schemaOrg: schema_org, euRepo: eu_repo, ...names } = workTypes[type]
    return { work_type: type, ...names, schema_org, eu_repo }
  }),
}

const listingTypes: Route<Pick<RegistryEdge, 'admit'>> = {
  method: 'GET',
  path: '/work-types',
  demands: { type: 'public', limit: 'public_read' },
  operationId: 'listWorkTypes',
  summary: 'Lists the kinds of works.',
  response: { 200: workTypesSchema },
  handle(_edge, _request, reply) {
    reply.header('cache-control', 'public, max-age=3600')
    return reply.send(body)
  },
}

/** The kinds of works, with their names in other vocabularies, for everyone. */
export function registerWorkTypeRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit'>,
): void {
  registerRoutes(server, edge, 'works', [listingTypes])
}
