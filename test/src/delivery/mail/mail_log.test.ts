import test from 'ava'

import { MailLog } from '#src/delivery/mail/mail_log.ts'
import type { Message } from '#src/delivery/mail/message.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const dayMs = 86_400_000

function mailOf(number: number): Message {
  const to = `reader-${number}@example.org`
  return { kind: 'news', to, language: 'en', subject: `News ${number}`, text: 'Hello,\n' }
}

test('a mail is noted by a few reads, and what is old or too much goes', async (t) => {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const { clock } = fixture
  let read = 0
  const scan = store.scan.bind(store)
  store.scan = async function* counted<T>(...asked: Parameters<IdentityStore['scan']>) {
    for await (const row of scan<T>(...asked)) {
      read += 1
      yield row
    }
  }
  const log = new MailLog({ store, clock, mailsMax: 40 })
  const subjects = async () => (await log.list()).map(({ subject }) => subject)
  for (let number = 1; number <= 60; number += 1) {
    clock.forward(1_000)
    read = 0
    await log.note(mailOf(number), 'taken')
    t.true(read <= 5, `${read} rows are read for mail ${number}`)
  }
  const newest = Array.from({ length: 40 }, (_, index) => `News ${60 - index}`)
  t.deepEqual(await subjects(), newest)
  clock.forward(31 * dayMs)
  for (let number = 61; number <= 71; number += 1) await log.note(mailOf(number), 'refused')
  t.deepEqual(
    await subjects(),
    Array.from({ length: 11 }, (_, index) => `News ${71 - index}`),
  )
  t.true(log.isSuppressed('reader-61@example.org'))
})
