import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { destination, type Logger } from 'pino'

import { elapsedMs } from '#actors/values/clock.ts'
import { type WitnessConfig, witnessWarnings } from '#config/witness.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Edge } from '#src/edge/edge.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics, type Metrics } from '#src/edge/metrics.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { type Address, chooseAddress } from '#src/cli/start/address.ts'
import type { WitnessFacts } from '#src/cli/start/banner.ts'
import { exitOnUncertainWrite } from '#src/cli/start/fatal.ts'
import { listenForMetrics, listenOnAdminSocket, serveEverybody } from '#src/cli/start/ports.ts'
import { cosignerVkeys } from '#src/tlog_tools/witness/decision.ts'
import { MapChecker } from '#src/tlog_tools/witness/map_checker.ts'
import { Witness } from '#src/tlog_tools/witness/witness.ts'
import { buildWitnessSocket, WitnessCommands } from '#src/tlog_tools/witness/witness_commands.ts'
import { openWitnessFolder, WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'
import {
  addWitnessMetrics,
  countAnswers,
  registerWitnessRoutes,
} from '#src/tlog_tools/witness/witness_routes.ts'

/** A witness that runs: what there is to say of its start, and how to end it. */
export type WitnessService = { readonly facts: WitnessFacts; close(): Promise<void> }

/**
 * Opens the witness of a configuration, with its admin socket; without `listen` no log reaches it,
 * which is enough for commands. What was opened is closed again when a later part fails. `onStep`
 * is told what is done. Errors: StartError and LogError.
 */
export async function openWitness(
  config: WitnessConfig,
  {
    listen,
    onStep = () => {},
  }: { readonly listen: boolean; readonly onStep?: (step: string) => void },
): Promise<WitnessService> {
  await using opened = new AsyncDisposableStack()
  const address = await chooseAddress(config, { listen })
  const {
    DATA_DIR: dataDir,
    KEYS_DIR: keysDir,
    WITNESS_NAME: wanted,
    WITNESS_MLDSA: mldsa,
    WITNESS_CHECKS_MAP: checksMap,
  } = config
  onStep(`opening the data directory ${path.resolve(dataDir)}`)
  const folder = await openWitnessFolder(
    { dataDir, keysDir, name: wanted, mldsa, checksMap, nowMs: Date.now() },
    opened,
  )
  const { cosigner } = folder
  const { name } = cosigner
  const vkeys = cosignerVkeys(cosigner)
  const [vkey] = vkeys
  const { creating: create, guardFile, mapsDir } = folder
  onStep('opening the store')
  const rows = await openLevelStore(folder.storeDir, {
    create,
    writeBufferBytes: config.STORE_WRITE_BUFFER_BYTES,
    cacheBytes: config.STORE_CACHE_BYTES,
  })
  opened.defer(() => rows.close())
  const store = await WitnessStore.open(rows, { guardFile, vkeys, create })
  const metrics = createMetrics()
  const witness = new Witness({
    store,
    ...(mapsDir !== undefined && { maps: new MapChecker({ dir: mapsDir, nowMs: Date.now }) }),
    cosigner,
    rate: config.RATE_LIMITS ? config.LIMIT_NEW_CHECKPOINTS : 'off',
    nowMs: Date.now,
    elapsedMs,
    fatal: exitOnUncertainWrite(() => closing.disposeAsync()),
    onAnswer: countAnswers(metrics.registry),
  })
  opened.defer(() => witness.close())
  await folder.finishCreation()
  addWitnessMetrics(metrics.registry, { witness, store })
  // A command has its own words; of a witness that it opens for itself only the faults matter.
  const logger = createLogger(listen ? config.LOG_LEVEL : 'warn', destination(2))
  onStep('opening the port')
  if (listen) await serve({ config, address, witness, vkeys, metrics, logger }, opened)
  const options = { logger, graceMs: config.SHUTDOWN_GRACE_MS }
  const socket = buildWitnessSocket(new WitnessCommands(witness, { name, vkey, vkeys }), options)
  opened.defer(() => socket.close())
  await listenOnAdminSocket(socket, adminSocketPath(dataDir))
  const closing = opened.move()
  const warnings = [...folder.warnings, ...witnessWarnings(config, process.env)]
  const logs = store.logs.size
  return {
    facts: { address, name, vkeys, dataDir: path.resolve(dataDir), logs, warnings },
    close: () => closing.disposeAsync(),
  }
}

type Parts = {
  readonly config: WitnessConfig
  readonly address: Address
  readonly witness: Witness
  readonly vkeys: readonly string[]
  readonly metrics: Metrics
  readonly logger: Logger
}

/** Serves logs and monitors until `opened` is disposed. */
async function serve(parts: Parts, opened: AsyncDisposableStack): Promise<void> {
  const { config, witness, vkeys, metrics } = parts
  const readiness = async () => {
    const { isHealthy: ok } = witness
    return { ready: ok, checks: { store: { ok } } }
  }
  await listenForMetrics(config, { metrics, readiness }, opened)
  const registerRoutes = (routes: FastifyInstance, edge: Edge) =>
    registerWitnessRoutes(routes, edge, { witness, vkeys })
  await serveEverybody(parts, registerRoutes, opened)
}
