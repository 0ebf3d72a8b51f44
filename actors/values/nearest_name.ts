/**
 * The known name that `name` was most likely meant to be, or undefined when none is near: at most
 * one typing error for every three characters. Case does not matter.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toLowerCase()
  let nearest: string | undefined
  let fewest = Math.floor(written.length / 3) + 1
  for (const candidate of known) {
    // The difference in length is a lower bound, which keeps long names from costing anything.
    if (Math.abs(candidate.length - written.length) >= fewest) continue
    const edits = countEdits(written, candidate.toLowerCase())
    if (edits >= fewest) continue
    fewest = edits
    nearest = candidate
  }
  return nearest
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
