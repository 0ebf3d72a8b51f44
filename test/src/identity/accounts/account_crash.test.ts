import test, { type ExecutionContext } from 'ava'

import { putRow } from '#src/identity/store/identity_rows.ts'
import {
  accountWorld,
  ada,
  Crash,
  type OpenedWorld,
} from '#test/src/identity/accounts/_account_world.ts'

/** The accounts of the sandbox lie in a part of the store. */
function placeOf(part: string | undefined): string {
  return part === undefined ? 'in the store' : `in its part ${part}`
}

/** No account without its person, no person without its account, no key without either. */
async function assertWhole(t: ExecutionContext, world: OpenedWorld, where: string): Promise<void> {
  const { accounts, people, personKeys } = world
  const listed = await accounts.list()
  for (const { ppid, state, email } of listed) {
    t.is(state, 'active', where)
    t.is(people.read(ppid)?.type, 'person', where)
    t.true(personKeys.has(ppid), where)
    t.is(accounts.findByEmail(email ?? '')?.ppid, ppid, where)
  }
  for (const ppid of await people.list({ after: '', limit: 100 })) {
    const isPerson = people.read(ppid)?.type === 'person'
    t.is(accounts.find(ppid) !== undefined, isPerson, where)
    t.is(personKeys.has(ppid), isPerson, where)
  }
}

for (const part of [undefined, 'sandbox'] as const) {
  test(`a sign-up that is cut off anywhere is whole after a start, ${placeOf(part)}`, async (t) => {
    for (let crashAt = 0; ; crashAt += 1) {
      const where = `a crash at step ${crashAt}`
      const world = await accountWorld(t, part)
      const first = await world.start({ crashAt })
      // What is counted begins with the first change that the sign-up itself makes.
      const outcome = await first.accounts.signUp(ada).catch((error: unknown) => error)
      if (!(outcome instanceof Crash)) {
        t.true(crashAt >= 6, 'two changes of accounts and one of people, before and after each')
        return
      }
      const again = await world.start()
      const repair = await again.accounts.repair()
      t.deepEqual([repair.dropped, repair.removed, repair.orphans], [[], [], []], where)
      await assertWhole(t, again, where)
      const signIn = await again.accounts.signIn(ada.email, ada.password)
      const signUp = await again.accounts.signUp(ada)
      // Whoever was not told that it worked can sign in, or sign up again.
      t.is(signIn.type === 'signed_in', signUp.type === 'invalid', where)
      await assertWhole(t, again, where)
      t.is((await again.accounts.list()).length, 1, where)
    }
  })
}

test('a sign-up that is cut off is finished by the next sign-in too', async (t) => {
  const world = await accountWorld(t)
  const { accounts, people } = await world.start()
  const create = people.create
  Object.assign(people, { create: () => Promise.reject(new Crash('there is no answer')) })
  await t.throwsAsync(accounts.signUp(ada), { instanceOf: Crash })
  t.is(accounts.findByEmail(ada.email), undefined)
  Object.assign(people, { create })
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'signed_in')
  const account = accounts.findByEmail(ada.email)
  t.is(people.read(account?.ppid ?? '')?.type, 'person')
})

test('a sign-up whose username is taken meanwhile is given up at the start', async (t) => {
  const world = await accountWorld(t)
  const first = await world.start({ crashAt: 2 })
  await t.throwsAsync(first.accounts.signUp(ada), { instanceOf: Crash })
  const { accounts, personKeys } = await world.start()
  const bo = await accounts.signUp({ ...ada, email: 'bo@example.org' })
  t.is(bo.type, 'signed_up')
  const { dropped } = await accounts.repair()
  t.is(dropped.length, 1)
  t.false(personKeys.has(dropped[0] ?? ''))
  t.is((await accounts.signIn(ada.email, ada.password)).type, 'refused')
  t.is((await accounts.signUp({ ...ada, username: 'ada-2' })).type, 'signed_up')
})

for (const part of [undefined, 'sandbox'] as const) {
  test(`a removal that is cut off anywhere is ended by a start, ${placeOf(part)}`, async (t) => {
    const world = await accountWorld(t, part)
    let removals = 0
    for (let crashAt = 0; ; crashAt += 1) {
      const where = `a crash at step ${crashAt}`
      const { accounts } = await world.start()
      t.is((await accounts.signUp(ada)).type, 'signed_up', where)
      const { ppid } = accounts.findByEmail(ada.email) ?? { ppid: '' }
      const cutOff = await world.start({ crashAt })
      const outcome = await cutOff.accounts.remove(ppid).catch((error: unknown) => error)
      const again = await world.start()
      again.accounts.onRemoval(async () => void (removals += 1))
      const { removed } = await again.accounts.repair()
      await assertWhole(t, again, where)
      if (!(outcome instanceof Crash)) {
        t.deepEqual(removed, [])
        t.true(crashAt >= 10 && removals > 0)
        return
      }
      if (crashAt === 0) await again.accounts.remove(ppid)
      else if (again.accounts.findByEmail(ada.email) !== undefined) t.fail(where)
      t.is(again.people.read(ppid)?.type, 'erased', where)
      t.is((await again.accounts.signIn(ada.email, ada.password)).type, 'refused', where)
    }
  })
}

test('a recovery that is cut off anywhere is whole after a start, or has not been', async (t) => {
  const next = 'another long sentence'
  for (let crashAt = 0; ; crashAt += 1) {
    const where = `a crash at step ${crashAt}`
    const world = await accountWorld(t)
    const { accounts, links, store } = await world.start()
    t.is((await accounts.signUp(ada)).type, 'signed_up', where)
    const { ppid } = accounts.findByEmail(ada.email) ?? { ppid: '' }
    const row = 'what the stranger left'
    await store.inTurn(() => store.commit([putRow(row, 1)]))
    const { token } = await links.issue({ kind: 'reset', ppid })
    const endWhatWasLeft = (opened: OpenedWorld) => {
      opened.accounts.onRecovery(async (recovered) => {
        t.is(recovered, ppid)
        await opened.store.inTurn(() => opened.store.commit([{ type: 'del', key: row }]))
      })
      return opened
    }
    const cutOff = endWhatWasLeft(await world.start({ crashAt }))
    const outcome = await cutOff.accounts.byLink
      .resetPassword(token, next)
      .catch((error: unknown) => error)
    const again = endWhatWasLeft(await world.start())
    const { finished } = await again.accounts.repair()
    const isRecovered = (await again.accounts.signIn(ada.email, next)).type === 'signed_in'
    t.is(again.store.read(row) === undefined, isRecovered, where)
    t.is(again.accounts.byLink.ofReset(token) === undefined, isRecovered, where)
    t.is(again.accounts.find(ppid)?.recovering, undefined, where)
    if (!(outcome instanceof Crash)) {
      t.deepEqual(finished, [])
      t.true(crashAt >= 6 && isRecovered)
      return
    }
  }
})
