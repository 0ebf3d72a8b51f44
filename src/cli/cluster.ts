import type { Command } from 'commander'

import { readConfig } from '#config/config.ts'
import type { AdminCalls } from '#src/admin/command_table.ts'
import { withSocketClient } from '#src/cli/admin_client.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { ClusterError } from '#src/cluster/cluster_error.ts'
import type { ClusterStatus } from '#src/cluster/node.ts'

const statusNotes = `
It asks the node that runs on DATA_DIR. position counts the changes of the live registry that this
node has carried out, tree_size the entries of its log: of two nodes, the one with less is behind.`

/** Adds `cluster status`. */
export function defineCluster(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('look after a registry that several nodes run')
  addCommand(cluster, 'status', 'tell what this node knows of itself and of the others')
    .addHelpText('after', statusNotes)
    .action(showStatus)
}

async function showStatus(options: { readonly json: boolean }): Promise<void> {
  const { DATA_DIR: dir } = readConfig(process.env)
  const status = await withSocketClient<AdminCalls, ClusterStatus>(
    dir,
    (client) => client.call('/cluster/status', {}),
    async () => {
      throw new ClusterError('node_not_running', `No node runs on ${dir}. Start one, or ask there.`)
    },
  )
  print(options, status, formatStatus(status))
}

function formatStatus(status: ClusterStatus): string {
  const { node, role, leader, connected, nodes, impediments, ...head } = status
  const others = nodes.map(
    (member) => `${member.node}${member.role === 'leader' ? ' (leads)' : ''}`,
  )
  return [
    `${node} is the ${role}${leader === null ? '; nobody leads at the moment' : ''}`,
    `position   ${head.position}`,
    `tree size  ${head.tree_size}`,
    `nodes      ${others.join(', ') || 'none'}`,
    ...(connected ? [] : ['It has lost contact with the others.']),
    ...impediments.map((impediment) => `It cannot lead: ${impediment}`),
  ].join('\n')
}
