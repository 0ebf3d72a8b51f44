import test from 'ava'
import { Histogram, Registry } from 'prom-client'

import { RequestDurations } from '#src/edge/request_durations.ts'

const seen = [
  ['GET', '/v1/works/:ark', 200, 0.001],
  ['GET', '/v1/works/:ark', 200, 0.0011],
  ['GET', '/v1/works/:ark', 404, 0.25],
  ['POST', '/v1/works', 201, 3],
  ['POST', '/v1/works', 201, 60],
  ['GET', 'none', 404, 0],
] as const

test('what is counted is told as the library tells a histogram', async (t) => {
  const ours = new RequestDurations()
  const registry = new Registry()
  registry.registerMetric(ours)
  const { name, help } = await ours.get()
  const library = new Registry()
  const labelNames = ['method', 'route', 'status'] as const
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
  const histogram = new Histogram({ name, help, labelNames, buckets, registers: [library] })
  for (const [method, route, status, seconds] of seen) {
    ours.count(method, route, status, seconds)
    histogram.observe({ method, route, status }, seconds)
  }
  const lines = async (of: Registry) => (await of.metrics()).split('\n').toSorted()
  t.deepEqual(await lines(registry), await lines(library))
  t.deepEqual(
    (await registry.getMetricsAsJSON()).map(({ values }) => values.length),
    (await library.getMetricsAsJSON()).map(({ values }) => values.length),
  )
})
