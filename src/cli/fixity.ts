import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import { withAdminClient } from '#src/cli/admin_client.ts'
import { formatFixity, formatOverviews } from '#src/cli/fixity_text.ts'
import { addCommand, print } from '#src/cli/program.ts'

type Json = { readonly json: boolean }

const statusNotes = `
Without an ARK it tells how many works there are in each state, how many of them are due, and how
the checks since the start of the server ended. With an ARK it tells what is known of the content of
the work's newest version, and how its last checks ended.`

const recheckNotes = `
The work becomes due now, before all that are re-checked by age; it is checked as soon as its host
has a turn. Without a server the request is kept, and carried out after the next start.`

/** Adds `fixity status|recheck`, which work whether or not a server is running. */
export function defineFixity(program: Command): void {
  const fixity = program.command('fixity').description('watch and steer the checking of content')
  addCommand(fixity, 'status', 'tell how the checking of content is doing, or one work’s')
    .argument('[ark]', 'the work, in any spelling of its ARK')
    .addHelpText('after', statusNotes)
    .action(showStatus)
  addCommand(fixity, 'recheck', 'have the content of a work checked now')
    .argument('<ark>', 'the work, in any spelling of its ARK')
    .addHelpText('after', recheckNotes)
    .action(recheck)
}

async function showStatus(ark: string | undefined, options: Json): Promise<void> {
  const config = readConfig(process.env)
  if (ark === undefined) {
    const status = await withAdminClient(config, (client) => client.call('/fixity/status', {}))
    print(options, status, formatOverviews(status))
    return
  }
  const record = await withAdminClient(config, (client) => client.call('/fixity/read', { ark }))
  print(options, record, formatFixity(record))
}

async function recheck(ark: string, options: Json): Promise<void> {
  const record = await withAdminClient(readConfig(process.env), (client) =>
    client.call('/fixity/recheck', { ark }),
  )
  print(options, record, `${record.ark_identifier} is due to be checked now.`)
}
