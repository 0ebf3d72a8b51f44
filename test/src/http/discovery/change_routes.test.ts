import test from 'ava'

import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

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

/** The page of somebody who has read everything. */
function nothingMore(end: number, query: string) {
  return {
    changes: [],
    next: end,
    end,
    settled_at: '2026-01-01T00:00:00.000Z',
    links: { self: `${baseUrl}/v1/changes${query}`, next: null },
  }
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
  t.deepEqual(
    (await changes(registry, `?after=${next}`)).json(),
    nothingMore(next, `?after=${next}`),
  )
})

test('a change of a work says when it was registered and what its receipt does', async (t) => {
  const registry = await open(t)
  const { server, headers } = registry
  const declared = `sha256:${'7'.repeat(64)}`
  const payload = { ...goodWork, content_hash: declared }
  const registered = await server.inject({ method: 'POST', url: '/v1/works', headers, payload })
  const { ark_identifier: ark, created_at, receipt_id, metadata_hash } = registered.json()
  const url = `/v1/works/${ark}`
  const update = { payload: { description: 'More' }, headers, url }
  const updated = await server.inject({ method: 'PUT', ...update })
  const [first, second] = (await changes(registry, '')).json().changes
  t.like(first, { created_at, receipt_id, metadata_hash, content_hash: declared })
  const { receipt_id: other, metadata_hash: otherHash } = updated.json()
  t.like(second, { created_at, receipt_id: other, metadata_hash: otherHash, version: 2 })
  t.is(second.content_hash, declared)
})

test('a page tells how far there is to go, and a reader who is too far that he is', async (t) => {
  const registry = await open(t)
  for (const title of ['One', 'Two', 'Three']) await register(registry, title)
  const { next: end } = (await changes(registry, '')).json()
  const first = (await changes(registry, '?limit=1')).json()
  t.is(first.end, end)
  t.true(first.next < end)
  const beyond = `?after=${end + 7}&wait=30`
  t.deepEqual((await changes(registry, beyond)).json(), nothingMore(end, beyond))
})

test('a page of long works ends early, and nothing is lost', async (t) => {
  const registry = await open(t)
  const { server, headers } = registry
  const description = 'long '.repeat(9_000)
  const keywords = '\u{1F4DA}'.repeat(2_000)
  const authors = 'Ada Lovelace; '.repeat(12_000)
  for (const half of ['One', 'Two']) {
    const works = Array.from({ length: 25 }, (_, index) => {
      return { ...goodWork, work_title: `${half} ${index}`, description, keywords, authors }
    })
    const url = '/v1/works/bulk'
    const reply = await server.inject({ method: 'POST', url, headers, payload: { works } })
    t.is(reply.statusCode, 200)
  }
  const arks = new Set<string>()
  let pages = 0
  for (let after = 0, end = 1; after < end; pages += 1) {
    const reply = await changes(registry, `?after=${after}&limit=1000`)
    // A mebibyte, and the change that brought it there.
    t.true(reply.rawPayload.length < 1.3 * 1_048_576)
    const page = reply.json()
    for (const { ark } of page.changes) if (ark !== undefined) arks.add(ark)
    ;({ next: after, end } = page)
  }
  t.is(arks.size, 50)
  t.is(pages, 10)
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
  t.deepEqual((await waiting).json(), nothingMore(next, `?after=${next}&wait=30`))
})

test('parameters out of bounds and callers without a key are refused', async (t) => {
  const registry = await open(t)
  for (const query of ['?limit=1001', '?wait=31', '?after=-1', '?from=1']) {
    t.is((await changes(registry, query)).statusCode, 400, query)
  }
  t.is((await registry.server.inject('/v1/changes')).statusCode, 401)
})
