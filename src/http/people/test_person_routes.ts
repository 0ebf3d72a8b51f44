import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { namePerson, personLinks } from '#src/use_cases/person_reply.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  makeTestPerson,
  newTestPersonSchema,
  removeTestPerson,
  type TestWorld,
} from '#src/use_cases/test_people.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { checkedByRules, component, time } from '#src/edge/reply_schemas.ts'
import { HttpError } from '#src/errors.ts'
import { keepPrivate } from '#src/http/people/own_list.ts'
import { peoplePaths, type PersonPath, type PersonRequest } from '#src/http/people/people_routes.ts'
import { personLinksSchema } from '#src/http/people/person_schemas.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

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
  for (const prefix of pathPrefixes) {
    for (const name of peoplePaths) {
      registerMaking(server, edge, { prefix, name })
      registerErasure(server, edge, { prefix, name })
    }
  }
}

function registerMaking(
  server: FastifyInstance,
  edge: TestPersonEdge,
  { prefix, name }: PersonPath,
): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'write people', limit: 'write_back' }),
    ...checkedByRules,
    schema: {
      operationId: 'createTestPerson',
      replyHeaders: ['Location'] as const,
      tags: ['people'],
      summary: 'Makes a test person, in the sandbox.',
      description:
        'With a key `svc_test_…` of an organization or of the operator. The reply alone tells ' +
        'with what the person signs in, and the keys that act as them. Live people make their ' +
        'accounts themselves.',
      body: newTestPersonSchema,
      response: { 201: testPersonSchema },
    },
  }
  server.post(`${prefix}/${name}`, options, async (request, reply) => {
    readQuery(request, {})
    const made = await makeTestPerson(worldOf(edge, request), request.body, callerOf(request))
    const links = personLinks(edge.baseUrl, made.ppid)
    keepPrivate(reply)
    reply.code(201).header('location', links['self'])
    return { ...made, links }
  })
}

function registerErasure(
  server: FastifyInstance,
  edge: TestPersonEdge,
  { prefix, name }: PersonPath,
): void {
  const options = {
    ...edge.admit({ type: 'key', prefix, right: 'write people', limit: 'write_back' }),
    schema: {
      operationId: 'deleteTestPerson',
      tags: ['people'],
      summary: 'Erases a test person, in the sandbox.',
      description:
        'By who made them, or with a key of their own. As with every account, what is personal ' +
        'is gone at once and for ever, and so are keys, tokens and permissions.',
      response: { 200: erasedSchema },
    },
  }
  server.delete(`${prefix}/${name}/:ppid`, options, async (request: PersonRequest, reply) => {
    readQuery(request, {})
    const world = worldOf(edge, request)
    const { person } = namePerson(edge.environments, request.caller, request.params.ppid)
    await removeTestPerson(world, person.ppid, callerOf(request))
    keepPrivate(reply)
    return { ppid: person.ppid, erased: true }
  })
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
