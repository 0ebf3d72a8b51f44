import type { MessagePort } from 'node:worker_threads'

import {
  ActorError,
  type ActorErrorCode,
  type ActorReport,
  asActorError,
  faultOf,
  type SentFault,
  sentFault,
} from '#actors/kernel/actor_error.ts'
import {
  type Message,
  type Ref,
  referTo,
  type Reply,
  replyOf,
  tell,
} from '#actors/kernel/kernel.ts'

/**
 * Messages and answers that one visit to the other side takes. With fewer each costs more; with
 * more, all requests of a busy server go from thread to thread together, and one core waits while
 * the other works.
 */
const visitFramesMax = 24

/** What two sides need of each other. Both are given the same bounds. */
export type RemoteOptions = {
  /** The other side, for people: `edge 2`. */
  readonly name: string
  readonly transport: Transport
  /** Questions to the other side that have no answer yet, at most. */
  readonly askedMax: number
  /** Characters of a message or an answer as JSON, at most. */
  readonly messageCharactersMax: number
  /** Longer than anybody waits for an answer: what comes later is dropped. */
  readonly answerMsMax: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
  /** Hears of what is lost on the way to the other side and nobody waits for. */
  readonly report: (report: ActorReport) => void
}

/** What became of messages to the other side. */
export type RemoteCounters = {
  /** Questions that have no answer yet. */
  readonly asked: number
  /** Answers that came when nobody waited for them any more. */
  readonly late: number
  /** Questions whose side ended before it answered. */
  readonly lost: number
}

/**
 * A message on its way: `id` names a question, `to` and `key` whom it is for. Its text is one line
 * of JSON. Where it carries something as `serialized`, that line ends with a line break, which no
 * JSON of ours has, and the next text is what it carries: joined, both would be copied once more.
 */
type Sent = {
  readonly id?: number
  readonly to: string
  readonly key: string
  readonly message: CarriedMessage
}

/** A message as it is on its way, and while it is put together again. */
type CarriedMessage = Message & {
  serialized?: SerializedValue<object>
  reply?: Reply<unknown>
}

type Answered = { readonly id: number; readonly answer?: unknown }

type Failed = { readonly id: number; readonly error: SentError }

/** An ActorError on its way, with the fault that it tells of. */
type SentError = {
  readonly code: ActorErrorCode
  readonly message: string
  readonly cause?: SentFault
}

/** A question that waits for its answer. */
type Asked = { readonly reply: Reply<unknown>; readonly name: string; readonly askedMs: number }

/**
 * What two sides know of each other's actors. A reference from `at` takes `ask` and `tell` like one
 * of an actor here: the same answers, the same codes, the bounds of the actor that it leads to.
 * What crosses is plain JSON. It owns the questions that have no answer yet. When the other side
 * ends, each of them fails with `lost` at once, and later messages are refused with `stopped`.
 */
export class Remote {
  readonly #options: RemoteOptions
  readonly #offered = new Map<string, (key: string) => Ref<never>>()
  /** By their ids, and so in the order in which they were asked. */
  readonly #asked = new Map<number, Asked>()
  readonly #arrivals: (() => void)[] = []
  readonly #ended = Promise.withResolvers<void>()
  /** Who waits until there is no question without an answer. */
  readonly #resting: (() => void)[] = []
  #outgoing: string[] = []
  /** What is sent of these, as one or two texts each. */
  #outgoingFrames = 0
  /** What has come, but for the text that it carries. */
  #incomplete: Sent | undefined
  #isOpen = true
  #ids = 0
  #late = 0
  #lost = 0

  constructor(options: RemoteOptions) {
    this.#options = options
    options.transport.listen({
      received: (texts) => this.#receive(texts),
      ended: () => this.#end(),
    })
  }

  /** Resolves when the other side has ended, or `close` was called. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get counters(): RemoteCounters {
    return { asked: this.#asked.size, late: this.#late, lost: this.#lost }
  }

  /** Has `arrived` called whenever something has come, before any of it is handed on. */
  onArrival(arrived: () => void): void {
    this.#arrivals.push(arrived)
  }

  /** Lets the other side send messages to what `at` gives for a key, under a name. */
  offer<M extends Message>(name: string, at: (key: string) => Ref<M>): void {
    this.#offered.set(name, at)
  }

