import * as nact from 'nact'

import {
  ActorError,
  type ActorReport,
  asActorError,
  type RefusalReason,
} from '#actors/kernel/actor_error.ts'
import { assert } from '#log/tlog/errors.ts'

/**
 * The kernel: what the registry uses of actors, and the only importer of nact. nact gives the
 * system, the names, the turns of the event loop and the place where a fault is judged. Mailboxes,
 * asking, stopping, bounds and supervision are made here, because nact's own lose messages and mix
 * up answers (`actors/README.md` has the list).
 */

/** What any actor understands: one union per actor, told apart by an imperative `type`. */
export type Message = { readonly type: string }

/**
 * Where the answer to one question goes: that of one promise, so no answer can reach another asker;
 * only the first call counts.
 */
export type Reply<T> = {
  resolve(answer: T): void
  reject(error: ActorError): void
}

// Not exported, so that a reference is made by `spawn`, leads to one that was, or to another side.
const accepts: unique symbol = Symbol('accepts')
const closes: unique symbol = Symbol('closes')

/**
 * A reference to an actor that understands `M`. It is contravariant: what takes every message of a
 * union also takes each of them. It stays harmless after the actor stopped: sends are refused.
 */
export type Ref<M> = {
  readonly name: string
  readonly [accepts]: (message: M) => boolean
}

/** An actor as its parent holds it: a reference by which it can also be closed. */
export type Actor<M> = Ref<M> & { readonly [closes]: () => Promise<void> }

type Askable = { readonly reply: Reply<never> }

/** The messages of `M` that have an answer, without their reply. */
export type Question<M> = M extends Askable ? Omit<M, 'reply'> : never

/** The answer to the question of `M` whose literal type is `T`. */
export type Answer<M, T> =
  Extract<M, { readonly type: T }> extends { readonly reply: Reply<infer A> } ? A : never

/**
 * Handles one message at a time; the next waits until the returned promise has settled. One that
 * answers later than it returns has `idle`, which resolves once everything is answered: its actor
 * stops only then.
 */
export type Behaviour<M> = {
  readonly receive: (message: M) => void | Promise<void>
  readonly idle?: () => Promise<void>
}

/** `report` hears of every fault and of every message that is lost. */
export type SystemOptions = { readonly report: (report: ActorReport) => void }

/**
 * `name` is free text, unique among the living actors of a system. `mailboxMax` bounds the messages
 * accepted and not finished, the one being handled included.
 */
export type SpawnOptions = { readonly name: string; readonly mailboxMax: number }

/** What nact is sent: that the actor has messages to handle. */
type Turn = { readonly type: 'turn' }

const turn: Turn = { type: 'turn' }

// So many messages are handled before others get a turn of the event loop.
const messagesPerTurn = 64

// A timer beyond this fires at once (Node's documentation of setTimeout).
const timerMsMax = 2 ** 31 - 1

type Leaving = { leave(state: 'closing' | 'stopping'): Promise<void> }

/** A system of actors: they report to one place and stop together. Made by `createSystem`. */
class System {
  readonly name: string
  readonly root = nact.start()
  readonly cells = new Set<Leaving>()
  readonly #report: (report: ActorReport) => void
  #isStopped = false
  #whenStopped: Promise<void> | undefined

  constructor(name: string, options: SystemOptions) {
    this.name = name
    this.#report = options.report
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Tells a message that will not be handled to its asker or, where nobody asks, its operator. */
  refuse(actor: string, message: Message, reason: RefusalReason, text: string): void {
    const reply = replyOf(message)
    if (reply !== undefined) return reply.reject(new ActorError(reason, text))
    this.#tell({ type: 'dead_letter', actor, message: message.type, reason })
  }

  /** Tells a fault to the operator, and to the sender of the message that caused it. */
  blame(actor: string, message: Message, error: unknown): void {
    this.#tell({ type: 'fault', actor, message: message.type, error })
    const text = `${actor} failed on ${JSON.stringify(message.type)}`
    replyOf(message)?.reject(asActorError(error, text))
  }

  // A reporter that throws must not change what becomes of messages.
  #tell(report: ActorReport): void {
    try {
      this.#report(report)
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.#whenStopped ??= this.#stop()
    return this.#whenStopped
  }

  async #stop(): Promise<void> {
    await Promise.all([...this.cells].map((cell) => cell.leave('stopping')))
    nact.stop(this.root)
  }
}

export type { System }

/**
 * One actor. It owns the count of its messages and decides when nact may forget it: only when
 * nothing is queued and nothing runs, because nact loses both. `open` accepts messages; `closing`
 * handles what is queued and accepts no more; `stopping` refuses what is queued as well.
 */
