import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { loadConfig } from '#config/config.ts'
import { type AdminClient, withAdminClient } from '#src/cli/admin_client.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { FetchResult } from '#test/bench/_fetch_process.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, type Child, readCounters, startNode } from '#test/bench/_process.ts'
import { registerWorks, serveRegistry, startRegistry } from '#test/bench/_registry_server.ts'

const bench = 'fixity'
const concurrency = 32
const hosts = 32

/** How long content is; the goal is for the rate in a registry, of that of a bare loop. */
type Size = {
  readonly name: string
  readonly bytes: number
  readonly checksPerSecondMax: number
  readonly goal?: NonNullable<Figure['goal']>
}

// More than a registry can check in a second, so that the queue outlasts a round.
const sizes: readonly Size[] = [
  { name: '100 kB', bytes: 100_000, checksPerSecondMax: 2_400 },
  { name: '2 MB', bytes: 2_000_000, checksPerSecondMax: 240, goal: { atLeast: 0.7 } },
]

/**
 * What is checked of a work: for the first time, with two fetches on fresh connections, or again,
 * with one on any. The bare loop that does the same is held against it, and for first checks also
 * the one that keeps its connections, which they may not.
 */
const kinds = [
  { name: 'first checks', fetches: 2, bare: ['bare_fresh', 'bare'] },
  { name: 're-checks', fetches: 1, bare: ['bare'] },
] as const

/** The loops that only fetch and hash. */
const bareLoops = {
  bare: 'bare loop on kept connections',
  bare_fresh: 'bare loop on fresh connections',
} as const

type BareLoop = keyof typeof bareLoops

// How often the bench looks at how far a registry is: a round ends with its queue.
const lookMs = 100

type Subject = {
  readonly dataDir: string
  readonly hostPorts: readonly string[]
  readonly content: Child
  readonly bare: Child
  readonly durationMs: number
}

/** Checking content in a running registry, beside a bare loop that only fetches and hashes it. */
export async function benchFixity(options: BenchOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) {
    if (size.bytes <= options.contentBytesMax) figures.push(...(await compare(size, options)))
  }
  return figures
}

async function compare(size: Size, options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const content = startNode(new URL('./_content_server.ts', import.meta.url), [
    String(size.bytes),
    String(hosts),
  ])
  cleanup.defer(() => content.stop())
  const { hostPorts } = (await askChild(content, {})) as { hostPorts: string[] }
  const bare = startNode(new URL('./_fetch_process.ts', import.meta.url), [])
  cleanup.defer(() => bare.stop())
  const dataDir = path.join(folder, 'data')
  // A quarter more, in which the process warms up.
  const durationMs = Math.min(options.roundMs, 8_000)
  const enough = Math.ceil((size.checksPerSecondMax * durationMs * 1.25) / 1_000)
  const works = Math.min(enough, options.checkedWorksMax)
  const arks = await register(dataDir, hostPorts, works)
  const subject = { dataDir, hostPorts, content, bare, durationMs }
  const figures: Figure[] = []
  for (const kind of kinds) {
    if (kind.name === 're-checks') await queue(dataDir, arks)
    figures.push(...(await measure(subject, size, kind)))
  }
  return figures
}

/** Registers works while nothing is fetched; gives their ARKs. */
async function register(dataDir: string, hostPorts: readonly string[], works: number) {
  await using cleanup = new AsyncDisposableStack()
  const registry = await startRegistry(dataDir)
  cleanup.defer(() => registry.child.stop())
  const urlOf = (nth: number) => `http://${hostPorts[nth % hostPorts.length]}/work/${nth}`
  return await registerWorks(registry, works, urlOf)
}

/** Has works checked again, as soon as content is fetched. */
async function queue(dataDir: string, arks: readonly string[]): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const { child } = await serveRegistry(dataDir, {})
  cleanup.defer(() => child.stop())
  await withAdminClient(loadConfig({ DATA_DIR: dataDir }), async (client) => {
    const waiting = [...arks]
    const recheck = async () => {
      for (let ark = waiting.pop(); ark !== undefined; ark = waiting.pop()) {
        await client.call('/fixity/recheck', { ark })
      }
    }
    await Promise.all(Array.from({ length: 16 }, recheck))
  })
}

