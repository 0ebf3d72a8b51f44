import { once } from 'node:events'
import net from 'node:net'
import { threadId } from 'node:worker_threads'

// Below the ports that a registry chooses for itself, and above those that no client may ask (such
// as 6697): what one test was given is not taken by another one before it listens, or between two
// lives of a registry. Files that run at once have other threads, and with them other ports.
const lowest = 7_000
const portsOfThread = 50
const threads = 60

const first = lowest + portsOfThread * ((process.pid + threadId) % threads)
let given = 0

/** A port of this machine that nobody listens on, and that no other test is given meanwhile. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < portsOfThread; attempt += 1) {
    const port = first + (given % portsOfThread)
    given += 1
    if (await isFree(port)) return port
  }
  throw new Error(`all ports from ${first} on are taken`)
}

async function isFree(port: number): Promise<boolean> {
  const probe = net.createServer()
  probe.listen({ host: '127.0.0.1', port })
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
