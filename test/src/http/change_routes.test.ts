import test from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/http/_registry.ts'

async function open(t: { teardown(close: () => unknown): void }) {
  const registry = await openRegistry()
  t.teardown(registry.close)
  const headers = {
    authorization: `Bearer ${await registry.createKey(['works:read', 'works:write'])}`,
  }
  return { ...registry, headers }
}

type Opened = TestRegistry & { readonly headers: Record<string, string> }

function changes({ server, headers }: Opened, query: string) {
  return server.inject({ url: `/v1/changes${query}`, headers })
}

async function register({ server, headers }: Opened, work_title: string): Promise<string> {
  const payload = { ...goodWork, work_title }
  const reply = await server.inject({ method: 'POST', url: '/v1/works', headers, payload })
  return reply.json().ark_identifier
}

test('all changes are told in order, page by page', async (t) => {
  const registry = await open(t)
  const arks = [await register(registry, 'One'), await register(registry, 'Two')]
  const { server, headers } = registry
  await server.inject({
    method: 'POST',
    url: `/v1/works/${arks[0]}/withdraw`,
    headers,
    payload: { reason: 'test' },
  })
  const all = await changes(registry, '')
  t.is(all.statusCode, 200)
  t.is(all.headers['content-type'], 'application/json; charset=utf-8')
  const { changes: told, next } = all.json()
  t.deepEqual(
    told.map(({ ark, status }: { ark: string; status: string }) => [ark, status]),
    [
      [arks[0], 'registered'],
      [arks[1], 'registered'],
      [arks[0], 'withdrawn'],
    ],
  )
  const first = (await changes(registry, '?limit=2')).json()
  t.is(first.changes.length, 2)
  const second = (await changes(registry, `?limit=2&after=${first.next}`)).json()
  t.deepEqual([...first.changes, ...second.changes], told)
  t.is(second.next, next)
  t.deepEqual((await changes(registry, `?after=${next}`)).json(), { changes: [], next })
})

test('who waits is told of the first change', async (t) => {
  const registry = await open(t)
  const { next } = (await changes(registry, '')).json()
  const waiting = changes(registry, `?after=${next}&wait=30`)
  const ark = await register(registry, 'News')
  t.is((await waiting).json().changes[0].ark, ark)
})

test('a shutdown does not wait for news', async (t) => {
  const registry = await open(t)
  const { next } = (await changes(registry, '')).json()
  const waiting = changes(registry, `?after=${next}&wait=30`)
  await registry.server.close()
  t.deepEqual((await waiting).json(), { changes: [], next })
})

test('parameters out of bounds and callers without a key are refused', async (t) => {
  const registry = await open(t)
  for (const query of ['?limit=1001', '?wait=31', '?after=-1', '?from=1']) {
    t.is((await changes(registry, query)).statusCode, 400, query)
  }
  t.is((await registry.server.inject('/v1/changes')).statusCode, 401)
})
