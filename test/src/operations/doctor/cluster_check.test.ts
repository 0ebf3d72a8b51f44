import test from 'ava'

import { clusterCheck } from '#src/operations/doctor/checks.ts'
import { runChecks } from '#src/operations/doctor/finding.ts'
import { freePort } from '#test/_free_port.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

async function look(clusterUrl: string | undefined) {
  const findings = await runChecks([clusterCheck(clusterUrl)])
  return findings.map(({ state, message }) => `${state}: ${message}`)
}

test('the servers of the engine are reached, or it is told which are not', async (t) => {
  t.regex((await look(undefined))[0] ?? '', /^unused: CLUSTER_URL is not set/)
  const { hostPort } = await serve(t, (_request, response) => response.end())
  t.deepEqual(await look(`nats://${hostPort}`), ['good: All 1 NATS servers can be reached.'])
  const silent = `127.0.0.1:${await freePort()}`
  const [some] = await look(`nats://${hostPort},nats://${silent}`)
  t.regex(some ?? '', new RegExp(`^warning: The NATS server ${silent} cannot be .*ECONNREFUSED`))
  t.regex((await look(`nats://${silent}`))[0] ?? '', /^bad: .*nothing is written.*CLUSTER_URL/)
  t.regex((await look('http://nats.example'))[0] ?? '', /^bad: CLUSTER_URL: .*Write nats:/)
})
