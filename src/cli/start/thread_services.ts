// What the threads of a registry do for each other: a line in a table for each service, and below
// it what a service needs beside that.

import type { RequestKey } from '#actors/journal/idempotency.ts'
import { ActorError, isActorError } from '#actors/kernel/actor_error.ts'
import { QueueError } from '#actors/kernel/fair_queue.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerService, remoteService, type Service } from '#actors/kernel/service.ts'
import { type EnvironmentName, perEnvironment } from '#actors/registry/environment.ts'
import { type ContentReading, readingLimits } from '#src/delivery/fetch/content_fetcher.ts'
import type { DelivererStatus } from '#src/delivery/webhooks/deliverer.ts'
import { type IndexKind, SearchError } from '#src/discovery/search/search_engine.ts'
import type { FoundPage, RecordSearch, SearchQuery } from '#src/discovery/search/search_service.ts'
import type { Begun, KeptReplies, KeptReply } from '#src/edge/kept_replies.ts'
import type { RequestCounts, RequestDurations } from '#src/edge/request_durations.ts'
import type { TurnQueue, TurnQueues } from '#src/edge/turns.ts'
import type { Span } from '#src/operations/history.ts'
import type { EventSpan, FoundEvents } from '#src/operations/kept_events.ts'
import type { OperationsReport, RegistryReadiness } from '#src/operations/operations.ts'
import type { UsageBatch } from '#src/operations/usage/usage_batch.ts'
import type { RegistryParts } from '#src/use_cases/registry_edge.ts'

/** What one thread does for all that serve a registry. */
export type CoreServices = Pick<
  RegistryParts,
  'readiness' | 'operations' | 'search' | 'contentReader'
>

type CoreCalls = {
  describeReadiness(): Promise<RegistryReadiness>
  reportOperations(span: Span): Promise<OperationsReport>
  tellHappened(span: EventSpan): Promise<FoundEvents | undefined>
  find(
    environment: EnvironmentName,
    kind: IndexKind,
    query: SearchQuery,
    caller: string,
    signal: AbortSignal | undefined,
  ): Promise<FoundPage>
  readContent(url: string, signal: AbortSignal): Promise<ContentReading>
}

type TurnCalls = {
  /** Resolves when it is the turn of a caller of this thread, which numbers its turns. */
  enter(queue: keyof TurnQueues, caller: string, turn: number): Promise<void>
  leave(turn: number): void
}

/** A reply on its way between threads, as plain JSON. */
type SentReply = Omit<KeptReply, 'body'> & {
  readonly body: { readonly text: string } | { readonly base64: string }
}

type SentBegun =
  | Exclude<Begun, { type: 'kept' }>
  | { readonly type: 'kept'; readonly reply: SentReply }

type ReplyCalls = {
  begin(write: RequestKey): Promise<SentBegun>
  finish(write: RequestKey, reply: SentReply): Promise<void>
  abandon(write: RequestKey): Promise<void>
}

/** What the thread that delivers webhooks says. */
type DeliveryCalls = {
  noteStatus(environment: EnvironmentName, status: DelivererStatus): void
  /** An endpoint was given up, and its owners are not yet told: they are to be, once. */
  tellFailure(environment: EnvironmentName, endpoint: string): void
}

function coreService(ms: number): Service<CoreCalls> {
  return {
    name: 'services',
    calls: {
      describeReadiness: ms,
      reportOperations: ms,
      tellHappened: ms,
      find: { ms, abortable: true },
      // The other side gives a reading up by itself, and says so.
      readContent: { ms: readingLimits.readingMs + ms, abortable: true },
    },
    errors: { QueueError, SearchError },
  }
}

const turnService: Service<TurnCalls> = {
  name: 'turns',
  // Clients leave, and with them what waits for them, long before.
  calls: { enter: 600_000, leave: 'tell' },
  errors: { QueueError },
}

const replyService: Service<ReplyCalls> = {
  name: 'kept replies',
  calls: { begin: 10_000, finish: 10_000, abandon: 10_000 },
}

