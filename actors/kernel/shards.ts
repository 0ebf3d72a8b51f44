import { ActorError } from '#actors/kernel/actor_error.ts'
import {
  type Actor,
  type Behaviour,
  close,
  isTimerMs,
  Mailbox,
  type Message,
  type Ref,
  type Reply,
  routeTo,
  spawn,
  type System,
  tell,
} from '#actors/kernel/kernel.ts'
import { assert } from '#log/tlog/errors.ts'

/**
 * Shards for the entities of one kind. `name` is the first part of their names; `shards` is how
 * many there are, which decides where an entity stands. `mailboxMax` bounds the messages that wait
 * for one shard's turn, `entityMailboxMax` those of one entity that are accepted and not finished,
 * `entitiesMax` the entities in memory. One that holds something is let go when it had no message
 * for `idleMs`, or at most twice as long.
 */
export type ShardsOptions = {
  readonly name: string
  readonly shards: number
  readonly mailboxMax: number
  readonly entityMailboxMax: number
  readonly entitiesMax: number
  readonly idleMs: number
}

/**
 * What an entity does with its messages. While `holdsState` is false there is nothing in its memory
 * that is worth keeping: it is let go with its last message.
 */
export type EntityBehaviour<M> = Behaviour<M> & { readonly holdsState: boolean }

/**
 * The entities of one kind, hosted by a fixed number of actors. An entity starts with the first
 * message to its key. It handles one message at a time, and others do not wait for it. A message
 * that breaks is told to its asker and reported, and the entity's memory is dropped: the next
 * message makes it anew. No number of faults stops a shard or another entity.
 */
export type Shards<M extends Message> = {
  /** A reference to the entity of a key. It starts nothing, and can be kept. */
  at(key: string): Ref<M>
  /** How many entities are in memory. */
  readonly size: number
  /** Accepts no more, and resolves once every message that was accepted is finished. */
  close(): Promise<void>
}

/** Entities as those see them who send them messages: in this thread, or in another. */
export type Entities<M extends Message> = Pick<Shards<M>, 'at'>

/**
 * Which of `shards` shards has a key: the same on every machine and in every version, so that
 * shards can be spread over threads or nodes.
 */
export function shardOf(key: string, shards: number): number {
  return textHash(key) % shards
}

/** Starts the shards of one kind of entity; `create` makes the behaviour of the entity of a key. */
export function spawnShards<M extends Message>(
  system: System,
  options: ShardsOptions,
  create: (key: string) => EntityBehaviour<M>,
): Shards<M> {
  const { name, shards: count, mailboxMax, entitiesMax, idleMs } = options
  assert(Number.isSafeInteger(count) && count >= 1, 'there is 1 shard or more')
  assert(entitiesMax >= count, 'every shard has room for an entity')
  assert(isTimerMs(idleMs), 'idleMs is 1 ms to 24 days')
  const shards = Array.from({ length: count }, () => new Shard(system, options, create))
  const actors: readonly Actor<ShardMessage<M>>[] = shards.map((shard, index) =>
    spawn(system, () => shard, { name: `${name} shard ${index}`, mailboxMax }),
  )
  const sweeping = setInterval(() => {
    if (system.isStopped) return clearInterval(sweeping)
    for (const actor of actors) tell(actor, sweep)
  }, idleMs).unref()
  return {
    at(key) {
      const actor = actors[shardOf(key, count)]
      assert(actor !== undefined, 'every key has a shard')
      return routeTo(actor, `${name}/${key}`, (message: M) => addressed(key, message))
    },
    get size() {
      return shards.reduce((sum, shard) => sum + shard.size, 0)
    },
    async close() {
      clearInterval(sweeping)
      await Promise.all(actors.map((actor) => close(actor)))
    },
  }
}

/**
 * A message to the entity of a key. It shows the type of that message and where its answer goes, so
 * that a shard which refuses it is told and reported as what it carries.
 */
type Envelope<M extends Message> = Message & {
  readonly key: string
  readonly message: M
  readonly reply?: Reply<never>
}

/** Lets go of the entities that had no message since the last one of these. */
type Sweep = { readonly type: 'sweep' }

type ShardMessage<M extends Message> = Envelope<M> | Sweep

const sweep: Sweep = { type: 'sweep' }

function addressed<M extends Message>(key: string, message: M): Envelope<M> {
  const { type, reply } = message as M & Partial<Pick<Envelope<M>, 'reply'>>
  return reply === undefined ? { type, key, message } : { type, key, message, reply }
}

/** An entity in the memory of its shard. */
type Entity<M> = {
  readonly key: string
  behaviour: EntityBehaviour<M> | undefined
  /** Made when a message has to wait, which few have. */
  waiting: Mailbox<M> | undefined
  /** Messages that were accepted and are not finished, the one being handled included. */
  pending: number
  /** The number of the sweep before which it was last used. */
  usedBefore: number
}

