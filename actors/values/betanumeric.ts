import { assert } from '#log/base/errors.ts'

/**
 * The alphabet of NAANs and minted names: digits and consonants without `l`, so that names do not
 * form words and no two characters look alike. Its length, 29, is prime: the check character
 * depends on that.
 */
export const betanumerics = '0123456789bcdfghjkmnpqrstvwxz'

/** A source of unpredictable bytes: exactly `count` of them. */
export type RandomBytes = (count: number) => Uint8Array

// The largest multiple of 29 in a byte: bytes from here on would favour the first characters.
const unbiasedBelow = 256 - (256 % betanumerics.length)

// The character code of the betanumeric of each byte, as far as they favour none.
const codes = Array.from({ length: unbiasedBelow }, (_, byte) =>
  betanumerics.charCodeAt(byte % betanumerics.length),
)

/**
 * `length` betanumerics, each equally likely if the bytes are. A tenth of all bytes is not used: it
 * asks for so many that one call is nearly always enough, because a call costs more than its bytes.
 */
export function randomBetanumerics(length: number, random: RandomBytes): string {
  const text = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const bytes = random(4 + Math.ceil(1.3 * (length - filled)))
    for (let at = 0; at < bytes.length && filled < length; at += 1) {
      const code = codes[bytes[at] as number]
      if (code !== undefined) text[filled++] = code
    }
  }
  return text.toString('latin1')
}

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
