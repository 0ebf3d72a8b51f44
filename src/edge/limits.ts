import type { IncomingMessage } from 'node:http'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Config } from '#config/schema.ts'
import type { WitnessConfig } from '#config/witness.ts'
import { assert } from '#log/base/errors.ts'
import { type Caller, callerName } from '#src/edge/caller.ts'
import { countedAddress } from '#src/edge/client_address.ts'
import { limitExceeded, RefusedClients } from '#src/edge/refused_clients.ts'
import type { HashKey } from '#src/limits/half_sip_hash.ts'
import { WindowStore } from '#src/edge/window_store.ts'
import { nodeControlBytes, NodeCounts, nodeCountsBytes } from '#src/limits/node_counts.ts'
import { bucketBytes } from '#src/limits/window_buckets.ts'
import { ClientHashes, Windows } from '#src/limits/windows.ts'

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
  receipts: { config: 'LIMIT_RECEIPTS', windowMs: minuteMs, per: 'key' },
  verify: { config: 'LIMIT_VERIFY', windowMs: minuteMs, per: 'address' },
  people: { config: 'LIMIT_PEOPLE', windowMs: minuteMs, per: 'key' },
  write_back: { config: 'LIMIT_WRITE_BACK', windowMs: minuteMs, per: 'key' },
  search: { config: 'LIMIT_SEARCH', windowMs: minuteMs, per: 'key' },
  search_page: { config: 'LIMIT_SEARCH_PAGE', windowMs: minuteMs, per: 'address' },
  suggestions: { config: 'LIMIT_SUGGESTIONS', windowMs: minuteMs, per: 'address' },
  changes: { config: 'LIMIT_CHANGES', windowMs: minuteMs, per: 'key' },
  oai: { config: 'LIMIT_OAI', windowMs: minuteMs, per: 'address' },
  log: { config: 'LIMIT_LOG', windowMs: minuteMs, per: 'address' },
  add_checkpoint: { config: 'LIMIT_ADD_CHECKPOINT', windowMs: minuteMs, per: 'address' },
  token: { config: 'LIMIT_TOKEN', windowMs: minuteMs, per: 'application' },
  oauth: { config: 'LIMIT_OAUTH', windowMs: minuteMs, per: 'address' },
  failed_credentials: { config: 'LIMIT_FAILED_CREDENTIALS', windowMs: minuteMs, per: 'address' },
  pages: { config: 'LIMIT_PAGES', windowMs: minuteMs, per: 'address' },
  sign_in: { config: 'LIMIT_SIGN_IN', windowMs: minuteMs, per: 'address' },
  sign_in_account: { config: 'LIMIT_SIGN_IN_ACCOUNT', windowMs: hourMs, per: 'account' },
  sign_up: { config: 'LIMIT_SIGN_UP', windowMs: hourMs, per: 'address' },
  reset: { config: 'LIMIT_RESET', windowMs: hourMs, per: 'address' },
  reset_account: { config: 'LIMIT_RESET', windowMs: hourMs, per: 'account' },
} as const satisfies Record<string, LimitPolicy>

/** The limits that any of our servers has, by their configuration keys. */
type LimitSettings = Config & Pick<WitnessConfig, 'LIMIT_ADD_CHECKPOINT'>
type LimitKey = keyof LimitSettings & `LIMIT_${string}`

type LimitPolicy = {
  readonly config: LimitKey
  readonly windowMs: number
  readonly per: 'key' | 'address' | 'account' | 'application'
}

export type LimitName = keyof typeof limitPolicies

type NamesPer<P extends LimitPolicy['per']> = {
  [N in LimitName]: (typeof limitPolicies)[N]['per'] extends P ? N : never
}[LimitName]

/** Limits that count by key, those by client address, and those by the account a form names. */
export type KeyLimit = NamesPer<'key'>
export type AddressLimit = NamesPer<'address'>
export type AccountLimit = NamesPer<'account'>

