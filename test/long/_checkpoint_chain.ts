import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

const goDir = path.join(import.meta.dirname, '../foreign/checkpoint_chain')

/** Why no foreign client can hold checkpoints against a log on this machine, or undefined. */
export const whyNoChain: string | undefined =
  spawnSync('go', ['-C', goDir, 'mod', 'download'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'go, or a proxy of its modules, is not installed'

/** What was checked: checkpoints, the proofs between those of two sizes, and the newest size. */
export type Chain = {
  readonly checkpoints: number
  readonly proofs: number
  readonly tree_size: number
}

/**
 * Holds checkpoints against copies of a log by golang.org/x/mod/sumdb: all are signed under `vkey`,
 * and by the tiles of each copy each leads to the next. Throws where they do not.
 */
export function checkChain(
  vkey: string,
  urls: readonly string[],
  checkpoints: readonly string[],
): Chain {
  const input = JSON.stringify(checkpoints)
  const args = ['-C', goDir, 'run', '.', vkey, ...urls]
  return JSON.parse(execFileSync('go', args, { input, encoding: 'utf8' })) as Chain
}
