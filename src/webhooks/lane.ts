import type { Ed25519Key } from '#log/ed25519.ts'
import type { Poster, PostOutcome } from '#src/fetch/poster.ts'
import type { Delivery, Endpoint, EndpointProgress } from '#src/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/webhooks/endpoint_store.ts'
import { type Change, kindOfChange, type Message, messageOf, pingOf } from '#src/webhooks/event.ts'
import { signedHeaders } from '#src/webhooks/signature.ts'

/** Changes of the journal from a place on; `next` is the place after them. */
export type ChangesRead = { readonly changes: readonly Change[]; readonly next: number }

/** What a lane works with. */
export type LaneOptions = {
  readonly endpoints: EndpointStore
  readonly poster: Poster
  /** The changes after a `seq`. */
  readonly read: (after: number) => Promise<ChangesRead>
  /** How many events the journal holds. */
  readonly events: () => number
  /** Whether this node is the one that delivers. */
  readonly isDue: () => boolean
  readonly baseUrl: string
  /** What the ids of messages begin with. */
  readonly prefix: string
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  /** From 0 up to 1. */
  readonly random: () => number
  readonly report: (error: unknown) => void
}

/** When nothing was delivered for so long, the endpoint is given up. */
const patienceMs = 3 * 24 * 3_600_000

const minuteMs = 60_000
const retriesMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs]
const retryMsMax = 4 * 60 * minuteMs

/** How long a lane rests at most that nobody wakes, and one that has met a fault. */
const idleMs = 60_000
const faultMs = 5_000

/** Tries that are remembered, and how far a lane goes on before it writes down where it is. */
const recentMax = 10
const unwrittenMax = 1_000

/** How long it is until the next try after so many failures: within a fifth of it, by chance. */
function retryAfterMs(failures: number, random: number): number {
  return (retriesMs[failures - 1] ?? retryMsMax) * (0.9 + 0.2 * random)
}

/**
 * The deliveries of one endpoint, one after another, so that they are in the order of the journal,
 * and wait for no other endpoint. It owns how far they have come.
 */
export class Lane {
  readonly #id: string
  readonly #options: LaneOptions
  readonly #closing = new AbortController()
  readonly #key: Ed25519Key
  readonly #running: Promise<void>
  #wakeUp: () => void = () => {}
  #isWoken = false
  #hasChanged = false
  #progress: EndpointProgress | undefined
  #written = 0

  constructor(id: string, options: LaneOptions) {
    this.#id = id
    this.#options = options
    this.#key = options.endpoints.signingKey(id)
    this.#running = this.#run()
  }

  /** There are news in the journal. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp()
  }

  /** The endpoint was changed. */
  changed(): void {
    this.#hasChanged = true
    this.wake()
  }

  /** Ends the deliveries; what was delivered is written down. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      let restMs: number
      try {
        restMs = await this.#step()
      } catch (error) {
        this.#options.report(error)
        this.#progress = undefined
        restMs = faultMs
      }
      if (restMs > 0) await this.#rest(restMs)
    }
  }

  async #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms).unref()
    this.#wakeUp = resolve
    if (!this.#isWoken && !this.#closing.signal.aborted) await promise
    this.#isWoken = false
    clearTimeout(timer)
  }

  /** Does what is due; gives how long nothing else is. */
  async #step(): Promise<number> {
    this.#hasChanged = false
    const { endpoints, isDue, nowMs } = this.#options
    const endpoint = endpoints.get(this.#id)
    if (endpoint === undefined || !isDue()) {
      // Whoever delivers meanwhile knows better how far that has come.
      this.#progress = undefined
      return endpoint === undefined ? idleMs : faultMs
    }
    const progress = this.#progressOf(endpoint)
    if (progress.pings < endpoint.pings) return this.#ping(endpoint, progress)
    if (endpoint.status !== 'active') return idleMs
    const restMs = (progress.nextMs ?? 0) - nowMs()
    return restMs > 0 ? restMs : this.#deliver(endpoint, progress)
  }

