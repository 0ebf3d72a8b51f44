import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import type { Environment } from '#actors/environment.ts'
import { HttpError } from '#src/errors.ts'
import { chooseMediaType } from '#src/http/accept.ts'
import { markSandbox } from '#src/http/admission.ts'
import {
  type ArkRequest,
  passThrough,
  readArkRequest,
  readNaanRequest,
} from '#src/http/ark_request.ts'
import { formatErc } from '#src/http/erc.ts'
import { sendLandingPage } from '#src/http/landing_reply.ts'
import { redirectElsewhere, sendNaan } from '#src/http/naan_reply.ts'
import { workNotFound } from '#src/http/named_work.ts'
import { policyPath } from '#src/http/policy.ts'
import { sendRendered } from '#src/http/rendered_reply.ts'
import { type Resolution, describe, readResolution } from '#src/http/resolution.ts'
import type { Edge } from '#src/http/server.ts'

/** Representations of a work at its ARK; the address of its object is none of them. */
const mediaTypes = ['text/html', 'application/json', 'text/plain'] as const

// `/ark:/naan/name` and `/ark:naan/name` in any case, and with their slashes encoded.
const arkPaths = ['/:label(^[aA][rR][kK]:.*$)', '/:label(^[aA][rR][kK]:.*$)/*']

/** `GET /ark:/naan/name…` at the root: an ARK as people follow it. */
export function registerArkRoutes(server: FastifyInstance, edge: Edge): void {
  const admission = edge.admit({ type: 'public', limit: 'resolve' })
  // A pattern in a path is nothing that OpenAPI can say.
  const options = { ...admission, schema: { hide: true } }
  for (const path of arkPaths) {
    server.get(path, options, (request, reply) => answer(edge, request, reply))
  }
}

async function answer(
  edge: Edge,
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
  const state = environment.catalogue.state(ark)
  if (state === undefined || !state.created_at.startsWith(date ?? '')) {
    if (asked.inquiry !== 'redirect') reply.header('thump-status', '0.6 404 Not Found')
    throw workNotFound(environment, ark)
  }
  const found = await environment.catalogue.resolve(ark, asked.requested, asked.version)
  if (found.type === 'not_found') {
    throw new HttpError('not_found', `The work ark:/${ark} has no version ${asked.version}`)
  }
  return represent(edge, request, reply, asked, { environment, found })
}

/** The environment whose ARK is asked for; undefined if its NAAN is none of ours. */
function environmentOf(
  { environments }: Edge,
  { caller }: FastifyRequest,
  { parsed }: ArkRequest,
): Environment | undefined {
  const { live, sandbox } = environments
  const owner = [live, sandbox].find(({ naan }) => naan === parsed.naan)
  return owner !== undefined && caller.kind !== 'anonymous'
    ? environments[caller.environment]
    : owner
}

/** What was found at an ARK, and where. */
type Found = { readonly environment: Environment; readonly found: Rendered }

function represent(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ArkRequest,
  where: Found,
): FastifyReply | Promise<FastifyReply> {
  const { found } = where
  const resolution = readResolution(found.body)
  const url = `${edge.baseUrl}/${resolution.ark}`
  reply.header('vary', 'Accept')
  reply.header('link', [
    `<${url}>; rel="cite-as"`,
    `<${resolution.links['resolve']}>; rel="describedby"; type="application/json"`,
  ])
  switch (asked.inquiry) {
    case 'json':
      return sendRendered(request, reply, found)
    case 'brief':
    case 'full':
      return sendErc(edge, reply, resolution, asked.inquiry)
    case 'redirect':
      return negotiate(edge, request, reply, asked, where, resolution)
  }
}

function negotiate(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ArkRequest,
  where: Found,
  resolution: Resolution,
): FastifyReply | Promise<FastifyReply> {
  const { found } = where
  const choice = chooseMediaType(request.headers.accept, mediaTypes)
  if (choice.type === 'none') {
    const message = `An ARK is answered with ${mediaTypes.join(', ')}, or a redirect to its object`
    throw new HttpError('not_acceptable', message, { extra: { available: mediaTypes } })
  }
  if (choice.type === 'any') return redirectToObject(request, reply, asked, found, resolution)
  switch (choice.mediaType) {
    case 'application/json':
      return sendRendered(request, reply, found)
    case 'text/plain':
      return sendErc(edge, reply, resolution, 'full')
    case 'text/html':
      return sendLandingPage(edge, reply, { ...where, ark: asked.parsed.ark, links: [] })
  }
}

/** 302 to the object, or the tombstone of one that was withdrawn. */
function redirectToObject(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ArkRequest,
  found: Rendered,
  { contentUrl }: Resolution,
): FastifyReply {
  if (contentUrl === null) return sendRendered(request, reply, found)
  const suffix = asked.version === undefined ? asked.suffix : ''
  reply.header('cache-control', 'no-cache')
  return reply.redirect(passThrough(contentUrl, suffix, asked.query))
}

/** The description as ERC, with the status a THUMP client reads (draft-kunze-thump). */
function sendErc(
  edge: Edge,
  reply: FastifyReply,
  resolution: Resolution,
  extent: 'brief' | 'full',
): FastifyReply {
  const commitment = {
    repository: new URL(edge.baseUrl).host,
    policyUrl: edge.baseUrl + policyPath,
  }
  const url = `${edge.baseUrl}/${resolution.ark}`
  const erc = formatErc(describe(resolution, url), extent === 'full' ? commitment : undefined)
  const isGone = resolution.status === 'withdrawn'
  reply.code(isGone ? 410 : 200)
  reply.header('thump-status', isGone ? '0.6 410 Gone' : '0.6 200 OK')
  reply.header('link', `<${url}>; rel="describes"`)
  reply.header('cache-control', 'no-cache')
  return reply.header('content-type', 'text/plain; charset=utf-8').send(erc)
}
