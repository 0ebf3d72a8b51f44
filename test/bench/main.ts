import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

import type { Bench, BenchOptions, FilledStore } from '#test/bench/_bench.ts'
import { type Figure, formatFigures } from '#test/bench/_figure.ts'
import { openFilledStore } from '#test/bench/_filled_store.ts'
import { benchAudit } from '#test/bench/audit.ts'
import { benchBackup } from '#test/bench/backup.ts'
import { benchBystander } from '#test/bench/bystander.ts'
import { benchCluster } from '#test/bench/cluster.ts'
import { benchEntity } from '#test/bench/entity.ts'
import { benchFetch } from '#test/bench/fetch.ts'
import { benchFlood } from '#test/bench/flood.ts'
import { benchFixity } from '#test/bench/fixity.ts'
import { benchGarbage } from '#test/bench/garbage.ts'
import { benchGrown } from '#test/bench/grown.ts'
import { benchHarvest } from '#test/bench/harvest.ts'
import { benchHooks } from '#test/bench/hooks.ts'
import { benchImport } from '#test/bench/import.ts'
import { benchInclusion } from '#test/bench/inclusion.ts'
import { benchMap } from '#test/bench/map.ts'
import { benchMint } from '#test/bench/mint.ts'
import { benchMintFetching } from '#test/bench/mint_fetching.ts'
import { benchMintFull } from '#test/bench/mint_full.ts'
import { benchMintMap } from '#test/bench/mint_map.ts'
import { benchMintWebhooks } from '#test/bench/mint_webhooks.ts'
import { benchOpen } from '#test/bench/open.ts'
import { benchPages } from '#test/bench/pages.ts'
import { benchPeers } from '#test/bench/peers.ts'
import { benchPeople } from '#test/bench/people.ts'
import { benchPermission } from '#test/bench/permission.ts'
import { benchResolve } from '#test/bench/resolve.ts'
import { benchScaling } from '#test/bench/scaling.ts'
import { benchIndexing } from '#test/bench/indexing.ts'
import { benchSoak } from '#test/bench/soak.ts'
import { benchSearch } from '#test/bench/search.ts'
import { benchWebhooks } from '#test/bench/webhooks.ts'
import { benchWitness } from '#test/bench/witness.ts'
import { requireWrk } from '#test/bench/_wrk.ts'

const benches: Readonly<Record<string, Bench>> = {
  entity: benchEntity,
  mint: benchMint,
  import: benchImport,
  resolve: benchResolve,
  garbage: benchGarbage,
  peers: benchPeers,
  inclusion: benchInclusion,
  map: benchMap,
  audit: benchAudit,
  open: benchOpen,
  fetch: benchFetch,
  fixity: benchFixity,
  'mint-full': benchMintFull,
  'mint-fetching': benchMintFetching,
  'mint-map': benchMintMap,
  'mint-webhooks': benchMintWebhooks,
  webhooks: benchWebhooks,
  indexing: benchIndexing,
  search: benchSearch,
  pages: benchPages,
  permission: benchPermission,
  people: benchPeople,
  hooks: benchHooks,
  harvest: benchHarvest,
  bystander: benchBystander,
  flood: benchFlood,
  witness: benchWitness,
  soak: benchSoak,
  scaling: benchScaling,
  backup: benchBackup,
  // It registers works in the filled store, which the others find as it was filled.
  grown: benchGrown,
  cluster: benchCluster,
}

// A load that is busier than this may be what limits the figures.
const loadCpuMax = 0.9

const usage = `npm run bench -- [name…] [--quick] [--json] [--store FOLDER] [--works FILE]

Benches: ${Object.keys(benches).join(', ')}; all of them if none is named.

  --quick         short rounds on a small store: proves that the benches run, measures nothing
  --store FOLDER  a store that test/bench/fill.ts has filled; otherwise one is filled and removed.
                  The bench grown registers works in it
  --works FILE    works for import and pages (JSON lines, plain or gzip) instead of made-up ones
  --people N      how many people the registry has whose memory is measured, 1,000,000 if not told
  --minutes N     how long the soak takes, 30 if not told
  --json          one line of JSON instead of a table

Server and load are processes of their own, and the load is wrk (Debian: apt-get install wrk);
every write is synced. Linux only.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    store: { type: 'string' },
    works: { type: 'string' },
    people: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '30' },
  },
})

/** Runs benches one after another; pushes to `failures` which of them failed, and why. */
async function run(names: readonly string[], failures: string[]): Promise<Figure[]> {
  await requireWrk()
  const folder = values.store ?? path.join(os.tmpdir(), `arklog-bench-store-${process.pid}`)
  let filled: Promise<FilledStore> | undefined
  const options: BenchOptions = {
    rounds: values.quick ? 1 : 5,
    roundMs: values.quick ? 200 : 10_000,
    importWorks: values.quick ? 200 : 200_000,
    importFile: values.works,
    indexedWorks: values.quick ? 500 : 100_000,
    bystanderWorks: values.quick ? 200 : 20_000,
    // What a registry that has just started runs is compiled meanwhile.
    settleMs: values.quick ? 0 : 10_000,
    attacksMax: values.quick ? 2 : Number.POSITIVE_INFINITY,
    people: values.quick ? 100 : Number(values.people),
    webhookOrganizations: values.quick ? 2 : 50,
    webhookRounds: values.quick ? 2 : 6,
    contentBytesMax: values.quick ? 100_000 : 2_000_000,
    checkedWorksMax: values.quick ? 50 : Number.POSITIVE_INFINITY,
    openFetches: values.quick ? 50 : 1_000,
    soakMs: values.quick ? 3_000 : Number(values.minutes) * 60_000,
    filled: () => (filled ??= openFilledStore(folder, values.quick ? 1_000 : 1_000_000)),
  }
  const figures: Figure[] = []
  for (const name of names) {
    process.stderr.write(`bench ${name}\n`)
    // One that fails must not cost the figures of the others.
    try {
      figures.push(...((await benches[name]?.(options)) ?? []))
    } catch (error) {
      failures.push(`bench ${name} failed: ${String(error)}`)
    }
  }
  if (values.store === undefined) await rm(folder, { recursive: true, force: true })
  return figures
}

function describeConditions(): string {
  const [cpu] = os.cpus()
  const loads = os.loadavg().map((load) => load.toFixed(2))
  return [
    `Node ${process.version}, ${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}`,
    `load average at the start ${loads.join(' ')}`,
    'every write synced, limits counted, no log line a request',
  ].join('; ')
}

// A quick run is too short to be held against anything.
function withoutGoal({ goal: _goal, ...figure }: Figure): Figure {
  return figure
}

function loadNotes(figures: readonly Figure[]): string[] {
  return figures
    .filter(({ name, value }) => name.startsWith('CPU of the load') && value > loadCpuMax)
    .map(({ bench, name }) => `${bench}: ${name} was so high that the load may be the limit`)
}

const names = positionals.length > 0 ? positionals : Object.keys(benches)
if (values.help || names.some((name) => benches[name] === undefined)) {
  process.stderr.write(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const conditions = describeConditions()
  const failures: string[] = []
  const measured = await run(names, failures)
  const figures = measured.map((figure) => (values.quick ? withoutGoal(figure) : figure))
  const text = values.json
    ? JSON.stringify({ conditions, figures })
    : `${conditions}\n\n${formatFigures(figures)}`
  process.stdout.write(`${text}\n`)
  for (const note of loadNotes(figures)) process.stderr.write(`NOTE: ${note}\n`)
  // Last, where they are seen below all that the servers have logged.
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
}
