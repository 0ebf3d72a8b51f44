import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import net from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

import { hostPortOf } from '#config/host_port.ts'

/**
 * Networks that are no part of the public internet: what the IANA registries of special-purpose
 * addresses call not globally reachable, multicast, anycast services of the network itself, tunnels
 * that carry an IPv4 address within, and the address at which Azure answers its own machines.
 */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // IPv6 gives out public addresses in 2000::/3 only; these networks are all the others, but for
  // ::ffff:0:0/96, which a BlockList takes for the whole of IPv4.
  '::/96',
  '::ffff:0:0:0/96',
  '64::/16',
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map((network) => ipaddr.parseCIDR(network))

const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Why an IPv4 or IPv6 address is no public one, such as `10.0.0.1 is private`; undefined if it is
 * one. Addresses that carry another within (mapped, NAT64, 6to4, Teredo) are never public.
 */
export function whyNotPublic(text: string): string | undefined {
  if (net.isIP(text) === 0) return `${text} is not an IP address`
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range !== 'unicast') return `${text} is ${range}`
  if (address.kind() === 'ipv6' && !address.match(publicIpv6)) return `${text} is not allocated`
  const special = specialNetworks.find(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
  return special && `${text} is in ${special.join('/')}`
}

/**
 * The same networks as a list that `net.connect` holds every address against, in code that is not
 * ours: a second lock.
 */
export function specialBlockList(): net.BlockList {
  const list = new net.BlockList()
  for (const [network, bits] of specialNetworks) {
    list.addSubnet(network.toString(), bits, network.kind())
  }
  return list
}

/** What decides, besides the address itself, whether it may be fetched. */
export type UrlRules = {
  /** Hosts that may be fetched although they are private, each as `hostPortOf` writes it. */
  readonly allow: ReadonlySet<string>
  /** The registry's own address: what it serves is no content of a work. */
  readonly ownUrl: URL
}

/** The rule that a refused address breaks. */
export type UrlRule =
  | 'malformed'
  | 'too_long'
  | 'scheme'
  | 'downgrade'
  | 'userinfo'
  | 'own_host'
  | 'port'
  | 'host'

/** An address that may be fetched; `isNamed` if the allow list names its host and port. */
export type FetchableUrl = { readonly type: 'fetchable'; url: URL; readonly isNamed: boolean }

/** An address that is not fetched, as it was given, and why. */
export type RefusedUrl =
  | { readonly type: 'refused_url'; readonly url: string; readonly rule: UrlRule }
  | {
      readonly type: 'refused_address'
      readonly url: string
      readonly address: string
      readonly reason: string
    }

/** Characters of an address; those of signed downloads have some thousands. */
const urlCharactersMax = 8_192

const webPorts: ReadonlySet<string> = new Set(['', '80', '443'])

// A public name has a dot, and its last label is not a number.
const publicName = /^(?=.{4,253}$)(?:[a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9-]{2,63}$/

/**
 * Judges an address before anything is sent: http or https, without user name, on port 80 or 443,
 * with a public name or a public IP address, and not the registry itself. The allow list lifts
 * the rules on port, name and IP address. `from` is the address that redirects here, which a
 * relative one is resolved against; from https nothing leads back to http.
 */
export function checkUrl(text: string, rules: UrlRules, from?: URL): FetchableUrl | RefusedUrl {
  const refuse = (rule: UrlRule): RefusedUrl => ({ type: 'refused_url', url: text, rule })
  if (text.length > urlCharactersMax) return { ...refuse('too_long'), url: text.slice(0, 100) }
  if (!URL.canParse(text, from?.href)) return refuse('malformed')
  const url = new URL(text, from?.href)
  url.hash = ''
  // A name that ends with a dot is the same name.
  url.hostname = url.hostname.replace(/\.$/, '')
  if (from?.protocol === 'https:' && url.protocol === 'http:') return refuse('downgrade')
  const isNamed = rules.allow.has(hostPortOf(url))
  const rule = alwaysBroken(url, rules) ?? (isNamed ? undefined : brokenByStrangers(url))
  if (rule !== undefined) return refuse(rule)
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (isNamed || net.isIP(address) === 0) return { type: 'fetchable', url, isNamed }
  // A look-up is never asked about an IP address, so it is judged here.
  const reason = whyNotPublic(address)
  if (reason === undefined) return { type: 'fetchable', url, isNamed }
  return { type: 'refused_address', url: text, address, reason }
}

function alwaysBroken(url: URL, { ownUrl }: UrlRules): UrlRule | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  return isOwn(url, ownUrl) ? 'own_host' : undefined
}

function brokenByStrangers({ port, hostname }: URL): UrlRule | undefined {
  if (!webPorts.has(port)) return 'port'
  const isAddress = hostname.startsWith('[') || net.isIPv4(hostname)
  return isAddress || publicName.test(hostname) ? undefined : 'host'
}

/** Whether an address is the registry's; its two usual ports count as one. */
function isOwn(url: URL, ownUrl: URL): boolean {
  const [hostPort, own] = [hostPortOf(url), hostPortOf(ownUrl)]
  const withoutWebPort = (text: string) => text.replace(/:(?:80|443)$/, '')
  return withoutWebPort(hostPort) === withoutWebPort(own)
}

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
