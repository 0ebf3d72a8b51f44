import test from 'ava'

import { raceFirstStarts, treeSize, unlimited } from '#test/scenario/_first_starts.ts'
import { firstKey, newDataDir, newWork, startServer } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { shareServer } from '#test/scenario/_shared_server.ts'

const shared = shareServer(unlimited)

test.serial('43: 1,000 parallel creates under one Idempotency-Key register one work', async (t) => {
  const { server } = shared()
  const before = await treeSize(server)
  const send = () =>
    request(server, '/v1/works', {
      key: firstKey(server),
      headers: { 'idempotency-key': 'one-of-a-thousand' },
      body: newWork('Sent a thousand times'),
    })
  const replies = await Promise.all(Array.from({ length: 1_000 }, send))
  const created = replies.filter(({ status }) => status === 201)
  t.is(new Set(created.map(({ body }) => body['ark_identifier'])).size, 1)
  const originals = created.filter(({ headers }) => !headers.has('idempotent-replayed'))
  t.is(originals.length, 1)
  const others = replies.filter(({ status }) => status !== 201)
  t.deepEqual(
    new Set(others.map(({ status, body }) => [status, body['error']].join(' '))),
    conflicts(others),
  )
  t.is(await treeSize(server), before + 1)
})

/** Those who came while the one was carried out, if there were any. */
function conflicts(others: readonly unknown[]): Set<string> {
  return new Set(others.length === 0 ? [] : ['409 conflict'])
}

test.serial('44: a kill between a commit and its reply costs the client nothing', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), EDGE_THREADS: '1', ...unlimited }
  const server = await startServer(t, settings)
  const creation = {
    key: firstKey(server),
    headers: { 'idempotency-key': 'the-reply-was-lost' },
    body: newWork('Committed, and never answered'),
  }
  // The reply is never read: that the work was committed is seen from the log alone.
  const unread = new AbortController()
  const sent = fetch(`${server.started.local_url}/v1/works`, {
    method: 'POST',
    headers: {
      ...creation.headers,
      authorization: `Bearer ${creation.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(creation.body),
    signal: unread.signal,
  }).catch(() => undefined)
  while ((await treeSize(server)) === 0);
  await server.end('SIGKILL')
  unread.abort()
  await sent

  const again = await startServer(t, settings)
  const replies = [
    await request(again, '/v1/works', creation),
    await request(again, '/v1/works', creation),
  ]
  for (const { status, headers } of replies) {
    t.is(status, 201)
    t.is(headers.get('idempotent-replayed'), 'true')
  }
  t.is(replies[0]?.body['ark_identifier'], replies[1]?.body['ark_identifier'])
  t.is(await treeSize(again), 1)
})

test.serial('64 clients that send one work back whole lose no change of another', async (t) => {
  const { server } = shared()
  const key = firstKey(server)
  const { body: work } = await request(server, '/v1/works', { key, body: newWork('Shared') })
  const path = `/v1/works/${String(work['ark_identifier'])}`
  const taken: string[] = []
  const refused = new Set<unknown>()
  await Promise.all(
    Array.from({ length: 64 }, async (_, client) => {
      for (let change = 0; change < 4; change += 1) {
        const { body } = await request(server, path, { key })
        const mark = `k${client}-${change}`
        const before = body['keywords'] as string | undefined
        const keywords = before === undefined ? mark : `${before}, ${mark}`
        const whole = { ...body, keywords }
        const reply = await request(server, path, { key, method: 'PUT', body: whole })
        if (reply.status === 200) taken.push(mark)
        else refused.add(`${reply.status} ${String(reply.body['error'])}`)
      }
    }),
  )
  t.true(taken.length >= 4)
  t.deepEqual([...refused], ['412 precondition_failed'])
  const { body: last } = await request(server, path, { key })
  t.deepEqual(String(last['keywords']).split(', ').toSorted(), taken.toSorted())
  t.is(last['version'], taken.length + 1)
})

test.serial('48: of two first starts on one folder one serves and the other says why', (t) =>
  raceFirstStarts(t, 2),
)
