import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import type { AdminReply } from '#src/http/admin/command_table.ts'
import { type AdminClient, calling, withAdminClient } from '#src/cli/admin_client.ts'
import { addCommand, type EnvironmentOption, environmentOption, print } from '#src/cli/program.ts'
import { CountBar } from '#src/cli/progress.ts'
import type { SearchStatus } from '#src/discovery/search/search_service.ts'
import type { KeyRotation } from '#src/identity/oauth/token_keys.ts'

const acceptNotes = `
Only use this if the clock is right. While there is evidence against the clock, nothing with a
time is written. This command trusts the clock at once, until the machine restarts. If the newest
entry of a log is ahead of the clock, everything until that time is dated with that time, because
the times of a log never go back. In a cluster each node has its own clock.`

/** Adds `clock status|accept`, which work whether or not a server is running. */
export function defineClock(program: Command): void {
  const clock = program.command('clock').description('manage the clock that dates works')
  addCommand(clock, 'status', 'show whether the clock is trusted, and why not').action(showClock)
  addCommand(clock, 'accept', 'trust the clock although there is evidence against it')
    .addHelpText('after', acceptNotes)
    .action(acceptClock)
}

const showClock = calling(
  '/clock/status',
  () => ({}),
  (status) => [status, formatClock(status)],
)

const acceptClock = calling(
  '/clock/accept',
  () => ({}),
  (reply) => {
    const done =
      reply.accepted === null
        ? 'Nothing spoke against the clock, and nothing was changed.'
        : `The clock is gone on with. What spoke against it: ${reply.accepted}`
    return [reply, `${done}\n${formatClock(reply)}`]
  },
)

function formatClock({ now, live, sandbox }: AdminReply<'/clock/status'>): string {
  const lines = Object.entries({ live, sandbox }).map(([name, { problem, dated_until }]) => {
    if (problem !== null) return `${name}: ${problem}`
    if (dated_until === null) return `${name}: the clock is believed.`
    return `${name}: all that is written is dated ${dated_until}, until that time has come.`
  })
  return [`It is ${now}.`, ...lines].join('\n')
}

type ReindexOptions = { readonly json: boolean; readonly sandbox: boolean }

/** Time between two looks at how far it is. */
const lookMs = 200

const reindexNotes = `
A new index is built from the journal and then replaces the old one. Search continues meanwhile. The
registry itself does not change, so you can do this at any time. With a search server, its index is
rebuilt first, then the embedded one.`

/** The indexes were not made anew; the old ones are still searched. */
class ReindexError extends Error {
  readonly code = 'reindex_failed'
}

/** Adds `reindex`, which works whether or not a server is running. */
export function defineReindex(program: Command): void {
  addCommand(program, 'reindex', 'rebuild the search indexes')
    .option('--sandbox', 'use the sandbox instead of the live environment', false)
    .addHelpText('after', reindexNotes)
    .action(reindex)
}

async function reindex(options: ReindexOptions): Promise<void> {
  const environment = options.sandbox ? 'sandbox' : 'live'
  await withAdminClient(readConfig(process.env), async (client) => {
    const { begun } = await client.call('/search/reindex', { environment })
    const { indexes } = await followReindex(client, environment)
    const events = Math.max(...indexes.map(({ position }) => position))
    const engines = indexes.map(({ engine }) => engine)
    print(
      options,
      { environment, engines, events, begun },
      `The indexes (${engines.join(', ')}) were rebuilt from ${events} events of the journal.`,
    )
  })
}

async function followReindex(client: AdminClient, name: 'live' | 'sandbox'): Promise<SearchStatus> {
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

const receiptKeyNotes = `
The log announces the new key in an entry that the old key signs. Then the old private key is
deleted. What it signed stays valid. Verifiers must fetch /.well-known/svc-keys.json again, which
lists both keys. The key of the log itself, which signs checkpoints, cannot be rotated: it
identifies the log.`

/** Adds `receipt-key rotate`, which works whether or not a server is running. */
export function defineReceiptKey(program: Command): void {
  const receiptKey = program.command('receipt-key').description('manage the keys of receipts')
  addCommand(receiptKey, 'rotate', 'rotate the key that signs receipts, and announce it in the log')
    .addOption(environmentOption('environment of the key'))
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
      `The key ${reply.old_key_id} has ended. What it signed stays valid (entry ` +
        `${reply.leaf_index} of the log).`,
      'Verifiers must fetch /.well-known/svc-keys.json again to check receipts from now on.',
    ]
    return [reply, lines.join('\n')]
  },
)

const tokenKeyNotes = `
A rotation takes three calls. The first announces new keys, which applications read within an hour.
The second starts signing with them. The third, two hours later, removes the old ones. A call that
comes too early changes nothing and says when to try again.`

const steps: Readonly<Record<KeyRotation['step'], string>> = {
  announced: 'New keys are announced',
  in_use: 'The new keys sign from now on',
  dropped: 'The old keys are dropped',
  too_early: 'It is too early for the next step, so nothing was changed',
}

const nextSteps: Readonly<Record<KeyRotation['next_step'], string>> = {
  announce: 'starts another rotation',
  use: 'lets them sign',
  drop: 'drops the old ones',
}

/** Adds `token-key rotate`: the keys that sign what says who somebody is. */
export function defineTokenKey(program: Command): void {
  const tokenKey = program.command('token-key').description('manage the keys that sign ID tokens')
  addCommand(tokenKey, 'rotate', 'take the next step of rotating the keys')
    .addOption(environmentOption('environment of the keys'))
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
