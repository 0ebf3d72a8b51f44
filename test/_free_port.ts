import { once } from 'node:events'
import net from 'node:net'
import { threadId } from 'node:worker_threads'

// Below the ports that a registry chooses for itself, and above those that no client may ask (such
// as 6697): what one test was given is not taken by another one before it listens, or between two
// lives of a registry.
const lowest = 7_000
const portsOfBlock = 20
const blocks = 150

/** Ports of blocks of this thread that no test was given, and how many blocks it has looked at. */
let left: number[] = []
let lookedAt = 0
let claiming = Promise.resolve()

/**
 * A port of this machine that nobody listens on, and that no other test is given: neither one of
 * this thread, nor one of another thread or process, such as another run of the tests.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    claiming = claiming.then(() => (left.length === 0 ? claimBlock() : undefined))
    await claiming
    const port = left.shift()
    if (port === undefined) continue
    const probe = await listen(port)
    if (probe === undefined) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}

/** Whoever listens on the first port of a block has the others, until its thread ends. */
async function claimBlock(): Promise<void> {
  for (; lookedAt < blocks; lookedAt += 1) {
    const first = lowest + portsOfBlock * ((process.pid + threadId + lookedAt) % blocks)
    const claim = await listen(first)
    if (claim === undefined) continue
    claim.unref()
    lookedAt += 1
    left = Array.from({ length: portsOfBlock - 1 }, (_, index) => first + 1 + index)
    return
  }
  throw new Error(`all blocks of ports from ${lowest} on are taken`)
}

/** A server on a port of the loopback; undefined if the port is taken. */
async function listen(port: number): Promise<net.Server | undefined> {
  const server = net.createServer()
  server.listen({ host: '127.0.0.1', port, exclusive: true })
  try {
    await once(server, 'listening')
    return server
  } catch {
    return undefined
  }
}
