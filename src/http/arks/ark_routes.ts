import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Rendered } from '#actors/registry/catalogue/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { type Commitment, formatErc } from '#src/discovery/formats/erc.ts'
import { usualForm } from '#src/discovery/formats/citation_styles.ts'
import { type Choice, representationNames } from '#src/discovery/formats/format_table.ts'
import { chooseMediaType, prefersHtml } from '#src/edge/accept.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { sendWritten } from '#src/edge/rendered_reply.ts'
import { refuseWithheld } from '#src/edge/suspended.ts'
import { takeTurnIfLong, whenItsTurn } from '#src/edge/turns.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type ArkRequest,
  chooseRepresentation,
  type NaanRequest,
  othersOf,
  passThrough,
  readArkRequest,
  readNaanRequest,
} from '#src/http/arks/ark_request.ts'
import { readIncoming } from '#src/use_cases/incoming_relations.ts'
import {
  type LandingTask,
  type NaanFacts,
  readLandingSources,
  type WantedRepresentation,
} from '#src/use_cases/landing_record.ts'
import { policyPath } from '#src/use_cases/operator_address.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'
import { createdOn, otherDay, workNotFound } from '#src/use_cases/work_lookup.ts'

type ArkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'suspensions'> &
  ArkReplyEdge &
  NaanEdge

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
  refuseWithheld(edge.suspensions, ark)
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

/** What a reply about a work is made with. */
export type ArkReplyEdge = Pick<
  RegistryEdge,
  'takeTurn' | 'baseUrl' | 'branding' | 'nowMs' | 'accounts' | 'config' | 'writeWork' | 'usage'
>

/** A work that was found at an ARK: its resolution, of the version asked for, or its tombstone. */
export type FoundWork = {
  readonly asked: ArkRequest
  readonly environment: ServedEnvironment
  readonly found: Rendered
}

/**
 * Sends the representation of a work that is asked for: by an inflection, by `?format=`, by the
 * Accept header; to a client without a preference, the page. Who asks for the content by its media
 * type or by `?content`, or for what is below it, is sent there.
 */
function sendRepresentation(
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
  offered = representationNames,
): Promise<FastifyReply> {
  const { asked, environment, found } = work
  reply.header('vary', 'Accept')
  const wish = choose(request, asked, found, offered)
  const isEnded = found.status === 'withdrawn'
  // A person who follows a link to content that is gone reads why.
  const choice = wish ?? (isEnded && prefersHtml(request) ? thePage : undefined)
  const kind = choice?.name === 'html' ? 'landings' : 'resolutions'
  const { ark } = asked.parsed
  const { organization } = found
  reply.uses = [{ environment: environment.name, ark, organization, kind }]
  const registrant =
    organization === undefined ? undefined : environment.organizations.read(organization)?.name
  const isHead = request.method === 'HEAD'
  const { workAddress, link, ...written } = await edge.writeWork({
    resolution: found.body,
    place: {
      baseUrl: edge.baseUrl,
      isPinned: asked.version !== undefined,
      registrant,
      incoming: await readIncoming(environment.catalogue, ark, choice?.name),
    },
    wanted: await wantedOf(edge, work, { choice, isHead, language: readerLanguage(request).tag }),
  })
  // What the work lacks something for is none of what Accept can choose.
  const others = othersOf(request.headers.accept, offered, choice, written.lacking)
  if (others !== undefined) return represent(edge, request, reply, work, others)
  reply.header('link', link)
  if (choice === undefined && workAddress !== undefined) {
    const suffix = asked.version === undefined ? asked.suffix : ''
    reply.header('cache-control', 'no-cache')
    return reply.redirect(passThrough(workAddress, suffix, asked.query))
  }
  // The status that a THUMP client reads (draft-kunze-thump).
  if (choice?.name === 'erc') {
    reply.header('thump-status', written.isGone ? '0.6 410 Gone' : '0.6 200 OK')
  }
  // Of a page nothing is written for a HEAD; its length is not known, as that of a stream is not.
  const nothing = choice?.name === 'html' && isHead && { bytes: Readable.from([]) }
  const isGone = written.isGone || (isEnded && wish === undefined)
  return sendWritten(request, reply, found, { ...written, ...nothing, isGone })
}

const thePage: Choice = { name: 'html', ...usualForm, isExport: false }

/** The representation that is asked for; undefined if that is the content, or a part of it. */
function choose(
  { headers }: FastifyRequest,
  { inquiry, formatQuery, suffix, version }: ArkRequest,
  { contentType }: Rendered,
  offered: typeof representationNames,
): Choice | undefined {
  const isOfWork = suffix === '' || version !== undefined
  if (inquiry === 'content' || (inquiry === 'redirect' && !isOfWork)) return undefined
  const format = inquiry === 'redirect' ? formatQuery.format : inquiry === 'json' ? 'json' : 'erc'
  const named = format === undefined ? formatQuery : { ...formatQuery, format }
  const choice = chooseRepresentation(headers.accept, named, contentType, offered)
  return choice === 'content' ? undefined : (choice ?? thePage)
}

