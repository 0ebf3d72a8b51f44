import { existsSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { elapsedMs } from '#actors/values/clock.ts'
import { readPlace } from '#actors/journal/member.ts'
import { viewsSchema } from '#actors/registry/views.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import {
  checkRegistry,
  checkRoom,
  type CopiedLog,
  otherSettings,
} from '#src/cli/copied_registry.ts'
import { CountBar } from '#src/cli/progress.ts'
import { print } from '#src/cli/program.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { fetchCopy } from '#src/cluster/fetched_copy.ts'
import { type Invitation, parseInvitation } from '#src/cluster/invitation.ts'
import { receiveCopy } from '#src/keeping/snapshot/received_copy.ts'
import {
  malformed,
  readSnapshot,
  SnapshotError,
  snapshotFormat,
  type SnapshotHead,
} from '#src/keeping/snapshot/snapshot.ts'
import { dataFolders, makeDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { copiedStores, copyInto } from '#src/keeping/data_dir/copied_folder.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { writeUsageCopy } from '#src/operations/usage/usage_rows.ts'
import { connectToEngine, refuseTakenName } from '#src/cli/start/cluster.ts'
import { sharedSettings, usageStore } from '#src/cli/start/node_copy.ts'
import { dayMs } from '#src/operations/usage/usage_batch.ts'
import { usageFile } from '#src/operations/usage/usage.ts'

/** For how long the node that invites is asked again for what does not come. */
const answerMs = 30_000

/** What a join has put in place, as `cluster join --json` prints it. */
type Joined = CopiedLog & { readonly node: string; readonly data_dir: string }

/** Prepares DATA_DIR as that of another node of the cluster that an invitation is from. */
export async function joinCluster(
  token: string,
  options: { readonly json: boolean },
): Promise<void> {
  const config = readConfig(process.env)
  if (config.CLUSTER_URL === undefined) throw notConfigured()
  const invitation = parseInvitation(token === '-' ? await text(process.stdin) : token)
  const { dataDir } = dataFolders(config)
  await makeDataDir(dataDir)
  const lock = lockDataDir(dataDir)
  const bar = new CountBar()
  try {
    const joined = await join(config, invitation, (...done) => bar.show(...done)).catch(advise)
    bar.stop()
    print(options, joined, formatJoined(joined))
  } finally {
    bar.stop()
    lock.release()
  }
}

/** Says of a copy that cannot be used how to have another one. */
function advise(error: unknown): never {
  if (!(error instanceof SnapshotError)) throw error
  const message = `${error.message} Make a new invitation, and join again.`
  throw new SnapshotError(error.code, message, { cause: error })
}

type Progress = (part: string, done: number, total: number) => void

async function join(config: Config, invitation: Invitation, progress: Progress): Promise<Joined> {
  const place = dataFolders(config)
  const { log } = await copyInto(place, async (folder) => {
    const head = await receive(config, invitation, folder, progress)
    const checked = await checkRegistry(head, folder, progress)
    const { instance } = head
    for (const name of Object.keys(instance.logs)) await checkPlace(path.join(folder, name))
    await makeUsageFile(folder)
    return { ...checked, instance }
  })
  const { CLUSTER_NODE: node = '' } = config
  return { node, data_dir: place.dataDir, ...log }
}

async function receive(
  config: Config,
  invitation: Invitation,
  folder: string,
  progress: Progress,
): Promise<SnapshotHead> {
  const connection = await connectToEngine(config, () => undefined)
  try {
    await refuseTakenName(config, connection)
    const patience = { forMs: answerMs, elapsedMs }
    const pieces = fetchCopy({ connection, invitation, systemMs: Date.now, patience })
    return await receiveCopy(readSnapshot(pieces), {
      folder,
      stores: copiedStores,
      optional: usageStore,
      check: (head) => checkHead(head, config, folder),
      progress: (done, total) => progress('copied bytes', done, total),
    })
  } finally {
    await connection.close()
  }
}

/** Refuses a copy that this program, with its settings and its disk, cannot go on from. */
async function checkHead(head: SnapshotHead, config: Config, folder: string): Promise<void> {
  const { format, views, settings, bytes, instance } = head
  if (format !== snapshotFormat || views !== viewsSchema) {
    throw foreign(
      'The inviting node runs another version of Arklog. Install the same version here, and ' +
        'create a new invitation.',
    )
  }
  const others = otherSettings(settings, sharedSettings(config))
  if (others.length > 0) {
    throw foreign(
      `Settings here differ from those of the other nodes: set ${others.join(', ')} ` +
        '(nothing after = means that it is not set), and create a new invitation.',
    )
  }
  if (instance.kind !== 'registry' || instance.stores !== 'created') {
    throw malformed('it is not of a registry')
  }
  await checkRoom(folder, { bytes, reserveBytes: config.DISK_RESERVE_BYTES })
}

/** Makes the file of the counts of uses, if the node that invites has sent them. */
async function makeUsageFile(folder: string): Promise<void> {
  const dir = path.join(folder, usageStore)
  if (!existsSync(dir)) return
  const store = await openLevelStore(dir, { create: false })
  try {
    const today = Math.floor(Date.now() / dayMs)
    await writeUsageCopy(usageFile({ dataDir: folder }), store.scanBatches({}), today)
  } finally {
    await store.close()
  }
}

/** Whether a store says how far it has come, so that it can follow from there. */
async function checkPlace(dir: string): Promise<void> {
  const store = await openLevelStore(dir, { create: false })
  try {
    if (readPlace(store) === undefined) throw malformed('it does not say how far it has come')
  } finally {
    await store.close()
  }
}

function formatJoined({ node, data_dir: dir, ...log }: Joined): string {
  return [
    `${dir} is a copy of the registry, and was checked:`,
    `  log        ${log.origin}`,
    `  tree size  ${log.tree_size}`,
    `  root       ${log.root_hash}`,
    `Start it as node ${node} with "arklog serve": it continues from the copy.`,
  ].join('\n')
}

function notConfigured(): ClusterError {
  return foreign(
    'CLUSTER_URL is not set: give this machine the settings of the other nodes (CLUSTER_URL, ' +
      'CLUSTER_CREDENTIALS, ARK_NAAN and so on), and its own CLUSTER_NODE.',
  )
}

function foreign(message: string): ClusterError {
  return new ClusterError('snapshot_foreign', message)
}
