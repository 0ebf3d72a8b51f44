import type { Config } from '#config/schema.ts'
import type { WitnessConfig } from '#config/witness.ts'
import { assert } from '#log/tlog/errors.ts'
import type { HashKey } from '#src/edge/limits/half_sip_hash.ts'
import {
  bucketBytes,
  ClientHashes,
  nodeControlBytes,
  NodeCounts,
  nodeCountsBytes,
  Windows,
} from '#src/edge/limits/windows.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The limits: the configuration key of each, its window, and whether it counts by key, by client
 * address, by account or by application. Routes that are spellings of one another name the same
 * limit, and so share its counts.
 */
export const limitPolicies = {
  resolve: { config: 'LIMIT_RESOLVE', windowMs: hourMs, per: 'address' },
  public_read: { config: 'LIMIT_PUBLIC_READ', windowMs: hourMs, per: 'address' },
  works_read: { config: 'LIMIT_WORKS_READ', windowMs: minuteMs, per: 'key' },
  works_create: { config: 'LIMIT_WORKS_CREATE', windowMs: minuteMs, per: 'key' },
  works_update: { config: 'LIMIT_WORKS_UPDATE', windowMs: minuteMs, per: 'key' },
  works_version: { config: 'LIMIT_WORKS_VERSION', windowMs: minuteMs, per: 'key' },
  works_withdraw: { config: 'LIMIT_WORKS_WITHDRAW', windowMs: minuteMs, per: 'key' },
  works_bulk: { config: 'LIMIT_WORKS_BULK', windowMs: minuteMs, per: 'key' },
  bulk_works: { config: 'LIMIT_BULK_WORKS', windowMs: minuteMs, per: 'key' },
  receipts: { config: 'LIMIT_RECEIPTS', windowMs: minuteMs, per: 'key' },
  verify: { config: 'LIMIT_VERIFY', windowMs: minuteMs, per: 'address' },
  people: { config: 'LIMIT_PEOPLE', windowMs: minuteMs, per: 'key' },
  write_back: { config: 'LIMIT_WRITE_BACK', windowMs: minuteMs, per: 'key' },
  search: { config: 'LIMIT_SEARCH', windowMs: minuteMs, per: 'key' },
  search_page: { config: 'LIMIT_SEARCH_PAGE', windowMs: minuteMs, per: 'address' },
  suggestions: { config: 'LIMIT_SUGGESTIONS', windowMs: minuteMs, per: 'address' },
  changes: { config: 'LIMIT_CHANGES', windowMs: minuteMs, per: 'key' },
  // Harvesters know 503 (OAI-PMH 2.0, section 3.1.2.2).
  oai: { config: 'LIMIT_OAI', windowMs: minuteMs, per: 'address', refusal: 'unavailable' },
  log: { config: 'LIMIT_LOG', windowMs: minuteMs, per: 'address' },
  add_checkpoint: { config: 'LIMIT_ADD_CHECKPOINT', windowMs: minuteMs, per: 'address' },
  token: { config: 'LIMIT_TOKEN', windowMs: minuteMs, per: 'application' },
  oauth: { config: 'LIMIT_OAUTH', windowMs: minuteMs, per: 'address' },
  failed_credentials: { config: 'LIMIT_FAILED_CREDENTIALS', windowMs: minuteMs, per: 'address' },
  pages: { config: 'LIMIT_PAGES', windowMs: minuteMs, per: 'address' },
  reports: { config: 'LIMIT_REPORTS', windowMs: hourMs, per: 'address' },
  sign_in: { config: 'LIMIT_SIGN_IN', windowMs: minuteMs, per: 'address' },
  sign_in_account: { config: 'LIMIT_SIGN_IN_ACCOUNT', windowMs: hourMs, per: 'account' },
  sign_up: { config: 'LIMIT_SIGN_UP', windowMs: hourMs, per: 'address' },
  reset: { config: 'LIMIT_RESET', windowMs: hourMs, per: 'address' },
  reset_account: { config: 'LIMIT_RESET', windowMs: hourMs, per: 'account' },
} as const satisfies Record<string, LimitPolicy>

