import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

import type { Transport } from '#actors/kernel/remote.ts'
import { assert } from '#log/base/errors.ts'
import { decodeFrame, encodeFrame, type LinkFrame } from '#src/cluster/link_frame.ts'
import { NodeLink } from '#src/cluster/node_link.ts'
import { isNodeName } from '#src/cluster/node_name.ts'

/** What the links of a node need. */
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

  /** Ends the links to a node that is known to be gone. */
  endWith(node: string): void {
    for (const held of this.#links.values()) if (held.node === node) held.link.end()
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
    assert(link.isHeard, 'whoever takes a link listens to it')
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
