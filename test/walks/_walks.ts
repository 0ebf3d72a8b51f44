import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { openOAuthRegistry, type OAuthRegistry } from '#test/src/_oauth_registry.ts'
import { until } from '#test/_until.ts'
import type { CallCounter, Calls } from '#test/walks/_call_counter.ts'

// What happens by the clock may fall into a round; what is in each of them belongs to the request.
const rounds = 6

/** Enough for followers and threads to be done with what came before; more does no harm. */
const quietMs = 1_000

/** Enough for a finding to be recorded once its content was read; more does no harm. */
const recordingMs = 500

/** Something that the registry is asked to do, over and over; resolves when it is done. */
type Walk = {
  readonly name: string
  /** What a round needs that belongs to no walk, such as a code to redeem. */
  readonly prepare?: (round: number) => Promise<void>
  readonly walk: (round: number) => Promise<void>
  /** Whether calls count until it is done; without, until the first answer. */
  readonly isWhole?: true
  /** The walk with which it begins: what that one calls is left out. */
  readonly after?: string
  /** Whether a file belongs to the walk; without, each does. */
  readonly belongs?: (file: string) => boolean
}

/**
 * Carries walks out in a registry with so many edge threads, and gives of each the functions of
 * ours that ran in every round of it.
 */
export async function* walkAll(
  counter: CallCounter,
  edgeThreads: number,
  isWanted: (name: string) => boolean,
): AsyncGenerator<readonly [name: string, calls: Calls]> {
  const content = await startContentServer()
  const registry = await openOAuthRegistry({
    EDGE_THREADS: String(edgeThreads),
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: content.host,
    FETCH_HOST_INTERVAL_MS: '0',
    SEARCH: 'on',
    SEARCH_QUERY_MS: '60000',
  })
  try {
    const calls = new Map<string, Calls>()
    const walks = await walksOf(registry, content)
    const wanted = walks.filter(({ name }) => isWanted(name))
    for (const walk of walks) {
      const { name } = walk
      if (!wanted.some((each) => each.name === name || each.after === name)) continue
      const before = calls.get(walk.after ?? '')
      const called = [...(await callsOf(counter, walk))]
      calls.set(name, new Map(called.filter(([key]) => before?.has(key) !== true)))
      yield [name, calls.get(name) ?? new Map()]
    }
  } finally {
    await registry.close()
    content.close()
  }
}

async function callsOf(counter: CallCounter, walk: Walk): Promise<Calls> {
  // The first times compile and fill caches.
  for (const round of [0, 1]) {
    await walk.prepare?.(round)
    await walk.walk(round)
  }
  let calls: Calls | undefined
  for (let round = 2; round < rounds + 2; round += 1) {
    await walk.prepare?.(round)
    // What follows an answer, such as indexing, belongs to no request: here it comes to its end.
    await setTimeout(quietMs)
    const called = await take(counter, walk, round)
    calls = calls === undefined ? called : new Map([...calls].filter(([key]) => called.has(key)))
  }
  const { belongs = () => true } = walk
  return new Map([...(calls ?? [])].filter(([, { file }]) => belongs(file)))
}

async function take(counter: CallCounter, { walk, isWhole }: Walk, round: number): Promise<Calls> {
  if (isWhole === true) {
    await counter.take()
    await walk(round)
    return counter.take()
  }
  const { taken } = await counter.takeAtAnswer()
  await walk(round)
  return taken
}

async function walksOf(registry: OAuthRegistry, content: ContentServer): Promise<Walk[]> {
  const key = await createKey(registry)
  const mint = async (title: string, changes: object = {}): Promise<string> => {
    const work = { ...newWork(title), ...changes }
    return String((await send(registry, '/api/v1/works', key, work))['ark_identifier'])
  }
  return [
    { name: 'mint', walk: async (round) => void (await mint(`Minted ${round}`)) },
    ...(await readingWalks(registry, key, mint)),
    ...(await personWalks(registry, mint)),
    await checkWalk(registry, content, mint),
    deliveryWalk(registry, content, mint),
  ]
}

/** Registers a work with a title, and perhaps other members; gives its ARK. */
type Mint = (title: string, changes?: object) => Promise<string>

