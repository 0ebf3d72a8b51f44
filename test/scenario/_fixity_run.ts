import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { contentHashOf } from '#test/scenario/_content_replies.ts'
import { closedHostPort, type ContentServer, serveContent } from '#test/scenario/_content_server.ts'
import {
  type ContentCase,
  contentHosts,
  type ContentWork,
  contentWorks,
} from '#test/scenario/_fixity_works.ts'
import { debuggerLines, liveMemory } from '#test/scenario/_live_memory.ts'
import {
  firstKey,
  newDataDir,
  runArklog,
  type Server,
  type Settings,
  startServer,
} from '#test/scenario/_process.ts'
import { forEachOf, request } from '#test/scenario/_request.ts'
import { readLog } from '#test/scenario/_tlog_client.ts'
import type { FixityCheck } from '#actors/works/content.ts'

/** How large a run is. */
export type FixityRunSize = {
  readonly works: number
  readonly kills: number
  /**
   * How long a second look of the registry's own accord is waited for. After that an operator asks
   * for works again that may be well at a second look.
   */
  readonly patienceMs: number
}

/** One registry through all its lives, and the content that its works link to. */
type Run = FixityRunSize & {
  readonly t: ExecutionContext
  readonly content: ContentServer
  readonly settings: Settings
  /** By ARK. */
  readonly registered: ReadonlyMap<string, ContentWork>
  /** How often each work was asked to be checked while they settled, by ARK. */
  readonly wished: Map<string, number>
}

type Proofs = {
  readonly content_proofs: {
    readonly sha256: string | null
    readonly fixity_checks: readonly FixityCheck[]
  }
}

type Resolved = {
  readonly content: {
    readonly hash: string | null
    readonly hash_source: string | null
    readonly fixity_status: string
    readonly reason: string | null
  }
}

const concurrencyMax = 32
const hostConcurrencyMax = 2
const bulkWorks = 1_000
const mebibyte = 1_048_576

/** What is alive in memory after works were read and checked again, beyond the first time. */
const grownBytesMax = 16 * mebibyte

/** How often works that were asked to be checked again are read. */
const pollMs = 100

/** How often every work that is not in its state yet is read. */
const settlePollMs = 500

/** Of the requests that first checks make at least, the share after which the last kill comes. */
const killedShare = 0.7

/**
 * Registers works whose content is served well, badly and not at all, and kills the server with
 * kill -9 while it checks them. Then every work is in its right state, no check is lost, none is
 * recorded twice, no content is stated twice, and no host was asked more than it may be.
 */
export async function runFixity(t: ExecutionContext, size: FixityRunSize): Promise<void> {
  const content = await serveContent(t, contentHosts)
  const memory = await liveMemory()
  const settings = {
    ...memory.settings,
    DATA_DIR: await newDataDir(t),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: [...content.hostPorts, closedHostPort].join(),
    FETCH_CONCURRENCY_MAX: String(concurrencyMax),
    FETCH_HOST_CONCURRENCY_MAX: String(hostConcurrencyMax),
    FETCH_HOST_INTERVAL_MS: '0',
    // Far longer than a busy machine takes for all that is served whole.
    FETCH_TOTAL_MS: '15000',
    FETCH_BYTES_MAX: '200000',
    // What the stores may keep in memory is not what is measured.
    STORE_WRITE_BUFFER_BYTES: String(mebibyte),
    STORE_CACHE_BYTES: String(mebibyte),
    REPLY_CACHE_BYTES: String(mebibyte),
  }
  let server = await startServer(t, settings)
  const registered = await register(server, contentWorks(content, size.works))
  const wished = new Map<string, number>()
  const run: Run = { ...size, t, content, settings, registered, wished }
  for (let kill = 1; kill <= size.kills; kill += 1) {
    server = await killAndRestart(run, server, kill)
  }
  await settle(run, server)
  await checkStates(run, server)
  const settledBytes = await memory.bytesOf(server)
  await checkStates(run, server)
  await checkHosts(run)
  await reviseAndRecheck(run, server)
  await checkStatements(run, server)
  const lastBytes = await memory.bytesOf(server)
  t.log(`${settledBytes} bytes in memory, then ${lastBytes}`)
  t.true(lastBytes < settledBytes + grownBytesMax)
  const ended = await server.end('SIGTERM')
  t.is(ended.code, 0)
  t.is(ended.stderr.replace(debuggerLines, ''), '', 'it has nothing to complain of')
  await audit(run)
}