declare module 'fastify' {
  interface FastifyRequest {
    /** What the account that a form names is counted by, whether or not there is one. */
    countedAccount?: string
    /** The application that a request names, whether or not it is that one; none if unknown. */
    countedApplication?: string
  }
}

/** Which limits there are; a server has no other than those that its configuration names. */
export type LimitConfig = Pick<Config, 'RATE_LIMITS'> & Partial<Pick<LimitSettings, LimitKey>>

/**
 * What the limits need. `elapsedMs` is a clock that only goes forward, and the same on every thread
 * that counts in the memory; `nowMs` is the time of day.
 */
export type LimitOptions = {
  readonly config: LimitConfig
  /** What servers on several threads count in together; memory of one's own unless told. */
  readonly limitMemory?: LimitMemory
  readonly nowMs: () => number
  readonly elapsedMs: () => number
}

/**
 * Counts the request under a limit and sets the `X-RateLimit-` headers. Beyond the limit it throws
 * HttpError `rate_limit_exceeded`. A limit that is off counts nothing and sets no header.
 */
export type CountRequest = (
  name: LimitName,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>

/** What a limit tells a request of a client that was counted before it came to a route. */
export type LimitReport = Count & {
  readonly name: LimitName
  readonly headers: Readonly<Record<string, string>>
}

/** Counts a call of a client address; undefined if the limit is off. */
export type CountAddress = (name: AddressLimit, ip: string) => LimitReport | undefined

/** Counts a call of a caller; undefined if the limit is off. */
export type CountCaller = (name: KeyLimit, caller: Caller) => LimitReport | undefined

/** The same as `CountRequest`, at once, under the limits that most requests come under. */
export type CountAtOnce = (
  name: KeyLimit | AddressLimit,
  request: FastifyRequest,
  reply: FastifyReply,
) => void

/**
 * What limits are counted in: plain data, which another thread is started with to count in it as
 * well. It takes no room before it is counted in.
 */
export type LimitMemory = {
  readonly hashKey: HashKey
  readonly windows: Readonly<Partial<Record<LimitName, SharedArrayBuffer>>>
  /** Where the notices of writes are counted, one an hour (`registerWriteNotices`). */
  readonly notices: SharedArrayBuffer
  /** What is known of the counts of other nodes; without it, no other node counts. */
  readonly nodes?: NodesMemory
}

/** Everything that is counted in windows: the limits, and the notices. */
export type CountedName = LimitName | 'notices'

/** What each of them has beside its windows where several nodes count, and what all share. */
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
  const windows = limitsOf(config).map((name) => [name, emptyBuckets()] as const)
  return {
    hashKey: [first, last],
    windows: Object.fromEntries(windows),
    notices: emptyBuckets(),
  }
}

/**
 * The same on one of several nodes that count together (`LimitExchange`): by `secret`, which they
 * have in common and nobody else knows, of 8 bytes or more.
 */
export function createNodeLimitMemory(config: LimitConfig, secret: Uint8Array): LimitMemory {
  const view = new DataView(secret.buffer, secret.byteOffset, secret.byteLength)
  const counts = countedNames(config).map(
    (name) => [name, new SharedArrayBuffer(nodeCountsBytes(buckets))] as const,
  )
  return {
    ...createLimitMemory(config),
    hashKey: [view.getInt32(0, true), view.getInt32(4, true)],
    nodes: {
      control: new SharedArrayBuffer(nodeControlBytes),
      counts: Object.fromEntries(counts),
    },
  }
}

/** The limits of a configuration that are on. */
function limitsOf(config: LimitConfig): LimitName[] {
  const names = Object.keys(limitPolicies) as LimitName[]
  return names.filter((name) => maxOf(config, name) !== undefined)
}

/** All that is counted on a server of a configuration. */
export function countedNames(config: LimitConfig): CountedName[] {
  return [...limitsOf(config), 'notices']
}

/** What is known of other nodes' counts; undefined where none count, or a limit is off. */
export function nodeCountsOf(
  config: LimitConfig,
  name: CountedName,
  memory: LimitMemory,
): NodeCounts | undefined {
  if (name === 'notices') return noticeCountsOf(memory)
  const max = maxOf(config, name)
  return max === undefined
    ? undefined
    : countsOf(name, { max, windowMs: limitPolicies[name].windowMs }, memory)
}

