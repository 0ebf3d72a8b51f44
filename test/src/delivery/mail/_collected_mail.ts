import type { Mail } from '#src/delivery/mail/mailer.ts'
import type { Message } from '#src/delivery/mail/message.ts'

/** Mail that comes to a list, which takes all of it. */
export function collectedMail(sent: Message[]): Mail {
  return {
    send: (message) => void sent.push(message),
    async deliver(message) {
      sent.push(message)
      return 'taken'
    },
  }
}
