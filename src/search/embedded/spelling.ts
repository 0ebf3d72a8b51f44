/** Letters from which on a word may have one wrong letter, and from which on two. */
const oneErrorLetters = 5
const twoErrorsLetters = 9

/** How many letters of a word may be wrong. */
export function errorsAllowed(word: string): number {
  if (/\p{N}/u.test(word)) return 0
  if (word.length >= twoErrorsLetters) return 2
  return word.length >= oneErrorLetters ? 1 : 0
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
