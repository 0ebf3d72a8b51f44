import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue.ts'
import type { Environment } from '#actors/environment.ts'
import { type ArkRequest, passThrough } from '#src/http/ark_request.ts'
import { formatErc } from '#src/http/erc.ts'
import { sendFormat } from '#src/http/format_reply.ts'
import { takeTurnIfLong } from '#src/http/heavy_requests.ts'
import { sendLandingPage } from '#src/http/landing_reply.ts'
import { linksetJson, linksetText } from '#src/http/linkset.ts'
import { policyPath } from '#src/http/policy.ts'
import { sendRendered, sendRepresented } from '#src/http/rendered_reply.ts'
import { type Choice, chooseRepresentation, mediaTypeOf } from '#src/http/representation.ts'
import {
  describe,
  describedWork,
  type Place,
  readResolution,
  registrantOf,
  type Resolution,
  signpostedWork,
} from '#src/http/resolution.ts'
import type { Edge } from '#src/http/server.ts'
import {
  descriptionLinks,
  formatLinkHeader,
  pageUrl,
  type SignpostedWork,
  signposts,
  typedLinks,
} from '#src/http/signposting.ts'

/** A work that was found at an ARK: its resolution, of the version asked for, or its tombstone. */
export type FoundWork = {
  readonly asked: ArkRequest
  readonly environment: Environment
  readonly found: Rendered
}

/** What a reply is made of. */
type Answer = FoundWork & {
  readonly edge: Edge
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly resolution: Resolution
  readonly place: Place
  readonly signposted: SignpostedWork
}

/**
 * Sends the representation of a work that is asked for: by an inflection, by `?format=`, by the
 * Accept header; to whom it is all the same, the way to the object.
 */
export function sendRepresentation(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  work: FoundWork,
): Promise<FastifyReply> {
  return takeTurnIfLong(edge, reply, work.found.body, () => represent(edge, request, reply, work))
}

async function represent(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  work: FoundWork,
): Promise<FastifyReply> {
  const { asked, found } = work
  const resolution = readResolution(found.body)
  const registrant = registrantOf(work.environment, asked.parsed.ark)
  const place = { baseUrl: edge.baseUrl, isPinned: asked.version !== undefined, registrant }
  const signposted = signpostedWork(resolution, place)
  const answer = { ...work, edge, request, reply, resolution, place, signposted }
  reply.header('vary', 'Accept')
  reply.header('link', formatLinkHeader(signposts(typedLinks(signposted))))
  const choice = choose(request, asked)
  if (choice === undefined) return redirectToObject(answer)
  const { name } = choice
  if (name === 'json') return sendRendered(request, reply, found)
  if (name === 'html') {
    const links = signposts(typedLinks(signposted))
    const described = describedWork(resolution, place)
    const wish = { ...work, ark: asked.parsed.ark, url: pageUrl(signposted), links, described }
    return sendLandingPage(edge, reply, wish)
  }
  reply.header('link', formatLinkHeader(descriptionLinks(signposted)))
  return sendDescription(answer, { ...choice, name })
}

function choose({ headers }: FastifyRequest, { inquiry, wish }: ArkRequest): Choice | undefined {
  const format = inquiry === 'redirect' ? wish.format : inquiry === 'json' ? 'json' : 'erc'
  const named = format === undefined ? wish : { ...wish, format }
  return chooseRepresentation(headers.accept, named)
}

/** 302 to the object, or the tombstone of one that was withdrawn. */
function redirectToObject({ asked, found, resolution, request, reply }: Answer): FastifyReply {
  if (resolution.content === undefined) return sendRendered(request, reply, found)
  const suffix = asked.version === undefined ? asked.suffix : ''
  reply.header('cache-control', 'no-cache')
  return reply.redirect(passThrough(resolution.content.url, suffix, asked.query))
}

type DescriptionChoice = Choice & { readonly name: Exclude<Choice['name'], 'html' | 'json'> }

async function sendDescription(answer: Answer, choice: DescriptionChoice): Promise<FastifyReply> {
  const { edge, request, reply, resolution, signposted, place, found } = answer
  const { name } = choice
  const isGone = resolution.withdrawal !== undefined
  if (name === 'erc') return sendErc(answer)
  if (name === 'linkset' || name === 'links') {
    const text = name === 'linkset' ? linksetJson(signposted) : linksetText(signposted)
    const contentType = `${mediaTypeOf(name)}; charset=utf-8`
    return sendRepresented(request, reply, { body: Buffer.from(text), contentType, isGone })
  }
  // Of erased metadata there is nothing to describe, but that it was erased.
  if (resolution.metadata.work_title === undefined) return sendRendered(request, reply, found)
  return sendFormat(edge, request, reply, { found, resolution, place, ...choice, name })
}

/** The description as ERC, with the status a THUMP client reads (draft-kunze-thump). */
function sendErc(answer: Answer): FastifyReply {
  const { edge, asked, environment, request, reply, resolution, signposted } = answer
  const commitment = {
    repository: edge.config.REPOSITORY_NAME,
    policyUrl: edge.baseUrl + policyPath,
    isPermanent: environment.name === 'live',
  }
  const description = describe(resolution, pageUrl(signposted))
  const isGone = resolution.withdrawal !== undefined
  const isBrief = asked.inquiry === 'brief'
  reply.header('thump-status', isGone ? '0.6 410 Gone' : '0.6 200 OK')
  return sendRepresented(request, reply, {
    body: Buffer.from(formatErc(description, isBrief ? undefined : commitment)),
    contentType: `${mediaTypeOf('erc')}; charset=utf-8`,
    isGone,
  })
}
