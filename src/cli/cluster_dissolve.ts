import path from 'node:path'
import type { Command } from 'commander'

import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import { forgetPlace, readPlace } from '#actors/journal/member.ts'
import { readConfig } from '#config/config.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation, Store } from '#log/base/store.ts'
import { addCommand, print, UnusableError } from '#src/cli/program.ts'
import { dataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { forgetIdentityPlace } from '#src/identity/store/counted_rows.ts'

const notes = `
For when the NATS servers have lost what they held, or one machine is to be enough again. DATA_DIR
then is that of a registry which was never in a cluster: it runs alone, or makes a new cluster
where there is no stream of the old one. Take the node with the greatest position, and never a
second one: two that go on with the same log sign two histories of it. All other nodes join anew.`

/** Adds `cluster dissolve`. */
export function defineDissolve(cluster: Command): void {
  addCommand(cluster, 'dissolve', 'make the folder of a stopped node that of a registry again')
    .requiredOption('--others-are-gone', 'say that no other node will be started again')
    .addHelpText('after', notes)
    .action(dissolve)
}

/** Of an environment: its changes, to compare nodes by. */
type Dissolved = { readonly live: number; readonly sandbox: number }

async function dissolve(options: { readonly json: boolean }): Promise<void> {
  const folders = dataFolders(readConfig(process.env))
  const { dataDir } = folders
  const lock = lockDataDir(dataDir)
  try {
    const live = await readPosition(path.join(dataDir, 'live'), dataDir)
    const sandbox = await readPosition(path.join(dataDir, 'sandbox'), dataDir)
    // The log goes last: until then a start refuses to run alone.
    await change(identityPaths(folders).dir, [forgetIdentityPlace])
    await change(path.join(dataDir, 'sandbox'), [forgetPlace])
    await change(path.join(dataDir, 'live'), [forgetPlace])
    print(options, { live, sandbox } satisfies Dissolved, formatDissolved(dataDir, live))
  } finally {
    lock.release()
  }
}

async function readPosition(dir: string, dataDir: string): Promise<number> {
  const isLive = path.basename(dir) === 'live'
  return withStore(dir, async (store) => {
    if (isLive && readPlace(store) === undefined) {
      throw new UnusableError(`${dataDir} is that of no node of a cluster: nothing was changed.`)
    }
    return decodeJournalRow(store.get(journalKey)).position
  })
}

function change(dir: string, operations: readonly Operation[]): Promise<void> {
  return withStore(dir, (store) => store.commit(operations))
}

async function withStore<Given>(dir: string, use: (store: Store) => Promise<Given>) {
  const store = await openLevelStore(dir, { create: false })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function formatDissolved(dataDir: string, position: number): string {
  return [
    `${dataDir} holds a registry of its own, with ${position} changes.`,
    'Start it without CLUSTER_URL, or with it to make a new cluster. No other folder of the old',
    'cluster may be started any more: let those nodes join anew.',
  ].join('\n')
}
