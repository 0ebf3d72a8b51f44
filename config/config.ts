import ipaddr from 'ipaddr.js'
import { type ConfigFault, settingsReader, wrongValue } from '#config/settings.ts'
import { isHostPort } from '#config/host_port.ts'
import { type Config, configKeys } from '#config/schema.ts'

/** NAAN of the sandbox, shared by everyone for tests, so never a live one. */
export const sandboxNaan = '99999'

/** Characters of NAAN and shoulder together: with `/` and 8 more they must stay under 29. */
const namespaceCharactersMax = 19

const reader = settingsReader<Config>({
  keys: configKeys,
  listedIn: 'docs/configuration.md',
  crossFaults,
})

/** The configuration of the registry, as `SettingsReader` reads and loads it. */
export const { read: readConfig, load: loadConfig, misspelled: misspelledVariables } = reader

/** What no single schema can say: rules on the meaning of values and on pairs of them. */
function crossFaults(values: Partial<Config>): ConfigFault[] {
  return [
    ...baseUrlFaults(
      'BASE_URL',
      values.BASE_URL,
      'https://host or https://host:port, without a path',
    ),
    ...baseUrlFaults('AUTH_URL', values.AUTH_URL, 'https://host or https://host/path'),
    ...mailFaults(values),
    ...proxyFaults(values.TRUST_PROXY),
    ...namespaceFaults(values.ARK_NAAN, values.ARK_SHOULDER),
    ...portFaults(values),
    ...allowFaults(values.FETCH_ALLOW),
    ...egressFaults(values.EGRESS_PROXY),
    ...clusterFaults(values),
  ]
}

function clusterFaults({ CLUSTER_URL, CLUSTER_NODE }: Partial<Config>): ConfigFault[] {
  if ((CLUSTER_URL === undefined) === (CLUSTER_NODE === undefined)) return []
  const key = CLUSTER_URL === undefined ? 'CLUSTER_URL' : 'CLUSTER_NODE'
  const message = 'CLUSTER_URL and CLUSTER_NODE go together: give both, or neither.'
  return [{ key, message }]
}

/** Whether a text that has the form of a service's address is one that can be reached. */
export function isUsableAddress(address: string): boolean {
  return URL.canParse(address) && new URL(address).port !== '0' && !/\/\.\.?(?:\/|$)/.test(address)
}

function baseUrlFaults(
  key: 'BASE_URL' | 'AUTH_URL',
  address: string | undefined,
  accepts: string,
): ConfigFault[] {
  if (address === undefined) return []
  if (!isUsableAddress(address)) return [{ key, message: wrongValue(key, address, accepts) }]
  const url = new URL(address)
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return []
  const message =
    `${key} is "${address}", but must begin with https:// unless its host is localhost or a ` +
    'loopback address: keys would cross the network unencrypted.'
  return [{ key, message }]
}

/** The address may hold a password, so no message repeats it. */
function mailFaults({ SMTP_URL: server, MAIL_FROM: sender }: Partial<Config>): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (server !== undefined && !(/^smtps?:\/\/[^/?#\s]+\/?$/.test(server) && URL.canParse(server))) {
    const message = 'SMTP_URL must be smtp://host:port or smtps://user:password@host:port.'
    faults.push({ key: 'SMTP_URL', message })
  }
  if (server !== undefined && sender === undefined) {
    const message = 'MAIL_FROM is required with SMTP_URL: mail needs a sender.'
    faults.push({ key: 'MAIL_FROM', message })
  }
  return faults
}

/** Whether a host name or address (IPv6 with or without brackets) never leaves this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}

/** What is wrong with a list of proxies. */
export function proxyFaults(proxies: readonly string[] = []): ConfigFault[] {
  const wrong = proxies.filter((proxy) => !ipaddr.isValid(proxy) && !isProxyNetwork(proxy))
  return wrong.map((proxy) => ({
    key: 'TRUST_PROXY',
    message:
      `TRUST_PROXY has "${proxy}", but must have IP addresses or networks such as ` +
      `10.0.0.0/8${/^::ffff:.*\//i.test(proxy) ? ' (of IPv4 in IPv6 with 96 bits or more)' : ''}.`,
  }))
}

function isProxyNetwork(proxy: string): boolean {
  if (!ipaddr.isValidCIDR(proxy)) return false
  const [network, bits] = ipaddr.parseCIDR(proxy)
  return !(network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) || bits >= 96
}

function allowFaults(hosts: readonly string[] = []): ConfigFault[] {
  const wrong = hosts.filter((host) => !isHostPort(host))
  return wrong.map((host) => ({
    key: 'FETCH_ALLOW',
    message:
      `FETCH_ALLOW has "${host}", but must have hosts in lower case with their ports, such as ` +
      'files.intranet:8080 or [fd00::1]:80.',
  }))
}

function egressFaults(proxy: string | undefined): ConfigFault[] {
  if (proxy === undefined) return []
  // What may be a password is not repeated in a message that may be logged.
  if (proxy.includes('@')) {
    const message =
      'EGRESS_PROXY has a user name or password, but must not: let the proxy recognize this ' +
      'machine by its address.'
    return [{ key: 'EGRESS_PROXY', message }]
  }
  if (/^https?:\/\/[^/?#]+\/?$/.test(proxy) && URL.canParse(proxy)) return []
  const accepts = 'http://host:port or https://host:port, without a path'
  return [{ key: 'EGRESS_PROXY', message: wrongValue('EGRESS_PROXY', proxy, accepts) }]
}

/** The ports that are given twice. */
export function portFaults({
  PORT,
  ADMIN_PORT,
  AUTH_PORT,
}: Partial<Pick<Config, 'PORT' | 'ADMIN_PORT' | 'AUTH_PORT'>>): ConfigFault[] {
  const pairs = [
    ['ADMIN_PORT', ADMIN_PORT, 'PORT', PORT],
    ['AUTH_PORT', AUTH_PORT, 'PORT', PORT],
    ['AUTH_PORT', AUTH_PORT, 'ADMIN_PORT', ADMIN_PORT],
  ] as const
  return pairs.flatMap(([key, port, other, taken]) =>
    typeof port === 'number' && port === taken
      ? [{ key, message: `${key} and ${other} are both ${port}, but must differ.` }]
      : [],
  )
}

function namespaceFaults(naan: string | undefined, shoulder: string | undefined): ConfigFault[] {
  if (naan === undefined || shoulder === undefined) return []
  const faults: ConfigFault[] = []
  if (naan === sandboxNaan) {
    const message =
      `ARK_NAAN is ${sandboxNaan}, the NAAN of the sandbox, but must be your own, or absent ` +
      'for the example NAAN 12345.'
    faults.push({ key: 'ARK_NAAN', message })
  }
  if (naan.length + shoulder.length > namespaceCharactersMax) {
    const message =
      `ARK_NAAN and ARK_SHOULDER have ${naan.length + shoulder.length} characters together, but ` +
      `can have at most ${namespaceCharactersMax}: the check character protects no longer names.`
    faults.push({ key: 'ARK_SHOULDER', message })
  }
  return faults
}
