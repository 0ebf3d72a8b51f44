import net from 'node:net'

import { hostPortOf } from '#config/host_port.ts'
import { whyNotPublic } from '#src/delivery/fetch/address_rule.ts'

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
