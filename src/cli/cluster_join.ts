import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { readPlace } from '#actors/journal/member.ts'
import { viewsSchema } from '#actors/registry/views.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import { openLevelStore } from '#log/level_store.ts'
import { auditStore, type StoreAudit } from '#src/cli/audit_store.ts'
import { CountBar } from '#src/cli/import_bar.ts'
import { print } from '#src/cli/program.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import { fetchCopy } from '#src/cluster/fetched_copy.ts'
import { type Invitation, parseInvitation } from '#src/cluster/invitation.ts'
import { receiveCopy } from '#src/cluster/received_copy.ts'
import {
  malformed,
  readSnapshot,
  type SnapshotHead,
  snapshotFormat,
} from '#src/cluster/snapshot.ts'
import { dataFolders, identityPaths, makeDataDir } from '#src/data_dir/data_dir.ts'
import {
  beginJoining,
  copiedStores,
  finishJoining,
  joiningFolder,
} from '#src/data_dir/joining_folder.ts'
import { openPinnedKeyFile } from '#src/data_dir/key_file.ts'
import { lockDataDir } from '#src/data_dir/lock.ts'
import { createSecretFile } from '#src/data_dir/secret_file.ts'
import { areSharedSecrets, logKeyName } from '#src/data_dir/shared_secrets.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import { connectToEngine } from '#src/start/cluster.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { sharedSettings } from '#src/start/node_copy.ts'

/** For how long the node that invites is asked again for what does not come. */
const answerMs = 30_000

/** What a join has put in place, as `cluster join --json` prints it. */
type Joined = {
  readonly node: string
  readonly data_dir: string
  readonly origin: string
  readonly tree_size: number
  readonly root_hash: string
}

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
    const joined = await join(config, invitation, (...done) => bar.show(...done))
    bar.stop()
    print(options, joined, formatJoined(joined))
  } finally {
    bar.stop()
    lock.release()
  }
}

type Progress = (part: string, done: number, total: number) => void

async function join(config: Config, invitation: Invitation, progress: Progress): Promise<Joined> {
  const place = dataFolders(config)
  const folder = joiningFolder(place.dataDir)
  await beginJoining(place)
  const head = await receive(config, invitation, folder, progress)
  const secrets = await checkSecrets(head, path.join(folder, 'keys'))
  const log = await checkLogs(head, folder, progress)
  await checkIdentity(folder)
  const { instance } = head
  await finishJoining(place, { secrets, instance })
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
    const patience = { forMs: answerMs, elapsedMs }
    const pieces = fetchCopy({ connection, invitation, systemMs: Date.now, patience })
    return await receiveCopy(readSnapshot(pieces), {
      folder,
      stores: copiedStores,
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
      'The node that invites runs another version of Arklog. Install the same one here, and make ' +
        'a new invitation.',
    )
  }
  const own = sharedSettings(config)
  const others = Object.keys(settings).filter((key) => settings[key] !== own[key])
  if (others.length > 0) {
    const wanted = others.map((key) => `${key}=${settings[key] ?? ''}`).join(', ')
    throw foreign(
      `All nodes have these settings, and here they are others: set ${wanted} (nothing after = ` +
        'means that it is not set), and make a new invitation.',
    )
  }
  if (instance.kind !== 'registry' || instance.stores !== 'created') {
    throw malformed('it is not of a registry')
  }
  await checkDisk(bytes, config, folder)
}

// The views are made once more when they are checked, and that is thrown away.
async function checkDisk(bytes: number, config: Config, folder: string): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder)
  const needed = 2 * bytes + config.DISK_RESERVE_BYTES
  if (bavail * bsize >= needed) return
  throw foreign(
    `The disk of ${folder} has ${bavail * bsize} bytes free, and ${needed} are needed to copy ` +
      'and check the registry. Free some, or set DATA_DIR to another disk, and make a new ' +
      'invitation.',
  )
}

/** The secrets of a copy, once its logs' keys are found to be those that it says. */
async function checkSecrets(
  { secrets, instance }: SnapshotHead,
  folder: string,
): Promise<Readonly<Record<string, Uint8Array>>> {
  if (!areSharedSecrets(Object.keys(secrets))) throw malformed('a secret is missing')
  await fs.mkdir(folder, { mode: 0o700 })
  const files: Record<string, Uint8Array> = {}
  for (const [name, base64] of Object.entries(secrets)) {
    const bytes = Buffer.from(base64, 'base64')
    await createSecretFile(path.join(folder, name), bytes)
    files[name] = bytes
  }
  for (const [name, pinned] of Object.entries(instance.logs)) {
    await openPinnedKeyFile(path.join(folder, logKeyName(name)), pinned.log_public_key)
  }
  return files
}

/** Recomputes all that the stores of both logs say, and gives where the live one stands. */
async function checkLogs(
  { instance }: SnapshotHead,
  folder: string,
  progress: Progress,
): Promise<Pick<Joined, 'origin' | 'tree_size' | 'root_hash'>> {
  let live: StoreAudit | undefined
  for (const [name, pinned] of Object.entries(instance.logs)) {
    const audited = await auditStore({
      dataDir: folder,
      name,
      pinned,
      rebuildsViews: false,
      progress,
    })
    const [problem] = audited.problems
    if (problem !== undefined) throw malformed(`${name}: ${problem}`)
    await checkPlace(path.join(folder, name))
    if (name === 'live') live = audited
  }
  if (live === undefined) throw malformed('it has no live log')
  const { origin, tree_size, root_hash } = live
  return { origin, tree_size, root_hash }
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

/** Opens the accounts and keys, which checks that the pepper is theirs. */
async function checkIdentity(folder: string): Promise<void> {
  const places = { dataDir: folder, keysDir: path.join(folder, 'keys') }
  const options = { ...identityPaths(places), create: false, random: randomBytes }
  const store = await openIdentityStore(options)
  await store.close()
}

function formatJoined({ node, data_dir: dir, ...log }: Joined): string {
  return [
    `${dir} is a copy of the registry, and was checked:`,
    `  log        ${log.origin}`,
    `  tree size  ${log.tree_size}`,
    `  root       ${log.root_hash}`,
    `Start it as node ${node} with "arklog serve": it follows from there.`,
  ].join('\n')
}

function notConfigured(): ClusterError {
  return foreign(
    'CLUSTER_URL is not set: give this machine the settings of the nodes (CLUSTER_URL, ' +
      'CLUSTER_CREDENTIALS, ARK_NAAN and so on), and a CLUSTER_NODE of its own.',
  )
}

function foreign(message: string): ClusterError {
  return new ClusterError('snapshot_foreign', message)
}
