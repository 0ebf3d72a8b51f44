import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { configKeys } from '#config/schema.ts'
import { tileWidth } from '#log/tlog/tile.ts'
import { type BenchOptions, newFolder } from '#test/bench/_bench.ts'
import type { BystanderPlan, BystanderResult } from '#test/bench/_bystander_process.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, type Child, startNode } from '#test/bench/_process.ts'
import {
  registerWorks,
  createKey,
  runImport,
  serveRegistry,
  startRegistry,
} from '#test/bench/_registry_server.ts'
import { writeWorks } from '#test/bench/_target.ts'
import { runLoad } from '#test/bench/_wrk.ts'

const bench = 'flood'
const perSecond = 20
/** How long a round is at most: 200 requests, of which two are beyond the 99th of a hundred. */
const roundMsMax = 10_000
const settleMsMax = 2_000

/** Of quiet, unless it is less than so many milliseconds in itself. */
const quietRatioMax = 5
const p99MsMax = 40
const longestMsMax = 400

/** Requests of one address: paths that are asked for by turns, over so many connections. */
type Flood = {
  readonly name: string
  readonly paths: readonly string[]
  readonly connections: readonly number[]
  /** How long each connection rests before a request. */
  readonly waitMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Where the floods go: a registry that is started anew for each of them, with limits unused. */
type Flooded = {
  readonly dataDir: string
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
  readonly resolved: readonly string[]
  readonly roundMs: number
  readonly settleMs: number
}

/**
 * Resolving at a steady rate, each time over a connection of its own, while one other address asks
 * for all that it is let have, and more, from the first moment on; beside the same on a quiet
 * registry.
 */
export async function benchFlood(options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = path.join(folder, 'data')
  const limits = configKeys.filter(({ name }) => name.startsWith('LIMIT_'))
  const defaults = limits.map((limit) => [limit.name, String(limit.default)])
  const settings = { SEARCH: 'on', ...Object.fromEntries(defaults) }
  const { works, arks, headers } = await fill(dataDir, { options, folder, settings })
  const flooded = {
    dataDir,
    folder,
    settings,
    resolved: arks.map((ark) => `/api/v1/resolve/${ark}`),
    roundMs: Math.min(options.roundMs, roundMsMax),
    settleMs: Math.min(options.settleMs, settleMsMax),
  }
  const bystander = startNode(new URL('./_bystander_process.ts', import.meta.url), [])
  cleanup.defer(() => bystander.stop())
  const figures: Figure[] = []
  const all = floods(works, arks, headers).slice(0, options.attacksMax)
  for (const [nth, flood] of all.entries()) {
    figures.push(...(await besideFlood(flood, { ...flooded, bystander, nth })))
  }
  return figures
}

type Filling = Pick<Flooded, 'folder' | 'settings'> & { readonly options: BenchOptions }

async function fill(dataDir: string, { options, folder, settings }: Filling) {
  const registry = await startRegistry(dataDir, settings)
  const scopes = ['works:read', 'works:write', 'search:read', 'people:read']
  const headers = await createKey(dataDir, scopes)
  const file = options.importFile ?? (await writeWorks(folder, options.bystanderWorks))
  const { registered } = await runImport(dataDir, file)
  const urlOf = (nth: number) => `https://content.example.org/${nth}`
  const arks = await registerWorks({ ...registry, headers }, 200, urlOf)
  await registry.child.stop()
  return { works: registered, arks, headers }
}

async function besideFlood(
  flood: Flood,
  flooded: Flooded & { readonly bystander: Child; readonly nth: number },
): Promise<Figure[]> {
  const { dataDir, settings, folder, roundMs, settleMs, bystander, nth, resolved } = flooded
  const { child, port } = await serveRegistry(dataDir, settings)
  try {
    await sleep(settleMs)
    let rounds = 0
    const resolve = () => {
      rounds += 1
      const localAddress = `127.0.${201 + nth}.${rounds}`
      const plan: BystanderPlan = {
        port,
        localAddress,
        paths: resolved,
        perSecond,
        durationMs: roundMs,
        isFresh: true,
      }
      return askChild(bystander, plan) as Promise<BystanderResult>
    }
    const pathsFile = path.join(folder, 'paths')
    await writeFile(pathsFile, `${flood.paths.join('\n')}\n`)
    const { headers = {}, waitMs = 0 } = flood
    // What is not compiled yet is no part of quiet.
    await resolve()
    const quiet = await resolve()
    const figures = quietFigures(flood.name, quiet)
    for (const connections of flood.connections) {
      const load = { port, connections, durationMs: roundMs, headers, pathsFile, waitMs }
      const flooding = runLoad({ ...load, type: 'flood' })
      const seen = await resolve()
      const { perSecond: rate, requests, refused } = await flooding
      const name = `${flood.name}, ${connections} connections`
      const share = Math.round((100 * refused) / Math.max(1, requests))
      process.stderr.write(`${name}: ${Math.round(rate)}/s, ${share} % of them refused\n`)
      figures.push(...figuresOf(name, seen, quiet))
    }
    return figures
  } finally {
    await child.stop()
  }
}

function quietFigures(name: string, { p99Ms }: BystanderResult): Figure[] {
  return [{ bench, name: `before ${name}: p99`, value: p99Ms, unit: 'ms' }]
}

function figuresOf(name: string, seen: BystanderResult, quiet: BystanderResult): Figure[] {
  const asked = Object.values(seen.statuses).reduce((sum, count) => sum + count, 0)
  const p99Goal = { atMost: Math.max(p99MsMax, quietRatioMax * quiet.p99Ms) }
  const answered = (seen.statuses['200'] ?? 0) / asked
  return [
    { bench, name: `${name}: p99`, value: seen.p99Ms, unit: 'ms', goal: p99Goal },
    { bench, name: `${name}: p99 of quiet`, value: seen.p99Ms / quiet.p99Ms, unit: '×' },
    {
      bench,
      name: `${name}: longest`,
      value: seen.longestMs,
      unit: 'ms',
      goal: { atMost: longestMsMax },
    },
    { bench, name: `${name}: answered`, value: answered, unit: '', goal: { atLeast: 1 } },
  ]
}

/** The most first: they find the limits unused. */
const kept = [500, 50, 16]

function floods(
  works: number,
  arks: readonly string[],
  headers: Readonly<Record<string, string>>,
): Flood[] {
  const full = Math.max(1, Math.min(999, Math.floor(works / tileWidth)))
  const numbers = Array.from({ length: full }, (_, n) => String(n).padStart(3, '0'))
  const open = (name: string, paths: readonly string[]) => ({ name, paths, connections: kept })
  const keyed = (name: string, target: string) => ({ ...open(name, [target]), headers })
  const resolved = arks.map((ark) => `/api/v1/resolve/${ark}`)
  return [
    open(
      'bundles',
      numbers.map((number) => `/log/tile/entries/${number}`),
    ),
    open(
      'tiles',
      numbers.map((number) => `/log/tile/0/${number}`),
    ),
    open('checkpoints', ['/v1/log/checkpoints?limit=1000']),
    open('the description', ['/openapi.json']),
    keyed('versions', `/v1/works/${arks[0]}/versions`),
    keyed('changes', '/v1/changes?limit=1000'),
    keyed('works found', '/v1/search/works?q=the&limit=200'),
    keyed('people found', '/v1/search/people?q=a'),
    keyed('organizations found', '/v1/search/organizations?q=a'),
    keyed('works of an organization', '/v1/organizations/demo/works?limit=200'),
    { name: 'refused, 1,700/s', paths: resolved, connections: [50], waitMs: 29 },
    {
      name: 'fresh connections, 500/s',
      paths: resolved,
      connections: [50],
      waitMs: 100,
      headers: { connection: 'close' },
    },
  ]
}