  /** A reference to what the other side gives for a key of what it offers under a name. */
  at<M extends Message>(name: string, key: string): Ref<M> {
    const called = key === '' ? name : `${name}/${key}`
    return referTo(called, (message: M) => this.#accept(called, { to: name, key }, message))
  }

  /** Resolves when every question that this side has asked is answered, or after so long. */
  async answered(msMax: number): Promise<void> {
    if (this.#asked.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resting.push(resolve)
    const timer = setTimeout(resolve, msMax)
    await promise
    clearTimeout(timer)
  }

  /** Ends the connection. What was not answered is `lost`, here and there. */
  close(): void {
    this.#options.transport.close()
    this.#end()
  }

  #accept(name: string, address: Pick<Sent, 'to' | 'key'>, message: Message): boolean {
    const reply = replyOf(message)
    const refusal = this.#whyRefused(name)
    if (refusal !== undefined) return this.#refuse(name, message, refusal)
    const id = reply && (this.#ids += 1)
    const { to, key } = address
    const texts = this.#encode(id === undefined ? { to, key, message } : { id, to, key, message })
    if (texts instanceof ActorError) return this.#refuse(name, message, texts)
    if (id !== undefined && reply !== undefined) {
      const askedMs = this.#options.elapsedMs()
      this.#asked.set(id, { reply, name, askedMs })
    }
    this.#send(texts)
    return true
  }

  #whyRefused(name: string): ActorError | undefined {
    if (!this.#isOpen) return new ActorError('stopped', `${this.#options.name} has ended`)
    this.#dropOld()
    const { askedMax } = this.#options
    if (this.#asked.size < askedMax) return undefined
    const text = `${name}: ${this.#options.name} has ${askedMax} questions to answer already`
    return new ActorError('overloaded', text)
  }

  /** Forgets questions whose answers nobody waits for any more. */
  #dropOld(): void {
    const beforeMs = this.#options.elapsedMs() - this.#options.answerMsMax
    for (const [id, { reply, name, askedMs }] of this.#asked) {
      if (askedMs > beforeMs) return
      this.#asked.delete(id)
      reply.reject(new ActorError('timeout', `${name} gave no answer`))
    }
  }

  #refuse(name: string, message: Message, error: ActorError): false {
    const reply = replyOf(message)
    if (reply !== undefined) reply.reject(error)
    else {
      const reason = error.code === 'overloaded' ? 'overloaded' : 'stopped'
      this.#options.report({ type: 'dead_letter', actor: name, message: message.type, reason })
    }
    return false
  }

  #encode(frame: Sent | Answered | Failed): readonly string[] | ActorError {
    const { messageCharactersMax } = this.#options
    try {
      // A reply is a pair of functions of this side, which JSON leaves out.
      const line = JSON.stringify(frame)
      const serialized = 'message' in frame ? frame.message.serialized : undefined
      const length = line.length + (serialized?.text.length ?? 0)
      if (length <= messageCharactersMax) {
        return serialized === undefined ? [line] : [`${line}\n`, serialized.text]
      }
      const sizes = `${length} characters, of ${messageCharactersMax} at most`
      return new ActorError('fault', `a message to ${this.#options.name} has ${sizes}`)
    } catch (error) {
      return asActorError(error, `a message to ${this.#options.name} is not plain`)
    }
  }

  // One visit to the other side takes what a turn of the event loop has for it, up to a bound.
  #send(texts: readonly string[]): void {
    this.#outgoing.push(...texts)
    this.#outgoingFrames += 1
    if (this.#outgoingFrames === 1) setImmediate(() => this.#flush())
    else if (this.#outgoingFrames === visitFramesMax) this.#flush()
  }

  #flush(): void {
    const texts = this.#outgoing
    this.#outgoing = []
    this.#outgoingFrames = 0
    if (this.#isOpen && texts.length > 0) this.#options.transport.send(texts)
  }

  #receive(texts: readonly string[]): void {
    for (const arrived of this.#arrivals) arrived()
    for (const text of texts) this.#receiveText(text)
  }

  #receiveText(text: string): void {
    const carrying = this.#incomplete
    if (carrying !== undefined) {
      this.#incomplete = undefined
      carrying.message.serialized = new SerializedValue(text)
      return this.#deliver(carrying)
    }
    const frame = JSON.parse(text) as Sent | Answered | Failed
    if (!('to' in frame)) this.#settle(frame)
    else if (text.endsWith('\n')) this.#incomplete = frame
    else this.#deliver(frame)
  }