/** Registers works in bulk; gives them by ARK. */
async function register(
  server: Server,
  works: readonly ContentWork[],
): Promise<Map<string, ContentWork>> {
  type Item = { readonly status: number; readonly ark_identifier: string }
  const registered = new Map<string, ContentWork>()
  for (let first = 0; first < works.length; first += bulkWorks) {
    const some = works.slice(first, first + bulkWorks)
    const { body } = await request<{ results: Item[] }>(server, '/v1/works/bulk', {
      key: firstKey(server),
      body: { works: some.map((work) => work.body) },
    })
    for (const [index, item] of body.results.entries()) {
      assert.equal(item.status, 201, JSON.stringify(item))
      registered.set(item.ark_identifier, some[index] as ContentWork)
    }
  }
  return registered
}

/** Kills the server once it has made its share of the requests of all first checks. */
async function killAndRestart(run: Run, server: Server, kill: number): Promise<Server> {
  const { t, content, settings } = run
  const all = [...run.registered.values()].reduce((sum, { kind }) => sum + requestsOf(kind), 0)
  const requests = Math.floor((all * killedShare * kill) / run.kills)
  await content.requested(requests)
  t.is((await server.end('SIGKILL')).signal, 'SIGKILL', 'it had not ended by itself')
  return startServer(t, settings)
}

/** The requests that the content server sees of a first check, at least. */
function requestsOf({ name, status }: ContentCase): number {
  if (name === 'closed') return 0
  return status === 'verified' ? 2 : 1
}

/** Waits until every work is in its state for its reason, however often it has to be looked at. */
async function settle(run: Run, server: Server): Promise<void> {
  const startMs = performance.now()
  let waiting = [...run.registered]
  while (waiting.length > 0) {
    const isPatient = performance.now() - startMs < run.patienceMs
    const before = waiting
    waiting = []
    await forEachOf(before, async ([ark, work]) => {
      const { fixity_status: status, reason } = await readContent(server, ark)
      if (status === work.kind.status && reason === work.kind.reason) return
      waiting.push([ark, work])
      // It is well at a second look, or was not reached for another reason than is its own.
      if (isPatient || status !== 'unreachable') return
      run.wished.set(ark, (run.wished.get(ark) ?? 0) + 1)
      await recheck(run, [ark])
    })
    await setTimeout(settlePollMs)
  }
}

async function readContent(server: Server, ark: string): Promise<Resolved['content']> {
  const { status, body } = await request<Resolved>(server, `/api/v1/resolve/${ark}`)
  assert.equal(status, 200, `${ark}: ${JSON.stringify(body)}`)
  return body.content
}

async function readProofs(server: Server, ark: string): Promise<Proofs['content_proofs']> {
  const { status, body } = await request<Proofs>(server, `/api/v1/proofs/${ark}/v1`)
  assert.equal(status, 200, `${ark}: ${JSON.stringify(body)}`)
  return body.content_proofs
}

/** Every work shows its checks: the last one led to its state, and no first check twice. */
async function checkStates(run: Run, server: Server): Promise<void> {
  await forEachOf(run.registered, async ([ark, { kind, body }]) => {
    const { fixity_status: status, hash } = await readContent(server, ark)
    const { fixity_checks: checks } = await readProofs(server, ark)
    const told = `${kind.name}, ${ark}: ${JSON.stringify(checks)}`
    assert.equal(status, kind.status, told)
    const last = checks.at(-1)
    assert.deepEqual([last?.status, last?.reason], [kind.status, kind.reason], told)
    if (kind.status === 'verified') {
      assert.equal(hash, contentHashOf(servedPath(body)), told)
      const verified = checks.filter((check) => check.status === 'verified').length
      // The work may have come to its state by itself just before it was asked to be checked.
      const wished = run.wished.get(ark) ?? 0
      const isOnce = verified >= 1 && verified <= 1 + wished
      assert.ok(isOnce, `no check is recorded twice, of ${wished} wished: ${told}`)
    }
  })
}

