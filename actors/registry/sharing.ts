import type { FixityOverview } from '#actors/fixity/port.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Message, type Ref, referTo, type Reply } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import type { Environment, EnvironmentStatus } from '#actors/registry/environment.ts'
import type { CommandsOptions } from '#actors/registry/commands.ts'

/** What the thread that runs a registry is asked by those that serve it as well. */
export type RegistryMessage =
  | { readonly type: 'settle'; readonly timeMs: number; readonly reply: Reply<number> }
  | { readonly type: 'describe_status'; readonly reply: Reply<EnvironmentStatus> }
  | { readonly type: 'describe_fixity'; readonly reply: Reply<FixityOverview> }
  /** Damage of the store was met, which a sentence tells. */
  | { readonly type: 'note_damage'; readonly message: string }

/** What they are asked. */
export type ReaderMessage = {
  readonly type: 'await_scans'
  readonly reply: Reply<void>
}

type EntitiesByKind = CommandsOptions['entities']

/** The names under which the threads offer each other the parts of an environment. */
function offeredNames(environment: string) {
  return {
    works: `${environment} work`,
    organizations: `${environment} organization`,
    people: `${environment} person`,
    registry: `${environment} registry`,
    reader: `${environment} reader`,
  }
}

/** What a thread that runs a registry offers, and what it is told of damage. */
export type Offer = {
  readonly environment: Pick<Environment, 'name' | 'settle' | 'status' | 'fixity'>
  readonly entities: EntitiesByKind
  readonly noteDamage: (message: string) => void
}

/** Offers the other side of a connection what it needs to serve a registry as well. */
export function offerRegistry(remote: Remote, { environment, entities, noteDamage }: Offer): void {
  const names = offeredNames(environment.name)
  remote.offer(names.works, (key) => entities.works.at(key))
  remote.offer(names.organizations, (key) => entities.organizations.at(key))
  remote.offer(names.people, (key) => entities.people.at(key))
  const registry = referTo(names.registry, (message: RegistryMessage) => {
    switch (message.type) {
      case 'settle':
        return answer(message.reply, environment.settle(message.timeMs))
      case 'describe_status':
        return answer(message.reply, Promise.resolve(environment.status()))
      case 'describe_fixity':
        return answer(message.reply, environment.fixity.overview())
      case 'note_damage':
        noteDamage(message.message)
        return true
    }
  })
  remote.offer(names.registry, () => registry)
}

/** The parts of a registry that runs on the other side of a connection. */
export function registryOf(remote: Remote, environment: string) {
  const names = offeredNames(environment)
  const at = <M extends Message>(name: string): Entities<M> => ({
    at: (key) => remote.at<M>(name, key),
  })
  const entities: EntitiesByKind = {
    works: at(names.works),
    organizations: at(names.organizations),
    people: at(names.people),
  }
  return { entities, registry: remote.at<RegistryMessage>(names.registry, '') }
}

/** Lets the thread that runs a registry wait for the scans of this one. */
export function offerReader(remote: Remote, environment: string, ended: () => Promise<void>): void {
  const { reader } = offeredNames(environment)
  const ref = referTo(reader, ({ reply }: ReaderMessage) => answer(reply, ended()))
  remote.offer(reader, () => ref)
}

/** Resolves when the scans have ended that the other sides have under way now. */
export async function othersScansEnded(
  remotes: Iterable<Remote>,
  environment: string,
  askTimeoutMs: number,
): Promise<void> {
  const { reader } = offeredNames(environment)
  await Promise.all(
    [...remotes].map((remote) => scansEnded(remote.at<ReaderMessage>(reader, ''), askTimeoutMs)),
  )
}

async function scansEnded(reader: Ref<ReaderMessage>, askTimeoutMs: number): Promise<void> {
  for (;;) {
    try {
      return await ask(reader, { type: 'await_scans' }, askTimeoutMs)
    } catch (error) {
      // A scan lasts as long as its reader takes; those of a side that has ended, ended with it.
      const code = error instanceof ActorError ? error.code : undefined
      if (code === 'lost' || code === 'stopped') return
      if (code !== 'timeout') throw error
    }
  }
}

function answer<T>(reply: Reply<T>, answered: Promise<T>): true {
  answered.then(
    (value) => reply.resolve(value),
    (error: unknown) => reply.reject(asRefusal(error)),
  )
  return true
}

function asRefusal(error: unknown): ActorError {
  const cause = { cause: error }
  return error instanceof ActorError ? error : new ActorError('fault', 'the registry failed', cause)
}
