// A whole registry behind its server, in a folder of its own: real stores, real keys, real logs.
// Only time is the test's own.

import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

import type { Owner } from '#actors/values/agent.ts'
import {
  environmentLimits,
  type EnvironmentName,
  type Environments,
} from '#actors/registry/environment.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import { loadConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { addEnvironmentMetrics } from '#src/cli/start/metrics.ts'
import { ContentReader } from '#src/delivery/fetch/content_fetcher.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import { buildRegistryServer } from '#src/cli/start/registry_server.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { testPersonKeys } from '#test/src/_accounts.ts'
import { openTestRealm } from '#test/src/_realm.ts'
import { baseUrl, openIdentity, openTestEnvironment } from '#test/src/_served_registry.ts'

const press: Owner = { type: 'organization', id: 'press', name: 'A Press' }

/** A work that nothing is wrong with. */
export const goodWork = {
  work_title: 'On the order of things',
  work_type: 'article',
  authors: 'Ox, Ada; Pen, Bo',
  work_url: 'https://press.example/things',
}

/** Time as the test makes it: `nowMs` may be set back, `elapsedMs` only goes on. */
export type TestTime = { nowMs: number; elapsedMs: number }

export type TestRegistry = Realms & {
  readonly server: FastifyInstance
  readonly environments: Environments
  /** Where everything of it lies. */
  readonly folder: string
  readonly time: TestTime
  /** Every line that was logged. */
  readonly logged: string[]
  /** A new key with these scopes. */
  createKey(
    scopes: readonly string[],
    options?: { environment?: EnvironmentName; owner?: Owner },
  ): Promise<string>
  /** Starts to listen on a free port of the loopback, and gives it. */
  listen(): Promise<number>
  /** Closes everything and removes the folder. */
  close(): Promise<void>
}

/** Opens a registry, whose configuration has these settings. */
export async function openRegistry(
  settings: Partial<Record<keyof Config, unknown>> = {},
): Promise<TestRegistry> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const time: TestTime = { nowMs: Date.parse('2026-01-01T00:00:00.000Z'), elapsedMs: 0 }
  const logged: string[] = []
  const given = { DATA_DIR: folder, LOG_LEVEL: 'debug', ...settings }
  const config = loadConfig({}, JSON.stringify(given))
  const logger = createLogger('debug', { write: (line) => void logged.push(line) })
  const clock = { nowMs: () => time.nowMs }
  const { store: identity, adminCodes: codes } = await openIdentity(folder, clock)
  const parts = { config, baseUrl, logger, folder, clock }
  const open = async (name: EnvironmentName, store: IdentityStore, suspensions?: Suspensions) => {
    const { personKeys, secrets } = testPersonKeys(store)
    const environment = await openTestEnvironment(name, folder, {
      ...secrets,
      logKey: ed25519Keys.fromSeed(Buffer.alloc(32, name === 'live' ? 1 : 2)),
      receiptSigner: () => signers[name],
      systemMs: clock.nowMs,
      clock: guardOf(clock.nowMs),
      limits,
    })
    const realm = { ...(suspensions && { suspensions }), personKeys, environment }
    const people = await openTestRealm({ ...parts, ...realm, store })
    return { environment, ...people }
  }
  const live = await open('live', identity)
  const part = identityPart(identity, 'sandbox')
  const sandbox = await open('sandbox', part, live.realm.suspensions)
  const environments = { live: live.environment, sandbox: sandbox.environment }
  const realms: Realms = { ...live.realm, sandbox: sandbox.realm }
  const metrics = createMetrics()
  addEnvironmentMetrics(metrics.registry, Object.values(environments), () => time.nowMs)
  const server = await buildRegistryServer({
    config,
    baseUrl,
    environments,
    ...realms,
    harvestKey: identity.deriveKey('oai tokens'),
    authenticate: createAuthenticate(realms, codes),
    logger,
    contentReader: new ContentReader(undefined),
    readiness: () => readReadiness({ config, environments, nowMs: () => time.nowMs }),
    metrics,
    nowMs: () => time.nowMs,
    elapsedMs: () => time.elapsedMs,
  })
  return {
    server,
    environments,
    ...realms,
    folder,
    time,
    logged,
    createKey: (scopes, options) => createKey(realms.keys, scopes, options),
    async listen() {
      await server.listen({ host: '127.0.0.1', port: 0 })
      return (server.server.address() as AddressInfo).port
    },
    async close() {
      await server.close()
      for (const { environment, close } of [sandbox, live]) {
        await close()
        await environment.close()
      }
      await identity.close()
      await rm(folder, { recursive: true })
    },
  }
}

const limits = {
  ...environmentLimits,
  diskReserveBytes: 0,
  writeBufferBytes: 1_048_576,
  cacheBytes: 1_048_576,
}

// Each has a thread, so all registries of a process share them.
const signers = {
  live: statementSigner(ed25519Keys.fromSeed(Buffer.alloc(32, 3))),
  sandbox: statementSigner(ed25519Keys.fromSeed(Buffer.alloc(32, 4))),
}

async function createKey(
  keys: KeyStore,
  scopes: readonly string[],
  { environment = 'live', owner = press }: { environment?: EnvironmentName; owner?: Owner } = {},
): Promise<string> {
  const wish = { owner, environment, scopes, label: '', ipAllow: [], hours: 24 }
  const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }
  const { key } = await keys.create(wish, operator)
  return key
}