  #progressOf({ start }: Endpoint): EndpointProgress {
    const known = this.#progress ?? this.#options.endpoints.progress(this.#id)
    if (known !== undefined && known.starts === start.count) return known
    const { pings = 0, recent = [] } = known ?? {}
    const after = start.after ?? known?.after ?? 0
    this.#written = after
    return { starts: start.count, after, pings, failures: 0, recent }
  }

  async #ping(endpoint: Endpoint, progress: EndpointProgress): Promise<number> {
    const { pings } = endpoint
    const at = new Date(this.#options.nowMs()).toISOString()
    const { delivery, outcome } = await this.#send(endpoint, pingOf(endpoint.id, pings, at))
    if (outcome.type === 'aborted') return 0
    if (outcome.type === 'postponed') return outcome.retryAfterMs
    await this.#keep({ ...progress, pings, recent: withTry(progress, delivery) })
    return 0
  }

  /** Delivers what follows, until a try fails. */
  async #deliver(endpoint: Endpoint, before: EndpointProgress): Promise<number> {
    const { read, events, baseUrl, prefix } = this.#options
    let progress = before
    // A journal that was set back goes on with other changes.
    if (progress.after > events()) progress = { ...progress, after: events() }
    const { changes, next } = await read(progress.after)
    for (const change of changes) {
      const isOurs = change.sets.includes(endpoint.organization)
      const kind = isOurs ? kindOfChange(change, endpoint.events) : undefined
      if (kind === undefined) continue
      if (this.#hasChanged || this.#closing.signal.aborted) return this.#pass(progress)
      const message = messageOf(change, kind, { baseUrl, prefix })
      const { delivery, outcome } = await this.#send(endpoint, message)
      if (outcome.type === 'aborted') return this.#pass(progress)
      if (outcome.type === 'postponed') {
        await this.#pass(progress)
        return outcome.retryAfterMs
      }
      const recent = withTry(progress, delivery)
      if (!delivery.delivered) return this.#fail({ ...progress, recent }, outcome)
      const { failingSinceMs: _since, nextMs: _next, ...rest } = progress
      progress = { ...rest, after: change.seq, failures: 0, recent }
    }
    const passed = { ...progress, after: Math.max(progress.after, next) }
    await (progress === before ? this.#note(passed) : this.#keep(passed))
    return next < events() ? 0 : idleMs
  }

  async #pass(progress: EndpointProgress): Promise<number> {
    await this.#keep(progress)
    return 0
  }

  async #fail(progress: EndpointProgress, outcome: PostOutcome): Promise<number> {
    const { endpoints, nowMs, random } = this.#options
    const now = nowMs()
    const failures = progress.failures + 1
    const failingSinceMs = progress.failingSinceMs ?? now
    const restMs = retryAfterMs(failures, random())
    await this.#keep({ ...progress, failures, failingSinceMs, nextMs: now + restMs })
    // By 410 an endpoint says that it wants nothing any more.
    const isGone = outcome.type === 'answered' && outcome.status === 410
    if (isGone || now - failingSinceMs >= patienceMs) await endpoints.giveUp(this.#id)
    return restMs
  }

  async #send(
    endpoint: Endpoint,
    { id, type, body }: Message,
  ): Promise<{ readonly delivery: Delivery; readonly outcome: PostOutcome }> {
    const { endpoints, poster, nowMs } = this.#options
    const sentMs = nowMs()
    const secrets = endpoints.secretsOf(endpoint)
    const signed = { id, timestamp: Math.floor(sentMs / 1_000), body }
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(signed, secrets, this.#key),
    }
    const outcome = await poster.post({ url: endpoint.url, headers, body }, this.#closing.signal)
    const answer =
      outcome.type === 'answered' ? { status: outcome.status, text: outcome.text } : undefined
    const delivery: Delivery = {
      message: id,
      type,
      at: new Date(sentMs).toISOString(),
      duration_ms: Math.max(0, nowMs() - sentMs),
      body,
      delivered: answer !== undefined && answer.status >= 200 && answer.status < 300,
      ...(answer && { answer }),
      ...(outcome.type === 'failed' && { problem: outcome.reason }),
    }
    return { delivery, outcome }
  }

  /** Remembers what was read and does not concern the endpoint: seldom by a write. */
  async #note(progress: EndpointProgress): Promise<void> {
    this.#progress = progress
    if (progress.after - this.#written >= unwrittenMax) await this.#keep(progress)
  }

  async #keep(progress: EndpointProgress): Promise<void> {
    await this.#options.endpoints.keepProgress(this.#id, progress)
    this.#progress = progress
    this.#written = progress.after
  }
}

function withTry({ recent }: EndpointProgress, delivery: Delivery): readonly Delivery[] {
  return [delivery, ...recent].slice(0, recentMax)
}
