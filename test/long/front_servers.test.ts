// The registry behind each front server of docs/deploy.md: TLS and HTTP/2, ARKs as they were
// written, bodies as long as the registry takes them, and nobody else's address.

import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import test, { type ExecutionContext } from 'ava'

import {
  drawPorts,
  type FrontServer,
  frontServers,
  startFrontServer,
  whyNotInstalled,
} from '#test/long/_front_server.ts'
import { firstKey, newDataDir, newWork, type Server, startServer } from '#test/scenario/_process.ts'

const { REQUIRE_FRONT_SERVERS } = process.env

/** What a client claims to be, which nobody may believe. */
const claimed = '203.0.113.9'

const mebibyte = 1_048_576

type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders | http2.IncomingHttpHeaders
  readonly body: string
}

type Asked = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Asks over HTTP/2, by a path that is sent as it is written. */
async function ask({ baseUrl }: FrontServer, path: string, asked: Asked = {}): Promise<Answer> {
  const session = http2.connect(baseUrl, { rejectUnauthorized: false })
  try {
    const { method = 'GET', headers = {}, body } = asked
    const stream = session.request({ ':method': method, ':path': path, ...headers })
    const answered = Promise.withResolvers<http2.IncomingHttpHeaders>()
    stream.once('response', answered.resolve)
    stream.once('error', answered.reject)
    session.once('error', answered.reject)
    stream.end(body)
    const replied = await answered.promise
    // Whoever refuses a body may close the stream before it is all read.
    stream.removeListener('error', answered.reject).on('error', () => undefined)
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    return {
      status: Number(replied[':status']),
      headers: replied,
      body: Buffer.concat(chunks).toString('utf8'),
    }
  } finally {
    session.close()
  }
}

async function run(t: ExecutionContext, name: (typeof frontServers)[number]): Promise<void> {
  const ports = await drawPorts()
  const server = await startServer(t, {
    DATA_DIR: await newDataDir(t),
    PORT: `${ports.registry}`,
    BASE_URL: `https://localhost:${ports.https}`,
    TRUST_PROXY: '127.0.0.1,::1',
    SEARCH: 'off',
    LOG_LEVEL: 'info',
  })
  const front = await startFrontServer(t, name, ports)
  t.is((await ask(front, '/healthz')).status, 200)
  await redirects(t, front)
  const key = firstKey(server)
  const ark = await registers(t, front, key)
  await passesPathsOn(t, front, server, ark)
  await passesBodiesOn(t, front, key)
  await ask(front, '/v1/resolve/forged', { headers: { 'x-forwarded-for': claimed } })
  const { stderr } = await server.end('SIGTERM')
  const [line = ''] = stderr.split('\n').filter((one) => one.includes('/v1/resolve/forged'))
  const { ip } = JSON.parse(line) as { ip: string }
  t.true(['127.0.0.1', '::1'].includes(ip), `the client counts as ${ip}`)
}

/** Who comes without TLS is led to it. */
async function redirects(t: ExecutionContext, { httpPort }: FrontServer): Promise<void> {
  const url = `http://localhost:${httpPort}/search?q=x`
  const { status, headers } = await fetch(url, { redirect: 'manual' })
  t.true([301, 308].includes(status), `${status}`)
  t.regex(headers.get('location') ?? '', /^https:\/\/localhost.*\/search\?q=x$/)
}

async function registers(t: ExecutionContext, front: FrontServer, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(newWork('Registered through a front server'))
  const reply = await ask(front, '/v1/works', { method: 'POST', headers, body })
  t.is(reply.status, 201, reply.body)
  const { ark_identifier: ark } = JSON.parse(reply.body) as { ark_identifier: string }
  return ark
}

/** What is asked for and answered is what it would be without a front server. */
async function passesPathsOn(
  t: ExecutionContext,
  front: FrontServer,
  { started }: Server,
  ark: string,
): Promise<void> {
  const paths = [`/${ark}?`, `/${ark}??`, `/${ark}?info`, `/${ark.replaceAll('/', '%2F')}?info`]
  for (const path of [...paths, `/v1/resolve/${ark}`, '/openapi.json', '//search']) {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
    const through = await ask(front, path, { headers })
    const direct = await askDirectly(started.local_url, path, headers)
    t.deepEqual(plain(through), plain(direct), path)
  }
}

/** What two replies to one question have in common. */
function plain({ status, headers, body }: Answer) {
  const { 'content-type': type, 'thump-status': thump, etag } = headers
  return { status, type, thump, etag, body: body.replace(/"request_id":"[^"]*"/, '') }
}

/** The longest bodies pass, and longer ones are refused, by whoever. */
async function passesBodiesOn(t: ExecutionContext, front: FrontServer, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const works = (bytes: number) => JSON.stringify({ works: [], padding: 'x'.repeat(bytes) })
  const post = (bytes: number) =>
    ask(front, '/v1/works/bulk', { method: 'POST', headers, body: works(bytes) })
  const allowed = await post(8 * mebibyte - 100)
  t.not(allowed.status, 413, allowed.body)
  t.regex(allowed.body, /"error":/, 'the registry has read it')
  t.is((await post(8 * mebibyte + 1_000)).status, 413)
}

/** Asks the registry without a front server, by a path that is sent as it is written. */
async function askDirectly(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const request = http.request({ hostname, port, path, headers })
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

for (const name of frontServers) {
  const title = `the registry is itself behind ${name}`
  const whyNot = whyNotInstalled(name)
  if (whyNot === undefined) test.serial(title, (t) => run(t, name))
  else if (REQUIRE_FRONT_SERVERS === '1') test(title, (t) => t.fail(whyNot))
  else test.skip(`${title} (skipped: ${whyNot})`, (t) => run(t, name))
}
