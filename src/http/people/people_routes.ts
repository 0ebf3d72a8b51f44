import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Person, UpdatePersonAnswer } from '#actors/people/port.ts'
import { profileUpdateSchema } from '#actors/people/checks.ts'
import { conditionalChange } from '#src/edge/described_headers.ts'
import { knownCaller, markSandbox, readingAccess } from '#src/edge/admission.ts'
import { ifMatch } from '#src/edge/conditional.ts'
import {
  type JsonReply,
  type NamedPerson,
  namePerson,
  personReply,
  refusedPerson,
} from '#src/use_cases/person_reply.ts'
import { personSchema } from '#src/http/people/person_schemas.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { recordSentBack } from '#src/edge/record_sent_back.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'

type PeopleEdge = Realms & Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

// Others decide on claims, and no such decision changes the profile.
const { claims, works_count, email_verified, updated_at } = personSchema.properties

/** What people are called in a path: the second is another spelling of the first. */
export const peoplePaths = ['people', 'user'] as const

/** A request whose path names a person. */
export type PersonRequest = FastifyRequest<{ Params: { ppid: string } }>

/** Claims that a profile shows; the list of claims has the others. */
const claimsMax = 100

/** Profiles of people, below both prefixes. */
export function registerPeopleRoutes(server: FastifyInstance, edge: PeopleEdge): void {
  for (const prefix of pathPrefixes) {
    for (const name of peoplePaths) {
      registerRead(server, edge, { prefix, name })
      registerUpdate(server, edge, { prefix, name })
    }
  }
}

/** One path of a route about a person. */
export type PersonPath = {
  readonly prefix: PathPrefix
  readonly name: (typeof peoplePaths)[number]
}

function registerRead(
  server: FastifyInstance,
  edge: PeopleEdge,
  { prefix, name }: PersonPath,
): void {
  const access = readingAccess(prefix, 'read people', 'people')
  const options = {
    ...edge.admit(access),
    schema: {
      operationId: access.type === 'key' ? 'getPerson' : 'getPublicPerson',
      replyHeaders: ['ETag'] as const,
      tags: ['people'],
      summary: 'The profile of a person, named by ppid or by ORCID iD.',
      description: 'What the caller may not see of it is left out.',
      response: { 200: personSchema },
    },
  }
  server.get(`${prefix}/${name}/:ppid`, options, async (request: PersonRequest, reply) => {
    readQuery(request, {})
    return sendPerson(
      edge,
      reply,
      namePerson(edge.environments, request.caller, request.params.ppid),
    )
  })
}

function registerUpdate(
  server: FastifyInstance,
  edge: PeopleEdge,
  { prefix, name }: PersonPath,
): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'write people', limit: 'write_back' }),
    ...checkedByRules,
    schema: {
      operationId: 'updatePerson',
      ...conditionalChange,
      tags: ['people'],
      summary: 'Changes a profile: by the person, an administrator, or with their permission.',
      body: profileUpdateSchema,
      response: { 200: personSchema },
    },
  }
  server.put(`${prefix}/${name}/:ppid`, options, async (request: PersonRequest, reply) => {
    readQuery(request, {})
    const named = namePerson(edge.environments, request.caller, request.params.ppid)
    return updatePerson(edge, request, reply, named)
  })
}

/** Changes a profile as the body of a request says, and sends what it is then. */
export async function updatePerson(
  edge: PeopleEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  named: NamedPerson,
): Promise<JsonReply> {
  const { environment, person } = named
  const { body } = request
  const tags = ifMatch(request)
  const command = {
    ppid: person.ppid,
    body,
    ...(await recordSentBack(body, {
      update: profileUpdateSchema,
      edition: { updated_at },
      moving: { claims, works_count, email_verified },
      edited: ['affiliations', 'education', 'email', 'orcid', 'orcid_authenticated'],
      read: () => show(edge, named),
    })),
    by: knownCaller(request).agent,
    ...(tags !== undefined && { ifMatch: tags }),
  }
  const answer = await environment.people.update(command)
  const shown = sendPerson(edge, reply, { ...named, person: updated(answer) })
  return answer.type === 'updated'
    ? { ...shown, changed_fields: answer.changed_fields }
    : { ...shown, unchanged: true }
}

function updated(answer: UpdatePersonAnswer): Person {
  if (answer.type === 'updated' || answer.type === 'unchanged') return answer.person
  throw refusedPerson(answer, {
    forbidden: 'This profile belongs to another person, or is not yours to change like this',
    invalid: 'The profile cannot be changed like this',
  })
}

/** A person as the caller sees them, with the headers that belong to it. */
export function sendPerson(edge: PeopleEdge, reply: FastifyReply, named: NamedPerson): JsonReply {
  const { environment, person, audience } = named
  if (environment.name === 'sandbox') markSandbox(reply)
  reply.header('etag', person.etag)
  reply.header('cache-control', audience.type === 'public' ? 'no-cache' : 'private, no-store')
  return show(edge, named)
}

function show(edge: PeopleEdge, named: NamedPerson): JsonReply {
  const { environment, person, audience } = named
  const { ppid } = person
  const known = {
    person,
    account: realmOf(edge, environment.name).accounts.accounts.find(ppid),
    claims: environment.claims.ofPerson(ppid, { limit: claimsMax }).claims,
    worksCount: environment.claims.worksCount(ppid),
  }
  return personReply(known, audience, edge.baseUrl)
}
