import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { createFullWork } from '#test/bench/_full_records.ts'
import { readCounters } from '#test/bench/_process.ts'
import { createWork } from '#test/bench/_works.ts'

/**
 * What to ask for, one request in flight on each keep-alive connection. `mint`: works from number
 * `first` on, plain or full ones. `get`: the paths of a file with one a line, drawn evenly; only
 * its first `pathsMax` lines if given. `flood`: all of them by turns, each connection at rest
 * before a request. `post`: the requests of a file, each once.
 */
export type LoadPlan = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly headers: Readonly<Record<string, string>>
} & (
  | {
      readonly type: 'mint'
      readonly path: string
      readonly first: number
      readonly isFull?: boolean
    }
  | { readonly type: 'get'; readonly pathsFile: string; readonly pathsMax?: number; seed: number }
  | { readonly type: 'flood'; readonly pathsFile: string; readonly waitMs: number }
  | { readonly type: 'post'; readonly postsFile: string }
)

/**
 * What a load run saw. `requests` are those that were answered; `sent` is how many there were at
 * most with those in flight at the end, which the server may have carried out. `refused` are
 * replies with a status of 400 and more, `failed` requests without a reply. `cpu` is the load's own
 * share of one core.
 */
export type LoadResult = {
  readonly requests: number
  readonly sent: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly refused: number
  readonly failed: number
  readonly cpu: number
}

/** Bodies that the load writes its numbers into. */
const bodies = 256

/** A round that is shorter proves that a bench runs: it goes on until enough replies have come. */
const measuredMsMin = 1_000
const shortSecondsMax = 120

/** How often the CPU time of the load is read: it can no more when the load has ended. */
const counterMs = 100

const script = (name: string) => new URL(name, import.meta.url).pathname

/**
 * The loads are wrk, a generator in C that takes a fifth of a core where one in JavaScript takes as
 * much as the server it measures.
 */
export async function requireWrk(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  spawn('wrk', ['-v'], { stdio: 'ignore' }).once('spawn', resolve).once('error', reject)
  await promise.catch(() => {
    throw new Error('the benches need wrk (Debian: apt-get install wrk)')
  })
}

/**
 * Sends requests for a time, whole seconds, and measures every reply. For less than a second, it
 * waits for some replies too, however long a busy machine takes.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-load-'))
  try {
    return await runWrk(plan, await argumentsOf(plan, folder), folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function argumentsOf(plan: LoadPlan, folder: string): Promise<readonly string[]> {
  const headers = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}`)
  if (plan.type === 'get') {
    const { pathsFile, pathsMax = Number.MAX_SAFE_INTEGER, seed } = plan
    return [pathsFile, String(pathsMax), String(seed), ...headers]
  }
  if (plan.type === 'flood') return [plan.pathsFile, String(plan.waitMs), ...headers]
  if (plan.type === 'post') return [plan.postsFile, ...headers]
  const file = path.join(folder, 'bodies')
  const bodyOf = plan.isFull === true ? createFullWork : createWork
  const lines = Array.from({ length: bodies }, (_, n) => JSON.stringify(bodyOf(n, '{n}')))
  await writeFile(file, `${lines.join('\n')}\n`)
  return [plan.path, String(plan.first), file, ...headers]
}

async function runWrk(
  { type, port, connections, durationMs }: LoadPlan,
  args: readonly string[],
  folder: string,
): Promise<LoadResult> {
  // wrk takes one script.
  const joined = path.join(folder, 'load.lua')
  const isShort = durationMs < measuredMsMin
  const names = ['report', type, ...(isShort ? ['enough'] : [])]
  const parts = names.map((name) => script(`load_${name}.lua`))
  await writeFile(joined, parts.map((part) => `dofile("${part}")\n`).join(''))
  const seconds = isShort ? shortSecondsMax : Math.round(durationMs / 1_000)
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '60s', '-s', joined]
  const child = spawn('wrk', [...options, `http://127.0.0.1:${port}`, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const startMs = performance.now()
  let cpu = 0
  const reading = setInterval(() => {
    const elapsedMs = performance.now() - startMs
    readCounters(child.pid ?? 0).then(
      ({ cpuSeconds }) => (cpu = (cpuSeconds * 1_000) / elapsedMs),
      // It has ended.
      () => undefined,
    )
  }, counterMs)
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += String(chunk)
    if (!printed.includes('enough\n')) return
    // It ends with its report when it is interrupted.
    const leftMs = Math.max(0, durationMs - (performance.now() - startMs))
    setTimeout(() => child.kill('SIGINT'), leftMs)
  })
  await once(child, 'close')
  clearInterval(reading)
  const report = readReport(printed)
  return { ...report, sent: report.requests + connections, cpu }
}

type Report = {
  readonly requests: number
  readonly durationUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly maxUs: number
  readonly refused: number
  readonly failed: number
}

function readReport(printed: string): Omit<LoadResult, 'cpu' | 'sent'> {
  const line = /^\{.*\}$/m.exec(printed)?.[0]
  if (line === undefined) throw new Error(`wrk printed no report: ${printed}`)
  const { requests, durationUs, p50Us, p99Us, maxUs, refused, failed } = JSON.parse(line) as Report
  const seconds = durationUs / 1e6
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    p50Ms: p50Us / 1_000,
    p99Ms: p99Us / 1_000,
    maxMs: maxUs / 1_000,
    refused,
    failed,
  }
}
