import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import type { ClockGuard } from '#actors/journal/clock_guard.ts'
import type { Clock } from '#actors/values/clock.ts'
import type { Owner } from '#actors/values/agent.ts'
import {
  type Environment,
  environmentLimits,
  type EnvironmentName,
  type EnvironmentOptions,
  type Environments,
} from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import type { ContentFetcher } from '#actors/works/fixity/client.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import { loadConfig, sandboxNaan } from '#config/config.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import {
  configuredFetcher,
  contentFetcher,
  ContentReader,
  readingLimits,
} from '#src/delivery/fetch/content_fetcher.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import {
  type AdminBody,
  type AdminPath,
  type AdminReply,
  runCommand,
} from '#src/http/admin/command_table.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { addEnvironmentMetrics, addSearchMetrics } from '#src/cli/start/metrics.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import { buildRegistryServer } from '#src/cli/start/registry_server.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { checkNewKey, type KeyRequest } from '#src/identity/keys/key_record.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import {
  createKeyFile,
  openReceiptKeyFiles,
  publicKeyHex,
  type ReceiptKeyFiles,
} from '#src/keeping/data_dir/key_file.ts'
import { openSearch } from '#src/cli/start/search.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { testLimits } from '#test/src/delivery/fetch/_fetcher.ts'
import { testPersonKeys } from '#test/src/_accounts.ts'
import { openTestRealm } from '#test/src/_realm.ts'
import { TestClock } from '#test/src/identity/_identity.ts'

export const baseUrl = 'https://registry.example'

/** The organization of the tests, which exists in both environments. */
const demo: Owner = { type: 'organization', id: 'demo', name: 'Demo Press' }
export const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }

/** A reply as it came over the wire. `json` parses the body. */
export type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  json(): Record<string, unknown>
}

export type Call = {
  readonly method?: string
  /** Names and values as they are sent, so that a name can be sent twice. */
  readonly headers?: readonly (readonly [string, string])[]
  readonly key?: string
  /** A value is sent as JSON, a text as it is. */
  readonly body?: unknown
}

/** A registry on real stores behind a real listener on a port of its own. */
export type ServedRegistry = Realms & {
  readonly baseUrl: string
  /** Where it listens, on the loopback. */
  readonly port: number
  readonly environments: Environments
  readonly adminCodes: AdminCodes
  readonly receiptKeyFiles: Readonly<Record<EnvironmentName, ReceiptKeyFiles>>
  /** Nothing is indexed before it is started. */
  readonly search: Readonly<Record<EnvironmentName, SearchService>>
  /** The commands of the operator. */
  readonly admin: {
    call<P extends AdminPath>(path: P, body: AdminBody<P>): Promise<AdminReply<P>>
  }
  /** The clock of keys and codes. */
  readonly clock: TestClock
  readonly clockGuard: ClockGuard
  /** By how much the machine's clock is wrong, in milliseconds. */
  readonly machine: { offMs: number }
  /** Every line that was logged. */
  readonly logged: string[]
  /** What Prometheus reads. */
  metrics(): Promise<string>
  /** Sends a request to a path exactly as it is written. */
  call(path: string, call?: Call): Promise<Answer>
  /** Makes a key and gives its text. */
  key(wish: Partial<KeyRequest> & Pick<KeyRequest, 'scopes'>): Promise<string>
  close(): Promise<void>
}

/**
 * Serves a registry; `settings` are configuration keys. Limits are off by default. Its content is
 * checked only once `checksContent` is fulfilled: works link to hosts of the world outside, and a
 * server that held its reply until then would be given up on a slow machine.
 */
