/**
 * The known name that `name` was most likely meant to be, or undefined when none is near: at most
 * one typing error for every three characters. Case does not matter.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toLowerCase()
  let nearest: string | undefined
  let fewest = Math.floor(written.length / 3) + 1
  for (const candidate of known) {
    // Two lower bounds first: most names need not be compared in full, which takes long.
    if (Math.abs(candidate.length - written.length) >= fewest) continue
    const lower = candidate.toLowerCase()
    if (countStrayLetters(written, lower) >= fewest) continue
    const edits = countEdits(written, lower)
    if (edits >= fewest) continue
    fewest = edits
    nearest = candidate
  }
  return nearest
}

/** Letters that one text has and the other lacks, wherever they stand: so many edits, or more. */
function countStrayLetters(from: string, to: string): number {
  const counts = new Map<string, number>()
  for (const letter of from) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  for (const letter of to) counts.set(letter, (counts.get(letter) ?? 0) - 1)
  let [more, fewer] = [0, 0]
  for (const count of counts.values()) {
    more += Math.max(count, 0)
    fewer += Math.max(-count, 0)
  }
  return Math.max(more, fewer)
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into another. */
function countEdits(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
