import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'

import { QueueError, type QueueErrorCode } from '#actors/kernel/fair_queue.ts'
import { assert } from '#log/tlog/errors.ts'
import { type AddressOf, countedAddress } from '#src/edge/caller.ts'
import { errorReply } from '#src/edge/error_reply.ts'
import { logRequest, requestId } from '#src/edge/logger.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import { pieceBytes } from '#src/edge/reply_sending.ts'
import { anyOriginHeaders, replyHeaders } from '#src/edge/request_guard.ts'
import { disconnectSignal } from '#src/edge/turns.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Says that a request only waits for others from now on, so that its client may have another
     * one. Gives a signal that is set off when the client has gone, or has its reply.
     */
    standAside(): AbortSignal
  }
}

/**
 * A slice is shorter than anybody notices, and longer than what the loop does around it. Two
 * requests of a client may wait for the disk at a time, so that one is made while the other waits.
 */
const turnLimits: LoopTurnLimits = {
  sliceMs: 2,
  quantumMs: 1,
  underWayPerCallerMax: 2,
  underWayMs: 50,
  waitingMax: 16_384,
  waitingPerCallerMax: 1_024,
}

/** Bytes of a reply that are sent in about a millisecond of the loop. */
const bytesPerMs = 262_144

/** Answers a request, or says that it has done nothing with it. */
export type AnswerAtOnce = (request: IncomingMessage, response: ServerResponse) => boolean

/** What the turns of a server are made from. */
export type RequestTurnsOptions = {
  readonly baseUrl: string
  readonly addressOf: AddressOf
  readonly metrics: Pick<Metrics, 'requests'>
  readonly logger: Logger
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** The turns in which a server answers its requests. */
export type RequestTurns = {
  /**
   * Has `answer` look at each request before the framework does, which gets what is not answered.
   */
  interceptRequests(answer: AnswerAtOnce): void
  /** Says that a connection was accepted: the loop accepts one in each of its turns. */
  hurry(): void
}

/**
 * Answers each request of a server when it is the turn of its client: its address as limits count
 * it. On a server that has nothing else to do, that is at once. During a shutdown the framework
 * gets all of them, so that it ends each connection with its reply.
 */
export function takeRequestsByTurns(
  server: FastifyInstance,
  options: RequestTurnsOptions,
): RequestTurns {
  const { addressOf, elapsedMs } = options
  const { server: listener } = server
  let answerAtOnce: AnswerAtOnce = () => false
  // A read whose reply is made, or which waits for others, is under way no more.
  const made = new WeakSet<IncomingMessage>()
  const pass = takeListeners(server)
  const callerOf = ({ req }: ServerResponse) => countedAddress(addressOf(req))
  const turns = new LoopTurns<ServerResponse>({
    limits: turnLimits,
    elapsedMs,
    later: setImmediate,
    after: (ms, task) => void setTimeout(task, ms).unref(),
    work: {
      callerOf,
      refuse: createRefusal(options),
      // Writes wait for the disk, which takes many of them at a time. What was sent behind another
      // request of its connection has no socket yet: it waits for the reply to that one.
      isCounted: ({ req: { method }, socket }) =>
        socket !== null && (method === 'GET' || method === 'HEAD'),
      doAtOnce(response) {
        const { req: request } = response
        // A client that has left by now is answered no more.
        return request.socket.destroyed || answerAtOnce(request, response)
      },
      begin(response) {
        const { req: request } = response
        if (request.socket.destroyed) return false
        pass(request, response)
        if (response.headersSent || made.has(request)) return false
        response.once('close', () => turns.ended(response))
        return true
      },
    },
  })
  const standAside = ({ request, raw }: FastifyReply) => {
    made.add(request.raw)
    turns.ended(raw)
  }
  server.decorateReply('standAside', function standAsideUntilGone(this: FastifyReply) {
    standAside(this)
    return disconnectSignal(this)
  })
  listener.on('request', (request, response) => {
    if (listener.listening) turns.take(response)
    else pass(request, response)
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    // A long reply is sent in pieces, and is under way until the last of them has left.
    if (lengthOf(payload) <= pieceBytes) standAside(reply)
    if (turns.size.waiting > 0) turns.charge(callerOf(reply.raw), lengthOf(payload) / bytesPerMs)
    done(null, payload)
  })
  return {
    interceptRequests: (answer) => void (answerAtOnce = answer),
    hurry: () => turns.hurry(),
  }
}

/** Takes the place of what listens for the requests of a server; gives what passes them on. */
function takeListeners({ server: listener }: FastifyInstance) {
  const others = listener.listeners('request')
  listener.removeAllListeners('request')
  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const other of others) other.call(listener, request, response)
  }
}

