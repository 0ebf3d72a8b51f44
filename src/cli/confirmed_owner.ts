import { createInterface } from 'node:readline/promises'

import type { KeptBackup } from '#src/keeping/backup/kept_backup.ts'
import { UnusableError } from '#src/cli/program.ts'

/** Where a person is asked: what is typed there, and where the question is shown. */
export type Terminal = {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** The terminal of this process; undefined where nobody sits at one. */
export function ownTerminal(): Terminal | undefined {
  const { stdin: input, stderr: output } = process
  return input.isTTY && output.isTTY ? { input, output } : undefined
}

/**
 * Has a person confirm that a backup is of the registry that they mean, where nothing else shows
 * it: a backup holds the key with which it is authenticated. UnusableError if they do not, and
 * where there is no terminal to ask at.
 */
export async function confirmOwner(
  { manifest, log }: Pick<KeptBackup, 'manifest' | 'log'>,
  terminal: Terminal | undefined,
): Promise<void> {
  const { id, created_at: madeAt } = manifest
  if (terminal === undefined) {
    throw new UnusableError(
      `Nothing shows that backup ${id} is of your registry: it is of the log with the key ` +
        `${log.vkey}, and anybody who can write to the target can make a backup with a key of ` +
        'their own. Compare the key with the one that you know, then give it: --keys with the ' +
        'svc-keys.json that you saved, or --vkey.',
    )
  }
  const question = [
    `Nothing shows yet that backup ${id} is of your registry. It says:`,
    `  log      ${log.origin}`,
    `  key      ${log.vkey}`,
    `  entries  ${log.state.treeSize}`,
    `  made     ${madeAt}`,
    'Anybody who can write to the target can make a backup with a key of their own. Compare the',
    'key with the one that you know: of a saved svc-keys.json, a mirror, a witness or a monitor.',
    'Type yes if it is the same: ',
  ].join('\n')
  if ((await ask(question, terminal)).trim() === 'yes') return
  throw new UnusableError('The key was not confirmed: nothing was restored.')
}

/** What is typed after a question; nothing if the input ends before. */
async function ask(question: string, terminal: Terminal): Promise<string> {
  const lines = createInterface({ ...terminal, terminal: false })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  try {
    return await lines.question(question, { signal: ended.signal })
  } catch (error) {
    if (ended.signal.aborted) return ''
    throw error
  } finally {
    lines.close()
  }
}