class Cell<M extends Message> {
  readonly name: string
  readonly #system: System
  readonly #create: () => Behaviour<M>
  readonly #options: SpawnOptions
  readonly #reference: nact.Ref<Turn>
  #state: 'open' | 'closing' | 'stopping' | 'stopped' = 'open'
  #behaviour: Behaviour<M> | undefined
  readonly #mailbox = new Mailbox<M>()
  // Accepted and not finished, the one being handled included.
  #pending = 0
  // The message being handled, or the last one, for the fault it may end in.
  #current: M | undefined
  #hasTurn = false
  #whenStopped: PromiseWithResolvers<void> | undefined

  constructor(system: System, create: () => Behaviour<M>, options: SpawnOptions) {
    this.name = options.name
    this.#system = system
    this.#create = create
    this.#options = options
    this.#reference = nact.spawn(
      system.root,
      (_state: undefined, _turn: Turn) => this.#takeTurn(0),
      nactName(options.name),
      {
        onCrash: (_turn, error, context) => {
          this.#restart(error)
          return context.resume
        },
      },
    )
    system.cells.add(this)
  }

  [accepts](message: M): boolean {
    const full = this.#pending >= this.#options.mailboxMax
    if (full || this.#state !== 'open') {
      this.#refuse(message, this.#state === 'open' ? 'overloaded' : 'stopped')
      return false
    }
    this.#pending += 1
    this.#mailbox.put(message)
    if (!this.#hasTurn) this.#askForTurn()
    return true
  }

  #askForTurn(): void {
    this.#hasTurn = true
    nact.dispatch(this.#reference, turn)
  }

  [closes](): Promise<void> {
    return this.leave('closing')
  }

  // A closing actor can still be told to stop, never the other way round.
  leave(state: 'closing' | 'stopping'): Promise<void> {
    if (this.#state === 'stopped') return Promise.resolve()
    if (this.#state !== 'stopping') this.#state = state
    this.#whenStopped ??= Promise.withResolvers()
    if (this.#pending === 0) this.#leaveIdle()
    return this.#whenStopped.promise
  }

  // nact gives an actor one turn of the event loop for each message. Were that one message of the
  // actor's own, the sequencer would take one proposal a turn; so it handles all that it has, to a
  // bound. A behaviour that answers in its own tick costs no promise.
  #takeTurn(handledBefore: number): undefined | Promise<undefined> {
    for (let handled = handledBefore; handled < messagesPerTurn; handled += 1) {
      const message = this.#mailbox.take()
      if (message === undefined) break
      this.#current = message
      const handling = this.#handle(message)
      if (handling instanceof Promise) return handling.then(() => this.#takeTurn(handled + 1))
    }
    this.#endTurn()
    return undefined
  }

  #endTurn(): void {
    this.#hasTurn = false
    if (!this.#mailbox.isEmpty) this.#askForTurn()
  }

  #handle(message: M): undefined | Promise<undefined> {
    if (this.#state === 'stopping') {
      this.#refuse(message, 'stopped')
      return this.#finish()
    }
    this.#behaviour ??= this.#create()
    const handling = this.#behaviour.receive(message)
    return handling instanceof Promise ? handling.then(() => this.#finish()) : this.#finish()
  }

  #finish(): undefined {
    this.#pending -= 1
    if (this.#pending === 0 && this.#state !== 'open') this.#leaveIdle()
  }

  // No number of faults stops an actor: a fault belongs to its message, and a client that can cause
  // faults could otherwise end an actor that serves everybody.
  #restart(error: unknown): void {
    const message = this.#current
    assert(message !== undefined, 'a fault is that of a message')
    this.#system.blame(this.name, message, error)
    this.#behaviour = undefined
    this.#finish()
    this.#endTurn()
  }

  #refuse(message: M, reason: 'overloaded' | 'stopped'): void {
    const { name } = this
    const why =
      reason === 'stopped'
        ? `${name} has stopped`
        : `${name} takes no more than ${this.#options.mailboxMax} messages`
    this.#system.refuse(name, message, reason, why)
  }

  #leaveIdle(): void {
    const idle = this.#behaviour?.idle?.()
    if (idle === undefined) this.#forget()
    else void idle.then(() => this.#forget())
  }

  #forget(): void {
    if (this.#state === 'stopped') return
    this.#state = 'stopped'
    this.#behaviour = undefined
    nact.stop(this.#reference)
    this.#system.cells.delete(this)
    this.#whenStopped?.resolve()
  }
}

/** Where the answer to a message goes; undefined if nobody waits for one. */
export function replyOf(message: Message): Reply<never> | undefined {
  return (message as Message & Partial<Askable>).reply
}

/** Makes a system. `name` is for its operator; two systems of one name do not touch each other. */
export function createSystem(name: string, options: SystemOptions): System {
  return new System(name, options)
}

/**
 * Starts an actor at the root of its system (nact pays for every child at every message of its
 * parent). `create` makes the behaviour: for the first message, and again after a restart.
 * Throws ActorError `stopped` when the system has stopped.
 */
export function spawn<M extends Message>(
  system: System,
  create: () => Behaviour<M>,
  options: SpawnOptions,
): Actor<M> {
  const { name, mailboxMax } = options
  if (system.isStopped) throw new ActorError('stopped', `${system.name} has stopped`)
  assert(name !== '', 'an actor has a name')
  assert(Number.isSafeInteger(mailboxMax) && mailboxMax >= 1, 'mailboxMax is 1 or more messages')
  return new Cell(system, create, options)
}

/** A reference called `name` that sends each message to `to`, as `wrap` has wrapped it. */
export function routeTo<M, W>(to: Ref<W>, name: string, wrap: (message: M) => W): Ref<M> {
  return referTo(name, (message) => to[accepts](wrap(message)))
}

/**
 * A reference called `name` to what is not in this system: `accept` is given each message, and
 * answers it where it has a reply. False: it was refused, as by `tell`.
 */
export function referTo<M>(name: string, accept: (message: M) => boolean): Ref<M> {
  return { name, [accepts]: accept }
}

/**
 * Sends a message that nobody waits for. False: the actor refused it, because it is full or
 * stopping; the loss is reported as a dead letter too.
 */
export function tell<M extends Message>(ref: Ref<M>, message: NoInfer<M>): boolean {
  return ref[accepts](message)
}

/**
 * Sends a question and gives its answer. Rejects with an ActorError: `overloaded` and `stopped` say
 * that the message was not handled, `fault` that its handling broke; after `timeout` it may have
 * been handled or may be still. An ActorError thrown by the behaviour arrives as it is.
 */
export function ask<M extends Message, T extends Extract<M, Askable>['type']>(
  ref: Ref<M>,
  question: NoInfer<Question<M>> & { readonly type: T },
  timeoutMs: number,
): Promise<Answer<M, T>> {
  assert(isTimerMs(timeoutMs), 'timeoutMs is 1 ms to 24 days')
  const reply = new AwaitedReply<Answer<M, T>>(ref.name, question.type, timeoutMs)
  // A question with its reply is a message again; the compiler does not follow Omit that far.
  ref[accepts]({ ...question, reply } as unknown as M)
  return reply.promise
}

/** A reply that somebody waits for, as long as its timer runs. */
class AwaitedReply<T> implements Reply<T> {
  readonly #settled = Promise.withResolvers<T>()
  readonly #timer: NodeJS.Timeout

  constructor(actor: string, type: string, timeoutMs: number) {
    this.#timer = setTimeout(() => {
      const text = `${actor} gave no answer to ${JSON.stringify(type)} in ${timeoutMs} ms`
      this.#settled.reject(new ActorError('timeout', text))
    }, timeoutMs)
  }

  get promise(): Promise<T> {
    return this.#settled.promise
  }

  resolve(answered: T): void {
    clearTimeout(this.#timer)
    this.#settled.resolve(answered)
  }

  reject(error: ActorError): void {
    clearTimeout(this.#timer)
    this.#settled.reject(error)
  }
}

/**
 * Answers a question when a promise has settled, for what takes messages without being an actor. A
 * fault reaches who has asked under `failure`, a sentence.
 */
export function answer<T>(reply: Reply<T>, answered: Promise<T>, failure: string): true {
  answered.then(
    (value) => reply.resolve(value),
    (error: unknown) => reply.reject(asActorError(error, failure)),
  )
  return true
}

/** Whether a timer waits as many milliseconds: one for longer would fire at once. */
export function isTimerMs(ms: number): boolean {
  return ms >= 1 && ms <= timerMsMax
}

/**
 * Refuses new messages, lets the actor handle those it has accepted, then stops it. Resolves when
 * it has stopped: at once for an idle actor, never while one of its messages never ends.
 */
export function close(actor: Actor<never>): Promise<void> {
  return actor[closes]()
}

/**
 * Stops every actor that is left: each finishes the message it handles, and refuses the others.
 * Afterwards nothing can be spawned. Resolves when all have stopped; a second call waits likewise.
 */
export function stopSystem(system: System): Promise<void> {
  return system.stop()
}

const unescapedName = /^[\w/-]*$/

/**
 * A name in the characters that nact allows in one, which percent signs, slashes and tildes are
 * not; different names stay different. The names of works are plain, and encoding one would take as
 * long as all else about its actor's start.
 */
function nactName(name: string): string {
  if (unescapedName.test(name)) return name.replaceAll('/', '$2F')
  return encodeURIComponent(name).replaceAll('%', '$').replaceAll('~', '$7E')
}

/** Messages in the order in which they came. Taking one costs the same however many there are. */
export class Mailbox<M> {
  #messages: M[] = []
  #next = 0

  get isEmpty(): boolean {
    return this.#next === this.#messages.length
  }

  put(message: M): void {
    this.#messages.push(message)
  }

  /** The oldest message; undefined if there is none. */
  take(): M | undefined {
    if (this.isEmpty) return undefined
    const message = this.#messages[this.#next]
    this.#next += 1
    if (this.isEmpty) {
      this.#messages = []
      this.#next = 0
    }
    return message
  }
}
