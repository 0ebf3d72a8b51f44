import { type Broadcast, type Contact, LimitExchange } from '#src/edge/limits/limit_exchange.ts'
import { createNodeLimitMemory, Limiter } from '#src/edge/limits/limits.ts'

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
  const counting = { config, limitMemory: memory, elapsedMs }
  const limiter = new Limiter('works_read', counting)
  const notices = new Limiter('notices', counting)
  return {
    exchange,
    call: (client) => !limiter.count(client).isExceeded,
    notice: (name) => !notices.count(name).isExceeded,
  }
}
