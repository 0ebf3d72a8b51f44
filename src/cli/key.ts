import { type Command, InvalidArgumentError, Option } from 'commander'
import { readConfig } from '#config/config.ts'
import type { OlderKeys } from '#src/cli/accept_older_keys.ts'
import { calling } from '#src/cli/admin_client.ts'
import {
  addCommand,
  type EnvironmentOption,
  environmentOption,
  type JsonOption,
  parseList,
  print,
} from '#src/cli/program.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import { formatOwner } from '#src/identity/store/owner_text.ts'

type CreateOptions = EnvironmentOption & {
  readonly owner: string
  readonly scopes: string[]
  readonly label?: string
  readonly ip?: string[]
  readonly hours?: number
}

const acceptOlderNotes = `
A start refuses an older copy, because keys that were revoked since would work again, and the copy
cannot tell which. With revoke, all keys are revoked. With keep, all keys work as they did then:
check them (key list), and revoke again what was revoked. If there is a newer copy, restore that
instead.`

/**
 * Adds `key create|list|revoke|rotate|confirm`, which work whether or not a server is running, and
 * `key accept-older`, which works when none can start.
 */
export function defineKey(program: Command): void {
  const key = program.command('key').description('manage API keys')
  defineCreate(key)
  addCommand(key, 'list', 'list keys, newest last')
    .option('--owner <owner>', 'only keys of this owner: org:<slug>, person:<ppid> or operator')
    .action(listKeys)
  addCommand(key, 'revoke', 'permanently revoke a key')
    .argument('<id>', 'id of the key')
    .action(revokeKey)
  addCommand(key, 'rotate', 'rotate a key; the old one works for another seven days')
    .argument('<id>', 'id of the key')
    .action(rotateKey)
  addCommand(
    key,
    'confirm',
    'create a five-minute code for one call with admin:* (header X-Admin-Code)',
  ).action(confirmCall)
  addCommand(key, 'accept-older', 'continue from an older copy of the identity store')
    .addOption(
      new Option('--keys <fate>', 'what to do with the keys in the copy')
        .choices(['revoke', 'keep'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', acceptOlderNotes)
    .action(acceptOlder)
}

function defineCreate(key: Command): void {
  addCommand(key, 'create', 'create a key and show it once')
    .requiredOption(
      '--owner <owner>',
      'owner that it acts for: org:<slug>, person:<ppid> or operator',
    )
    .requiredOption(
      '--scopes <scopes>',
      'its permissions, such as works:read,works:write',
      parseList,
    )
    .addOption(environmentOption('its environment'))
    .option('--label <text>', 'label for its owner')
    .option('--ip <networks>', 'addresses and networks that can use it', parseList)
    .option('--hours <count>', 'how long it is valid (default: 90 days)', parseCount)
    .action(createKey)
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, 1 or more.')
}

const createKey = calling(
  '/keys/create',
  ({ json: _json, ip, ...rest }: CreateOptions) => ({ ...rest, ip_allow: ip }),
  (reply) => [reply, describeNewKey(reply)],
  { begins: true },
)

function describeNewKey(reply: AdminReply<'/keys/create'>): string {
  return [
    reply.key,
    '',
    `  id           ${reply.id}`,
    `  owner        ${reply.owner}`,
    `  scopes       ${reply.scopes.join(', ')}`,
    `  environment  ${reply.environment}`,
    `  valid until  ${reply.expires_at}`,
    '',
    'It is shown only now. Keep it where nobody else can read it.',
  ].join('\n')
}

const listKeys = calling(
  '/keys/list',
  ({ owner }: JsonOption & { readonly owner?: string }) => ({ owner }),
  ({ keys }) => [keys, keys.map(describeKey).join('\n') || 'There are no keys.'],
)

function describeKey(key: KeyInfo): string {
  const used = key.last_used === null ? 'never used' : `used ${key.last_used.at}`
  const until = `until ${key.rotate_until ?? key.expires_at}`
  const { id, state, environment, scopes, label } = key
  const columns = [id, state, formatOwner(key.owner), environment, scopes.join(','), until, used]
  return [...columns, label].join('  ').trimEnd()
}

const revokeKey = calling(
  '/keys/revoke',
  (id: string) => ({ id }),
  ({ key }) => [key, `The key ${key.id} of ${formatOwner(key.owner)} is revoked.`],
)

const rotateKey = calling(
  '/keys/rotate',
  (id: string) => ({ id }),
  (reply) => {
    const overlap = `The key ${reply.replaces} works until ${reply.rotate_until}.`
    return [reply, `${describeNewKey(reply)}\n${overlap}`]
  },
)

const confirmCall = calling(
  '/keys/confirm',
  () => ({}),
  (reply) => [reply, `${reply.code}\n\nValid for one call until ${reply.expires_at}.`],
)

async function acceptOlder({ json, keys: fate }: JsonOption & { keys: OlderKeys }): Promise<void> {
  // Loaded here because no other of these commands opens the store by itself.
  const { acceptOlderKeys } = await import('#src/cli/accept_older_keys.ts')
  const accepted = await acceptOlderKeys(readConfig(process.env), fate)
  const { keys, lost_changes: changes } = accepted
  const lacking = changes === 1 ? '1 change' : `${changes} changes`
  const advice =
    fate === 'revoke'
      ? `Keys revoked: ${keys}. Create new ones with "arklog key create".`
      : `Keys kept: ${keys}. Revoke again those that were revoked since.`
  print({ json }, accepted, `The copy, which lacks ${lacking}, is accepted. ${advice}`)
}
