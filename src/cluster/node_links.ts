import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

import type { ActorReport } from '#actors/kernel/actor_error.ts'
import { ask, type Message, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import { type Transport, type TransportListener, Remote } from '#actors/kernel/remote.ts'
import { assert } from '#log/tlog/errors.ts'
import { isNodeName } from '#src/cluster/invitation.ts'

export type NodeLinksOptions = {
  readonly connection: NatsConnection
  /** The name of this node, as `isNodeName` has it. */
  readonly node: string
  /** A name of a link that this node has not given before, also in an earlier life. */
  readonly drawId: () => string
  /** Milliseconds between two beats of a link. */
  readonly beatMs: number
  /** Beats without a word of the other node after which it is taken for gone. */
  readonly silentBeatsMax: number
  /** Links that other nodes have begun, at most. */
  readonly acceptedMax: number
  /** Takes a link that another node has begun; listens to it before it returns. */
  readonly accept: (transport: Transport, from: string) => void
}

/** A link in the books, under the node at its other end and its id. */
type Held = { readonly link: NodeLink; readonly node: string; readonly isAccepted: boolean }

// The longest UTF-8 encoding of a UTF-16 unit, and room for the lengths of the texts of a frame.
const bytesPerCharacter = 3
const headBytesMax = 64 * 1024

/**
 * The connections of a node to others over subjects of NATS: `arklog.node.<to>.<from>.<id>` carries
 * what goes to a node over a link, so one subscription hears all that is for it. A node that asks
 * another one dials it, and both ends are transports of a `Remote`. Once a node is gone, the first
 * frame or beat that is sent to it ends the link; a connection to the engine that is lost and made
 * again ends those links of which it has lost something.
 */
export class NodeLinks {
  readonly #options: NodeLinksOptions
  readonly #links = new Map<string, Held>()
  readonly #subscription: Subscription
  readonly #beating: NodeJS.Timeout
  #isOpen = true

  constructor(options: NodeLinksOptions) {
    const { connection, node, beatMs } = options
    assert(isNodeName(node), 'a node has a name')
    this.#options = options
    this.#subscription = connection.subscribe(`arklog.node.${node}.*.*`, {
      callback: (error, message) => {
        if (error === null) this.#receive(message)
        else this.close()
      },
    })
    this.#beating = setInterval(() => this.#beat(), beatMs).unref()
    void connection.closed().then(() => this.#endAll())
  }

  /** UTF-16 units of a text that a link carries, at most. */
  get textCharactersMax(): number {
    const { max_payload: bytes = 1_048_576 } = this.#options.connection.info ?? {}
    return Math.floor((bytes - headBytesMax) / bytesPerCharacter)
  }

  /** Begins a link to another node. If that one is not there, the link ends at once. */
  dial(node: string): Transport {
    assert(isNodeName(node) && node !== this.#options.node, 'another node has a name')
    const id = this.#options.drawId()
    const link = this.#hold(node, id, false)
    if (!this.#isOpen || !this.#publish(node, id, { type: 'open' })) setImmediate(() => link.end())
    return link
  }

  /** Ends all links, and tells the other nodes. */
  close(): void {
    if (!this.#isOpen) return
    for (const { link } of this.#links.values()) link.close()
    this.#isOpen = false
    clearInterval(this.#beating)
    this.#subscription.unsubscribe()
  }

  #endAll(): void {
    for (const { link } of this.#links.values()) link.end()
  }

  #beat(): void {
    for (const { link } of this.#links.values()) link.beat()
  }

  #receive(message: Msg): void {
    const [, , , node = '', id = ''] = message.subject.split('.')
    const held = this.#links.get(`${node}.${id}`)
    // What NATS answers in the name of a node that is not there.
    if (message.headers?.code === 503) return held?.link.end()
    const frame = decodeFrame(message.string())
    if (frame === undefined) return held?.link.close()
    if (held !== undefined) return held.link.receive(frame)
    if (frame.type === 'open') this.#accept(node, id)
    else if (frame.type !== 'end') this.#publish(node, id, { type: 'end' })
  }

  #accept(node: string, id: string): void {
    const accepted = [...this.#links.values()].filter(({ isAccepted }) => isAccepted)
    if (!isNodeName(node) || accepted.length >= this.#options.acceptedMax) {
      this.#publish(node, id, { type: 'end' })
      return
    }
    const link = this.#hold(node, id, true)
    this.#options.accept(link, node)
    assert(link.isHeard, 'a link that is taken is listened to')
  }

  #hold(node: string, id: string, isAccepted: boolean): NodeLink {
    const key = `${node}.${id}`
    assert(!this.#links.has(key), 'a link has an id of its own')
    const link = new NodeLink({
      publish: (frame) => this.#publish(node, id, frame),
      frameCharactersMax: this.textCharactersMax,
      silentBeatsMax: this.#options.silentBeatsMax,
      ended: () => this.#links.delete(key),
    })
    this.#links.set(key, { link, node, isAccepted })
    return link
  }

  /** False: the connection to the engine takes nothing any more. */
  #publish(node: string, id: string, frame: LinkFrame): boolean {
    const { connection, node: own } = this.#options
    // Where nobody hears it, NATS says so to the one who would have the answer.
    const reply = `arklog.node.${own}.${node}.${id}`
    try {
      connection.publish(`arklog.node.${node}.${own}.${id}`, encodeFrame(frame), { reply })
      return true
    } catch {
      return false
    }
  }
}

// So that their lengths have room in the head of a frame.
const frameTextsMax = 4_096

export type NodeLinkOptions = {
  /** Sends a frame to the other node. False: nothing is sent any more. */
  readonly publish: (frame: LinkFrame) => boolean
  /** UTF-16 units of the texts of one frame, at most. */
  readonly frameCharactersMax: number
  /** Beats without a frame from the other node after which it is taken for gone. */
  readonly silentBeatsMax: number
  /** Called once, when the link has ended. */
  readonly ended: () => void
}

/**
 * A connection between two nodes over an engine that delivers at most once. It carries all texts in
 * order or ends: frames are numbered, and a beat tells how many there were. It ends when a frame is
 * missing, when nobody is there for one, when the other node has not been heard for some beats, and
 * when either side closes it.
 */
export class NodeLink implements Transport {
  readonly #options: NodeLinkOptions
  #listener: TransportListener | undefined
  #isOpen = true
  #sent = 0
  #received = 0
  #silentBeats = 0

  constructor(options: NodeLinkOptions) {
    this.#options = options
  }

  /** A text has `frameCharactersMax` at most. */
  send(texts: readonly string[]): void {
    let from = 0
    while (this.#isOpen && from < texts.length) {
      const to = this.#frameEnd(texts, from)
      this.#publish({ type: 'texts', number: this.#sent, texts: texts.slice(from, to) })
      this.#sent += 1
      from = to
    }
  }

  listen(listener: TransportListener): void {
    assert(this.#listener === undefined, 'a link has one listener')
    this.#listener = listener
  }

  get isHeard(): boolean {
    return this.#listener !== undefined
  }

  close(): void {
    if (this.#isOpen) this.#options.publish({ type: 'end' })
    this.end()
  }

  /** Takes a frame of the other node. One that does not follow the last one ends the link. */
  receive(frame: LinkFrame): void {
    if (!this.#isOpen) return
    this.#silentBeats = 0
    switch (frame.type) {
      case 'texts':
        if (frame.number !== this.#received) return this.close()
        this.#received += 1
        this.#listener?.received(frame.texts)
        return
      case 'beat':
        if (frame.sent !== this.#received) this.close()
        return
      case 'open':
        return this.close()
      case 'end':
        return this.end()
    }
  }

  /** Says to the other node that this one lives; judges whether that one does. */
  beat(): void {
    this.#silentBeats += 1
    if (this.#silentBeats > this.#options.silentBeatsMax) return this.close()
    this.#publish({ type: 'beat', sent: this.#sent })
  }

  /** Ends the link without a word to the other node, which is known to be gone or to know. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#options.ended()
    this.#listener?.ended()
  }

  #publish(frame: LinkFrame): void {
    if (this.#isOpen && !this.#options.publish(frame)) this.end()
  }

  /** Where the frame ends that begins with a text: before the text that has no room any more. */
  #frameEnd(texts: readonly string[], from: number): number {
    const { frameCharactersMax } = this.#options
    const last = Math.min(texts.length, from + frameTextsMax)
    let characters = 0
    for (let at = from; at < last; at += 1) {
      const { length = 0 } = texts[at] ?? {}
      assert(length <= frameCharactersMax, `a text has ${frameCharactersMax} characters at most`)
      characters += length
      if (characters > frameCharactersMax) return at
    }
    return last
  }
}

/**
 * What two nodes send each other over a link. A link begins with `open`. `texts` are numbered from
 * 0. A `beat` says how many of them were sent before it, so that none is lost unnoticed. `end` is
 * the last.
 */
export type LinkFrame =
  | { readonly type: 'open' }
  | { readonly type: 'texts'; readonly number: number; readonly texts: readonly string[] }
  | { readonly type: 'beat'; readonly sent: number }
  | { readonly type: 'end' }

/** `texts 7 12,3` and a line feed, then texts of 12 and 3 UTF-16 units; `beat 8`; `open`; `end`. */
export function encodeFrame(frame: LinkFrame): string {
  switch (frame.type) {
    case 'texts': {
      const lengths = frame.texts.map((text) => text.length).join(',')
      return `texts ${frame.number} ${lengths}\n${frame.texts.join('')}`
    }
    case 'beat':
      return `beat ${frame.sent}`
    case 'open':
    case 'end':
      return frame.type
  }
}

const numbered = /^(texts|beat) (\d{1,15})(?: (\d{1,9}(?:,\d{1,9})*))?$/

/** Reads what `encodeFrame` wrote. Undefined: it is nothing of the kind. */
export function decodeFrame(message: string): LinkFrame | undefined {
  if (message === 'open' || message === 'end') return { type: message }
  const end = message.indexOf('\n')
  const head = end === -1 ? message : message.slice(0, end)
  const [, type, number = '', lengths] = numbered.exec(head) ?? []
  if (type === 'beat' && end === -1 && lengths === undefined) {
    return { type, sent: Number(number) }
  }
  if (type !== 'texts' || end === -1 || lengths === undefined) return undefined
  const texts = cut(message, end + 1, lengths.split(',').map(Number))
  return texts && { type, number: Number(number), texts }
}

/** The texts of a message from `start`, by their lengths. Undefined unless they are all of it. */
function cut(
  message: string,
  start: number,
  lengths: readonly number[],
): readonly string[] | undefined {
  let from = start
  const texts: string[] = []
  for (const length of lengths) {
    texts.push(message.slice(from, from + length))
    from += length
  }
  return from === message.length ? texts : undefined
}

export type NodeRemotesOptions = {
  readonly connection: NatsConnection
  /** The name of this node, as `isNodeName` has it. */
  readonly node: string
  /** A text that has never been given before: for this life of the process, and for each link. */
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
