import test, { type ExecutionContext } from 'ava'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'

import { selfSign } from '#test/src/delivery/fetch/_certificate.ts'
import { never, openFetcher } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const trusted = selfSign('works.example')
const ofAnother = selfSign('other.example')
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert, ofAnother.cert])

/** A proxy that tunnels everything to one port, and answers what it is to forward itself. */
async function serveProxy(t: ExecutionContext, tunnelPort = 0, refusal?: number) {
  const asked: string[] = []
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(refusal ?? 200).end('forwarded')
  })
  proxy.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const target = net.connect(tunnelPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) end.on('error', () => undefined)
    return t.teardown(() => target.destroy())
  })
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return { egressProxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}

test('http is forwarded by the proxy, which resolves the name', async (t) => {
  const { egressProxy, asked } = await serveProxy(t)
  const fetcher = openFetcher(t, { egressProxy })
  const outcome = await fetcher.fetchDigest('http://works.example/a?b', { signal: never })
  t.like(outcome, { type: 'fetched', bytes: 9 })
  t.deepEqual(asked, ['GET http://works.example/a?b'])
})

test('https is tunnelled through the proxy, and certificates are checked here', async (t) => {
  for (const [certificate, type] of [
    [trusted, 'fetched'],
    [selfSign('works.example'), 'tls_failed'],
    [ofAnother, 'tls_failed'],
  ] as const) {
    const server = tls.createServer(certificate, (socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
    t.teardown(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const proxy = await serveProxy(t, (server.address() as AddressInfo).port)
    const fetcher = openFetcher(t, proxy)
    const outcome = await fetcher.fetchDigest('https://works.example/', { signal: never })
    t.is(outcome.type, type)
    t.deepEqual(proxy.asked, ['CONNECT works.example:443'])
  }
})

test('what the rules on URLs refuse does not reach the proxy', async (t) => {
  const { egressProxy, asked } = await serveProxy(t)
  const fetcher = openFetcher(t, { egressProxy })
  for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'a.example:22']) {
    const { type } = await fetcher.fetchDigest(`http://${host}/`, { signal: never })
    t.regex(type, /^refused_/, host)
  }
  t.deepEqual(asked, [])
})

test('hosts of the allow list are reached without the proxy', async (t) => {
  const { egressProxy, asked } = await serveProxy(t)
  const server = await serve(t, (_request, response) => response.end('content'))
  const fetcher = openFetcher(t, { egressProxy, allow: [server.hostPort] })
  t.is((await fetcher.fetchDigest(server.url, { signal: never })).type, 'fetched')
  t.deepEqual(asked, [])
})

for (const status of [403, 407, 502]) {
  test(`a proxy that refuses a tunnel with ${status} is a failed connection`, async (t) => {
    const { egressProxy, asked } = await serveProxy(t, 0, status)
    const fetcher = openFetcher(t, { egressProxy })
    const url = 'https://works.example/'
    const outcome = await fetcher.fetchDigest(url, { signal: never })
    t.deepEqual(outcome, { type: 'connection_failed', url, code: 'proxy_refused' })
    t.is(asked.length, 1)
  })
}

test('a proxy that refuses to forward with 407 is a failed connection', async (t) => {
  const { egressProxy } = await serveProxy(t, 0, 407)
  const url = 'http://works.example/'
  const outcome = await openFetcher(t, { egressProxy }).fetchDigest(url, { signal: never })
  t.deepEqual(outcome, { type: 'connection_failed', url, code: 'proxy_refused' })
})

test('a proxy that is not there, or is silent, ends the fetch', async (t) => {
  const gone = openFetcher(t, { egressProxy: 'http://127.0.0.1:9' })
  const url = 'https://works.example/'
  t.deepEqual(await gone.fetchDigest(url, { signal: never }), {
    type: 'connection_failed',
    url,
    code: 'ECONNREFUSED',
  })
  const silent = await serve(t, () => undefined)
  const server = net.createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const egressProxy = `http://127.0.0.1:${port}`
  const waiting = openFetcher(t, { egressProxy, limits: { totalMs: 3_000 } })
  const outcome = await waiting.fetchDigest(url, { signal: never })
  t.is(outcome.type, 'timed_out')
  t.is(silent.connections(), 0)
})
