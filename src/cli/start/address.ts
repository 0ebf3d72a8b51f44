import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

import type { Config } from '#config/schema.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/**
 * Where the registry listens, and its URLs without a slash at their end: `baseUrl` is what it calls
 * itself to the world, `localUrl` how this machine reaches it, proxy or not.
 */
export type Address = {
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  readonly localUrl: string
}

/** The settings that say where a server listens. */
export type AddressConfig = Pick<Config, 'HOST' | 'PORT' | 'ADMIN_HOST' | 'ADMIN_PORT'> &
  Partial<Pick<Config, 'AUTH_PORT' | 'BASE_URL'>>

/**
 * The address to listen on and to publish. The port is bound once and let go, because links and the
 * log's origin are fixed before the server is built: PORT 0 thus becomes a real number, and a taken
 * port, a second one or that of the metrics too, is refused (StartError `port_taken`,
 * `port_refused`) before any store is opened. Without `listen` a port is taken at its word: a
 * server may be running on it.
 */
export async function chooseAddress(
  config: AddressConfig,
  { listen }: { readonly listen: boolean },
): Promise<Address> {
  const { HOST: host, PORT, AUTH_PORT = 'off', ADMIN_HOST, ADMIN_PORT } = config
  const claims = listen || PORT === 0
  const port = claims ? await claimPort(host, PORT, { host: 'HOST', port: 'PORT' }) : PORT
  if (listen && ADMIN_PORT !== 'off') {
    await claimPort(ADMIN_HOST, ADMIN_PORT, { host: 'ADMIN_HOST', port: 'ADMIN_PORT' })
  }
  if (listen && AUTH_PORT !== 'off') {
    await claimPort(host, AUTH_PORT, { host: 'HOST', port: 'AUTH_PORT' })
  }
  const localUrl = `http://${localName(host)}:${port}`
  return { host, port, baseUrl: config.BASE_URL?.replace(/\/$/, '') ?? localUrl, localUrl }
}

/**
 * Connections that wait to be accepted, at most; the system may set a lower bound (on Linux
 * `net.core.somaxconn`). Node's own 511 are too few when thousands come at once.
 */
export const backlogMax = 4_096

/** The name under which this machine reaches a server that listens on `host`. */
function localName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return net.isIPv6(host) ? `[${host}]` : host
}

/** The configuration keys that name an address, for messages. */
type AddressKeys = { readonly host: string; readonly port: string }

/** Binds a port and lets it go: a free one for 0. StartError `port_taken`, `port_refused`. */
async function claimPort(host: string, port: number, keys: AddressKeys): Promise<number> {
  try {
    if (port === 0) return await freePort(host)
    await bindOnce(host, port)
    return port
  } catch (error) {
    throw unusablePort(host, port, keys, error)
  }
}

function unusablePort(host: string, port: number, keys: AddressKeys, cause: unknown): StartError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
  if (code === 'EADDRINUSE') {
    const message =
      `Port ${port} of ${host} is in use by another program, perhaps another Arklog. ` +
      `Stop it, or set ${keys.port} to a free port.`
    return new StartError('port_taken', message, { cause })
  }
  const message =
    `Cannot listen on port ${port} of ${host} (${code}). ` +
    `Set ${keys.host} to an address of this machine and ${keys.port} to a port it may use.`
  return new StartError('port_refused', message, { cause })
}

// Below the ports that systems give to connections that programs make (RFC 6335 §6 has them from
// 49152, Linux from 32768), and above those of well-known servers: a server that binds one
// later, or again after a restart, still finds it free. Browsers refuse 10080.
const lowest = 10_081
const highest = 32_000
const attemptsMax = 100

/** A port of an address that nobody listens on. Errors: those of listening there. */
async function freePort(host: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(lowest, highest)
    try {
      await bindOnce(host, port)
      return port
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || attempt === attemptsMax) throw error
    }
  }
}

/** Binds a port and lets it go. Errors: those of listening. */
async function bindOnce(host: string, port: number): Promise<void> {
  const probe = net.createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
