import net from 'node:net'
import ipaddr from 'ipaddr.js'

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
