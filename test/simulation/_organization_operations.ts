import assert from 'node:assert/strict'
import type { Member } from '#actors/people/organizations/events.ts'
import { memberRoles } from '#actors/values/authority.ts'
import { admin } from '#test/actors/_environment.ts'
import { readChanges } from '#test/actors/_organization_changes.ts'
import { onPages } from '#test/actors/_person.ts'
import type { Ports } from '#test/simulation/_answers.ts'

// A few, so that clients meet.
const slugs = ['lab', 'press', 'uni']

/** What clients were told of organizations, which must hold for ever. */
export class OrganizationPromises {
  /** The position of the newest change that was seen of each organization. */
  readonly #seen = new Map<string, number>()

  /** Some client does something to some organization; `ppid` may be nobody. */
  async run(
    { organizations }: Ports,
    random: () => number,
    { name, ppid }: { readonly name: string; readonly ppid: string },
  ): Promise<void> {
    const slug = slugs[Math.floor(random() * slugs.length)] ?? ''
    const role = memberRoles[Math.floor(random() * memberRoles.length)] ?? 'viewer'
    const by = random() < 0.7 ? admin : onPages(ppid)
    const dice = random()
    if (!this.#seen.has(slug)) {
      const answer = await organizations.create({ body: { slug, name: slug }, by })
      assert(answer.type === 'created' || answer.type === 'taken', answer.type)
      this.#seen.set(slug, -1)
    } else if (dice < 0.2) {
      const { type } = await organizations.update({ slug, body: { aliases: [name] }, by })
      assert(['changed', 'unchanged', 'forbidden'].includes(type), type)
    } else if (dice < 0.6) {
      const { type } = await organizations.addMember({ slug, ppid, role, by })
      assert(isMemberAnswer(type), type)
    } else if (dice < 0.8) {
      const { type } = await organizations.changeRole({ slug, ppid, role, by })
      assert(isMemberAnswer(type), type)
    } else if (dice < 0.95) {
      const { type } = await organizations.removeMember({ slug, ppid, by })
      assert(isMemberAnswer(type), type)
    } else await organizations.leaveAll(ppid)
  }

  /** Asks for some organization while others change it. */
  async query(ports: Ports, random: () => number): Promise<void> {
    const slug = slugs[Math.floor(random() * slugs.length)] ?? ''
    const seen = this.#seen.get(slug)
    if (seen === undefined) return
    checkMembers(ports, slug)
    const [newest] = await readChanges(ports, slug, { limit: 1 })
    assert(newest !== undefined && newest.position >= seen, `a change of ${slug} is lost`)
    this.#seen.set(slug, Math.max(newest.position, this.#seen.get(slug) ?? -1))
  }

  /** Holds a registry to what was told, and what it says of organizations to one another. */
  async check(ports: Ports, ppids: readonly string[]): Promise<void> {
    const { organizations } = ports
    const listed = await readList(ports)
    assert.deepEqual(listed, listed.toSorted())
    for (const [slug, seen] of this.#seen) {
      assert(listed.includes(slug), `the acknowledged organization ${slug} is lost`)
      const [newest] = await readChanges(ports, slug, { limit: 1 })
      assert(newest !== undefined && newest.position >= seen, `a change of ${slug} is lost`)
    }
    for (const slug of listed) {
      checkMembers(ports, slug)
      assert.deepEqual(await replayMembers(ports, slug), organizations.members(slug))
    }
    for (const ppid of ppids) {
      const roles: unknown[] = listed
        .map((slug) => ({ slug, role: organizations.roleOf(slug, ppid) }))
        .filter(({ role }) => role !== undefined)
      assert.deepEqual(await organizations.organizationsOf(ppid), roles)
    }
  }
}

const memberAnswers = [
  'changed',
  'unchanged',
  'no_person',
  'not_member',
  'already_member',
  'last_owner',
  'forbidden',
]

function isMemberAnswer(type: string): boolean {
  return memberAnswers.includes(type)
}

async function readList({ organizations }: Ports): Promise<readonly string[]> {
  const found: string[] = []
  for (let after = ''; ; after = found.at(-1) ?? '') {
    const page = await organizations.list({ after, limit: 2 })
    for (const organization of page) {
      assert.deepEqual(organizations.read(organization.slug), organization)
      found.push(organization.slug)
    }
    if (page.length < 2) return found
  }
}

function checkMembers({ organizations }: Ports, slug: string): void {
  for (const { ppid, role } of organizations.members(slug) ?? []) {
    assert.equal(organizations.roleOf(slug, ppid), role)
  }
}

/** The members as the history tells of them. */
async function replayMembers(ports: Ports, slug: string): Promise<readonly Member[]> {
  const changes = [...(await readChanges(ports, slug, { limit: 100 }))].reverse()
  const members = new Map<string, Member>()
  assert.equal(changes[0]?.type, 'OrganizationCreated')
  for (const { type, ppid = '', role = 'viewer', at, by } of changes) {
    const owners = () => [...members.values()].filter((member) => member.role === 'owner').length
    const hadOwner = owners() > 0
    const before = members.get(ppid)
    if (type === 'MemberAdded') members.set(ppid, { ppid, role, since: at })
    if (type === 'MemberRoleChanged' && before !== undefined) members.set(ppid, { ...before, role })
    if (type === 'MemberRemoved') members.delete(ppid)
    if (hadOwner && by.via !== 'service') assert(owners() > 0, 'the last owner stays')
  }
  return [...members.values()]
}
