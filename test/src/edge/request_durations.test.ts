import test from 'ava'
import { Histogram, Registry } from 'prom-client'

import { type RequestCounts, RequestDurations } from '#src/edge/request_durations.ts'
import { until } from '#test/_until.ts'

type Request = readonly [method: string, route: string, status: number, seconds: number]

const seen = [
  ['GET', '/v1/works/:ark', 200, 0.001],
  ['GET', '/v1/works/:ark', 200, 0.0011],
  ['GET', '/v1/works/:ark', 404, 0.25],
  ['POST', '/v1/works', 201, 3],
  ['POST', '/v1/works', 201, 60],
  ['GET', 'none', 404, 0],
] as const satisfies readonly Request[]

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

function counted(...requests: readonly Request[]): RequestDurations {
  const durations = new RequestDurations()
  for (const request of requests) durations.count(...request)
  return durations
}

async function linesOf(durations: RequestDurations): Promise<string[]> {
  const registry = new Registry()
  registry.registerMetric(durations)
  return (await registry.metrics()).split('\n').toSorted()
}

test('what threads count is told as if one had counted it all', async (t) => {
  const [a, b, c, d, e, f] = seen
  const [one, other] = [counted(a, c), counted(b, e, a)]
  const sum = counted(d, f)
  sum.include(async () => one.counts())
  sum.include(async () => other.counts())
  t.deepEqual(await linesOf(sum), await linesOf(counted(a, c, b, e, a, d, f)))
  one.count(...d)
  const later = counted(a, c, b, e, a, d, f, d)
  t.deepEqual(await linesOf(sum), await linesOf(later))
  // A second scrape adds nothing a second time.
  t.deepEqual(await linesOf(sum), await linesOf(later))
})

test('no sum falls when a thread is silent, ends, or another takes its place', async (t) => {
  const [a, b, c] = seen
  const thread = counted(a, b)
  let isSilent = false
  const sum = counted(c)
  const end = sum.include(() =>
    isSilent ? Promise.reject(new Error('busy')) : Promise.resolve(thread.counts()),
  )
  const before = await linesOf(sum)
  t.deepEqual(before, await linesOf(counted(a, b, c)))
  isSilent = true
  t.deepEqual(await linesOf(sum), before)
  end()
  t.deepEqual(await linesOf(sum), before)
  sum.include(async () => counted(a).counts())
  t.deepEqual(await linesOf(sum), await linesOf(counted(a, b, c, a)))
})

test('a thread that ends while it is asked counts once', async (t) => {
  const [a, b] = seen
  const thread = counted(a)
  const answers: (() => void)[] = []
  const sum = new RequestDurations()
  const end = sum.include(() => {
    const { promise, resolve } = Promise.withResolvers<readonly RequestCounts[]>()
    answers.push(() => resolve(thread.counts()))
    return promise
  })
  const scrape = async () => {
    const lines = linesOf(sum)
    await until('the thread is asked', () => answers.length > 0)
    answers.pop()?.()
    return lines
  }
  t.deepEqual(await scrape(), await linesOf(counted(a)))
  thread.count(...b)
  const last = linesOf(sum)
  await until('the thread is asked again', () => answers.length > 0)
  end()
  answers.pop()?.()
  t.deepEqual(await last, await linesOf(counted(a)))
})
