import test from 'ava'

import { commandActs } from '#src/http/admin/command_table.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { adminActs } from '#src/pages/administration/frame.ts'
import { until } from '#test/_until.ts'
import type { TestRegistry } from '#test/src/_registry.ts'
import { mint, serveRegistry, type ServedRegistry, work } from '#test/src/_served_registry.ts'
import { makeReady, openPress, signUp } from '#test/src/pages/_members.ts'

const everything = { limit: 10_000 } as const
const slug = 'demo'

/** What each command that changes something is called with, in this order. */
async function calls(registry: ServedRegistry) {
  const { admin, accounts } = registry
  const person = async (name: string) => {
    const email = `${name}@example.org`
    const profile = { name, username: name, email, password: 'a long enough sentence' }
    const made = await accounts.accounts.signUp({ ...profile, email_verified: true })
    if (made.type !== 'signed_up') throw new Error(made.type)
    return made.account.ppid
  }
  const [ppid, other] = [await person('ada'), await person('grace')]
  const key = await registry.key({ scopes: ['works:write'] })
  const [ark, second] = [await mint(registry, key), await mint(registry, key, { work_title: 'B' })]
  const application = { name: 'Deposit', redirect_uris: ['https://press.example/back'] }
  const { application: app } = await admin.call('/applications/create', application)
  const keyOf = async () => (await admin.call('/keys/create', ofDemo)).id
  const ofDemo = { owner: `org:${slug}`, scopes: ['works:read'] }
  const hook = (await admin.call('/webhooks/create', ofHook)).webhook.id
  const change = async () => {
    const edit = { language: 'fr' } as const
    return (await admin.call('/works/change', { organization: slug, edit, selection })).id
  }
  const selection = { filter: {} }
  const member = { slug, ppid: other }
  return {
    '/clock/accept': {},
    '/token-keys/rotate': {},
    '/receipt-keys/rotate': {},
    '/search/reindex': {},
    '/keys/create': ofDemo,
    '/keys/revoke': { id: await keyOf() },
    '/keys/rotate': { id: await keyOf() },
    '/keys/confirm': {},
    '/accounts/reset-link': { account: ppid },
    '/accounts/invite': {},
    '/accounts/set-admin': { account: ppid, admin: true },
    '/applications/create': application,
    '/applications/approve': { client_id: app.client_id },
    '/applications/rotate-secret': { client_id: app.client_id },
    '/applications/revoke': { client_id: app.client_id },
    '/organizations/create': { organization: { slug: 'lab', name: 'Lab' } },
    '/organizations/update': { slug, changes: { name: 'Demo' } },
    '/organizations/add-member': { ...member, role: 'editor' },
    '/organizations/change-role': { ...member, role: 'owner' },
    '/organizations/name-owner': { slug, account: 'ada@example.org' },
    '/organizations/set-parent': { slug, parent: 'lab' },
    '/organizations/remove-member': member,
    '/webhooks/create': ofHook,
    '/webhooks/update': { id: hook, changes: { description: 'Ours' } },
    '/webhooks/ping': { id: hook },
    '/webhooks/pause': { id: hook },
    '/webhooks/resume': { id: hook },
    '/webhooks/replay': { id: hook, after: 0 },
    '/webhooks/rotate-secret': { id: hook },
    '/webhooks/remove': { id: hook },
    '/works/import': { owner: `org:${slug}`, works: [{}] },
    '/works/takedown': { work: ark.ark_identifier, reason: 'legal' },
    '/works/register-again': { work: ark.ark_identifier },
    '/works/erase': { ark: second.ark_identifier, withdraw: true },
    '/fixity/recheck': { ark: (await mint(registry, key, { work_title: 'C' })).ark_identifier },
    '/works/change/start': { organization: slug, id: await change() },
    '/works/change/stop': { organization: slug, id: await change() },
    '/suspensions/suspend': { type: 'organization', id: slug, reason: 'Why.' },
    '/suspensions/resume': { type: 'organization', id: slug },
    '/mails/suppress': { address: 'gone@example.org', reason: 'Mailbox full' },
    '/mails/allow': { address: 'gone@example.org' },
    '/accounts/remove': { account: other },
  }
}

const ofHook = { organization: slug, webhook: { url: 'https://example.org/hook' } }

