import test from 'ava'

import { serveRegistry } from '#test/src/_served_registry.ts'
import { goodWork } from '#test/src/_registry.ts'

const dayMs = 86_400_000

test('a clock that is wrong is told to clients and operators, until it is right', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { admin, call, machine } = registry
  const keys = {
    live: await registry.key({ scopes: ['works:write'] }),
    sandbox: await registry.key({ scopes: ['works:write'], environment: 'sandbox' }),
  }
  const register = (key: string, work_title: string) =>
    call('/v1/works', { method: 'POST', key, body: { ...goodWork, work_title } })
  const first = await register(keys.live, 'First')
  t.is(first.status, 201)
  t.deepEqual((await admin.call('/clock/status', {})).live, { problem: null, dated_until: null })

  machine.offMs = 400 * dayMs
  for (const key of Object.values(keys)) {
    const { status, body, headers } = await register(key, 'Refused')
    t.is(status, 503)
    t.like(JSON.parse(body), { error: 'clock_wrong', retry_after: 60 })
    t.is(headers['retry-after'], '60')
    t.regex(body, /"message":"The clock of the registry is wrong, so nothing that carries a time/)
  }
  const ill = await call('/readyz')
  t.is(ill.status, 503)
  const metrics = await registry.metrics()
  t.regex(metrics, /^arklog_clock_wrong\{environment="live"\} 1$/m)
  t.regex(metrics, /^arklog_clock_wrong\{environment="sandbox"\} 1$/m)
  const { live, sandbox } = await admin.call('/clock/status', {})
  t.regex(live.problem ?? '', /400 days after .*by how long the machine has run/)
  t.is(live.problem, sandbox.problem)
  t.falsy(registry.logged.find((line) => line.includes('an actor failed')))

  machine.offMs = 0
  t.is((await register(keys.live, 'Right again')).status, 201)
  t.is((await call('/readyz')).status, 200)
  t.is((await admin.call('/clock/accept', {})).accepted, null)
})

test('an operator goes on with a clock, and with what was dated by it before', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { admin, call, machine } = registry
  const key = await registry.key({ scopes: ['works:write'] })
  const register = async (work_title: string) => {
    const body = { ...goodWork, work_title }
    const answer = await call('/v1/works', { method: 'POST', key, body })
    return { status: answer.status, ...(JSON.parse(answer.body) as { created_at: string }) }
  }
  machine.offMs = 20 * dayMs
  const { accepted, live } = await admin.call('/clock/accept', {})
  t.regex(accepted ?? '', /20 days after/)
  t.deepEqual(live, { problem: null, dated_until: null })
  const ahead = await register('Dated 20 days ahead')
  t.is(ahead.status, 201)
  t.true(Date.parse(ahead.created_at) > Date.now() + 19 * dayMs)

  machine.offMs = 0
  t.is((await register('Refused')).status, 503)
  const again = await admin.call('/clock/accept', {})
  t.is(again.live.problem, null)
  t.is(again.live.dated_until?.slice(0, 16), ahead.created_at.slice(0, 16))
  t.is((await register('Dated with the newest')).created_at, ahead.created_at)
  t.regex(await registry.metrics(), /^arklog_log_ahead_seconds\{environment="live"\} 17\d{5}/m)
})
