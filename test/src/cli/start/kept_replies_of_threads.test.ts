import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import { offerKeptReplies, remoteKeptReplies } from '#src/cli/start/thread_services.ts'
import { until } from '#test/_until.ts'
import { connect } from '#test/actors/kernel/_connected.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'
import { testKeptReplies } from '#test/contracts/kept_replies.ts'
import type { RepliesThreadData } from '#test/src/cli/start/_replies_thread.ts'
import { titled } from '#test/contracts/_titled_test.ts'

// As long as the longest reply that is kept, in base64, and more.
const messageCharactersMax = 1_000_000

function join(t: ExecutionContext, replies: RepliesInMemory) {
  const { toJoined, toOwner } = connect(t, { messageCharactersMax })
  offerKeptReplies(toJoined, replies)
  return { replies: remoteKeptReplies(toOwner), end: () => toJoined.close() }
}

testKeptReplies(titled('the owner and one that shares'), async (t) => {
  let nowMs = 1
  const owned = new RepliesInMemory(() => nowMs)
  return { pair: [owned, join(t, owned).replies], forward: (ms) => void (nowMs += ms) }
})

testKeptReplies(titled('two that share'), async (t) => {
  let nowMs = 1
  const owned = new RepliesInMemory(() => nowMs)
  const pair = [join(t, owned).replies, join(t, owned).replies] as const
  return { pair, forward: (ms) => void (nowMs += ms) }
})

const write = { key: 'write', body_hash: 'a' }

test('one that shares ends no write of another', async (t) => {
  const owned = new RepliesInMemory(() => 1)
  const [one, other] = [join(t, owned), join(t, owned)]
  t.deepEqual(await one.replies.begin(write), { type: 'fresh' })
  t.deepEqual(await other.replies.begin(write), { type: 'under_way' })
  await other.replies.abandon(write)
  other.end()
  t.deepEqual(await owned.begin(write), { type: 'under_way' })
})

test('a reply that is too long to travel is not kept, and its write ends', async (t) => {
  const owned = new RepliesInMemory(() => 1)
  const { replies } = join(t, owned)
  await replies.begin(write)
  const body = 'x'.repeat(messageCharactersMax)
  await replies.finish(write, { status: 201, headers: {}, body })
  t.deepEqual(await owned.begin(write), { type: 'fresh' })
})

test('what a thread that dies has begun is fresh again, what it has finished stays', async (t) => {
  const owned = new RepliesInMemory(() => 1)
  const { port1, port2: port } = new MessageChannel()
  const transport = threadTransport(port1)
  const remote = new Remote({ ...remoteLimits, name: 'the sharing thread', transport })
  t.teardown(() => remote.close())
  offerKeptReplies(remote, owned)
  const worker = new Worker(new URL('./_replies_thread.ts', import.meta.url), {
    workerData: { port } satisfies RepliesThreadData,
    transferList: [port],
  })
  t.teardown(() => worker.terminate())
  await once(worker, 'message')
  t.deepEqual(await owned.begin({ key: 'begun', body_hash: 'b' }), { type: 'under_way' })
  await worker.terminate()
  await until('the write is fresh again', async () => {
    const { type } = await owned.begin({ key: 'begun', body_hash: 'b' })
    return type === 'fresh'
  })
  const reply = { status: 201, headers: {}, body: 'made' }
  t.deepEqual(await owned.begin({ key: 'finished', body_hash: 'a' }), { type: 'kept', reply })
})
