import type { RandomBytes } from '#actors/values/betanumeric.ts'
import { assert } from '#log/errors.ts'

const poolBytes = 8_192

/**
 * Draws from the source in large pieces and hands them out in small ones, each byte once: a call
 * into the operating system for twelve bytes costs more than everything else about an id.
 */
export function bufferedRandom(source: RandomBytes): RandomBytes {
  let pool = new Uint8Array(0)
  let used = 0
  return (count) => {
    assert(count <= poolBytes, 'ids are made of few bytes')
    if (used + count > pool.length) {
      pool = source(poolBytes).slice()
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}
