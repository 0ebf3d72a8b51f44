import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { may } from '#actors/values/authority.ts'
import { newClaimSchema } from '#actors/people/claims/checks.ts'
import type { Claim } from '#actors/people/claims/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { isClaimed, refusedClaim, tellOfClaim } from '#src/use_cases/claiming.ts'
import {
  audienceOf,
  callingPerson,
  claimReply,
  type JsonReply,
  namePerson,
  seesClaim,
} from '#src/use_cases/person_reply.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { peoplePaths } from '#src/http/people/people_routes.ts'
import { claimSchema, claimsSchema, waitingClaimsSchema } from '#src/http/people/person_schemas.ts'
import { nameCursor, numberCursor, pageLinks, pagesOf } from '#src/edge/list_page.ts'
import { component } from '#src/edge/reply_schemas.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type ClaimStep, claimSteps } from '#actors/people/events.ts'

type ClaimEdge = Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'oauth' | 'nowMs'>

type ClaimParts = { readonly ppid?: string; readonly claim_id: string }
type ClaimRequest = FastifyRequest<{ Params: ClaimParts }>

const pages = { olderName: 'after', limit: 50, limitMax: 200, order: 'newest' } as const
const claimPages = pagesOf({ ...pages, cursor: nameCursor })
const waitingPages = pagesOf({ ...pages, cursor: numberCursor })

const stepSchema = component('ClaimChange', {
  step: Type.String({ title: 'ClaimStep', enum: [...claimSteps] }),
  reason: Type.Optional(Type.String({ description: 'Of `contest`: why.' })),
  confirm_mismatch: Type.Optional(
    Type.String({
      description: 'Of `confirm`: why a claim is right that does not match its work.',
      examples: ['She has married since, and was Ada Byron then.'],
    }),
  ),
})

/** Claims of authorship: by the researcher, or by who registered the work; below both prefixes. */
export function registerClaimRoutes(server: FastifyInstance, edge: ClaimEdge): void {
  registerRoutes(server, edge, 'claims', routes)
}

const reading = { method: 'GET', demands: { right: 'read claims', limit: 'people' } } as const
const writing = { right: 'write claims', limit: 'write_back' } as const

const making = {
  method: 'POST',
  demands: writing,
  isCheckedByRules: true,
  summary: 'Says that the person is an author of a work.',
  description:
    'By the person, or by who registered the work; the other one agrees to it. 200 if it was ' +
    'said before, or if this agrees to it.',
  body: newClaimSchema,
  response: { 200: claimSchema, 201: claimSchema },
  handle: makeClaim,
} as const

const changing = {
  method: 'PUT',
  demands: writing,
  isCheckedByRules: true,
  operationId: 'updateClaim',
  summary: 'Confirms, rejects, contests, withdraws or disclaims a claim.',
  description:
    '`confirm` and `reject` are for the side that it waits for; who confirms a claim that ' +
    'does not match its work says why, in `confirm_mismatch`. `contest` puts a decision ' +
    'before an administrator, and by `disclaim` the person says for good that the work is ' +
    'not theirs.',
  body: stepSchema,
  response: { 200: claimSchema },
  handle(edge: ClaimEdge, request: ClaimRequest, reply: FastifyReply) {
    return changeClaim(edge, request, reply, readStep(request.body))
  },
} as const

