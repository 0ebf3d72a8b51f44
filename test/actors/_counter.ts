import type { ActorReport, Behaviour, Reply } from '#actors/kernel.ts'

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
  #total = 0

  constructor(trace: string[] = []) {
    this.#trace = trace
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

/** A report in one line, for comparison: `fault counter fail restart`. */
export function reportLine(report: ActorReport): string {
  const { type, actor } = report
  switch (report.type) {
    case 'fault':
      return `${type} ${actor} ${report.message} ${report.directive}`
    case 'dead_letter':
      return `${type} ${actor} ${report.message} ${report.reason}`
    case 'unhealthy':
      return `${type} ${actor}`
  }
}
