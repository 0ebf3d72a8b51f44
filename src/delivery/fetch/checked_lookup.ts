import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

import { whyNotPublic } from '#src/delivery/fetch/address_rule.ts'

/** The addresses of a host, at least one; errors of node:dns otherwise. */
export type HostLookup = (host: string) => Promise<readonly LookupAddress[]>

/** A host that is not connected to, because of what its name resolves to. */
export class LookupError extends Error {
  readonly code: 'refused_address' | 'dns_failed'
  /** The first address that is refused, or the code of node:dns. */
  readonly subject: string

  constructor(code: LookupError['code'], subject: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LookupError'
    this.code = code
    this.subject = subject
  }
}

/** Addresses of one host that are tried; more would outlast the time for connecting. */
const addressesMax = 8

/** How long one name server may take for one question, and how often it is asked. */
const defaults = { timeout: 1_500, tries: 2, servers: undefined as readonly string[] | undefined }

/**
 * Asks the name servers of the machine (or `servers`, as `address:port`) for IPv4 and IPv6
 * addresses. Unlike the system's own look-up it reads no hosts file, and a slow name server holds
 * up no thread that the stores need.
 */
export function dnsLookup(options: Partial<typeof defaults> = {}): HostLookup {
  const { timeout, tries, servers } = { ...defaults, ...options }
  const resolver = new Resolver({ timeout, tries })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((answer, index) => {
      const addresses = answer.status === 'fulfilled' ? answer.value : []
      return addresses.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
    })
    const [failed] = answers
    if (found.length === 0 && failed.status === 'rejected') throw failed.reason
    return found
  }
}

/**
 * A look-up for `net.connect`, which connects to nothing but what this hands over: the name is
 * resolved once, every address must be public, and no later answer of the name server counts.
 * Fails with LookupError.
 */
export function checkedLookup(lookup: HostLookup): LookupFunction {
  return (host, _options, callback) => {
    void publicAddresses(host, lookup).then(
      (addresses) => callback(null, addresses),
      (error: unknown) => callback(error as LookupError, []),
    )
  }
}

async function publicAddresses(host: string, lookup: HostLookup): Promise<LookupAddress[]> {
  let addresses: readonly LookupAddress[]
  try {
    addresses = await lookup(host)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new LookupError('dns_failed', code, `${host} cannot be resolved: ${code}`, { cause })
  }
  for (const { address } of addresses) {
    const reason = whyNotPublic(address)
    if (reason !== undefined) throw new LookupError('refused_address', address, reason)
  }
  if (addresses.length > 0) return addresses.slice(0, addressesMax)
  throw new LookupError('dns_failed', 'ENODATA', `${host} has no address`)
}
