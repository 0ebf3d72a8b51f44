import type { Agent, Owner } from '#actors/values/agent.ts'

/** Who an owner is, without the name: as a command or a request spells it, `org:demo`. */
export type OwnerId = Pick<Owner, 'type' | 'id'>

// Whether there is such an organization or person is for the registry to say.
const ownerId = /^[0-9a-z-]{1,64}$/

/** The operator of the registry, the owner of administrative keys. */
export const operator: Owner = { type: 'operator', id: 'operator', name: 'Operator' }

/** A person as the owner of what is theirs. */
export function personOwner(ppid: string): Owner {
  return { type: 'person', id: ppid, name: ppid }
}

/** Reads `org:<slug>`, `person:<ppid>` or `operator`; undefined for anything else. */
export function parseOwner(text: string): OwnerId | undefined {
  if (text === 'operator') return { type: 'operator', id: operator.id }
  const [kind, id = ''] = text.split(':', 2)
  if (text !== `${kind}:${id}`) return undefined
  if (kind === 'org' && ownerId.test(id)) return { type: 'organization', id }
  if (kind === 'person' && ownerId.test(id)) return { type: 'person', id }
  return undefined
}

/** The inverse of `parseOwner`. */
export function formatOwner(owner: OwnerId): string {
  switch (owner.type) {
    case 'operator':
      return 'operator'
    case 'organization':
      return `org:${owner.id}`
    case 'person':
      return `person:${owner.id}`
  }
}

/** Who acts through the admin socket: the operator, with administrative rights. */
export const operatorAgent: Agent = { ...operator, via: 'cli', admin: true }
