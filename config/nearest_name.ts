/**
 * The known name that `name` was most likely meant to be, or undefined when none is near: at most
 * one edit for every three characters, so that short names are not guessed at.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toUpperCase()
  let nearest: string | undefined
  let fewest = Math.floor(name.length / 3) + 1
  for (const candidate of known) {
    // Most names need not be compared in full, which takes long.
    if (Math.abs(written.length - candidate.length) >= fewest) continue
    if (countStrayLetters(written, candidate) >= fewest) continue
    const edits = countEdits(written, candidate)
    if (edits < fewest) {
      fewest = edits
      nearest = candidate
    }
  }
  return nearest
}

/** Letters that one text has and the other lacks, wherever they stand: so many edits, or more. */
function countStrayLetters(a: string, b: string): number {
  const counts = new Map<string, number>()
  for (const letter of a) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  for (const letter of b) counts.set(letter, (counts.get(letter) ?? 0) - 1)
  let [more, fewer] = [0, 0]
  for (const count of counts.values()) {
    more += Math.max(count, 0)
    fewer += Math.max(-count, 0)
  }
  return Math.max(more, fewer)
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
function countEdits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
