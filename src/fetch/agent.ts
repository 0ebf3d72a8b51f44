import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'

import { specialBlockList } from '#src/fetch/address_rule.ts'
import { checkedLookup, type HostLookup } from '#src/fetch/checked_lookup.ts'

/** What the connections of a fetch are bound by; times in milliseconds, sizes in bytes. */
export type ConnectionLimits = {
  readonly connectMs: number
  readonly headersMs: number
  readonly bodyIdleMs: number
  readonly headerBytesMax: number
}

/** Who is connected to, and how. */
export type AgentOptions = {
  readonly limits: ConnectionLimits
  readonly lookup: HostLookup
  /** An HTTP proxy that makes all connections but those to named hosts. */
  readonly egressProxy: string | undefined
}

/** Connections, kept for some seconds: to anyone public, and to hosts of the allow list. */
export type Agents = {
  /** For addresses that are not named: nothing it connects to is private. */
  readonly guarded: Dispatcher
  /** For addresses that the allow list names: connects to whatever the system resolves. */
  readonly open: Dispatcher
  /** Ends every connection, whatever is under way. */
  destroy(): Promise<void>
}

/** How long an idle connection is kept, whatever its server offers. */
const keptIdleMs = 4_000

/** How long one of several addresses of a host is tried before the next is tried beside it. */
const attemptMs = 1_250

const blockList = specialBlockList()

/** New agents, without any connection yet. No proxy of the environment has a say in them. */
export function createAgents({ limits, lookup, egressProxy }: AgentOptions): Agents {
  const checked = { lookup: checkedLookup(lookup), blockList }
  const guarded =
    egressProxy === undefined
      ? new Agent({ ...clientOptions(limits), connect: connectOptions(limits, checked) })
      : createProxyAgent(egressProxy, limits)
  const open = new Agent({ ...clientOptions(limits), connect: connectOptions(limits, {}) })
  return {
    guarded,
    open,
    async destroy() {
      await Promise.all([guarded.destroy(), open.destroy()])
    },
  }
}

// Certificates are always checked, even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
function connectOptions<T extends object>({ connectMs }: ConnectionLimits, more: T) {
  const addresses = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs }
  return { timeout: connectMs, rejectUnauthorized: true, allowH2: false, ...addresses, ...more }
}

function clientOptions(limits: ConnectionLimits) {
  return {
    allowH2: false,
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyIdleMs,
    keepAliveTimeout: keptIdleMs,
    keepAliveMaxTimeout: keptIdleMs,
  }
}

function createProxyAgent(uri: string, limits: ConnectionLimits): Dispatcher {
  const tls = connectOptions(limits, {})
  return new ProxyAgent({
    ...clientOptions(limits),
    uri,
    connectTimeout: limits.connectMs,
    proxyTls: tls,
    requestTls: tls,
    // The limits hold for the proxy's own answer too.
    clientFactory: (origin, options) => new Pool(origin, { ...clientOptions(limits), ...options }),
  })
}