/** Refuses a request for which there is no room, with 503. */
function createRefusal({ baseUrl, addressOf, metrics, logger }: RequestTurnsOptions) {
  const common = { ...replyHeaders(baseUrl), ...anyOriginHeaders }
  return (response: ServerResponse, code: QueueErrorCode): void => {
    const { req: request } = response
    const { method = 'GET', url = '' } = request
    const id = requestId(request)
    const asked = { id, method, originalUrl: url, log: logger }
    const { status, headers, body } = errorReply(new QueueError(code), asked)
    const length = { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...common, ...headers, ...length })
    response.end(body)
    metrics.requests.count(method, 'none', status, 0)
    logRequest(logger, { id, method, url, status, ip: addressOf(request), elapsedMs: 0 })
  }
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0
}

/** How a thread's time is shared. */
export type LoopTurnLimits = {
  /** Milliseconds of a turn of the event loop that go to tasks, about. */
  readonly sliceMs: number
  /** What a caller may use when it is its turn; who uses more passes as many of the next ones. */
  readonly quantumMs: number
  /** Tasks of one caller that are begun and not ended. */
  readonly underWayPerCallerMax: number
  /** After so long a task that is under way counts no more: it waits for others. */
  readonly underWayMs: number
  /** Tasks that wait, in all and of one caller. */
  readonly waitingMax: number
  readonly waitingPerCallerMax: number
}

/** What is done with tasks; nothing of it throws. */
type LoopWork<T> = {
  /** Any text that tells callers apart. */
  readonly callerOf: (task: T) => string
  /** Does a task to its end, or does nothing with it and says no. */
  readonly doAtOnce: (task: T) => boolean
  /** Whether a task counts as under way while it goes on, and waits while too many do. */
  readonly isCounted: (task: T) => boolean
  /** Begins a task; says whether it goes on after that, until `LoopTurns.ended` hears of it. */
  readonly begin: (task: T) => boolean
  /** Is told of a task for which there is no room. */
  readonly refuse: (task: T, code: QueueErrorCode) => void
}

/** What turns are made from. `later` runs a function in the next turn of the event loop. */
type LoopTurnsOptions<T> = {
  readonly limits: LoopTurnLimits
  readonly work: LoopWork<T>
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  readonly later: (task: () => void) => void
  /** Runs a function after so many milliseconds. */
  readonly after: (ms: number, task: () => void) => void
}

/** The tasks of one caller. */
type Line<T> = {
  readonly caller: string
  /** Not begun: nobody has looked at them yet. */
  readonly waiting: T[]
  /** To be begun once fewer are under way. */
  readonly held: T[]
  /** When each was begun. */
  readonly underWay: Map<T, number>
  /** Milliseconds that it has used beyond its turns. */
  owedMs: number
  /** Milliseconds of what was done at once since one of those that are held was begun. */
  aheadMs: number
  isWatched: boolean
}

/** What a caller owes at most, in quanta: who was alone for long is not shut out for long. */
const owedQuantaMax = 20

/**
 * Shares the time of one thread among all who want it. A task is done at once where nothing waits.
 * Otherwise callers take turns, whatever number of tasks each of them has, and the event loop gets
 * its own turn after each slice of time, so that connections, replies of the disk and timers wait
 * for no more than that.
 */
export class LoopTurns<T> {
  readonly #limits: LoopTurnLimits
  readonly #work: LoopWork<T>
  readonly #elapsedMs: () => number
  readonly #later: (task: () => void) => void
  readonly #after: (ms: number, task: () => void) => void
  readonly #lines = new Map<string, Line<T>>()
  /** The lines with a task that may go on now, in the order of their turns. */
  readonly #rotation = new Set<Line<T>>()
  readonly #underWay = new Map<T, Line<T>>()
  #waiting = 0
  /** Whether this turn of the loop has a slice, and until when it lasts. */
  #hasSlice = false
  #sliceEndMs = 0
  /** When a task was done last. */
  #servedMs = Number.NEGATIVE_INFINITY
  #isHurried = false

