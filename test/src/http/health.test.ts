import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { buildMetricsServer, createMetrics } from '#src/http/metrics.ts'
import { send } from '#test/src/http/_raw.ts'
import { goodWork, openRegistry } from '#test/src/http/_registry.ts'

async function open(t: ExecutionContext, settings = {}) {
  const registry = await openRegistry(settings)
  t.teardown(registry.close)
  return registry
}

test('the process says that it answers, and the registry that it is ready', async (t) => {
  const { server, time } = await open(t)
  time.nowMs += 5_000
  const health = await server.inject('/healthz')
  t.deepEqual(health.json(), { status: 'ok' })
  t.is(health.headers['cache-control'], 'no-store')
  const ready = await server.inject('/readyz')
  t.is(ready.statusCode, 200)
  const { ready: isReady, checks } = ready.json()
  t.true(isReady)
  t.deepEqual(checks.live, { ok: true, tree_size: 0, head_age_seconds: 5 })
  t.true(checks.disk.ok)
  t.true(checks.disk.free_bytes > 0)
})

test('it says whether content is fetched, and how many private hosts may be', async (t) => {
  const fetchingOf = async (settings: Record<string, unknown>) => {
    const { server } = await open(t, settings)
    const reply = await server.inject('/readyz')
    t.is(reply.statusCode, 200)
    t.notRegex(reply.body, /intranet/)
    return reply.json().checks.fetching
  }
  const usual = { ok: true, enabled: true, private_hosts_allowed: 0, via_proxy: false }
  t.deepEqual(await fetchingOf({}), usual)
  const allowed = { FETCH_ALLOW: ['files.intranet:80'], EGRESS_PROXY: 'http://proxy.intranet:3128' }
  const unusual = { ...usual, private_hosts_allowed: 1, via_proxy: true }
  t.deepEqual(await fetchingOf(allowed), unusual)
  t.deepEqual(await fetchingOf({ FETCH_CONTENT: false }), { ...usual, enabled: false })
})

test('a disk below its reserve makes the registry unready, and says so', async (t) => {
  const { server } = await open(t, { DISK_RESERVE_BYTES: 2 ** 40 })
  const reply = await server.inject('/readyz')
  t.is(reply.statusCode, 503)
  const { ready, checks } = reply.json()
  t.false(ready)
  t.like(checks.disk, { ok: false, problem: `less than ${2 ** 40} bytes are free` })
  t.true(checks.live.ok)
})

test('the metrics server tells the state of each environment, and nothing else', async (t) => {
  const { server, environments, createKey } = await open(t)
  const headers = { 'x-api-key': await createKey(['works:write']) }
  await server.inject({ method: 'POST', url: '/v1/works', headers, payload: goodWork })
  const metrics = buildMetricsServer(createMetrics(Object.values(environments), Date.now))
  t.teardown(() => metrics.close())
  metrics.listen(0, '127.0.0.1')
  await once(metrics, 'listening')
  const { port } = metrics.address() as AddressInfo
  const reply = await send(port, ['GET /metrics HTTP/1.1', 'Host: x'])
  t.is(reply.status, 200)
  for (const line of [
    'arklog_healthy{environment="live"} 1',
    'arklog_log_tree_size{environment="live"} 1',
    'arklog_log_tree_size{environment="sandbox"} 0',
    'arklog_log_signed_timestamp_seconds{environment="live"} 1767225600',
  ]) {
    t.true(reply.body.includes(line), line)
  }
  t.is((await send(port, ['GET / HTTP/1.1', 'Host: x'])).status, 404)
})
