/** Marks in a row, at most, in a text that is normalised (Stream-Safe Text, UAX #15 §13). */
export const marksMax = 30

// Beside marks, those that are one once decomposed (UAX #15, table 20).
const longRun = new RegExp(`[\\p{M}\\uff9e\\uff9f]{${marksMax + 1}}`, 'u')

/**
 * Where more marks follow one another than any script writes, as an index; -1 if nowhere. Sorting
 * such a run, as normalising does, takes a time that grows with the square of its length: seconds
 * for 50,000 marks.
 */
export function findLongMarkRun(text: string): number {
  return text.search(longRun)
}

/** A text in a normal form; one with such a run is left as it is. */
export function normalForm(text: string, form: 'NFC' | 'NFKC'): string {
  return findLongMarkRun(text) < 0 ? text.normalize(form) : text
}