test('every command that changes something leaves an entry in the audit list', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const bodies: Readonly<Record<string, unknown>> = await calls(registry)
  // There is no cluster here, nothing is delivered, and nobody has a second step.
  const untried = new Set([
    '/cluster/invite',
    '/cluster/leave',
    '/accounts/end-second-factor',
    '/webhooks/replay-delivery',
  ])
  const wanted = Object.entries(commandActs).filter(([, act]) => act !== 'reads')
  const { audit } = registry.oauth
  for (const [path] of wanted) {
    if (!untried.has(path)) t.true(path in bodies, `${path} is tried`)
  }
  for (const [path, body] of Object.entries(bodies)) {
    const before = (await audit.readAll(everything)).length
    await registry.admin.call(path as '/status', body as Record<string, never>)
    const after = await audit.readAll(everything)
    t.true(after.length > before || path === '/accounts/remove', `${path} leaves an entry`)
    t.is(after[0]?.entry.by?.type, 'operator', `${path} names who did it`)
  }
  for (const { entry } of await audit.readAll(everything)) t.truthy(entry.at)
})

/** Each form that can be sent here, with its fields, in this order. */
async function formsOf({ oauth, keys, createKey }: TestRegistry, ppid: string, rootPpid: string) {
  const press = { type: 'organization', id: 'press', name: 'A Press' } as const
  await createKey(['works:read'], { owner: press })
  const [key] = keys.list(press)
  const wish = {
    name: 'Deposit',
    redirect_uris: ['https://press.example/back'],
    post_logout_redirect_uris: [],
    scopes: [],
    kind: 'confidential',
    organization: 'press',
    homepage: null,
    logo_uri: null,
    contact: null,
    owner: press,
  } as const
  const { application } = await oauth.applications.register(wish, press)
  const app = `/admin/applications/${application.client_id}`
  const account = `/admin/accounts/${ppid}`
  const suspension = { type: 'organization', id: 'press', reason: 'Why.' }
  const forms: readonly (readonly [path: string, fields?: Record<string, string>])[] = [
    ['/admin/accounts/invite'],
    [`${account}/reset-link`],
    [`${account}/make-administrator`, { ppid }],
    [`${account}/end-administrator`],
    [`${app}/approve`],
    [`${app}/secret`],
    [`${app}/revoke`],
    [`/admin/keys/${key?.id}/revoke`],
    [`/admin/organizations/${ppid}/refuse`, { reason: 'No.' }],
    [`/admin/organizations/${ppid}/approve`],
    ['/admin/organizations/new', { slug: 'new-lab', name: 'New Lab' }],
    ['/admin/mails/suppress', { address: 'gone@example.org', because: 'Mailbox full' }],
    ['/admin/mails/lift', { address: 'gone@example.org' }],
    ['/admin/suspensions', suspension],
    ['/admin/suspensions/resume', suspension],
    ['/organizations/press/edit', { name: 'Another Press' }],
    ['/organizations/press/members', { person: ppid, member_role: 'editor' }],
    ['/organizations/press/members/role', { ppid, role: 'viewer' }],
    ['/organizations/press/members', { person: rootPpid, member_role: 'viewer' }],
    // As a member, too, an administrator does nothing unseen.
    ['/organizations/press/members/remove', { ppid }],
    ['/admin/owners/press', { account: ppid }],
    [`${account}/remove`, { ppid }],
  ]
  return forms
}