  constructor({ limits, work, elapsedMs, later, after }: LoopTurnsOptions<T>) {
    assert(limits.underWayPerCallerMax >= 1, 'each caller may have one task under way')
    this.#limits = limits
    this.#work = work
    this.#elapsedMs = elapsedMs
    this.#later = later
    this.#after = after
  }

  /** Tasks that wait, and tasks that are under way. */
  get size(): { readonly waiting: number; readonly underWay: number } {
    return { waiting: this.#waiting, underWay: this.#underWay.size }
  }

  /** Does a task now if it may be, or when it is the turn of its caller. */
  take(task: T): void {
    if (this.#rotation.size > 0 || !this.#hasTime()) {
      this.#wait(task)
      return
    }
    if (this.#work.doAtOnce(task)) return
    const caller = this.#work.callerOf(task)
    const line = this.#lines.get(caller)
    if (line !== undefined && this.#isFull(line, task)) this.#hold(line, task)
    else if (this.#work.begin(task) && this.#work.isCounted(task)) {
      this.#goesOn(line ?? this.#open(caller), task)
    }
  }

  /**
   * Says that the loop does something of which it does one in each of its turns: so that the others
   * that are lined up come soon, a turn like this has a task only if none had for as long as a
   * slice is, and no more than one.
   */
  hurry(): void {
    this.#isHurried = true
  }

  /** A task that was under way has come to its end, or only waits from now on. */
  ended(task: T): void {
    const line = this.#underWay.get(task)
    if (line === undefined) return
    this.#underWay.delete(task)
    line.underWay.delete(task)
    this.#queueUp(line)
    this.#closeIfIdle(line)
  }

  /** Charges a caller with what was done for it at another time. */
  charge(caller: string, ms: number): void {
    const line = this.#lines.get(caller)
    if (line !== undefined) this.#charge(line, ms)
  }

  #hasTime(): boolean {
    if (!this.#hasSlice) {
      const mayBegin = !this.#isHurried || this.#isOverdue()
      this.#startSlice(this.#isHurried ? 0 : this.#limits.sliceMs)
      if (mayBegin) this.#servedMs = this.#sliceEndMs
      return mayBegin
    }
    return !this.#isHurried && this.#elapsedMs() < this.#sliceEndMs
  }

  #startSlice(ms: number): void {
    this.#hasSlice = true
    this.#sliceEndMs = this.#elapsedMs() + ms
    this.#later(this.#turn)
  }

  readonly #turn = (): void => {
    const isHurried = this.#isHurried
    this.#hasSlice = false
    this.#isHurried = false
    if (this.#rotation.size === 0) return
    const mayBegin = !isHurried || this.#isOverdue()
    this.#startSlice(isHurried ? 0 : this.#limits.sliceMs)
    if (mayBegin) this.#drain()
  }

  #isOverdue(): boolean {
    return this.#elapsedMs() - this.#servedMs >= this.#limits.sliceMs
  }

  #drain(): void {
    for (;;) {
      const line = this.#nextLine()
      if (line === undefined) return
      const startMs = this.#elapsedMs()
      const goesOn = this.#runOne(line)
      const nowMs = this.#elapsedMs()
      this.#servedMs = nowMs
      this.#charge(line, nowMs - startMs)
      if (goesOn) {
        this.#goOnAfterwards(line, nowMs)
        return
      }
      if (nowMs >= this.#sliceEndMs) return
    }
  }

  /** What a task does without waiting for anything is part of its turn. */
  #goOnAfterwards(line: Line<T>, sinceMs: number): void {
    queueMicrotask(() =>
      process.nextTick(() => {
        const nowMs = this.#elapsedMs()
        this.#charge(line, nowMs - sinceMs)
        if (nowMs < this.#sliceEndMs) this.#drain()
      }),
    )
  }

  #nextLine(): Line<T> | undefined {
    for (const line of this.#rotation) {
      this.#rotation.delete(line)
      const { quantumMs } = this.#limits
      if (line.owedMs < quantumMs || this.#rotation.size === 0) return line
      line.owedMs -= quantumMs
      this.#rotation.add(line)
    }
    return undefined
  }

