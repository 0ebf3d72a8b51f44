import type { FastifyReply, FastifyRequest } from 'fastify'

import { formatTimestamp } from '#actors/values/clock.ts'
import { HttpError } from '#src/errors.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { type NaanRequest, passThrough } from '#src/http/arks/ark_request.ts'
import { formatErc } from '#src/discovery/formats/erc.ts'
import type { NaanFacts } from '#src/use_cases/landing_record.ts'
import { policyPath } from '#src/use_cases/policy.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

/** What is told of a NAAN, and where others are resolved, is read from this. */
export type NaanEdge = Pick<RegistryEdge, 'environments' | 'baseUrl' | 'nowMs' | 'config'> & {
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
export function redirectElsewhere(
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
export function sendNaan(
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
