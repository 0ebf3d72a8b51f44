import type { Logger } from 'pino'

import type { ContentFetcher } from '#actors/fixity/content_fetcher.ts'
import type { Config } from '#config/schema.ts'
import type { AdminRegistry } from '#src/admin/commands.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import { addSearchMetrics } from '#src/edge/search_metrics.ts'
import { ContentReader } from '#src/fetch/content_reader.ts'
import { readReadiness } from '#src/http/health/health.ts'
import { type Address, backlogMax } from '#src/start/address.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import type { Listeners } from '#src/start/listeners.ts'
import { listenForMetrics, listenOnSecondPort } from '#src/start/ports.ts'
import { buildRegistryServer } from '#src/start/registry_server.ts'

/** What the public server shows, and the secret with which it signs what harvesters give back. */
export type OpenedRegistry = AdminRegistry & { readonly harvestKey: Uint8Array }

/** What the public server is opened from beside the registry. */
export type PublicParts = {
  readonly config: Config
  readonly logger: Logger
  readonly baseUrl: string
  readonly fetchContent: ContentFetcher | undefined
}

/** Serves a registry and its metrics, and lets search follow it, until `listeners` are closed. */
export async function openPublicServer(
  { config, logger, baseUrl, fetchContent }: PublicParts,
  { host, port }: Address,
  registry: OpenedRegistry,
  listeners: Listeners,
): Promise<void> {
  const { environments, search } = registry
  const metrics = createMetrics([environments.live, environments.sandbox], Date.now)
  if (search !== undefined) keepSearch(search, metrics)
  const readiness = () =>
    readReadiness({ config, environments, nowMs: Date.now, ...(search && { search }) })
  await listenForMetrics(config, { metrics, readiness }, listeners.open())
  const server = await buildRegistryServer({
    ...registry,
    config,
    baseUrl,
    contentReader: new ContentReader(fetchContent),
    readiness,
    authenticate: createAuthenticate(registry, registry.adminCodes),
    logger,
    metrics,
    nowMs: Date.now,
    elapsedMs,
  })
  listeners.open().defer(() => server.close())
  await server.listen({ host, port, backlog: backlogMax })
  const { AUTH_PORT, SHUTDOWN_GRACE_MS: graceMs } = config
  if (AUTH_PORT === 'off') return
  await listenOnSecondPort(server, { host, port: AUTH_PORT, graceMs, logger }, listeners.open())
}

function keepSearch(search: NonNullable<AdminRegistry['search']>, { registry }: Metrics): void {
  search.live.start()
  search.sandbox.start()
  addSearchMetrics(registry, search)
}
