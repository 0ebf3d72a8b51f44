import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream'
import {
  type Authenticator,
  AuthorizationError,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { ClusterUrl } from '#src/cluster/cluster_url.ts'
import {
  type EngineNeeds,
  judgeServers,
  judgeStream,
  type ServerState,
} from '#src/cluster/engine_state.ts'
import {
  isPassing,
  isRefusal,
  noStream,
  type Patience,
  patiently,
} from '#src/cluster/passing_fault.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'

/** How a node reaches its engine. Files are in PEM. */
export type EngineOptions = {
  readonly url: ClusterUrl
  /** The node's own name, which the engine shows to its operator. */
  readonly node: string
  /** Undefined: the engine asks nobody who they are. */
  readonly credentials?: Credentials
  /** Who signs the certificates of the servers, where no authority of the system does. */
  readonly caFile?: string
  /** Bounds the wait for the first connection. */
  readonly patience: Patience
  /** Hears when the connection is lost and when it is back. */
  readonly report: (event: EngineEvent) => void
}

/** What becomes of a connection; `server` is `host:port`. */
export type EngineEvent = {
  readonly type: 'engine_disconnected' | 'engine_reconnected'
  readonly server: string
}

// A server that is silent for two of these is taken for gone.
const pingMs = 2_000
const dialMs = 2_000
const reconnectMs = 250
const firstAttemptsPauseMs = 200

/**
 * Connects to the engine. A connection that is lost is made again for as long as it takes, with the
 * servers by turns; what is asked meanwhile fails by its own time-out. ClusterError
 * `engine_unreachable` when no server takes the connection in time, `engine_refused` when one does
 * not take the credentials.
 */
export async function connectEngine(options: EngineOptions): Promise<NatsConnection> {
  const { forMs, elapsedMs } = options.patience
  const endMs = elapsedMs() + forMs
  for (;;) {
    try {
      const connection = await connect(connectionOptions(options))
      void reportEvents(connection, options.report)
      return connection
    } catch (cause) {
      if (cause instanceof AuthorizationError) throw refused(options, cause)
      if (elapsedMs() >= endMs) throw unreachable(options, cause)
    }
    await sleep(firstAttemptsPauseMs)
  }
}

function connectionOptions(options: EngineOptions): NodeConnectionOptions {
  const { url, node, credentials, caFile } = options
  return {
    servers: [...url.servers],
    name: node,
    ...credentials,
    ...(url.isEncrypted && { tls: caFile === undefined ? {} : { caFile } }),
    timeout: dialMs,
    pingInterval: pingMs,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    reconnectJitterTLS: reconnectMs,
    // Traces of each request would cost more than the request.
    noAsyncTraces: true,
  }
}

async function reportEvents(
  connection: NatsConnection,
  report: (event: EngineEvent) => void,
): Promise<void> {
  for await (const event of connection.status()) {
    if (event.type === 'disconnect') {
      report({ type: 'engine_disconnected', server: event.server })
    } else if (event.type === 'reconnect') {
      report({ type: 'engine_reconnected', server: event.server })
    }
  }
}

function refused({ url }: EngineOptions, cause: unknown): ClusterError {
  return new ClusterError(
    'engine_refused',
    `The NATS servers at ${url.servers.join(', ')} refuse the credentials of this node. Put a ` +
      'user and password that they accept into the file that CLUSTER_CREDENTIALS names.',
    { cause },
  )
}

function unreachable({ url, patience }: EngineOptions, cause: unknown): ClusterError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new ClusterError(
    'engine_unreachable',
    `None of the NATS servers at ${url.servers.join(', ')} accepted a connection in ` +
      `${patience.forMs} ms (${why}). Start them, or correct CLUSTER_URL.`,
    { cause },
  )
}

/**
 * What a check of the engine saw. `unseen` servers belong to it and did not answer; `faults` are
 * what makes those that did unsafe.
 */
export type EngineCheck = {
  readonly servers: readonly ServerState[]
  readonly unseen: number
  readonly faults: readonly string[]
}

/**
 * Asks all servers of the engine how they are set up, for `waitMs` at most. A server that does not
 * run is not judged, but counted: it is to be checked again once it does.
 */
async function surveyServers(
  connection: NatsConnection,
  needs: EngineNeeds,
  waitMs: number,
): Promise<EngineCheck> {
  const servers = await readServers(connection, waitMs)
  const unseen = Math.max(0, memberCount(servers) - countMembers(servers))
  return { servers, unseen, faults: judgeServers(servers, needs) }
}

/** The same; ClusterError `engine_unsafe` names everything that has to change. */
export async function checkEngine(
  connection: NatsConnection,
  needs: EngineNeeds,
  waitMs: number,
): Promise<EngineCheck> {
  const check = await surveyServers(connection, needs, waitMs)
  if (check.faults.length > 0) throw new ClusterError('engine_unsafe', check.faults.join('\n'))
  return check
}