  #deliver({ id, to, key, message }: Sent): void {
    const reply = id === undefined ? undefined : this.#replyTo(id, to)
    const ref = this.#offered.get(to)?.(key)
    if (reply !== undefined) message.reply = reply
    if (ref !== undefined) tell<Message>(ref as Ref<Message>, message)
    else reply?.reject(new ActorError('stopped', `nothing is offered as ${to}`))
  }

  #replyTo(id: number, to: string): Reply<unknown> {
    const fail = (error: ActorError) => this.#answer({ id, error: sentError(error) }, to)
    return { resolve: (answer) => this.#answer({ id, answer }, to, fail), reject: fail }
  }

  #answer(
    frame: Answered | Failed,
    actor: string,
    fail: (error: ActorError) => void = () => undefined,
  ): void {
    if (!this.#isOpen) return
    const texts = this.#encode(frame)
    if (!(texts instanceof ActorError)) return this.#send(texts)
    this.#options.report({ type: 'fault', actor, message: 'answer', error: texts })
    fail(texts)
  }

  #settle(frame: Answered | Failed): void {
    const asked = this.#asked.get(frame.id)
    if (asked === undefined) {
      this.#late += 1
      return
    }
    this.#asked.delete(frame.id)
    if ('error' in frame) asked.reply.reject(actorError(frame.error))
    else asked.reply.resolve(frame.answer)
    if (this.#asked.size === 0) this.#rest()
  }

  /** Tells those who wait that there is no question without an answer. */
  #rest(): void {
    for (const rested of this.#resting.splice(0)) rested()
  }

  #end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    this.#rest()
    this.#lost += asked.length
    const text = `${this.#options.name} has ended before it answered`
    for (const { reply, name } of asked) reply.reject(new ActorError('lost', `${name}: ${text}`))
    this.#ended.resolve()
  }
}

function sentError({ code, message, cause }: ActorError): SentError {
  return { code, message, ...(cause !== undefined && { cause: sentFault(cause) }) }
}

function actorError({ code, message, cause }: SentError): ActorError {
  return new ActorError(code, message, cause && { cause: faultOf(cause) })
}

/** What becomes of the other side's texts, and of its end. */
export type TransportListener = {
  /** Is given texts in the order in which they were sent. */
  received(texts: readonly string[]): void
  /** Nothing comes any more: the other side has ended, or the connection was closed here. */
  ended(): void
}

/**
 * One end of a connection to another side, which is a thread of this process or a node on another
 * machine. It carries texts, in order, loses none before it ends, and ends at once when the other
 * side does.
 */
export type Transport = {
  /** Sends texts; into nothing once the connection has ended. */
  send(texts: readonly string[]): void
  /** Hands over what has arrived and will; called once. */
  listen(listener: TransportListener): void
  /** Ends the connection, for both sides. */
  close(): void
}

/** The connection to another thread over a port of a `MessageChannel`, which is then its own. */
export function threadTransport(port: MessagePort): Transport {
  return {
    send: (texts) => port.postMessage(texts),
    listen(listener) {
      port.on('message', (texts: readonly string[]) => listener.received(texts))
      port.once('close', () => listener.ended())
    },
    close: () => port.close(),
  }
}

/**
 * A JSON value and its text, which is the member `serialized` of a message. Where the message goes
 * to another side, the text goes beside it as it is: nobody serializes the value again, and the
 * very text that was hashed is stored. There the value is parsed when it is asked for.
 */
export class SerializedValue<T extends object> {
  readonly text: string
  #value: T | undefined

  /** `value` is what `text` parses to, where it is at hand. */
  constructor(text: string, value?: T) {
    this.text = text
    this.#value = value
  }

  get value(): T {
    this.#value ??= JSON.parse(this.text) as T
    return this.#value
  }

  /** The JSON of a message leaves it out. */
  toJSON(): undefined {
    return undefined
  }
}
