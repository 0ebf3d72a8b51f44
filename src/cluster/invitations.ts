import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import {
  formatInvitation,
  type Invitation,
  invitationIdBytes,
  invitationSecretBytes,
} from '#src/cluster/invitation.ts'
import {
  type CopyKeys,
  decodeQuestion,
  deriveCopyKeys,
  drawExchangeKey,
  encodeAnswer,
  encodeIndex,
  greetingKey,
  isTagOf,
  type JoinAnswer,
  type JoinQuestion,
  type JoinRefusal,
  joinSubject,
  sealChunk,
  tagOf,
} from '#src/cluster/join_keys.ts'

export type InvitationsOptions = {
  readonly connection: NatsConnection
  /** The name of this node, as `isNodeName` has it. */
  readonly node: string
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds since 1970. */
  readonly systemMs: () => number
  /** Begins a copy of what this node holds, as it is then; `return` ends it early. */
  readonly copy: () => AsyncGenerator<Uint8Array>
  readonly report: (event: JoinEvent) => void
}

/** What an operator may want to know; `id` names the invitation, in hexadecimal. */
export type JoinEvent =
  | { readonly type: 'invited' | 'copy_began' | 'copy_sent' | 'copy_given_up'; readonly id: string }
  | { readonly type: 'copy_failed'; readonly id: string; readonly error: unknown }

/** A token, and until when it is good, in milliseconds since 1970. */
export type NewInvitation = { readonly token: string; readonly expiresMs: number }

/** How long an invitation is good for, and a copy may take from its beginning on. */
const invitationMs = 60 * 60 * 1_000

// Bounds on what waits and what is under way: each copy keeps old values of its stores on the disk.
const invitationsMax = 16
const copiesMax = 2

/** An invitation in the books; what was sent stays, because its end may be asked for again. */
type Held = { readonly invitation: Invitation; begun?: Begun; isUnderWay: boolean }

/** A copy that was begun, by whom (the joining end's public key), and what was answered. */
type Begun = { readonly by: Uint8Array; readonly reply: Buffer; readonly copy: SentCopy }

/**
 * The invitations of a node, in memory alone: they end with the process. The holder of a
 * token gets one copy of the node. It owns what is being sent.
 */
export class Invitations {
  readonly #options: InvitationsOptions
  readonly #held = new Map<string, Held>()
  readonly #subscription: Subscription

  constructor(options: InvitationsOptions) {
    this.#options = options
    const { connection, node } = options
    this.#subscription = connection.subscribe(joinSubject(node), {
      callback: (error, message) => {
        if (error === null) void this.#answer(message)
      },
    })
  }

  /** Makes an invitation. ClusterError `invitations_exhausted`. */
  create(): NewInvitation {
    this.#dropExpired()
    if (this.#held.size >= invitationsMax) throw exhausted()
    const { node, random, systemMs, report } = this.#options
    const invitation: Invitation = {
      id: random(invitationIdBytes),
      secret: random(invitationSecretBytes),
      node,
      expiresMs: systemMs() + invitationMs,
    }
    this.#held.set(nameOf(invitation.id), { invitation, isUnderWay: false })
    report({ type: 'invited', id: nameOf(invitation.id) })
    return { token: formatInvitation(invitation), expiresMs: invitation.expiresMs }
  }

  /** Answers nobody any more, and ends what is being sent. */
  async close(): Promise<void> {
    this.#subscription.unsubscribe()
    const copies = [...this.#held.values()].flatMap(({ begun }) => begun?.copy ?? [])
    this.#held.clear()
    await Promise.all(copies.map((copy) => copy.close()))
  }

  async #answer(message: Msg): Promise<void> {
    const question = decodeQuestion(message.data)
    if (question === undefined) return
    const answer = await this.#answerTo(question)
    // A connection that is closed by now answers nothing; the other side asks again, or not.
    if (!this.#options.connection.isClosed()) message.respond(encodeAnswer(answer))
  }

  async #answerTo(question: JoinQuestion): Promise<JoinAnswer> {
    this.#dropExpired()
    const held = this.#held.get(nameOf(question.id))
    if (held === undefined) return refused('unknown')
    if (question.type === 'begin') return this.#begin(held, question)
    if (held.begun === undefined) return refused('unknown')
    const bytes = await held.begun.copy.chunk(question.index, question.tag)
    return bytes === undefined ? refused('failed') : given(bytes)
  }

  #begin(held: Held, { publicKey, tag }: JoinQuestion & { readonly type: 'begin' }): JoinAnswer {
    const { id, secret } = held.invitation
    const greeting = greetingKey(secret)
    if (!isTagOf(greeting, [id, publicKey], tag)) return refused('unknown')
    const { begun } = held
    // The answer may have been lost.
    if (begun !== undefined && Buffer.compare(begun.by, publicKey) === 0) return given(begun.reply)
    if (begun !== undefined) return refused('used')
    const underWay = [...this.#held.values()].filter(({ isUnderWay }) => isUnderWay)
    if (underWay.length >= copiesMax) return refused('busy')
    const own = drawExchangeKey()
    const ends = { joining: publicKey, inviting: own.publicKey }
    const keys = deriveCopyKeys(secret, own, ends)
    if (keys === undefined) return refused('unknown')
    held.isUnderWay = true
    const replyTag = tagOf(greeting, [id, publicKey, own.publicKey])
    const reply = Buffer.concat([own.publicKey, replyTag])
    held.begun = { by: Buffer.from(publicKey), reply, copy: this.#send(held, keys) }
    return given(reply)
  }

  #send(held: Held, keys: CopyKeys): SentCopy {
    const { copy, report } = this.#options
    const id = nameOf(held.invitation.id)
    report({ type: 'copy_began', id })
    return new SentCopy({
      keys,
      pieces: copy(),
      withinMs: invitationMs,
      ended: (outcome) => {
        held.isUnderWay = false
        if (outcome.type === 'failed') report({ type: 'copy_failed', id, error: outcome.error })
        else report({ type: outcome.type === 'sent' ? 'copy_sent' : 'copy_given_up', id })
      },
    })
  }

  #dropExpired(): void {
    const nowMs = this.#options.systemMs()
    for (const [name, { invitation, isUnderWay }] of this.#held) {
      if (!isUnderWay && invitation.expiresMs <= nowMs) this.#held.delete(name)
    }
  }
}

