import { CommanderError } from 'commander'

import { formatFailure } from '#src/cli/program.ts'

/** What a command was given cannot be used; the message says what is wrong with it. */
export class UnusableError extends Error {
  readonly code = 'unusable_input'

  constructor(message: string) {
    super(message)
    this.name = 'UnusableError'
  }
}

/**
 * Ends a command that could not do its work at all, for example because a file cannot be read:
 * prints why on standard error and gives exit code 2, which tells this from a negative finding.
 */
export function failUnusable(error: unknown, json: boolean): never {
  process.stderr.write(`${formatFailure(error, json)}\n`)
  throw new CommanderError(2, 'arklog.unusable', 'nothing could be checked')
}
