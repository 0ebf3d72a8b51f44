import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { workLinks } from '#actors/registry/catalogue/representation.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { newWorkSchema } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'
import {
  type Access,
  demandRight,
  knownCaller,
  markSandbox,
  readingAccess,
} from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { ifMatch, isOnlyNew } from '#src/edge/conditional.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readIdempotencyKey } from '#src/edge/keyed_writes.ts'
import { flagParameter, readQuery } from '#src/edge/query_string.ts'
import { sendPlain } from '#src/edge/rendered_reply.ts'
import { checkedByRules, component, time } from '#src/edge/reply_schemas.ts'
import { decodeDoi } from '#src/edge/request_path.ts'
import { agentType, arkIdentifier, linksSchema, version, workStatus } from '#src/http/kit/works.ts'
import { sendMade } from '#src/http/works/work_change_routes.ts'
import { createdReply, createdWorkSchema, workChangeSchema } from '#src/http/works/work_routes.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { namedWithDoiMax, putWork, readNamedDoi } from '#src/use_cases/work_by_doi.ts'

const doiWorksSchema = component('WorksWithDoi', {
  existing_doi: Type.String({ examples: ['10.5555/12345678'] }),
  works: Type.Array(
    component('WorkWithDoi', {
      ark_identifier: arkIdentifier,
      version,
      status: workStatus,
      created_at: time,
      updated_at: time,
      registrant: component('WorkRegistrant', { type: agentType, id: Type.String() }),
      links: linksSchema,
    }),
    {
      minItems: 1,
      description: `The newest first, ${namedWithDoiMax} at most; those that were withdrawn last.`,
    },
  ),
})

type DoiEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>
type DoiRequest = FastifyRequest<{ Params: { doi: string } }>

const putParameters = {
  allow_duplicate: flagParameter(
    'Register a work of your own although another registrant has one with this DOI, or yours ' +
      'was withdrawn.',
  ),
}

/** Registers, replaces and finds works by their DOIs, below both prefixes. */
export function registerDoiRoutes(server: FastifyInstance, edge: DoiEdge): void {
  for (const prefix of pathPrefixes) {
    registerPut(server, edge, prefix)
    registerFind(server, edge, prefix)
  }
}

function registerPut(server: FastifyInstance, edge: DoiEdge, prefix: PathPrefix): void {
  const access: Access = { type: 'key', prefix, right: 'mint works', limit: 'works_create' }
  const options = {
    ...edge.admit(access, putParameters),
    ...checkedByRules,
    schema: {
      operationId: 'putWorkByDoi',
      requestHeaders: ['Idempotency-Key', 'If-Match', 'If-None-Match'] as const,
      replyHeaders: ['Location', 'ETag', 'Idempotent-Replayed'] as const,
      tags: ['works'],
      summary: 'Registers the work with a DOI, or replaces yours that has it.',
      description:
        'The body is the whole work: what it leaves out, the work no longer has. `existing_doi` ' +
        'may be left out. With `If-None-Match: *` a work is only registered, with `If-Match` ' +
        'only one that is as you read it is replaced (412). If several works of yours have the ' +
        'DOI, the answer is 409 `several_works` with their ARKs in `works`; if another ' +
        'registrant has it, 409 `duplicate_work`, and if yours was withdrawn, 410, unless ' +
        '`allow_duplicate=true`. Nobody else’s work is ever changed. The slash of the DOI may ' +
        'be plain or encoded.',
      body: newWorkSchema,
      response: { 200: workChangeSchema, 201: createdWorkSchema },
    },
  }
  server.put(`${prefix}/works/by-doi/:doi`, options, async (request: DoiRequest, reply) => {
    const { allow_duplicate: allowDuplicate = false } = readQuery(request, putParameters)
    const caller = knownCaller(request)
    const environment = edge.environments[caller.environment]
    const tags = ifMatch(request)
    const idempotencyKey = readIdempotencyKey(request)
    const answer = await putWork(
      { environment, baseUrl: edge.baseUrl },
      {
        doi: readNamedDoi(decodeDoi(request.params.doi)),
        body: request.body,
        by: caller.agent,
        allowDuplicate,
        dryRun: false,
        conditions: { isNew: isOnlyNew(request), ...(tags !== undefined && { ifMatch: tags }) },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        kind: caller.kind,
        demandChange: () => demandRight(caller, 'update works', prefix),
      },
    )
    if (answer.type === 'created') {
      return sendPlain(request, reply, createdReply(answer, edge.baseUrl))
    }
    assert(answer.type === 'changed', 'what is no dry run registers or changes')
    const { made, ...told } = answer
    assert(made.type !== 'valid', 'what is no dry run changes the work')
    return sendMade(reply, edge, { ...told, made })
  })
}

function registerFind(server: FastifyInstance, edge: DoiEdge, prefix: PathPrefix): void {
  const access = readingAccess(prefix, 'read works', 'works_read')
  const options = {
    ...edge.admit(access),
    schema: {
      operationId: access.type === 'key' ? 'findWorksByDoi' : 'findPublicWorksByDoi',
      tags: ['works'],
      summary: 'Finds the works with a DOI.',
      response: { 200: doiWorksSchema },
    },
  }
  server.get(`${prefix}/works/by-doi/:doi`, options, async (request: DoiRequest, reply) => {
    readQuery(request, {})
    const environment = environmentOf(edge.environments, request.caller)
    if (environment.name === 'sandbox') markSandbox(reply)
    const existing_doi = readNamedDoi(decodeDoi(request.params.doi))
    const works = [...worksWith(environment, existing_doi, edge.baseUrl)]
    if (works.length > 0) return { existing_doi, works }
    throw new HttpError('not_found', `No work here has the DOI ${existing_doi}`)
  })
}

function* worksWith({ catalogue }: ServedEnvironment, doi: string, baseUrl: string) {
  const live = catalogue.withDoi({ doi, standing: 'live' }, namedWithDoiMax)
  const room = namedWithDoiMax - live.length
  const withdrawn = catalogue.withDoi({ doi, standing: 'withdrawn' }, room)
  for (const ark of [...live, ...withdrawn]) {
    const state = catalogue.state(ark)
    if (state === undefined) continue
    const { identifier: ark_identifier, status, created_at, updated_at, owner } = state
    const { type, id } = owner
    const links = workLinks(baseUrl, ark_identifier, state.version)
    const { version: number } = state
    const about = { ark_identifier, version: number, status, created_at, updated_at }
    yield { ...about, registrant: { type, id }, links }
  }
}
