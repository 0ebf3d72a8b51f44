import type { Command } from 'commander'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { readConfig } from '#config/config.ts'
import { type AdminClient, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, environmentOption, print } from '#src/cli/program.ts'
import type { AccountInfo } from '#src/admin/command_table.ts'

type Json = { readonly json: boolean }
type InEnvironment = Json & { readonly environment: EnvironmentName }

const accountArgument = 'its ppid or its e-mail address'

/** Adds the commands on the accounts of people: `account list`, `account invite` and others. */
export function defineAccount(program: Command): void {
  const account = program.command('account').description('manage the accounts of people')
  addCommand(account, 'list', 'list accounts, oldest first')
    .addOption(environmentOption('the registry whose they are'))
    .action(listAccounts)
  addCommand(account, 'reset-link', 'make a link with which a person chooses a new password')
    .argument('<account>', accountArgument)
    .option('--email <address>', 'make a new account for a ppid that has lost its own')
    .action(makeResetLink)
  addCommand(account, 'invite', 'make a link with which somebody can make an account, once').action(
    invite,
  )
  addCommand(account, 'make-admin', 'give an account the rights of an administrator')
    .argument('<account>', accountArgument)
    .option('--revoke', 'take them away instead', false)
    .action(setAdmin)
  addCommand(account, 'end-second-step', 'end the second step of a sign-in, for who has lost it')
    .argument('<account>', accountArgument)
    .action(endSecondFactor)
  addCommand(account, 'remove', 'erase an account, and what is personal about its person, for ever')
    .argument('<account>', accountArgument)
    .addOption(environmentOption('the registry whose it is'))
    .action(removeAccount)
}

async function listAccounts({ json, environment }: InEnvironment): Promise<void> {
  const { accounts } = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/accounts/list', { environment }),
  )
  const lines = accounts.map(describe).join('\n')
  print({ json }, accounts, accounts.length === 0 ? 'There are no accounts.' : lines)
}

function describe({ ppid, state, email, email_verified, roles, name }: AccountInfo): string {
  const address = email ?? 'no address'
  const standing = email_verified ? 'confirmed' : 'unconfirmed'
  return [ppid, state, address, standing, roles.join(','), name ?? ''].join('  ').trimEnd()
}

async function makeResetLink(
  account: string,
  { json, email }: Json & { readonly email?: string },
): Promise<void> {
  const body = { account, ...(email !== undefined && { email }) }
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/accounts/reset-link', body),
  )
  const advice = `Give it to ${reply.account.email ?? reply.account.ppid} and to nobody else.`
  print({ json }, reply, `${reply.url}\n\nValid once until ${reply.expires_at}. ${advice}`)
}

async function invite({ json }: Json): Promise<void> {
  const call = (client: AdminClient) => client.call('/accounts/invite', {})
  const reply = await withAdminClient(readConfig(process.env), call, { begins: true })
  print({ json }, reply, `${reply.url}\n\nValid once until ${reply.expires_at}.`)
}

async function setAdmin(
  account: string,
  { json, revoke }: Json & { readonly revoke: boolean },
): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/accounts/set-admin', { account, admin: !revoke }),
  )
  const is = revoke ? 'is no administrator any more' : 'is an administrator now'
  print({ json }, reply.account, `The account ${reply.account.ppid} ${is}.`)
}

async function endSecondFactor(account: string, { json }: Json): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/accounts/end-second-factor', { account }),
  )
  const { ppid } = reply.account
  const done = `The account ${ppid} asks for a password alone, and is signed out everywhere.`
  print({ json }, reply, reply.ended ? done : `The account ${ppid} has no second step.`)
}

async function removeAccount(account: string, { json, environment }: InEnvironment): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/accounts/remove', { environment, account }),
  )
  print({ json }, reply, `The account ${reply.ppid} is erased.`)
}
