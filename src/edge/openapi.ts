import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'

import type { Admit } from '#src/edge/admission.ts'
import { allowAnyOrigin } from '#src/edge/cross_origin.ts'
import { errorSchema } from '#src/edge/reply_schemas.ts'

const description = `
Registers scholarly works under persistent ARK identifiers and proves, to anyone, what was
registered and when. An ARK in a path may be spelled in any of its ways, its slashes plain or
encoded. \`/v1/work\` is \`/v1/works\`; every path of \`/v1\` exists under \`/api/v1\` as well.`

const credentials = [{ bearer: [] }, { header: [] }, { query: [] }]

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'Not for production: addresses are written to logs.',
  },
} as const

/** What the page at `/docs` may do: load its own files and call this server. */
const pagePolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

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
  path: Type.String({ description: 'The rest of the path.' }),
}

/**
 * Describes every route registered from now on in OpenAPI 3.1, at `/openapi.json`, with a page to
 * browse and try it at `/docs`.
 */
export async function registerOpenApi(
  server: FastifyInstance,
  baseUrl: string,
  admit: Admit,
): Promise<void> {
  const admission = admit({ type: 'public', limit: 'public_read' })
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Arklog', version: '1', description, license: { name: 'Apache-2.0' } },
      servers: [{ url: baseUrl }],
      components: { securitySchemes },
    },
    // A wildcard has no name of its own in a description.
    transform: ({ schema, url, route }) => ({
      url: url.replace('*', ':path'),
      schema: describe(schema ?? {}, url, route.config ?? {}),
    }),
  })
  await server.register(async (page) => {
    // A scope of its own: the plugin gives its files neither hooks nor a configuration.
    page.addHook('onRequest', async (_request, reply) => allowAnyOrigin(reply))
    page.addHook('onRequest', admission.onRequest)
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformStaticCSP: () => pagePolicy,
      logLevel: 'silent',
    })
  })
  let document: string | undefined
  server.get('/openapi.json', { ...admission, schema: { hide: true } }, (_request, reply) => {
    document ??= JSON.stringify(server.swagger())
    reply.header('content-type', 'application/json; charset=utf-8')
    return reply.send(document)
  })
}

/** A route's schema with what its configuration, its path and the error table say. */
function describe(
  schema: FastifySchema,
  url: string,
  { isPublic = false, parameters = {} }: FastifyContextConfig,
): FastifySchema {
  const names = [...url.matchAll(/:(\w+)|\*/g)].map(([, name = 'path']) => name)
  const params = schemasOf(names, (name) => pathParameters[name] ?? Type.String())
  const query = schemasOf(Object.keys(parameters), (name) => {
    const { schema: described = Type.String(), required = false } = parameters[name] ?? {}
    return required ? described : Type.Optional(described)
  })
  const replies = (schema.response ?? { '2XX': {} }) as Record<string, unknown>
  return {
    ...schema,
    security: schema.security ?? (isPublic ? [{}, ...credentials] : credentials),
    response: { '4XX': errorSchema, '5XX': errorSchema, ...replies },
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
  }
}

function schemasOf(names: readonly string[], schemaOf: (name: string) => TSchema) {
  if (names.length === 0) return undefined
  return Type.Object(Object.fromEntries(names.map((name) => [name, schemaOf(name)])))
}
