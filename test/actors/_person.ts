import type { Agent } from '#actors/values/agent.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { Item, ItemKind, Person } from '#actors/people/port.ts'
import { mintPpid } from '#actors/values/identifier.ts'

/** The researcher of the tests. */
export const ada = mintPpid((count) => new Uint8Array(count).fill(7))
export const bob = mintPpid((count) => new Uint8Array(count).fill(9))

/** A person on the pages, and one of their own keys. */
export function onPages(ppid: string): Agent {
  return { type: 'person', id: ppid, name: ppid, via: 'ui' }
}

/** An organization that a person has permitted to write. */
export function publisherFor(ppid: string, id = 'demo'): Agent {
  const client_id = `client-${id}`
  return { type: 'organization', id, name: id, via: 'oauth', client_id, on_behalf_of: ppid }
}

/** Makes a person who must be accepted. */
export async function createPerson(
  environment: Environment,
  ppid: string,
  body: Record<string, unknown> = {},
): Promise<Person> {
  const by = onPages(ppid)
  const answer = await environment.people.create({ ppid, body: { name: 'Ada', ...body }, by })
  if (answer.type !== 'created') throw new Error(`creating was ${answer.type}`)
  return answer.person
}

/** Puts an item that must be accepted. */
export async function putItem(
  environment: Environment,
  by: Agent,
  body: Record<string, unknown>,
  kind: ItemKind = 'affiliation',
): Promise<Item> {
  const ppid = by.on_behalf_of ?? by.id
  const answer = await environment.people.putItem({ ppid, kind, body, by })
  if (answer.type !== 'put') throw new Error(`putting was ${answer.type}`)
  return answer.item
}

/** The person, who must be there. */
export function personOf({ people }: Environment, ppid: string): Person {
  const person = people.read(ppid)
  if (person?.type !== 'person') throw new Error(`the person is ${person?.type}`)
  return person
}

/** The newest writes of others for a person. */
export function writesOf({ people }: Environment, ppid: string) {
  return people.writes({ ppid, limit: 100 })
}