/** The rate of the registry between two rounds of each bare loop, in fetches. */
async function measure(
  subject: Subject,
  { name: size, goal }: Size,
  { name: kind, fetches, bare: loops }: (typeof kinds)[number],
): Promise<Figure[]> {
  const name = `${size}, ${kind}`
  const before = await runLoops(subject, loops)
  const checks = await runRegistry(subject)
  const after = await runLoops(subject, loops)
  const ours = { perSecond: checks.perSecond * fetches, cpu: checks.cpu }
  const figures: Figure[] = [
    { bench, name, value: ours.perSecond, unit: 'fetches/s' },
    { bench, name: `${name}, CPU a fetch`, value: cpuMsOf([ours]), unit: 'ms' },
  ]
  for (const [index, loop] of loops.entries()) {
    const rounds = [before[index], after[index]].filter((round) => round !== undefined)
    const bare = rounds.reduce((sum, { perSecond }) => sum + perSecond, 0) / rounds.length
    const told = `${name}, ${bareLoops[loop]}`
    figures.push(
      { bench, name: told, value: bare, unit: 'fetches/s' },
      { bench, name: `${told}, CPU a fetch`, value: cpuMsOf(rounds), unit: 'ms' },
      {
        bench,
        name: `${told}, ratio`,
        value: ours.perSecond / bare,
        unit: '',
        ...(goal && { goal }),
      },
    )
  }
  return figures
}

/** Milliseconds of CPU a fetch. */
function cpuMsOf(rounds: readonly FetchResult[]): number {
  const sum = rounds.reduce((before, { cpu, perSecond }) => before + cpu / perSecond, 0)
  return (sum / rounds.length) * 1_000
}

async function runLoops(subject: Subject, loops: readonly BareLoop[]): Promise<FetchResult[]> {
  const { bare, hostPorts, durationMs } = subject
  const results: FetchResult[] = []
  for (const who of loops) {
    const plan = { who, hostPorts, concurrency, durationMs: durationMs / 2 }
    results.push((await askChild(bare, plan)) as FetchResult)
  }
  return results
}

/**
 * Checks a second of a registry that has a queue of works, once it has warmed up; of a queue that
 * does not last so long, all of them.
 */
async function runRegistry(subject: Subject): Promise<FetchResult> {
  const { dataDir, hostPorts, content, durationMs } = subject
  // Nothing is checked before somebody looks.
  await askChild(content, { answers: false })
  await using cleanup = new AsyncDisposableStack()
  const { child } = await serveRegistry(dataDir, {
    FETCH_CONTENT: 'on',
    FETCH_ALLOW: hostPorts.join(),
    FETCH_CONCURRENCY_MAX: String(concurrency),
    FETCH_HOST_CONCURRENCY_MAX: String(concurrency),
    FETCH_HOST_INTERVAL_MS: '0',
  })
  cleanup.defer(() => child.stop())
  return await withAdminClient(loadConfig({ DATA_DIR: dataDir }), async (client) => {
    let begin = await look(client, child)
    await askChild(content, {})
    let end = begin
    for (let isWarm = false; ; ) {
      await setTimeout(lookMs)
      end = await look(client, child)
      if (end.due === 0) break
      const ms = end.ms - begin.ms
      // On a busy machine even the first check outlasts the time to warm up.
      if (end.verified === begin.verified) continue
      if (isWarm && ms >= durationMs) break
      if (!isWarm && ms >= durationMs / 4) [begin, isWarm] = [end, true]
    }
    await emptyQueue(client)
    const seconds = (end.ms - begin.ms) / 1_000
    const cpu = (end.cpuSeconds - begin.cpuSeconds) / seconds
    return { perSecond: (end.verified - begin.verified) / seconds, cpu }
  })
}

/** How far a registry is, and when. */
async function look(client: AdminClient, { pid }: Child) {
  const { due, outcomes } = (await client.call('/fixity/status', {})).live
  const { verified = 0, ...others } = outcomes
  if (Object.keys(others).length > 0) throw new Error(`checks ended as ${JSON.stringify(others)}`)
  const { cpuSeconds } = await readCounters(pid)
  return { ms: performance.now(), due, verified, cpuSeconds }
}

async function emptyQueue(client: AdminClient): Promise<void> {
  while ((await client.call('/fixity/status', {})).live.due > 0) await setTimeout(100)
}
