import test from 'ava'

import { operator } from '#src/identity/store/owner_text.ts'
import { openPress, type Signed, signUp, signUpMember } from '#test/src/pages/_members.ts'

const base = '/auth/organizations/press'
const press = { type: 'organization', id: 'press' } as const

/** Sends a form of the organization's page `section` to another path of it. */
function send(
  { browser }: Signed,
  section: string,
  fields: Record<string, string> = {},
  path = section,
) {
  return browser.submit(base + section, fields, base + path)
}

test('owners make keys, replace and revoke them, and read who did', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const viewer = await signUpMember(t, registry, 'viewer')
  const wrong = await send(owner, '/keys', { days: '9999', ip_allow: 'here' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /A key is valid for 1 to 366 days/)
  t.regex(wrong.body, /Enter IP addresses or networks/)
  t.regex(wrong.body, /Select at least one permission/)

  const label = 'Deposits <script>'
  const wish = { label, 'works:read': 'on', 'works:write': 'on', 'admin:*': 'on', days: '7' }
  const sent = await send(owner, '/keys', wish)
  const shown = String(sent.headers.location)
  const viewed = await viewer.browser.get(shown)
  t.is(viewed.status, 403)
  const made = await owner.browser.get(shown)
  const key = /svc_live_\w{48}/.exec(made.body)?.[0] ?? ''
  t.notRegex(made.body, /<script>/)
  const answer = await registry.server.inject({
    method: 'POST',
    url: '/v1/works',
    headers: { authorization: `Bearer ${key}` },
    payload: { work_title: 'T', work_type: 'article', authors: 'A B', work_url: 'https://x.org/' },
  })
  t.is(answer.statusCode, 201)
  t.like(answer.json(), { source: { type: 'organization', id: 'press', name: 'A Press' } })
  const page = (await viewer.browser.get(`${base}/keys`)).body
  t.regex(page, /Register works, change them and withdraw them; Read works and their changes/)
  t.notRegex(page, new RegExp(key))
  const id = /keys\/(\w{10})\/revoke/.exec((await owner.browser.get(`${base}/keys`)).body)?.[1]

  const { headers } = await send(owner, '/keys', {}, `/keys/${id}/rotate`)
  const rotated = await owner.browser.get(String(headers.location))
  t.regex(rotated.body, /The old key works until/)
  t.is((await send(viewer, '/keys', {}, `/keys/${id}/revoke`)).status, 403)
  const revoked = await send(owner, `/keys/${id}/revoke`)
  t.is(revoked.headers.location, `${base}/keys?done=revoked`)
  const refused = await registry.server.inject({
    url: '/v1/changes',
    headers: { authorization: `Bearer ${key}` },
  })
  t.is(refused.statusCode, 401)
  const foreign = { type: 'organization', id: 'others', name: 'Others' } as const
  const theirs = await registry.createKey(['works:read'], { owner: foreign })
  const theirId = theirs.slice('svc_live_'.length, 'svc_live_'.length + 10)
  t.is((await send(owner, '/keys', {}, `/keys/${theirId}/revoke`)).status, 404)
  t.is((await send(owner, '/keys', {}, `/keys/${theirId}/rotate`)).status, 404)

  const entries = await registry.oauth.audit.read(press, { limit: 10 })
  t.true(entries.some(({ action, by }) => action === 'created' && by?.id === owner.ppid))
  const history = (await owner.browser.get(`${base}/history`)).body
  t.regex(history, /Key Deposits &#60;script&#62;: revoked/)
})

test('owners register applications, whose secret is shown once', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const wrong = await send(owner, '/applications', { name: '', redirect_uris: 'javascript:x' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /An application needs a name/)
  t.notRegex(wrong.body, /href="javascript:/)
  const wish = { name: 'Deposit', redirect_uris: 'https://press.example/back', openid: 'on' }
  const sent = await send(owner, '/applications', wish)
  const made = await owner.browser.get(String(sent.headers.location))
  const id = /app_\w{16}/.exec(made.body)?.[0] ?? ''
  const secret = /tabindex="0">(\w{43})</.exec(made.body)?.[1] ?? ''
  const { applications } = registry.oauth
  t.true(applications.isSecret(id, secret))
  t.like(applications.find(id), { organization: 'press', state: 'unverified', owner: press })
  const page = (await owner.browser.get(`${base}/applications`)).body
  t.regex(page, /not verified/)
  t.false(page.includes(secret))
  const renewed = await send(owner, '/applications', {}, `/applications/${id}/secret`)
  const replaced = await owner.browser.get(String(renewed.headers.location))
  t.true(applications.isSecret(id, /tabindex="0">(\w{43})</.exec(replaced.body)?.[1] ?? ''))

  const chief = await signUp(t, registry, 'chief')
  const verify = () =>
    chief.browser.submit('/auth/organizations', {}, `/auth/admin/applications/${id}/approve`)
  t.is((await verify()).status, 403)
  await registry.accounts.accounts.setAdmin(chief.ppid, true, operator)
  t.regex((await chief.browser.get('/auth/admin/applications')).body, />Deposit<\/bdi><\/a>/)
  t.is((await verify()).headers.location, `/auth/admin/applications/${id}?done=verified`)
  t.is(applications.find(id)?.state, 'approved')

  const ended = await send(owner, `/applications/${id}/revoke`)
  t.is(ended.headers.location, `${base}/applications?done=revoked`)
  t.is(applications.findUsable(id), undefined)
  const history = (await owner.browser.get(`${base}/history`)).body
  t.regex(history, /new secret/)
  t.regex(history, /Application Deposit/)
})

test('owners add members by name or identifier, and one owner is always left', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const ada = await signUp(t, registry, 'ada')
  const eve = await signUp(t, registry, 'eve')
  const roles = () =>
    registry.environments.live.organizations.members('press')?.map(({ role }) => role)
  const nobody = await send(owner, '/members', { person: 'nobody', member_role: 'viewer' })
  t.is(nobody.status, 422)
  t.regex(nobody.body, /There is nobody with this username or identifier/)
  t.is((await send(owner, '/members', { person: 'ada', member_role: 'king' })).status, 400)
  await send(owner, '/members', { person: '@ada', member_role: 'viewer' })
  await send(owner, '/members', { person: eve.ppid, member_role: 'editor' })
  t.deepEqual(roles(), ['owner', 'viewer', 'editor'])
  const twice = await send(owner, '/members', { person: 'ada', member_role: 'editor' })
  t.regex(twice.body, /The person is already a member/)
  await send(owner, '/members', { ppid: ada.ppid, role: 'editor' }, '/members/role')
  t.deepEqual(roles(), ['owner', 'editor', 'editor'])

  const left = await send(eve, '/members', { ppid: eve.ppid }, '/members/remove')
  t.is(left.headers.location, '/auth/organizations?done=left')
  t.is((await eve.browser.get(base)).status, 403)
  const last = await send(owner, '/members', { ppid: owner.ppid }, '/members/remove')
  t.is(last.status, 409)
  t.regex(last.body, /Make somebody else an owner first/)
  await send(owner, '/members', { ppid: ada.ppid }, '/members/remove')
  t.deepEqual(roles(), ['owner'])
  const history = (await owner.browser.get(`${base}/history`)).body
  t.regex(history, /Member removed/)
  t.regex(history, /Role of a member changed/)
})
