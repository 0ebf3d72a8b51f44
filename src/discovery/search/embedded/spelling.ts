/** Letters from which on a word may have one wrong letter, and from which on two. */
const oneErrorLetters = 5
const twoErrorsLetters = 9

/** How many letters of a word may be wrong. */
export function errorsAllowed(word: string): number {
  if (/\p{N}/u.test(word)) return 0
  if (word.length >= twoErrorsLetters) return 2
  return word.length >= oneErrorLetters ? 1 : 0
}

/** Which letters a word has, a bit for each; letters beyond those of Latin share their bits. */
export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}

/**
 * Whether words of such letters can be within `errors` of one another: a wrong letter makes two
 * differences at most. Nearly all words are told apart by it, for a fraction of what a distance
 * takes.
 */
export function mayBeNear(one: number, other: number, errors: number): boolean {
  let different = one ^ other
  for (let left = 2 * errors; left > 0 && different !== 0; left -= 1) different &= different - 1
  return different === 0
}

/**
 * How many letters must be changed, added, left out or exchanged with their neighbour to make one
 * word of another, if that is not more than `max`; else any number above it.
 */
export function spellingDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let beforeLast: readonly number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      next.push(cell(one, other, row, column, { beforeLast, last, next }))
    }
    if (Math.min(...next) > max) return max + 1
    beforeLast = last
    last = next
  }
  return last[other.length] ?? max + 1
}

type Rows = {
  readonly beforeLast: readonly number[]
  readonly last: readonly number[]
  readonly next: readonly number[]
}

function cell(one: string, other: string, row: number, column: number, rows: Rows): number {
  const { beforeLast, last, next } = rows
  const isSame = one[row - 1] === other[column - 1]
  const least = Math.min(
    (last[column] ?? 0) + 1,
    (next[column - 1] ?? 0) + 1,
    (last[column - 1] ?? 0) + (isSame ? 0 : 1),
  )
  const isSwapped =
    row > 1 &&
    column > 1 &&
    one[row - 1] === other[column - 2] &&
    one[row - 2] === other[column - 1]
  return isSwapped ? Math.min(least, (beforeLast[column - 2] ?? 0) + 1) : least
}
