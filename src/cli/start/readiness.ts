import { statfs } from 'node:fs/promises'

import type { Environment, EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type { DamageStatus } from '#log/store/damage.ts'
import type { ClusterNode, ClusterStatus } from '#src/cluster/node.ts'
import type { SearchService } from '#src/discovery/search/search_service.ts'
import type { Check } from '#src/edge/metrics.ts'
import type { CountedRows } from '#src/identity/store/counted_rows.ts'
import type { RegistryReadiness } from '#src/operations/operations.ts'
import type { CosignatureCollector } from '#src/tlog_tools/cosigning/collector.ts'

/** How long writes may wait for a commit before the registry no longer counts as ready. */
const commitAgeMaxMs = 60_000

/** How long an index may be behind the registry before that is said. */
const indexAgeMaxSeconds = 10

/** What readiness is read from. */
export type ReadinessSources = {
  readonly config: {
    readonly DATA_DIR: string
    readonly DISK_RESERVE_BYTES: number
    readonly FETCH_CONTENT: boolean
    readonly FETCH_ALLOW: readonly unknown[]
    readonly EGRESS_PROXY?: string
  }
  readonly environments: Environments
  /** The rows of accounts and keys. */
  readonly identity?: Pick<CountedRows, 'failure'>
  readonly search?: Readonly<Record<EnvironmentName, SearchService>>
  /** What collects the cosignatures of the live log, if it has witnesses. */
  readonly collector?: Pick<CosignatureCollector, 'cosigned' | 'links' | 'canReachQuorum'>
  /** The node of a cluster that runs the registry, if it is one. */
  readonly cluster?: Pick<ClusterNode, 'status'>
  readonly nowMs: () => number
}

/**
 * Whether the stores can be read, the disk has room, the clock is believed, what waits for a commit
 * gets one, and accounts and keys can be changed. It also tells what is unusual about fetching,
 * what of the stores is damaged, when search is behind, how the map of the log is doing and which
 * witnesses do not sign, which makes no registry unready: all the rest is as it should be.
 */
export async function readReadiness(sources: ReadinessSources): Promise<RegistryReadiness> {
  const { live, sandbox } = sources.environments
  const checks = {
    disk: await checkDisk(sources.config.DATA_DIR, sources.config.DISK_RESERVE_BYTES),
    live: checkEnvironment(live, sources.nowMs()),
    sandbox: checkEnvironment(sandbox, sources.nowMs()),
    clock: checkClock(live, sandbox),
    ...(sources.identity && { identity: checkIdentity(sources.identity) }),
    fetching: describeFetching(sources.config),
    ...(sources.search && { search: describeSearch(sources.search.live) }),
    ...describeMap(live),
    ...(sources.collector && { witnesses: describeWitnesses(sources.collector) }),
  }
  const node = sources.cluster?.status('live')
  const all = { ...checks, ...(node && { cluster: checkNode(node) }) }
  return { ready: Object.values(all).every(({ ok }) => ok), checks: all, ...(node && { node }) }
}

function checkIdentity({ failure }: NonNullable<ReadinessSources['identity']>): Check {
  return failure === undefined ? { ok: true } : { ok: false, problem: failure.message }
}

function checkNode({ connected, leader, impediments }: ClusterStatus): Check {
  if (impediments.length > 0) return { ok: false, problem: impediments.join(' ') }
  if (!connected) return { ok: false, problem: 'this node has lost contact with the cluster' }
  if (leader === null) return { ok: false, problem: 'no node leads the cluster' }
  return { ok: true, leader }
}

function describeFetching({
  FETCH_CONTENT,
  FETCH_ALLOW,
  EGRESS_PROXY,
}: ReadinessSources['config']): Check {
  return {
    ok: true,
    enabled: FETCH_CONTENT,
    private_hosts_allowed: FETCH_ALLOW.length,
    via_proxy: EGRESS_PROXY !== undefined,
  }
}

// An index that is behind is found by what it says, and is no reason to answer nothing at all.
function describeSearch(search: SearchService): Check {
  const indexes = search.status().indexes.map(({ engine, behind, behindMs, rebuilding }) => {
    const behind_seconds = Math.round(behindMs / 1_000)
    return { engine, behind_events: behind, behind_seconds, rebuilding: rebuilding !== undefined }
  })
  const late = indexes.filter(({ behind_seconds }) => behind_seconds > indexAgeMaxSeconds)
  if (late.length === 0) return { ok: true, indexes }
  const names = late.map(({ engine }) => engine).join(', ')
  return { ok: true, problem: `the search index is behind: ${names}`, indexes }
}

// The registry does its work without its map, which proves nothing until somebody has looked.
function describeMap(environment: Environment): { readonly map?: Check } {
  const { map } = environment.status()
  if (map === undefined) return {}
  const { state, covers: entries, keys: arks } = map
  const problem = 'the log has a map leaf that does not follow from its entries: nothing is proven'
  return { map: { ok: true, ...(state === 'failed' && { problem }), state, entries, arks } }
}

// The registry does its work without witnesses: what is new is proven by the log alone until then.
function describeWitnesses({
  cosigned,
  links,
  canReachQuorum,
}: NonNullable<ReadinessSources['collector']>): Check {
  const witnessed_tree_size = cosigned.witnessed?.treeSize ?? 0
  const aside = links.filter(({ facts }) => facts.isSetAside).map(({ facts }) => facts.name)
  const told = { witnessed_tree_size, ...(aside.length > 0 && { set_aside: aside }) }
  const silent = links.flatMap(({ facts: { name, problem } }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )
  if (silent.length === 0) return { ok: true, ...told }
  const unreached = canReachQuorum
    ? []
    : ['without those set aside the quorum cannot be reached, so nothing new is witnessed']
  const problem = ['witnesses do not cosign: ' + silent.join('; '), ...unreached].join('; ')
  return { ok: true, problem, ...told }
}

async function checkDisk(dataDir: string, reserveBytes: number): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir)
  const free_bytes = bavail * bsize
  if (free_bytes >= reserveBytes) return { ok: true, free_bytes }
  return { ok: false, problem: `less than ${reserveBytes} bytes are free`, free_bytes }
}

