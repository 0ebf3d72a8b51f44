import type { FastifyRateLimitStore } from '@fastify/rate-limit'

import { Windows } from '#src/limits/windows.ts'

/**
 * Where the rate limiter counts. Each limit is made with `windows` of its own among its options,
 * and counts in those.
 */
export class WindowStore implements FastifyRateLimitStore {
  readonly #windows: Windows | undefined

  constructor(options: object) {
    const windows = 'windows' in options ? options.windows : undefined
    this.#windows = windows instanceof Windows ? windows : undefined
  }

  incr(
    key: string,
    callback: (error: null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    if (this.#windows === undefined) throw new Error('the limit was made without windows')
    callback(null, this.#windows.count(key, windowMs))
  }

  child(options: object): WindowStore {
    return new WindowStore(options)
  }
}
