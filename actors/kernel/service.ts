import { ActorError } from '#actors/kernel/actor_error.ts'
import { answer, ask, type Message, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'

/**
 * How a function of a service is called. A number is how many milliseconds its answer may take.
 * With `abortable` its last parameter is a signal or undefined: the other side's is aborted when
 * this one's is, when the answer takes too long, and when this side ends. Nobody learns what became
 * of a `tell`.
 */
type Ask = number | { readonly ms: number; readonly abortable: true }
type CallOf<F> = F extends (...args: never[]) => Promise<unknown> ? Ask : 'tell'

type FaultClass = new (code: never, message: string, options?: ErrorOptions) => Error

/**
 * What one side of a connection does for the other: functions that take and give plain data. The
 * `errors`, by their names, are the same on both sides; any other is the cause of an ActorError.
 */
export type Service<S> = {
  readonly name: string
  readonly calls: { readonly [K in keyof S]: CallOf<S[K]> }
  readonly errors?: Readonly<Record<string, FaultClass>>
}

type CallMessage = Message & { readonly args: readonly unknown[] }

/** `call` names what may be given up, and `isGone` says that it is given up already. */
type Asked = CallMessage & {
  readonly call?: number
  readonly isGone?: boolean
  readonly reply: Reply<unknown>
}

type Received = CallMessage & Partial<Asked>

type GiveUp = { readonly type: 'give_up'; readonly call: number }

/** Lets the other side of a connection use a service, with `remoteService`. */
export function offerService<S extends object>(
  remote: Remote,
  { name, calls }: Service<S>,
  implementation: S,
): void {
  const abortable = new Map<number, AbortController>()
  const run = async (type: string, args: readonly unknown[]): Promise<unknown> => {
    const called = Object.hasOwn(calls, type) ? implementation[type as keyof S] : undefined
    if (typeof called !== 'function') throw new ActorError('stopped', `${name} has no ${type}`)
    return (await Reflect.apply(called, implementation, args)) as unknown
  }
  const runAbortable = async (call: number, { type, args, isGone }: Received): Promise<unknown> => {
    const controller = new AbortController()
    if (isGone === true) controller.abort()
    abortable.set(call, controller)
    try {
      return await run(type, [...args, controller.signal])
    } finally {
      abortable.delete(call)
    }
  }
  const ref = referTo(name, (message: Received | GiveUp) => {
    if (!('args' in message)) {
      abortable.get(message.call)?.abort()
      return true
    }
    const { type, args, call, reply } = message
    const answered = call === undefined ? run(type, args) : runAbortable(call, message)
    if (reply === undefined) return true
    return answer(reply, answered, `${name} failed on ${JSON.stringify(type)}`)
  })
  remote.offer(name, () => ref)
  void remote.ended.then(() => {
    for (const controller of abortable.values()) controller.abort()
  })
}

/**
 * A service of the other side of a connection. Its functions reject with the errors of the service,
 * and with ActorError.
 */
export function remoteService<S extends object>(
  remote: Remote,
  { name, calls, errors = {} }: Service<S>,
): S {
  const asked = remote.at<Asked>(name, '')
  const told = remote.at<CallMessage | GiveUp>(name, '')
  let count = 0
  const askOnce = async (question: Omit<Asked, 'reply'>, ms: number): Promise<unknown> => {
    try {
      return await ask(asked, question, ms)
    } catch (error) {
      throw originalOf(error, errors)
    }
  }
  const askAbortable = async (
    type: string,
    args: readonly unknown[],
    ms: number,
  ): Promise<unknown> => {
    const signal = args.at(-1) as AbortSignal | undefined
    const plain = args.slice(0, -1)
    const call = (count += 1)
    const giveUp = () => void tell(told, { type: 'give_up', call })
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await askOnce({ type, args: plain, call, isGone: signal?.aborted === true }, ms)
    } catch (error) {
      if (error instanceof ActorError && error.code === 'timeout') giveUp()
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }
  const functionOf = (type: string, call: Ask | 'tell') => {
    if (call === 'tell') return (...args: unknown[]) => void tell(told, { type, args })
    if (typeof call === 'number') return (...args: unknown[]) => askOnce({ type, args }, call)
    return (...args: unknown[]) => askAbortable(type, args, call.ms)
  }
  const functions = Object.entries<Ask | 'tell'>(calls).map(([type, call]) => {
    return [type, functionOf(type, call)] as const
  })
  // Each function has the parameters and the answer of the one that it asks.
  return Object.fromEntries(functions) as S
}

/** The error that a service has thrown on the other side, if it is one of those it is known for. */
function originalOf(error: unknown, errors: Readonly<Record<string, FaultClass>>): unknown {
  if (!(error instanceof ActorError && error.code === 'fault')) return error
  const { cause } = error
  if (!(cause instanceof Error) || !('code' in cause)) return error
  const known = Object.hasOwn(errors, cause.name) ? errors[cause.name] : undefined
  if (known === undefined) return error
  return new known(
    cause.code as never,
    cause.message,
    'cause' in cause ? { cause: cause.cause } : {},
  )
}
