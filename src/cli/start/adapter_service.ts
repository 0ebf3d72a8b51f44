import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { destination, type Logger } from 'pino'
import { Gauge } from 'prom-client'
import { type AdapterConfig, adapterWarnings } from '#config/oai_adapter.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { type Address, chooseAddress } from '#src/cli/start/address.ts'
import { HttpError } from '#src/edge/errors.ts'
import { exitOnFault } from '#src/cli/start/fatal.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import { answerAsHarvestersKnow } from '#src/http/discovery/oai_routes.ts'
import type { Edge } from '#src/edge/edge.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { listenForMetrics, serveEverybody } from '#src/cli/start/ports.ts'
import { registerOaiRoutes } from '#src/discovery/oai/oai_server.ts'
import { recordFormats } from '#src/discovery/oai/record_formats.ts'
import { OaiRepository } from '#src/discovery/oai/repository.ts'
import type { AdapterFacts } from '#src/cli/start/banner.ts'
import { openRenderer } from '#src/cli/start/rendering/renderer.ts'
import type { Render } from '#src/cli/start/rendering/rendering_job.ts'
import {
  type AdapterFolder,
  openAdapterFolder,
  Follower,
  readAdapterReadiness,
  registerAdapterHealth,
} from '#src/cli/oai_adapter/follower.ts'
import { httpChangeSource } from '#src/cli/oai_adapter/change_source.ts'
import { RecordCopy } from '#src/cli/oai_adapter/record_copy.ts'

/** An adapter that runs: what there is to say of its start, and how to end it. */
export type AdapterService = { readonly facts: AdapterFacts; close(): Promise<void> }

/** How far a first copy is: changes read, and changes there are. */
export type OnProgress = (next: number, end: number) => void

/** How long a start waits for the registry to answer for the first time. */
const firstReplyMs = 5_000

/** How long a harvester is asked to wait for the first copy. */
const firstCopyRetrySeconds = 60

/**
 * Opens the OAI-PMH adapter of a configuration: it copies the records of a registry into a store of
 * its own, follows the registry's changes, and serves harvesters from the copy. What was opened is
 * closed again when a later part fails. `onStep` is told what is done, and `onProgress` how far the
 * first copy is. Errors: StartError and LogError.
 */
export async function openAdapter(
  config: AdapterConfig,
  { onStep, onProgress }: { readonly onStep: (step: string) => void; onProgress: OnProgress },
): Promise<AdapterService> {
  await using opened = new AsyncDisposableStack()
  const address = await chooseAddress(config, { listen: true })
  const key = await readKey(config)
  onStep(`opening the data directory ${config.DATA_DIR}`)
  const folder = await openAdapterFolder(config.DATA_DIR, opened)
  onStep('opening the store')
  const store = await openLevelStore(folder.storeDir, {
    // A copy that is lost is made anew.
    create: true,
    writeBufferBytes: config.STORE_WRITE_BUFFER_BYTES,
    cacheBytes: config.STORE_CACHE_BYTES,
  })
  opened.defer(() => store.close())
  const copy = new RecordCopy(store)
  const logger = createLogger(config.LOG_LEVEL, destination(2))
  const registryUrl = config.SVC_URL.replace(/\/$/, '')
  const follower = new Follower({
    copy,
    read: httpChangeSource(registryUrl, key, Date.now),
    logger,
    random: Math.random,
    onProgress,
    fatal: exitOnFault(() => closing.disposeAsync()),
  })
  opened.defer(() => follower.close())
  const parts = { config, address, folder, copy, follower, logger }
  onStep(`contacting the registry at ${registryUrl}`)
  await refuseUnknownOrganization(config, copy, { registryUrl, key })
  onStep('opening the port')
  const oaiUrl = await openServer(parts, opened)
  follower.start()
  const closing = opened.move()
  // What keeps the records from being copied is told at once, to the person who sees the start.
  await Promise.race([follower.begun, sleep(firstReplyMs, undefined, { ref: false })])
  const { complete } = copy.state
  const { problem } = follower
  const warnings = [
    ...folder.warnings,
    ...adapterWarnings(config, process.env),
    ...(problem === undefined ? [] : [`The registry cannot be read: ${problem.message}.`]),
  ]
  const facts = { address, oaiUrl, registryUrl, dataDir: config.DATA_DIR, complete, warnings }
  return { facts, close: () => closing.disposeAsync() }
}

/**
 * Refuses a start for an organization that the registry does not have. A registry that does not
 * answer is no reason: what was copied of it may know the organization.
 */