/** The limits that any of our servers has, by their configuration keys. */
type LimitSettings = Config & Pick<WitnessConfig, 'LIMIT_ADD_CHECKPOINT'>
type LimitKey = keyof LimitSettings & `LIMIT_${string}`

export type LimitPolicy = {
  readonly config: LimitKey
  readonly windowMs: number
  readonly per: 'key' | 'address' | 'account' | 'application'
  /** The code of its refusals; `rate_limit_exceeded` by default. */
  readonly refusal?: 'unavailable'
}

export type LimitName = keyof typeof limitPolicies

type NamesPer<P extends LimitPolicy['per']> = {
  [N in LimitName]: (typeof limitPolicies)[N]['per'] extends P ? N : never
}[LimitName]

/** Limits that count by key, those by client address, and those by the account a form names. */
export type KeyLimit = NamesPer<'key'>
export type AddressLimit = NamesPer<'address'>
export type AccountLimit = NamesPer<'account'>

/** Which limits there are; a server has no other than those that its configuration names. */
export type LimitConfig = Pick<Config, 'RATE_LIMITS'> & Partial<Pick<LimitSettings, LimitKey>>

/** Everything that is counted in windows: the limits, and the notices of writes, one an hour. */
export type CountedName = LimitName | 'notices'

/**
 * What limits are counted in: plain data, which another thread is started with to count in it as
 * well. It takes no room before it is counted in.
 */
export type LimitMemory = {
  readonly hashKey: HashKey
  readonly windows: Readonly<Partial<Record<CountedName, SharedArrayBuffer>>>
  /** What is known of the counts of other nodes; without it, no other node counts. */
  readonly nodes?: NodesMemory
}

/** What each count has beside its windows where several nodes count, and what all share. */
export type NodesMemory = {
  readonly control: SharedArrayBuffer
  readonly counts: Readonly<Partial<Record<CountedName, SharedArrayBuffer>>>
}

/**
 * So many that of 50,000 clients under one limit none is forgotten: 25 of them come to the bucket
 * of another by a chance of one in a hundred million. All of it is 4 MB a limit.
 */
const buckets = 8_192

/** The memory of the limits of a configuration, empty, with a key that nobody knows. */
export function createLimitMemory(config: LimitConfig): LimitMemory {
  const [first = 0, last = 0] = crypto.getRandomValues(new Int32Array(2))
  return { hashKey: [first, last], windows: memoryOf(config, buckets * bucketBytes) }
}

/**
 * The same on one of several nodes that count together (`LimitExchange`): by `secret`, which they
 * have in common and nobody else knows, of 8 bytes or more.
 */
export function createNodeLimitMemory(config: LimitConfig, secret: Uint8Array): LimitMemory {
  const view = new DataView(secret.buffer, secret.byteOffset, secret.byteLength)
  return {
    hashKey: [view.getInt32(0, true), view.getInt32(4, true)],
    windows: memoryOf(config, buckets * bucketBytes),
    nodes: {
      control: new SharedArrayBuffer(nodeControlBytes),
      counts: memoryOf(config, nodeCountsBytes(buckets)),
    },
  }
}

function memoryOf(config: LimitConfig, bytes: number): LimitMemory['windows'] {
  return Object.fromEntries(
    countedNames(config).map((name) => [name, new SharedArrayBuffer(bytes)] as const),
  )
}

/** All that is counted on a server of a configuration. */
export function countedNames(config: LimitConfig): CountedName[] {
  const names = Object.keys(limitPolicies) as LimitName[]
  return [...names.filter((name) => maxOf(config, name) !== undefined), 'notices']
}

/** Calls in a window of a limit; undefined if it is off. */
function maxOf(config: LimitConfig, name: CountedName): number | undefined {
  if (name === 'notices') return 1
  const max = config[limitPolicies[name].config]
  return config.RATE_LIMITS && max !== 'off' ? max : undefined
}

function windowMsOf(name: CountedName): number {
  return name === 'notices' ? hourMs : limitPolicies[name].windowMs
}

/** What is known of other nodes' counts; undefined where none count, or a limit is off. */
export function nodeCountsOf(
  config: LimitConfig,
  name: CountedName,
  { windows, nodes }: LimitMemory,
): NodeCounts | undefined {
  const [max, memory, counts] = [maxOf(config, name), windows[name], nodes?.counts[name]]
  if (max === undefined || memory === undefined) return undefined
  if (nodes === undefined || counts === undefined) return undefined
  return new NodeCounts({ max, windowMs: windowMsOf(name), memory, counts, control: nodes.control })
}