/** Owns the entities of its keys, which come first that were used longest ago. */
class Shard<M extends Message> implements Behaviour<ShardMessage<M>> {
  readonly #system: System
  readonly #options: ShardsOptions
  readonly #create: (key: string) => EntityBehaviour<M>
  readonly #entitiesMax: number
  readonly #entities = new Map<string, Entity<M>>()
  #sweeps = 0
  #busy = 0
  #whenIdle: PromiseWithResolvers<void> | undefined

  constructor(system: System, options: ShardsOptions, create: (key: string) => EntityBehaviour<M>) {
    this.#system = system
    this.#options = options
    this.#create = create
    this.#entitiesMax = Math.floor(options.entitiesMax / options.shards)
  }

  get size(): number {
    return this.#entities.size
  }

  receive(message: ShardMessage<M>): void {
    if ('key' in message) this.#deliver(message.key, message.message)
    else this.#sweep()
  }

  /** Resolves once no entity has a message any more. */
  idle(): Promise<void> {
    if (this.#busy === 0) return Promise.resolve()
    this.#whenIdle ??= Promise.withResolvers()
    return this.#whenIdle.promise
  }

  #deliver(key: string, message: M): void {
    const { name, entityMailboxMax } = this.#options
    const entity = this.#entities.get(key) ?? this.#start(key)
    if (entity === undefined) {
      const text = `${name}: all ${this.#entitiesMax} entities of a shard are busy`
      return this.#system.refuse(`${name}/${key}`, message, 'overloaded', text)
    }
    if (entity.pending >= entityMailboxMax) {
      const text = `${name}/${key} takes no more than ${entityMailboxMax} messages`
      return this.#system.refuse(`${name}/${key}`, message, 'overloaded', text)
    }
    entity.pending += 1
    if (entity.pending === 1) {
      this.#busy += 1
      this.#run(entity, message)
    } else {
      entity.waiting ??= new Mailbox()
      entity.waiting.put(message)
    }
  }

  /** Undefined if there are as many entities as there may be, and all of them are busy. */
  #start(key: string): Entity<M> | undefined {
    if (this.#entities.size >= this.#entitiesMax && !this.#makeRoom()) return undefined
    const nothing = { behaviour: undefined, waiting: undefined }
    const entity: Entity<M> = { key, ...nothing, pending: 0, usedBefore: this.#sweeps }
    this.#entities.set(key, entity)
    return entity
  }

  #makeRoom(): boolean {
    for (const { key, pending } of this.#entities.values()) {
      if (pending === 0) return this.#entities.delete(key)
    }
    return false
  }

  #sweep(): void {
    for (const { key, pending, usedBefore } of this.#entities.values()) {
      if (pending === 0 && usedBefore < this.#sweeps) this.#entities.delete(key)
    }
    this.#sweeps += 1
  }

  /** Handles a message, and those that wait; it goes on by itself after one that takes its time. */
  #run(entity: Entity<M>, first: M | undefined): void {
    for (let message = first; message !== undefined; message = this.#next(entity)) {
      const handling = this.#handle(entity, message)
      if (handling !== undefined) return this.#runAfter(entity, message, handling)
    }
  }

  /** What an entity has to handle after the message that it has finished. */
  #next(entity: Entity<M>): M | undefined {
    entity.pending -= 1
    if (entity.pending === 0) this.#rest(entity)
    return entity.waiting?.take()
  }

  #handle(entity: Entity<M>, message: M): Promise<void> | undefined {
    try {
      entity.behaviour ??= this.#create(entity.key)
      const handling = entity.behaviour.receive(message)
      return handling instanceof Promise ? handling : undefined
    } catch (error) {
      this.#drop(entity, message, error)
      return undefined
    }
  }

  #runAfter(entity: Entity<M>, message: M, handling: Promise<void>): void {
    const goOn = () => this.#run(entity, this.#next(entity))
    void handling.then(goOn, (error: unknown) => {
      this.#drop(entity, message, error)
      goOn()
    })
  }

  #drop(entity: Entity<M>, message: M, error: unknown): void {
    const name = `${this.#options.name}/${entity.key}`
    // What is refused further down is no fault: nothing happened, and to report every refusal
    // would add to the load.
    if (
      error instanceof ActorError &&
      (error.code === 'overloaded' || error.code === 'clock_wrong')
    ) {
      return this.#system.refuse(name, message, error.code, error.message)
    }
    entity.behaviour = undefined
    this.#system.blame(name, message, error)
  }

  // What has just been used stands last, so that room is made by what was not.
  #rest(entity: Entity<M>): void {
    entity.usedBefore = this.#sweeps
    this.#entities.delete(entity.key)
    if (entity.behaviour?.holdsState === true) this.#entities.set(entity.key, entity)
    this.#busy -= 1
    if (this.#busy > 0) return
    this.#whenIdle?.resolve()
    this.#whenIdle = undefined
  }
}

/**
 * FNV-1a over the UTF-16 units of a text, as an unsigned 32-bit number: the same on every machine
 * and in every version. For texts that nobody chooses to collide.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
