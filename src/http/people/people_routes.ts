import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { profileUpdateSchema } from '#actors/people/checks.ts'
import type { Person, UpdatePersonAnswer } from '#actors/people/port.ts'
import { knownCaller, markSandbox } from '#src/edge/admission.ts'
import { ifMatch } from '#src/edge/conditional.ts'
import { recordSentBack } from '#src/edge/record_sent_back.ts'
import { component, conditionalChange, time } from '#src/edge/reply_schemas.ts'
import { HttpError } from '#src/edge/errors.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { personLinksSchema, personSchema } from '#src/http/people/person_schemas.ts'
import {
  type JsonReply,
  type NamedPerson,
  namePerson,
  personLinks,
  personReply,
  refusedPerson,
} from '#src/use_cases/person_reply.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  makeTestPerson,
  newTestPersonSchema,
  removeTestPerson,
  type TestWorld,
} from '#src/use_cases/test_people.ts'

type PeopleEdge = Realms & Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'>

// Others decide on claims, and no such decision changes the profile.
const { claims, works_count, email_verified, updated_at } = personSchema.properties

/** What people are called in a path: the second is another spelling of the first. */
export const peoplePaths = ['people', 'user'] as const

/** The part of such a path that names a person. */
type PersonParts = { readonly ppid: string }

/** Claims that a profile shows; the list of claims has the others. */
const claimsMax = 100

/** Profiles of people, below both prefixes. */
export function registerPeopleRoutes(server: FastifyInstance, edge: PeopleEdge): void {
  const paths = peoplePaths.map((name) => `/${name}/:ppid`)
  const routes = paths.flatMap((path) => [
    { ...reading, path },
    { ...updating, path },
  ])
  registerRoutes(server, edge, 'people', routes)
}

const reading: Omit<Route<PeopleEdge, PersonParts>, 'path'> = {
  method: 'GET',
  demands: { type: 'reading', right: 'read people', limit: 'people' },
  operationId: 'getPerson',
  publicOperationId: 'getPublicPerson',
  replyHeaders: ['ETag'],
  summary: 'The profile of a person, named by ppid or by ORCID iD.',
  description: 'What the caller may not see of it is left out.',
  response: { 200: personSchema },
  handle(edge, request, reply) {
    const named = namePerson(edge.environments, request.caller, request.params.ppid)
    return sendPerson(edge, reply, named)
  },
}

const updating: Omit<Route<PeopleEdge, PersonParts>, 'path'> = {
  method: 'PUT',
  demands: { right: 'write people', limit: 'write_back' },
  isCheckedByRules: true,
  operationId: 'updatePerson',
  ...conditionalChange,
  summary: 'Changes a profile: by the person, an administrator, or with their permission.',
  body: profileUpdateSchema,
  response: { 200: personSchema },
  handle(edge, request, reply) {
    const named = namePerson(edge.environments, request.caller, request.params.ppid)
    return updatePerson(edge, request, reply, named)
  },
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

type TestPersonEdge = Realms &
  Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl'> &
  Pick<TestWorld, 'random'>

const ppid = Type.String({ examples: ['p7k2m9xq4wbd'] })

const testPersonSchema = component('TestPerson', {
  ppid,
  sign_in: component(
    'TestSignIn',
    { url: Type.String(), email: Type.String(), password: Type.String() },
    { description: 'With what they sign in on the pages of the sandbox.' },
  ),
  keys: Type.Array(
    component('TestKey', {
      key: Type.String(),
      scopes: Type.Array(Type.String()),
      expires_at: time,
    }),
    { description: 'Their own keys: of the whole account, and as a researcher has it.' },
  ),
  links: personLinksSchema,
})

const erasedSchema = component('ErasedPerson', { ppid, erased: Type.Literal(true) })

/** People of the sandbox, made and erased by who tries the interface out; below both prefixes. */
export function registerTestPersonRoutes(server: FastifyInstance, edge: TestPersonEdge): void {
  const routes = peoplePaths.flatMap((name) => [
    { ...making, path: `/${name}` },
    { ...erasing, path: `/${name}/:ppid` },
  ])
  registerRoutes(server, edge, 'people', routes)
}

const making: Omit<Route<TestPersonEdge, PersonParts>, 'path'> = {
  method: 'POST',
  demands: { right: 'write people', limit: 'write_back' },
  isCheckedByRules: true,
  operationId: 'createTestPerson',
  replyHeaders: ['Location'],
  summary: 'Makes a test person, in the sandbox.',
  description:
    'With a key `svc_test_…` of an organization or of the operator. The reply alone tells ' +
    'with what the person signs in, and the keys that act as them. Live people make their ' +
    'accounts themselves.',
  body: newTestPersonSchema,
  response: { 201: testPersonSchema },
  async handle(edge, request, reply) {
    const made = await makeTestPerson(worldOf(edge, request), request.body, callerOf(request))
    const links = personLinks(edge.baseUrl, made.ppid)
    keepPrivate(reply)
    reply.code(201).header('location', links['self'])
    return { ...made, links }
  },
}

const erasing: Omit<Route<TestPersonEdge, PersonParts>, 'path'> = {
  method: 'DELETE',
  demands: { right: 'write people', limit: 'write_back' },
  operationId: 'deleteTestPerson',
  summary: 'Erases a test person, in the sandbox.',
  description:
    'By who made them, or with a key of their own. As with every account, what is personal ' +
    'is gone at once and for ever, and so are keys, tokens and permissions.',
  response: { 200: erasedSchema },
  async handle(edge, request, reply) {
    const world = worldOf(edge, request)
    const { person } = namePerson(edge.environments, request.caller, request.params.ppid)
    await removeTestPerson(world, person.ppid, callerOf(request))
    keepPrivate(reply)
    return { ppid: person.ppid, erased: true }
  },
}

function callerOf(request: FastifyRequest) {
  return knownCaller(request).agent
}

/** The sandbox, if the caller is there. HttpError `forbidden` for everybody else. */
function worldOf(edge: TestPersonEdge, request: FastifyRequest): TestWorld {
  const { environment: name } = knownCaller(request)
  if (name === 'sandbox') {
    return { environment: edge.environments[name], realm: realmOf(edge, name), random: edge.random }
  }
  const message = 'This is for test people: send a key of the sandbox (svc_test_…)'
  throw new HttpError('forbidden', `${message}; live people make and delete their own accounts`)
}
