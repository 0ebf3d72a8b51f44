import type { Command } from 'commander'

import { calling } from '#src/cli/admin_client.ts'
import { addCommand, type EnvironmentOption, environmentOption } from '#src/cli/program.ts'
import type { KeyRotation } from '#src/identity/oauth/token_keys.ts'

const receiptKeyNotes = `
The log announces the new key in an entry that the old key signs; from then on the old key's private
half is gone. What it has signed stays valid. Verifiers need /.well-known/svc-keys.json anew, which
lists both. The key of the log itself (of its checkpoints) cannot be rotated: it is what the log is
known by.`

/** Adds `receipt-key rotate`, which works whether or not a server is running. */
export function defineReceiptKey(program: Command): void {
  const receiptKey = program.command('receipt-key').description('manage the keys of receipts')
  addCommand(
    receiptKey,
    'rotate',
    'replace the key that signs receipts, and announce it in the log',
  )
    .addOption(environmentOption('the registry whose key it is'))
    .addHelpText('after', receiptKeyNotes)
    .action(rotateReceiptKey)
}

const rotateReceiptKey = calling(
  '/receipt-keys/rotate',
  ({ environment }: EnvironmentOption) => ({ environment }),
  (reply) => {
    const lines = [
      `Receipts of the ${reply.environment} registry are signed with the key ` +
        `${reply.new_key_id} from ${reply.rotated_at} on.`,
      `The key ${reply.old_key_id} has ended; what it has signed stays valid (entry ` +
        `${reply.leaf_index} of the log).`,
      'Verifiers need /.well-known/svc-keys.json anew to check receipts from now on.',
    ]
    return [reply, lines.join('\n')]
  },
)

const tokenKeyNotes = `
A rotation takes three calls. The first announces new keys, which applications read within an hour;
the second lets them sign; the third, two hours later, drops the old ones. A call that comes too
early changes nothing and says when to come again.`

const steps: Readonly<Record<KeyRotation['step'], string>> = {
  announced: 'New keys are announced',
  in_use: 'The new keys sign from now on',
  dropped: 'The old keys are dropped',
  too_early: 'It is too early for the next step; nothing was changed',
}

const nextSteps: Readonly<Record<KeyRotation['next_step'], string>> = {
  announce: 'begins another rotation',
  use: 'lets them sign',
  drop: 'drops the old ones',
}

/** Adds `token-key rotate`: the keys that sign what says who somebody is. */
export function defineTokenKey(program: Command): void {
  const tokenKey = program.command('token-key').description('manage the keys that sign ID tokens')
  addCommand(tokenKey, 'rotate', 'take the next step of replacing the keys')
    .addOption(environmentOption('the registry whose keys they are'))
    .addHelpText('after', tokenKeyNotes)
    .action(rotateTokenKey)
}

const rotateTokenKey = calling(
  '/token-keys/rotate',
  ({ environment }: EnvironmentOption) => ({ environment }),
  (rotation) => {
    const { step, key_ids, next_step, not_before } = rotation
    const done = `${steps[step]} (${key_ids.join(', ')}).`
    return [rotation, `${done}\nThe next call, from ${not_before} on, ${nextSteps[next_step]}.`]
  },
)
