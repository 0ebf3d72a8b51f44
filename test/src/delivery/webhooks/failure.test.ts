import test, { type ExecutionContext } from 'ava'

import { until } from '#test/_until.ts'
import { serveMail } from '#test/src/delivery/mail/_mail_server.ts'
import { openPeopleRegistry, type PeopleRegistry, publisher } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { admin } from '#test/src/pages/_members.ts'
import { deliver, subscriber } from '#test/src/delivery/webhooks/_subscriber.ts'

const hourMs = 3_600_000

/** A registry that sends mail; `person` makes one whose address is confirmed. */
async function openMailing(t: ExecutionContext) {
  const { received, smtpUrl } = await serveMail(t)
  const settings = { SMTP_URL: smtpUrl, MAIL_FROM: 'registry@registry.example' }
  const registry = await openPeopleRegistry(settings)
  t.teardown(() => registry.close())
  const person = async (name: string) => {
    const before = received.length
    const made = await registry.person(name)
    await until('the link has come', () => received.length > before)
    const mail = (received.at(-1) ?? '').replaceAll(/=\r?\n/g, '')
    const [, link = ''] = /registry\.example(\/auth\/verify\/\w+)/.exec(mail) ?? []
    await made.browser.get(link)
    await made.browser.postThen(link)
    t.true(registry.accounts.accounts.find(made.ppid)?.email_verified)
    return made
  }
  return { registry, received, person }
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted((one, other) => one.localeCompare(other))
}

async function join(registry: PeopleRegistry, ppid: string, role: 'owner' | 'viewer') {
  const { organizations } = registry.environments.live
  return organizations.addMember({ slug: publisher.id, ppid, role, by: admin })
}

test('a message that nobody takes is tried for three days; owners are told once', async (t) => {
  const { registry, received, person } = await openMailing(t)
  const { webhooks, time } = registry
  const members = [
    ['Ada Owner', 'owner'],
    ['Bo Owner', 'owner'],
    ['Cy Viewer', 'viewer'],
  ] as const
  for (const [name, role] of members) {
    const { ppid } = await person(name)
    t.is((await join(registry, ppid, role)).type, 'changed')
  }
  const { told, answer, hostPort, url } = await subscriber(t)
  answer.status = 500
  const { events } = registry.environments.live.records
  const made = await webhooks.create({ organization: publisher.id }, { url }, events)
  const id = made?.endpoint.id ?? ''
  const statusNow = () => webhooks.get(id)?.status
  // Somebody who changes a webhook just when it is given up has nobody told twice.
  const alsoChanged: Promise<unknown>[] = []
  webhooks.onChange((changed) => {
    if (webhooks.get(changed)?.failure?.isTold !== false || alsoChanged.length > 2) return
    alsoChanged.push(webhooks.change(id, { description: `Change ${alsoChanged.length}` }))
  })
  deliver(t, registry, { allow: [hostPort], nowMs: () => time.nowMs })
  const mailedBefore = received.length
  const press = await registry.keyOf(publisher, ['works:write'])
  // Otherwise this mail comes among those that tell of the failure.
  await until('both owners have heard of the key', () => received.length === mailedBefore + 2)
  const work = await registry.call('POST', '/api/v1/works', press, goodWork)
  t.is(work.status, 201, work.body)
  const failures = () => webhooks.deliveries.progress(id)?.held[0]?.failures ?? 0
  await until('it was tried', () => failures() === 1)
  const mailed = received.length
  const startMs = time.nowMs
  let tries = 1
  for (; time.nowMs < startMs + 72 * hourMs; tries += 1) {
    t.is(statusNow(), 'active', `after ${(time.nowMs - startMs) / hourMs} hours`)
    t.is(received.length, mailed)
    time.nowMs += 6 * hourMs
    await webhooks.change(id, { description: `Look ${tries}` })
    await until('it was tried again', () => failures() === tries + 1)
  }
  await until('it is given up', () => statusNow() === 'failed')
  t.is(tries, 13)
  t.is(told.length, tries)
  t.regex(webhooks.get(id)?.failure?.reason ?? '', /three days: its last answer was 500$/)
  await until('it is written down', () => webhooks.get(id)?.failure?.isTold === true)
  await Promise.all(alsoChanged)
  t.true(alsoChanged.length > 0)
  const { mail } = registry.accounts
  await until('mail has gone out', async () => (await mail.waiting()) === 0)
  const mails = received.slice(mailed).map((text) => text.replaceAll(/=\r?\n/g, ''))
  const addressees = mails.map((text) => /^To: (.*?)\r?$/m.exec(text)?.[1] ?? '')
  t.deepEqual(
    addressees.toSorted((one, other) => one.localeCompare(other)),
    ['ada.owner@people.example', 'bo.owner@people.example'],
  )
  for (const text of mails) {
    t.regex(text, /^Subject: A webhook of A Press is paused\r?$/m)
    t.true(text.includes(`/auth/organizations/press/webhooks/${id}`), text)
    t.true(text.includes(url))
  }
  // Resumed, it goes on where it was, and has its patience again.
  answer.status = 200
  await webhooks.resume(id)
  await until('it is taken', () => told.length === tries + 1)
  t.is(told.at(-1)?.data['ark'], work.json().ark_identifier)
  t.is(statusNow(), 'active')
})

test('three days after an account has ended nothing waits of its permissions', async (t) => {
  const registry = await openPeopleRegistry()
  t.teardown(() => registry.close())
  const { webhooks, application, accounts, time } = registry
  const [ada, bo] = [await registry.person('Ada Ox'), await registry.person('Bo Pen')]
  for (const each of [ada, bo]) await registry.permit(each, ['openid', 'profile'])
  const { told, hostPort, url } = await subscriber(t)
  const { events } = registry.environments.live.records
  const owner = { organization: publisher.id, application: application.client_id }
  const made = await webhooks.create(owner, { url, events: ['permission.revoked'] }, events)
  const id = made?.endpoint.id ?? ''
  await webhooks.pause(id)
  const { grants } = registry.oauth
  await grants.endAllOfPerson(bo.ppid, { type: 'person', id: bo.ppid, name: 'Bo' })
  await accounts.accounts.remove(ada.ppid)
  const waiting = async () => {
    const rows = await webhooks.deliveries.pendingRevocations(id, 10)
    return rows.map(({ ended }) => ended.ppid)
  }
  const nowMs = () => time.nowMs
  const open = () => deliver(t, registry, { allow: [hostPort], nowMs })
  const first = open()
  await until('deliveries have begun', () => first.deliverers.live.status().underWay === 0)
  await first.close()
  t.deepEqual(sorted(await waiting()), sorted([ada.ppid, bo.ppid]), 'both wait to be told')
  time.nowMs += 72 * hourMs
  open()
  await until('what was of the account is gone', async () => (await waiting()).length === 1)
  t.deepEqual(await waiting(), [bo.ppid])
  await webhooks.resume(id)
  await until('the other is told', () => told.length === 1)
  t.is(told[0]?.data['ppid'], bo.ppid)
})
