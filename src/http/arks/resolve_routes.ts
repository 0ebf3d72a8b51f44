import type { FastifyInstance, FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'

import type { Rendered } from '#actors/catalogue/port.ts'
import { conditionalRead } from '#src/edge/described_headers.ts'
import { readShownArk } from '#actors/values/ark.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import type { Access } from '#src/edge/admission.ts'
import { whenItsTurn } from '#src/edge/turns.ts'
import type { Use } from '#src/edge/uses.ts'
import { existingVersion, existingWork, type WorkLookup } from '#src/use_cases/work_lookup.ts'
import {
  type VersionRequest,
  versionOfPath,
  type WorkRequest,
  workOfPath,
} from '#src/http/kit/work_path.ts'
import { numberCursor, pagesOf } from '#src/edge/list_page.ts'
import { type Parameters, readQuery } from '#src/edge/query_string.ts'
import { jsonType, sendPage, sendRendered } from '#src/edge/rendered_reply.ts'
import { historySchema, resolutionSchema } from '#src/http/arks/resolution_schemas.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

type ResolveEdge = Pick<RegistryEdge, 'admit' | 'baseUrl' | 'environments' | 'takeTurn'>

const historyPages = pagesOf({
  cursor: numberCursor,
  olderName: 'before',
  limit: 100,
  limitMax: 1_000,
  order: 'newest',
})

/** What an ARK stands for: its newest version, one version, its history. Open to everyone. */
export function registerResolveRoutes(server: FastifyInstance, edge: ResolveEdge): void {
  const access: Access = { type: 'public', limit: 'resolve' }
  const options = (
    operationId: string,
    summary: string,
    body: TSchema,
    parameters?: Parameters,
  ) => ({
    ...edge.admit(access, parameters),
    schema: {
      operationId,
      ...conditionalRead,
      tags: ['resolve'],
      summary,
      response: { 200: body },
    },
  })
  const newest = options(
    'resolveArk',
    'Resolves an ARK to the newest version of its work.',
    resolutionSchema,
  )
  const plainRead = (rest: string) => resolveAtOnce(edge, rest)
  const asked = { ...newest, config: { ...newest.config, plainRead } }
  const one = options(
    'resolveVersion',
    'Resolves an ARK to one version of its work.',
    resolutionSchema,
  )
  const happened = 'Lists what happened to a work, newest first unless told.'
  const history = options('getHistory', happened, historySchema, historyPages.parameters)
  for (const prefix of pathPrefixes) {
    const base = `${prefix}/resolve/:ark`
    server.get(base, asked, (request: WorkRequest, reply) => resolve(edge, request, reply))
    server.get(`${base}/v:version`, one, (request: VersionRequest, reply) =>
      resolveVersion(edge, request, reply),
    )
    server.get(`${base}/history`, history, (request: WorkRequest, reply) =>
      sendHistory(edge, request, reply),
    )
  }
}

/** Resolves an ARK of the live registry in the spelling that we show, if that takes no waiting. */
function resolveAtOnce({ environments }: ResolveEdge, rest: string): PlainReply | undefined {
  const ark = readShownArk(rest)
  const environment = environments.live
  if (ark === undefined || ark.startsWith(`${environments.sandbox.naan}/`)) return undefined
  const found = environment.catalogue.resolveAtOnce(ark, rest)
  if (found === undefined) return undefined
  const { etag, body } = found
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache', 'content-type': jsonType, etag },
    body,
    uses: resolutionOf({ environment, ark, requested: rest }, found),
    isCurrent: () => environment.catalogue.atHand(ark, rest) === found,
  }
}

async function resolve(edge: ResolveEdge, request: WorkRequest, reply: FastifyReply) {
  readQuery(request, {})
  const named = workOfPath(edge.environments, request, reply)
  const { environment, ark, requested } = named
  const whenLong = whenItsTurn(edge, reply)
  const found = await environment.catalogue.resolve(ark, requested, undefined, whenLong)
  const rendered = existingWork(named, found)
  reply.uses = resolutionOf(named, rendered)
  return sendRendered(request, reply, rendered)
}

async function resolveVersion(edge: ResolveEdge, request: VersionRequest, reply: FastifyReply) {
  readQuery(request, {})
  const named = versionOfPath(edge.environments, request, reply)
  const { environment, ark, requested, version } = named
  const found = await environment.catalogue.resolve(
    ark,
    requested,
    version,
    whenItsTurn(edge, reply),
  )
  const rendered = existingVersion(named, found)
  reply.uses = resolutionOf(named, rendered)
  return sendRendered(request, reply, rendered)
}

function resolutionOf(
  { environment, ark }: WorkLookup,
  { organization }: Pick<Rendered, 'organization'>,
): readonly Use[] {
  return [{ environment: environment.name, ark, organization, kind: 'resolutions' }]
}

async function sendHistory(edge: ResolveEdge, request: WorkRequest, reply: FastifyReply) {
  const page = historyPages.read(request)
  const named = workOfPath(edge.environments, request, reply)
  const found = existingWork(named, await named.environment.catalogue.history(named.ark, page))
  // What happened to a work is not gone with it.
  return sendPage(request, reply, { ...found, status: 'registered' }, edge.baseUrl)
}
