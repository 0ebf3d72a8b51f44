import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { Check } from 'typebox/value'
import { ConfigError, type ConfigFault } from '#config/config_error.ts'
import { isHostPort } from '#config/host_port.ts'
import { nearestName } from '#config/nearest_name.ts'
import { type Config, type ConfigKey, configKeys } from '#config/schema.ts'

/** Settings by key, as the environment (texts) or a JSON file (JSON values) gives them. */
type Settings = Readonly<Record<string, unknown>>

/** The environment of a process; a variable that is empty counts as not given. */
export type ProcessEnv = Readonly<Record<string, string | undefined>>

/** NAAN of the sandbox, shared by everyone for tests, so never a live one. */
export const sandboxNaan = '99999'

/** Characters of NAAN and shoulder together: with `/` and 8 more they must stay under 29. */
const namespaceCharactersMax = 19

const keysByName = new Map<string, ConfigKey>(configKeys.map((key) => [key.name, key]))

/** Reads the file that CONFIG_FILE names, if any, and loads the configuration; else ConfigError. */
export function readConfig(env: ProcessEnv): Config {
  const path = env['CONFIG_FILE']
  if (path === undefined || path === '') return loadConfig(env)
  try {
    return loadConfig(env, readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const message = `CONFIG_FILE names ${path}, which cannot be read: ${String(error)}`
    throw new ConfigError([{ key: 'CONFIG_FILE', message }])
  }
}

/**
 * The configuration of the environment `env` and the text of a JSON file, which yields to the
 * environment key by key. Defaults are filled in. Throws one ConfigError that names every fault.
 */
export function loadConfig(env: ProcessEnv, file?: string): Config {
  const faults: ConfigFault[] = []
  const settings = { ...readFile(file, faults), ...readEnvironment(env) }
  const values = checkValues(settings, faults)
  faults.push(...crossFaults(values))
  if (faults.length > 0) throw new ConfigError(faults)
  return values as Config
}

/**
 * Environment variables that look like misspelt keys, as sentences. The environment is shared with
 * other programs, so these are warnings where the file has errors.
 */
export function misspelledVariables(env: ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    if (keysByName.has(name) || name.length < 8) return []
    const near = nearestName(name, keysByName.keys())
    if (near === undefined || env[near] !== undefined) return []
    return [`The environment has ${name}, which is not a key. Did you mean ${near}?`]
  })
}

function readFile(file: string | undefined, faults: ConfigFault[]): Settings {
  if (file === undefined) return {}
  let settings: unknown
  try {
    settings = JSON.parse(file)
  } catch (error) {
    faults.push({ key: 'CONFIG_FILE', message: `CONFIG_FILE is not JSON: ${String(error)}.` })
    return {}
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    faults.push({ key: 'CONFIG_FILE', message: 'CONFIG_FILE must hold one JSON object.' })
    return {}
  }
  for (const name of Object.keys(settings)) {
    if (name === 'CONFIG_FILE') faults.push({ key: name, message: nestedFile })
    else if (!keysByName.has(name)) faults.push({ key: name, message: unknownKey(name) })
  }
  return settings as Settings
}

const nestedFile = 'CONFIG_FILE cannot stand in the file it names; set it in the environment.'

function unknownKey(name: string): string {
  const near = nearestName(name, keysByName.keys())
  const hint = near === undefined ? 'The README lists all keys.' : `Did you mean ${near}?`
  return `${name} is not a configuration key. ${hint}`
}

function readEnvironment(env: ProcessEnv): Settings {
  const settings: Record<string, unknown> = {}
  for (const { name, form } of configKeys) {
    const text = env[name]
    if (text !== undefined && text !== '') settings[name] = readVariable(text, form)
  }
  return settings
}

const switchTexts = new Map([
  ['true', true],
  ['on', true],
  ['false', false],
  ['off', false],
])

/** The value a variable's text stands for, or the text itself where it stands for none. */
function readVariable(text: string, form: ConfigKey['form']): unknown {
  switch (form) {
    case 'integer':
    case 'integer_or_text':
      return /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
    case 'boolean':
      return switchTexts.get(text) ?? text
    case 'list':
      return text.split(',').map((part) => part.trim())
    case 'text':
      return text
  }
}

