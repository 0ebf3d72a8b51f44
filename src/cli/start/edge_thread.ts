// A thread that serves a registry which another one runs: it joins all of its stores, and has the
// very pages and routes that a server of one thread has.

import type { LimitMemory } from '#src/edge/limits/limits.ts'
import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'

import { remoteService } from '#actors/kernel/service.ts'
import { environmentLimits, perEnvironment } from '#actors/registry/environment.ts'
import { elapsedMs, monotoneClock } from '#actors/values/clock.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import { positionsOf } from '#src/edge/read_after.ts'
import { RequestDurations } from '#src/edge/request_durations.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { type EdgePlace, serveEdge } from '#src/cli/start/registry_server.ts'
import {
  joinParts,
  runThread,
  type ThreadParts,
  type ThreadStart,
} from '#src/cli/start/joined_thread.ts'
import { Listeners } from '#src/cli/start/listeners.ts'
import { openRealms } from '#src/cli/start/realm.ts'
import { rendererAt } from '#src/cli/start/rendering/renderer.ts'
import {
  offerDurations,
  offerLiveness,
  remoteKeptReplies,
  remoteServices,
  remoteTurnQueues,
  usageService,
} from '#src/cli/start/thread_services.ts'
import { joinUsage } from '#src/operations/usage/usage.ts'
import { worksReader } from '#src/use_cases/work_preparation.ts'

/** What an edge thread is started with, by the thread that runs the registry. */
export type EdgeStart = ThreadStart & {
  readonly place: EdgePlace
  /** How many such threads there are. */
  readonly count: number
  readonly limitMemory: LimitMemory
  /** What double clicks are found in. */
  readonly clickMemory: SharedArrayBuffer
  /** Leads to the thread that renders for all. */
  readonly renderingPort: MessagePort
  /** Whether the other thread searches. */
  readonly searches: boolean
}

/** How long a thread that ends waits for answers that it has asked for. */
const answersMsMax = 1_000

async function serve(
  start: EdgeStart,
  { remote, logger }: ThreadParts,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { config, baseUrl, folders, limitMemory } = start
  const { askTimeoutMs } = environmentLimits
  const clock = monotoneClock(Date.now, '')
  const parts = await joinParts(start, remote, opened)
  const { store, live, sandbox } = parts
  const people = { config, baseUrl, folders, clock, logger }
  const role = { type: 'joins', owner: remote } as const
  const realms = await openRealms({ ...people, role }, parts, opened)
  const environments = perEnvironment((name) => parts[name].environment)
  const requests = new RequestDurations()
  offerDurations(remote, requests)
  offerLiveness(remote)
  const usage = joinUsage({
    folders,
    memory: start.clickMemory,
    send: (batch) => remoteService(remote, usageService).add(batch),
    nowMs: Date.now,
    report: (err) => logger.error({ err }, 'counts of uses could not be sent, and are lost'),
  })
  opened.defer(() => usage.close())
  // Who has left without waiting for an answer is no reason to say that it was lost.
  opened.defer(() => remote.answered(answersMsMax))
  const listeners = new Listeners()
  opened.defer(() => listeners.close())
  const dependencies = {
    ...realms,
    ...remoteServices(remote, { askTimeoutMs, searches: start.searches }),
    config,
    baseUrl,
    environments,
    usage,
    harvestKey: store.deriveKey('oai tokens'),
    authenticate: createAuthenticate(realms, new AdminCodes({ store, clock, random: randomBytes })),
    keptReplies: remoteKeptReplies(remote),
    limitMemory,
    turnQueues: remoteTurnQueues(remote),
    renderer: rendererAt(start.renderingPort),
    readWorks: worksReader(start.count),
    ...(config.CLUSTER_URL !== undefined && { positions: positionsOf(environments, store) }),
    catchUp() {
      live.environment.catchUp()
      sandbox.environment.catchUp()
      store.catchUp()
    },
    logger,
    metrics: { requests },
    nowMs: Date.now,
    elapsedMs,
  }
  await serveEdge(dependencies, start.place, listeners)
}

await runThread('listening', serve)