const routes: readonly Route<ClaimEdge, ClaimParts>[] = [
  ...peoplePaths.map((name) => ({
    ...making,
    path: `/${name}/:ppid/claim`,
    operationId: 'createPersonClaim',
  })),
  {
    ...reading,
    path: '/user/claims',
    parameters: claimPages.parameters,
    operationId: 'listClaims',
    summary: 'The claims of the person, as far as the caller sees them.',
    description: 'Newest first unless told.',
    response: { 200: claimsSchema },
    handle(edge, request, reply) {
      const page = claimPages.read(request)
      const named = callingPerson(edge.environments, knownCaller(request))
      const { environment, person, audience } = named
      const { claims, next } = environment.claims.ofPerson(person.ppid, page)
      const { visibility } = person.profile
      keepPrivate(reply)
      const seen = claims.filter((claim) => seesClaim(audience, visibility.claims, claim))
      const shown = seen.map((claim) => claimReply(claim, audience, person))
      return { claims: shown, next, links: pageLinks(edge.baseUrl, request, next) }
    },
  },
  { ...making, path: '/user/claims', operationId: 'createClaim' },
  {
    ...reading,
    path: '/claims',
    parameters: waitingPages.parameters,
    operationId: 'listWaitingClaims',
    summary: 'The claims that wait for the word of the caller, who registered the works.',
    description:
      'Newest first unless told, each with what a reviewer must see: the author who is ' +
      'claimed, and who claims.',
    response: { 200: waitingClaimsSchema },
    async handle(edge, request, reply) {
      const page = waitingPages.read(request)
      const { agent, environment: name } = knownCaller(request)
      if (!may(agent, 'work', 'list claims', { owner: agent })) throw notForApplications()
      const environment = edge.environments[name]
      const { claims, next } = await environment.claims.awaiting(agent, page)
      keepPrivate(reply)
      const shown = claims.map((claim) => ({
        ...showTo(environment, request, claim),
        review: environment.claims.match(claim) ?? null,
        links: { profile: `${edge.baseUrl}/people/${claim.ppid}` },
      }))
      return { claims: shown, next, links: pageLinks(edge.baseUrl, request, next) }
    },
  },
  { ...changing, path: '/claims/:claim_id' },
  { ...changing, path: '/user/claims/:claim_id' },
  {
    method: 'DELETE',
    path: '/user/claims/:claim_id',
    demands: writing,
    operationId: 'withdrawClaim',
    summary: 'Takes a claim back.',
    response: { 200: claimSchema },
    handle: (edge, request, reply) =>
      changeClaim(edge, request, reply, { step: 'withdraw', body: {} }),
  },
]

/** Makes a claim of the person whom the path names, or else for whom the request is made. */
async function makeClaim(
  { environments, oauth, nowMs }: ClaimEdge,
  request: ClaimRequest,
  reply: FastifyReply,
): Promise<JsonReply> {
  const { ppid } = request.params
  const { environment, person } =
    ppid === undefined
      ? callingPerson(environments, knownCaller(request))
      : namePerson(environments, request.caller, ppid)
  const command = { ppid: person.ppid, body: request.body, by: knownCaller(request).agent }
  const answer = await environment.claims.make(command)
  if (!isClaimed(answer)) throw refusedClaim(answer)
  await tellOfClaim({ environment, audit: oauth.audit, nowMs }, answer, 'make', command.by)
  if (answer.type === 'claimed') reply.code(201)
  return showTo(environment, request, answer.claim)
}

async function changeClaim(
  edge: ClaimEdge,
  request: ClaimRequest,
  reply: FastifyReply,
  { step, body }: { readonly step: ClaimStep; readonly body: unknown },
): Promise<JsonReply> {
  const { agent: by, environment: name } = knownCaller(request)
  const environment = edge.environments[name]
  const claim = environment.claims.find(request.params.claim_id)
  // A caller who has nothing to do with a claim does not learn whether it exists.
  if (claim === undefined) throw refusedClaim({ type: 'not_found' })
  const { ppid, ark } = claim
  const answer = await environment.claims.change({ ppid, ark, step, body, by })
  if (!isClaimed(answer)) throw refusedClaim(answer)
  const { oauth, nowMs } = edge
  await tellOfClaim({ environment, audit: oauth.audit, nowMs }, answer, step, by)
  keepPrivate(reply)
  return showTo(environment, request, answer.claim)
}

/** Reads the step of a body; what else it says is for the step's own rules. */
function readStep(body: unknown): { readonly step: ClaimStep; readonly body: unknown } {
  const { step, ...rest } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly step?: unknown
  }
  const known = claimSteps.find((name) => name === step)
  if (known !== undefined) return { step: known, body: rest }
  const message = `step must be one of ${claimSteps.join(', ')}`
  const code = step === undefined ? 'required' : 'bad_value'
  throw invalidInput('The claim cannot be changed like this', [{ field: 'step', code, message }])
}

/** A claim as the caller sees it, with its words if they concern the caller. */
function showTo(environment: ServedEnvironment, request: FastifyRequest, claim: Claim): JsonReply {
  const person = environment.people.read(claim.ppid)
  if (person?.type !== 'person') throw refusedClaim({ type: 'no_person' })
  const { agent } = knownCaller(request)
  const { ppid, source } = claim
  const work = environment.catalogue.state(claim.ark)
  const isParty = work !== undefined && may(agent, 'claim', 'read words', { ppid, work, source })
  return claimReply(claim, audienceOf(request.caller, ppid), person, isParty)
}

function notForApplications(): HttpError {
  const message = 'What waits for a registrant is for a key of its own: no application answers it'
  return new HttpError('forbidden', message)
}
