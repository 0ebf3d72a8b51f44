import test from 'ava'

import { formatStatus } from '#src/cli/cluster.ts'
import type { ClusterStatus } from '#src/cluster/node.ts'

const well: ClusterStatus = {
  node: 'b',
  role: 'follower',
  position: 12,
  tree_size: 7,
  connected: true,
  leader: 'a',
  nodes: [
    { node: 'a', role: 'leader', position: 12 },
    { node: 'b', role: 'follower', position: null },
  ],
  streams: [
    {
      stream: 'arklog-live',
      newest: 9,
      messages: 5,
      bytes: 1_000,
      leader: 'nats-1',
      replicas: [{ server: 'nats-2', current: true }],
      carried_out: 8,
    },
  ],
  impediments: [],
}

test('a status tells of the node, of the others and of the streams', (t) => {
  t.deepEqual(formatStatus(well).split('\n'), [
    'b is a follower',
    'position   12',
    'tree size  7',
    'nodes      a at 12 (leader), b',
    'stream     arklog-live at 9, 8 applied here, 5 stored, NATS leader nats-1',
  ])
})

test('a status tells what is wrong', (t) => {
  const [stream] = well.streams
  if (stream === undefined) return t.fail('there is one')
  const { carried_out: _done, ...uncounted } = stream
  const replicas = [
    { server: 'nats-2', current: false },
    { server: 'nats-3', current: true },
  ]
  const ill: ClusterStatus = {
    ...well,
    leader: null,
    connected: false,
    nodes: [],
    streams: [{ ...uncounted, leader: null, replicas }],
    impediments: ['The disk is full.'],
  }
  t.deepEqual(formatStatus(ill).split('\n'), [
    'b is a follower; there is no leader at the moment',
    'position   12',
    'tree size  7',
    'nodes      none',
    'stream     arklog-live at 9, 5 stored, no NATS leader, lagging or gone: nats-2',
    'It has lost contact with the other nodes.',
    'It cannot be the leader: The disk is full.',
  ])
})

test('a stream that was not looked at yet is said to be so', (t) => {
  const unseen = { newest: null, messages: null, bytes: null, leader: null, replicas: [] }
  const streams = [{ stream: 'arklog-live', ...unseen, carried_out: 8 }]
  t.is(
    formatStatus({ ...well, streams })
      .split('\n')
      .at(-1),
    'stream     arklog-live: not known yet',
  )
})
