import test, { type ExecutionContext } from 'ava'
import type http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'

import { selfSign } from '#test/src/delivery/fetch/_certificate.ts'
import { briefMs, never, openFetcher } from '#test/src/delivery/fetch/_fetcher.ts'
import { serve, serveBytes } from '#test/src/delivery/fetch/_servers.ts'

const trusted = selfSign('localhost')
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert])

async function serveTls(
  t: ExecutionContext,
  { cert, key }: { readonly cert: string; readonly key: string },
  listener: http.RequestListener,
): Promise<string> {
  const server = https.createServer({ cert, key }, listener)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `localhost:${(server.address() as AddressInfo).port}`
}

test('https is fetched from a server whose certificate is good', async (t) => {
  const host = await serveTls(t, trusted, (_request, response) => response.end('content'))
  const fetcher = openFetcher(t, { allow: [host] })
  const outcome = await fetcher.fetchDigest(`https://${host}/`, { signal: never })
  t.like(outcome, { type: 'fetched', bytes: 7, finalUrl: `https://${host}/` })
})

test('an unknown certificate is refused, whatever the environment says', async (t) => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  t.teardown(() => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  })
  let requests = 0
  const host = await serveTls(t, selfSign('localhost'), (_request, response) => {
    requests += 1
    response.end('content')
  })
  const url = `https://${host}/`
  const outcome = await openFetcher(t, { allow: [host] }).fetchDigest(url, { signal: never })
  t.deepEqual(outcome, { type: 'tls_failed', url, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  t.is(requests, 0)
})

test('a certificate of another host is refused', async (t) => {
  const host = await serveTls(t, trusted, (_request, response) => response.end('content'))
  const url = `https://${host.replace('localhost', '127.0.0.1')}/`
  const fetcher = openFetcher(t, { allow: [new URL(url).host] })
  const outcome = await fetcher.fetchDigest(url, { signal: never })
  t.deepEqual(outcome, { type: 'tls_failed', url, code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
})

test('what does not speak TLS is a failure of TLS', async (t) => {
  const server = await serveBytes(t, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const url = `https://${server.hostPort}/`
  const fetcher = openFetcher(t, { allow: [server.hostPort] })
  const outcome = await fetcher.fetchDigest(url, { signal: never })
  t.is(outcome.type, 'tls_failed')
})

test('a server that accepts and then says nothing is a slow connection', async (t) => {
  const server = await serveBytes(t, () => undefined)
  const url = `https://${server.hostPort}/`
  const fetcher = openFetcher(t, { allow: [server.hostPort], limits: { connectMs: briefMs } })
  const outcome = await fetcher.fetchDigest(url, { signal: never })
  t.deepEqual(outcome, { type: 'timed_out', url, phase: 'connect' })
})

test('https does not lead back to http, http may lead to https', async (t) => {
  const plain = await serve(t, (_request, response) => response.end('content'))
  const host = await serveTls(t, trusted, ({ url }, response) =>
    url === '/' ? response.end('content') : response.writeHead(301, { location: plain.url }).end(),
  )
  const forward = await serve(t, (_request, response) =>
    response.writeHead(301, { location: `https://${host}/` }).end(),
  )
  const fetcher = openFetcher(t, { allow: [host, plain.hostPort, forward.hostPort] })
  const back = await fetcher.fetchDigest(`https://${host}/back`, { signal: never })
  t.deepEqual(back, { type: 'refused_url', url: plain.url, rule: 'downgrade' })
  t.is(plain.connections(), 0)
  const up = await fetcher.fetchDigest(forward.url, { signal: never })
  t.like(up, { type: 'fetched', redirects: 1, finalUrl: `https://${host}/` })
})
