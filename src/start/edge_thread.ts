// A thread that serves a registry which another one runs: it joins all of its stores, and has the
// very pages and routes that a server of one thread has.

import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'

import { environmentLimits } from '#actors/registry/environment.ts'
import { type Clock, monotoneClock } from '#actors/values/clock.ts'
import { worksReader } from '#src/use_cases/work_preparation.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { createAuthenticate } from '#src/edge/credentials.ts'
import type { LimitMemory } from '#src/edge/limits.ts'
import { positionsOf } from '#src/edge/read_after.ts'
import { RequestDurations } from '#src/edge/request_durations.ts'
import { offerDurations } from '#src/edge/shared_durations.ts'
import { remoteTurnQueues } from '#src/edge/shared_turns.ts'
import { remoteKeptReplies } from '#src/edge/shared_replies.ts'
import { AdminCodes } from '#src/identity/keys/admin_code.ts'
import { rendererAt } from '#src/start/rendering/shared_rendering.ts'
import { remoteServices } from '#src/start/core_services.ts'
import { type EdgePlace, serveEdge } from '#src/start/edge_server.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { type JoinedParts, joinParts, type OpenedPart } from '#src/start/joined_parts.ts'
import { runThread, type ThreadParts, type ThreadStart } from '#src/start/joined_thread.ts'
import { joinUsage } from '#src/usage/usage.ts'
import { offerLiveness } from '#src/start/liveness.ts'
import { Listeners } from '#src/start/listeners.ts'
import { bindTestPeopleToMakers } from '#src/use_cases/test_people.ts'
import { endSecretsAfterRecovery, openRealm } from '#src/start/realm.ts'

/** What an edge thread is started with, by the thread that runs the registry. */
export type EdgeStart = ThreadStart & {
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly place: EdgePlace
  /** How many such threads there are. */
  readonly count: number
  readonly limitMemory: LimitMemory
  /** What double clicks are found in. */
  readonly clickMemory: SharedArrayBuffer
  readonly joined: JoinedParts
  /** Leads to the thread that renders for all. */
  readonly renderingPort: MessagePort
  /** Whether the other thread searches. */
  readonly searches: boolean
}

/** How long a thread that ends waits for answers that it has asked for. */
const answersMsMax = 1_000

/** What the parts of a thread are opened from. */
type Parts = ThreadParts & { readonly start: EdgeStart; readonly clock: Clock }

async function serve(
  start: EdgeStart,
  { remote, logger }: ThreadParts,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { config, baseUrl, folders, joined, limitMemory } = start
  const { askTimeoutMs } = environmentLimits
  const clock = monotoneClock(Date.now, '')
  const parts = { start, remote, clock, logger }
  const own = await joinParts({ config, baseUrl, folders, joined, remote }, opened)
  const { store } = own
  const live = await openWithPeople(own.live, parts, opened)
  const sandbox = await openWithPeople(own.sandbox, parts, opened)
  endSecretsAfterRecovery(live.realm, sandbox.realm)
  bindTestPeopleToMakers(live.realm, sandbox.realm)
  const environments = { live: live.environment, sandbox: sandbox.environment }
  const realms = { ...live.realm, sandbox: sandbox.realm }
  const requests = new RequestDurations()
  offerDurations(remote, requests)
  offerLiveness(remote)
  const usage = joinUsage({
    folders,
    memory: start.clickMemory,
    remote,
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

/** Opens the people of an environment that was joined. */
async function openWithPeople(
  { environment, store, personKeys }: OpenedPart,
  { start: { config, baseUrl, folders }, remote, clock, logger }: Parts,
  opened: AsyncDisposableStack,
) {
  const role = { type: 'joins', owner: remote } as const
  const people = { role, config, baseUrl, folders, store, personKeys, environment, clock, logger }
  return { environment, realm: await openRealm(people, opened) }
}

await runThread('listening', serve)
