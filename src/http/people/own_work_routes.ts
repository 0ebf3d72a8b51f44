import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Claim } from '#actors/people/claims/port.ts'
import { workLinks } from '#actors/registry/catalogue/representation.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import {
  callingPerson,
  claimReply,
  type NamedPerson,
  seesClaim,
} from '#src/use_cases/person_reply.ts'
import { claimSchema } from '#src/http/people/person_schemas.ts'
import {
  nameCursor,
  nextDescription,
  pageLinks,
  pageLinksSchema,
  pagesOf,
} from '#src/edge/list_page.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  contentHash,
  fixityStatus,
  linksSchema,
  receiptId,
  sha256Hash,
  version,
  workStatus,
} from '#src/http/kit/works.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { summarizeWork } from '#src/use_cases/listed_works.ts'
import { type PathPrefix, type Right, pathPrefixes } from '#src/identity/keys/scope.ts'

type OwnWorkEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

const pages = pagesOf({
  cursor: nameCursor,
  olderName: 'after',
  limit: 50,
  limitMax: 200,
  order: 'newest',
})

const pagePlace = { next: nullable(Type.String(), nextDescription), links: pageLinksSchema }

const worksSchema = component('OwnWorkPage', {
  works: Type.Array(
    component('OwnWork', {
      ark_identifier: arkIdentifier,
      work_title: nullable(Type.String(), 'Null once the metadata has been erased.'),
      version,
      status: workStatus,
      fixity_status: fixityStatus,
      created_at: time,
      updated_at: time,
      claim: claimSchema,
      links: linksSchema,
    }),
  ),
  ...pagePlace,
})

const receiptsSchema = component('OwnReceiptPage', {
  receipts: Type.Array(
    component('OwnReceipt', {
      ark_identifier: arkIdentifier,
      version,
      receipt_id: receiptId,
      metadata_hash: sha256Hash,
      content_hash: contentHash,
      fixity_status: fixityStatus,
      links: linksSchema,
    }),
  ),
  ...pagePlace,
})

/** The works of the person for whom a request is made, and the receipts of their versions. */
export function registerOwnWorkRoutes(server: FastifyInstance, edge: OwnWorkEdge): void {
  for (const prefix of pathPrefixes) {
    registerWorks(server, edge, prefix)
    registerReceipts(server, edge, prefix)
  }
}

function registerWorks(server: FastifyInstance, edge: OwnWorkEdge, prefix: PathPrefix): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'read works', limit: 'people' }, pages.parameters),
    schema: {
      operationId: 'listOwnWorks',
      tags: ['people'],
      summary: 'Lists the works of the person, each with its claim; newest first unless told.',
      response: { 200: worksSchema },
    },
  }
  server.get(`${prefix}/user/works`, options, async (request, reply) => {
    const { named, claims, ...page } = readPage(edge, request, 'read works')
    const { environment, person, audience } = named
    const works = await Promise.all(
      claims.map(async (claim) => {
        const work = await summarizeWork(environment.catalogue, claim.ark)
        return (
          work && {
            ...work,
            claim: claimReply(claim, audience, person),
            links: workLinks(edge.baseUrl, work.ark_identifier, work.version),
          }
        )
      }),
    )
    keepPrivate(reply)
    return { works: works.filter((work) => work !== undefined), ...page }
  })
}

function registerReceipts(server: FastifyInstance, edge: OwnWorkEdge, prefix: PathPrefix): void {
  const access = { type: 'key', prefix, right: 'read receipts', limit: 'people' } as const
  const options = {
    ...edge.admit(access, pages.parameters),
    schema: {
      operationId: 'listOwnReceipts',
      tags: ['people'],
      summary:
        'Lists the receipts of the newest versions of the works of the person, the newest works ' +
        'first unless told.',
      response: { 200: receiptsSchema },
    },
  }
  server.get(`${prefix}/user/receipts`, options, async (request, reply) => {
    const { named, claims, ...page } = readPage(edge, request, 'read receipts')
    const { catalogue } = named.environment
    const receipts = claims.flatMap(({ ark }) => {
      const state = catalogue.state(ark)
      if (state === undefined) return []
      const { identifier, receipt_id, metadata_hash, content_hash, fixity_status } = state
      const links = workLinks(edge.baseUrl, identifier, state.version)
      const hashes = { metadata_hash, content_hash, fixity_status }
      return { ark_identifier: identifier, version: state.version, receipt_id, ...hashes, links }
    })
    keepPrivate(reply)
    return { receipts, ...page }
  })
}

/** A page of claims of the person for whom a request is made, and where it stands. */
type OwnPage = {
  readonly named: NamedPerson
  readonly claims: readonly Claim[]
  readonly next: string | null
  readonly links: ReturnType<typeof pageLinks>
}

/** A page of the claims that make works the person's, as far as the caller sees them. */
function readPage(edge: OwnWorkEdge, request: FastifyRequest, right: Right): OwnPage {
  const page = pages.read(request)
  const named = callingPerson(edge.environments, knownCaller(request))
  const { environment, person, audience } = named
  const { claims, next } = environment.claims.ofPerson(person.ppid, page)
  const { visibility } = person.profile
  const isTheirs = (claim: Claim) =>
    (claim.status === 'verified' || claim.status === 'pending') &&
    seesClaim(audience, visibility.claims, claim, right)
  const links = pageLinks(edge.baseUrl, request, next)
  return { named, claims: claims.filter(isTheirs), next, links }
}
