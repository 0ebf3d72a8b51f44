import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** What a mail server says of a message in place of taking it. */
export type MailReply = { readonly code: number; readonly text: string } | undefined

/** A mail server that answers each message with the next of `replies`, then accepts. */
export async function serveMail(t: Owner, replies: MailReply[] = []) {
  const received: string[] = []
  let refusals = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const reply = replies.shift()
        if (reply !== undefined) {
          refusals += 1
          done(Object.assign(new Error(reply.text), { responseCode: reply.code }))
          return
        }
        received.push(Buffer.concat(parts).toString())
        done()
      })
    },
  })
  // A sender that ends amid a message breaks its connection off, whether its server reads or writes
  // just then, and smtp-server tells that as an error.
  server.on('error', (error) => {
    if (!('code' in error) || !['ECONNRESET', 'EPIPE'].includes(String(error.code))) throw error
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { received, refused: () => refusals, smtpUrl: `smtp://127.0.0.1:${port}` }
}
