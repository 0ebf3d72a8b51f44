import type { NatsConnection } from '@nats-io/transport-node'

import type { ActorReport } from '#actors/kernel/actor_report.ts'
import { ask, type Message, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import { Remote } from '#actors/kernel/remote.ts'
import type { Transport } from '#actors/kernel/transport.ts'
import { isNodeName } from '#src/cluster/invitation.ts'
import { NodeLinks } from '#src/cluster/node_links.ts'

export type NodeRemotesOptions = {
  readonly connection: NatsConnection
  /** The name of this node, as `isNodeName` has it. */
  readonly node: string
  /** A text that has never been given before, for each link. */
  readonly drawId: () => string
  readonly elapsedMs: () => number
  readonly reportActor: (report: ActorReport) => void
}

/** A link is taken for dead after so many beats without a word. */
const beatMs = 500
const silentBeatsMax = 6

// Of one node: far more than there are nodes, and than may wait for a leader.
const acceptedMax = 256
const askedMax = 32_768
const answerMsMax = 120_000

/** How long a dialled node may take to answer the first question. */
const greetMs = 2_000

/** What the first question over a link is. */
type Greeting = { readonly type: 'greet'; readonly reply: Reply<string> }

/** A connection to another node. It is used once the other node has answered over it. */
type Dialled = { readonly node: string; readonly remote: Remote; isAnswered: boolean }

/**
 * The other nodes as one asks them, and is asked. It dials one of them at a time: the one that
 * leads. It owns the links, and what is offered over them.
 */
export class NodeRemotes {
  readonly #options: NodeRemotesOptions
  #links: NodeLinks | undefined
  readonly #offered = new Map<string, Ref<never>>()
  readonly #accepted = new Set<Remote>()
  #dialled: Dialled | undefined

  constructor(options: NodeRemotesOptions) {
    this.#options = options
  }

  /**
   * Hears from now on what is for its name, and reaches others. Only the holder of the name does
   * so: it would end the links of another process of that name, which it does not know.
   */
  listen(): void {
    const { connection, node, drawId } = this.#options
    const bounds = { beatMs, silentBeatsMax, acceptedMax }
    if (this.#links !== undefined) return
    const accept = (transport: Transport, from: string) => this.#accept(links, transport, from)
    const links = new NodeLinks({ connection, node, drawId, ...bounds, accept })
    this.#links = links
  }

  /**
   * Lets other nodes ask something under a name: those too that have dialled already, because this
   * one led before, and was back before they knew that it had ended.
   */
  offer<M extends Message>(name: string, offered: Ref<M>): void {
    this.#offered.set(name, offered)
    for (const remote of this.#accepted) remote.offer(name, () => offered)
  }

  /** Another node, once it has answered over a link; it is dialled if it is not the last one. */
  reach(node: string): Remote | undefined {
    const links = this.#links
    if (links === undefined) return undefined
    if (this.#dialled?.node !== node) this.#dial(links, node)
    return this.#dialled?.isAnswered === true ? this.#dialled.remote : undefined
  }

  /** Ends all links. */
  close(): void {
    this.#links?.close()
  }

  #accept(links: NodeLinks, transport: Transport, from: string): void {
    const remote = this.#remote(links, transport, from)
    remote.offer('greeting', () =>
      referTo<Greeting>('greeting', ({ reply }) => {
        reply.resolve(this.#options.node)
        return true
      }),
    )
    for (const [name, offered] of this.#offered) remote.offer(name, () => offered)
    this.#accepted.add(remote)
    void remote.ended.then(() => this.#accepted.delete(remote))
  }

  #dial(links: NodeLinks, node: string): void {
    this.#dialled?.remote.close()
    const remote = this.#remote(links, links.dial(node), node)
    const dialled = { node, remote, isAnswered: false }
    this.#dialled = dialled
    const forget = () => {
      if (this.#dialled === dialled) this.#dialled = undefined
    }
    void remote.ended.then(forget)
    ask(remote.at<Greeting>('greeting', ''), { type: 'greet' }, greetMs).then(
      () => {
        dialled.isAnswered = true
      },
      () => remote.close(),
    )
  }

  #remote(links: NodeLinks, transport: Transport, name: string): Remote {
    const { elapsedMs, reportActor: report } = this.#options
    const messageCharactersMax = links.textCharactersMax
    const bounds = { askedMax, messageCharactersMax, answerMsMax, elapsedMs }
    return new Remote({ name: `node ${name}`, transport, ...bounds, report })
  }
}

/**
 * What nodes say to all others about a topic, on `arklog.<topic>.<node>`. NATS delivers it at most
 * once, and what one node says in order; while there is no connection, nothing is delivered.
 */
export class NodeBroadcast {
  readonly #connection: NatsConnection
  readonly #topic: string
  readonly #node: string

  constructor(connection: NatsConnection, topic: string, node: string) {
    this.#connection = connection
    this.#topic = topic
    this.#node = node
  }

  /** Says something to all other nodes that listen. */
  say(text: string): void {
    if (this.#connection.isClosed()) return
    this.#connection.publish(`arklog.${this.#topic}.${this.#node}`, text)
  }

  /** Hears what nodes say, this one included, until what it returns is called. */
  hear(heard: (from: string, text: string) => void): () => void {
    const subscription = this.#connection.subscribe(`arklog.${this.#topic}.*`, {
      callback: (error, message) => {
        const from = message?.subject.split('.').at(-1) ?? ''
        if (error === null && isNodeName(from)) heard(from, message.string())
      },
    })
    return () => subscription.unsubscribe()
  }
}
