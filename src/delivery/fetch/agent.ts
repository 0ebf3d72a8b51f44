import { Agent, buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici'

import {
  checkedLookup,
  type FetchableUrl,
  type HostLookup,
  specialBlockList,
} from '#src/delivery/fetch/address_rule.ts'

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

/**
 * Connections to anyone public, and to hosts of the allow list. Whatever an address resolves to was
 * checked when its connection was made, so that one which is kept stays checked.
 */
export type Agents = {
  /** Connections that are kept for some seconds and shared by all who ask. */
  readonly kept: Connections
  /** Connections of one fetch, shared with no other; the caller destroys them. */
  fresh(): Connections
}

/** Who connects to an address. */
export type Connections = {
  to(target: FetchableUrl): Dispatcher
  /** Ends every connection, whatever is under way. */
  destroy(): Promise<void>
}

// Made once: an error takes longer to make than all else about the end of a connection.
const usedUp = new Error('the connection is not used again')

/** How long an idle connection is kept, whatever its server offers. */
const keptIdleMs = 4_000

/** How long one of several addresses of a host is tried before the next is tried beside it. */
const attemptMs = 1_250

const blockList = specialBlockList()

/** New agents, without any connection yet. No proxy of the environment has a say in them. */
export function createAgents({ limits, lookup, egressProxy }: AgentOptions): Agents {
  const client = clientOptions(limits)
  // The allow list names what is private and allowed nevertheless: whatever the system resolves.
  const open = buildConnector(connectOptions(limits, {}))
  const guarded = buildConnector(
    connectOptions(limits, { lookup: checkedLookup(lookup), blockList }),
  )
  const direct = (isNamed: boolean) => ({ ...client, connect: isNamed ? open : guarded })
  const proxied = egressProxy === undefined ? undefined : () => proxyAgent(egressProxy, limits)
  const [named, others] = [new Agent(direct(true)), proxied?.() ?? new Agent(direct(false))]
  const kept = {
    to: ({ isNamed }: FetchableUrl) => (isNamed ? named : others),
    async destroy() {
      await Promise.all([named.destroy(usedUp), others.destroy(usedUp)])
    },
  }
  const connect = ({ url, isNamed }: FetchableUrl) =>
    !isNamed && proxied !== undefined ? proxied() : new Client(url.origin, direct(isNamed))
  return { kept, fresh: () => new FreshConnections(connect) }
}

/** One connection to each origin that a fetch leads to. */
class FreshConnections implements Connections {
  readonly #connect: (target: FetchableUrl) => Dispatcher
  readonly #byOrigin = new Map<string, Dispatcher>()

  constructor(connect: (target: FetchableUrl) => Dispatcher) {
    this.#connect = connect
  }

  // Whether the allow list names an address is a matter of its origin, too.
  to(target: FetchableUrl): Dispatcher {
    const { origin } = target.url
    const dispatcher = this.#byOrigin.get(origin) ?? this.#connect(target)
    this.#byOrigin.set(origin, dispatcher)
    return dispatcher
  }

  async destroy(): Promise<void> {
    const all = [...this.#byOrigin.values()]
    await Promise.all(all.map((dispatcher) => dispatcher.destroy(usedUp)))
  }
}

// Certificates are always checked, even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise, and at each
// connection: no TLS session of an earlier one is resumed.
function connectOptions<T extends object>({ connectMs }: ConnectionLimits, more: T) {
  const addresses = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs }
  const tls = { rejectUnauthorized: true, allowH2: false, maxCachedSessions: 0 }
  return { timeout: connectMs, ...tls, ...addresses, ...more }
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

function proxyAgent(uri: string, limits: ConnectionLimits): Dispatcher {
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