export async function serveRegistry(
  settings: Readonly<Record<string, string>> = {},
  { checksContent }: { readonly checksContent?: Promise<void> } = {},
): Promise<ServedRegistry> {
  const opened = new AsyncDisposableStack()
  const parts = await openParts(settings, checksContent, opened)
  const { environments, keys, adminCodes, search } = parts
  const admin: ServedRegistry['admin'] = { call: (of, body) => runCommand(parts, of, body) }
  await admin.call('/organizations/create', { organization: { slug: demo.id, name: demo.name } })
  const metrics = createMetrics()
  addEnvironmentMetrics(metrics.registry, Object.values(environments), Date.now)
  addSearchMetrics(metrics.registry, search)
  const server = await buildRegistryServer({
    ...parts,
    authenticate: createAuthenticate(parts, adminCodes),
    readiness: () => readReadiness({ ...parts, nowMs: Date.now }),
    metrics,
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
  })
  opened.defer(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return {
    ...parts,
    port,
    admin,
    metrics: () => metrics.registry.metrics(),
    call: (url, call) => send(port, url, call),
    async key(wish) {
      const checked = checkNewKey({ owner: demo, ...wish })
      if (checked.type === 'invalid') throw new Error(JSON.stringify(checked.faults))
      return (await keys.create(checked.key, operator)).key
    },
    close: () => opened.disposeAsync(),
  }
}

/** Opens what a registry is served from; `opened` closes it, the newest first. */
async function openParts(
  settings: Readonly<Record<string, string>>,
  checksContent: Promise<void> | undefined,
  opened: AsyncDisposableStack,
) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  opened.defer(() => rm(dir, { recursive: true }))
  // No search is ended for what else the machine has to do.
  const always = { DATA_DIR: dir, RATE_LIMITS: 'off', SEARCH_QUERY_MS: '60000' }
  const config = loadConfig({ ...always, ...settings })
  const clock = new TestClock('2026-01-01T00:00:00.000Z')
  const receiptKeyFiles = {
    live: await makeReceiptKeyFiles(path.join(dir, 'live-receipt.pem')),
    sandbox: await makeReceiptKeyFiles(path.join(dir, 'sandbox-receipt.pem')),
  }
  const fetcher = configuredFetcher(config, baseUrl, fail, testLimits)
  opened.defer(() => fetcher.close())
  const fetchNow = contentFetcher(fetcher, () => {})
  const fetchContent: ContentFetcher = async (url, call) => {
    if (!call.signal.aborted) await Promise.race([checksContent, once(call.signal, 'abort')])
    return fetchNow(url, call)
  }
  const { store, adminCodes } = await openIdentity(dir, clock)
  opened.defer(() => store.close())
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line) => void logged.push(line) })
  const machine = { offMs: 0 }
  const systemMs = () => Date.now() + machine.offMs
  const steady = { elapsedMs: Date.now, uptimeMs: Date.now }
  const clockGuard = guardOf(systemMs, { machine: steady })
  const timed = { systemMs, clock: clockGuard }
  const { MAP_INTERVAL_MS: intervalMs } = config
  const map = intervalMs === undefined ? {} : { map: { intervalMs, isWitnessed: false } }
  const own = {
    ...timed,
    ...map,
    ...(checksContent !== undefined && { fetchContent }),
  }
  const provided = { config, baseUrl, clock, logger, folder: dir }
  const open = async (name: EnvironmentName, part: IdentityStore, suspensions?: Suspensions) => {
    const { personKeys, secrets } = testPersonKeys(part)
    const receiptSigner: EnvironmentOptions['receiptSigner'] = (publicKey) =>
      statementSigner(receiptKeyFiles[name].choose(publicKey))
    const environment = await openTestEnvironment(name, dir, { ...own, ...secrets, receiptSigner })
    opened.defer(() => environment.close())
    const realm = { ...(suspensions && { suspensions }), personKeys, environment }
    const people = await openTestRealm({ ...provided, ...realm, store: part })
    opened.defer(people.close)
    return { environment, realm: people.realm }
  }
  const live = await open('live', store)
  const part = identityPart(store, 'sandbox')
  const sandbox = await open('sandbox', part, live.realm.suspensions)
  const environments = { live: live.environment, sandbox: sandbox.environment }
  const realms: Realms = { ...live.realm, sandbox: sandbox.realm }
  const search = openSearch({ config, logger, environments }, opened)
  const contentReader = new ContentReader(fetchNow, {
    ...readingLimits,
    readingMs: testLimits.totalMs,
  })
  const served = { config, baseUrl, environments, ...realms, contentReader, search }
  const harvestKey = store.deriveKey('oai tokens')
  const keys = { harvestKey, adminCodes, receiptKeyFiles }
  return { ...served, ...keys, clock, clockGuard, machine, logger, logged }
}

