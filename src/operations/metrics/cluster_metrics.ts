import { Counter, Gauge, type Registry } from 'prom-client'

import type { ClusterStatus } from '#src/cluster/node.ts'

type ReadStatus = (status: ClusterStatus) => number

const gauges: Readonly<Record<string, readonly [help: string, read: ReadStatus]>> = {
  leads: [
    'Whether this node leads the cluster: 1 on one of all nodes.',
    (status) => Number(status.role === 'leader'),
  ],
  connected: [
    'Whether this node is in contact with the others.',
    ({ connected }) => Number(connected),
  ],
  impediments: [
    'What keeps this node from leading, such as unsafe NATS servers: 0 while all is well.',
    ({ impediments }) => impediments.length,
  ],
  nodes: ['Nodes that are there, as far as this one knows.', ({ nodes }) => nodes.length],
  position: ['Changes of the live registry that this node shows.', ({ position }) => position],
}

/** What a node tells of itself. */
export type ClusterFigures = {
  status(environment: 'live'): ClusterStatus
  /** Changes from here that were decided anew because somebody else was faster. */
  readonly superseded: number
}

/** Adds what a node knows of itself and of its cluster. */
export function addClusterMetrics(registry: Registry, node: ClusterFigures): void {
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name: `arklog_cluster_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(read(node.status('live'))),
    })
  }
  const superseded: Counter = new Counter({
    name: 'arklog_cluster_outrun_total',
    help: 'Changes from this node that were decided anew because another one was faster.',
    registers: [registry],
    // The node counts; here its count is only repeated.
    collect() {
      superseded.reset()
      superseded.inc(node.superseded)
    },
  })
}
