import type { Command } from 'commander'

import type { Suspendable } from '#actors/values/authority.ts'
import { calling } from '#src/cli/admin_client.ts'
import { addCommand, type JsonOption } from '#src/cli/program.ts'

const suspendNotes = `
From the next request on, keys, tokens, webhooks, forms and sign-ins are refused with the reason and
a contact. Works stay readable. Events for webhooks wait until you resume it.`

const withholdNotes = `
Its page, content, citations and public calls answer 451 with the reason until you resume it. Its
owner is notified. Nothing is written to the log: the work stays registered, and its receipts
verify. Search, feeds, OAI-PMH and keys still have its record.`

/** Adds `suspend` and `resume` to the command of what can be suspended; `name` is its argument. */
export function defineSuspension(
  parent: Command,
  type: Suspendable['type'],
  [name, about]: readonly [name: string, about: string],
): void {
  const isWork = type === 'work'
  addCommand(
    parent,
    'suspend',
    `${isWork ? 'withhold' : 'suspend'} the ${type} until you resume it`,
  )
    .argument(name, about)
    .requiredOption('--reason <text>', 'reason, one line; shown to those it affects')
    .addHelpText('after', isWork ? withholdNotes : suspendNotes)
    .action(
      calling(
        '/suspensions/suspend',
        (id: string, { reason }: JsonOption & { readonly reason: string }) => ({
          type,
          id,
          reason,
        }),
        ({ suspension }) => [
          suspension,
          `The ${type} ${suspension.id} is suspended since ${suspension.since}.`,
        ],
      ),
    )
  addCommand(parent, 'resume', `resume the suspended ${type}`)
    .argument(name, about)
    .action(
      calling(
        '/suspensions/resume',
        (id: string) => ({ type, id }),
        ({ suspension }) => [suspension, `The ${type} ${suspension.id} is resumed.`],
      ),
    )
}