/** The path at which the content of a work is served in the end. */
function servedPath(body: ContentWork['body']): string {
  const url = new URL(body['work_url'] ?? '')
  return url.searchParams.get('to') ?? url.pathname
}

/** No host had more requests at a time than it may have, and every path had its requests. */
async function checkHosts({ t, content, registered, kills }: Run): Promise<void> {
  const counts = await content.count()
  for (const { concurrencySeen } of counts) t.true(concurrencySeen <= hostConcurrencyMax)
  t.is(Math.max(...counts.map((host) => host.concurrencySeen)), hostConcurrencyMax)
  const requests = new Map((await content.countPaths()).flatMap((host) => Object.entries(host)))
  let again = 0
  for (const { kind, body } of registered.values()) {
    const seen = requests.get(new URL(body['work_url'] ?? '').pathname) ?? 0
    assert(seen >= requestsOf(kind), `${kind.name}: ${seen} requests`)
    if (kind.name === 'good') again += seen - requestsOf(kind)
  }
  // Only a check that was under way at a kill is made again.
  const againMax = kills * concurrencyMax * 2
  t.true(again <= againMax, `${again} requests were made again`)
  const total = counts.reduce((sum, host) => sum + host.requests, 0)
  const early = counts.reduce((sum, host) => sum + host.early, 0)
  t.log(`${total} requests, ${again} again after a kill, ${early} to a host that rests`)
}

/** What is revised fails its next check, and is verified again once it is what it was. */
async function reviseAndRecheck(run: Run, server: Server): Promise<void> {
  const revised = [...run.registered].filter(([, { kind }]) => kind.name === 'revised')
  const arks = revised.map(([ark]) => ark)
  for (const [revision, status] of [
    [1, 'failed'],
    [0, 'verified'],
  ] as const) {
    await run.content.revise(revision)
    await recheck(run, arks)
    await untilAll(server, arks, status)
  }
  await forEachOf(revised, async ([ark, { body }]) => {
    const { fixity_checks: checks } = await readProofs(server, ark)
    const told = checks.map(({ status, reason }) => reason ?? status)
    assert.deepEqual(told.slice(-3), ['verified', 'hash_mismatch', 'verified'])
    const { hash } = await readContent(server, ark)
    assert.equal(hash, contentHashOf(servedPath(body)))
  })
}

async function recheck({ settings }: Run, arks: readonly string[]): Promise<void> {
  await withAdminClient(loadConfig(settings), async (client) => {
    for (const ark of arks) await client.call('/fixity/recheck', { ark })
  })
}

async function untilAll(server: Server, arks: readonly string[], status: string): Promise<void> {
  for (let waiting = arks; waiting.length > 0; ) {
    const others: string[] = []
    await forEachOf(waiting, async (ark) => {
      if ((await readContent(server, ark)).fixity_status !== status) others.push(ark)
    })
    waiting = others
    await setTimeout(pollMs)
  }
}

/** The log states the content of each verified work once, and of no other. */
async function checkStatements({ t, registered }: Run, server: Server): Promise<void> {
  type Keys = { readonly log: { readonly vkey: string } }
  type Statement = Readonly<Record<'statement' | 'ark' | 'version' | 'content_hash', string>>
  const { body: keys } = await request<Keys>(server, '/.well-known/svc-keys.json')
  const { entries } = await readLog(`${server.started.local_url}/log`, keys.log.vkey)
  const stated = entries
    .map((entry) => JSON.parse(entry.toString('utf8')) as Statement)
    .filter(({ statement }) => statement === 'content')
    .map(({ ark, version, content_hash: hash }) => `${ark}/v${version} ${hash}`)
  const expected = [...registered]
    .filter(([, { kind }]) => kind.status === 'verified')
    .map(([ark, { body }]) => `${ark}/v1 ${contentHashOf(servedPath(body))}`)
  t.deepEqual(stated.toSorted(), expected.toSorted())
}

async function audit({ t, settings }: Run): Promise<void> {
  const { code, stdout, stderr } = await runArklog(t, ['audit', '--json'], settings)
  t.is(code, 0, `${stdout}${stderr}`)
  for (const report of stdout.trimEnd().split('\n')) {
    t.deepEqual(JSON.parse(report).problems, [], report)
  }
}
