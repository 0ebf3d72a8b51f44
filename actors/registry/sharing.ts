import type { FixityOverview } from '#actors/fixity/client.ts'
import { answer } from '#actors/kernel/answer.ts'
import { type Message, referTo, type Reply } from '#actors/kernel/kernel.ts'
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

type EntitiesByKind = CommandsOptions['entities']

/** The names under which the threads offer each other the parts of an environment. */
function offeredNames(environment: string) {
  return {
    works: `${environment} work`,
    organizations: `${environment} organization`,
    people: `${environment} person`,
    registry: `${environment} registry`,
  }
}

/** What a thread that runs a registry offers, and what it is told of damage. */
export type Offer = {
  readonly environment: Pick<Environment, 'name' | 'settle' | 'status' | 'fixity'>
  readonly entities: EntitiesByKind
  readonly noteDamage: (message: string) => void
}

const failure = 'the registry failed'

/** Offers the other side of a connection what it needs to serve a registry as well. */
export function offerRegistry(remote: Remote, { environment, entities, noteDamage }: Offer): void {
  const names = offeredNames(environment.name)
  remote.offer(names.works, (key) => entities.works.at(key))
  remote.offer(names.organizations, (key) => entities.organizations.at(key))
  remote.offer(names.people, (key) => entities.people.at(key))
  const registry = referTo(names.registry, (message: RegistryMessage) => {
    switch (message.type) {
      case 'settle':
        return answer(message.reply, environment.settle(message.timeMs), failure)
      case 'describe_status':
        return answer(message.reply, Promise.resolve(environment.status()), failure)
      case 'describe_fixity':
        return answer(message.reply, environment.fixity.overview(), failure)
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
