import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, print } from '#src/cli/program.ts'

type EraseOptions = { readonly withdraw: boolean; readonly json: boolean }

const notes = `
Title, authors, addresses and all else that the versions of the work say are removed: from every
reply, and from the files of the store. Receipts, hashes and proofs stay and verify as before, and
the work's history tells when it was erased. There is no way back. Copies elsewhere are yours to
deal with: backups, snapshots of the file system, and what others have harvested.`

/** Adds `work erase`, which works whether or not a server is running. */
export function defineWork(program: Command): void {
  const work = program.command('work').description('what the law may ask of an operator')
  addCommand(work, 'erase', 'erase the metadata of a withdrawn work, for ever')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .option('--withdraw', 'withdraw the work with it, for the reason "legal"', false)
    .addHelpText('after', notes)
    .action(eraseWork)
}

async function eraseWork(ark: string, { withdraw, json }: EraseOptions): Promise<void> {
  const reply = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/works/erase', { ark, withdraw }),
  )
  const { ark_identifier: identifier, erased_at: erasedAt, is_purged: isPurged } = reply
  const what = `The metadata of ${identifier} was erased at ${erasedAt}`
  const where = isPurged
    ? 'nothing of it is left in the files of the store.'
    : 'the files of the store are not rid of it yet, which goes on, also after a restart.'
  print({ json }, reply, `${what}; ${where}`)
}
