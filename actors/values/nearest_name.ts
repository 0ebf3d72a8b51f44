/**
 * The known name that `name` was most likely meant to be, or undefined when none is near: at most
 * one typing error for every three characters.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toLowerCase()
  let nearest: string | undefined
  let fewest = Math.floor(written.length / 3) + 1
  for (const candidate of known) {
    // The difference in length is a lower bound, which keeps long names from costing anything.
    if (Math.abs(candidate.length - written.length) >= fewest) continue
    const edits = countEdits(written, candidate)
    if (edits >= fewest) continue
    fewest = edits
    nearest = candidate
  }
  return nearest
}

/** Insertions, deletions and replacements of single characters between two texts. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
