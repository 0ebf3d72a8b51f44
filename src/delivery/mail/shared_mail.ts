import { answer } from '#actors/kernel/answer.ts'
import { ask, referTo, type Reply, tell } from '#actors/kernel/kernel.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Mail, MailOutcome } from '#src/delivery/mail/mailer.ts'
import type { Message } from '#src/delivery/mail/message.ts'

type MailMessage =
  | { readonly type: 'send'; readonly message: Message }
  | { readonly type: 'deliver'; readonly message: Message; readonly reply: Reply<MailOutcome> }

const name = 'mail'

/** How long what became of a message is waited for: what takes longer counts as given up. */
const deliverMs = 300_000

/**
 * Lets the other side of a connection send its mail from here (`remoteMail`), so that what waits
 * for another attempt outlives that side, and all have the connections of one.
 */
export function offerMail(remote: Remote, mail: Mail): void {
  const ref = referTo(name, (asked: MailMessage) => {
    const { message } = asked
    if (asked.type === 'deliver') {
      return answer(asked.reply, mail.deliver(message), 'a message could not be sent')
    }
    mail.send(message)
    return true
  })
  remote.offer(name, () => ref)
}

/** The mail of the other side of a connection. */
export function remoteMail(remote: Remote): Mail {
  const owner = remote.at<MailMessage>(name, '')
  return {
    send: (message) => void tell(owner, { type: 'send', message }),
    deliver: (message) =>
      ask(owner, { type: 'deliver', message }, deliverMs).catch(() => 'given_up' as const),
  }
}