/** Writes the uses that a thread has counted; what takes longer counts as lost. */
export const usageService: Service<{ add(batch: UsageBatch): Promise<void> }> = {
  name: 'usage',
  calls: { add: 10_000 },
}

// A thread that gives no answer is busy, or hangs.
const durationsService: Service<{ counts(): Promise<readonly RequestCounts[]> }> = {
  name: 'request durations',
  calls: { counts: 2_000 },
}

/** What the thread that runs a registry takes from the one that delivers. */
export const deliveryService: Service<DeliveryCalls> = {
  name: 'deliveries',
  calls: { noteStatus: 'tell', tellFailure: 'tell' },
}

/** A thread is asked for a sign of life so often, and may give none so many times in a row. */
const livenessMs = 10_000
const missedMax = 3

const liveness: Service<{ live(): Promise<void> }> = {
  name: 'liveness',
  calls: { live: livenessMs },
}

/** Lets the other side of a connection use services of this one (`remoteServices`). */
export function offerServices(remote: Remote, services: CoreServices): void {
  const { readiness, operations, search, contentReader } = services
  offerService(remote, coreService(0), {
    describeReadiness: readiness,
    async reportOperations(span) {
      if (operations !== undefined) return operations.report(span)
      throw new ActorError('stopped', 'no history of the registry is kept')
    },
    tellHappened: (span) => operations?.happened(span) ?? Promise.resolve(undefined),
    async find(environment, kind, query, caller, signal) {
      if (search === undefined) throw new ActorError('stopped', 'nothing is searched')
      return search[environment].find(kind, query, { caller, ...(signal && { signal }) })
    },
    readContent: (url, signal) => contentReader.read(url, signal),
  })
}

/** How long the other side may take, and whether it searches. */
export type ServicesOptions = { readonly askTimeoutMs: number; readonly searches: boolean }

/**
 * The services of the other side of a connection. They have the errors that they have there, and
 * ActorError when that side has ended or takes too long; then it gives up what it was at.
 */
export function remoteServices(
  remote: Remote,
  { askTimeoutMs, searches }: ServicesOptions,
): CoreServices {
  const owner = remoteService(remote, coreService(askTimeoutMs))
  const searchOf = (environment: EnvironmentName): RecordSearch => ({
    find: (kind, query, { caller, signal }) => owner.find(environment, kind, query, caller, signal),
  })
  return {
    readiness: () => owner.describeReadiness(),
    operations: {
      report: (span) => owner.reportOperations(span),
      happened: (span) => owner.tellHappened(span),
    },
    ...(searches && { search: perEnvironment(searchOf) }),
    contentReader: { read: (url, gone) => owner.readContent(url, gone) },
  }
}

/**
 * Lets the other side of a connection take turns with all that use these queues
 * (`remoteTurnQueues`). When that side ends, so do its turns.
 */
export function offerTurns(remote: Remote, queues: TurnQueues): void {
  const turns = new Map<number, AbortController>()
  offerService(remote, turnService, {
    enter(queue, caller, turn) {
      const leaving = new AbortController()
      turns.set(turn, leaving)
      const entered = Promise.withResolvers<void>()
      const untilLeft = () =>
        new Promise<void>((resolve) => {
          leaving.signal.addEventListener('abort', () => resolve(), { once: true })
          entered.resolve()
        })
      const taken = queues[queue].run(caller, untilLeft, leaving.signal)
      void taken.catch(entered.reject).finally(() => turns.delete(turn))
      return entered.promise
    },
    leave: (turn) => turns.get(turn)?.abort(),
  })
  void remote.ended.then(() => {
    for (const leaving of turns.values()) leaving.abort()
  })
}

/** The queues of the other side of a connection. Errors: those of the queues; ActorError. */
export function remoteTurnQueues(remote: Remote): TurnQueues {
  const owner = remoteService(remote, turnService)
  let turns = 0
  const queueOf = (queue: keyof TurnQueues): TurnQueue => ({
    async run(caller, task, signal) {
      if (signal?.aborted === true) throw new QueueError('queue_left')
      turns += 1
      const turn = turns
      const leave = () => owner.leave(turn)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        await owner.enter(queue, caller, turn)
        signal?.removeEventListener('abort', leave)
        return await task()
      } finally {
        leave()
      }
    },
  })
  return { heavy: queueOf('heavy'), longBodies: queueOf('longBodies') }
}

