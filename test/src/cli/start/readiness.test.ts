import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { readReadiness } from '#src/cli/start/readiness.ts'
import { type AdminFacts, buildMetricsServer, createMetrics } from '#src/edge/metrics.ts'
import { addEnvironmentMetrics } from '#src/cli/start/metrics.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { send } from '#test/src/_raw.ts'
import { goodWork, openRegistry } from '#test/src/_registry.ts'

async function open(t: ExecutionContext, settings = {}) {
  const registry = await openRegistry(settings)
  t.teardown(registry.close)
  const config = loadConfig({}, JSON.stringify({ DATA_DIR: registry.folder, ...settings }))
  const { environments, time } = registry
  const readiness = () => readReadiness({ config, environments, nowMs: () => time.nowMs })
  return { ...registry, readiness }
}

test('the process says that it answers, and the registry that it is ready', async (t) => {
  const { server, time, readiness } = await open(t)
  time.nowMs += 5_000
  const health = await server.inject('/healthz')
  t.deepEqual(health.json(), { status: 'ok' })
  t.is(health.headers['cache-control'], 'no-store')
  const { ready, checks } = await readiness()
  t.true(ready)
  t.deepEqual(checks['live'], { ok: true, tree_size: 0, head_age_seconds: 5 })
  t.true(checks['disk']?.ok)
  t.true(Number(checks['disk']?.['free_bytes']) > 0)
})

test('strangers are told whether the registry is ready, and nothing else', async (t) => {
  const { server } = await open(t)
  const well = await server.inject('/readyz')
  t.deepEqual([well.statusCode, well.json()], [200, { ready: true }])
  t.is(well.headers['cache-control'], 'no-store')
  const { server: full } = await open(t, { DISK_RESERVE_BYTES: 2 ** 40 })
  const ill = await full.inject('/readyz')
  t.deepEqual([ill.statusCode, ill.json()], [503, { ready: false }])
})

test('it says whether content is fetched, and how many private hosts may be', async (t) => {
  const fetchingOf = async (settings: Record<string, unknown>) => {
    const { readiness } = await open(t, settings)
    const { ready, checks } = await readiness()
    t.true(ready)
    return checks['fetching']
  }
  const usual = { ok: true, enabled: true, private_hosts_allowed: 0, via_proxy: false }
  t.deepEqual(await fetchingOf({}), usual)
  const allowed = { FETCH_ALLOW: ['files.intranet:80'], EGRESS_PROXY: 'http://proxy.intranet:3128' }
  const unusual = { ...usual, private_hosts_allowed: 1, via_proxy: true }
  t.deepEqual(await fetchingOf(allowed), unusual)
  t.deepEqual(await fetchingOf({ FETCH_CONTENT: false }), { ...usual, enabled: false })
})

test('a disk below its reserve makes the registry unready, and says so', async (t) => {
  const { readiness } = await open(t, { DISK_RESERVE_BYTES: 2 ** 40 })
  const { ready, checks } = await readiness()
  t.false(ready)
  t.like(checks['disk'], { ok: false, problem: `less than ${2 ** 40} bytes are free` })
  t.true(checks['live']?.ok)
})

async function listen(t: ExecutionContext, facts: AdminFacts): Promise<number> {
  const server = buildMetricsServer(facts)
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('the administrator is told the reasons, at a port of its own', async (t) => {
  const { readiness } = await open(t, { DISK_RESERVE_BYTES: 2 ** 40 })
  const metrics = createMetrics()
  const port = await listen(t, { metrics, readiness })
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`)
  t.is(reply.status, 503)
  t.like(await reply.json(), { ready: false, checks: { live: { ok: true, tree_size: 0 } } })
  const bare = await listen(t, { metrics })
  t.is((await send(bare, ['GET /readyz HTTP/1.1', 'Host: x'])).status, 404)
})

test('the metrics server tells the state of each environment, and nothing else', async (t) => {
  const { server, environments, createKey } = await open(t)
  const headers = { 'x-api-key': await createKey(['works:write']) }
  await server.inject({ method: 'POST', url: '/v1/works', headers, payload: goodWork })
  const metrics = createMetrics()
  addEnvironmentMetrics(metrics.registry, Object.values(environments), Date.now)
  const port = await listen(t, { metrics })
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

test('accounts that cannot be changed make the registry unready, and it says why', async (t) => {
  const { environments, folder, time } = await open(t)
  const config = loadConfig({}, JSON.stringify({ DATA_DIR: folder }))
  const nowMs = () => time.nowMs
  const message = 'a write to the identity store failed'
  const failure = new IdentityError('keys_unwritable', message)
  const ill = await readReadiness({ config, environments, identity: { failure }, nowMs })
  t.false(ill.ready)
  t.deepEqual(ill.checks['identity'], { ok: false, problem: message })
  const identity = { failure: undefined }
  const well = await readReadiness({ config, environments, identity, nowMs })
  t.true(well.ready)
  t.deepEqual(well.checks['identity'], { ok: true })
})