test('every form of an administrator leaves an entry in the audit list', async (t) => {
  const registry = await openPress(t)
  const root = await signUp(t, registry, 'root')
  const ada = await signUp(t, registry, 'ada')
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const profile = { slug: 'lab', name: 'Lab', aliases: [] }
  const ask = () => registry.accounts.requests.make({ ppid: ada.ppid, profile, message: '' })
  await makeReady(t, registry, ada)
  const forms = await formsOf(registry, ada.ppid, root.ppid)
  const { audit } = registry.oauth
  for (const [path, fields = {}] of forms) {
    if (path.startsWith('/admin/organizations/p')) await ask()
    const before = new Set((await audit.readAll(everything)).map(({ place }) => place))
    const sent = await root.browser.submit('/auth/account', fields, `/auth${path}`)
    t.is(sent.status, 303, `${path}: ${sent.body}`)
    const added = (await audit.readAll(everything)).filter(({ place }) => !before.has(place))
    t.is(added.length, 1, `${path} leaves an entry`)
    t.is(added[0]?.entry.by?.id, root.ppid, `${path} names who did it`)
  }
  const tried = Object.keys(adminActs).filter((form) => {
    const pattern = new RegExp(`^${form.replaceAll(/:\w+/g, '[^/]+')}$`)
    return forms.some(([path]) => pattern.test(path))
  })
  // The tests of these pages look for their entries.
  const elsewhere = [
    '/admin/people/:ppid/account',
    '/admin/takedowns',
    '/admin/takedowns/again',
    '/admin/takedowns/erase',
    '/admin/claims/:claim_id',
    '/admin/reports',
  ]
  t.deepEqual(tried.concat(elsewhere).toSorted(), Object.keys(adminActs).toSorted())

  const list = async (query: string) => (await root.browser.get(`/auth/admin/audit?${query}`)).body
  t.regex(await list('actor=root@example.org&subject=org:press'), /: suspended \(Why\.\)/)
  t.regex(
    await list('action=organization_declined'),
    /No entry matches|: request declined \(No\.\)/,
  )
  t.regex(await list('until=2026-01-01T00:00&action=suspended'), /: suspended/)
  t.regex(await list('from=2026-01-01T00:01'), /No entry matches/)
  t.regex(await list('from=yesterday'), /is not a time/)
  t.regex(await list('address=203.0'), /No entry matches/)
  const csv = await root.browser.get('/auth/admin/audit/export/csv?subject=org:press')
  t.regex(csv.body, /^id,at,action,by,[^]*,suspended,person:/)
  const lines = (await root.browser.get('/auth/admin/audit/export/jsonl')).body.trim().split('\n')
  t.true(lines.map((line) => JSON.parse(line) as { action: string }).length > 10)

  // The last line of a part leads to the rest.
  const at = '2025-01-01T00:00:00.000Z'
  const call = { owner: operator, at, action: 'called' } as const
  const much = Array.from({ length: 5_001 }, () => call)
  await registry.oauth.audit.write(much)
  const part = (await root.browser.get('/auth/admin/audit/export/jsonl?action=called')).body
  const { next } = JSON.parse(part.trim().split('\n').at(-1) ?? '') as { next: string }
  t.regex((await root.browser.get(next)).body, /"action":"called"/)
})

test('a call by a one-time code leaves an entry, and reads the list', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const wish = { owner: operator, ip_allow: ['127.0.0.1', '::1'], hours: 1 } as const
  const admin = await registry.key({ ...wish, scopes: ['admin:*'] })
  const send = async (path: string, method = 'GET', body?: unknown) => {
    const headers = [['X-Admin-Code', (await registry.adminCodes.issue()).code]] as const
    const given = body !== undefined && { body }
    return registry.call(path, { method, key: admin, headers, ...given })
  }
  t.is((await send(`/v1/organizations/${slug}`, 'PUT', { name: 'Other' })).status, 200)
  const list = '/v1/admin/audit?action=called'
  await until('the entry', async () => (await send(list)).body.includes('PUT /v1/organizations'))
  const { entries } = (await send(list)).json() as { entries: readonly unknown[] }
  t.like(entries[0], { by: { type: 'operator', id: 'operator' }, address: '127.0.0.0/24' })
  t.is((await send('/v1/admin/audit?from=yesterday')).status, 400)
  const page = (await send('/v1/admin/audit?limit=1')).json() as { links: { next: string } }
  const next = (await send(page.links.next.slice(registry.baseUrl.length))).json()
  t.is((next['entries'] as readonly unknown[]).length, 1)
  const key = await registry.key({ scopes: ['works:read'] })
  t.is((await registry.call('/v1/admin/audit', { key })).status, 403)
})