/** What makes a stream unfit to hold a journal, and what it holds unless it is gone. */
export type StreamSurvey = {
  readonly faults: readonly string[]
  readonly state?: StreamState
}

/** A stream as its servers have it. */
export type StreamState = {
  readonly stream: string
  /** The number of its newest message, how many it holds, and their bytes. */
  readonly newest: number
  readonly messages: number
  readonly bytes: number
  /** The server that leads it, and those that follow: whether each has all that it has. */
  readonly leader: string | null
  readonly replicas: readonly { readonly server: string; readonly current: boolean }[]
}

/** Looks at a stream; undefined if nobody can say at the moment. */
async function surveyStream(
  connection: NatsConnection,
  name: string,
): Promise<StreamSurvey | undefined> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const { config, state, cluster } = await manager.streams.info(name)
    const replicas = cluster?.replicas ?? []
    return {
      faults: judgeStream(config),
      state: {
        stream: name,
        newest: state.last_seq,
        messages: state.messages,
        bytes: state.bytes,
        leader: cluster?.leader ?? null,
        replicas: replicas.map(({ name: server, current }) => ({ server, current })),
      },
    }
  } catch (error) {
    if (isPassing(error)) return undefined
    if (isRefusal(error, [noStream])) return { faults: [goneStream(name)] }
    throw error
  }
}

function goneStream(name: string): string {
  return `Stream ${name} is gone: start a new cluster from what the nodes have (docs/cluster.md).`
}

/**
 * Checks that a stream that somebody has made can hold a journal, or what else `judge` is for: it
 * is asked for until patience ends, because servers know a name as taken before they know the
 * stream. ClusterError `engine_unsafe` names everything that makes it unfit; a fault of JetStream
 * where there is none.
 */
export async function checkStream(
  connection: NatsConnection,
  name: string,
  patience: Patience,
  judge: (stream: StreamConfig) => readonly string[] = judgeStream,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const { config } = await patiently(
    () => manager.streams.info(name),
    patience,
    (error) => isPassing(error) || isRefusal(error, [noStream]),
  )
  const faults = judge(config)
  if (faults.length > 0) throw new ClusterError('engine_unsafe', faults.join('\n'))
}

/** What of a server's answer to VARZ is read here. */
type ServerReport = {
  readonly server: { readonly name: string; readonly ver: string }
  readonly data?: {
    readonly max_payload: number
    readonly jetstream?: {
      readonly config?: { readonly sync_always?: boolean }
      readonly meta?: { readonly cluster_size?: number }
    }
  }
}

/** Gives up when all servers have answered that belong to the engine, or after `waitMs`. */
async function readServers(
  connection: NatsConnection,
  waitMs: number,
): Promise<readonly ServerState[]> {
  const servers: ServerState[] = []
  try {
    const answers = await connection.requestMany('$SYS.REQ.SERVER.PING.VARZ', '', {
      strategy: 'timer',
      maxWait: waitMs,
    })
    for await (const answer of answers) {
      servers.push(serverState(answer.json<ServerReport>()))
      if (countMembers(servers) >= memberCount(servers) && memberCount(servers) > 0) break
    }
  } catch (error) {
    // What was seen until then is judged.
    if (!isSilence(error)) throw error
  }
  return servers
}

/** Whether nobody answers, or this user may not ask. */
function isSilence(error: unknown): boolean {
  return (
    error instanceof TimeoutError ||
    error instanceof NoRespondersError ||
    error instanceof PermissionViolationError ||
    (error instanceof RequestError &&
      (error.isNoResponders() || error.cause instanceof PermissionViolationError))
  )
}

function serverState({ server, data }: ServerReport): ServerState {
  const { config, meta } = data?.jetstream ?? {}
  return {
    name: server.name,
    version: server.ver,
    messageBytesMax: data?.max_payload ?? 0,
    jetstream: config && {
      syncsAlways: config.sync_always === true,
      servers: meta?.cluster_size ?? 1,
    },
  }
}

function countMembers(servers: readonly ServerState[]): number {
  return servers.filter(({ jetstream }) => jetstream !== undefined).length
}

function memberCount(servers: readonly ServerState[]): number {
  return Math.max(0, ...servers.map(({ jetstream }) => jetstream?.servers ?? 0))
}

/** How a node shows the engine who it is. */
export type Credentials =
  | { readonly user: string; readonly pass: string }
  | { readonly authenticator: Authenticator }

const credsMark = '-----BEGIN NATS USER JWT-----'

