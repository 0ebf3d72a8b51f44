import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'

import { assert } from '#log/tlog/errors.ts'
import { admission } from '#src/edge/admission.ts'
import { KeptBodies, sendTagged } from '#src/edge/kept_bodies.ts'
import { takesIdempotencyKey } from '#src/edge/keyed_writes.ts'
import {
  aliasMember,
  completeDocument,
  factsMember,
  type OpenApiDocument,
  type OperationFacts,
  withoutAliases,
} from '#src/edge/openapi_document.ts'
import { flagParameter, type Parameter, readQuery } from '#src/edge/query_string.ts'
import { errorSchema } from '#src/edge/reply_schemas.ts'
import { type Right, scopesOf } from '#src/identity/keys/scope.ts'
import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import { limitPolicies, type LimitPolicy } from '#src/edge/limits/limits.ts'

const documentParameters = {
  aliases: flagParameter('Whether other spellings of the same are described as well.'),
}

const notModified = Type.Null({ description: 'It is what you hold.' })
const limitExceeded = { ...errorSchema, description: 'Too many requests.' }

const description = `
Registers scholarly works under persistent ARK identifiers and proves, to anyone, what was
registered and when. An ARK in a path may be spelled in any of its ways, its slashes plain or
encoded. \`/v1/work\` is \`/v1/works\`; every path of \`/v1\` exists under \`/api/v1\` as well.`

/** Parts of a path, as they are described. */
const pathParameters: Readonly<Record<string, TSchema>> = {
  ark: Type.String({
    description: 'An ARK, perhaps without its label, or without its NAAN too.',
    pattern:
      '^(?:[aA][rR][kK]:/?[0-9bcdfghjkmnpqrstvwxz]{1,16}/)?[0-9A-Za-z=~*+@_$][0-9A-Za-z=~*+@_$-]*$',
    maxLength: 255,
    examples: ['ark:/12345/k2bcd45g7h3'],
  }),
  version: Type.Integer({ description: 'Number of a version.', minimum: 1 }),
  doi: Type.String({
    description: 'A DOI, its slash plain or encoded.',
    examples: ['10.5555/12345678'],
  }),
  path: Type.String({ description: 'The rest of the path.' }),
}

/** What is described: where it is served, and where its tokens come from. */
type Described = { readonly baseUrl: string; readonly issuer?: string }

/** The description of a server, with other spellings of the same, once the server is ready. */
export type DescribeInterface = () => OpenApiDocument

/**
 * Describes every route registered from now on in OpenAPI 3.1, at `/openapi.json`. Other spellings
 * of the same are described with `?aliases=true`, and in what the function gives that is returned.
 * The description is made for its first reader, and kept: most threads of most starts have none.
 */
export async function registerOpenApi(
  server: FastifyInstance,
  { baseUrl, issuer }: Described,
): Promise<DescribeInterface> {
  const admitted = admission({ type: 'public', limit: 'public_read' }, documentParameters)
  let complete: OpenApiDocument | undefined
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Arklog', version: '1', description, license: { name: 'Apache-2.0' } },
      servers: [{ url: baseUrl }],
      components: { securitySchemes: securitySchemes(baseUrl, issuer) },
    },
    // A wildcard has no name of its own in a description.
    transform: ({ schema, url, route }) => ({
      url: url.replace('*', ':path'),
      schema: describe(schema ?? {}, url, route, issuer !== undefined),
    }),
    transformObject(generated) {
      const { openapiObject } = generated as unknown as { openapiObject: OpenApiDocument }
      complete = completeDocument(openapiObject)
      return withoutAliases(complete) as object
    },
  })
  const documents = new KeptBodies()
  server.get('/openapi.json', { ...admitted, schema: { hide: true } }, async (request, reply) => {
    const { aliases = false } = readQuery(request, documentParameters)
    const own = server.swagger()
    const write = () => Buffer.from(JSON.stringify(aliases ? complete : own))
    const document = await documents.readCoded(reply, String(aliases), write)
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('cache-control', 'no-cache')
    return sendTagged(request, reply, document)
  })
  return () => {
    server.swagger()
    assert(complete !== undefined, 'a server that is ready is described')
    return complete
  }
}

