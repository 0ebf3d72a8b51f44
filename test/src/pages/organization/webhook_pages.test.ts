import test from 'ava'

import { unescapeHtml } from '#test/src/pages/_browser.ts'
import { openPress, signUpMember } from '#test/src/pages/_members.ts'

const path = '/auth/organizations/press/webhooks'
const wish = { url: 'https://hooks.example/arklog', 'work.created': 'on', environment: 'live' }
const shownSecret = /<code class="secret-text" tabindex="0">(whsec_[0-9A-Za-z+/=]+)</

test('owners make webhooks, see the secret once, and change what they made', async (t) => {
  const registry = await openPress(t)
  const { webhooks } = registry
  const { browser } = await signUpMember(t, registry, 'owner')
  const wrong = await browser.submit(path, { ...wish, url: 'nowhere' })
  t.is(wrong.status, 422)
  t.regex(wrong.body, /must be an http or https address/)
  const none = await browser.submit(path, { url: wish.url, environment: 'live' })
  t.regex(none.body, /Select at least one event/)
  const sent = await browser.submit(path, { ...wish, description: 'Library <b>' })
  t.is(sent.status, 303)
  const own = String(sent.headers.location)
  const made = await browser.get(own)
  const [, secret = ''] = shownSecret.exec(unescapeHtml(made.body)) ?? []
  const [endpoint] = webhooks.list({ organization: 'press' })
  t.like(endpoint, { url: wish.url, events: ['work.created'], description: 'Library <b>' })
  t.deepEqual(endpoint?.secrets, [{ secret }])
  t.true(made.body.includes('Library &#60;b&#62;'))
  t.notRegex(unescapeHtml((await browser.get(own)).body), shownSecret)

  await browser.submit(own, {}, `${own}/pause`)
  t.is(webhooks.list({ organization: 'press' })[0]?.status, 'paused')
  await browser.submit(own, {}, `${own}/ping`)
  await browser.submit(own, {}, `${own}/resume`)
  t.like(webhooks.list({ organization: 'press' })[0], { status: 'active', pings: 1 })
  await browser.submit(own, { after: '0', until: '4' }, `${own}/replay`)
  t.like(webhooks.list({ organization: 'press' })[0]?.replays[0], { after: 0, until: 4 })
  const renewed = await browser.submit(own, {}, `${own}/secret`)
  t.regex(unescapeHtml((await browser.get(String(renewed.headers.location))).body), shownSecret)
  t.is(webhooks.list({ organization: 'press' })[0]?.secrets.length, 2)
  await browser.submit(own, { url: wish.url, 'work.withdrawn': 'on', description: 'Other' })
  t.like(webhooks.list({ organization: 'press' })[0], { events: ['work.withdrawn'] })
  t.regex((await browser.get(path)).body, /<h2>Other<\/h2>/)
  t.is((await browser.submit(`${own}/remove`, {})).headers.location, `${path}?done=removed`)
  t.deepEqual(webhooks.list({ organization: 'press' }), [])
})

test('webhooks are for owners, and those of the sandbox and of applications apart', async (t) => {
  const registry = await openPress(t)
  const { webhooks, sandbox } = registry
  const { browser } = await signUpMember(t, registry, 'owner')
  const editor = await signUpMember(t, registry, 'editor')
  t.is((await editor.browser.get(path)).status, 403)
  await browser.submit(path, { ...wish, environment: 'sandbox' })
  t.is(webhooks.all().length, 0)
  t.is(sandbox.webhooks.all().length, 1)
  const applications = '/auth/organizations/press/applications'
  const desk = { name: 'Desk', kind: 'public', redirect_uris: 'https://press.example/back' }
  await browser.submit(applications, { ...desk, openid: 'on' })
  const [application] = await registry.oauth.applications.list()
  const list = `${path}?application=${application?.client_id ?? ''}`
  const desks = await browser.get(`${applications}/${application?.client_id ?? ''}`)
  t.true(unescapeHtml(desks.body).includes(list))
  const { body } = await browser.get(list)
  t.regex(body, /Webhooks of Desk/)
  t.regex(body, /permission\.revoked/)
  const client = application?.client_id ?? ''
  await browser.submit(path, { ...wish, application: client, 'permission.revoked': 'on' })
  t.like(webhooks.all()[0], { application: client, organization: 'press' })
})
