import { ActorError } from '#actors/kernel/actor_error.ts'
import {
  type Behaviour,
  close,
  type Message,
  type Ref,
  type SpawnOptions,
  type System,
  spawn,
} from '#actors/kernel/kernel.ts'

/** The options of every actor of a directory; `name` is the first part of theirs. */
export type DirectoryOptions = Omit<SpawnOptions, 'onStop'> & { readonly liveActorsMax: number }

/**
 * The living actors of one kind by key, at most one per key: an actor is spawned when its key is
 * first used and leaves in the tick in which it has handled its last message. A plain Map and not
 * an actor, so that looking up costs no message. Take the reference at each send, in the same tick,
 * and do not keep it: it names one life of the actor.
 */
export class Directory<M extends Message> {
  readonly #system: System
  readonly #create: (key: string) => Behaviour<M>
  readonly #options: DirectoryOptions
  readonly #living = new Map<string, Ref<M>>()
  #closed = false

  constructor(system: System, create: (key: string) => Behaviour<M>, options: DirectoryOptions) {
    this.#system = system
    this.#create = create
    this.#options = options
  }

  /** How many actors are alive. */
  get size(): number {
    return this.#living.size
  }

  /**
   * The actor of a key. Throws ActorError `overloaded` when it is not alive and `liveActorsMax`
   * others are, `stopped` after `close`.
   */
  at(key: string): Ref<M> {
    return this.#living.get(key) ?? this.#spawn(key)
  }

  #spawn(key: string): Ref<M> {
    const { name, liveActorsMax, ...options } = this.#options
    if (this.#closed) throw new ActorError('stopped', `${name} has stopped`)
    if (this.#living.size >= liveActorsMax) {
      throw new ActorError('overloaded', `${name} has ${liveActorsMax} living actors`)
    }
    const ref = spawn(this.#system, () => this.#create(key), {
      ...options,
      name: `${name}/${key}`,
      onStop: () => this.#living.delete(key),
    })
    this.#living.set(key, ref)
    return ref
  }

  /** Spawns no more, closes every actor, and resolves when all have handled what they accepted. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#living.values()].map((ref) => close(ref)))
  }
}
