import test from 'ava'

import { compareCheckpoints, listCheckpoints, LogGrowthReader } from '#src/use_cases/public_log.ts'
import { goodWork, openRegistry, type TestRegistry } from '#test/src/_registry.ts'

let registry: TestRegistry
let headers: Record<string, string>

// Commits of several sizes, and more entries than there are points.
const commits = [1, 40, 300, 2, 157]

test.before(async () => {
  registry = await openRegistry({ RATE_LIMITS: false })
  headers = { 'x-api-key': await registry.createKey(['works:write']) }
  for (const count of commits) await register(count)
})

test.after.always(() => registry.close())

async function register(count: number): Promise<void> {
  const payload = { works: Array.from({ length: count }, () => goodWork) }
  const url = '/v1/works/bulk?allow_duplicate=true'
  await registry.server.inject({ method: 'POST', url, headers, payload })
}

function isRising(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0))
}

test.serial(
  'growth is told by so many points at most, from the first entry to the last',
  async (t) => {
    const { log } = registry.environments.live
    const reader = new LogGrowthReader(log)
    const { points, commits: looked } = await reader.read()
    const { treeSize } = log.head()
    t.is(treeSize, 500)
    t.true(points.length > 100 && points.length <= 200)
    t.is(points[0]?.treeSize, 1)
    t.is(points.at(-1)?.treeSize, treeSize)
    t.true(isRising(points.map(({ atMs }) => atMs)))
    t.true(isRising(points.map((point) => point.treeSize)))
    t.true(looked.length <= 51)
    for (const { treeSize: size, entries, atMs } of looked) {
      t.not(log.checkpointAt(size), undefined)
      const { checkpoints } = await listCheckpoints(log, { before: size + 1, limit: 1 })
      t.is(checkpoints[0]?.added, entries)
      t.is(checkpoints[0]?.signedAt, new Date(atMs).toISOString())
    }
  },
)

test.serial('what is known of a size is kept until the log has grown', async (t) => {
  const { log } = registry.environments.live
  const reader = new LogGrowthReader(log)
  const known = await reader.read()
  t.is(await reader.read(), known)
  await register(1)
  const grown = await reader.read()
  t.is(grown.points.at(-1)?.treeSize, log.head().treeSize)
  t.deepEqual(
    grown.points.slice(0, 5).map(({ treeSize }) => treeSize),
    known.points.slice(0, 5).map(({ treeSize }) => treeSize),
  )
})

test.serial('of an empty log there is nothing to tell', async (t) => {
  const { log } = registry.environments.sandbox
  t.deepEqual(await new LogGrowthReader(log).read(), { points: [], commits: [] })
  t.deepEqual(await listCheckpoints(log, { before: 1, limit: 5 }), { checkpoints: [], next: null })
  t.like(await compareCheckpoints(log, 0, 0), { type: 'refused' })
  t.like(await compareCheckpoints(log, 1, 2), { type: 'unsigned', treeSize: 1, nearby: [] })
})

test.serial(
  'checkpoints are listed by pages, and those of unsigned sizes told from them',
  async (t) => {
    const { log } = registry.environments.live
    const sizes: number[] = []
    let before = log.head().treeSize + 1
    for (let next: number | null = before; next !== null; ) {
      const page = await listCheckpoints(log, { before, limit: 3 })
      sizes.push(...page.checkpoints.map(({ treeSize }) => treeSize))
      next = page.next
      before = next ?? 0
    }
    const all = (await log.checkpoints({ after: 0, limit: 1_000 })).map(({ treeSize }) => treeSize)
    t.deepEqual(sizes, all.toReversed())
    const [first = 0, second = 0] = all
    const compared = await compareCheckpoints(log, first, second)
    t.like(compared, { type: 'compared', proof: log.consistency(first, second) })
    const within = all.find((size, index) => size - (all[index - 1] ?? 0) > 1) ?? 0
    const found = await compareCheckpoints(log, within - 1, within)
    t.like(found, { type: 'unsigned', treeSize: within - 1 })
    t.true(found.type === 'unsigned' && found.nearby.includes(within))
    t.like(await compareCheckpoints(log, second, first), { type: 'refused' })
    const beyond = log.head().treeSize + 7
    t.deepEqual(await compareCheckpoints(log, first, beyond), {
      type: 'unsigned',
      treeSize: beyond,
      nearby: [log.head().treeSize],
    })
  },
)
