import test from 'ava'
import fc from 'fast-check'
import type { Agent } from '#actors/values/agent.ts'
import {
  decideMember,
  evolveMembers,
  type MemberChange,
  membersMax,
} from '#actors/people/organizations/rules.ts'
import type { Member } from '#actors/people/organizations/events.ts'
import type { MemberRole } from '#actors/values/authority.ts'

const at = '2026-11-21T10:00:00.000Z'
const admin: Agent = { type: 'operator', id: 'operator', name: 'Operator', via: 'cli', admin: true }
const service: Agent = { ...admin, via: 'service' }

function personOf(ppid: string): Agent {
  return { type: 'person', id: ppid, name: ppid, via: 'ui' }
}

function member(ppid: string, role: MemberRole): Member {
  return { ppid, role, since: at }
}

const team = [member('p1', 'owner'), member('p2', 'editor'), member('p3', 'viewer')]

function add(ppid: string, role: MemberRole, by: Agent): MemberChange {
  return { type: 'add_member', ppid, role, by, isPerson: true }
}

test('an event of a member holds the ppid, and no name', (t) => {
  t.deepEqual(decideMember([], add('p1', 'owner', admin)), {
    type: 'accepted',
    event: { type: 'MemberAdded', schema: 1, by: admin, data: { ppid: 'p1', role: 'owner' } },
  })
  t.deepEqual(decideMember(team, { type: 'change_role', ppid: 'p2', role: 'owner', by: admin }), {
    type: 'accepted',
    event: { type: 'MemberRoleChanged', schema: 1, by: admin, data: { ppid: 'p2', role: 'owner' } },
  })
  t.deepEqual(decideMember(team, { type: 'remove_member', ppid: 'p2', by: admin }), {
    type: 'accepted',
    event: { type: 'MemberRemoved', schema: 1, by: admin, data: { ppid: 'p2' } },
  })
})

test('owners and administrators change the members, and everybody may leave', (t) => {
  const remove = (ppid: string, by: Agent): MemberChange => ({ type: 'remove_member', ppid, by })
  t.is(decideMember(team, add('p9', 'viewer', personOf('p1'))).type, 'accepted')
  for (const by of [personOf('p2'), personOf('p3'), personOf('p9')]) {
    t.is(decideMember(team, add('p9', 'owner', by)).type, 'forbidden')
    t.is(decideMember(team, remove('p1', by)).type, 'forbidden')
  }
  t.is(decideMember(team, remove('p2', personOf('p2'))).type, 'accepted')
  t.is(decideMember(team, remove('p9', personOf('p9'))).type, 'forbidden')
  const key: Agent = { type: 'organization', id: 'brown', name: 'Brown', via: 'api_key' }
  t.is(decideMember(team, add('p9', 'viewer', key)).type, 'forbidden')
  // The id of an organization that looks like that of a person is not that person.
  t.is(decideMember(team, remove('p2', { ...key, id: 'p2' })).type, 'forbidden')
})

test('the last owner stays, but for one who leaves the registry', (t) => {
  for (const by of [admin, personOf('p1')]) {
    const leaves = decideMember(team, { type: 'remove_member', ppid: 'p1', by })
    t.deepEqual(leaves, { type: 'last_owner' })
    const steps = decideMember(team, { type: 'change_role', ppid: 'p1', role: 'viewer', by })
    t.deepEqual(steps, { type: 'last_owner' })
  }
  const erased = decideMember(team, { type: 'remove_member', ppid: 'p1', by: service })
  t.is(erased.type, 'accepted')
})

test('refuses whom there is not, who is one already, and too many', (t) => {
  const unknown = { ...add('p9', 'viewer', admin), isPerson: false } as MemberChange
  t.deepEqual(decideMember(team, unknown), { type: 'no_person' })
  t.deepEqual(decideMember(team, add('p2', 'owner', admin)), { type: 'already_member' })
  t.deepEqual(decideMember(team, add('p2', 'editor', admin)), { type: 'unchanged' })
  const same = decideMember(team, { type: 'change_role', ppid: 'p2', role: 'editor', by: admin })
  t.deepEqual(same, { type: 'unchanged' })
  const other = decideMember(team, { type: 'remove_member', ppid: 'p9', by: admin })
  t.deepEqual(other, { type: 'not_member' })
  const full = Array.from({ length: membersMax }, (_, index) => member(`p${index}`, 'viewer'))
  t.deepEqual(decideMember(full, add('px', 'viewer', admin)), { type: 'too_many_members' })
})

test('property: who had an owner has one, and nobody is a member twice', (t) => {
  const ppid = fc.constantFrom('p1', 'p2', 'p3', 'p4')
  const role = fc.constantFrom<MemberRole>('owner', 'editor', 'viewer')
  const by = fc.oneof(fc.constant(admin), ppid.map(personOf))
  const command = fc.oneof(
    fc.record({ type: fc.constant('add_member' as const), ppid, role, by }),
    fc.record({ type: fc.constant('change_role' as const), ppid, role, by }),
    fc.record({ type: fc.constant('remove_member' as const), ppid, by }),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      let members: readonly Member[] = []
      let hadOwner = false
      for (const asked of commands) {
        const decision = decideMember(members, { isPerson: true, ...asked } as MemberChange)
        if (!('event' in decision)) continue
        members = evolveMembers(members, decision.event, at)
        const owners = members.filter((one) => one.role === 'owner').length
        hadOwner ||= owners > 0
        t.true(!hadOwner || owners > 0)
        t.is(new Set(members.map((one) => one.ppid)).size, members.length)
      }
    }),
    { numRuns: 500 },
  )
})
