import test from 'ava'
import type { ExecutionContext } from 'ava'

import { Mailer } from '#src/delivery/mail/mailer.ts'
import { resetMessage, verificationMessage, writeNotice } from '#src/delivery/mail/message.ts'
import { english } from '#src/words/language.ts'
import { createLogger } from '#src/edge/logger.ts'
import { serveMail } from '#test/src/delivery/mail/_mail_server.ts'

function openMailer(
  t: ExecutionContext,
  smtpUrl: string,
  retryAfterMs: readonly number[] = [1, 1],
) {
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line) => void logged.push(line) })
  const from = 'Registry <registry@example.org>'
  const mailer = new Mailer({ smtpUrl, from, registry: ours, logger, retryAfterMs })
  t.teardown(() => mailer.close())
  return { mailer, logged }
}

const ours = 'A Registry, https://registry.example, desk@registry.example'

/** A body in quoted-printable as it was before (RFC 2045 §6.7), for ASCII. */
function unwrapped(mail: string): string {
  return mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

const link = 'https://registry.example/auth/reset/once_0123456789'
const ada = { email: 'ada@example.org', language: english }
const resetMail = resetMessage(ada, link, 'https://registry.example')

test('a message arrives as text and as HTML, from its sender, with its link whole', async (t) => {
  const { received, smtpUrl } = await serveMail(t)
  const { mailer, logged } = openMailer(t, smtpUrl)
  t.is(await mailer.deliver(resetMail), 'taken')
  const [mail = ''] = received
  t.regex(mail, /^From: Registry <registry@example.org>\r$/m)
  t.regex(mail, /^To: ada@example.org\r$/m)
  t.regex(mail, /^Subject: Choose a new password\r$/m)
  t.regex(mail, /^Content-Type: multipart\/alternative;/m)
  t.regex(mail, /^Content-Type: text\/plain; charset=utf-8\r$/m)
  t.regex(mail, /^Content-Type: text\/html; charset=utf-8\r$/m)
  t.regex(mail, /^Auto-Submitted: auto-generated\r$/m)
  t.true(unwrapped(mail).includes(`\r\n${link}\r\n`))
  t.true(unwrapped(mail).includes(`\r\nRegistry: ${ours}\r\n`))
  t.true(unwrapped(mail).includes(`<p>Registry: ${ours}</p>`))
  t.regex(logged.join(), /"mail":"reset","attempt":1,"msg":"a message was sent"/)
})

test('what a server puts off is sent again; no log line has an address or the link', async (t) => {
  const text = 'greylisted <ada@example.org>, come back'
  const { received, smtpUrl } = await serveMail(t, [{ code: 451, text }])
  const { mailer, logged } = openMailer(t, smtpUrl)
  t.is(await mailer.deliver(resetMail), 'taken')
  t.is(received.length, 1)
  t.regex(logged.join(), /"attempt":1,.*"response_code":451.*"msg":"mail was not accepted"/)
  t.notRegex(logged.join(), /ada@|once_|greylisted/)
})

test('what a server refuses for good is not sent again, and the log says so', async (t) => {
  const refusal = { code: 550, text: 'no such user ada@example.org' }
  const { received, smtpUrl } = await serveMail(t, [refusal, undefined])
  const { mailer, logged } = openMailer(t, smtpUrl)
  t.is(await mailer.deliver(resetMail), 'refused')
  t.deepEqual(received, [])
  t.regex(logged.join(), /"mail":"reset","msg":"a message could not be sent"/)
  t.notRegex(logged.join(), /ada@/)
})

test('a server that is not there is tried again, then given up', async (t) => {
  const { mailer, logged } = openMailer(t, 'smtp://127.0.0.1:1', [1])
  t.is(await mailer.deliver(resetMail), 'given_up')
  t.is(logged.filter((line) => line.includes('mail was not accepted')).length, 2)
  t.is(logged.filter((line) => line.includes('could not be sent')).length, 1)
})

test('closing gives up what waits for its next attempt', async (t) => {
  const { mailer, logged } = openMailer(t, 'smtp://127.0.0.1:1', [3_600_000])
  const waiting = mailer.deliver(resetMail)
  await mailer.close()
  t.is(await waiting, 'given_up')
  t.regex(logged.join(), /a message could not be sent/)
  t.is(await mailer.deliver(resetMail), 'given_up')
  t.regex(logged.at(-1) ?? '', /a message was given up/)
})

test('a name in a message stays on its line', (t) => {
  const by = 'A Press\r\nBcc: everybody@example.org'
  const notice = { by, what: 'ItemAdded', page: 'https://registry.example/auth' }
  const { subject, text } = writeNotice(ada, notice, 'https://registry.example')
  t.is(subject, 'A Press Bcc: everybody@example.org wrote to your profile')
  t.regex(text, /^A Press Bcc: everybody@example.org made this change at https:/m)
})

test('a verification names its address in no other place than its envelope', (t) => {
  const mail = verificationMessage(ada, link, 'https://registry.example')
  t.is(mail.to, 'ada@example.org')
  t.notRegex(mail.subject + mail.text, /ada@/)
})
