// What clients asked of works under load and were answered, as the history of one register a work.

import { setTimeout as sleep } from 'node:timers/promises'

import { newWork } from '#test/scenario/_process.ts'

/** A node that clients ask, wherever it is: `http://host:port`. */
export type AskedNode = { readonly url: string }

/** An operation on a register, as the checker of test/foreign/linearizability reads it. */
export type Operation = {
  readonly client: number
  readonly register: string
  readonly write: boolean
  readonly value: string
  /** The version that a write has made, or that was read; 0 where no answer came. */
  readonly version: number
  readonly call_us: number
  /** Missing where no answer came: the write may have been made. */
  readonly return_us?: number
}

/** All that was asked of some works. */
export type History = {
  /** What each work said at its version 1. */
  readonly first: Record<string, string>
  readonly operations: Operation[]
}

/** Refusals of a node that has not written: it leads no more, or knows nobody who does. */
const notWritten = new Set([429, 503])

/**
 * Clients that write to works and read them at any node. A read carries the newest position that a
 * write was answered with, and may be answered from any state since then. So it counts as asked for
 * when that answer came: all that was acknowledged until it was sent has to be in it, and what two
 * nodes show of a write that nobody has acknowledged yet may differ.
 */
export class RegisterClients {
  readonly history: History = { first: {}, operations: [] }
  /** When each write was acknowledged, in milliseconds. */
  readonly acknowledgedMs: number[] = []
  refused = 0
  readonly #nodes: readonly AskedNode[]
  readonly #key: string
  readonly #random: () => number
  readonly #answerMsMax: number
  /** The furthest position that a write was answered with, and when the last one was. */
  #newest: Acknowledged | undefined

  /** A client waits for `answerMsMax` at most, and then asks somebody else. */
  constructor(
    nodes: readonly AskedNode[],
    key: string,
    { random, answerMsMax }: { readonly random: () => number; readonly answerMsMax: number },
  ) {
    this.#nodes = nodes
    this.#key = key
    this.#random = random
    this.#answerMsMax = answerMsMax
  }

  /** Registers a work whose versions are then written and read. */
  async register(title: string): Promise<string> {
    const body = { ...newWork(title), description: title }
    const reply = await this.#send('/v1/works', { method: 'POST', body, node: this.#anyNode() })
    if (reply?.status !== 201) throw new Error(`${reply?.status} ${JSON.stringify(reply?.body)}`)
    const ark = String(reply.body['ark_identifier'])
    this.history.first[ark] = title
    this.#noteAcknowledged(reply.position)
    return ark
  }

  /** Writes and reads as one client until `signal` aborts. */
  async run(client: number, arks: readonly string[], signal: AbortSignal): Promise<void> {
    for (let count = 0; !signal.aborted; count += 1) {
      const ark = arks[Math.floor(this.#random() * arks.length)] ?? ''
      const value = `client ${client}, write ${count} of ${ark}`
      if (this.#random() < 0.5) await this.#write(client, ark, value)
      else await this.read(client, ark, this.#anyNode())
    }
  }

  /** Reads a work at a node; false where that does not answer. */
  async read(client: number, ark: string, node: AskedNode): Promise<boolean> {
    const call_us = this.#newest?.atUs ?? nowUs()
    const reply = await this.#send(`/v1/resolve/${ark}`, { method: 'GET', node })
    if (reply?.status !== 200) {
      await this.#noteRefused(reply)
      return false
    }
    const { metadata, version } = reply.body as ShownWork
    const value = metadata.description ?? ''
    const read = { client, register: ark, write: false, value, version }
    this.history.operations.push({ ...read, call_us, return_us: nowUs() })
    return true
  }

  async #write(client: number, ark: string, value: string): Promise<void> {
    const call_us = nowUs()
    const body = { description: value }
    const reply = await this.#send(`/v1/works/${ark}`, {
      method: 'PUT',
      body,
      node: this.#anyNode(),
    })
    const write = { client, register: ark, write: true, value, call_us }
    if (reply?.status === 200) {
      const version = Number(reply.body['version'])
      this.history.operations.push({ ...write, version, return_us: nowUs() })
      this.#noteAcknowledged(reply.position)
      return
    }
    const isOpen = reply === undefined || !notWritten.has(reply.status)
    if (isOpen) this.history.operations.push({ ...write, version: 0 })
    await this.#noteRefused(reply)
  }

  #noteAcknowledged(position: string | null): void {
    this.acknowledgedMs.push(performance.now())
    const live = Number(position?.split('.')[0])
    const isNewest = position !== null && live >= (this.#newest?.live ?? 0)
    const newest = isNewest ? { position, live } : this.#newest
    // What is acknowledged later at a place before that is in what such a read shows, too.
    this.#newest = newest && { ...newest, atUs: nowUs() }
  }

  async #noteRefused(reply: Answer | undefined): Promise<void> {
    if (reply !== undefined && reply.status >= 400 && !mayComeUnderFaults.has(reply.status)) {
      throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
    }
    this.refused += 1
    // Whoever is refused at once does not ask without a pause.
    await sleep(50)
  }

  #anyNode(): AskedNode {
    const node = this.#nodes[Math.floor(this.#random() * this.#nodes.length)]
    if (node === undefined) throw new Error('there are nodes')
    return node
  }

  /** What a node answers; 503 where it was not reached, undefined where nothing is known. */
  async #send(path: string, { method, body, node }: Sent): Promise<Answer | undefined> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}` }
    if (method === 'GET' && this.#newest) headers['x-read-after'] = this.#newest.position
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      const response = await fetch(`${node.url}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(this.#answerMsMax),
        body: body === undefined ? null : JSON.stringify(body),
      })
      const position = response.headers.get('x-read-after')
      const answered = (await response.json()) as Record<string, unknown>
      return { status: response.status, position, body: answered }
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') return { status: 503, position: null, body: {} }
      return undefined
    }
  }
}

type Acknowledged = { readonly position: string; readonly live: number; readonly atUs: number }

type ShownWork = {
  readonly version: number
  readonly metadata: { readonly description?: string }
}

type Sent = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly node: AskedNode
  readonly body?: Record<string, string>
}

type Answer = {
  readonly status: number
  readonly position: string | null
  readonly body: Record<string, unknown>
}

/** What a client may be told while a cluster has faults. */
const mayComeUnderFaults = new Set([429, 503, 504])

function nowUs(): number {
  return Math.round(performance.now() * 1_000)
}
