import { once } from 'node:events'
import { text } from 'node:stream/consumers'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'
import { listenForMail } from '#test/src/delivery/mail/_mail_server.ts'

/** A mail server on loopback, which keeps what it is sent. */
export type Mailbox = {
  readonly smtpUrl: string
  /**
   * Waits for the next message to an address that has a link of this kind; gives the link. After
   * two minutes without one, an error lists the subjects that came.
   */
  link(kind: 'verify' | 'reset' | 'unlock' | 'invitations', to: string): Promise<string>
  /** Waits for the next message to an address that has a text; gives it as it is read. */
  message(to: string, pattern: RegExp): Promise<string>
}

/** A mail is on its way at once; a busy machine may take a while to hand it over. */
const waitMsMax = 120_000

type Mail = { readonly to: readonly string[]; readonly body: string }

/** Starts a mail server. */
export async function openMailbox(owner: Owner): Promise<Mailbox> {
  const mails: Mail[] = []
  const arrivals = new EventTarget()
  const smtpUrl = await listenForMail(owner, (stream, { envelope }, done) => {
    text(stream).then((body) => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), body })
      arrivals.dispatchEvent(new Event('mail'))
      done()
    }, done)
  })
  const next = async (to: string, pattern: RegExp): Promise<string> => {
    const signal = AbortSignal.timeout(waitMsMax)
    for (;;) {
      const found = mails.findIndex((mail) => mail.to.includes(to) && pattern.test(plainOf(mail)))
      const [mail] = found === -1 ? [] : mails.splice(found, 1)
      if (mail !== undefined) return plainOf(mail)
      await once(arrivals, 'mail', { signal }).catch(() => {
        const came = mails.map((each) => `${each.to.join(', ')}: ${subjectOf(each)}`)
        throw new Error(`no mail to ${to} has ${pattern}; what came: ${came.join(' | ') || 'none'}`)
      })
    }
  }
  return {
    smtpUrl,
    async link(kind, to) {
      const link = new RegExp(`http\\S+/${kind}/\\S+`)
      return link.exec(await next(to, link))?.[0] ?? ''
    },
    message: next,
  }
}

function subjectOf(mail: Mail): string {
  return /^Subject: (.*?)\r?$/m.exec(plainOf(mail))?.[1] ?? ''
}

/** A message in plain text: quoted-printable (RFC 2045 §6.7) breaks long lines. */
function plainOf({ body }: Mail): string {
  return body.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}
