import type { FixityOverview } from '#actors/fixity/port.ts'
import type { Message } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerService, remoteService, type Service } from '#actors/kernel/service.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import type { EnvironmentStatus } from '#actors/registry/environment.ts'
import type { CommandsOptions } from '#actors/registry/commands.ts'

/** What the thread that runs a registry does for those that serve it as well. */
export type RegistryCalls = {
  settle(timeMs: number): Promise<number>
  status(): Promise<EnvironmentStatus>
  fixity(): Promise<FixityOverview>
  /** Damage of the store was met, which a sentence tells. */
  noteDamage(message: string): void
}

type EntitiesByKind = CommandsOptions['entities']

const kinds = { works: 'work', organizations: 'organization', people: 'person' } as const

function registryService(environment: string, ms: number): Service<RegistryCalls> {
  const calls = { settle: ms, status: ms, fixity: ms, noteDamage: 'tell' } as const
  return { name: `${environment} registry`, calls }
}

/** Lets the other side of a connection use the entities and the registry of an environment. */
export function offerRegistry(
  remote: Remote,
  environment: string,
  { entities, calls }: { readonly entities: EntitiesByKind; readonly calls: RegistryCalls },
): void {
  const { works, organizations, people } = entities
  remote.offer(`${environment} ${kinds.works}`, (key) => works.at(key))
  remote.offer(`${environment} ${kinds.organizations}`, (key) => organizations.at(key))
  remote.offer(`${environment} ${kinds.people}`, (key) => people.at(key))
  offerService(remote, registryService(environment, 0), calls)
}

/** The parts of a registry that runs on the other side of a connection. */
export function registryOf(remote: Remote, environment: string, askTimeoutMs: number) {
  const at = <M extends Message>(kind: keyof typeof kinds): Entities<M> => ({
    at: (key) => remote.at<M>(`${environment} ${kinds[kind]}`, key),
  })
  const entities: EntitiesByKind = {
    works: at('works'),
    organizations: at('organizations'),
    people: at('people'),
  }
  return { entities, registry: remoteService(remote, registryService(environment, askTimeoutMs)) }
}
