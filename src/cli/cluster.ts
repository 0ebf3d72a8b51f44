import type { Command } from 'commander'

import { formatTimestamp } from '#actors/values/clock.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import type { AdminCalls } from '#src/admin/command_table.ts'
import { type AdminClient, withSocketClient } from '#src/cli/admin_client.ts'
import { defineDissolve } from '#src/cli/cluster_dissolve.ts'
import { formatStatus } from '#src/cli/cluster_status.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { LeftCluster } from '#src/cluster/invitations.ts'
import { dataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { leavingAdvice, markLeft } from '#src/keeping/data_dir/left_mark.ts'
import { lockDataDir } from '#src/keeping/data_dir/lock.ts'

const statusNotes = `
It asks the node that runs on DATA_DIR. position counts the changes of the live registry that this
node has carried out, tree_size the entries of its log: of two nodes, the one with less is behind.`

const inviteNotes = `
The token is good once, within an hour, and as long as this node runs. Whoever has it gets all
of the registry and its keys: hand it on as you would a password. On the other machine,
"arklog cluster join" takes it.`

const joinNotes = `
CLUSTER_URL, CLUSTER_CREDENTIALS and the settings of the registry are those of the other nodes,
CLUSTER_NODE is a name of its own, and DATA_DIR is empty. With - in place of the token it is read
from standard input, so that it stands in no list of processes and in no history of a shell. What
is copied is checked as "arklog audit" does. A join that was cut off is begun again with another
invitation.`

const leaveNotes = `
The node has another one lead if it does itself, ends, and is not started from this folder again. Of
a node that does not run it only marks the folder.`

/** Adds `cluster` and what it has nodes do. */
export function defineCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('look after a registry that several nodes run')
  addCommand(cluster, 'status', 'tell what this node knows of itself and of the others')
    .addHelpText('after', statusNotes)
    .action(showStatus)
  addCommand(cluster, 'invite', 'make a token with which one more node can join, once')
    .addHelpText('after', inviteNotes)
    .action(invite)
  addCommand(cluster, 'join <token>', 'make DATA_DIR that of one more node')
    .addHelpText('after', joinNotes)
    .action(async (token: string, options: { readonly json: boolean }) => {
      // Loaded here because the other commands need none of it.
      const { joinCluster } = await import('#src/cli/cluster_join.ts')
      await joinCluster(token, options)
    })
  addCommand(cluster, 'leave', 'have the node of DATA_DIR leave the cluster for good')
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
  const left = await withSocketClient<AdminCalls, LeftCluster | undefined>(
    config.DATA_DIR,
    (client) => client.call('/cluster/leave', {}),
    async () => {
      throw new ClusterError('node_not_running', '')
    },
  ).catch(async (error: unknown) => {
    if (!(error instanceof ClusterError && error.code === 'node_not_running')) throw error
    await leaveStopped(config)
    return undefined
  })
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
    throw new ClusterError('node_not_running', `${dataDir} holds no node of a cluster.`)
  }
  const lock = lockDataDir(dataDir)
  try {
    await markLeft(dataDir, formatTimestamp(Date.now()))
  } finally {
    lock.release()
  }
}

function ofRunningNode<Reply>(use: (client: AdminClient) => Promise<Reply>): Promise<Reply> {
  const { DATA_DIR: dir } = readConfig(process.env)
  return withSocketClient<AdminCalls, Reply>(dir, use, async () => {
    throw new ClusterError('node_not_running', `No node runs on ${dir}. Start one, or ask there.`)
  })
}