async function readingWalks(
  { baseUrl }: OAuthRegistry,
  key: string,
  mint: Mint,
): Promise<readonly Walk[]> {
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${baseUrl}${path}`, { headers })
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    await reply.text()
  }
  const hot = await mint('Resolved again')
  let ark = ''
  let minted = 0
  const prepare = async () => void (ark = await mint(`Read ${(minted += 1)}`))
  const authorization = `Bearer ${key}`
  return [
    { name: 'resolve first', prepare, walk: () => read(`/api/v1/resolve/${ark}`) },
    { name: 'resolve hot', walk: () => read(`/api/v1/resolve/${hot}`) },
    {
      name: 'search',
      walk: (round) => read(`/v1/search/works?q=minted+${round}`, { authorization }),
    },
    { name: 'landing page', prepare, walk: () => read(`/${ark}`, { accept: 'text/html' }) },
  ]
}

async function personWalks(registry: OAuthRegistry, mint: Mint): Promise<readonly Walk[]> {
  const person = await registry.person()
  const flow = new OAuthFlow(registry, await registry.application(), person)
  const { access } = await flow.tokens('svc:author:write')
  let ark_identifier = ''
  let code: Awaited<ReturnType<OAuthFlow['code']>>
  return [
    {
      name: 'claim',
      prepare: async (round) => void (ark_identifier = await mint(`Claimed ${round}`)),
      walk: async () => {
        await send(registry, '/api/v1/user/claims', access, { ark_identifier })
      },
    },
    {
      name: 'token',
      prepare: async () => void (code = await flow.code('svc:works:write')),
      walk: async () => {
        const { status } = await flow.redeem(code.code, code.verifier)
        if (status !== 200) throw new Error(`a token: ${status}`)
      },
    },
  ]
}

async function checkWalk(
  { admin }: OAuthRegistry,
  { host, served }: ContentServer,
  mint: Mint,
): Promise<Walk> {
  const ark = await mint('Checked', { work_url: `http://${host}/content` })
  await until('the content is checked', () => served('/content') > 0)
  return {
    name: 'check',
    isWhole: true,
    // The command that asked for it is no part of it.
    belongs: (file) => !/^src\/(?:admin|cli|edge)\//.test(file),
    walk: async () => {
      const before = served('/content')
      await admin.call('/fixity/recheck', { ark })
      await until('the content is read again', () => served('/content') > before, { pauseMs: 5 })
      await setTimeout(recordingMs)
    },
  }
}

function deliveryWalk({ admin }: OAuthRegistry, { host, served }: ContentServer, mint: Mint): Walk {
  return {
    name: 'webhook delivery',
    isWhole: true,
    after: 'mint',
    prepare: async (round) => {
      const hook = { organization: 'demo', webhook: { url: `http://${host}/hook` } }
      if (round === 0) await admin.call('/webhooks/create', hook)
    },
    walk: async (round) => {
      const before = served('/hook')
      await mint(`Told ${round}`)
      await until('the webhook is told', () => served('/hook') > before, { pauseMs: 5 })
    },
  }
}

async function send(
  { baseUrl }: OAuthRegistry,
  to: string,
  token: string,
  body: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(`${baseUrl}${to}`, init)
  const reply = (await response.json()) as Record<string, unknown>
  if (response.status !== 201) throw new Error(`${to}: ${JSON.stringify(reply)}`)
  return reply
}

function newWork(title: string) {
  return {
    work_title: title,
    work_type: 'article',
    authors: 'Ada Ox',
    work_url: `https://press.example/${encodeURIComponent(title)}`,
  }
}

async function createKey({ admin }: OAuthRegistry): Promise<string> {
  const wish = { owner: 'org:demo', scopes: ['works:write', 'works:read', 'search:read'] }
  return (await admin.call('/keys/create', wish)).key
}

type ContentServer = {
  readonly host: string
  /** How many requests to a path were answered. */
  served(path: string): number
  close(): void
}

/** Answers every request with the same content, and takes the deliveries of a webhook. */
async function startContentServer(): Promise<ContentServer> {
  const served = new Map<string, number>()
  const server = createServer((request, response) => {
    const { url = '' } = request
    request.resume()
    response.once('close', () => served.set(url, (served.get(url) ?? 0) + 1))
    response.end('the same content')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: (path) => served.get(path) ?? 0,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