/** Opens the identity store of a registry below a folder, with the codes of its administrators. */
export async function openIdentity(dir: string, clock: Clock) {
  const store = await openIdentityStore({
    dir: path.join(dir, 'identity'),
    headFile: path.join(dir, 'identity.head'),
    pepperPath: path.join(dir, 'pepper'),
    create: true,
    random: randomBytes,
  })
  const options = { store, clock, random: randomBytes }
  return { store, adminCodes: new AdminCodes(options) }
}

function fail(fault: unknown): never {
  throw fault
}

async function makeReceiptKeyFiles(file: string): Promise<ReceiptKeyFiles> {
  const firstPublicKey = publicKeyHex(await createKeyFile(file))
  return openReceiptKeyFiles({ file, firstPublicKey })
}

/** Opens an environment of a test below a folder; `own` is what it has otherwise. */
export function openTestEnvironment(
  name: EnvironmentName,
  folder: string,
  own: Partial<EnvironmentOptions> &
    Pick<
      EnvironmentOptions,
      'systemMs' | 'clock' | 'receiptSigner' | 'personSeal' | 'personIndexKey'
    >,
): Promise<Environment> {
  const isLive = name === 'live'
  return openEnvironment({
    name,
    naan: isLive ? '12345' : sandboxNaan,
    shoulder: 'k2',
    dated: false,
    baseUrl,
    origin: `registry.example/${isLive ? '' : 'sandbox/'}log`,
    logKey: ed25519Keys.fromSeed(randomBytes(32)),
    storeDir: path.join(folder, name),
    headFile: path.join(folder, `${name}.head`),
    create: true,
    random: (bytes) => randomBytes(bytes),
    limits: environmentLimits,
    report: () => undefined,
    damaged: (message) => {
      throw new Error(message)
    },
    fatal: fail,
    ...own,
  })
}

function send(port: number, url: string, call: Call = {}): Promise<Answer> {
  const { method = 'GET', headers = [], key, body } = call
  const bytes = (typeof body === 'string' ? body : JSON.stringify(body)) ?? ''
  const sent = [
    ['host', 'localhost'],
    ...(key === undefined ? [] : [['authorization', `Bearer ${key}`]]),
    ...(body === undefined ? [] : [['content-type', 'application/json']]),
    ...(method === 'GET' ? [] : [['content-length', String(Buffer.byteLength(bytes))]]),
    ...headers,
  ]
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path: url, method, headers: sent.flat(), agent: false })
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then((reply) => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: reply,
          json: () => JSON.parse(reply) as Record<string, unknown>,
        })
      }, reject)
    })
    request.end(bytes)
  })
}

/** The body of a small work, with changes. */
export function work(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    work_title: 'Notes by the translator',
    work_type: 'article',
    authors: 'Ada Lovelace, Luigi Menabrea',
    work_url: 'https://example.org/notes',
    ...changes,
  }
}

/** What a test reads of the reply to a registration. */
export type Minted = {
  readonly ark_identifier: string
  readonly receipt_id: string
  readonly created_at: string
}

/** Registers a work over HTTP with a key of the right scope; the body of 201. */
export async function mint(
  registry: ServedRegistry,
  key: string,
  changes: Record<string, unknown> = {},
): Promise<Minted> {
  const body = work(changes)
  const answer = await registry.call('/v1/works?allow_duplicate=true', {
    method: 'POST',
    key,
    body,
  })
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.body}`)
  return answer.json() as Minted
}
