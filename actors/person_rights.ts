import type { Agent } from '#actors/agent.ts'

/** Whether somebody is the person or acts with administrative rights; applications are neither. */
export function isPerson(by: Agent, ppid: string): boolean {
  if (by.admin === true) return true
  return by.type === 'person' && by.id === ppid && by.client_id === undefined
}

/** Whether somebody may write on a person's behalf: they were permitted to, or are the person. */
export function mayWrite(by: Agent, ppid: string): boolean {
  return isPerson(by, ppid) || actsFor(by) === ppid
}

/** The ppid of the person for whom something is done; undefined if it is for nobody. */
function actsFor(by: Agent): string | undefined {
  return by.on_behalf_of ?? (by.type === 'person' ? by.id : undefined)
}

/**
 * The ppid of the person for whom something was done that they did not do on the pages themselves;
 * undefined if there is none. They are shown what it was.
 */
export function writtenFor(by: Agent): string | undefined {
  const isOwn = by.type === 'person' && by.via === 'ui' && by.client_id === undefined
  return isOwn ? undefined : actsFor(by)
}

/**
 * Whether two agents are one source of items: the same organization by whatever key, or the same
 * application that acts for a person without an organization.
 */
export function isSameSource(one: Agent, other: Agent): boolean {
  if (one.type !== other.type || one.id !== other.id) return false
  return one.type === 'organization' || one.client_id === other.client_id
}