async function refuseUnknownOrganization(
  { ORGANIZATION_FILTER: slug }: AdapterConfig,
  copy: RecordCopy,
  { registryUrl, key }: { readonly registryUrl: string; readonly key: string },
): Promise<void> {
  if (slug === undefined || copy.setName(slug) !== undefined) return
  const asked = await fetch(`${registryUrl}/api/v1/organizations/${encodeURIComponent(slug)}`, {
    headers: { authorization: `Bearer ${key}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(firstReplyMs),
  }).catch(() => undefined)
  await asked?.body?.cancel()
  if (asked?.status !== 404) return
  throw new StartError(
    'organization_unknown',
    `The registry at ${registryUrl} has no organization ${slug}. Set ORGANIZATION_FILTER to the ` +
      'slug of one that it has, or remove it to serve the works of all.',
  )
}

async function readKey({ SVC_API_KEY, SVC_API_KEY_FILE }: AdapterConfig): Promise<string> {
  if (SVC_API_KEY_FILE === undefined) return SVC_API_KEY ?? ''
  return (await readSecretFile(SVC_API_KEY_FILE)).toString('latin1').trim()
}

type Parts = {
  readonly config: AdapterConfig
  readonly address: Address
  readonly folder: AdapterFolder
  readonly copy: RecordCopy
  readonly follower: Follower
  readonly logger: Logger
}

/** Serves the copy until `opened` is disposed; gives the address of the repository. */
async function openServer(parts: Parts, opened: AsyncDisposableStack): Promise<string> {
  const { config, address, folder, copy, follower, logger } = parts
  const metrics = createMetrics()
  measureCopy(metrics, copy)
  const readiness = async () => readAdapterReadiness(copy, follower)
  await listenForMetrics(config, { metrics, readiness }, opened)
  const oaiUrl = `${address.baseUrl}/oai`
  const registerRoutes = (routes: FastifyInstance, edge: Edge) => {
    registerAdapterHealth(routes, copy, follower)
    const renderer = openRenderer()
    routes.addHook('onClose', () => renderer.close())
    const { render } = renderer
    const repository = repositoryOf(config, oaiUrl, { copy, tokenKey: folder.tokenKey, render })
    registerRepository(routes, edge, { path: new URL(oaiUrl).pathname, repository, copy })
  }
  await serveEverybody({ config, address, logger, metrics }, registerRoutes, opened)
  return oaiUrl
}

function repositoryOf(
  config: AdapterConfig,
  oaiUrl: string,
  {
    copy,
    tokenKey,
    render,
  }: {
    readonly copy: RecordCopy
    readonly tokenKey: Uint8Array
    readonly render: Render
  },
): OaiRepository {
  const { METADATA_PREFIX: only, ORGANIZATION_FILTER: organization } = config
  const formats = recordFormats(oaiUrl)
  return new OaiRepository({
    source: copy,
    baseUrl: oaiUrl,
    registryUrl: (config.SVC_PUBLIC_URL ?? config.SVC_URL).replace(/\/$/, ''),
    repositoryName: config.REPOSITORY_NAME,
    adminEmail: config.ADMIN_EMAIL,
    tokenKey,
    tokenTtlSeconds: config.RESUMPTION_TOKEN_TTL,
    recordsMax: config.MAX_RECORDS_PER_REQUEST,
    formats: formats.filter(({ prefix }) => only === undefined || prefix === only),
    enableSets: config.ENABLE_SETS,
    ...(organization !== undefined && { organization }),
    write: (task) => render({ type: 'records', ...task }),
    nowMs: Date.now,
  })
}

function registerRepository(
  server: FastifyInstance,
  { admit, takeTurn }: Edge,
  served: { readonly path: string; readonly repository: OaiRepository; readonly copy: RecordCopy },
): void {
  const { path, repository, copy } = served
  const admission = admit({ type: 'public', limit: 'oai' })
  const options = {
    ...admission,
    // A part of the records would look like all of them.
    preHandler: () => (copy.state.complete ? Promise.resolve() : Promise.reject(isCopying())),
  }
  server.register((scope, _options, done) => {
    answerAsHarvestersKnow(scope)
    registerOaiRoutes(scope, { path, repository, asQuery: options, asForm: options, takeTurn })
    done()
  })
}

function isCopying(): HttpError {
  const extra = { retry_after: firstCopyRetrySeconds }
  return new HttpError('unavailable', 'The first copy of the registry is not complete yet', {
    extra,
  })
}

function measureCopy({ registry }: Metrics, copy: RecordCopy): void {
  const gauges = {
    arklog_adapter_changes_read: ['Changes read from the registry.', () => copy.state.next],
    arklog_adapter_changes_behind: [
      'Changes that the copy lacked when the registry was last read.',
      () => Math.max(0, copy.state.end - copy.state.next),
    ],
  } as const
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        gauge.set(read())
      },
    })
  }
}
