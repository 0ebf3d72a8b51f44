import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'

import { openEdge } from '#test/src/edge/_edge.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

type Operation = {
  operationId: string
  'x-alias-of'?: string
  parameters?: { $ref?: string; name: string; in: string; required?: boolean; schema?: object }[]
  security: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>
}
type Description = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    parameters: Record<string, { schema: object }>
    headers: Record<string, { schema: object }>
    securitySchemes: Record<string, { type: string }>
  }
}

let registry: TestRegistry
let description: Description
let headers: Record<string, string>

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  description = (await registry.server.inject('/openapi.json?aliases=true')).json()
  const scopes = ['works:read', 'works:write', 'receipts:read', 'receipts:verify']
  headers = { authorization: `Bearer ${await registry.createKey(scopes)}` }
})

test.after.always(() => registry.close())

function operations(): [path: string, method: string, Operation][] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      path,
      method,
      operation,
    ]),
  )
}

test('it is OpenAPI 3.1, and every schema in it is one', (t) => {
  t.is(description.openapi, '3.1.0')
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [path, method, { parameters = [], requestBody, responses }] of operations()) {
    const replies = Object.values(responses).flatMap(({ content = {} }) => Object.values(content))
    const bodies = Object.values(requestBody?.content ?? {})
    for (const { schema } of [...parameters, ...bodies, ...replies]) {
      if (schema === undefined) continue
      t.true(ajv.validateSchema(schema), `${method} ${path}: ${JSON.stringify(ajv.errors)}`)
    }
  }
})

test('every component is a schema', (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const { schemas, parameters, headers: replied } = description.components
  t.true(Object.keys(schemas).length > 100)
  const described = [...Object.values(parameters), ...Object.values(replied)]
  for (const schema of [...Object.values(schemas), ...described.map((header) => header.schema)]) {
    t.true(ajv.validateSchema(schema), JSON.stringify(ajv.errors))
  }
})

