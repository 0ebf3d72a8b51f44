import test from 'ava'

import { remoteMail, offerMail } from '#src/cli/start/thread_services.ts'
import type { Message } from '#src/delivery/mail/message.ts'
import { collectedMail } from '#test/src/delivery/mail/_collected_mail.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { until } from '#test/_until.ts'

test('what a thread sends, its owner sends, in order, as it is', async (t) => {
  const { toJoined, toOwner } = connect(t)
  const sent: Message[] = []
  offerMail(toJoined, collectedMail(sent))
  const mail = remoteMail(toOwner)
  const messages = ['Ada', 'Öl', '\u2028'].map((text): Message => {
    return {
      kind: 'reset',
      to: 'ada@example.org',
      language: 'en',
      subject: text,
      text: `${text}\n`,
    }
  })
  for (const message of messages) mail.send(message)
  await until('all is sent', () => sent.length === messages.length)
  t.deepEqual(sent, messages)
})

test('a thread hears what became of a message, or that its owner has ended', async (t) => {
  const { toJoined, toOwner } = connect(t)
  const sent: Message[] = []
  offerMail(toJoined, collectedMail(sent))
  const mail = remoteMail(toOwner)
  const message = {
    kind: 'reset',
    to: 'ada@example.org',
    language: 'en',
    subject: 'S',
    text: 'T',
  } as const
  t.is(await mail.deliver(message), 'taken')
  t.deepEqual(sent, [message])
  toJoined.close()
  t.is(await mail.deliver(message), 'given_up')
})