/**
 * Lets the other side of a connection share the replies that are kept here (`remoteKeptReplies`).
 * When that side ends, the writes that it has under way are abandoned.
 */
export function offerKeptReplies(remote: Remote, replies: KeptReplies): void {
  const underWay = new Map<string, RequestKey>()
  let hasEnded = false
  const abandon = async (write: RequestKey): Promise<void> => {
    // What another side has begun is not this one's to end.
    if (underWay.delete(write.key)) await replies.abandon(write)
  }
  offerService(remote, replyService, {
    async begin(write) {
      const begun = await replies.begin(write)
      if (begun.type === 'kept') return { ...begun, reply: sent(begun.reply) }
      if (begun.type === 'fresh') {
        underWay.set(write.key, write)
        if (hasEnded) await abandon(write)
      }
      return begun
    },
    finish(write, reply) {
      underWay.delete(write.key)
      return replies.finish(write, received(reply))
    },
    abandon,
  })
  void remote.ended.then(async () => {
    hasEnded = true
    await Promise.all([...underWay.values()].map(abandon))
  })
}

/** The replies that the other side of a connection keeps. Errors: ActorError, when it has ended. */
export function remoteKeptReplies(remote: Remote): KeptReplies {
  const owner = remoteService(remote, replyService)
  return {
    async begin(write) {
      try {
        const begun = await owner.begin(write)
        return begun.type === 'kept' ? { ...begun, reply: received(begun.reply) } : begun
      } catch (error) {
        // Nobody carries out what begins when it is no longer waited for.
        if (isActorError(error, 'timeout')) owner.abandon(write).catch(() => undefined)
        throw error
      }
    },
    async finish(write, reply) {
      try {
        await owner.finish(write, sent(reply))
      } catch (error) {
        if (!isActorError(error, 'fault')) throw error
        // A reply that is too long to travel is not kept; the write was carried out all the same.
        await owner.abandon(write)
      }
    },
    abandon: (write) => owner.abandon(write),
  }
}

function sent({ body, ...reply }: KeptReply): SentReply {
  const isText = typeof body === 'string'
  const sentBody = isText ? { text: body } : { base64: Buffer.from(body).toString('base64') }
  return { ...reply, body: sentBody }
}

function received({ body, ...reply }: SentReply): KeptReply {
  return { ...reply, body: 'text' in body ? body.text : Buffer.from(body.base64, 'base64') }
}

/** Lets the other side of a connection add what is counted here (`includeDurations`). */
export function offerDurations(remote: Remote, durations: RequestDurations): void {
  offerService(remote, durationsService, { counts: async () => durations.counts() })
}

/** Adds what the other side of a connection counts, and keeps what it told last when it ends. */
export function includeDurations(remote: Remote, durations: RequestDurations): void {
  const counting = remoteService(remote, durationsService)
  const end = durations.include(() => counting.counts())
  void remote.ended.then(end)
}

/** Gives the other side of a connection signs of life. */
export function offerLiveness(remote: Remote): void {
  offerService(remote, liveness, { live: async () => undefined })
}

/**
 * Watches the other side of a connection until it ends; calls `hangs` if it gives no sign of life
 * for half a minute. A thread that never comes to its next message holds up all who wait for what
 * it has, such as a turn of a store, and only its end frees that.
 */
export function watchLiveness(remote: Remote, hangs: () => void): void {
  const watched = remoteService(remote, liveness)
  let missed = 0
  // A process that was stopped for long finds one time-out when it goes on, and not several.
  const look = async (): Promise<void> => {
    try {
      await watched.live()
      missed = 0
    } catch (error) {
      if (!isActorError(error, 'timeout')) return
      missed += 1
      if (missed === missedMax) hangs()
    }
  }
  let isLooking = false
  const looking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => (isLooking = false))
  }, livenessMs)
  looking.unref()
  void remote.ended.then(() => clearInterval(looking))
}
