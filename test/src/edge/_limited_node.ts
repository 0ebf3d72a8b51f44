import { type Broadcast, type Contact, LimitExchange } from '#src/edge/limit_exchange.ts'
import { createNodeLimitMemory, nodeCountsOf, noticeCountsOf } from '#src/edge/limits.ts'
import { ClientHashes, Windows } from '#src/limits/windows.ts'

/** A node that has one limit, of so many calls a minute. */
export type LimitedNode = {
  readonly exchange: LimitExchange
  /** Whether a call of a client is let through. */
  call(client: string): boolean
  /** Whether a notice is to be sent, of which there is one an hour. */
  notice(name: string): boolean
}

export type LimitedNodeOptions = {
  readonly node: string
  readonly max: number
  readonly broadcast: Broadcast
  readonly contact: () => Contact
  readonly elapsedMs: () => number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const secret = Buffer.from('of all nodes')

let lives = 0

/** Makes a node that counts the limit `works_read` with others. Whoever makes it closes it. */
export function limitedNode({ max, elapsedMs, ...options }: LimitedNodeOptions): LimitedNode {
  const config = { RATE_LIMITS: true, LIMIT_WORKS_READ: max }
  const memory = createNodeLimitMemory(config, secret)
  const exchange = new LimitExchange({
    ...options,
    config,
    memory,
    life: `life ${(lives += 1)}`,
    elapsedMs,
  })
  const nodes = nodeCountsOf(config, 'works_read', memory)
  const { works_read: windowsMemory } = memory.windows
  if (nodes === undefined || windowsMemory === undefined) throw new Error('the limit is on')
  const hashes = new ClientHashes(memory.hashKey)
  const windows = new Windows({ memory: windowsMemory, hashes, elapsedMs, nodes })
  const noticed = noticeCountsOf(memory)
  const notices = new Windows({
    memory: memory.notices,
    hashes,
    elapsedMs,
    ...(noticed && { nodes: noticed }),
  })
  return {
    exchange,
    call: (client) => windows.count(client, minuteMs).current <= max,
    notice: (name) => notices.count(name, hourMs).current === 1,
  }
}
