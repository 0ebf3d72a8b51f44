import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/catalogue/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { type ArkRequest, passThrough } from '#src/http/arks/ark_request.ts'
import type { Commitment } from '#src/discovery/formats/erc.ts'
import { takeTurnIfLong } from '#src/edge/turns.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import { policyPath } from '#src/use_cases/policy.ts'
import { sendWritten } from '#src/edge/rendered_reply.ts'
import { chooseRepresentation } from '#src/http/arks/representation.ts'
import type { Choice } from '#src/discovery/formats/format_table.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  type LandingTask,
  readLandingSources,
  type WantedRepresentation,
} from '#src/use_cases/landing_record.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'

/** What a reply about a work is made with. */
export type ArkReplyEdge = Pick<
  RegistryEdge,
  'takeTurn' | 'baseUrl' | 'nowMs' | 'accounts' | 'config' | 'writeWork' | 'usage'
>

/** A work that was found at an ARK: its resolution, of the version asked for, or its tombstone. */
export type FoundWork = {
  readonly asked: ArkRequest
  readonly environment: ServedEnvironment
  readonly found: Rendered
}

/**
 * Sends the representation of a work that is asked for: by an inflection, by `?format=`, by the
 * Accept header; to whom it is all the same, the way to the object.
 */
export function sendRepresentation(
  edge: ArkReplyEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  work: FoundWork,
): Promise<FastifyReply> {
  return takeTurnIfLong(edge, reply, work.found.body, () => represent(edge, request, reply, work))
}

async function represent(
  edge: ArkReplyEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  work: FoundWork,
): Promise<FastifyReply> {
  const { asked, environment, found } = work
  reply.header('vary', 'Accept')
  const choice = choose(request, asked)
  const kind = choice?.name === 'html' ? 'landings' : 'resolutions'
  const { ark } = asked.parsed
  const { organization } = found
  reply.uses = [{ environment: environment.name, ark, organization, kind }]
  const registrant =
    organization === undefined ? undefined : environment.organizations.read(organization)?.name
  const { contentUrl, link, ...written } = await edge.writeWork({
    resolution: found.body,
    place: { baseUrl: edge.baseUrl, isPinned: asked.version !== undefined, registrant },
    wanted: await wantedOf(edge, work, choice),
  })
  reply.header('link', link)
  if (choice === undefined && contentUrl !== undefined) {
    const suffix = asked.version === undefined ? asked.suffix : ''
    reply.header('cache-control', 'no-cache')
    return reply.redirect(passThrough(contentUrl, suffix, asked.query))
  }
  // The status that a THUMP client reads (draft-kunze-thump).
  if (choice?.name === 'erc') {
    reply.header('thump-status', found.status === 'withdrawn' ? '0.6 410 Gone' : '0.6 200 OK')
  }
  return sendWritten(request, reply, found, written)
}

function choose(
  { headers }: FastifyRequest,
  { inquiry, formatQuery }: ArkRequest,
): Choice | undefined {
  const format = inquiry === 'redirect' ? formatQuery.format : inquiry === 'json' ? 'json' : 'erc'
  const named = format === undefined ? formatQuery : { ...formatQuery, format }
  return chooseRepresentation(headers.accept, named)
}

/** What has to be written for a choice: for the way to the object, and for the JSON, nothing. */
async function wantedOf(
  edge: ArkReplyEdge,
  work: FoundWork,
  choice?: Choice,
): Promise<WantedRepresentation> {
  if (choice === undefined || choice.name === 'json') return { name: 'none' }
  const { name } = choice
  if (name === 'html') return { name, landing: await readLanding(edge, work) }
  if (name !== 'erc') return { ...choice, name }
  const isBrief = work.asked.inquiry === 'brief'
  return { name, commitment: isBrief ? undefined : commitmentOf(edge, work) }
}

async function readLanding(
  { baseUrl, accounts: { authUrl }, nowMs, usage }: ArkReplyEdge,
  { asked, environment, found }: FoundWork,
): Promise<LandingTask> {
  const { ark } = asked.parsed
  const sources = await readLandingSources(environment, ark, found, asked.version)
  if (sources === undefined) throw workNotFound(environment, ark)
  const subject = { environment: environment.name, of: { ark } } as const
  return {
    sources,
    site: { baseUrl, accounts: { authUrl } },
    ...(usage && { usage: readUsage(usage, subject, { granularity: 'month' }, nowMs()) }),
    nowMs: nowMs(),
  }
}

function commitmentOf({ config, baseUrl }: ArkReplyEdge, { environment }: FoundWork): Commitment {
  return {
    repository: config.REPOSITORY_NAME,
    policyUrl: baseUrl + policyPath,
    isPermanent: environment.name === 'live',
  }
}