/** What a limit tells a client; `ttl` are the milliseconds until its window ends. */
export type Count = {
  readonly name: CountedName
  readonly max: number
  readonly remaining: number
  readonly ttl: number
  readonly isExceeded: boolean
}

/**
 * What is counted by. `elapsedMs` is a clock that only goes forward, and the same on every thread
 * that counts in the memory.
 */
export type LimiterOptions = {
  readonly config: LimitConfig
  readonly limitMemory: LimitMemory
  readonly elapsedMs: () => number
}

/** Counts the calls of clients under one limit. */
export class Limiter {
  readonly #name: CountedName
  readonly #windows: Windows
  readonly #windowMs: number
  readonly max: number

  /** `hashes` are by the key of the memory. */
  constructor(
    name: CountedName,
    { config, limitMemory, elapsedMs }: LimiterOptions,
    hashes: ClientHashes = new ClientHashes(limitMemory.hashKey),
  ) {
    const [max, memory] = [maxOf(config, name), limitMemory.windows[name]]
    assert(max !== undefined && memory !== undefined, `there is memory for the limit ${name}`)
    const nodes = nodeCountsOf(config, name, limitMemory)
    this.#name = name
    this.#windows = new Windows({ memory, hashes, elapsedMs, ...(nodes && { nodes }) })
    this.#windowMs = windowMsOf(name)
    this.max = max
  }

  /** Counts calls of a client, which any text names. */
  count(client: string, calls = 1): Count {
    const { current, ttl } = this.#windows.count(client, this.#windowMs, calls)
    return this.#report(current, ttl)
  }

  /** What it tells a client that it has refused, and refuses for so many milliseconds more. */
  refused(ttl: number): Count {
    return this.#report(this.max + 1, ttl)
  }

  #report(current: number, ttl: number): Count {
    const { max } = this
    const remaining = Math.max(0, max - current)
    return { name: this.#name, max, remaining, ttl, isExceeded: current > max }
  }
}

/** The limits of a configuration that are on. */
export function openLimiters(options: LimiterOptions): ReadonlyMap<CountedName, Limiter> {
  const hashes = new ClientHashes(options.limitMemory.hashKey)
  const names = countedNames(options.config)
  return new Map(names.map((name) => [name, new Limiter(name, options, hashes)]))
}

/** Clients that are remembered, and the addresses they come from. */
const refusedMax = 4_096

/** Which clients the limits have refused, and until when. */
export class RefusedClients {
  readonly #elapsedMs: () => number
  readonly #untilMs = new Map<string, number>()
  readonly #addresses = new Map<string, number>()

  /** `elapsedMs` is a clock that only goes forward. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Notes that a limit refuses a client, which came from this address, for so long. */
  note(limit: CountedName, client: string, address: string, ms: number): void {
    // A client that is forgotten is refused by its limit again, which costs more and is the same.
    if (this.#untilMs.size >= refusedMax) this.#untilMs.clear()
    if (this.#addresses.size >= refusedMax) this.#addresses.clear()
    const untilMs = this.#elapsedMs() + ms
    this.#untilMs.set(`${limit} ${client}`, untilMs)
    const known = this.#addresses.get(address) ?? 0
    this.#addresses.set(address, Math.max(known, untilMs))
  }

  /** Whether any limit refuses any client from this address. */
  isAnyFrom(address: () => string): boolean {
    return this.#addresses.size > 0 && this.#msLeft(this.#addresses, address()) > 0
  }

  /** Milliseconds for which a limit still refuses a client; 0 if it does not. */
  msLeft(limit: CountedName, client: string): number {
    return this.#msLeft(this.#untilMs, `${limit} ${client}`)
  }

  #msLeft(times: Map<string, number>, name: string): number {
    const untilMs = times.get(name)
    if (untilMs === undefined) return 0
    const ms = untilMs - this.#elapsedMs()
    if (ms <= 0) times.delete(name)
    return Math.max(0, ms)
  }
}
