import test from 'ava'
import {
  judgeServers,
  judgeCountStream,
  judgeStream,
  type ServerState,
  type StreamState,
} from '#src/cluster/engine_state.ts'

const needs = { messageBytesMax: 8_388_608 }

const safe: ServerState = {
  name: 'n1',
  version: '2.12.1',
  messageBytesMax: 8_388_608,
  jetstream: { syncsAlways: true, servers: 3 },
}

test('three servers of the right version that sync always are safe', (t) => {
  t.deepEqual(judgeServers([safe, safe, safe], needs), [])
  t.deepEqual(judgeServers([{ ...safe, version: '2.14.0-RC.1' }], needs), [])
  t.deepEqual(judgeServers([{ ...safe, version: '3.0.0' }], needs), [])
  t.deepEqual(judgeServers([safe, { ...safe, jetstream: undefined }], needs), [])
})

const unsafe: readonly (readonly [Partial<ServerState>, RegExp])[] = [
  [
    { version: '2.11.99' },
    /^NATS server n1 has version 2\.11\.99: install 2\.12 or a newer one\.$/,
  ],
  [{ version: '1.40.0' }, /install 2\.12/],
  [{ version: 'unknown' }, /install 2\.12/],
  [
    { jetstream: { syncsAlways: false, servers: 3 } },
    /^NATS server n1 acknowledges .* Put sync_interval: always into its jetstream block/,
  ],
  [
    { messageBytesMax: 1_048_576 },
    /^NATS server n1 accepts messages of at most 1048576 bytes\. Set max_payload to 8388608/,
  ],
  [{ jetstream: { syncsAlways: true, servers: 2 } }, /^JetStream runs on 2 of the NATS servers/],
  [{ jetstream: undefined }, /^JetStream runs on 0 of the NATS servers/],
]

for (const [difference, message] of unsafe) {
  test(`unsafe: ${JSON.stringify(difference)}`, (t) => {
    const [fault = '', ...others] = judgeServers([{ ...safe, ...difference }], needs)
    t.regex(fault, message)
    t.deepEqual(others, [])
  })
}

test('all servers are judged, and one that nobody sees is not safe', (t) => {
  const lazy = { ...safe, name: 'n3', jetstream: { syncsAlways: false, servers: 3 } }
  const old = { ...safe, name: 'n2', version: '2.10.27' }
  const faults = judgeServers([safe, old, lazy], needs)
  t.deepEqual(
    faults.map((fault) => fault.slice(0, 14)),
    ['NATS server n2', 'NATS server n3'],
  )
  t.regex(judgeServers([], needs).join(), /^No NATS server reports its settings/)
})

const fit: StreamState = {
  name: 'JOURNAL',
  num_replicas: 3,
  storage: 'file',
  retention: 'limits',
  discard: 'new',
  deny_delete: true,
  deny_purge: true,
  allow_rollup_hdrs: false,
  max_age: 0,
  max_msgs: -1,
  max_bytes: -1,
  max_msgs_per_subject: -1,
}

const unfit: readonly (readonly [Partial<StreamState>, string])[] = [
  [{ num_replicas: 1 }, 'num_replicas is 1, not 3 or more'],
  [{ storage: 'memory' }, 'it is kept in memory'],
  [{ retention: 'interest' }, 'retention is interest, not limits'],
  [{ discard: 'old' }, 'it would drop old messages for new ones (discard is not new)'],
  [{ deny_delete: false }, 'messages can be deleted (deny_delete is off)'],
  [{ deny_purge: false }, 'it can be emptied (deny_purge is off)'],
  [{ allow_rollup_hdrs: true }, 'a message can replace all others (allow_rollup_hdrs)'],
  [{ allow_msg_ttl: true }, 'messages can expire by themselves (allow_msg_ttl)'],
  [{ max_age: 86_399e9 }, 'messages expire in less than a day (max_age)'],
  [{ max_msgs: 1 }, 'the number of messages is limited (max_msgs)'],
  [{ max_bytes: 1 }, 'its bytes are limited (max_bytes)'],
  [{ max_msgs_per_subject: 1 }, 'messages of a subject are limited'],
  [{ no_ack: true }, 'nothing is acknowledged (no_ack)'],
  [{ sealed: true }, 'it is sealed'],
  [{ mirror: { name: 'OTHER' } }, 'it is a mirror of another stream'],
  [{ sources: [{ name: 'OTHER' }] }, 'it takes messages from other streams (sources)'],
  [{ persist_mode: 'async' }, 'it acknowledges before it has written (persist_mode is async)'],
]

test('a stream that loses nothing can hold a journal', (t) => {
  t.deepEqual(judgeStream(fit), [])
})

for (const [difference, why] of unfit) {
  test(`unfit: ${JSON.stringify(difference)}`, (t) => {
    t.deepEqual(judgeStream({ ...fit, ...difference }), [
      `Stream JOURNAL is not safe for a journal: ${why}.`,
    ])
  })
}

test('a stream of counts may be limited, as long as it drops what is oldest', (t) => {
  const limited = { ...fit, discard: 'old', max_bytes: 1_000, max_age: 1 } as const
  t.deepEqual(judgeCountStream(limited), [])
  t.deepEqual(judgeCountStream(fit), [
    'Stream JOURNAL is not safe for counts: ' +
      'it takes nothing more when it is full (discard is not old).',
  ])
  t.deepEqual(judgeCountStream({ ...limited, num_replicas: 1 }), [
    'Stream JOURNAL is not safe for counts: num_replicas is 1, not 3 or more.',
  ])
})
