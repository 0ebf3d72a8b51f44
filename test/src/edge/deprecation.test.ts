import test, { type ExecutionContext } from 'ava'

import { flagParameter } from '#src/edge/query_string.ts'
import { openEdge } from '#test/src/edge/_edge.ts'

const link = 'https://registry.example/docs/versioning'

/** A server with a route that ends, and one that lives on without one of its parameters. */
function openDeprecated(t: ExecutionContext) {
  return openEdge(t, {}, (server, { admit }) => {
    const flag = flagParameter('A flag.')
    const parameters = {
      flag,
      old_flag: { ...flag, deprecation: { since: '2026-07-01', link } },
      older_flag: { ...flag, deprecation: { since: '2026-01-01', sunset: '2027-01-01', link } },
    }
    const admission = admit({ type: 'public', limit: 'public_read' }, parameters)
    const schema = (operationId: string) => ({ schema: { operationId } })
    server.get('/lives', { ...admission, ...schema('lives') }, (_request, reply) =>
      reply.header('link', '<https://example.org/>; rel="cite-as"').send('{}'),
    )
    const deprecation = { since: '2026-11-22', sunset: '2027-11-22', link }
    const config = { ...admission.config, deprecation }
    const ends = { ...admission, config, ...schema('ends') }
    server.get('/ends', ends, async () => 'it goes on')
  })
}

test('the replies of a deprecated route say so, also when they refuse', async (t) => {
  const { server } = await openDeprecated(t)
  const requests = [
    { url: '/ends', status: 200 },
    { url: '/ends', method: 'HEAD', status: 200 },
    { url: '/ends', headers: { authorization: 'Bearer x' }, status: 401 },
  ] as const
  for (const { status, ...request } of requests) {
    const { statusCode, headers } = await server.inject(request)
    t.is(statusCode, status)
    t.is(headers['deprecation'], `@${Date.UTC(2026, 10, 22) / 1_000}`)
    t.is(headers['sunset'], 'Mon, 22 Nov 2027 00:00:00 GMT')
    t.is(
      headers['link'],
      `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
    )
    t.regex(String(headers['access-control-expose-headers']), /Deprecation.*Sunset/)
  }
})

test('a deprecated parameter is told to whom sends it, and to nobody else', async (t) => {
  const { server } = await openDeprecated(t)
  for (const url of ['/lives', '/lives?flag=true', '/lives?unknown=true', '/lives?toString=1']) {
    const { headers } = await server.inject(url)
    t.is(headers['deprecation'], undefined, url)
    t.is(headers['sunset'], undefined, url)
  }
  const { headers } = await server.inject('/lives?old_flag=true')
  t.is(headers['deprecation'], `@${Date.UTC(2026, 6, 1) / 1_000}`)
  t.is(headers['sunset'], undefined)
  const cited = '<https://example.org/>; rel="cite-as"'
  t.is(headers['link'], `${cited}, <${link}>; rel="deprecation"; type="text/html"`)
  const both = await server.inject('/lives?old_flag=true&older_flag=false')
  t.is(both.headers['deprecation'], `@${Date.UTC(2026, 0, 1) / 1_000}`, 'the first counts')
  t.is(both.headers['sunset'], 'Fri, 01 Jan 2027 00:00:00 GMT')
})

test('the description shows what is deprecated', async (t) => {
  const { server } = await openDeprecated(t)
  type Parameter = { readonly name: string; readonly deprecated?: boolean }
  type Operation = { readonly deprecated?: boolean; readonly parameters: readonly Parameter[] }
  type Described = { readonly paths: Readonly<Record<string, { readonly get: Operation }>> }
  const { paths } = (await server.inject('/openapi.json')).json<Described>()
  t.is(paths['/ends']?.get.deprecated, true)
  t.is(paths['/lives']?.get.deprecated, undefined)
  const marked = paths['/lives']?.get.parameters.filter(({ deprecated }) => deprecated === true)
  t.deepEqual(
    marked?.map(({ name }) => name),
    ['old_flag', 'older_flag'],
  )
})
