import type { ExecutionContext } from 'ava'
import { ActorError, type ActorErrorCode } from '#actors/kernel/actor_error.ts'
import type { ActorReport } from '#actors/kernel/actor_report.ts'
import {
  type Actor,
  ask,
  type Behaviour,
  createSystem,
  type Ref,
  type Reply,
  type SpawnOptions,
  type System,
  spawn,
  stopSystem,
} from '#actors/kernel/kernel.ts'

/** The messages of an actor that counts, for the tests of the kernel. */
export type CounterMessage =
  | { readonly type: 'add'; readonly amount: number; readonly reply: Reply<number> }
  | { readonly type: 'note'; readonly text: string }
  /** Throws `error` when it is handled. */
  | { readonly type: 'fail'; readonly error: unknown; readonly reply: Reply<never> }
  /** Calls `until` when it is handled, and answers when what it returns has resolved. */
  | { readonly type: 'wait'; readonly until: () => Promise<void>; readonly reply: Reply<'waited'> }

/** Adds up `add`, writes what it does to `trace`, and answers each question. */
export class Counter implements Behaviour<CounterMessage> {
  readonly #trace: string[]
  readonly holdsState: boolean
  #total = 0

  constructor(trace: string[] = [], holdsState = true) {
    this.#trace = trace
    this.holdsState = holdsState
  }

  readonly receive = (message: CounterMessage): void | Promise<void> => {
    switch (message.type) {
      case 'add':
        this.#total += message.amount
        return message.reply.resolve(this.#total)
      case 'note':
        this.#trace.push(message.text)
        return
      case 'fail':
        throw message.error
      case 'wait':
        return this.#wait(message.until, message.reply)
    }
  }

  async #wait(until: () => Promise<void>, reply: Reply<'waited'>): Promise<void> {
    this.#trace.push('begin wait')
    await until()
    this.#trace.push('end wait')
    reply.resolve('waited')
  }
}

/** A report in one line, for comparison: `fault counter fail`. */
export function reportLine(report: ActorReport): string {
  const { type, actor } = report
  switch (report.type) {
    case 'fault':
      return `${type} ${actor} ${report.message}`
    case 'dead_letter':
      return `${type} ${actor} ${report.message} ${report.reason}`
  }
}

/** Longer than AVA lets a test run: an answer that waits for it fails the test. */
export const neverMs = 600_000

/** A system with one counter, what was reported in it and what the counter traced. */
export type Fixture = {
  readonly system: System
  readonly counter: Actor<CounterMessage>
  readonly reports: string[]
  readonly trace: string[]
}

/** A system with one counter; `options` change how the counter is spawned. */
export function startCounter(t: ExecutionContext, options: Partial<SpawnOptions> = {}): Fixture {
  const reports: string[] = []
  const trace: string[] = []
  const system = createSystem('test', { report: (report) => reports.push(reportLine(report)) })
  t.teardown(() => stopSystem(system))
  const defaults = { name: 'counter', mailboxMax: 100 }
  const counter = spawn(system, () => new Counter(trace), { ...defaults, ...options })
  return { system, counter, reports, trace }
}

/** Adds `amount` to a counter; gives its new total. */
export function add(counter: Ref<CounterMessage>, amount: number): Promise<number> {
  return ask(counter, { type: 'add', amount }, neverMs)
}

/** Makes a counter throw `error`; gives the rejection of the ask. */
export function fail(counter: Ref<CounterMessage>, error: unknown): Promise<never> {
  return ask(counter, { type: 'fail', error }, neverMs)
}

/** Asserts that a promise rejects with an ActorError of this code and message. */
export async function throwsActorError(
  t: ExecutionContext,
  promise: Promise<unknown>,
  code: ActorErrorCode,
  message: string,
): Promise<void> {
  await t.throwsAsync(promise, { instanceOf: ActorError, code, message })
}

/** The message of an ask that timed out after 1 ms. */
export function noAnswer(type: string): string {
  return `counter gave no answer to "${type}" in 1 ms`
}