/** The same of the notices. */
export function noticeCountsOf(memory: LimitMemory): NodeCounts | undefined {
  return countsOf('notices', { max: 1, windowMs: hourMs }, memory)
}

function countsOf(
  name: CountedName,
  limit: { readonly max: number; readonly windowMs: number },
  { windows, notices, nodes }: LimitMemory,
): NodeCounts | undefined {
  const counts = nodes?.counts[name]
  const memory = name === 'notices' ? notices : windows[name]
  if (nodes === undefined || counts === undefined || memory === undefined) return undefined
  return new NodeCounts({ ...limit, memory, counts, control: nodes.control })
}

function emptyBuckets(): SharedArrayBuffer {
  return new SharedArrayBuffer(buckets * bucketBytes)
}

/** Calls in a window of a limit; undefined if it is off. */
function maxOf(config: LimitConfig, name: LimitName): number | undefined {
  const max = config[limitPolicies[name].config]
  return config.RATE_LIMITS && max !== 'off' ? max : undefined
}

/** What a limit tells a request; `ttl` are the milliseconds until its window ends. */
type Count = {
  readonly max: number
  readonly remaining: number
  readonly ttl: number
  readonly isExceeded: boolean
}

/**
 * The ways to count. `passOn` hands a request that was counted past the framework to its route,
 * which counts it no more under the same limit.
 */
export type Limits = {
  readonly count: CountRequest
  readonly countAtOnce: CountAtOnce
  readonly countAddress: CountAddress
  readonly countCaller: CountCaller
  readonly passOn: (request: IncomingMessage, report: LimitReport) => void
  /** Whether a limit has refused whoever calls from this address, and does so still. */
  readonly isAnyRefused: (ip: () => string) => boolean
  /** What a limit tells a client that it has refused, and refuses still: that is not counted. */
  readonly stillRefused: (name: LimitName, client: LimitedClient) => LimitReport | undefined
  /** What a limit has told a request that it refused. */
  readonly refusedBy: (request: IncomingMessage) => LimitReport | undefined
}

/** What limits count by. */
export type LimitedClient = Pick<FastifyRequest, 'ip' | 'caller'>

/**
 * Registers the limits; the server has no other use of the plugin. It counts what forms and
 * applications ask for: reads and writes are counted without it, for it makes each wait for three
 * promises, which takes longer than all else that is done with a request before it is answered.
 */