/** The values that pass their own key's schema, with defaults for those not given. */
function checkValues(settings: Settings, faults: ConfigFault[]): Partial<Config> {
  const values: Record<string, unknown> = {}
  for (const key of configKeys) {
    const value = Object.hasOwn(settings, key.name) ? settings[key.name] : key.default
    if (value === undefined) continue
    if (Check(key.schema, value)) values[key.name] = value
    else faults.push({ key: key.name, message: wrongValue(key.name, value, key.accepts) })
  }
  return values
}

function wrongValue(name: string, value: unknown, accepts: string): string {
  return `${name} is ${JSON.stringify(value)}, but must be ${accepts}.`
}

/** What no single schema can say: rules on the meaning of values and on pairs of them. */
function crossFaults(values: Partial<Config>): ConfigFault[] {
  return [
    ...baseUrlFaults('BASE_URL', values.BASE_URL, 'https://host or https://host:port'),
    ...baseUrlFaults('AUTH_URL', values.AUTH_URL, 'https://host or https://host/path'),
    ...mailFaults(values),
    ...proxyFaults(values.TRUST_PROXY),
    ...namespaceFaults(values.ARK_NAAN, values.ARK_SHOULDER),
    ...portFaults(values),
    ...allowFaults(values.FETCH_ALLOW),
    ...egressFaults(values.EGRESS_PROXY),
  ]
}

function baseUrlFaults(
  key: 'BASE_URL' | 'AUTH_URL',
  address: string | undefined,
  accepts: string,
): ConfigFault[] {
  if (address === undefined) return []
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isUsable = url !== undefined && url.port !== '0' && !/\/\.\.?(?:\/|$)/.test(address)
  if (!isUsable) {
    const without = key === 'BASE_URL' ? ', without a path' : ''
    return [{ key, message: wrongValue(key, address, accepts + without) }]
  }
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return []
  const message =
    `${key} is "${address}", but must begin with https:// unless its host is localhost or a ` +
    'loopback address: keys would cross the network in the clear.'
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
    const message = 'MAIL_FROM must be given with SMTP_URL: mail needs a sender.'
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

function proxyFaults(proxies: readonly string[] = []): ConfigFault[] {
  const wrong = proxies.filter((proxy) => !ipaddr.isValid(proxy) && !ipaddr.isValidCIDR(proxy))
  return wrong.map((proxy) => ({
    key: 'TRUST_PROXY',
    message:
      `TRUST_PROXY holds "${proxy}", but must hold IP addresses or networks such as ` +
      '10.0.0.0/8.',
  }))
}

function allowFaults(hosts: readonly string[] = []): ConfigFault[] {
  const wrong = hosts.filter((host) => !isHostPort(host))
  return wrong.map((host) => ({
    key: 'FETCH_ALLOW',
    message:
      `FETCH_ALLOW holds "${host}", but must hold hosts in lower case with their ports, such as ` +
      'files.intranet:8080 or [fd00::1]:80.',
  }))
}

function egressFaults(proxy: string | undefined): ConfigFault[] {
  if (proxy === undefined) return []
  // What may be a password is not repeated in a message that may be logged.
  if (proxy.includes('@')) {
    const message =
      'EGRESS_PROXY holds a user name or password, but must hold none: let the proxy know this ' +
      'machine by its address.'
    return [{ key: 'EGRESS_PROXY', message }]
  }
  if (/^https?:\/\/[^/?#]+\/?$/.test(proxy) && URL.canParse(proxy)) return []
  const accepts = 'http://host:port or https://host:port, without a path'
  return [{ key: 'EGRESS_PROXY', message: wrongValue('EGRESS_PROXY', proxy, accepts) }]
}

function portFaults({ PORT, ADMIN_PORT, AUTH_PORT }: Partial<Config>): ConfigFault[] {
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
      `ARK_NAAN is ${sandboxNaan}, the NAAN of the sandbox, but must be your own or be left out ` +
      'for the example NAAN 12345.'
    faults.push({ key: 'ARK_NAAN', message })
  }
  if (naan.length + shoulder.length > namespaceCharactersMax) {
    const message =
      `ARK_NAAN and ARK_SHOULDER have ${naan.length + shoulder.length} characters together, but ` +
      `may have at most ${namespaceCharactersMax}: the check character guards no longer names.`
    faults.push({ key: 'ARK_SHOULDER', message })
  }
  return faults
}
