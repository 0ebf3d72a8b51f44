import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'

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

/** Parts of a path, as they are described. */
const pathParameters: Readonly<Record<string, TSchema>> = {
  ark: Type.String({ description: 'An ARK.', examples: ['ark:/12345/k2bcd45g7h3'] }),
  version: Type.Integer({ description: 'Number of a version.', minimum: 1 }),
}

/**
 * Describes every route registered from now on in OpenAPI 3.1, at `/openapi.json`, with a page to
 * browse and try it at `/docs`.
 */
export async function registerOpenApi(server: FastifyInstance, baseUrl: string): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Arklog', version: '1', description, license: { name: 'Apache-2.0' } },
      servers: [{ url: baseUrl }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: describe(schema ?? {}, url, route.config ?? {}),
    }),
  })
  await server.register(swaggerUi, { routePrefix: '/docs', staticCSP: true, logLevel: 'silent' })
  let document: string | undefined
  server.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    document ??= JSON.stringify(server.swagger())
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('access-control-allow-origin', '*')
    return reply.send(document)
  })
}

type RouteConfig = Pick<FastifyInstance['initialConfig'], never> & {
  readonly isPublic?: boolean
  readonly parameters?: Readonly<Record<string, { readonly schema: TSchema }>>
}

/** A route's schema with what its configuration and its path say. */
function describe(schema: FastifySchema, url: string, config: RouteConfig): FastifySchema {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const params = names.flatMap((name) => {
    const parameter = pathParameters[name]
    return parameter === undefined ? [] : [[name, parameter] as const]
  })
  const parameters = Object.entries(config.parameters ?? {})
  const query = parameters.map(([name, { schema }]) => [name, schema] as const)
  return {
    ...schema,
    security: config.isPublic === true ? [{}, ...credentials] : credentials,
    ...(params.length > 0 && { params: Type.Object(Object.fromEntries(params)) }),
    ...(query.length > 0 && { querystring: Type.Partial(Type.Object(Object.fromEntries(query))) }),
  }
}