type Wish = {
  readonly choice: Choice | undefined
  readonly isHead: boolean
  readonly language: string
}

/** What has to be written for a choice: for the way to the object, and for the JSON, nothing. */
async function wantedOf(
  edge: ArkReplyEdge,
  work: FoundWork,
  { choice, isHead, language }: Wish,
): Promise<WantedRepresentation> {
  if (choice === undefined || choice.name === 'json') return { name: 'none' }
  const { name } = choice
  if (name === 'html') {
    return { name, landing: isHead ? undefined : await readLanding(edge, work, language) }
  }
  if (name !== 'erc') return { ...choice, name }
  const isBrief = work.asked.inquiry === 'brief'
  return { name, commitment: isBrief ? undefined : commitmentOf(edge, work) }
}

async function readLanding(
  { baseUrl, branding, accounts: { authUrl }, nowMs, usage }: ArkReplyEdge,
  { asked, environment, found }: FoundWork,
  language: string,
): Promise<LandingTask> {
  const { ark } = asked.parsed
  const sources = await readLandingSources(environment, ark, found, asked.version)
  if (sources === undefined) throw workNotFound(environment, ark)
  const subject = { environment: environment.name, of: { ark } } as const
  return {
    sources,
    site: { baseUrl, branding, accounts: { authUrl } },
    ...(usage && { usage: readUsage(usage, subject, { granularity: 'month' }, nowMs()) }),
    nowMs: nowMs(),
    language,
  }
}

function commitmentOf({ config, baseUrl }: ArkReplyEdge, { environment }: FoundWork): Commitment {
  return {
    repository: config.REPOSITORY_NAME,
    policyUrl: baseUrl + policyPath,
    isPermanent: environment.name === 'live',
  }
}

/** What is told of a NAAN, and where others are resolved, is read from this. */
export type NaanEdge = Pick<
  RegistryEdge,
  'environments' | 'baseUrl' | 'branding' | 'nowMs' | 'config'
> & {
  /** Sends the page about a NAAN. */
  readonly sendNaanPage: (reply: FastifyReply, known: NaanFacts) => FastifyReply
}

/** Where ARKs with other NAANs are resolved. */
const globalResolver = 'https://n2t.net/'

/** NAANs that no authority has, for examples and tests. */
const exampleNaans: ReadonlySet<string> = new Set(['12345', '99999'])

/**
 * Sends an ARK that has another NAAN to the resolver of all of them, with its query; HttpError
 * `not_found` if that is off. `normalized` is `ark:naan`, and what follows it.
 */
function redirectElsewhere(
  { config }: NaanEdge,
  reply: FastifyReply,
  { naan, normalized, query }: NaanRequest & { readonly normalized: string },
): FastifyReply {
  if (!config.N2T_REDIRECT) {
    throw new HttpError('not_found', `This registry does not resolve ARKs of the NAAN ${naan}`)
  }
  reply.header('cache-control', 'no-cache')
  return reply.redirect(passThrough(globalResolver + normalized, '', query))
}

/** Tells what is known of a NAAN: as a page, as JSON, or as ERC to a client that names neither. */
function sendNaan(
  edge: NaanEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: NaanRequest,
): FastifyReply {
  const { naan, query } = asked
  const environment = Object.values(edge.environments).find((one) => one.naan === naan)
  const ark = `ark:${naan}`
  if (environment === undefined) {
    return redirectElsewhere(edge, reply, { ...asked, normalized: ark })
  }
  if (environment.name === 'sandbox') markSandbox(reply)
  const known: NaanFacts = {
    ark,
    naan,
    environment: environment.name,
    is_example: exampleNaans.has(naan),
    resolver: `${edge.baseUrl}/`,
    policy: edge.baseUrl + policyPath,
  }
  reply.header('vary', 'Accept')
  reply.header('cache-control', 'no-cache')
  const choice = chooseMediaType(request.headers.accept, ['text/html', 'application/json'])
  const mediaType = choice.type === 'named' ? choice.mediaType : 'text/plain'
  if (query === '?json' || (query === '' && mediaType === 'application/json')) {
    return reply.send(known)
  }
  if (query === '' && mediaType === 'text/html') return edge.sendNaanPage(reply, known)
  return sendErc(edge, reply, known)
}

function sendErc(edge: NaanEdge, reply: FastifyReply, known: NaanFacts): FastifyReply {
  const repository = edge.config.REPOSITORY_NAME
  const isPermanent = known.environment === 'live'
  const work = {
    authors: [{ name: repository }],
    title: `ARKs with the NAAN ${known.naan}`,
    publishedDate: undefined,
    url: known.resolver + known.ark,
    updatedAt: formatTimestamp(edge.nowMs()),
  }
  reply.header('thump-status', '0.6 200 OK')
  reply.header('content-type', 'text/plain; charset=utf-8')
  return reply.send(formatErc(work, { repository, policyUrl: known.policy, isPermanent }))
}