/** A route's schema with what its configuration, its path and the error table say. */
function describe(
  schema: FastifySchema,
  url: string,
  route: Pick<RouteOptions, 'method' | 'config'>,
  hasTokens: boolean,
): FastifySchema {
  const { isPublic = false, right, limit, parameters = {}, deprecation } = route.config ?? {}
  const names = [...url.matchAll(/:(\w+)|\*/g)].map(([, name = 'path']) => name)
  const params = schemasOf(names, (name) => pathParameters[name] ?? Type.String())
  const query = schemasOf(Object.keys(parameters), (name) => describeParameter(parameters[name]))
  const replies = (schema.response ?? { '2XX': {} }) as Record<string, unknown>
  const { requestHeaders = [], replyHeaders = [], isBodyOptional = false } = schema
  const isRead = [route.method].flat().includes('GET')
  const has304 = isRead && requestHeaders.includes('If-None-Match')
  const policy: LimitPolicy | undefined = limit && limitPolicies[limit]
  const has429 = policy?.refusal === undefined
  const isKeyed = takesIdempotencyKey(route)
  const facts: OperationFacts = {
    requestHeaders: isKeyed ? union(requestHeaders, ['Idempotency-Key']) : requestHeaders,
    replyHeaders: isKeyed ? union(replyHeaders, ['Idempotent-Replayed']) : replyHeaders,
    isBodyOptional,
  }
  const described = {
    ...schema,
    description: [schema.description, right && scopesText(right)].filter(Boolean).join(' '),
    security: schema.security ?? securityOf({ isPublic, right }, hasTokens),
    response: {
      ...(has304 && { 304: notModified }),
      ...(has429 && { 429: limitExceeded }),
      '4XX': errorSchema,
      '5XX': errorSchema,
      ...replies,
    },
    ...(deprecation !== undefined && { deprecated: true }),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    [factsMember]: facts,
  }
  return described
}

function union<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  return [...new Set([...some, ...others])]
}

function describeParameter({
  schema = Type.String(),
  required = false,
  aliasOf,
  deprecation,
}: Partial<Parameter<unknown>> = {}): TSchema {
  const described = {
    ...schema,
    ...(aliasOf !== undefined && { [aliasMember]: aliasOf }),
    ...(deprecation !== undefined && { deprecated: true }),
  }
  return required ? described : Type.Optional(described)
}

function schemasOf(names: readonly string[], schemaOf: (name: string) => TSchema) {
  if (names.length === 0) return undefined
  return Type.Object(Object.fromEntries(names.map((name) => [name, schemaOf(name)])))
}

const keySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the access token of an application, as `Authorization: Bearer`.',
  },
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'An API key. Every operation takes it, and none lists it: addresses are written to logs.',
  },
} as const

/**
 * The ways to present a credential (OpenAPI 3.1, §4.8.27): those of keys and, where there is an
 * identity provider, those of tokens.
 */
function securitySchemes(baseUrl: string, issuer: string | undefined) {
  if (issuer === undefined) return keySchemes
  const tokenUrl = `${baseUrl}/api/v1/oauth/token`
  const scopes = oauthScopes.map(({ name, meaning }) => [name, `May ${meaning}.`] as const)
  const authorizationCode = {
    authorizationUrl: `${baseUrl}/api/v1/oauth/authorize`,
    tokenUrl,
    refreshUrl: tokenUrl,
    scopes: Object.fromEntries(scopes),
  }
  return {
    ...keySchemes,
    oauth: {
      type: 'oauth2',
      description: 'An access token that a researcher has permitted; PKCE with S256.',
      flows: { authorizationCode },
    },
    openIdConnect: {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    },
  } as const
}

type Requirement = Readonly<Record<string, readonly string[]>>

/** What a route demands: any one way to present a credential, with the scope that it needs. */
function securityOf(
  { isPublic, right }: { readonly isPublic: boolean; readonly right: Right | undefined },
  hasTokens: boolean,
): Requirement[] {
  const { key, oauth } = right === undefined ? { key: undefined } : scopesOf(right)
  const ofKeys = key === undefined ? [] : [key]
  // Not `query`: generated clients would put a key wherever it can be, and so into addresses.
  const requirements: Requirement[] = [{ bearer: ofKeys }, { header: ofKeys }]
  if (isPublic) requirements.unshift({})
  if (!hasTokens || (right !== undefined && oauth === undefined)) return requirements
  const ofTokens = oauth === undefined ? [] : [oauth]
  return [...requirements, { oauth: ofTokens }, { openIdConnect: ofTokens }]
}

/** Says which scopes grant a right. */
function scopesText(right: Right): string {
  const { key, otherKey, oauth, researcher } = scopesOf(right)
  const others = [
    ...(otherKey === undefined ? [] : [`or \`${otherKey}\``]),
    ...(oauth === undefined ? [] : [`a token \`${oauth}\``]),
    ...(researcher === undefined ? [] : [`a researcher's key \`${researcher}\``]),
  ]
  return `A key needs \`${key}\`${others.map((other) => `, ${other}`).join('')}.`
}
