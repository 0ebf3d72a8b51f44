import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** What a mail server says in place of taking a message: the next one, or the next with `only`. */
export type MailReply =
  | { readonly code: number; readonly text: string; readonly only?: RegExp }
  | undefined

/** A mail server that gives each message to `onData`; gives its address. */
export async function listenForMail(
  t: Owner,
  onData: NonNullable<SMTPServerOptions['onData']>,
): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData,
  })
  // A sender that ends amid a message breaks its connection off, whether its server reads or writes
  // just then, and smtp-server tells that as an error.
  server.on('error', (error) => {
    if (!('code' in error) || !['ECONNRESET', 'EPIPE'].includes(String(error.code))) throw error
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return `smtp://127.0.0.1:${port}`
}

/** A mail server that answers each message with the next of `replies`, then accepts. */
export async function serveMail(t: Owner, replies: MailReply[] = []) {
  const received: string[] = []
  let refusals = 0
  const smtpUrl = await listenForMail(t, (stream, _session, done) => {
    text(stream).then((mail) => {
      const isMeant = replies[0]?.only?.test(mail) ?? true
      const reply = isMeant ? replies.shift() : undefined
      if (reply !== undefined) {
        refusals += 1
        done(Object.assign(new Error(reply.text), { responseCode: reply.code }))
        return
      }
      received.push(mail)
      done()
    }, done)
  })
  return { received, refused: () => refusals, smtpUrl }
}