/**
 * Reads the file that `CLUSTER_CREDENTIALS` names, which only its owner may read: what `nsc` writes
 * (a .creds file), or one line `user:password`. Errors: `secret_missing` and `secret_exposed` as
 * `readSecretFile`, ClusterError `cluster_credentials_malformed`.
 */
export async function readCredentials(file: string): Promise<Credentials> {
  const bytes = await readSecretFile(file)
  const text = bytes.toString('utf8')
  if (text.includes(credsMark)) return { authenticator: credsAuthenticator(bytes) }
  const line = text.replace(/\r?\n$/, '')
  const colon = line.indexOf(':')
  if (colon > 0 && colon < line.length - 1 && !/[\r\n]/.test(line)) {
    return { user: line.slice(0, colon), pass: line.slice(colon + 1) }
  }
  throw new ClusterError(
    'cluster_credentials_malformed',
    `${file} is neither a NATS .creds file nor one line user:password.`,
  )
}

export type EngineWatchOptions = {
  readonly connection: NatsConnection
  readonly needs: EngineNeeds
  /** The streams that hold something, asked at each check. */
  readonly streams: () => readonly string[]
  /** Streams that nothing depends on: they are looked at as well, and make nothing unsafe. */
  readonly optionalStreams?: () => readonly string[]
  /** Whether the node is in contact: servers that are silent then do not want to tell. */
  readonly isConnected: () => boolean
  readonly everyMs: number
  /** For how long servers may take to answer. */
  readonly waitMs: number
  /** Hears of a check that could not be made. */
  readonly report: (error: unknown) => void
}

/** Checks in which no server has told anything, after which that is a fault. */
const silentChecksMax = 3

/** How often a stream is looked at that nobody could say anything of yet. */
const lookPauseMs = 500

/**
 * Checks the engine again and again while a node runs: a server that is restarted with another
 * configuration, or a stream that somebody has changed, is no longer what the start has found. What
 * does not answer at a check is judged as it was before.
 */
export class EngineWatch {
  readonly #options: EngineWatchOptions
  readonly #ofStreams = new Map<string, StreamSurvey>()
  readonly #checking: NodeJS.Timeout
  #ofServers: readonly string[] = []
  #silentChecks = 0
  #check: Promise<void> | undefined
  readonly #closing = new AbortController()

  constructor(options: EngineWatchOptions) {
    this.#options = options
    this.#checking = setInterval(() => void this.check(), options.everyMs).unref()
  }

  /** Everything that makes the engine unsafe: a sentence each, with what to change. */
  get faults(): readonly string[] {
    return [...this.#ofServers, ...[...this.#ofStreams.values()].flatMap(({ faults }) => faults)]
  }

  /** The streams that were looked at, as they were then, by their names; undefined: it was gone. */
  get streams(): ReadonlyMap<string, StreamState | undefined> {
    return new Map([...this.#ofStreams].map(([name, { state }]) => [name, state]))
  }

  /** Looks at a stream now, and until it has seen it: one that has just been opened. */
  async look(name: string): Promise<void> {
    const { signal } = this.#closing
    try {
      while (!signal.aborted && !(await this.#survey(name))) {
        await sleep(lookPauseMs, undefined, { signal, ref: false })
      }
    } catch (error) {
      if (!signal.aborted) this.#options.report(error)
    }
  }

  /** Checks now. It never fails: what keeps it from checking is reported. */
  check(): Promise<void> {
    this.#check ??= this.#checkAll().finally(() => {
      this.#check = undefined
    })
    return this.#check
  }

  async close(): Promise<void> {
    clearInterval(this.#checking)
    this.#closing.abort()
    await this.#check
  }

  async #checkAll(): Promise<void> {
    const { connection, streams, optionalStreams = () => [], report } = this.#options
    if (connection.isClosed()) return
    try {
      await this.#checkServers()
      for (const name of [...streams(), ...optionalStreams()]) await this.#survey(name)
    } catch (error) {
      if (!connection.isClosed()) report(error)
    }
  }

  /** Whether anybody could say what the stream is like. */
  async #survey(name: string): Promise<boolean> {
    const { connection, optionalStreams } = this.#options
    const survey = await surveyStream(connection, name)
    const isOptional = optionalStreams?.().includes(name) === true
    if (survey !== undefined)
      this.#ofStreams.set(name, isOptional ? { ...survey, faults: [] } : survey)
    return survey !== undefined
  }

  async #checkServers(): Promise<void> {
    const { connection, needs, waitMs, isConnected } = this.#options
    const { servers, faults } = await surveyServers(connection, needs, waitMs)
    if (servers.length === 0 && isConnected()) this.#silentChecks += 1
    else this.#silentChecks = 0
    if (servers.length > 0 || this.#silentChecks >= silentChecksMax) this.#ofServers = faults
  }
}