/** What an administrator's key can carry out by a one-time code, in this order. */
async function adminCalls(registry: ServedRegistry) {
  const key = await registry.key({ scopes: ['works:write'] })
  let count = 0
  const ark = async () => {
    count += 1
    const minted = await mint(registry, key, { work_title: `Work ${count}` })
    return encodeURIComponent(minted.ark_identifier)
  }
  const suspension = { type: 'organization', id: slug, reason: 'Why.' }
  const [ended, withdrawn] = [await ark(), await ark()]
  const hook = (await registry.admin.call('/webhooks/create', ofHook)).webhook.id
  const hooks = `/organizations/${slug}/webhooks`
  const at = `${hooks}/${hook}`
  const record = work({ work_title: 'Changed' })
  return {
    'PUT /organizations/{slug}': [`/organizations/${slug}`, { name: 'Other' }],
    'POST /organizations/{slug}/webhooks': [hooks, { url: 'https://example.org/other' }],
    'PATCH /organizations/{slug}/webhooks/{id}': [at, { description: 'Ours' }],
    'POST /organizations/{slug}/webhooks/{id}/ping': [`${at}/ping`],
    'POST /organizations/{slug}/webhooks/{id}/pause': [`${at}/pause`],
    'POST /organizations/{slug}/webhooks/{id}/resume': [`${at}/resume`],
    'POST /organizations/{slug}/webhooks/{id}/replay': [`${at}/replay`, { after: 0 }],
    'POST /organizations/{slug}/webhooks/{id}/rotate': [`${at}/rotate`],
    'DELETE /organizations/{slug}/webhooks/{id}': [at],
    'PUT /works/{ark}': [`/works/${await ark()}`, record],
    'POST /works/{ark}/versions': [`/works/${await ark()}/versions`, record],
    'POST /works/{ark}/withdraw': [`/works/${ended}/withdraw`, { reason: 'legal' }],
    'DELETE /works/{ark}': [`/works/${withdrawn}`, { reason: 'legal' }],
    'POST /works/{ark}/erase': [`/works/${ended}/erase`, { reason: 'legal' }],
    'POST /admin/takedowns': [
      '/admin/takedowns',
      { work: decodeURIComponent(await ark()), reason: 'legal' },
    ],
    'POST /admin/takedowns/{ark}/again': [`/admin/takedowns/${withdrawn}/again`],
    'POST /admin/suspensions': ['/admin/suspensions', suspension],
    'DELETE /admin/suspensions/{type}/{id}': [`/admin/suspensions/organization/${slug}`],
  } as Readonly<Record<string, readonly [path: string, body?: unknown]>>
}

/** Calls that admit such a key, and that change nothing here or only what is its own. */
const notTried = [
  'DELETE /user/claims/{claim_id}',
  'POST /organizations/{slug}/bulk-changes',
  'POST /organizations/{slug}/bulk-changes/{id}/start',
  'POST /organizations/{slug}/bulk-changes/{id}/stop',
  'POST /organizations/{slug}/webhooks/{id}/deliveries/{number}/replay',
  'POST /people/{ppid}/claim',
  'POST /receipts/verify',
  'POST /receipts/{ark}/v{version}/verify',
  'POST /works',
  'POST /works/bulk',
  'POST /works/read',
  'POST /works/validate',
  'PUT /claims/{claim_id}',
  'PUT /people/{ppid}',
  'PUT /works/by-doi/{doi}',
]

test('every call that an administrator can make leaves an entry in the audit list', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { audit } = registry.oauth
  const wish = { owner: operator, ip_allow: ['127.0.0.1', '::1'], hours: 1 } as const
  const admin = await registry.key({ ...wish, scopes: ['admin:*'] })
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = [['X-Admin-Code', (await registry.adminCodes.issue()).code]] as const
    const given = body !== undefined && { body }
    return registry.call(path, { method, key: admin, headers, ...given })
  }
  const known = await adminCalls(registry)
  for (const [name, [path, body]] of Object.entries(known)) {
    const before = (await audit.readAll(everything)).length
    const sent = await send(name.split(' ')[0] ?? '', `/v1${path}`, body)
    t.true(sent.status < 300, `${name}: ${sent.status} ${sent.body}`)
    await until(`the entry of ${name}`, async () => {
      return (await audit.readAll(everything)).length > before
    })
    t.is((await audit.readAll(everything))[0]?.entry.by?.type, 'operator', name)
  }
  // All other calls that write are refused to such a key, or are named here.
  const { paths } = (await registry.call('/openapi.json')).json() as {
    paths: Record<string, Record<string, unknown>>
  }
  const writing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => path.startsWith('/v1/') && /^(?:post|put|patch|delete)$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path.slice('/v1'.length)}`),
  )
  const admitted: string[] = []
  for (const name of writing.filter((each) => !(each in known))) {
    const [method = '', pattern = ''] = name.split(' ')
    const path = `/v1${pattern.replaceAll(/\{\w+\}/g, 'none')}`
    const before = (await audit.readAll(everything)).length
    const { status } = await send(method, path, method === 'DELETE' ? undefined : {})
    const after = (await audit.readAll(everything)).length
    if (status < 300) t.true(after > before, `${name} leaves an entry`)
    else if (status !== 403) admitted.push(name)
  }
  t.deepEqual(admitted.toSorted(), [...notTried].toSorted())
})
