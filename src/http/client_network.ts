import ipaddr from 'ipaddr.js'

/** What one client is known by: its IPv4 address, or the /64 that its IPv6 address is in. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return address.toByteArray().slice(0, 8).join('.')
}
