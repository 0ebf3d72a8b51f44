import { setTimeout as sleep } from 'node:timers/promises'

import { type CountStream, unlessEnded } from '#src/cluster/streams.ts'
import {
  decodeUsageMessage,
  encodeUsageMessage,
  type UsageBatch,
  usesIn,
} from '#src/operations/usage/usage_batch.ts'
import type { OutgoingMessage, SharedRows } from '#src/operations/usage/usage_rows.ts'

/** What happened that an operator may want to know. */
export type SharedUsageEvent =
  /** Nothing could be told or heard, and it is tried again. */
  | { readonly type: 'usage_failed'; readonly error: unknown }
  /** There was no contact for so long that counts were dropped, and more may be. */
  | { readonly type: 'usage_dropped' }
  /** The stream is another one, or has fewer messages: it goes on from what is there. */
  | { readonly type: 'usage_stream_changed'; readonly place: number; readonly newest: number }
  /** So many messages were gone before they were read: what they counted is missing here. */
  | { readonly type: 'usage_missed'; readonly messages: number }
  /** A message is of no form that is known here, and was passed over. */
  | { readonly type: 'usage_malformed'; readonly place: number }

export type SharedUsageOptions = {
  /** The stream, made if it is missing. */
  readonly open: () => Promise<CountStream>
  /** Names this life of the process: no two have the same. */
  readonly life: string
  readonly report: (event: SharedUsageEvent) => void
}

/** Messages that wait until they are told, at most: some 16 MiB. */
const waitingMax = 256

/** How long a stream is followed before it is looked at again, and what an end waits at most. */
const followMs = 60_000
const closeMs = 2_000

/** The pause after something failed, and after each message, in which others have the thread. */
const retryMs = 10_000
const messagePauseMs = 5

type Waiting = OutgoingMessage & { readonly uses: number }

/**
 * The counts of all nodes of a cluster: what is counted here is told to all, and what all tell,
 * this node included, is counted here in the order of one stream. It owns what waits to be told.
 */
export class SharedUsage {
  readonly #options: SharedUsageOptions
  readonly #rows: SharedRows
  readonly #end = new AbortController()
  readonly #running: Promise<void>
  #waiting: readonly Waiting[]
  #wake = Promise.withResolvers<void>()
  #drained = Promise.withResolvers<void>()
  #number = 0
  #isDropping = false
  #lost = 0

  constructor(rows: SharedRows, options: SharedUsageOptions) {
    this.#rows = rows
    this.#options = options
    this.#waiting = rows.outgoing().map((message) => ({ ...message, uses: 0 }))
    this.#running = this.#run()
  }

  /** The place of the newest message that is counted here. */
  get position(): number {
    return this.#rows.place.position
  }

  /** Uses that were counted here and dropped before anybody was told of them. */
  get lost(): number {
    return this.#lost
  }

  /** Messages that wait until they are told. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Tells all nodes, as soon as there is contact. */
  send(batch: UsageBatch): void {
    const { life, report } = this.#options
    this.#number += 1
    const message = { life, number: this.#number, batch }
    const uses = usesIn(batch)
    const bytes = encodeUsageMessage(message)
    const waiting = [...this.#waiting, { id: `${life}-${this.#number}`, bytes, uses }]
    const dropped = waiting.slice(0, -waitingMax)
    if (dropped.length > 0 && !this.#isDropping) report({ type: 'usage_dropped' })
    this.#isDropping ||= dropped.length > 0
    for (const { uses: lost } of dropped) this.#lost += lost
    this.#waiting = waiting.slice(-waitingMax)
    this.#wake.resolve()
  }

  /** Ends: what could not be told is kept for the next start. */
  async close(): Promise<void> {
    this.#drained = Promise.withResolvers()
    this.#wake.resolve()
    if (this.#waiting.length > 0) await this.#drain()
    this.#end.abort(new Error('the counts are closed'))
    this.#wake.resolve()
    await this.#running
    this.#rows.keepOutgoing(this.#waiting)
  }

  /** Waits until nothing waits any more, for some seconds at most. */
  async #drain(): Promise<void> {
    const patience = new AbortController()
    const late = sleep(closeMs, undefined, { signal: patience.signal }).catch(() => undefined)
    await Promise.race([this.#drained.promise, late])
    patience.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      const both = new AbortController()
      const end = AbortSignal.any([signal, both.signal])
      try {
        const stream = await unlessEnded(this.#options.open(), signal)
        const told = this.#tell(stream, end)
        const heard = this.#hear(stream, end)
        await Promise.all([told, heard])
      } catch (error) {
        both.abort()
        this.#wake.resolve()
        if (signal.aborted) return
        this.#options.report({ type: 'usage_failed', error })
        await sleep(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  async #tell(stream: CountStream, end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      const [oldest] = this.#waiting
      if (oldest === undefined) {
        this.#drained.resolve()
        this.#wake = Promise.withResolvers()
        await this.#wake.promise
      } else if (await stream.publish(oldest.bytes, oldest.id, end)) {
        this.#isDropping = false
        // While it was told, it may have been dropped.
        this.#waiting = this.#waiting.filter((message) => message !== oldest)
      }
    }
  }

  async #hear(stream: CountStream, end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      const made = await this.#findPlace(stream, end)
      const until = AbortSignal.any([end, AbortSignal.timeout(followMs)])
      for await (const { sequence, message } of stream.follow(this.position, until)) {
        this.#count(message, { stream: made, position: sequence })
        await sleep(messagePauseMs)
        if (end.aborted) return
      }
    }
  }

  /** Goes on from where this node was, if the stream is still there; gives when it was made. */
  async #findPlace(stream: CountStream, end: AbortSignal): Promise<string> {
    const { report } = this.#options
    const { made, oldest, newest } = await stream.state(end)
    const { stream: known, position: place } = this.#rows.place
    const isOther = known !== made
    if (isOther || place > newest) {
      if (known !== '') report({ type: 'usage_stream_changed', place, newest })
      this.#rows.moveTo({ stream: made, position: isOther ? 0 : newest })
    }
    const messages = oldest - this.position - 1
    // Of a stream that is new here, nothing is missed that was not known to be.
    if (messages > 0 && known === made) report({ type: 'usage_missed', messages })
    return made
  }

  #count(bytes: Uint8Array, place: { readonly stream: string; readonly position: number }): void {
    const message = decodeUsageMessage(bytes)
    if (message !== undefined) this.#rows.take(message, place)
    else {
      this.#rows.moveTo(place)
      this.#options.report({ type: 'usage_malformed', place: place.position })
    }
  }
}
