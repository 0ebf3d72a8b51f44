import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import { type AdminClient, withAdminClient } from '#src/cli/admin_client.ts'
import { CountBar } from '#src/cli/progress.ts'
import { addCommand, print } from '#src/cli/program.ts'
import type { SearchStatus } from '#src/discovery/search/search_service.ts'

type Options = { readonly json: boolean; readonly sandbox: boolean }

/** Time between two looks at how far it is. */
const lookMs = 200

const notes = `
The index is made from the journal, beside the one that is searched, and takes its place when it is
complete: search goes on meanwhile. Nothing of the registry itself is changed, and it does no harm
to do this at any time. With a search server, its index is made anew first, then the embedded one.`

/** The indexes were not made anew; the old ones are still searched. */
class ReindexError extends Error {
  readonly code = 'reindex_failed'
}

/** Adds `reindex`, which works whether or not a server is running. */
export function defineReindex(program: Command): void {
  addCommand(program, 'reindex', 'make the search indexes anew')
    .option('--sandbox', 'those of the sandbox instead of the live ones', false)
    .addHelpText('after', notes)
    .action(reindex)
}

async function reindex(options: Options): Promise<void> {
  const environment = options.sandbox ? 'sandbox' : 'live'
  await withAdminClient(readConfig(process.env), async (client) => {
    const { begun } = await client.call('/search/reindex', { environment })
    const { indexes } = await follow(client, environment)
    const events = Math.max(...indexes.map(({ position }) => position))
    const engines = indexes.map(({ engine }) => engine)
    print(
      options,
      { environment, engines, events, begun },
      `The indexes (${engines.join(', ')}) were made anew from ${events} events of the journal.`,
    )
  })
}

async function follow(client: AdminClient, name: 'live' | 'sandbox'): Promise<SearchStatus> {
  const bar = new CountBar()
  try {
    for (;;) {
      const { [name]: status } = await client.call('/search/status', {})
      if (status.reindex?.type === 'failed') throw new ReindexError(status.reindex.message)
      if (status.reindex?.type !== 'running') return status
      for (const { engine, rebuilding } of status.indexes) {
        if (rebuilding !== undefined) bar.show(engine, rebuilding.position, rebuilding.events)
      }
      await sleep(lookMs)
    }
  } finally {
    bar.stop()
  }
}
