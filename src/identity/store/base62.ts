import { assert } from '#log/tlog/errors.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bitsPerDigit = Math.log2(digits.length)

// With 64 random bits more than the digits need, no digit is likelier than another by 2⁻⁶⁴.
const surplusBits = 64

/** `value` (a non-negative safe integer) in base 62, padded with zeros to `width` digits. */
export function formatBase62(value: number, width: number): string {
  assert(Number.isSafeInteger(value) && value >= 0, 'a base62 value is a non-negative integer')
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) {
    text = digits.charAt(rest % 62) + text
  }
  return text
}

/** How many random bytes `randomBase62` needs for `width` digits. */
export function base62RandomBytes(width: number): number {
  return Math.ceil((width * bitsPerDigit + surplusBits) / 8)
}

/** `width` base62 digits drawn evenly from `random`, `base62RandomBytes(width)` bytes. */
export function randomBase62(width: number, random: Uint8Array): string {
  assert(random.length === base62RandomBytes(width), 'the random bytes fit the digits wanted')
  let rest = BigInt(`0x${Buffer.from(random).toString('hex')}`)
  let text = ''
  for (; text.length < width; rest /= 62n) text += digits.charAt(Number(rest % 62n))
  return text
}

/**
 * A code as it was meant, from what somebody typed: full-width digits and letters are the plain
 * ones (NFKC), and spaces, dashes and signs that nobody sees are left out.
 */
export function readTypedCode(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}\u2212]+/gu, '')
}
