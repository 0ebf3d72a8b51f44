import { randomBytes } from 'node:crypto'
import path from 'node:path'
import {
  MessageChannel,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads'
import { destination, type Logger } from 'pino'

import { elapsedMs } from '#actors/values/clock.ts'
import { Remote, type RemoteOptions, threadTransport } from '#actors/kernel/remote.ts'
import {
  environmentLimits,
  type EnvironmentName,
  type Environments,
  perEnvironment,
  type Share,
} from '#actors/registry/environment.ts'
import { type JoinedEnvironment, joinEnvironment } from '#actors/registry/served_environment.ts'
import { sandboxNaan } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/tlog/errors.ts'
import { createLogger } from '#src/edge/logger.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import { joinIdentityStore, shareIdentity } from '#src/identity/store/identity_sharing.ts'
import type { IdentityShare, OpenedIdentityStore } from '#src/identity/store/identity_store.ts'
import { type DataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { EventTap } from '#src/operations/kept_events.ts'
import type { Tenants } from '#src/cli/start/realm.ts'
import { watchLiveness } from '#src/cli/start/thread_services.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import { threadEnvironment } from '#actors/kernel/kept_worker.ts'

/** The registry that runs in this thread. */
export type RunningRegistry = {
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly logger: Logger
  readonly realms: Realms
  readonly environments: Environments
  readonly identity: OpenedIdentityStore
}

/** What every thread beside the one that runs the registry is started with. */
export type ThreadStart = Pick<RunningRegistry, 'config' | 'baseUrl' | 'folders'> & {
  readonly joined: JoinedParts
  /** Its end of the connection. */
  readonly port: MessagePort
}

/** What such a thread has at once: the way to the one that runs the registry, and a log. */
export type ThreadParts = { readonly remote: Remote; readonly logger: Logger }

/**
 * Runs this thread: opens what it is for with `open`, which owns what it puts on `opened`, says
 * `ready` to the thread that has started it, and ends when that one sends anything.
 */
export async function runThread<Start extends ThreadStart>(
  ready: string,
  open: (start: Start, parts: ThreadParts, opened: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  assert(parentPort !== null, 'a thread of a registry is started by another one')
  const owner = parentPort
  const start = workerData as Start
  const opened = new AsyncDisposableStack()
  const events = new EventTap(destination(2), Date.now)
  const logger = createLogger(start.config.LOG_LEVEL, events)
  events.keepIn(start.folders, (err) => logger.error({ err }, 'what happened was not kept'))
  opened.defer(() => events.close())
  const remote = connectThread('the registry', start.port, (report) => {
    logger.warn(report, 'a message was lost')
  })
  opened.defer(() => remote.close())
  await open(start, { remote, logger }, opened)
  owner.once('message', () => {
    // Connections have had their grace; the port is all that keeps the thread alive.
    void opened.disposeAsync().finally(() => owner.close())
  })
  owner.postMessage(ready)
}

/** What an environment is joined with: the origin of its log, and the key that verifies it. */
type JoinedPart = {
  readonly share: Share
  readonly origin: string
  readonly vkey: string
  readonly mldsaVkey: string | undefined
}

/** What a thread joins the stores of a registry with that another one runs. */
export type JoinedParts = Readonly<Record<EnvironmentName, JoinedPart>> & {
  readonly identity: IdentityShare
}

/** The stores that threads join. */
type SharedParts = Pick<RunningRegistry, 'environments' | 'identity'>

/** Lets the thread on the other side of a connection join all stores (`joinParts`). */
function shareParts({ environments, identity }: SharedParts, remote: Remote): JoinedParts {
  const shareOne = (name: EnvironmentName): JoinedPart => {
    const { origin, vkey, mldsaVkey } = environments[name]
    return { share: environments[name].share(remote), origin, vkey, mldsaVkey }
  }
  return { identity: shareIdentity(identity, remote), ...perEnvironment(shareOne) }
}

function portsOf({ identity, live, sandbox }: JoinedParts): MessagePort[] {
  return [identity, live.share, sandbox.share].map(({ port }) => port)
}

/** A thread that is to join the registry which this one runs. */
type NewThread<Start extends ThreadStart> = {
  readonly file: URL
  readonly name: string
  readonly start: Omit<Start, 'joined' | 'port'>
  /** Ports in `start`, which are the thread's from then on. */
  readonly ports?: readonly MessagePort[]
  readonly shared: SharedParts
  /** Offers what the thread needs beside the stores. */
  readonly offer: (remote: Remote) => void
  readonly youngMegabytesMax: number
  readonly logger: Logger
  /** Called when the thread gives no sign of life any more, and is ended. */
  readonly hangs: () => void
}

/** What a thread's heap may hold: far more than it needs, and it alone ends beyond it. */
const heapMegabytesMax = 1_024

/** Starts a thread that joins this registry (`runThread`), and ends it when it hangs. */
export function startThread<Start extends ThreadStart>(thread: NewThread<Start>): Worker {
  const { file, name, start, ports = [], logger } = thread
  const { port1, port2: port } = new MessageChannel()
  const remote = connectThread(name, port1, (report) => {
    logger.warn({ ...report, thread: name }, 'a message was lost')
  })
  thread.offer(remote)
  const joined = shareParts(thread.shared, remote)
  const worker = new Worker(file, {
    name,
    workerData: { ...start, joined, port },
    transferList: [port, ...ports, ...portsOf(joined)],
    env: threadEnvironment(),
    resourceLimits: {
      maxOldGenerationSizeMb: heapMegabytesMax,
      maxYoungGenerationSizeMb: thread.youngMegabytesMax,
    },
  })
  worker.once('message', () => {
    watchLiveness(remote, () => {
      thread.hangs()
      void worker.terminate()
    })
  })
  // Where the thread never came to take its end of the connection, nobody else closes it.
  worker.once('exit', () => remote.close())
  return worker
}

/** What was joined, and the store of identities of both environments. */
export type OpenedParts = Tenants<JoinedEnvironment> & { readonly store: IdentityStore }

/**
 * Joins all stores of a registry, and leaves them with `opened`. Errors: those of `joinLevelStore`.
 */
export async function joinParts(
  { config, baseUrl, folders, joined }: Omit<ThreadStart, 'port'>,
  remote: Remote,
  opened: AsyncDisposableStack,
): Promise<OpenedParts> {
  const { dir } = identityPaths(folders)
  const share = joined.identity
  const whole = await joinIdentityStore({ dir, share, remote, elapsedMs })
  opened.defer(() => whole.close())
  const limits = { ...environmentLimits, replyCacheBytesMax: config.REPLY_CACHE_BYTES }
  const join = async (name: EnvironmentName, store: IdentityStore) => {
    const { origin, ...part } = joined[name]
    const settings = environmentSettings(name, store, { config, baseUrl, folders, origin })
    const environment = await joinEnvironment({ ...settings, ...part, limits, remote })
    opened.defer(() => environment.close())
    return { environment, store, personKeys: settings.personSeal }
  }
  const live = await join('live', whole)
  return { store: whole, live, sandbox: await join('sandbox', identityPart(whole, 'sandbox')) }
}

const limits = {
  // As many as the mailbox of a kind of entity may hold.
  askedMax: 16_384,
  // The longest work that a request can bring, in JSON within JSON.
  messageCharactersMax: 8 * 1_048_576,
  answerMsMax: 600_000,
}

/**
 * A connection between the thread that runs a registry and one that has joined it, over its port.
 * `name` is what the other side is called; `report` hears of messages that are lost.
 */
function connectThread(name: string, port: MessagePort, report: RemoteOptions['report']): Remote {
  return new Remote({ ...limits, name, transport: threadTransport(port), elapsedMs, report })
}

/** What the settings of an environment are read from; `origin` is that of its log. */
type SettingsSources = Omit<ThreadStart, 'joined' | 'port'> & { readonly origin: string }

/** What an environment is opened with, by the thread that runs it and by those that join it. */
export function environmentSettings(
  name: EnvironmentName,
  store: IdentityStore,
  { config, folders, baseUrl, origin }: SettingsSources,
) {
  return {
    name,
    naan: name === 'live' ? config.ARK_NAAN : sandboxNaan,
    shoulder: config.ARK_SHOULDER,
    dated: config.ARK_DATED,
    baseUrl,
    origin,
    storeDir: path.join(folders.dataDir, name),
    personSeal: new PersonKeys(store, randomBytes),
    personIndexKey: store.deriveKey('person index'),
    systemMs: Date.now,
    random: randomBytes,
  }
}
