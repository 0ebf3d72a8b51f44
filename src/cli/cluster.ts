import path from 'node:path'
import type { Command } from 'commander'

import { forgetPlace, readPlace } from '#actors/journal/member.ts'
import { decodeJournalRow, journalKey } from '#actors/journal/pool.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { type AdminClient, withRunningRegistry } from '#src/cli/admin_client.ts'
import { addCommand, print, UnusableError } from '#src/cli/program.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { ClusterStatus, StreamSeen } from '#src/cluster/node.ts'
import { forgetIdentityPlace } from '#src/identity/store/counted_rows.ts'
import { dataFolders, identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { leavingAdvice, markLeft, readInstance } from '#src/keeping/data_dir/instance.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'

const notes = `
Use this if the NATS servers have lost their data, or if one machine is enough from now on. DATA_DIR
then is as if the registry had never been in a cluster: it runs alone, or starts a new cluster where
the old streams do not exist. Use the node with the greatest position, and never a second one: two
registries that continue the same log sign two histories. All other nodes must join again.`

/** Adds `cluster dissolve`. */
function defineDissolve(cluster: Command): void {
  addCommand(cluster, 'dissolve', 'turn the folder of a stopped node back into a single registry')
    .requiredOption('--others-are-gone', 'confirm that no other node will ever start again')
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
      throw new UnusableError(
        `${dataDir} does not belong to a node of a cluster, so nothing was changed.`,
      )
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
    `${dataDir} is now a single registry, with ${position} changes.`,
    'Start it without CLUSTER_URL, or with it to create a new cluster. Never start another folder',
    'of the old cluster again: let those nodes join.',
  ].join('\n')
}

/** What a node says of itself, of other nodes and of the streams, for who reads it: lines. */
export function formatStatus(status: ClusterStatus): string {
  const { node, role, leader, connected, nodes, streams, impediments, ...head } = status
  const others = nodes.map((member) => {
    const at = member.position === null ? '' : ` at ${member.position}`
    return `${member.node}${at}${member.role === 'leader' ? ' (leader)' : ''}`
  })
  const does = role === 'leader' ? 'the leader' : 'a follower'
  return [
    `${node} is ${does}${leader === null ? '; there is no leader at the moment' : ''}`,
    `position   ${head.position}`,
    `tree size  ${head.tree_size}`,
    `nodes      ${others.join(', ') || 'none'}`,
    ...streams.map(formatStream),
    ...(connected ? [] : ['It has lost contact with the other nodes.']),
    ...impediments.map((impediment) => `It cannot be the leader: ${impediment}`),
  ].join('\n')
}

function formatStream(seen: StreamSeen): string {
  const { stream, newest, messages, leader, replicas, carried_out: done } = seen
  if (newest === null) return `stream     ${stream}: not known yet`
  const late = replicas.filter(({ current }) => !current).map(({ server }) => server)
  const parts = [
    `stream     ${stream} at ${newest}`,
    ...(done === undefined ? [] : [`${done} applied here`]),
    `${messages} stored`,
    leader === null ? 'no NATS leader' : `NATS leader ${leader}`,
    ...(late.length === 0 ? [] : [`lagging or gone: ${late.join(', ')}`]),
  ]
  return parts.join(', ')
}

const statusNotes = `
The command asks the node that runs on DATA_DIR. position counts the changes of the live registry
that this node has applied, tree_size the entries of its log. Of two nodes, the one with less lags
behind.`

const inviteNotes = `
The token works once, within an hour, and only while this node runs. Whoever has it gets the whole
registry and its keys, so treat it like a password. Use it on the other machine with
"arklog cluster join".`

const joinNotes = `
CLUSTER_URL, CLUSTER_CREDENTIALS and the settings of the registry must be those of the other
nodes. CLUSTER_NODE is a new name, and DATA_DIR must be empty. With - instead of the token, the
command reads it from standard input, so that it is in no process list and no shell history. The
copy is checked as "arklog audit" does. If a join is interrupted, start again with another
invitation.`

const leaveNotes = `
If the node is the leader, it hands over. Then it stops and never starts from this folder again. If
the node is not running, only the folder is marked.`

/** Adds `cluster` and what it has nodes do. */
export function defineCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('manage a registry that runs on several nodes')
  addCommand(cluster, 'status', 'show the state of this node and what it knows of the others')
    .addHelpText('after', statusNotes)
    .action(showStatus)
  addCommand(cluster, 'invite', 'create a token with which one more node can join')
    .addHelpText('after', inviteNotes)
    .action(invite)
  addCommand(cluster, 'join <token>', 'join the cluster with an empty DATA_DIR')
    .addHelpText('after', joinNotes)
    .action(async (token: string, options: { readonly json: boolean }) => {
      // Loaded here because the other commands need none of it.
      const { joinCluster } = await import('#src/cli/cluster_join.ts')
      await joinCluster(token, options)
    })
  addCommand(cluster, 'leave', 'make the node of DATA_DIR leave the cluster permanently')
    .addHelpText('after', leaveNotes)
    .action(leave)
  defineDissolve(cluster)
}

async function showStatus(options: { readonly json: boolean }): Promise<void> {
  const status = await ofRunningNode((client) => client.call('/cluster/status', {}))
  print(options, status, formatStatus(status))
}

async function invite(options: { readonly json: boolean }): Promise<void> {
  const invitation = await ofRunningNode((client) => client.call('/cluster/invite', {}))
  const until = `It is good once, until ${invitation.expires_at}.`
  print(options, invitation, `${invitation.token}\n${until}`)
}

async function leave(options: { readonly json: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const left = await withRunningRegistry(config.DATA_DIR, (client) =>
    client.call('/cluster/leave', {}),
  )
  if (left === undefined) await leaveStopped(config)
  const others = left === undefined ? '' : goingOn(left.others)
  const text = `The node of ${config.DATA_DIR} has left the cluster.${others}\n${leavingAdvice}`
  print(options, { data_dir: config.DATA_DIR, others: left?.others ?? null }, text)
}

function goingOn(others: readonly string[]): string {
  return ` ${others.join(', ')} ${others.length === 1 ? 'goes' : 'go'} on without it.`
}

/** Marks the folder of a node that does not run, and so is no member. */
async function leaveStopped(config: Config): Promise<void> {
  const { dataDir } = dataFolders(config)
  const isNode = config.CLUSTER_URL !== undefined
  if (!isNode || (await readInstance(dataDir))?.kind !== 'registry') {
    throw new ClusterError('node_not_running', `${dataDir} does not belong to a node of a cluster.`)
  }
  const lock = lockDataDir(dataDir)
  try {
    await markLeft(dataDir, formatTimestamp(Date.now()))
  } finally {
    lock.release()
  }
}

async function ofRunningNode<Reply extends object>(
  use: (client: AdminClient) => Promise<Reply>,
): Promise<Reply> {
  const { DATA_DIR: dir } = readConfig(process.env)
  const reply = await withRunningRegistry(dir, use)
  if (reply !== undefined) return reply
  throw new ClusterError(
    'node_not_running',
    `No node is running on ${dir}. Start it, or run this command where one is running.`,
  )
}
