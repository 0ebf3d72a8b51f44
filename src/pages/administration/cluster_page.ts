import type { ClusterStatus, NodeSeen, StreamSeen } from '#src/cluster/node.ts'
import { HttpError } from '#src/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { badge, facts, table } from '#src/pages/kit/parts.ts'
import { formatNumber } from '#src/pages/kit/words.ts'
import { administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

/** Adds the page on which administrators see the nodes of a cluster, who leads, and the streams. */
export function addClusterPage(context: OrganizationContext): void {
  context.pages.member.get('/admin/cluster', async (visit) => {
    demandAdmin(visit)
    const { node } = await context.readiness()
    if (node !== undefined) return clusterPage(context, node)
    throw new HttpError('not_found', 'This registry runs on one machine: it is no cluster')
  })
}

function clusterPage(context: OrganizationContext, status: ClusterStatus): Promise<AccountPage> {
  const { node, leader, nodes, streams } = status
  return administrationPage(context, '/cluster', {
    title: 'Cluster',
    heading: 'Cluster',
    lead: `This page was made by ${node}, from what that node knows.`,
    content: html`${warnings(status)}
${facts([
  ['Leader', leader ?? 'nobody at the moment'],
  ['This node', `${node}, which ${status.role === 'leader' ? 'leads' : 'follows'}`],
  ['Contact with the others', status.connected ? 'yes' : 'lost'],
  ['Events here', formatNumber(status.position)],
  ['Log entries here', formatNumber(status.tree_size)],
])}
${nodeTable(nodes, node)}
${streamTable(streams)}`,
  })
}

/** What is wrong, and what to do about it. */
function warnings({ connected, leader, impediments }: ClusterStatus): Html {
  const found = [
    ...(connected ? [] : ['This node has lost contact with the others: look at its network.']),
    ...(leader === null
      ? ['No node leads, so nothing is written. "arklog cluster status" at each node says why.']
      : []),
    ...impediments.map((impediment) => `This node cannot lead. ${impediment}`),
  ]
  if (found.length === 0) return nothing
  return html`<div class="flash flash-error" role="note">
${found.map((warning) => html`<p>${warning}</p>`)}</div>`
}

function nodeTable(nodes: readonly NodeSeen[], own: string): Html {
  const newest = Math.max(...nodes.map(({ position }) => position ?? 0))
  const columns = [
    {
      heading: 'Node',
      isRowHeading: true,
      cell: ({ node }: NodeSeen) => html`${node}${node === own ? ' (this one)' : ''}`,
    },
    {
      heading: 'Role',
      cell: ({ role }: NodeSeen) =>
        role === 'leader' ? badge('leads', 'good') : badge('follows', 'plain'),
    },
    {
      heading: 'Events there',
      cell: ({ position }: NodeSeen) => (position === null ? 'not known' : formatNumber(position)),
    },
    {
      heading: 'Behind',
      cell: ({ position }: NodeSeen) => (position === null ? '' : formatNumber(newest - position)),
    },
  ]
  return html`${table('Nodes', columns, nodes)}
<p class="hint">Each node tells every second or so how far it has come. A node that is not
there has no line: <code>arklog cluster status</code>, run there, says what it knows.</p>`
}

function streamTable(streams: readonly StreamSeen[]): Html {
  const columns = [
    {
      heading: 'Stream',
      isRowHeading: true,
      cell: ({ stream }: StreamSeen) => html`<code>${stream}</code>`,
    },
    { heading: 'Newest message', cell: ({ newest }: StreamSeen) => figure(newest) },
    {
      heading: 'Carried out here',
      cell: ({ carried_out: done }: StreamSeen) => (done === undefined ? '' : formatNumber(done)),
    },
    {
      heading: 'Kept',
      cell: ({ messages, bytes }: StreamSeen) =>
        messages === null || bytes === null
          ? unknown
          : `${formatNumber(messages)} messages, ${size(bytes)}`,
    },
    { heading: 'NATS servers', cell: serversOf },
  ]
  return html`${table('Streams', columns, streams)}
<p class="hint">As of the last look at the NATS servers, some twenty seconds ago at most.</p>`
}

const unknown = 'not known yet'

function figure(count: number | null): string {
  return count === null ? unknown : formatNumber(count)
}

function serversOf({ newest, leader, replicas }: StreamSeen): Html {
  if (newest === null) return html`${unknown}`
  const leads = leader === null ? badge('no leader', 'bad') : html`${leader} leads`
  const late = replicas.filter(({ current }) => !current).map(({ server }) => server)
  if (late.length === 0) return html`${leads}, ${replicas.length} follow`
  return html`${leads}, ${badge(`behind or gone: ${late.join(', ')}`, 'waiting')}`
}

function size(bytes: number): string {
  return bytes < 2 ** 20
    ? `${formatNumber(Math.ceil(bytes / 2 ** 10))} KiB`
    : `${formatNumber(Math.ceil(bytes / 2 ** 20))} MiB`
}
