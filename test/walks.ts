/**
 * Which files a request passes: `npm run walks` carries out a mint, a claim by an application and a
 * check of content in a registry that has done each before, and lists the files of ours that ran
 * from the request until its answer, those of threads included. V8 counts the calls.
 */

import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import inspector from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'

import { OAuthFlow } from '#test/src/_oauth_flow.ts'
import { openOAuthRegistry, type OAuthRegistry } from '#test/src/_oauth_registry.ts'
import { until } from '#test/_until.ts'

const root = path.join(import.meta.dirname, '..')

// What happens by the clock may fall into a round; what is in each of them belongs to the request.
const rounds = 5

/** Enough for followers and threads to be done with what came before; more does no harm. */
const quietMs = 1_000

/** Enough for a finding to be recorded once its content was read; more does no harm. */
const recordingMs = 500

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

type WorkerMessage = { readonly sessionId: string; readonly message: string }

/** Counts calls in this thread and in all that it starts. */
class CallCounter {
  readonly #session = new inspector.Session()
  readonly #workers = new Set<string>()
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #lastId = 0

  async open(): Promise<void> {
    this.#session.connect()
    this.#session.on('NodeWorker.attachedToWorker', ({ params }) => this.#attach(params.sessionId))
    this.#session.on('NodeWorker.detachedFromWorker', ({ params }) => {
      this.#workers.delete(params.sessionId)
    })
    this.#session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => this.#receive(params))
    await this.#session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await this.#session.post('Profiler.enable')
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }

  /** The files in which functions were called since the last time, from the root. */
  async take(): Promise<Set<string>> {
    const own = (await this.#session.post('Profiler.takePreciseCoverage')) as Coverage
    const others = [...this.#workers].map((id) => this.#send(id, 'Profiler.takePreciseCoverage'))
    const all = [own, ...((await Promise.all(others)) as Coverage[])]
    const scripts = all.flatMap(({ result }) => result)
    const called = scripts.filter(({ functions }) =>
      functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    return new Set(called.flatMap(({ url }) => ownFile(url)))
  }

  #attach(sessionId: string): void {
    this.#workers.add(sessionId)
    void this.#send(sessionId, 'Profiler.enable')
    const what = { callCount: true, detailed: false }
    void this.#send(sessionId, 'Profiler.startPreciseCoverage', what)
  }

  #send(sessionId: string, method: string, params: object = {}): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = (this.#lastId += 1)
    this.#waiting.set(id, resolve)
    const message = JSON.stringify({ id, method, params })
    void this.#session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    return promise
  }

  #receive({ message }: WorkerMessage): void {
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown }
    if (id !== undefined) this.#waiting.get(id)?.(result)
  }
}

function ownFile(url: string): string[] {
  if (!url.startsWith('file:')) return []
  const file = path.relative(root, fileURLToPath(url))
  return /^(?:log|actors|src|config)\//.test(file) ? [file] : []
}

/** Something that the registry is asked to do, over and over; resolves when it has answered. */
type Walk = (round: number) => Promise<void>

/** Carries a walk out, and takes the files that have run once it is over. */
type Take = (counter: CallCounter, walk: () => Promise<void>) => Promise<Set<string>>

/** Takes them in the moment in which the server has sent the one answer of a walk. */
const takeAtAnswer: Take = async (counter, walk) => {
  const { promise, resolve } = Promise.withResolvers<Set<string>>()
  const onAnswer = () => resolve(counter.take())
  diagnostics.subscribe('http.server.response.finish', onAnswer)
  await walk()
  diagnostics.unsubscribe('http.server.response.finish', onAnswer)
  return promise
}

/** Takes them when the walk has come to its end, wherever that is. */
const takeAtEnd: Take = async (counter, walk) => {
  await walk()
  return counter.take()
}

async function walkedFiles(counter: CallCounter, walk: Walk, take: Take): Promise<string[]> {
  // The first times compile and fill caches.
  await walk(0)
  await walk(1)
  let files: Set<string> | undefined
  for (let round = 2; round < rounds + 2; round += 1) {
    // What follows an answer, such as indexing, belongs to no request: here it comes to its end.
    await setTimeout(quietMs)
    await counter.take()
    const called = await take(counter, () => walk(round))
    files = files?.intersection(called) ?? called
  }
  return [...(files ?? [])].toSorted()
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
  const wish = { owner: 'org:demo', scopes: ['works:write', 'works:read'] }
  return (await admin.call('/keys/create', wish)).key
}

async function mintAndClaim(counter: CallCounter) {
  const registry = await openOAuthRegistry()
  try {
    const key = await createKey(registry)
    const mint = (title: string) => send(registry, '/api/v1/works', key, newWork(title))
    const mintOnce: Walk = async (round) => void (await mint(`Minted ${round}`))
    const mintFiles = await walkedFiles(counter, mintOnce, takeAtAnswer)
    const flow = new OAuthFlow(registry, await registry.application(), await registry.person())
    const { access } = await flow.tokens('svc:author:write')
    const arks = new Map<number, unknown>()
    for (let round = 0; round < rounds + 2; round += 1) {
      arks.set(round, (await mint(`Claimed ${round}`))['ark_identifier'])
    }
    const claimOnce: Walk = async (round) => {
      const claim = { ark_identifier: arks.get(round) }
      await send(registry, '/api/v1/user/claims', access, claim)
    }
    const claimFiles = await walkedFiles(counter, claimOnce, takeAtAnswer)
    return { mint: mintFiles, claim: claimFiles }
  } finally {
    await registry.close()
  }
}

type Resolved = { readonly content: { readonly fixity_status: string } }

/** Checks content again and again: one fetch that finds what was found before. */
async function check(counter: CallCounter): Promise<string[]> {
  let served = 0
  const content = createServer((_request, response) => {
    response.once('close', () => (served += 1))
    response.end('the same content')
  }).listen(0, '127.0.0.1')
  await once(content, 'listening')
  const host = `127.0.0.1:${(content.address() as AddressInfo).port}`
  const registry = await openOAuthRegistry({ FETCH_CONTENT: 'on', FETCH_ALLOW: host })
  try {
    const key = await createKey(registry)
    const work = { ...newWork('Checked'), work_url: `http://${host}/content` }
    const { ark_identifier: ark } = await send(registry, '/api/v1/works', key, work)
    const resolve = `${registry.baseUrl}/api/v1/resolve/${String(ark)}`
    await until('the content is checked', async () => {
      const { content: found } = (await (await fetch(resolve)).json()) as Resolved
      return found.fixity_status === 'verified'
    })
    const checkOnce: Walk = async () => {
      const before = served
      await registry.admin.call('/fixity/recheck', { ark: String(ark) })
      await until('the content is read again', () => served > before, { pauseMs: 5 })
      await setTimeout(recordingMs)
    }
    const files = await walkedFiles(counter, checkOnce, takeAtEnd)
    // The command that asked for it is no part of it.
    return files.filter((file) => !/^src\/(?:admin|cli|edge)\//.test(file))
  } finally {
    await registry.close()
    content.close()
  }
}

const counter = new CallCounter()
await counter.open()
const { mint, claim } = await mintAndClaim(counter)
for (const [name, files] of Object.entries({ mint, claim, check: await check(counter) })) {
  process.stdout.write(
    `${name}: ${files.length} files\n${files.map((file) => `  ${file}\n`).join('')}`,
  )
}
