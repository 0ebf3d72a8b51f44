import test from 'ava'

import { serveRegistry } from '#test/src/_served_registry.ts'

test('the operator names an owner for an organization that has lost its own', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { accounts } = registry.accounts
  const join = async (name: string, email_verified: boolean) => {
    const email = `${name}@example.org`
    const made = { name, email, email_verified, password: 'a long enough sentence' }
    const answer = await accounts.signUp(made)
    return answer.type === 'signed_up' ? answer.account.ppid : t.fail(answer.type)
  }
  const ada = await join('ada', true)
  await join('bob', false)
  const name = (account: string, slug = 'demo') =>
    registry.admin.call('/organizations/name-owner', { slug, account })
  t.like(await name('ada@example.org'), { members: [{ ppid: ada, role: 'owner' }] })
  t.is((await name(ada)).members.length, 1)
  await t.throwsAsync(name('bob@example.org'), { message: /not confirmed/ })
  await t.throwsAsync(name('nobody@example.org'), { message: /There is no account/ })
  await t.throwsAsync(name(ada, 'none'), { message: /There is no organization none/ })
  const audit = await registry.oauth.audit.read({ type: 'organization', id: 'demo' }, { limit: 9 })
  const told = audit.filter(({ action }) => action === 'owner_named')
  t.like(told[0], { ppid: ada, by: { type: 'operator' } })
})
