import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

// Below the ports that systems give to connections that programs make (RFC 6335 §6 has them from
// 49152, Linux from 32768), and above those of well-known servers: whoever binds one later, or
// again after a restart, still finds it free, whatever connects meanwhile.
const lowest = 10_000
const highest = 32_000
const attemptsMax = 100

/** A port of an address that nobody listens on. Errors: those of listening there. */
export async function freePort(host: string): Promise<number> {
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
export async function bindOnce(host: string, port: number): Promise<void> {
  const probe = net.createServer()
  probe.listen({ host, port })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}
