import type { Command } from 'commander'

import type { AdminReply } from '#src/admin/command_table.ts'
import { calling } from '#src/cli/admin_client.ts'
import { addCommand } from '#src/cli/program.ts'

const acceptNotes = `
Only for a clock that is right. While something speaks against it, nothing that carries a time is
written: this goes on with it, at once, and is remembered until the machine is started again. Where
the newest entry of a log is ahead of the clock, all that is written until that time is dated with
it, and no sooner: the times of a log never go back. In a cluster each node has a clock of its own.`

/** Adds `clock status|accept`, which work whether or not a server is running. */
export function defineClock(program: Command): void {
  const clock = program.command('clock').description('look at the clock that works are dated by')
  addCommand(clock, 'status', 'tell whether the clock is believed, and if not, why').action(
    showStatus,
  )
  addCommand(clock, 'accept', 'go on with the clock as it is, although something speaks against it')
    .addHelpText('after', acceptNotes)
    .action(accept)
}

const showStatus = calling(
  '/clock/status',
  () => ({}),
  (status) => [status, formatClock(status)],
)

const accept = calling(
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
