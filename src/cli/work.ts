import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import type { ConflictingWork } from '#src/admin/command_table.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { printable } from '#src/cli/verify_text.ts'

type ConflictOptions = { readonly sandbox: boolean; readonly json: boolean }

type EraseOptions = { readonly withdraw: boolean; readonly json: boolean }

const notes = `
Title, authors, addresses and all else that the versions of the work say are removed: from every
reply, and from the files of the store. Receipts, hashes and proofs stay and verify as before, and
the work's history tells when it was erased. There is no way back. Copies elsewhere are yours to
deal with: backups, snapshots of the file system, and what others have harvested.`

const conflictNotes = `
Citations, formats and pages show the names of author_details. For each author it tells the place,
the name in authors, and the name that is shown. To correct a work, its registrant sends authors and
author_details together. A work tells of 20 authors at most.`

/** Adds `work erase|conflicts`, which work whether or not a server is running. */
export function defineWork(program: Command): void {
  const work = program.command('work').description('erase works, and find those to correct')
  addCommand(work, 'erase', 'erase the metadata of a withdrawn work, for ever')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .option('--withdraw', 'withdraw the work with it, for the reason "legal"', false)
    .addHelpText('after', notes)
    .action(eraseWork)
  addCommand(work, 'conflicts', 'list works whose authors and author_details name others')
    .option('--sandbox', 'those of the sandbox instead of the live ones', false)
    .addHelpText('after', conflictNotes)
    .action(listConflicts)
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

async function listConflicts({ sandbox, json }: ConflictOptions): Promise<void> {
  const environment = sandbox ? 'sandbox' : 'live'
  const works: ConflictingWork[] = []
  let lookedAt = 0
  await withAdminClient(readConfig(process.env), async (client) => {
    for (let after: number | null | undefined; after !== null; ) {
      const wanted = { environment, ...(after !== undefined && { after }) } as const
      const page = await client.call('/works/conflicts', wanted)
      works.push(...page.works)
      lookedAt += page.looked_at
      after = page.next
    }
  })
  const lines = works.map(formatConflicts)
  const summary = `${works.length} of ${lookedAt} works name authors in two ways.`
  print({ json }, { works, looked_at: lookedAt }, [...lines, summary].join('\n'))
}

function formatConflicts({ ark_identifier: ark, version, conflicts }: ConflictingWork): string {
  const lines = conflicts.map(({ place, name, shown }) => {
    return `  author ${place}: authors has “${name}”, shown is “${shown}”`
  })
  return printable([`${ark} v${version}`, ...lines].join('\n'))
}
