import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'ava'

import { openPeopleRegistry } from '#test/src/_people.ts'
import { goodWork } from '#test/src/_registry.ts'
import { listenForMail } from '#test/src/delivery/mail/_mail_server.ts'

test('who has a verified address is told of the first write of an application', async (t) => {
  const mails: string[] = []
  const arrivals = new EventTarget()
  const smtpUrl = await listenForMail(t, (stream, _session, done) => {
    text(stream).then((mail) => {
      // Long lines come folded (RFC 2045, §6.7).
      mails.push(mail.replaceAll(/=\r?\n/g, ''))
      arrivals.dispatchEvent(new Event('mail'))
      done()
    }, done)
  })
  const registry = await openPeopleRegistry({
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'registry@registry.example',
  })
  t.teardown(() => registry.close())

  const arrived = once(arrivals, 'mail')
  const person = await registry.person('Ada Noticed')
  await arrived
  const [, link = ''] = /registry\.example(\/auth\/verify\/\w+)/.exec(mails[0] ?? '') ?? []
  await person.browser.get(link)
  await person.browser.postThen(link)
  t.true(registry.accounts.accounts.find(person.ppid)?.email_verified)

  registry.time.elapsedMs = 1_000
  const token = await registry.permit(person, ['svc:affiliations:write'])
  const write = (organization: string) =>
    registry.call('POST', '/api/v1/user/affiliations', token, { organization })
  const noticed = once(arrivals, 'mail')
  await write('Brown')
  await noticed
  t.is(mails.length, 2)
  t.true(mails[1]?.includes('Subject: A Press wrote to your profile'), mails[1])
  t.true(mails[1]?.includes('an affiliation or education was added'))
  t.true(mails[1]?.includes('/auth/account/writes'))
  t.false(mails[1]?.includes('Brown'), 'what it says is on the page alone')

  await write('Yale')
  registry.time.elapsedMs += 3_600_001
  const again = once(arrivals, 'mail')
  await write('Harvard')
  await again
  t.is(mails.length, 3, 'the second write within an hour was not told')

  registry.time.elapsedMs += 3_600_001
  const minting = await registry.permit(person, ['svc:works:write'])
  const { port: own } = registry.server.server.address() as AddressInfo
  const registered = once(arrivals, 'mail')
  const minted = await fetch(`http://127.0.0.1:${own}/api/v1/works`, {
    method: 'POST',
    headers: { ...minting, 'content-type': 'application/json' },
    body: JSON.stringify(goodWork),
  })
  t.is(minted.status, 201)
  await registered
  t.true(
    mails[3]?.includes('a work was registered for you'),
    'a plain write over a connection is told',
  )
})
