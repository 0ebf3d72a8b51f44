import test, { type ExecutionContext } from 'ava'

import { treeSize, unlimited } from '#test/scenario/_first_starts.ts'
import { firstKey, newDataDir, newWork, type Server, startServer } from '#test/scenario/_process.ts'
import { type Reply, request } from '#test/scenario/_request.ts'

// A client without idempotency keys sends again what it has had no answer to, as fast as it can.

const work = newWork('Sent by a client that gives its requests no names')

type Creation = { readonly ark_identifier?: string; readonly existing_ark?: string }

/** Sends the same work many times at once: one is registered at most, and the others name it. */
async function sendAtOnce(
  t: ExecutionContext,
  server: Server,
  { path = '/v1/works', key = firstKey(server) } = {},
): Promise<{ readonly created: number; readonly arks: ReadonlySet<string | undefined> }> {
  const send = (): Promise<Reply<Creation>> => request(server, path, { key, body: work })
  const replies = await Promise.all(Array.from({ length: 100 }, send))
  const created = replies.filter(({ status }) => status === 201)
  for (const { status } of replies) t.true(status === 201 || status === 409, String(status))
  const arks = replies.map(({ body }) => body.ark_identifier ?? body.existing_ark)
  return { created: created.length, arks: new Set(arks) }
}

test('one work a hundred times at once, after a kill, or in one request, is one', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), ...unlimited }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const first = await sendAtOnce(t, server)
  t.is(first.created, 1)
  t.is(first.arks.size, 1)
  await server.end('SIGKILL')

  const again = await startServer(t, settings)
  const second = await sendAtOnce(t, again, { key })
  t.deepEqual(second, { created: 0, arks: first.arks })
  t.is(await treeSize(again), 1)
  const otherFamily = await sendAtOnce(t, again, { key, path: '/api/v1/work' })
  t.deepEqual(otherFamily, { created: 0, arks: first.arks })

  const [ark = ''] = first.arks
  const { status } = await request(again, `/v1/works/${ark}/withdraw`, {
    key,
    body: { reason: 'test' },
  })
  t.is(status, 200)
  const third = await sendAtOnce(t, again, { key })
  t.is(third.created, 1)
  t.is(third.arks.size, 1)
  t.is(await treeSize(again), 3)

  // A bulk request that is nothing but one work a thousand times.
  const other = { ...work, work_title: 'Sent a thousand times in one request' }
  const bulk = { key, body: { works: Array.from({ length: 1_000 }, () => other) } }
  type Results = { readonly results: readonly { readonly status: number }[] }
  const { results } = (await request<Results>(again, '/v1/works/bulk', bulk)).body
  t.is(results.filter((each) => each.status === 201).length, 1)
  t.is(results.filter((each) => each.status === 409).length, 999)
  t.is(await treeSize(again), 4)
})
