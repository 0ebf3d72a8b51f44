import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { Invitation } from '#src/cluster/invitation.ts'
import {
  type CopyKeys,
  decodeAnswer,
  deriveCopyKeys,
  drawExchangeKey,
  encodeIndex,
  encodeQuestion,
  greetingKey,
  isTagOf,
  type JoinQuestion,
  type JoinRefusal,
  joinSubject,
  openChunk,
  publicKeyBytes,
  tagOf,
} from '#src/cluster/join_keys.ts'
import { isPassing, type Patience } from '#src/cluster/passing_fault.ts'
import { malformed } from '#src/keeping/snapshot/snapshot.ts'

/** What a node that joins needs to have a copy sent. */
export type FetchOptions = {
  readonly connection: NatsConnection
  readonly invitation: Invitation
  /** Milliseconds since 1970. */
  readonly systemMs: () => number
  /** For how long a chunk is asked for again that has not come. */
  readonly patience: Patience
}

const answerMs = 10_000
const pauseMs = 200

/** Chunks that are on their way at one time. */
const askedMax = 3

/**
 * Has the node that invites send a copy, and gives what is in it, in pieces. It uses the invitation
 * up. Errors: `invitation_expired`, `invitation_used`, `invitation_unknown`,
 * `invitation_unanswered`, `snapshot_failed`, `snapshot_malformed`.
 */
export async function* fetchCopy(options: FetchOptions): AsyncGenerator<Buffer> {
  if (options.invitation.expiresMs <= options.systemMs()) throw expired(options.invitation)
  const keys = await begin(options)
  const asked: Promise<Buffer>[] = []
  let last = Number.POSITIVE_INFINITY
  for (let index = 0; index <= last; index += 1) {
    while (asked.length < askedMax) {
      const chunk = fetchChunk(options, keys, index + asked.length)
      // One that comes after the last one is asked for in vain.
      chunk.catch(() => undefined)
      asked.push(chunk)
    }
    const opened = openChunk(keys.seal, index, (await asked.shift()) ?? Buffer.alloc(0))
    if (opened === undefined) throw malformed('a part of it is not as it was sealed')
    if (opened.isLast) last = index
    yield opened.bytes
  }
}

async function begin(options: FetchOptions): Promise<CopyKeys> {
  const { id, secret } = options.invitation
  const own = drawExchangeKey()
  const greeting = greetingKey(secret)
  const tag = tagOf(greeting, [id, own.publicKey])
  const reply = await ask(options, { type: 'begin', id, publicKey: own.publicKey, tag })
  const inviting = reply.subarray(0, publicKeyBytes)
  const isTagged = isTagOf(greeting, [id, own.publicKey, inviting], reply.subarray(publicKeyBytes))
  const keys = isTagged
    ? deriveCopyKeys(secret, own, { joining: own.publicKey, inviting })
    : undefined
  if (keys === undefined) throw malformed('whoever answered does not know the invitation')
  return keys
}

function fetchChunk(options: FetchOptions, keys: CopyKeys, index: number): Promise<Buffer> {
  const tag = tagOf(keys.ask, [encodeIndex(index)])
  return ask(options, { type: 'fetch', id: options.invitation.id, index, tag })
}

/** Asks until there is an answer; the same question may be asked several times. */
async function ask(options: FetchOptions, question: JoinQuestion): Promise<Buffer> {
  const { connection, invitation, patience } = options
  const endMs = patience.elapsedMs() + patience.forMs
  const subject = joinSubject(invitation.node)
  for (;;) {
    try {
      const reply = await connection.request(subject, encodeQuestion(question), {
        timeout: answerMs,
      })
      const answer = decodeAnswer(reply.data)
      if (answer.type === 'given') return answer.bytes
      throw refusal(answer.why, invitation)
    } catch (cause) {
      if (!isPassing(cause)) throw cause
      if (patience.elapsedMs() >= endMs) throw unanswered(invitation, cause)
    }
    await sleep(pauseMs)
  }
}

const inviteAdvice = 'Create a new one with "arklog cluster invite"'

function refusal(why: JoinRefusal, { node }: Invitation): ClusterError {
  switch (why) {
    case 'unknown':
      return new ClusterError(
        'invitation_unknown',
        `Node ${node} does not know this invitation: it has expired, or the node was started ` +
          `anew since. ${inviteAdvice} there.`,
      )
    case 'used':
      return new ClusterError(
        'invitation_used',
        `This invitation was already used, and works only once. ${inviteAdvice}. If you did not ` +
          'use it yourself, somebody else has a copy of the registry and its keys.',
      )
    case 'busy':
      return new ClusterError(
        'snapshot_failed',
        `Node ${node} is sending copies to others. Try again when they have joined. The ` +
          'invitation stays valid.',
      )
    case 'failed':
      return new ClusterError(
        'snapshot_failed',
        `Node ${node} has ended the copy, and its log says why. ${inviteAdvice}, and join again.`,
      )
  }
}

function expired({ expiresMs }: Invitation): ClusterError {
  return new ClusterError(
    'invitation_expired',
    `This invitation was valid until ${new Date(expiresMs).toISOString()}. ${inviteAdvice}, ` +
      'or set the clock of this machine.',
  )
}

function unanswered({ node }: Invitation, cause: unknown): ClusterError {
  return new ClusterError(
    'invitation_unanswered',
    `Node ${node}, which made this invitation, does not answer. Start it, check that ` +
      'CLUSTER_URL names the same NATS servers as there, and create a new invitation.',
    { cause },
  )
}
