import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { MailLog } from '#src/delivery/mail/mail_log.ts'
import type { MailOutcome } from '#src/delivery/mail/mailer.ts'
import type { Message } from '#src/delivery/mail/message.ts'
import { Outbox, OutboxSender } from '#src/delivery/mail/outbox.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'
import { until } from '#test/_until.ts'

const dayMs = 86_400_000

function messageOf(kind: Message['kind'], to = 'ada@example.org'): Message {
  return { kind, to, language: 'en', subject: 'S', text: 'once_0123456789\n' }
}

/** An outbox, and senders of it whose mail server answers as `outcomes` say, or takes all. */
async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const { clock, dir } = fixture
  const store = await fixture.open()
  const outbox = new Outbox({ store, clock })
  const log = new MailLog({ store, clock })
  const sent: Message[] = []
  const outcomes: Promise<MailOutcome>[] = []
  const send = () => {
    const sender = new OutboxSender({
      outbox,
      mailer: {
        async deliver(message) {
          const outcome = await (outcomes.shift() ?? 'taken')
          if (outcome === 'taken') sent.push(message)
          await log.note(message, outcome)
          return outcome
        },
      },
      bounced: (address, isAsked) => log.isSuppressed(address, isAsked),
      clock,
      report: (fault) => t.fail(String(fault)),
    })
    t.teardown(() => sender.close())
    return sender
  }
  const ended = () => until('nothing waits', async () => (await outbox.places()).length === 0)
  return { clock, dir, store, outbox, log, sent, outcomes, send, ended }
}

test('what was on its way at the end is sent by the next start, and nothing else', async (t) => {
  const { outbox, sent, outcomes, send, ended } = await open(t)
  const gone = Promise.withResolvers<MailOutcome>()
  outcomes.push(gone.promise)
  await outbox.add(messageOf('reset'))
  const first = send()
  await until('it is under way', () => outcomes.length === 0)
  await outbox.add(messageOf('password_changed', 'bo@example.org'))
  await until('one that waits holds up no other', () => sent.length === 1)
  const closed = first.close()
  gone.resolve('given_up')
  await closed
  t.is((await outbox.places()).length, 1)
  send()
  await ended()
  t.deepEqual(
    sent.map(({ to }) => to),
    ['bo@example.org', 'ada@example.org'],
  )
  t.is(new Set(sent.map(({ id }) => id)).size, 2)
})

test('a mail that was given up is put off, and dropped when its time is over', async (t) => {
  const { clock, outbox, sent, outcomes, send, ended } = await open(t)
  const untilMs = clock.nowMs() + 3_600_000
  await outbox.add(messageOf('reset'), { untilMs })
  outcomes.push(Promise.resolve('given_up'))
  const [place = ''] = await outbox.places()
  const first = send()
  await until('it is put off', async () => (await outbox.take(place, untilMs)) === undefined)
  await first.close()
  clock.forward(20 * 60_000)
  t.truthy(await outbox.take(place, untilMs), 'it is taken again')
  clock.forward(3_600_000)
  send()
  await ended()
  t.deepEqual(sent, [], 'its link is no longer good')
})

test('many mails that are put off hold up no other', async (t) => {
  const { clock, store, outbox, sent, send } = await open(t)
  const names = Array.from({ length: 1_000 }, (_, index) => `0-${index}`)
  await store.append(names.map((name) => outbox.row(messageOf('write_notice'), { name })))
  const laterMs = clock.nowMs() + dayMs
  const places = await outbox.places()
  await Promise.all(places.map((place) => outbox.putOff(place, laterMs)))
  await outbox.add(messageOf('reset', 'bo@example.org'))
  t.is(await outbox.count(), 1_001)
  send()
  await until('the new one is sent', () => sent.length === 1)
  t.is(sent[0]?.to, 'bo@example.org')
})

test('nothing goes to an address that refused, but what it asks for a day later', async (t) => {
  const { clock, outbox, log, sent, outcomes, send, ended } = await open(t)
  outcomes.push(Promise.resolve('refused'))
  await outbox.add(messageOf('verification'))
  send()
  await ended()
  t.true(log.isSuppressed('ada@example.org'))
  for (const kind of ['reset', 'password_changed'] as const) {
    await outbox.add(messageOf(kind, 'Ada@example.org'))
    await ended()
  }
  t.deepEqual(sent, [])
  clock.forward(dayMs)
  for (const kind of ['password_changed', 'reset'] as const) {
    await outbox.add(messageOf(kind))
    await ended()
  }
  t.deepEqual(
    sent.map(({ kind }) => kind),
    ['reset'],
  )
  t.false(log.isSuppressed('ada@example.org'), 'it took a mail')
  await log.suppress('ada@example.org', 'Mailbox full')
  clock.forward(2 * dayMs)
  await outbox.add(messageOf('reset'))
  await ended()
  t.is(sent.length, 1, 'an operator stopped them')
})

test('no file has a row of a secret once it was sent', async (t) => {
  const { dir, store, outbox, send, ended } = await open(t)
  await outbox.add(messageOf('member_invitation'), { name: 'invitation-0123456789' })
  const [place = ''] = await outbox.places()
  const sealed = store.read<string>(place) ?? ''
  const has = async () => {
    const files = await readdir(dir)
    const bytes = await Promise.all(files.map((file) => readFile(path.join(dir, file), 'latin1')))
    return bytes.some((text) => text.includes(sealed.slice(0, 40)))
  }
  t.true(await has())
  t.false(sealed.includes('once_'))
  const sender = send()
  await ended()
  await sender.close()
  t.false(await has())
})
