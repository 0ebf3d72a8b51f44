import test, { type ExecutionContext } from 'ava'

import { type Poster, posterOf } from '#src/delivery/fetch/poster.ts'
import { never, testLimits, testPacing } from '#test/src/delivery/fetch/_fetcher.ts'
import { serveNames } from '#test/src/delivery/fetch/_name_server.ts'
import { privateAddresses } from '#test/src/delivery/fetch/_private_addresses.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

type Changes = { readonly allow?: readonly string[]; readonly nameServers?: readonly string[] }

function openPoster(t: ExecutionContext, { allow = [], nameServers }: Changes = {}): Poster {
  const poster = posterOf({
    limits: testLimits,
    pacing: testPacing,
    allow,
    ownUrl: 'https://ark.example.org',
    nameServers,
    egressProxy: undefined,
    userAgent: 'Arklog (+https://ark.example.org)',
  })
  t.teardown(() => poster.close())
  return poster
}

function post(poster: Poster, url: string) {
  const headers = { 'content-type': 'application/json' }
  return poster.post({ url, headers, body: '{"a":1}' }, never)
}

test('a post says what it is told to, and gives the beginning of the answer', async (t) => {
  const { hostPort, url, seen } = await serve(t, (_request, response) => {
    response.writeHead(202).end('y'.repeat(2_000))
  })
  const outcome = await post(openPoster(t, { allow: [hostPort] }), `${url}/hook?of=1`)
  t.deepEqual(outcome, { type: 'answered', status: 202, text: 'y'.repeat(500) })
  const [request] = seen
  t.like(request, { method: 'POST', url: '/hook?of=1' })
  t.like(request?.headers, { 'content-type': 'application/json', 'content-length': '7' })
})

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect is an answer, and is not followed: ${status}`, async (t) => {
    const inside = await serve(t, (_request, response) => response.end('secret'))
    const { hostPort, url, seen } = await serve(t, (_request, response) => {
      response.writeHead(status, { location: inside.url }).end()
    })
    const poster = openPoster(t, { allow: [hostPort, inside.hostPort] })
    t.like(await post(poster, url), { type: 'answered', status })
    t.is(seen.length, 1)
    t.is(inside.connections(), 0)
  })
}

for (const address of privateAddresses) {
  test(`nothing is posted to an address that is not public: ${address}`, async (t) => {
    const outcome = await post(openPoster(t), `http://${address}/`)
    t.like(outcome, { type: 'failed' })
    t.regex((outcome as { reason: string }).reason, /not public|private|may not be|not fetched/)
  })
}

test('nothing is posted to a private server, however its address is spelled', async (t) => {
  const server = await serve(t, (_request, response) => response.end('secret'), { host: '::' })
  const names = await serveNames(t, () => ['127.0.0.1'])
  const poster = openPoster(t, { nameServers: [names.address] })
  const spellings = [...privateAddresses, 'localhost', 'a.localhost', 'localhost.', 'in.example']
  for (const host of spellings) {
    t.like(await post(poster, `http://${host}:${server.port}/`), { type: 'failed' }, host)
  }
  t.is(server.connections(), 0)
})

test('a name that leads inside is refused where it is connected', async (t) => {
  const asked: string[] = []
  const answers: Readonly<Record<string, readonly string[]>> = {
    'inside.example': ['10.0.0.1'],
    'mapped.example': ['::ffff:10.0.0.1'],
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
  }
  const names = await serveNames(t, (name) => {
    asked.push(name)
    return answers[name] ?? []
  })
  const poster = openPoster(t, { nameServers: [names.address] })
  for (const name of Object.keys(answers)) {
    const outcome = await post(poster, `http://${name}/`)
    t.is(outcome.type, 'failed', name)
    t.true(asked.includes(name), name)
  }
})
