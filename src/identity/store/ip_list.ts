import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>

/** Networks from which a key may be used; an empty list allows every address. */
export type IpList = readonly (readonly [network: Address, prefixBits: number])[]

/** Whether `text` is an IPv4 or IPv6 address or network, such as 192.0.2.7 or 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  // The library also takes 127.1 and 0x7f000001, which nobody means to write in a list.
  return text.includes(':')
    ? ipaddr.IPv6.isValid(text) || ipaddr.IPv6.isValidCIDR(text)
    : ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text)
}

/** The list of texts that `isNetwork` accepts. */
export function parseIpList(texts: readonly string[]): IpList {
  return texts.map((text) => {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
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
