import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { configKeys } from '#config/schema.ts'
import type { AttackResult } from '#test/bench/_attack.ts'
import type { AttackOrder } from '#test/bench/_attack_process.ts'
import {
  bulkRequest,
  get,
  harvests,
  slowReads,
  type Target,
  worstFormats,
  worstSearches,
} from '#test/bench/_attacks.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { BystanderPlan, BystanderResult } from '#test/bench/_bystander_process.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { ownBytesOf } from '#test/bench/_own_memory.ts'
import { askChild, startNode } from '#test/bench/_process.ts'
import { serveRegistry, startRegistry } from '#test/bench/_registry_server.ts'
import { fillTarget } from '#test/bench/_target.ts'

const bench = 'bystander'

const perSecond = 50
/** How long an attack goes on before the bystander counts, and how often memory is read. */
const leadMs = 1_000
const memoryEveryMs = 100

const p99MsMax = 50
const longestMsMax = 250
const ownBytesMax = 600 * 1_048_576

type Attack = {
  readonly name: string
  readonly order: (target: Target, durationMs: number) => AttackOrder
}

/**
 * Resolving at a steady rate, beside each of the attacks that once stopped the registry: each on a
 * registry that was started for it.
 */
export async function benchBystander(options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = path.join(folder, 'data')
  const settings = { SEARCH: 'on', ...defaultLimits() }
  const filled = await startRegistry(dataDir, settings)
  const target = await fillTarget(filled, { options, dataDir, folder })
  await filled.child.stop()
  const figures: Figure[] = []
  for (const [nth, attack] of attacks.slice(0, options.attacksMax).entries()) {
    const { child, port } = await serveRegistry(dataDir, settings)
    try {
      await sleep(options.settleMs)
      const run = { attack, nth, target: { ...target, port }, options }
      figures.push(...(await besideAttack(child.pid, run)))
    } finally {
      await child.stop()
    }
  }
  return figures
}

function defaultLimits(): Record<string, string> {
  const limits = configKeys.filter(({ name }) => name.startsWith('LIMIT_'))
  return Object.fromEntries(limits.map((limit) => [limit.name, String(limit.default)]))
}

async function besideAttack(
  pid: number,
  run: {
    readonly attack: Attack
    readonly nth: number
    readonly target: Target
    readonly options: BenchOptions
  },
): Promise<Figure[]> {
  const { attack, nth, target, options } = run
  const attackers = startNode(new URL('./_attack_process.ts', import.meta.url), [])
  const bystander = startNode(new URL('./_bystander_process.ts', import.meta.url), [])
  try {
    const durationMs = options.roundMs
    const memory = watchMemory(pid)
    const order = attack.order(target, durationMs + 2 * leadMs)
    const attacked = askChild(attackers, order) as Promise<AttackResult>
    await sleep(leadMs)
    const plan: BystanderPlan = {
      port: target.port,
      localAddress: `127.0.200.${nth + 1}`,
      paths: target.arks.map((ark) => `/api/v1/resolve/${ark}`),
      perSecond,
      durationMs,
    }
    const seen = (await askChild(bystander, plan)) as BystanderResult
    const statuses = await attacked
    const ownBytes = memory.stop()
    process.stderr.write(
      `${attack.name}: attackers ${JSON.stringify(statuses)}, ` +
        `bystander ${JSON.stringify(seen.statuses)}\n`,
    )
    return figuresOf(attack.name, seen, ownBytes)
  } finally {
    await attackers.stop()
    await bystander.stop()
  }
}

function figuresOf(name: string, seen: BystanderResult, ownBytes: number): Figure[] {
  const asked = Object.values(seen.statuses).reduce((sum, count) => sum + count, 0)
  const answered = (seen.statuses['200'] ?? 0) / asked
  const atMost = (value: number) => ({ atMost: value })
  return [
    { bench, name: `${name}: p99`, value: seen.p99Ms, unit: 'ms', goal: atMost(p99MsMax) },
    {
      bench,
      name: `${name}: longest`,
      value: seen.longestMs,
      unit: 'ms',
      goal: atMost(longestMsMax),
    },
    { bench, name: `${name}: answered`, value: answered, unit: '', goal: { atLeast: 1 } },
    {
      bench,
      name: `${name}: memory of the server`,
      value: ownBytes / 1_048_576,
      unit: 'MiB',
      goal: atMost(ownBytesMax / 1_048_576),
    },
  ]
}

/**
 * Follows the memory of a process and of those it has started, as far as it is of no mapped file;
 * `stop` gives the most they had together, in bytes.
 */
function watchMemory(pid: number): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    void ownBytesOf(pid).then((bytes) => (most = Math.max(most, bytes)))
  }, memoryEveryMs)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

const attacks: readonly Attack[] = [
  {
    name: 'no attack',
    order: ({ port }, durationMs) => ({
      type: 'requests',
      port,
      connections: 1,
      durationMs,
      requests: [get('/healthz', 0)],
    }),
  },
  {
    name: '200 slow readers',
    order: (target, durationMs) => ({
      type: 'requests',
      port: target.port,
      connections: 200,
      durationMs,
      requests: slowReads(target),
    }),
  },
  {
    name: '200 harvests',
    order: ({ port }, durationMs) => ({
      type: 'requests',
      port,
      connections: 200,
      durationMs,
      requests: harvests(),
    }),
  },
  {
    name: 'worst searches, 16 connections',
    order: (target, durationMs) => ({
      type: 'requests',
      port: target.port,
      connections: 16,
      durationMs,
      requests: worstSearches(target),
    }),
  },
  {
    name: 'worst formats, 16 connections',
    order: (target, durationMs) => ({
      type: 'requests',
      port: target.port,
      connections: 16,
      durationMs,
      requests: worstFormats(target),
    }),
  },
  {
    name: 'the change feed, 16 connections',
    order: ({ port, headers }, durationMs) => ({
      type: 'requests',
      port,
      connections: 16,
      durationMs,
      requests: [get('/v1/changes?limit=1000', 0, { headers })],
    }),
  },
  {
    name: 'bulk of 1,000 × 7.6 kB',
    order: ({ port, headers }, durationMs) => ({
      type: 'requests',
      port,
      connections: 2,
      durationMs,
      requests: Array.from({ length: 8 }, (_, n) => bulkRequest(n, headers)),
    }),
  },
  {
    name: '100 password hashes',
    order: ({ port }) => ({ type: 'sign_ins', port, count: 100 }),
  },
]
