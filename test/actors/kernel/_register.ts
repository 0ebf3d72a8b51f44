import { ActorError } from '#actors/kernel/actor_error.ts'
import { createSystem, type Reply } from '#actors/kernel/kernel.ts'
import { type EntityBehaviour, type Shards, spawnShards } from '#actors/kernel/shards.ts'
import type { SerializedValue } from '#actors/kernel/remote.ts'
import { LogError } from '#log/tlog/errors.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'

/** What an entity understands that is asked from here and from afar alike: all of it is plain. */
export type RegisterMessage =
  | { readonly type: 'keep'; readonly value: unknown }
  | { readonly type: 'list'; readonly reply: Reply<readonly unknown[]> }
  | { readonly type: 'echo'; readonly value: unknown; readonly reply: Reply<unknown> }
  | {
      readonly type: 'tell_serialized'
      readonly serialized: SerializedValue<object>
      readonly reply: Reply<{ readonly text: string; readonly value: object }>
    }
  | { readonly type: 'confirm'; readonly reply: Reply<void> }
  | { readonly type: 'fail'; readonly how: Failure; readonly reply: Reply<never> }
  /** Is answered when its entity is told to `release`, which does not wait for its turn. */
  | { readonly type: 'hold'; readonly reply: Reply<'released'> }
  | { readonly type: 'repeat'; readonly characters: number; readonly reply: Reply<string> }

/** A mistake, damage of the store, or a refusal of an actor further down. */
export type Failure = 'error' | 'damage' | 'overloaded'

/** Messages that one entity accepts at a time. */
export const registerMailboxMax = 8

/** Keeps values, and answers questions. */
class Register implements EntityBehaviour<RegisterMessage> {
  readonly holdsState = true
  readonly #released: Promise<void>
  readonly #values: unknown[] = []

  constructor(released: Promise<void>) {
    this.#released = released
  }

  receive(message: RegisterMessage): void | Promise<void> {
    switch (message.type) {
      case 'keep':
        this.#values.push(message.value)
        return
      case 'list':
        return message.reply.resolve(this.#values)
      case 'echo':
        return message.reply.resolve(message.value)
      case 'tell_serialized': {
        const { text, value } = message.serialized
        return message.reply.resolve({ text, value })
      }
      case 'confirm':
        return message.reply.resolve()
      case 'fail':
        throw errors[message.how]()
      case 'hold':
        return this.#released.then(() => message.reply.resolve('released'))
      case 'repeat':
        return message.reply.resolve('x'.repeat(message.characters))
    }
  }
}

const errors: Readonly<Record<Failure, () => Error>> = {
  error: () => new TypeError('a mistake'),
  damage: () => new LogError('store_corrupt', 'a row is damaged'),
  overloaded: () => new ActorError('overloaded', 'too much further down'),
}

/** Registers by their keys; `release` lets go of everything that is held, now and later. */
export type Registers = { readonly shards: Shards<RegisterMessage>; release(): void }

/** Starts a system of registers. */
export function startRegisters(): Registers {
  const { promise, resolve } = Promise.withResolvers<void>()
  const system = createSystem('registers', { report: () => undefined })
  const shards = spawnShards<RegisterMessage>(
    system,
    {
      name: 'register',
      shards: 2,
      mailboxMax: 1_000,
      entityMailboxMax: registerMailboxMax,
      entitiesMax: 100,
      idleMs: neverMs,
    },
    () => new Register(promise),
  )
  return { shards, release: resolve }
}
