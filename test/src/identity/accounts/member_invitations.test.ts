import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { MemberInvitations } from '#src/identity/accounts/member_invitations.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const by = { type: 'person', id: 'p0owner', name: 'p0owner' } as const
const bo = { email: 'bo@example.org', role: 'viewer', by } as const

async function openInvitations(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const { clock } = fixture
  const invitations = new MemberInvitations({ store, clock, random: randomBytes })
  return { fixture, store, clock, invitations }
}

test('an invitation is good for a week, and sent again with another token', async (t) => {
  const { clock, invitations } = await openInvitations(t)
  const first = await invitations.invite('press', bo)
  if (typeof first === 'string') return t.fail(first)
  t.is(await invitations.invite('press', { ...bo, email: 'BO@EXAMPLE.org' }), 'waits_already')
  t.is(invitations.find('press', first.token)?.id, first.invitation.id)
  t.is(invitations.find('other', first.token), undefined)
  t.is(await invitations.again('press', first.invitation.id, by), 'too_often')
  clock.forward(3_600_000)
  const again = await invitations.again('press', first.invitation.id, by)
  if (typeof again === 'string') return t.fail(again)
  t.is(invitations.find('press', first.token), undefined)
  t.is(invitations.waiting('press').length, 1)
  clock.forward(7 * 86_400_000)
  t.is(invitations.find('press', again.token), undefined)
  t.deepEqual(invitations.waiting('press'), [])
})

test('one answer is taken of several that come at once', async (t) => {
  const { invitations } = await openInvitations(t)
  const made = await invitations.invite('press', bo)
  if (typeof made === 'string') return t.fail(made)
  const { token } = made
  const answers = await Promise.all([
    invitations.answer('press', token, 'invitation_accepted', by),
    invitations.answer('press', token, 'invitation_accepted', by),
  ])
  t.is(answers.filter((answer) => answer !== undefined).length, 1)
})

test('an invitation is one person’s while they accept it', async (t) => {
  const { clock, invitations } = await openInvitations(t)
  const made = await invitations.invite('press', bo)
  if (typeof made === 'string') return t.fail(made)
  const { token } = made
  t.is((await invitations.take('press', token, 'p1'))?.accepted_by, 'p1')
  t.is(await invitations.take('press', token, 'p2'), undefined)
  t.not(await invitations.take('press', token, 'p1'), undefined, 'who was cut off goes on')
  await invitations.giveBack('press', token, 'p2')
  t.is(invitations.find('press', token)?.accepted_by, 'p1')
  await invitations.giveBack('press', token, 'p1')
  t.deepEqual(invitations.waiting('press'), [made.invitation])
  await invitations.take('press', token, 'p2')
  t.not(await invitations.answer('press', token, 'invitation_accepted', by), undefined)
  t.is(await invitations.take('press', token, 'p2'), undefined)
  const second = await invitations.invite('press', bo)
  if (typeof second === 'string') return t.fail(second)
  await invitations.take('press', second.token, 'p1')
  clock.forward(600_000)
  const again = await invitations.again('press', second.invitation.id, by)
  if (typeof again === 'string') return t.fail(again)
  t.is(again.invitation.accepted_by, undefined, 'sent again, it is anybody’s')
})

test('addresses leave the store once their time is over', async (t) => {
  const { clock, store, invitations } = await openInvitations(t)
  const rows = async () => {
    const keys: string[] = []
    for await (const [key] of store.scan('member_invitation/')) keys.push(key)
    return keys.length
  }
  await invitations.invite('press', bo)
  await invitations.invite('other', bo)
  clock.forward(6 * 86_400_000)
  await invitations.invite('other', { ...bo, email: 'late@example.org' })
  t.is(await invitations.forgetExpired(), 0)
  clock.forward(86_400_001)
  t.is(await invitations.forgetExpired(), 2)
  t.is(await rows(), 1, 'nothing is kept of one that nobody is asked by')
  t.deepEqual(
    invitations.waiting('other').map(({ email }) => email),
    ['late@example.org'],
  )
  t.is(await invitations.forgetExpired(), 0)
})

test('a hundred messages go out in a day, and a hundred invitations wait', async (t) => {
  const { clock, invitations } = await openInvitations(t)
  for (let number = 0; number < 100; number += 1) {
    const made = await invitations.invite('press', { ...bo, email: `p${number}@example.org` })
    if (typeof made === 'string') return t.fail(made)
    if (number > 0) continue
    t.true(await invitations.revoke('press', made.invitation.id, by))
  }
  t.is(await invitations.invite('press', bo), 'too_often')
  t.not(typeof (await invitations.invite('other', bo)), 'string')
  clock.forward(86_400_001)
  t.not(typeof (await invitations.invite('press', bo)), 'string')
  t.is(await invitations.invite('press', { ...bo, email: 'one@example.org' }), 'too_many')
})

test('what is kept tells nobody the address or the token', async (t) => {
  const { fixture, store, invitations } = await openInvitations(t)
  const made = await invitations.invite('press', bo)
  if (typeof made === 'string') return t.fail(made)
  await store.close()
  for (const file of await readdir(fixture.dir)) {
    const bytes = await readFile(path.join(fixture.dir, file))
    t.false(bytes.includes(bo.email) || bytes.includes(made.token), file)
  }
})
