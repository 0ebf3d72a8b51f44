import type { ClusterStatus, StreamSeen } from '#src/cluster/node.ts'

/** What a node says of itself, of other nodes and of the streams, for who reads it: lines. */
export function formatStatus(status: ClusterStatus): string {
  const { node, role, leader, connected, nodes, streams, impediments, ...head } = status
  const others = nodes.map((member) => {
    const at = member.position === null ? '' : ` at ${member.position}`
    return `${member.node}${at}${member.role === 'leader' ? ' (leads)' : ''}`
  })
  const does = role === 'leader' ? 'leads' : 'follows'
  return [
    `${node} ${does}${leader === null ? '; nobody leads at the moment' : ''}`,
    `position   ${head.position}`,
    `tree size  ${head.tree_size}`,
    `nodes      ${others.join(', ') || 'none'}`,
    ...streams.map(formatStream),
    ...(connected ? [] : ['It has lost contact with the others.']),
    ...impediments.map((impediment) => `It cannot lead: ${impediment}`),
  ].join('\n')
}

function formatStream(seen: StreamSeen): string {
  const { stream, newest, messages, leader, replicas, carried_out: done } = seen
  if (newest === null) return `stream     ${stream}: not known yet`
  const late = replicas.filter(({ current }) => !current).map(({ server }) => server)
  const parts = [
    `stream     ${stream} at ${newest}`,
    ...(done === undefined ? [] : [`${done} carried out here`]),
    `${messages} kept`,
    leader === null ? 'no server leads' : `${leader} leads`,
    ...(late.length === 0 ? [] : [`behind or gone: ${late.join(', ')}`]),
  ]
  return parts.join(', ')
}
