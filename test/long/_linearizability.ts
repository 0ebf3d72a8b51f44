import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

import type { History } from '#test/long/_register_history.ts'

const goDir = path.join(import.meta.dirname, '../foreign/linearizability')

/** Why there is no checker of histories on this machine, or undefined. */
export const whyNoChecker: string | undefined =
  spawnSync('go', ['-C', goDir, 'mod', 'download'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'go, or a proxy of its modules, is not installed'

/** The registers whose history is linearizable, how many; and the others by name. */
export type Verdict = {
  readonly linearizable: number
  readonly broken: readonly string[]
  readonly undecided: readonly string[]
}

/** Holds a history of registers against porcupine, a checker of linearizability. */
export function checkHistory(history: History): Verdict {
  const input = JSON.stringify(history)
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  return JSON.parse(execFileSync('go', ['-C', goDir, 'run', '.'], options)) as Verdict
}
