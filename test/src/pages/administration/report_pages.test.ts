import test, { type ExecutionContext } from 'ava'

import { operator, operatorAgent } from '#src/identity/store/owner_text.ts'
import { openPeopleRegistry, type PeopleRegistry, publisher } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { serveMail } from '#test/src/delivery/mail/_mail_server.ts'
import { until } from '#test/_until.ts'

const path = '/auth/account/reports'

async function open(t: ExecutionContext) {
  const { received, smtpUrl } = await serveMail(t)
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'registry@registry.example' }
  const registry = await openPeopleRegistry(settings)
  t.teardown(() => registry.close())
  return { registry, received }
}

/** Registers a work of an owner, and reports a problem of it; gives the time of the report. */
async function report(registry: PeopleRegistry, owner: typeof publisher) {
  const key = await registry.keyOf(owner, ['works:write'])
  const url = '/api/v1/works?allow_duplicate=true'
  const made = await registry.call('POST', url, key, goodWork)
  const ark = String(made.json().ark_identifier)
  const form = { ark, kind: 'metadata', message: 'A page is <missing>.', email: 'eve@x.example' }
  const sent = await registry.server.inject({
    method: 'POST',
    url: '/report',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  const [kept] = await registry.accounts.reports.newest(owner, { limit: 1 })
  return { status: sent.statusCode, at: `${kept?.atMs}`, kept }
}

test('who may change works answers a report once, and the reader gets the answer', async (t) => {
  const { registry, received } = await open(t)
  const { organizations } = registry.environments.live
  const [ada, bo] = [await registry.person('Ada Edits'), await registry.person('Bo Views')]
  const slug = publisher.id
  await organizations.addMember({ slug, ppid: ada.ppid, role: 'editor', by: operatorAgent })
  await organizations.addMember({ slug, ppid: bo.ppid, role: 'viewer', by: operatorAgent })
  const { status, at, kept } = await report(registry, publisher)
  t.is(status, 200)
  t.is(kept?.reader?.email, 'eve@x.example')
  const { body } = await ada.browser.get(path)
  t.regex(body, /badge-waiting">open<[^]*The record has an error: A page is &#60;missing&#62;\./)
  t.false(body.includes('eve@x.example'), 'nobody is shown the address')
  t.regex((await bo.browser.get(path)).body, /No reports/)
  const form = { owner: slug, at, [`answer-${slug}-${at}`]: 'We mend it.' }
  t.is((await bo.browser.post(path, form)).status, 404)
  const empty = await ada.browser.post(path, { owner: slug, at })
  t.is(empty.status, 422)
  t.regex(empty.body, /Write an answer/)
  t.is((await ada.browser.post(path, form)).headers.location, `${path}?done=answered`)
  const isAnswer = (mail: string) => /^To: eve@x\.example\r?$/m.test(mail)
  await until('the answer is mailed', () => received.some(isAnswer))
  t.regex(received.find(isAnswer) ?? '', /A Press answers:[^]*We mend it\./)
  t.is((await ada.browser.post(path, form)).status, 422, 'once')
  t.regex((await ada.browser.get(path)).body, /badge-good">answered<[^]*We mend it\./)
  const [answered] = await registry.accounts.reports.newest(publisher, { limit: 1 })
  t.is(answered?.reader, undefined, 'the address is forgotten')
  const [entry] = await registry.oauth.audit.read(publisher, { order: 'newest', limit: 1 })
  t.like(entry, { action: 'report_answered', because: 'We mend it.', by: { id: ada.ppid } })
})

test('reports about works of the operator are for administrators', async (t) => {
  const { registry } = await open(t)
  const root = await registry.person('Root')
  const { at } = await report(registry, operator)
  const desk = '/auth/admin/reports'
  t.is((await root.browser.get(desk)).status, 403)
  await registry.accounts.accounts.setAdmin(root.ppid, true, operator)
  const waiting = /Reports from readers without an answer[^]{0,80}admin\/reports">1</
  t.regex((await root.browser.get('/auth/admin')).body, waiting)
  t.regex((await root.browser.get('/auth/account/notices')).body, /href="\/auth\/admin\/reports"/)
  t.regex((await root.browser.get(desk)).body, /A page is/)
  const form = { owner: operator.id, at, [`answer-${operator.id}-${at}`]: 'Thank you.' }
  t.is((await root.browser.post(desk, form)).headers.location, `${desk}?done=answered`)
  const [entry] = await registry.oauth.audit.read(operator, { order: 'newest', limit: 1 })
  t.like(entry, { action: 'report_answered', by: { id: root.ppid } })
})

test('reports on works of a person, and the answers, are in what is held of them', async (t) => {
  const { registry } = await open(t)
  const ada = await registry.person('Ada Writes')
  const owner = { type: 'person', id: ada.ppid, name: ada.ppid } as const
  const { at } = await report(registry, owner)
  const answer = { owner: ada.ppid, at, [`answer-${ada.ppid}-${at}`]: 'It is there now.' }
  const held = async () => {
    const key = await registry.keyOf(owner, ['people:read'])
    const { body } = await registry.call('GET', '/v1/user/export', key)
    t.false(body.includes('eve@x.example'), 'the address of a reader is not of the person')
    return JSON.parse(body).reports
  }
  t.like(await held(), [{ because: 'The record has an error: A page is <missing>.' }])
  t.is((await ada.browser.post(path, answer)).headers.location, `${path}?done=answered`)
  t.like(await held(), [{ answer: { text: 'It is there now.' } }])
})
