import { referTo, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Mail } from '#src/mail/mailer.ts'
import type { Message } from '#src/mail/message.ts'

type MailMessage = { readonly type: 'send'; readonly message: Message }

const name = 'mail'

/**
 * Lets the other side of a connection send its mail from here (`mailAt`), so that what waits for
 * another attempt outlives that side, and all have the connections of one.
 */
export function offerMail(remote: Remote, mail: Mail): void {
  const ref = referTo(name, ({ message }: MailMessage) => {
    mail.send(message)
    return true
  })
  remote.offer(name, () => ref)
}

/** The mail of the other side of a connection. */
export function mailAt(remote: Remote): Mail {
  const owner = remote.at<MailMessage>(name, '')
  return { send: (message) => void tell(owner, { type: 'send', message }) }
}