  /**
   * Does the next task of a caller; says whether it was begun and goes on. What can be done at once
   * goes before what is held, but for a part of the time.
   */
  #runOne(line: Line<T>): boolean {
    const mayGoOn = line.held.length > 0 && !this.#isFull(line)
    const isTurnOfHeld = mayGoOn && line.aheadMs >= this.#limits.quantumMs
    const next = isTurnOfHeld ? undefined : line.waiting.shift()
    const task = next ?? (mayGoOn ? line.held.shift() : undefined)
    assert(task !== undefined, 'a line that has its turn has a task that may go on')
    this.#waiting -= 1
    let goesOn = false
    if (next === undefined) {
      line.aheadMs = 0
      goesOn = this.#work.begin(task)
    } else if (!this.#doneAtOnce(line, task)) {
      const isBehind = line.held.length + line.waiting.length > 0 && this.#work.isCounted(task)
      if (isBehind || this.#isFull(line, task)) this.#hold(line, task)
      else goesOn = this.#work.begin(task)
    }
    if (goesOn && this.#work.isCounted(task)) this.#goesOn(line, task)
    this.#queueUp(line)
    this.#closeIfIdle(line)
    return goesOn
  }

  #doneAtOnce(line: Line<T>, task: T): boolean {
    const startMs = this.#elapsedMs()
    const isDone = this.#work.doAtOnce(task)
    if (isDone) line.aheadMs += this.#elapsedMs() - startMs
    return isDone
  }

  /** Whether too many tasks of a caller are under way for one more, if it is this one. */
  #isFull({ underWay }: Line<T>, task?: T): boolean {
    if (underWay.size < this.#limits.underWayPerCallerMax) return false
    return task === undefined || this.#work.isCounted(task)
  }

  #wait(task: T): void {
    const caller = this.#work.callerOf(task)
    const line = this.#lines.get(caller) ?? this.#open(caller)
    if (!this.#hasRoom(line, task)) return
    line.waiting.push(task)
    this.#waiting += 1
    this.#queueUp(line)
  }

  #hold(line: Line<T>, task: T): void {
    if (!this.#hasRoom(line, task)) return
    line.held.push(task)
    this.#waiting += 1
    this.#watch(line)
  }

  #hasRoom(line: Line<T>, task: T): boolean {
    const { waitingMax, waitingPerCallerMax } = this.#limits
    const isFullForCaller = line.waiting.length + line.held.length >= waitingPerCallerMax
    if (!isFullForCaller && this.#waiting < waitingMax) return true
    this.#work.refuse(task, isFullForCaller ? 'queue_full_for_caller' : 'queue_full')
    this.#closeIfIdle(line)
    return false
  }

  #goesOn(line: Line<T>, task: T): void {
    line.underWay.set(task, this.#elapsedMs())
    this.#underWay.set(task, line)
    if (line.held.length > 0) this.#watch(line)
  }

  /** Gives a line its place among those that take turns, if it has a task that may go on. */
  #queueUp(line: Line<T>): void {
    const mayGoOn = line.waiting.length > 0 || (line.held.length > 0 && !this.#isFull(line))
    if (!mayGoOn) return
    this.#rotation.add(line)
    if (!this.#hasSlice) this.#startSlice(0)
  }

  /** Sees to it that a line whose tasks under way only wait for others goes on. */
  #watch(line: Line<T>): void {
    if (line.isWatched) return
    const [oldest] = line.underWay
    if (oldest === undefined) return
    line.isWatched = true
    this.#after(Math.max(0, this.#msLeft(oldest)), () => {
      line.isWatched = false
      if (line.held.length === 0) return
      for (const begun of line.underWay) if (this.#msLeft(begun) <= 0) this.ended(begun[0])
      this.#watch(line)
    })
  }

  /** Milliseconds for which a task counts as under way. */
  #msLeft([, begunMs]: readonly [T, number]): number {
    return begunMs + this.#limits.underWayMs - this.#elapsedMs()
  }

  #charge(line: Line<T>, ms: number): void {
    line.owedMs = Math.min(line.owedMs + ms, owedQuantaMax * this.#limits.quantumMs)
  }

  #open(caller: string): Line<T> {
    const line = {
      caller,
      waiting: [],
      held: [],
      underWay: new Map<T, number>(),
      owedMs: 0,
      aheadMs: 0,
      isWatched: false,
    }
    this.#lines.set(caller, line)
    return line
  }

  #closeIfIdle({ caller, waiting, held, underWay }: Line<T>): void {
    if (waiting.length + held.length + underWay.size === 0) this.#lines.delete(caller)
  }
}
