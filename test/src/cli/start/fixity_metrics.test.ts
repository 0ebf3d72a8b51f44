import test from 'ava'
import { Registry } from 'prom-client'

import type { FixityOverview } from '#actors/works/fixity/client.ts'
import { addFixityMetrics } from '#src/cli/start/metrics.ts'

const busy: FixityOverview = {
  fetching: true,
  queue_depth: 12,
  due: 3,
  oldest_pending_at: '2026-01-01T00:00:00.000Z',
  in_flight: 2,
  states: { pending: 3, verified: 7, failed: 1, unreachable: 1 },
  outcomes: { verified: 20, http_status: 4 },
}

const idle: FixityOverview = { ...busy, fetching: false, oldest_pending_at: null, outcomes: {} }

test('queue, age, states and outcomes are told for each environment', async (t) => {
  const registry = new Registry()
  let overviews = 0
  const overview = async () => {
    overviews += 1
    return busy
  }
  const environments = [
    { name: 'live', fixity: { overview } },
    { name: 'sandbox', fixity: { overview: async () => idle } },
  ] as const
  addFixityMetrics(registry, environments, () => Date.parse('2026-01-01T00:01:30.000Z'))
  for (const scrapes of [1, 2]) {
    const lines = (await registry.metrics()).split('\n')
    for (const line of [
      'arklog_fixity_fetching{environment="live"} 1',
      'arklog_fixity_fetching{environment="sandbox"} 0',
      'arklog_fixity_queue_depth{environment="live"} 12',
      'arklog_fixity_due{environment="live"} 3',
      'arklog_fixity_oldest_due_seconds{environment="live"} 90',
      'arklog_fixity_oldest_due_seconds{environment="sandbox"} 0',
      'arklog_fixity_in_flight{environment="live"} 2',
      'arklog_fixity_works{environment="live",status="pending"} 3',
      'arklog_fixity_works{environment="live",status="verified"} 7',
      '# TYPE arklog_fixity_checks_total counter',
      'arklog_fixity_checks_total{environment="live",outcome="verified"} 20',
      'arklog_fixity_checks_total{environment="live",outcome="http_status"} 4',
    ]) {
      t.true(lines.includes(line), line)
    }
    t.is(overviews, scrapes, 'one overview a scrape')
  }
})
