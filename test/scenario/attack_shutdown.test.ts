// SIGTERM while somebody asks for as much as they can.

import { once } from 'node:events'
import { watch } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { untilFound } from '#test/scenario/_found_works.ts'
import {
  type Asserter,
  call,
  firstKey,
  newDataDir,
  newWork,
  type Server,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'
import { freePort } from '#test/_free_port.ts'

type Served = { readonly server: Server; readonly key: string }

type Registered = { readonly results: readonly { readonly ark_identifier: string }[] }

/** A server that is loaded; its settings are those of commands, and `key` may do what is needed. */
type Loaded = Served & { readonly settings: Settings }

/** What is under way when the signal comes: it begins, and tells of the works it was promised. */
type Load = (loaded: Loaded) => Promise<{ readonly promised?: Set<string> }>

/** More than one full tile. */
const worksFirst = 300

async function register({ server, key }: Served, count: number, name: string): Promise<string[]> {
  const works = Array.from({ length: count }, (_, index) => newWork(`${name} ${index}`))
  const options = { key, body: { works } }
  const { status, body } = await call<Registered>(server, '/v1/works/bulk', options)
  if (status !== 200) throw new Error(`a bulk registration is answered with ${status}`)
  return body.results.map(({ ark_identifier: ark }) => ark)
}

/** Does the same over many connections until the server is gone; resolves when it is under way. */
async function repeat(clients: number, work: (client: number) => Promise<unknown>): Promise<void> {
  const { promise: underWay, resolve } = Promise.withResolvers<void>()
  let done = 0
  const run = async (client: number) => {
    for (;;) {
      await work(client)
      done += 1
      if (done === clients) resolve()
    }
  }
  // Each client ends with the error of its connection.
  for (let client = 0; client < clients; client += 1) run(client).catch(() => undefined)
  await underWay
}

function readAll(server: Server, target: string, accept?: string): Promise<unknown> {
  const headers = { 'accept-encoding': 'gzip', ...(accept !== undefined && { accept }) }
  return fetch(server.started.local_url + target, { headers }).then((reply) => reply.bytes())
}

/** Clients that ask for a long listing again and again, and read nothing of it. */
async function leaveUnread(port: number, target: string, key: string): Promise<void> {
  const asked = `GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`
  const sockets = Array.from({ length: 10 }, () => net.connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.write(asked.repeat(20))
    await once(socket, 'readable')
  }
}

/** A request of which the server has begun to read the body, and whose end never comes. */
async function beginRequest(target: http.RequestOptions, key?: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    expect: '100-continue',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const request = http.request({ ...target, method: 'POST', headers, agent: false })
  request.on('error', () => undefined)
  request.flushHeaders()
  await once(request, 'continue')
  request.write('{"works":[')
}

const loads = {
  async harvests({ server }) {
    const target = '/api/v1/oai?verb=ListRecords&metadataPrefix=oai_datacite'
    await repeat(16, () => readAll(server, target))
    return {}
  },
  async 'readers who do not read'({ server, key, settings: { AUTH_PORT } }) {
    const target = '/v1/changes?limit=1000'
    await leaveUnread(Number(new URL(server.started.local_url).port), target, key)
    await leaveUnread(Number(AUTH_PORT), target, key)
    return {}
  },
  async 'bundles that are compressed'({ server }) {
    await repeat(16, (client) => readAll(server, `/log/tile/entries/001.p/${client + 1}`))
    return {}
  },
  async searches({ server }) {
    await repeat(16, (client) => readAll(server, `/search?q=wo+wor+early+-w${client}`))
    return {}
  },
  async 'formats of works'({ server, key }) {
    const { body } = await call<{ changes: { ark: string }[] }>(server, '/v1/changes?limit=1', {
      key,
    })
    const ark = body.changes[0]?.ark ?? ''
    await repeat(16, () => readAll(server, `/api/v1/works/${ark}/citation?format=datacite-xml`))
    return {}
  },
  async 'requests that are not finished'({ server, key, settings: { AUTH_PORT = '' } }) {
    for (const port of [new URL(server.started.local_url).port, AUTH_PORT]) {
      await beginRequest({ host: '127.0.0.1', port, path: '/v1/works' }, key)
    }
    return {}
  },
  async 'an administrator who does not finish'({ settings: { DATA_DIR = '' } }) {
    await beginRequest({ socketPath: adminSocketPath(DATA_DIR), path: '/works/import' })
    return {}
  },
  async 'a rotation of the receipt key'({ settings }) {
    const watched = watch(path.join(settings['DATA_DIR'] ?? '', 'keys'))
    const rotating = spawnArklog({ teardown: () => undefined }, ['receipt-key', 'rotate'], settings)
    await Promise.race([once(watched, 'change'), rotating.ended])
    watched.close()
    return {}
  },
  async 'works that are registered in bulk'(loaded) {
    const promised = new Set<string>()
    await repeat(8, async (client) => {
      const arks = await register(loaded, 50, `of ${client}, ${promised.size}`)
      for (const ark of arks) promised.add(ark)
    })
    return { promised }
  },
} satisfies Readonly<Record<string, Load>>

async function findable({ server, key }: Served): Promise<void> {
  await untilFound(server, { key, word: 'early', count: worksFirst })
}

async function lost(server: Server, arks: Iterable<string>): Promise<string[]> {
  const missing: string[] = []
  for (const ark of arks) {
    if ((await call(server, `/api/v1/works/${ark}`)).status !== 200) missing.push(ark)
  }
  return missing
}

/** One registry through all its lives; each ends under a load, and shows what the last has kept. */
type Run = {
  readonly settings: Settings
  readonly key: string
  readonly arks: readonly string[]
  readonly owner: Asserter
  server: Server
}

const run = share<Run>(async (owner) => {
  const settings = {
    DATA_DIR: await newDataDir(owner),
    AUTH_PORT: String(await freePort()),
    SHUTDOWN_GRACE_MS: '6000',
    RATE_LIMITS: 'off',
  }
  const server = await startServer(owner, settings)
  const key = firstKey(server)
  const arks = await register({ server, key }, worksFirst, 'Early')
  await findable({ server, key })
  return { settings, key, arks, owner, server }
})

async function assertEnds(t: ExecutionContext, under: readonly Load[]): Promise<void> {
  t.timeout(600_000, 'the process does not end')
  const { settings, arks, owner } = run()
  const promised: string[] = []
  for (const load of under) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- each begins beside those before it
    promised.push(...((await load(run())).promised ?? []))
  }
  const { code, stderr } = await run().server.end('SIGTERM')
  t.is(code, 0, stderr)
  run().server = await startServer(owner, settings)
  t.deepEqual(await lost(run().server, [...arks.slice(-20), ...promised]), [])
}

/**
 * What is under way in each life, begun in this order: a start takes longer than all of it, and
 * what takes no CPU goes along with what does. Works come last: all else asks for what a log of so
 * many has.
 */
const lives = [
  [
    'an administrator who does not finish',
    'requests that are not finished',
    'readers who do not read',
    'harvests',
  ],
  ['bundles that are compressed', 'formats of works', 'searches'],
  ['a rotation of the receipt key', 'works that are registered in bulk'],
] as const satisfies readonly (readonly (keyof typeof loads)[])[]

for (const names of lives) {
  test.serial(`a process that is told to end does so during: ${names.join(', ')}`, (t) =>
    assertEnds(
      t,
      names.map((name) => loads[name]),
    ),
  )
}

test.serial('a process of which nobody asks anything ends when it is told to', async (t) => {
  const { code, stderr } = await run().server.end('SIGTERM')
  t.is(code, 0, stderr)
})
