import { ActorError } from '#actors/actor_error.ts'
import type { People } from '#actors/people.ts'

/** The commands on people and the queries on their rows. */
export function openPeople(): People {
  const refuse = () => {
    throw new ActorError('stopped', 'there are no people yet')
  }
  return {
    create: refuse,
    update: refuse,
    linkOrcid: refuse,
    unlinkOrcid: refuse,
    putItem: refuse,
    changeItem: refuse,
    removeItem: refuse,
    markItem: refuse,
    undo: refuse,
    erase: refuse,
    read: () => undefined,
    findByUsername: () => undefined,
    findByOrcid: () => undefined,
    list: async () => [],
    writes: async () => [],
    export: async () => undefined,
  }
}