test('every object and every list of words is a component, and none is there twice', (t) => {
  const { schemas } = description.components
  const inline: string[] = []
  const visit = (value: unknown, place: string, isComponent: boolean) => {
    if (typeof value !== 'object' || value === null) return
    const { properties, enum: words } = value as { properties?: object; enum?: unknown }
    if (properties !== undefined && !isComponent) inline.push(place)
    if (Array.isArray(words) && !isComponent) inline.push(JSON.stringify(words))
    for (const [name, member] of Object.entries(value)) {
      // What a condition looks at is no type of its own.
      if (name !== 'if' && name !== 'else') visit(member, `${place}/${name}`, false)
    }
  }
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, true)
  visit(description.paths, '', false)
  t.deepEqual(
    inline.filter((place) => !place.startsWith('[')),
    [],
  )
  const words = inline.filter((place) => place.startsWith('['))
  const twice = words.filter((list, index) => words.indexOf(list) !== index)
  t.deepEqual(twice, [])
  const unions = JSON.stringify(description).match(
    /"anyOf":\[\{[^{}]*"const":[^{}]*\},\{[^{}]*"const":/g,
  )
  t.is(unions, null, 'words are one list of them')
  const texts = Object.values(schemas).map((schema) => JSON.stringify(schema))
  t.is(new Set(texts).size, texts.length)
})

test('every operation has an id like the name of a method, and nobody else has it', (t) => {
  const ids = operations().map(([, , { operationId }]) => operationId)
  t.true(ids.length > 140)
  for (const id of ids) t.regex(id, /^[a-z]+(?:[A-Z][a-z]+)*(?:Alias\d*)?$/)
  t.is(new Set(ids).size, ids.length)
})

test('an alias is what it is an alias of, and is left out unless it is asked for', async (t) => {
  const own = (await registry.server.inject('/openapi.json')).json<Description>()
  const withoutMarks = (operation: Operation) => ({
    ...operation,
    operationId: '',
    'x-alias-of': '',
  })
  const byId = new Map(operations().map(([, , operation]) => [operation.operationId, operation]))
  const aliases = operations().filter(([, , operation]) => operation['x-alias-of'] !== undefined)
  t.true(aliases.length > 50)
  for (const [path, method, alias] of aliases) {
    const meant = byId.get(alias['x-alias-of'] ?? '')
    t.truthy(meant, `${method} ${path}`)
    t.deepEqual(withoutMarks(alias), withoutMarks(meant as Operation), `${method} ${path}`)
    t.is(own.paths[path]?.[method], undefined)
  }
  const kept = Object.values(own.paths).flatMap((path) => Object.values(path))
  t.is(kept.length, operations().length - aliases.length)
  t.notRegex(JSON.stringify(own), /x-alias-of|x-facts/)
  const create = own.paths['/v1/works']?.['post']
  const { parameters = [], responses = {} } = create ?? {}
  t.deepEqual(
    Object.keys(responses).filter((status) => status.startsWith('2')),
    ['201'],
  )
  t.false(parameters.some(({ name }) => name === 'dry_run'))
})

test('what a caller needs is told: schemes, scopes, headers', (t) => {
  const { securitySchemes } = description.components
  t.deepEqual(
    Object.values(securitySchemes)
      .map(({ type }) => type)
      .toSorted(),
    ['apiKey', 'apiKey', 'http', 'oauth2', 'openIdConnect'],
  )
  const create = description.paths['/v1/works']?.['post'] as Operation
  t.deepEqual(create.security, [
    { bearer: ['works:write'] },
    { header: ['works:write'] },
    { oauth: ['svc:works:write'] },
    { openIdConnect: ['svc:works:write'] },
  ])
  t.deepEqual(Object.keys(create.responses['201']?.headers ?? {}).slice(0, 2), ['Location', 'ETag'])
  const limited = Object.keys(create.responses['429']?.headers ?? {})
  t.true(limited.includes('Retry-After') && limited.includes('X-RateLimit-Reset'))
  const sent = (path: string, method: string) =>
    description.paths[path]?.[method]?.parameters?.map(({ $ref = '' }) => $ref.split('/').pop())
  t.true(sent('/v1/works', 'post')?.includes('Idempotency-Key'))
  t.true(sent('/v1/works/{ark}', 'put')?.includes('If-Match'))
  t.true(sent('/v1/works/{ark}', 'get')?.includes('If-None-Match'))
  const body = (path: string) => description.paths[path]?.['post']?.requestBody?.required
  t.true(body('/v1/works'))
  t.false(body('/v1/receipts/{ark}/v{version}/verify'))
})

test('every parameter of a path is described, and nothing of our own router is left', (t) => {
  for (const [path, method, { parameters = [] }] of operations()) {
    t.notRegex(path, /[:*]/)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    t.deepEqual(inPath.map(({ name }) => name).toSorted(), names.toSorted(), `${method} ${path}`)
  }
})

test('all of the interface is there, and says who may call it', (t) => {
  const paths = [
    'post /v1/works',
    'post /v1/works/bulk',
    'get /v1/works/{ark}',
    'put /v1/works/{ark}',
    'put /v1/works/by-doi/{doi}',
    'get /v1/works/by-doi/{doi}',
    'delete /v1/works/{ark}',
    'get /v1/works/{ark}/versions',
    'post /v1/works/{ark}/versions',
    'post /v1/works/{ark}/withdraw',
    'get /v1/resolve/{ark}',
    'get /v1/resolve/{ark}/v{version}',
    'get /v1/resolve/{ark}/history',
    'get /v1/receipts/{ark}/v{version}',
    'get /v1/proofs/{ark}/v{version}',
    'post /v1/receipts/{ark}/v{version}/verify',
    'post /v1/receipts/verify',
    'get /v1/changes',
    'get /v1/work-types',
    'get /v1/search/works',
    'get /v1/search/people',
    'get /v1/search/organizations',
    'get /log/checkpoint',
    'get /v1/log/inclusion',
  ]
  const described = operations().map(([path, method]) => `${method} ${path}`)
  for (const path of paths) {
    t.true(described.includes(path), path)
    t.true(path.includes(' /log') || described.includes(path.replace(' ', ' /api')), path)
  }
  const isPublic = (path: string, method = 'get') =>
    description.paths[path]?.[method]?.security.some((scheme) => Object.keys(scheme).length === 0)
  t.false(isPublic('/v1/works/{ark}'))
  t.true(isPublic('/api/v1/works/{ark}'))
  t.false(isPublic('/api/v1/works', 'post'))
})

/** A schema with the components that it refers to. */
function inDocument(schema: object = {}): object {
  return { ...schema, components: description.components }
}

/** A schema that knows only the members it describes, unless it says that there are others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, value]) => [name, closed(value)] as const)
  const own = Object.fromEntries(members)
  return own['type'] === 'object' ? { additionalProperties: false, ...own } : own
}

test('replies are what the description says, no more and no less', async (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const call = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    url: string,
    payload?: object,
  ) => {
    const reply = await registry.server.inject({
      method,
      url,
      headers,
      ...(payload && { payload }),
    })
    const responses = description.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const schema = responses[reply.statusCode] ?? responses[`${String(reply.statusCode)[0]}XX`]
    const { schema: body } = schema?.content?.['application/json'] ?? {}
    t.truthy(body, `${method} ${path} describes ${reply.statusCode}`)
    t.true(
      ajv.validate(closed(inDocument(body)) as object, reply.json()),
      `${method} ${url}: ${ajv.errorsText()}`,
    )
    return reply.json()
  }
  const work = await call('POST', '/v1/works', '/v1/works', goodWork)
  const ark: string = work.ark_identifier
  await call('POST', '/v1/works', '/v1/works?dry_run=true', goodWork)
  await call('POST', '/v1/works', '/v1/works', { work_title: 5 })
  await call('POST', '/v1/works/bulk', '/v1/works/bulk', { works: [goodWork, {}] })
  await call('GET', '/v1/works/{ark}', `/v1/works/${ark}`)
  await call('GET', '/v1/works/{ark}', '/v1/works/k2nothing')
  await call('PUT', '/v1/works/{ark}', `/v1/works/${ark}`, { description: 'New.' })
  await call('PUT', '/v1/works/{ark}', `/v1/works/${ark}`, { description: 'New.' })
  const version = { description: 'Newer.', version_note: 'Note.' }
  await call('POST', '/v1/works/{ark}/versions', `/v1/works/${ark}/versions`, version)
  await call('GET', '/v1/works/{ark}/versions', `/v1/works/${ark}/versions`)
  await call('GET', '/v1/resolve/{ark}', `/v1/resolve/${ark}`)
  await call('GET', '/v1/resolve/{ark}/v{version}', `/v1/resolve/${ark}/v1`)
  await call('GET', '/v1/resolve/{ark}/history', `/v1/resolve/${ark}/history`)
  await call('GET', '/v1/receipts/{ark}/v{version}', `/v1/receipts/${ark}/v1`)
  await call('GET', '/v1/proofs/{ark}/v{version}', `/v1/proofs/${ark}/v1`)
  const withdrawal = { reason: 'test' }
  await call('POST', '/v1/works/{ark}/withdraw', `/v1/works/${ark}/withdraw`, withdrawal)
  await call('GET', '/v1/works/{ark}', `/v1/works/${ark}`)
  await call('GET', '/v1/resolve/{ark}', `/v1/resolve/${ark}`)
  await call('GET', '/v1/receipts/{ark}/v{version}', `/v1/receipts/${ark}/v1`)
  await call('GET', '/v1/changes', '/v1/changes')
  await call('GET', '/v1/work-types', '/v1/work-types')
  await call('GET', '/v1/log/inclusion', '/v1/log/inclusion?leaf_index=0')
  await call('GET', '/v1/log/consistency', '/v1/log/consistency?from=1')
  await call('GET', '/v1/log/checkpoints', '/v1/log/checkpoints')
})

test('bodies that the checks accept fit their description', (t) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const body = description.paths['/v1/works']?.['post']?.requestBody?.content['application/json']
  const schema = inDocument(body?.schema)
  t.true(ajv.validate(schema, { ...goodWork, description: null, keywords: 'a, b' }))
  t.false(ajv.validate(schema, { ...goodWork, is_admin: true }))
  const { work_url: _, ...nowhere } = goodWork
  t.false(ajv.validate(schema, nowhere))
  t.true(ajv.validate(schema, { ...nowhere, existing_doi: '10.1234/a' }))
})

test('the description is counted, and limited', async (t) => {
  const { server } = await openEdge(t, { LIMIT_PUBLIC_READ: 2 }, () => undefined)
  for (const left of ['1', '0']) {
    const reply = await server.inject('/openapi.json')
    t.is(reply.statusCode, 200)
    t.is(reply.headers['x-ratelimit-remaining'], left)
    t.is(reply.headers['access-control-allow-origin'], '*')
  }
  const refused = await server.inject('/openapi.json')
  t.is(refused.statusCode, 429)
  t.is(refused.json().message, 'Retry after 3600 seconds')
  t.is(refused.headers['retry-after'], '3600')
})

test('the description has a tag, and is not sent again to who has it', async (t) => {
  const { server } = registry
  for (const url of ['/openapi.json', '/openapi.json?aliases=true']) {
    const tags: unknown[] = []
    for (const coding of ['identity', 'gzip', 'br']) {
      const accepted = { 'accept-encoding': coding }
      const first = await server.inject({ url, headers: accepted })
      const { etag, vary } = first.headers
      t.is(first.headers['content-encoding'], coding === 'identity' ? undefined : coding)
      t.regex(String(etag), /^"[\w-]{22}"$/)
      t.is(vary, 'Accept-Encoding')
      const again = await server.inject({ url, headers: { ...accepted, 'if-none-match': etag } })
      t.is(again.statusCode, 304)
      t.is(again.headers.etag, etag)
      t.is(again.body, '')
      tags.push(etag)
    }
    t.is(new Set(tags).size, 3)
  }
})
