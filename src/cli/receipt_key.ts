import type { Command } from 'commander'
import type { EnvironmentName } from '#actors/registry/environment.ts'
import { readConfig } from '#config/config.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, environmentOption, print } from '#src/cli/program.ts'

type RotateOptions = { readonly environment: EnvironmentName; readonly json: boolean }

const notes = `
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
    .addHelpText('after', notes)
    .action(rotateReceiptKey)
}

async function rotateReceiptKey({ environment, json }: RotateOptions): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/receipt-keys/rotate', { environment }),
  )
  const lines = [
    `Receipts of the ${environment} registry are signed with the key ${reply.new_key_id} from ` +
      `${reply.rotated_at} on.`,
    `The key ${reply.old_key_id} has ended; what it has signed stays valid (entry ` +
      `${reply.leaf_index} of the log).`,
    'Verifiers need /.well-known/svc-keys.json anew to check receipts from now on.',
  ]
  print({ json }, reply, lines.join('\n'))
}
