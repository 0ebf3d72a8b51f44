import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import net from 'node:net'
import { json } from 'node:stream/consumers'
import test from 'ava'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  type Server,
  startServer,
} from '#test/scenario/_process.ts'

type Work = { readonly ark_identifier: string }

// As much grace as a busy machine needs for what is under way.
const unlimited = { RATE_LIMITS: 'off', SHUTDOWN_GRACE_MS: '120000' }

/** Registers works over several connections until the server is gone; gives the acknowledged. */
async function registerUntilGone(server: Server, enough: () => void): Promise<string[]> {
  const arks: string[] = []
  const key = firstKey(server)
  const client = async (name: string) => {
    for (let count = 0; ; count++) {
      const { status, body } = await call<Work>(server, '/v1/works', {
        key,
        body: newWork(`${name} ${count}`),
      })
      if (status === 201) arks.push(body.ark_identifier)
      if (arks.length === 50) enough()
    }
  }
  // Each client ends with the error of its connection.
  await Promise.allSettled(Array.from({ length: 8 }, (_, index) => client(`client ${index}`)))
  return arks
}

async function assertAllThere(server: Server, arks: readonly string[]): Promise<string[]> {
  const lost: string[] = []
  for (const ark of arks) {
    const { status } = await call(server, `/api/v1/works/${ark}`)
    if (status !== 200) lost.push(ark)
  }
  return lost
}

/** A request whose headers the server has answered with 100, and whose body is still to come. */
async function openRequest(server: Server): Promise<ClientRequest> {
  const request = http.request(`${server.started.local_url}/v1/works`, {
    agent: false,
    method: 'POST',
    headers: {
      authorization: `Bearer ${firstKey(server)}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  })
  request.flushHeaders()
  await once(request, 'continue')
  return request
}

/** Resolves once the server takes no more connections. */
async function refusesConnections(server: Server): Promise<void> {
  const port = Number(new URL(server.started.local_url).port)
  for (;;) {
    const socket = net.connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch {
      return
    } finally {
      socket.destroy()
    }
  }
}

test.serial(
  'SIGTERM under load: what was begun is finished, what was acknowledged is kept',
  async (t) => {
    const dataDir = await newDataDir(t)
    const server = await startServer(t, { DATA_DIR: dataDir, ...unlimited })
    const { promise: loaded, resolve: enough } = Promise.withResolvers<void>()
    const load = registerUntilGone(server, enough)
    const request = await openRequest(server)
    await loaded

    server.child.kill('SIGTERM')
    await refusesConnections(server)
    request.end(JSON.stringify(newWork('Begun before, finished after')))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    t.is(response.statusCode, 201)
    const { ark_identifier: lastArk } = (await json(response)) as Work
    const { code, stderr } = await server.ended
    t.is(code, 0, stderr)

    const arks = [...(await load), lastArk]
    t.true(arks.length > 50)
    const again = await startServer(t, { DATA_DIR: dataDir, ...unlimited })
    t.deepEqual(await assertAllThere(again, arks), [])
  },
)

test.serial('a client that keeps its connection open does not hold up the end', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), SHUTDOWN_GRACE_MS: '120000' }
  const server = await startServer(t, settings)
  const agent = new http.Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const request = http.get(`${server.started.local_url}/healthz`, { agent })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  t.deepEqual(await json(response), { status: 'ok' })
  const startMs = performance.now()
  const { code } = await server.end('SIGTERM')
  t.is(code, 0)
  t.true(
    performance.now() - startMs < 60_000,
    'well before its grace, and the keep-alive timeout of 65 s',
  )
})
