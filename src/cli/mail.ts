import type { Command } from 'commander'

import { calling } from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption } from '#src/cli/program.ts'

const suppressNotes = `
For a mail that came back later as undeliverable. A program that reads your bounce mailbox can run
this command. Mails about passwords and sign-ins are still tried.`

/** Adds `mail suppress` and others: to which addresses no news go. */
export function defineMail(program: Command): void {
  const mail = program.command('mail').description('manage addresses that get no news')
  addCommand(mail, 'suppressed', 'list addresses that get no news').action(listSuppressed)
  addCommand(mail, 'suppress', 'stop news to an address, as after a bounce')
    .argument('<address>', 'e-mail address')
    .requiredOption('--reason <text>', 'reason, one line')
    .addHelpText('after', suppressNotes)
    .action(suppress)
  addCommand(mail, 'allow', 'send news to an address again')
    .argument('<address>', 'e-mail address')
    .action(allow)
}

const listSuppressed = calling(
  '/mails/suppressed',
  () => ({}),
  ({ addresses }) => {
    const lines = addresses.map(({ address, since, because = 'refused by the mail server' }) => {
      return `${address}  since ${since}  ${because}`
    })
    return [addresses, lines.join('\n') || 'News go to all addresses.']
  },
)

const suppress = calling(
  '/mails/suppress',
  (address: string, { reason }: JsonOption & { readonly reason: string }) => ({ address, reason }),
  ({ suppressed }) => [suppressed, `No more news go to ${suppressed.address}.`],
)

const allow = calling(
  '/mails/allow',
  (address: string) => ({ address }),
  ({ address }) => [{ address }, `News go to ${address} again.`],
)
