import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** Networks from which a key may be used; an empty list allows every address. */
export type IpList = readonly (readonly [network: Address, prefixBits: number])[]

/** Bits before an IPv4 address that is mapped into IPv6: ::ffff:0:0/96 is all of IPv4. */
const mappedBits = 96

/**
 * Whether `text` is an IPv4 or IPv6 address or network, such as 192.0.2.7 or 2001:db8::/32.
 * Networks of mapped addresses are those of IPv4: a larger one that is written so holds no client.
 */
export function isNetwork(text: string): boolean {
  // The library also takes 127.1 and 0x7f000001, which nobody means to write in a list.
  if (!text.includes(':')) {
    const { IPv4 } = ipaddr
    return IPv4.isValidFourPartDecimal(text) || IPv4.isValidCIDRFourPartDecimal(text)
  }
  if (ipaddr.IPv6.isValid(text)) return true
  if (!ipaddr.IPv6.isValidCIDR(text)) return false
  const [network, bits] = ipaddr.IPv6.parseCIDR(text)
  return !network.isIPv4MappedAddress() || bits >= mappedBits
}

/** The list of texts that `isNetwork` accepts. */
export function parseIpList(texts: readonly string[]): IpList {
  return texts.map((text) => {
    if (text.includes('/')) return parseNetwork(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

function parseNetwork(text: string): IpList[number] {
  const [network, bits] = ipaddr.parseCIDR(text)
  if (!(network instanceof ipaddr.IPv6) || !network.isIPv4MappedAddress()) return [network, bits]
  return bits < mappedBits ? [network, bits] : [network.toIPv4Address(), bits - mappedBits]
}

/** Whether a client's address is allowed; IPv4 addresses mapped into IPv6 count as IPv4. */
export function ipAllowed(list: IpList, ip: string): boolean {
  if (list.length === 0) return true
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return list.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
}

/** The network an address is remembered by, which tells no single client: its /24, or IPv6 /48. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/48`).toString()}/48`
}
