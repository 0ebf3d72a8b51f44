import test, { type ExecutionContext } from 'ava'

import { readChanges } from '#test/actors/_organization_changes.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { admin, openPress } from '#test/src/pages/_members.ts'

const members = '/auth/organizations/press/members'

async function signedUp({ port }: { readonly port: number }, name: string) {
  const browser = new JarBrowser(port, baseUrl)
  const email = `${name}@example.org`
  const ppid = await browser.signUp({ name, email, password: 'a long enough sentence' })
  return { browser, ppid }
}

async function open(t: ExecutionContext) {
  const press = await openPress(t)
  const registry = { ...press, port: await press.listen() }
  const owner = await signedUp(registry, 'olga')
  const { organizations } = registry.environments.live
  await organizations.addMember({ slug: 'press', ppid: owner.ppid, role: 'owner', by: admin })
  /** Asks an address, and gives the path of the link, which is shown where no mail is sent. */
  const invite = async (email: string, role = 'editor') => {
    await owner.browser.get(members)
    const { body } = await owner.browser.postThen(`${members}/invite`, { email, role })
    const [, path = ''] = /(\/auth\/invitations\/press\/once_\w+)/.exec(body) ?? []
    return { path, body }
  }
  return { registry, owner, organizations, invite }
}

const over = /no longer valid/

test('who is invited accepts, once, and is what was meant', async (t) => {
  const { registry, owner, organizations, invite } = await open(t)
  const { path, body } = await invite('Bo@Example.org')
  t.regex(body, /Invitations waiting for an answer/)
  t.true(body.includes('Bo@Example.org'))
  t.false((await owner.browser.get(members)).body.includes(path), 'the link is shown once')
  const visitor = new JarBrowser(registry.port, baseUrl)
  const asked = (await visitor.get(path)).body
  t.regex(asked, /You are invited to A Press/)
  t.regex(asked, /sign-in\?return_to&#61;%2Fauth%2Finvitations/)
  t.regex(asked, /sign-up\?return_to/)
  t.is((await visitor.post(`${path}/accept`)).status, 303, 'nobody is a member without an account')
  const { browser, ppid } = await signedUp(registry, 'bo')
  await browser.get(path)
  const joined = await browser.postThen(`${path}/accept`)
  t.regex(joined.body, /You are a member now/)
  t.is(organizations.roleOf('press', ppid), 'editor')
  const [added] = await readChanges(registry.environments.live, 'press', { limit: 1 })
  t.is(added?.by.id, owner.ppid)
  t.regex((await visitor.get(path)).body, over)
  const list = { type: 'organization', id: 'press' } as const
  const entries = await registry.oauth.audit.read(list, { limit: 10 })
  t.deepEqual(
    entries.filter(({ invitation_id: id }) => id !== undefined).map((entry) => entry.action),
    ['member_invited', 'invitation_accepted'],
  )
  t.false(JSON.stringify(entries).includes('xample.org'))
})

test('an invitation is declined, taken back, and ends with the rights of who asked', async (t) => {
  const { registry, owner, organizations, invite } = await open(t)
  const visitor = new JarBrowser(registry.port, baseUrl)
  const first = await invite('bo@example.org')
  await visitor.get(first.path)
  t.regex((await visitor.post(`${first.path}/decline`)).body, /You declined the invitation/)
  t.regex((await visitor.get(first.path)).body, over)
  const second = await invite('bo@example.org')
  const [, id = ''] = /invitations\/(inv_\w+)\/revoke/.exec(second.body) ?? []
  await owner.browser.postThen(`${members}/invitations/${id}/revoke`)
  t.regex((await visitor.get(second.path)).body, over)
  const third = await invite('bo@example.org', 'owner')
  const other = await signedUp(registry, 'otto')
  await organizations.addMember({ slug: 'press', ppid: other.ppid, role: 'owner', by: admin })
  const command = { slug: 'press', ppid: owner.ppid, role: 'viewer', by: admin } as const
  await organizations.changeRole(command)
  const { browser, ppid } = await signedUp(registry, 'bo')
  await browser.get(third.path)
  const refused = await browser.post(`${third.path}/accept`)
  t.is(refused.status, 409)
  t.is(organizations.roleOf('press', ppid), undefined)
  await organizations.changeRole({ ...command, role: 'owner' })
  await browser.get(third.path)
  await browser.postThen(`${third.path}/accept`)
  t.is(organizations.roleOf('press', ppid), 'owner', 'what failed has not spent it')
  t.regex((await browser.get(third.path)).body, over)
})

test('an address is asked once, and nobody is told whether it has an account', async (t) => {
  const { registry, owner, invite } = await open(t)
  await signedUp(registry, 'bo')
  const known = (await invite('bo@example.org')).body
  t.regex(known, /Link of the invitation/)
  t.regex((await invite('nobody@example.org')).body, /Link of the invitation/)
  const twice = await owner.browser.post(`${members}/invite`, {
    email: 'BO@example.org',
    role: 'viewer',
  })
  t.is(twice.status, 422)
  t.regex(twice.body, /This address already has an invitation/)
  const wrong = await owner.browser.post(`${members}/invite`, { email: 'bo', role: 'viewer' })
  t.is(wrong.status, 422)
  const editor = await signedUp(registry, 'edna')
  const { organizations } = registry.environments.live
  await organizations.addMember({ slug: 'press', ppid: editor.ppid, role: 'editor', by: admin })
  t.false((await editor.browser.get(members)).body.includes('Invite somebody'))
  const asked = await editor.browser.post(`${members}/invite`, {
    email: 'x@example.org',
    role: 'owner',
  })
  t.is(asked.status, 403)
})
