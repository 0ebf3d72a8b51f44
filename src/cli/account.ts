import type { Command } from 'commander'

import type { AccountInfo } from '#src/http/admin/registry_commands.ts'
import { calling } from '#src/cli/admin_client.ts'
import { defineSuspension } from '#src/cli/suspension.ts'
import {
  addCommand,
  type EnvironmentOption,
  environmentOption,
  type JsonOption,
} from '#src/cli/program.ts'

const accountArgument = 'its ppid or its e-mail address'

/** Adds the commands on the accounts of people: `account list`, `account invite` and others. */
export function defineAccount(program: Command): void {
  const account = program.command('account').description('manage the accounts of people')
  addCommand(account, 'list', 'list accounts, oldest first')
    .addOption(environmentOption('their environment'))
    .action(listAccounts)
  addCommand(account, 'reset-link', 'create a link for choosing a new password')
    .argument('<account>', accountArgument)
    .option('--email <address>', 'create a new account for a ppid that has none')
    .action(makeResetLink)
  addCommand(account, 'invite', 'create a link for creating one account').action(invite)
  addCommand(account, 'make-admin', 'make an account an administrator')
    .argument('<account>', accountArgument)
    .option('--revoke', 'remove the administrator role instead', false)
    .action(setAdmin)
  addCommand(account, 'end-second-step', 'remove the second step, for someone who lost it')
    .argument('<account>', accountArgument)
    .action(endSecondFactor)
  defineSuspension(account, 'account', ['<account>', accountArgument])
  addCommand(account, 'remove', 'permanently erase an account and all personal data of its person')
    .argument('<account>', accountArgument)
    .addOption(environmentOption('its environment'))
    .action(removeAccount)
}

const listAccounts = calling(
  '/accounts/list',
  ({ environment }: EnvironmentOption) => ({ environment }),
  ({ accounts }) => [accounts, accounts.map(describe).join('\n') || 'There are no accounts.'],
)

function describe({ ppid, state, email, email_verified, roles, name }: AccountInfo): string {
  const address = email ?? 'no address'
  const standing = email_verified ? 'confirmed' : 'unconfirmed'
  return [ppid, state, address, standing, roles.join(','), name ?? ''].join('  ').trimEnd()
}

const makeResetLink = calling(
  '/accounts/reset-link',
  (account: string, { email }: JsonOption & { readonly email?: string }) => ({ account, email }),
  (reply) => {
    const advice = `Give it to ${reply.account.email ?? reply.account.ppid} and to nobody else.`
    return [reply, `${reply.url}\n\nValid once until ${reply.expires_at}. ${advice}`]
  },
)

const invite = calling(
  '/accounts/invite',
  () => ({}),
  (reply) => [reply, `${reply.url}\n\nValid once until ${reply.expires_at}.`],
  { begins: true },
)

const setAdmin = calling(
  '/accounts/set-admin',
  (account: string, { revoke }: JsonOption & { readonly revoke: boolean }) => ({
    account,
    admin: !revoke,
  }),
  ({ account }, _named, { revoke }) => {
    const is = revoke ? 'is no administrator any more' : 'is an administrator now'
    return [account, `The account ${account.ppid} ${is}.`]
  },
)

const endSecondFactor = calling(
  '/accounts/end-second-factor',
  (account: string) => ({ account }),
  (reply) => {
    const { ppid } = reply.account
    const done = `The account ${ppid} asks for a password alone, and is signed out everywhere.`
    return [reply, reply.ended ? done : `The account ${ppid} has no second step.`]
  },
)

const removeAccount = calling(
  '/accounts/remove',
  (account: string, { environment }: EnvironmentOption) => ({ account, environment }),
  (reply) => [reply, `The account ${reply.ppid} is erased.`],
)

const suppressNotes = `
For a mail that came back later as undeliverable. A program that reads your bounce mailbox can run
this command. Nothing is sent there until you allow it again.`

/** Adds `mail suppress` and others: to which addresses no mails go. */
export function defineMail(program: Command): void {
  const mail = program.command('mail').description('manage addresses that get no mails')
  addCommand(mail, 'suppressed', 'list addresses that get no mails').action(listSuppressed)
  addCommand(mail, 'suppress', 'stop mails to an address, as after a bounce')
    .argument('<address>', 'e-mail address')
    .requiredOption('--reason <text>', 'reason, one line')
    .addHelpText('after', suppressNotes)
    .action(suppress)
  addCommand(mail, 'allow', 'send mails to an address again')
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
    return [addresses, lines.join('\n') || 'Mails go to all addresses.']
  },
)

const suppress = calling(
  '/mails/suppress',
  (address: string, { reason }: JsonOption & { readonly reason: string }) => ({ address, reason }),
  ({ suppressed }) => [suppressed, `No more mails go to ${suppressed.address}.`],
)

const allow = calling(
  '/mails/allow',
  (address: string) => ({ address }),
  ({ address }) => [{ address }, `Mails go to ${address} again.`],
)
