import type { StreamConfig } from '@nats-io/jetstream'

/** What one server of the engine says of itself. */
export type ServerState = {
  readonly name: string
  /** `2.12.1` */
  readonly version: string
  readonly messageBytesMax: number
  /** Undefined where the server has no JetStream: then it passes messages on, and keeps none. */
  readonly jetstream: JetstreamState | undefined
}

/** How a server keeps streams. */
export type JetstreamState = {
  /** Whether what it acknowledges has been synced to the disk (`sync_interval: always`). */
  readonly syncsAlways: boolean
  /** Servers with JetStream that belong to the engine, running or not. */
  readonly servers: number
}

/** What a journal needs of an engine. */
export type EngineNeeds = {
  /** Bytes of the longest message. */
  readonly messageBytesMax: number
}

const versionMin = { major: 2, minor: 12 }

/** Servers that hold each message of a journal. */
export const journalReplicas = 3

/**
 * How long a message of a journal is kept: nodes have what it led to, and what was erased from the
 * registry must leave the journal as well. A node that was away for longer joins anew.
 */
export const journalAgeMs = 14 * 24 * 60 * 60 * 1_000

/**
 * What makes an engine unsafe, by what its servers say: a sentence each, with what to change.
 * Nothing: it is safe, as far as it can be seen. Servers that do not run are judged when they do.
 */
export function judgeServers(
  servers: readonly ServerState[],
  needs: EngineNeeds,
): readonly string[] {
  if (servers.length === 0) {
    return [
      'No NATS server reports its settings ($SYS.REQ.SERVER.PING.VARZ has no answer), so it is ' +
        'unknown whether it syncs before it acknowledges. Include config/nats/accounts.conf ' +
        'in the configuration of every server.',
    ]
  }
  const faults = servers.flatMap((server) => judgeServer(server, needs))
  const members = Math.max(0, ...servers.map(({ jetstream }) => jetstream?.servers ?? 0))
  if (members >= journalReplicas) return faults
  return [
    ...faults,
    `JetStream runs on ${members} of the NATS servers, but a journal needs ${journalReplicas} ` +
      'replicas. Start three servers with jetstream and cluster blocks.',
  ]
}

function judgeServer(server: ServerState, needs: EngineNeeds): readonly string[] {
  const { name, version, jetstream, messageBytesMax } = server
  const faults: string[] = []
  if (!isNewEnough(version)) {
    const { major, minor } = versionMin
    faults.push(
      `NATS server ${name} has version ${version}: install ${major}.${minor} or a newer one.`,
    )
  }
  if (jetstream !== undefined && !jetstream.syncsAlways) {
    faults.push(
      `NATS server ${name} acknowledges before its disk has synced, so a loss of power can lose ` +
        'messages. Put sync_interval: always into its jetstream block and restart it.',
    )
  }
  if (messageBytesMax < needs.messageBytesMax) {
    faults.push(
      `NATS server ${name} accepts messages of at most ${messageBytesMax} bytes. ` +
        `Set max_payload to ${needs.messageBytesMax} or more and restart it.`,
    )
  }
  return faults
}

function isNewEnough(version: string): boolean {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  if (Number(major) !== versionMin.major) return Number(major) > versionMin.major
  return Number(minor) >= versionMin.minor
}

/** What of a stream's configuration decides whether it can hold a journal. */
export type StreamState = Pick<StreamConfig, 'name' | 'num_replicas' | 'storage'> &
  Partial<StreamConfig>

/**
 * What makes a stream unfit to hold a journal: a sentence each. Nothing but time shortens a
 * journal: no other limit drops messages, nobody can take one out, and three servers hold each.
 */
export function judgeStream(stream: StreamState): readonly string[] {
  return faultsOf(stream, 'a journal', [
    ...lostByOthers(stream),
    [stream.discard !== 'new', 'it would drop old messages for new ones (discard is not new)'],
    [isShort(stream.max_age), 'messages expire in less than a day (max_age)'],
    [isLimit(stream.max_msgs), 'the number of messages is limited (max_msgs)'],
    [isLimit(stream.max_bytes), 'its bytes are limited (max_bytes)'],
    [isLimit(stream.max_msgs_per_subject), 'messages of a subject are limited'],
  ])
}

/**
 * What makes a stream unfit to hold counts: a sentence each. It may be limited in any way, as long
 * as it drops what is oldest.
 */
export function judgeCountStream(stream: StreamState): readonly string[] {
  return faultsOf(stream, 'counts', [
    ...lostByOthers(stream),
    [stream.discard !== 'old', 'it takes nothing more when it is full (discard is not old)'],
  ])
}

/** Whether something is so, and what that is. */
type Judged = readonly [boolean, string]

/** What would have messages lost or come from elsewhere that nodes know nothing of. */
function lostByOthers(stream: StreamState): readonly Judged[] {
  return [
    [
      stream.num_replicas < journalReplicas,
      `num_replicas is ${stream.num_replicas}, not 3 or more`,
    ],
    [stream.storage !== 'file', 'it is kept in memory'],
    [stream.retention !== 'limits', `retention is ${stream.retention}, not limits`],
    [stream.deny_delete !== true, 'messages can be deleted (deny_delete is off)'],
    [stream.deny_purge !== true, 'it can be emptied (deny_purge is off)'],
    [stream.allow_rollup_hdrs === true, 'a message can replace all others (allow_rollup_hdrs)'],
    [stream.allow_msg_ttl === true, 'messages can expire by themselves (allow_msg_ttl)'],
    [stream.no_ack === true, 'nothing is acknowledged (no_ack)'],
    [stream.sealed === true, 'it is sealed'],
    [stream.mirror !== undefined, 'it is a mirror of another stream'],
    [(stream.sources ?? []).length > 0, 'it takes messages from other streams (sources)'],
    [
      stream.persist_mode === 'async',
      'it acknowledges before it has written (persist_mode is async)',
    ],
  ]
}

function faultsOf({ name }: StreamState, held: string, judged: readonly Judged[]): string[] {
  return judged
    .filter(([isSo]) => isSo)
    .map(([, why]) => `Stream ${name} is not safe for ${held}: ${why}.`)
}

const dayNanos = 86_400e9

/** Whether a node that was away for a night would find messages gone. */
function isShort(ageNanos: number | undefined): boolean {
  return ageNanos !== undefined && ageNanos > 0 && ageNanos < dayNanos
}

/** 0 and -1 are no limits. */
function isLimit(value: number | undefined): boolean {
  return value !== undefined && value > 0
}
