import { once } from 'node:events'
import net from 'node:net'
import type { Config } from '#config/schema.ts'
import { StartError } from '#src/start_error.ts'

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

/**
 * The address to listen on and to publish. The port is bound once and let go, because links and the
 * log's origin are fixed before the server is built: PORT 0 thus becomes a real number, and a taken
 * port is refused (StartError `port_taken`, `port_refused`) before any store is opened. Without
 * `listen` a port that is named is taken at its word: the server that has it may be running.
 */
export async function chooseAddress(
  config: Config,
  { listen }: { readonly listen: boolean },
): Promise<Address> {
  const { HOST: host, PORT } = config
  const port = listen || PORT === 0 ? await claimPort(host, PORT) : PORT
  const localUrl = `http://${localName(host)}:${port}`
  return { host, port, baseUrl: config.BASE_URL?.replace(/\/$/, '') ?? localUrl, localUrl }
}

/** Origin of the live log of a registry: host[:port] of its base URL, then `/log`. */
export function logOrigin(baseUrl: string): string {
  return `${new URL(baseUrl).host}/log`
}

/** The name under which this machine reaches a server that listens on `host`. */
function localName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return net.isIPv6(host) ? `[${host}]` : host
}

async function claimPort(host: string, port: number): Promise<number> {
  const probe = net.createServer()
  try {
    probe.listen({ host, port })
    await once(probe, 'listening')
  } catch (error) {
    throw unusablePort(host, port, error)
  }
  const { port: claimed } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return claimed
}

function unusablePort(host: string, port: number, cause: unknown): StartError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error'
  if (code === 'EADDRINUSE') {
    const message =
      `Port ${port} of ${host} is taken by another program, perhaps another Arklog. ` +
      'Stop it, or set PORT to a free port (0 picks one).'
    return new StartError('port_taken', message, { cause })
  }
  const message =
    `Cannot listen on port ${port} of ${host} (${code}). ` +
    'Set HOST to an address of this machine and PORT to a port it may use.'
  return new StartError('port_refused', message, { cause })
}