export async function registerLimits(
  server: FastifyInstance,
  options: LimitOptions,
): Promise<Limits> {
  const { nowMs, elapsedMs, limitMemory = createLimitMemory(options.config) } = options
  await server.register(rateLimit, { global: false, store: WindowStore })
  const { limiters, formLimiters } = createLimiters(server, { ...options, limitMemory })
  const headersOf = ({ max, remaining, ttl }: Count) => ({
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((nowMs() + ttl) / 1_000)),
  })
  const refusals = new WeakMap<IncomingMessage, LimitReport>()
  const refused = new RefusedClients(elapsedMs)
  const tell = (count: Count, reply: FastifyReply): void => {
    reply.headers(headersOf(count))
    if (count.isExceeded) throw limitExceeded(count.ttl)
  }
  const tellCounted = (limiter: Limiter, count: Count, reply: FastifyReply): void => {
    if (count.isExceeded) {
      const { request } = reply
      const { name } = limiter
      refusals.set(request.raw, { ...count, name, headers: headersOf(count) })
      refused.note(name, limiter.clientOf(request), countedAddress(request.ip), count.ttl)
    }
    tell(count, reply)
  }
  const passedOn = new WeakMap<IncomingMessage, LimitReport>()
  const reportOf = (name: LimitName, client: string): LimitReport | undefined => {
    const limiter = limiters.get(name)
    if (limiter === undefined) return undefined
    const count = countCall(limiter, client)
    return { ...count, name, headers: headersOf(count) }
  }
  return {
    countAddress: (name, ip) => reportOf(name, countedAddress(ip)),
    countCaller: (name, caller) => reportOf(name, callerName(caller)),
    passOn: (request, report) => void passedOn.set(request, report),
    countAtOnce(name, request, reply) {
      const limiter = limiters.get(name)
      if (limiter === undefined) return
      const counted = passedOn.get(request.raw)
      const isCounted = counted?.name === name
      const count = isCounted ? counted : countCall(limiter, limiter.clientOf(request))
      tellCounted(limiter, count, reply)
    },
    isAnyRefused: (ip) => refused.isAnyFrom(() => countedAddress(ip())),
    refusedBy: (request) => refusals.get(request),
    stillRefused(name, client) {
      const limiter = limiters.get(name)
      const ttl = limiter === undefined ? 0 : refused.msLeft(name, limiter.clientOf(client))
      if (limiter === undefined || ttl === 0) return undefined
      const count = { max: limiter.max, remaining: 0, ttl, isExceeded: true }
      return { ...count, name, headers: headersOf(count) }
    },
    async count(name, request, reply) {
      const limiter = limiters.get(name)
      if (limiter !== undefined) {
        return tellCounted(limiter, countCall(limiter, limiter.clientOf(request)), reply)
      }
      const count = await formLimiters.get(name)?.(request)
      if (count !== undefined && !count.isAllowed) tell(count, reply)
    },
  }
}

type FormLimiter = ReturnType<FastifyInstance['createRateLimit']>

/** The limits of a configuration that are on; `formLimiters` are counted by the plugin. */
function createLimiters(
  server: FastifyInstance,
  { config, elapsedMs, limitMemory }: LimitOptions & { readonly limitMemory: LimitMemory },
) {
  const hashes = new ClientHashes(limitMemory.hashKey)
  const limiters = new Map<LimitName, Limiter>()
  const formLimiters = new Map<LimitName, FormLimiter>()
  for (const [name, policy] of Object.entries(limitPolicies) as [LimitName, LimitPolicy][]) {
    const max = maxOf(config, name)
    if (max === undefined) continue
    const memory = limitMemory.windows[name]
    assert(memory !== undefined, `there is memory for the limit ${name}`)
    const { windowMs, per } = policy
    const nodes = nodeCountsOf(config, name, limitMemory)
    const windows = new Windows({ memory, hashes, elapsedMs, ...(nodes && { nodes }) })
    if (per === 'account' || per === 'application') {
      const keyGenerator = keyGenerators[per]
      const limit = { max, timeWindow: windowMs, keyGenerator, windows }
      formLimiters.set(name, server.createRateLimit(limit))
    } else {
      limiters.set(name, { name, windows, clientOf: keyGenerators[per], max, windowMs })
    }
  }
  return { limiters, formLimiters }
}

/** A limit that counts by what `clientOf` says of a request. */
type Limiter = {
  readonly name: LimitName
  readonly windows: Windows
  readonly clientOf: (client: LimitedClient) => string
  readonly max: number
  readonly windowMs: number
}

function countCall({ windows, max, windowMs }: Limiter, client: string): Count {
  const { current, ttl } = windows.count(client, windowMs)
  return { max, remaining: Math.max(0, max - current), ttl, isExceeded: current > max }
}

const keyGenerators = {
  address: ({ ip }: LimitedClient) => countedAddress(ip),
  key: ({ caller }: LimitedClient) => callerName(caller),
  account: accountKey,
  application: applicationKey,
} as const satisfies Record<LimitPolicy['per'], (request: FastifyRequest) => string>

function accountKey({ countedAccount, ip }: FastifyRequest): string {
  return countedAccount ?? countedAddress(ip)
}

// With the address, so that nobody can use up the calls of an application that they only know of.
function applicationKey({ countedApplication, ip }: FastifyRequest): string {
  return `${countedApplication ?? ''} ${countedAddress(ip)}`
}
