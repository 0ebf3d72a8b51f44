import test, { type ExecutionContext } from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { admin, openPress, type Signed, signUp } from '#test/src/pages/_members.ts'

const [lead, press] = ['/auth/organizations/lead', '/auth/organizations/press']

/** A press with an owner, and a consortium with another. */
async function open(t: ExecutionContext) {
  const registry = await openPress(t)
  const { organizations } = registry.environments.live
  await organizations.create({ body: { slug: 'lead', name: 'A Consortium' }, by: admin })
  const join = async (name: string, slug: string) => {
    const signed = await signUp(t, registry, name)
    await organizations.addMember({ slug, ppid: signed.ppid, role: 'owner', by: admin })
    return signed
  }
  return {
    registry,
    organizations,
    ada: await join('ada', 'lead'),
    bob: await join('bob', 'press'),
  }
}

function send({ browser }: Signed, base: string, path: string, fields: Record<string, string>) {
  return browser.submit(`${base}/consortium`, fields, `${base}/consortium/${path}`)
}

test('a consortium invites a press, which agrees, and a key names who made it', async (t) => {
  const { registry, organizations, ada, bob } = await open(t)
  t.is((await ada.browser.get(`${press}/keys`)).status, 403)
  const unknown = await send(ada, lead, 'invite', { slug: 'nobody' })
  t.is(unknown.status, 422)
  t.regex(unknown.body, /There is no organization nobody/)
  t.is((await send(ada, lead, 'invite', { slug: 'press' })).status, 303)
  t.regex((await ada.browser.get(`${lead}/consortium`)).body, /Cancel the invitation of press/)
  t.is((await ada.browser.get(`${press}/keys`)).status, 403, 'nothing is shown before they agree')
  const asked = (await bob.browser.get(`${press}/consortium`)).body
  t.regex(asked, /A Consortium invites you/)
  t.regex(asked, /create and revoke your keys/)
  t.is((await send(bob, press, 'join', { parent: 'lead' })).status, 303)
  t.is(organizations.read('press')?.parent, 'lead')

  const table = (await ada.browser.get(`${lead}/consortium`)).body
  t.regex(table, /1 organization below/)
  t.regex(table, /Keys of A Press/)
  const page = await ada.browser.get(`${press}/keys`)
  t.is(page.status, 200)
  t.regex(page.body, /as an owner of A Consortium/)
  const wish = { label: 'Deposit', 'works:write': 'on', days: '7' }
  const made = await ada.browser.submit(`${press}/keys`, wish, `${press}/keys`)
  t.is(made.status, 303)
  t.regex((await bob.browser.get(`${press}/keys`)).body, /Created by[^]*ada \(ada@example\.org\)/)
  for (const path of ['/history', '/edit', '/works/new', '/webhooks']) {
    t.is((await ada.browser.get(press + path)).status, 403, path)
  }
  t.is((await ada.browser.get(`${press}/members`)).status, 200)
  const actions = async (id: string) => {
    const entries = await registry.oauth.audit.read({ type: 'organization', id }, { limit: 20 })
    return entries.map(({ action, by }) => `${action} ${by?.id === ada.ppid ? 'ada' : 'bob'}`)
  }
  t.deepEqual(await actions('press'), [
    'consortium_invited ada',
    'consortium_joined bob',
    'created ada',
  ])
  t.deepEqual(await actions('lead'), ['consortium_grew bob'])

  const { json } = await registry.server.inject('/v1/organizations/lead').then((reply) => ({
    json: reply.json(),
  }))
  t.deepEqual(json.below, { organizations_count: 1, works_count: 0 })
  t.is((await send(bob, press, 'leave', { parent: 'lead' })).status, 303)
  t.is((await ada.browser.get(`${press}/keys`)).status, 403)
})

test('a suspended consortium leads nobody, and its press goes on', async (t) => {
  const { registry, organizations, ada, bob } = await open(t)
  await organizations.changeParent({ slug: 'press', parent: 'lead', step: 'join', by: admin })
  t.is((await ada.browser.get(`${press}/keys`)).status, 200)
  const subject = { type: 'organization', id: 'lead' } as const
  await registry.suspensions.suspend({ subject, owner: subject, by: operator }, 'Unpaid.')
  t.is((await ada.browser.get(`${press}/keys`)).status, 403)
  t.is((await bob.browser.get(`${press}/keys`)).status, 200)
  await registry.suspensions.resume({ subject, owner: subject, by: operator })
  const below = { type: 'organization', id: 'press' } as const
  await registry.suspensions.suspend({ subject: below, owner: below, by: operator }, 'Unpaid.')
  const wish = { label: 'Deposit', 'works:write': 'on', days: '7' }
  const refused = await ada.browser.submit(`${press}/keys`, wish, `${press}/keys`)
  t.is(refused.status, 403)
  t.regex(refused.body, /suspended/i)
})

test('the page is in German', async (t) => {
  const { ada } = await open(t)
  const { body } = await ada.browser.get(`${lead}/consortium?lang=de`)
  t.regex(body, /Organisation einladen/)
  t.notRegex(body, /Invite organization/)
})
