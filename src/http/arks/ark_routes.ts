import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { type ArkReplyEdge, sendRepresentation } from '#src/http/arks/ark_reply.ts'
import { whenItsTurn } from '#src/edge/turns.ts'
import { type ArkRequest, readArkRequest, readNaanRequest } from '#src/http/arks/ark_request.ts'
import { type NaanEdge, redirectElsewhere, sendNaan } from '#src/http/arks/naan_reply.ts'
import { createdOn, otherDay } from '#src/use_cases/work_lookup.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

type ArkEdge = Pick<RegistryEdge, 'admit' | 'environments'> & ArkReplyEdge & NaanEdge

// `/ark:/naan/name` and `/ark:naan/name` in any case, and with their slashes encoded.
const arkPaths = ['/:label(^[aA][rR][kK]:.*$)', '/:label(^[aA][rR][kK]:.*$)/*']

/** `GET /ark:/naan/name…` at the root: an ARK as people follow it. */
export function registerArkRoutes(server: FastifyInstance, edge: ArkEdge): void {
  const admission = edge.admit({ type: 'public', limit: 'resolve' })
  // A pattern in a path is nothing that OpenAPI can say.
  const options = { ...admission, schema: { hide: true } }
  for (const path of arkPaths) {
    server.get(path, options, (request, reply) => answer(edge, request, reply))
  }
}

async function answer(
  edge: ArkEdge,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const askedNaan = readNaanRequest(request.originalUrl)
  if (askedNaan !== undefined) return sendNaan(edge, request, reply, askedNaan)
  const asked = readArkRequest(request.originalUrl)
  const environment = environmentOf(edge, request, asked)
  if (environment === undefined) {
    const { naan, normalized } = asked.parsed
    return redirectElsewhere(edge, reply, { naan, normalized, query: asked.query })
  }
  if (environment.name === 'sandbox') markSandbox(reply)
  const { ark, date } = asked.parsed
  const day = createdOn(environment, ark)
  if (day === undefined || day !== (date ?? day)) {
    if (asked.inquiry !== 'redirect') reply.header('thump-status', '0.6 404 Not Found')
    throw otherDay(environment, ark)
  }
  const { requested, version } = asked
  const whenLong = whenItsTurn(edge, reply)
  const found = await environment.catalogue.resolve(ark, requested, version, whenLong)
  if (found.type === 'not_found') {
    throw new HttpError('not_found', `The work ark:/${ark} has no version ${version}`)
  }
  return sendRepresentation(edge, request, reply, { asked, environment, found })
}

/** The environment whose ARK is asked for; undefined if its NAAN is not ours. */
function environmentOf(
  { environments }: ArkEdge,
  { caller }: FastifyRequest,
  { parsed }: ArkRequest,
): ServedEnvironment | undefined {
  const { live, sandbox } = environments
  const owner = [live, sandbox].find(({ naan }) => naan === parsed.naan)
  return owner !== undefined && caller.kind !== 'anonymous'
    ? environments[caller.environment]
    : owner
}