function nameOf(id: Uint8Array): string {
  return Buffer.from(id).toString('hex')
}

function given(bytes: Buffer): JoinAnswer {
  return { type: 'given', bytes }
}

function refused(why: JoinRefusal): JoinAnswer {
  return { type: 'refused', why }
}

function exhausted(): ClusterError {
  return new ClusterError(
    'invitations_exhausted',
    `This node has made ${invitationsMax} invitations within the hour. Wait until one expires, ` +
      'or invite at another node.',
  )
}

/** How the sending ended: all of it was asked for, nobody asked any more, or it failed. */
export type SentOutcome =
  | { readonly type: 'sent' | 'given_up' }
  | { readonly type: 'failed'; readonly error: unknown }

export type SentCopyOptions = {
  readonly keys: CopyKeys
  /** What is sent, in pieces of any length; ended by `return` if it is not sent whole. */
  readonly pieces: AsyncGenerator<Uint8Array>
  /** For how long it may take. */
  readonly withinMs: number
  readonly ended: (outcome: SentOutcome) => void
}

/** Bytes of a chunk, but for the last one: far less than a message of NATS may have. */
const chunkBytes = 256 * 1_024

/** Chunks that may be asked for at a time; twice as many are kept, because answers may be lost. */
const keptMax = 8

/** After which a node that asks for nothing is waited for no more. */
const silentMs = 60_000

/**
 * A copy on its way to the one node that joins: each chunk is made when it is asked for, in their
 * order, so that it goes as fast as that node writes. It owns the source of the pieces.
 */
export class SentCopy {
  readonly #options: SentCopyOptions
  readonly #chunks = new Map<number, Promise<Buffer | undefined>>()
  readonly #deadline: NodeJS.Timeout
  #silence: NodeJS.Timeout | undefined
  #made: Promise<unknown> = Promise.resolve()
  #next = 0
  #rest: Buffer = Buffer.alloc(0)
  #isAllRead = false
  #outcome: SentOutcome | undefined

  constructor(options: SentCopyOptions) {
    this.#options = options
    this.#deadline = setTimeout(() => this.#end({ type: 'given_up' }), options.withinMs).unref()
    this.#listen()
  }

  /** The chunk at a place, sealed, if the tag shows the right to it; undefined: there is none. */
  async chunk(index: number, tag: Uint8Array): Promise<Buffer | undefined> {
    if (!isTagOf(this.#options.keys.ask, [encodeIndex(index)], tag)) return undefined
    this.#listen()
    // The question before this one may have been lost.
    if (index < this.#next + keptMax) while (this.#next <= index) this.#begin()
    return this.#chunks.get(index)
  }

  /** Ends the sending. Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#end({ type: 'given_up' })
    await this.#made
    await this.#options.pieces.return(undefined)
  }

  #begin(): void {
    const index = this.#next
    this.#next += 1
    const chunk = this.#made.then(() => this.#make(index))
    this.#made = chunk
    this.#chunks.set(index, chunk)
    this.#chunks.delete(index - 2 * keptMax)
  }

  async #make(index: number): Promise<Buffer | undefined> {
    try {
      if (this.#outcome !== undefined) return undefined
      while (this.#rest.length <= chunkBytes && !this.#isAllRead) await this.#read()
      if (this.#outcome !== undefined) return undefined
      const isLast = this.#isAllRead && this.#rest.length <= chunkBytes
      const bytes = this.#rest.subarray(0, chunkBytes)
      this.#rest = this.#rest.subarray(bytes.length)
      if (isLast) this.#end({ type: 'sent' })
      return sealChunk(this.#options.keys.seal, index, { bytes, isLast })
    } catch (error) {
      this.#end({ type: 'failed', error })
      return undefined
    }
  }

  async #read(): Promise<void> {
    const step = await this.#options.pieces.next()
    if (step.done === true) this.#isAllRead = true
    else this.#rest = Buffer.concat([this.#rest, step.value])
  }

  #listen(): void {
    clearTimeout(this.#silence)
    if (this.#outcome !== undefined) return
    this.#silence = setTimeout(() => this.#end({ type: 'given_up' }), silentMs).unref()
  }

  #end(outcome: SentOutcome): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    clearTimeout(this.#deadline)
    clearTimeout(this.#silence)
    void this.#options.pieces.return(undefined)
    this.#options.ended(outcome)
  }
}

/** What an operator has a node of a cluster do. */
export type NodeAdmin = {
  /** Lets somebody who has the token join. ClusterErrors: `invitations_exhausted`. */
  invite(): NewInvitation
  /**
   * Leaves the cluster for good: another node leads, the folder is marked, and the process ends.
   * ClusterErrors `node_last`, `node_unconnected`.
   */
  leave(): Promise<LeftCluster>
}

/** Who has left, and the nodes that go on. */
export type LeftCluster = { readonly node: string; readonly others: readonly string[] }
