import test from 'ava'

import { operator, operatorAgent } from '#src/identity/store/owner_text.ts'
import { unescaped } from '#test/src/_browser.ts'
import { openPress, signUp, signUpMember } from '#test/src/pages/_members.ts'

const admin = '/auth/admin'

test('administrators enter organizations, end applications, and revoke keys', async (t) => {
  const registry = await openPress(t)
  const owner = await signUpMember(t, registry, 'owner')
  const root = await signUp(t, registry, 'root')
  const paths = ['/applications', '/keys', '/audit', '/organizations/new']
  for (const path of paths) t.is((await root.browser.get(admin + path)).status, 403, path)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)

  const enter = (fields: Record<string, string>) =>
    root.browser.submit(`${admin}/organizations/new`, fields)
  const wrong = await enter({ slug: 'Not A Slug', name: '', ror: '1' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /2 to 63 lower-case letters/)
  t.regex(wrong.body, /value="Not A Slug"/)
  t.regex(
    (await enter({ slug: 'press', name: 'X' })).body,
    /There already is an organization press/,
  )
  const entered = await enter({ slug: 'new-lab', name: 'A <b>Lab', country: 'de' })
  t.is(entered.headers.location, '/auth/organizations/new-lab/members?done=entered')
  for (const { organizations } of Object.values(registry.environments)) {
    t.like(organizations.read('new-lab'), { name: 'A <b>Lab', country: 'DE', aliases: [] })
  }
  const list = (await root.browser.get(`${admin}/organizations`)).body
  t.regex(list, /new-lab\/edit"\s+aria-label="Edit A &#60;b&#62;Lab"/)

  const press = { type: 'organization', id: 'press', name: 'A Press' } as const
  await registry.createKey(['works:read'], { owner: press })
  await registry.createKey(['works:read'], { owner: { ...press, id: 'new-lab' } })
  const keys = (await root.browser.get(`${admin}/keys?owner=org:press`)).body
  const [, id = ''] = /keys\/(\w{10})\/revoke/.exec(keys) ?? []
  t.is(keys.split('/revoke"').length, 2, 'only keys of the press')
  t.is((await owner.browser.get(`${admin}/keys/${id}/revoke`)).status, 403)
  const revoked = await root.browser.submit(`${admin}/keys/${id}/revoke`, {})
  t.is(revoked.headers.location, `${admin}/keys?done=revoked`)
  t.is(registry.keys.list(press)[0]?.state, 'revoked')
  t.regex((await root.browser.get(`${admin}/keys?q=press&state=over`)).body, /revoked</)
  t.regex((await root.browser.get(`${admin}/keys?q=nothing`)).body, /No keys found/)

  const base = '/auth/organizations/press/applications'
  const wish = { name: 'Deposit', redirect_uris: 'https://press.example/back', openid: 'on' }
  await owner.browser.submit(base, wish)
  const [application] = await registry.oauth.applications.list()
  const own = `${admin}/applications/${application?.client_id}`
  t.regex((await root.browser.get(`${admin}/applications?q=deposit`)).body, />Deposit<\/bdi><\/a>/)
  const replaced = await root.browser.submit(own, {}, `${own}/secret`)
  t.is(replaced.headers.location, own)
  t.regex((await root.browser.get(own)).body, /Client secret/)
  const ended = await root.browser.submit(`${own}/revoke`, {})
  t.is(ended.headers.location, `${own}?done=ended`)
  t.is((await registry.oauth.applications.list())[0]?.state, 'revoked')
})

test('an administrator gives a reset link, and the audit list of all has it', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const own = `${admin}/accounts/${ada.ppid}`
  const made = await root.browser.submit(`${own}/reset-link`, {})
  t.is(made.headers.location, own)
  const [, token = ''] = /\/auth\/reset\/(once_\w+)/.exec((await root.browser.get(own)).body) ?? []
  t.is(registry.accounts.accounts.byLink.ofReset(token)?.ppid, ada.ppid)
  t.notRegex((await root.browser.get(own)).body, /once_/, 'it is shown once')
  t.is((await root.browser.get(`${own}/mail-reset-link`)).status, 409, 'no mail is sent here')

  const audit = async (query = '') => (await root.browser.get(`${admin}/audit${query}`)).body
  const all = await audit()
  t.regex(all, /Account: link for a new password created/)
  t.regex(all, /Account: became an administrator/)
  const adas = await audit('?subject=ada@example.org')
  t.regex(adas, /Account: link for a new password created/)
  t.notRegex(adas, /Account: became an administrator/)
  t.regex(await audit('?action=rotated'), /No entry matches/)
  t.regex(await audit('?until=2020-01-01'), /No entry matches/)
  t.regex(await audit('?actor=nobody'), /No entry matches/)
  await root.browser.submit(`${own}/remove`, { ppid: ada.ppid })
  t.notRegex(await audit(), /Account: link for a new password/, 'with the account its entries go')
})

test('administrators find an organization among many by any of its names', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const { organizations } = registry.environments.live
  const by = operatorAgent
  for (let nth = 100; nth < 205; nth += 1) {
    await organizations.create({ body: { slug: `lab-${nth}`, name: `Laboratory ${nth}` }, by })
  }
  const aliases = ['Maison de l’Été']
  await organizations.create({ body: { slug: 'z-house', name: 'Z House', aliases }, by })
  const list = async (query: string) =>
    (await root.browser.get(`${admin}/organizations${query}`)).body
  const slugsOf = (body: string) => Array.from(body.matchAll(/<code>([^<]*)/g), ([, slug]) => slug)
  t.deepEqual(slugsOf(await list('?q=ete')), ['z-house'])
  t.deepEqual(slugsOf(await list('?q=LAB-204')), ['lab-204'])
  t.regex(await list('?q=nowhere'), /No organization has this in its name/)
  const first = await list('?q=laboratory')
  t.is(slugsOf(first).length, 100)
  const [, more = ''] = /href="[^"?]*(\?[^"]*)" rel="next">Next page</.exec(first) ?? []
  const rest = slugsOf(await list(unescaped(more)))
  t.deepEqual(rest, ['lab-200', 'lab-201', 'lab-202', 'lab-203', 'lab-204'])
})
