import { claimUndo, openClaims, type PersonEntityMessage } from '#actors/claims/actor.ts'
import { readerOf } from '#actors/journal/rows.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import { openOrganizations, type OrganizationMessage } from '#actors/organizations/actor.ts'
import { openPeople } from '#actors/people/actor.ts'
import type { PersonQueriesOptions } from '#actors/people/queries.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { WorkClient, type WorkMessage, type WorksClientOptions } from '#actors/works/actor.ts'

/** What writes, with the queries that belong to it, in whatever thread. */
export type Commands = Pick<Environment, 'works' | 'organizations' | 'people' | 'claims'>

/** The entities that carry commands out, wherever they live, and what their clients need. */
export type CommandsOptions = Omit<WorksClientOptions, 'works'> &
  PersonQueriesOptions & {
    readonly entities: {
      readonly works: Entities<WorkMessage>
      readonly organizations: Entities<OrganizationMessage>
      readonly people: Entities<PersonEntityMessage>
    }
    readonly indexKey: Uint8Array
  }

/** Opens the commands of a registry, as questions to its entities. */
export function openCommands(options: CommandsOptions): Commands {
  const { entities, store, seal, naan, askTimeoutMs } = options
  const works = new WorkClient({ ...options, works: entities.works })
  const claims = openClaims({ people: entities.people, store, seal, naan, askTimeoutMs })
  const undoClaim = claimUndo({ claims, read: readerOf(store) })
  const people = openPeople({ ...options, people: entities.people, works, undoClaim })
  const isPerson = (ppid: string) => people.read(ppid)?.type === 'person'
  const { organizations: kept } = entities
  const organizations = openOrganizations({ organizations: kept, store, isPerson, askTimeoutMs })
  return { works, claims, people, organizations }
}
