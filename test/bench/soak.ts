import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { AttackRequest, AttackResult } from '#test/bench/_attack.ts'
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
import type { Figure } from '#test/bench/_figure.ts'
import { ownBytesOf } from '#test/bench/_own_memory.ts'
import { askChild, readCounters, startNode } from '#test/bench/_process.ts'
import { startRegistry } from '#test/bench/_registry_server.ts'
import { fillTarget } from '#test/bench/_target.ts'
import { runLoad } from '#test/bench/_wrk.ts'
import { freePort } from '#test/_free_port.ts'

const bench = 'soak'
const mebibyte = 1_048_576

/** Connections of those who register, and of those who resolve, one request in flight on each. */
const writers = 8
const readers = 16

/** Bytes of a body that no route takes. */
const oversizedBytes = 60 * mebibyte

/** How often memory is read, how often it is told, and the most that may be held, in MiB. */
const sampleMs = 1_000
const printMs = 60_000
const ownMebibytesMax = 600

/** What was held at one moment, in MiB: the server and its processes, it alone, and its heap. */
type Sample = { readonly all: number; readonly own: number; readonly kinds: Kinds }

/** What the metrics tell of the main thread's heap and of buffers outside it. */
type Kinds = { readonly heap: number; readonly used: number; readonly external: number }

/**
 * Registrations and resolutions all the time, and beside them the worst that strangers and keys may
 * send: prints what memory the server holds, minute by minute, and the most of it.
 */
export async function benchSoak(options: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await newFolder(cleanup)
  const dataDir = path.join(folder, 'data')
  const adminPort = await freePort()
  const settings = { SEARCH: 'on', ADMIN_PORT: String(adminPort) }
  const registry = await startRegistry(dataDir, settings)
  cleanup.defer(() => registry.child.stop())
  const target = await fillTarget(registry, { options, dataDir, folder })
  const pathsFile = path.join(folder, 'paths')
  const paths = target.arks.map((ark) => `/api/v1/resolve/${ark}\n`)
  await writeFile(pathsFile, paths.join(''))
  const durationMs = options.soakMs
  const memory = followMemory(registry.child.pid, adminPort)
  const plan = { port: target.port, headers: target.headers, durationMs }
  const [minted, resolved, attacked] = await Promise.all([
    runLoad({ ...plan, type: 'mint', path: '/v1/works', first: 10_000_000, connections: writers }),
    runLoad({ ...plan, type: 'get', pathsFile, seed: 1, connections: readers }),
    attack(target, durationMs),
  ])
  const most = await memory.stop()
  process.stderr.write(`attackers ${JSON.stringify(attacked)}\n`)
  const answered = minted.requests + resolved.requests
  const asked = answered + minted.failed + resolved.failed
  const figure = (name: string, value: number, unit: string) => ({ bench, name, value, unit })
  return [
    figure('registered', minted.requests, ''),
    figure('resolved', resolved.requests, ''),
    { ...figure('answered', answered / asked, ''), goal: { atLeast: 1 } },
    {
      ...figure('memory of the server, at most', most, 'MiB'),
      goal: { atMost: ownMebibytesMax },
    },
  ]
}

/** Each kind of attack from connections of its own, in one process. */
async function attack(target: Target, durationMs: number): Promise<readonly AttackResult[]> {
  const kinds: readonly (readonly [connections: number, requests: readonly AttackRequest[]])[] = [
    [40, slowReads(target)],
    [4, harvests()],
    [4, worstSearches(target)],
    [4, worstFormats(target)],
    [1, Array.from({ length: 8 }, (_, nth) => bulkRequest(nth, target.headers))],
    [4, malformed(target)],
    [1, oversized(target)],
  ]
  return Promise.all(
    kinds.map(async ([connections, requests]) => {
      const attackers = startNode(new URL('./_attack_process.ts', import.meta.url), [])
      const { port } = target
      const order: AttackOrder = { type: 'requests', port, connections, durationMs, requests }
      try {
        return (await askChild(attackers, order)) as AttackResult
      } finally {
        await attackers.stop()
      }
    }),
  )
}

/** What is refused: JSON that is none, deep, or has a member twice; credentials that are none. */
function malformed({ headers, arks }: Target): AttackRequest[] {
  const json = { ...headers, 'content-type': 'application/json' }
  const bodies = [
    '{"work_title": "A", "work_title": "B"}',
    '['.repeat(100_000),
    `{"work_title": "\\ud800", "authors": ${'"x'.repeat(100_000)}`,
    '\u0000'.repeat(1_000),
    JSON.stringify({ work_title: 'x'.repeat(900_000), nothing: '"'.repeat(10_000) }),
  ]
  const posts = bodies.map((body, nth): AttackRequest => {
    return { method: 'POST', path: '/v1/works', from: nth, headers: json, body }
  })
  const tokens = ['svc_live_wrong', `Bearer ${'x'.repeat(8_000)}`, 'Basic AAAA', '']
  const strangers = tokens.map((token, nth) =>
    get(`/v1/works/${arks[nth]}`, 10 + nth, { headers: { authorization: token } }),
  )
  return [...posts, ...strangers]
}

function oversized({ headers }: Target): AttackRequest[] {
  const json = { ...headers, 'content-type': 'application/json' }
  const body = `{"works":["${'x'.repeat(oversizedBytes)}"]}`
  const post = { method: 'POST', from: 0, headers: json, body } as const
  return [
    { ...post, path: '/v1/works' },
    { ...post, path: '/v1/works/bulk' },
  ]
}

/** Prints a line each minute; `stop` gives the most that was held, in MiB. */
function followMemory(pid: number, adminPort: number) {
  const startMs = performance.now()
  const stopping = new AbortController()
  let most = 0
  let printedMs = startMs
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const sample = await readSample(pid, adminPort)
      most = Math.max(most, sample.all)
      const nowMs = performance.now()
      if (nowMs - printedMs >= printMs || printedMs === startMs) {
        printedMs = nowMs
        print((nowMs - startMs) / 60_000, sample)
      }
      await sleep(sampleMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ended = loop()
  return {
    async stop(): Promise<number> {
      stopping.abort()
      await ended
      return most
    },
  }
}

function print(minutes: number, { all, own, kinds }: Sample): void {
  const { heap, used, external } = kinds
  const numbers = { all, own, heap, used, external }
  const text = Object.entries(numbers).map(([name, value]) => `${name} ${value.toFixed(0)}`)
  process.stderr.write(`${minutes.toFixed(1)} min: ${text.join(', ')} MiB\n`)
}

async function readSample(pid: number, adminPort: number): Promise<Sample> {
  const [all, { ownBytes }, kinds] = await Promise.all([
    ownBytesOf(pid),
    readCounters(pid),
    readKinds(adminPort),
  ])
  return { all: all / mebibyte, own: ownBytes / mebibyte, kinds }
}

async function readKinds(adminPort: number): Promise<Kinds> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`)
  const text = await response.text()
  const read = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / mebibyte
  return {
    heap: read('nodejs_heap_size_total_bytes'),
    used: read('nodejs_heap_size_used_bytes'),
    external: read('nodejs_external_memory_bytes'),
  }
}