function checkEnvironment(environment: Environment, nowMs: number): Check {
  const { healthy, problem, damage, treeSize, signedAtMs, pooled } = environment.status()
  const facts = { tree_size: treeSize, head_age_seconds: Math.round((nowMs - signedAtMs) / 1_000) }
  if (!healthy) return { ok: false, problem: problem ?? 'it accepts no writes', ...facts }
  if (pooled > 0 && nowMs - signedAtMs > commitAgeMaxMs) {
    return { ok: false, problem: 'writes wait for a commit that does not come', ...facts }
  }
  return probeStore(environment) ?? { ok: true, ...describeDamage(damage), ...facts }
}

/** Where the log is ahead of the clock, by an operator's word, it says until when. */
function checkClock(...environments: readonly Environment[]): Check {
  const all = environments.map((environment) => environment.clock.status())
  const problems = new Set(all.flatMap(({ problem }) => problem ?? []))
  const aheadMs = Math.max(...all.map(({ logAheadMs }) => logAheadMs))
  const log_ahead_seconds = Math.round(aheadMs / 1_000)
  if (problems.size === 0) return { ok: true, log_ahead_seconds }
  return { ok: false, problem: [...problems].join(' '), log_ahead_seconds }
}

function describeDamage({ found, first }: DamageStatus): Pick<Check, 'problem'> {
  if (first === undefined) return {}
  return { problem: found === 1 ? first : `${first} (and ${found - 1} more like it)` }
}

/** Reads a row that does not exist: the store answers, or says why it cannot. */
function probeStore(environment: Environment): Check | undefined {
  try {
    environment.catalogue.state(`${environment.naan}/probe`)
    return undefined
  } catch (error) {
    return { ok: false, problem: `its store cannot be read: ${(error as Error).message}` }
  }
}
