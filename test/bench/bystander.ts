import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as rest } from 'node:timers/promises'

import { configKeys } from '#config/schema.ts'
import type { AttackRequest, AttackResult } from '#test/bench/_attack.ts'
import type { AttackOrder } from '#test/bench/_attack_process.ts'
import type { BenchOptions } from '#test/bench/_bench.ts'
import type { BystanderPlan, BystanderResult } from '#test/bench/_bystander_process.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, readCounters, startNode } from '#test/bench/_process.ts'
import {
  runImport,
  type RegistryServer,
  registerWorks,
  runArklog,
  serveRegistry,
  startRegistry,
} from '#test/bench/_registry_server.ts'
import { createWork } from '#test/bench/_works.ts'

const bench = 'bystander'

const perSecond = 50
/** How long a registry that has just started is left alone: what it runs is compiled meanwhile. */
const settleMs = 10_000

/** How long an attack goes on before the bystander counts, and how often memory is read. */
const leadMs = 1_000
const memoryEveryMs = 100

const p99MsMax = 50
const longestMsMax = 250
const ownBytesMax = 600 * 1_048_576

/** What attackers know: a key, works, and the largest work that can be registered. */
type Target = {
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
  readonly arks: readonly string[]
  readonly largest: string
}

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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-bench-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = path.join(folder, 'data')
  const settings = { SEARCH: 'on', ...defaultLimits() }
  const target = await fill(await startRegistry(dataDir, settings), { options, dataDir, folder })
  const figures: Figure[] = []
  for (const [nth, attack] of attacks.entries()) {
    const { child, port } = await serveRegistry(dataDir, settings)
    try {
      await rest(settleMs)
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

type Filling = {
  readonly options: BenchOptions
  readonly dataDir: string
  readonly folder: string
}

async function fill(registry: RegistryServer, filling: Filling): Promise<Target> {
  const { options, dataDir, folder } = filling
  const scopes = 'works:read,works:write,search:read'
  const args = ['key', 'create', '--owner', 'org:demo', '--scopes', scopes]
  const { key } = (await runArklog(dataDir, args)) as { readonly key: string }
  const headers = { authorization: `Bearer ${key}` }
  const largest = await registerLargest({ ...registry, headers })
  const file = options.importFile ?? (await writeWorks(folder, options.bystanderWorks))
  await runImport(dataDir, file)
  const few = await registerWorks(registry, 200, (nth) => `https://content.example.org/${nth}`)
  await registry.child.stop()
  return { port: registry.port, headers, arks: few, largest }
}

async function writeWorks(folder: string, count: number): Promise<string> {
  const file = path.join(folder, 'works.jsonl')
  const lines = Array.from({ length: count }, (_, n) => `${JSON.stringify(createWork(n))}\n`)
  await writeFile(file, lines.join(''))
  return file
}

/** Registers works of as many authors as can be, until a page of a harvest is full of them. */
async function registerLargest({ port, headers }: RegistryServer): Promise<string> {
  let largest = ''
  for (let nth = 0; nth < 40; nth += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        work_title: `A collaboration of many ${nth}`,
        work_type: 'article',
        authors: Array.from({ length: manyAuthors }, (_, n) => `A. B${n}`).join('; '),
        description: 'measured '.repeat(5_000),
        work_url: `https://content.example.org/collaboration/${nth}`,
      }),
    })
    const body = (await response.json()) as { readonly ark_identifier: string }
    if (response.status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`)
    largest = body.ark_identifier
  }
  return largest
}

const manyAuthors = 19_000

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
    await rest(leadMs)
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

async function ownBytesOf(pid: number): Promise<number> {
  const { ownBytes } = await readCounters(pid)
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
    ),
  )
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number)
  // One of them may have ended meanwhile.
  const theirs = await Promise.all(children.map((child) => ownBytesOf(child).catch(() => 0)))
  return ownBytes + theirs.reduce((sum, bytes) => sum + bytes, 0)
}

function get(target: string, from: number, more: Partial<AttackRequest> = {}): AttackRequest {
  return { method: 'GET', path: target, from, ...more }
}

/** Twenty addresses: so many that no limit per address stops the attack by itself. */
const addresses = 20

function fromAll(requests: (from: number) => readonly AttackRequest[]): AttackRequest[] {
  return Array.from({ length: addresses }, (_, from) => requests(from)).flat()
}

const harvestPath = '/api/v1/oai?verb=ListRecords&metadataPrefix='

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
    order: ({ port, headers, arks, largest }, durationMs) => ({
      type: 'requests',
      port,
      connections: 200,
      durationMs,
      requests: fromAll((from) =>
        [
          get('/v1/changes?limit=1000', from, { headers }),
          get(`${harvestPath}oai_dc`, from),
          get(`${harvestPath}oai_datacite`, from),
          get(`${harvestPath}svc`, from),
          get('/api/v1/oai?verb=ListIdentifiers&metadataPrefix=oai_dc', from),
          get('/v1/search/works?q=the&limit=200', from, { headers }),
          get('/feeds/works.atom', from),
          get('/sitemap.xml', from),
          get('/sitemaps/0.xml', from),
          get('/log/tile/entries/000', from),
          get(`/api/v1/resolve/${largest}`, from),
          get(`/api/v1/resolve/${arks[0]}/history`, from),
          get(`/v1/works/${arks[0]}/versions`, from, { headers }),
        ].map((request) => ({ ...request, isRead: false })),
      ),
    }),
  },
  {
    name: '200 harvests',
    order: ({ port }, durationMs) => ({
      type: 'requests',
      port,
      connections: 200,
      durationMs,
      requests: fromAll((from) => [get(`${harvestPath}oai_datacite`, from)]),
    }),
  },
  {
    name: 'worst searches, 16 connections',
    order: ({ port, headers }, durationMs) => ({
      type: 'requests',
      port,
      connections: 16,
      durationMs,
      requests: worstQueries.map((query, n) =>
        get(`/v1/search/works?${query}`, n % addresses, { headers }),
      ),
    }),
  },
  {
    name: 'worst formats, 16 connections',
    order: ({ port, largest }, durationMs) => ({
      type: 'requests',
      port,
      connections: 16,
      durationMs,
      requests: fromAll((from) => [
        ...workFormats.map((format) =>
          get(`/api/v1/works/${largest}/citation?format=${format}`, from),
        ),
        get(`/api/v1/resolve/${largest}`, from),
        get(`/${largest}`, from, { headers: { accept: 'text/html' } }),
      ]),
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

const workFormats = [
  'datacite-xml',
  'datacite-json',
  'bibtex',
  'ris',
  'csl',
  'dc',
  'jsonld',
  'citation&style=apa',
  'citation&style=chicago',
]

const worstQueries = [
  `q=${'a '.repeat(500)}`,
  `q=${'a '.repeat(500)}&title=${'a '.repeat(500)}&author=${'a '.repeat(500)}`,
  `q=${encodeURIComponent('"of the"')} the of and in for with from&facets=type,language,year`,
  'q=s&facets=type,language,year&sort=title&limit=200',
  'q=the -measure -river -data&limit=200',
  `q=${Array.from({ length: 32 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(' ')}`,
].map((query) => query.replaceAll(' ', '+'))

function bulkRequest(nth: number, headers: Readonly<Record<string, string>>): AttackRequest {
  const description = 'measured and found '.repeat(370)
  const works = Array.from({ length: 1_000 }, (_, n) => ({
    ...createWork(n),
    description,
    work_title: `Bulk ${nth} ${n}`,
    existing_doi: `10.5555/bulk.${nth}.${n}`,
  }))
  return {
    method: 'POST',
    path: '/v1/works/bulk?allow_duplicate=true',
    from: 0,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ works }),
  }
}
