import type { FieldFault } from '#actors/values/fault_list.ts'

/** The formats of files that reference managers write. */
export type CitationFormat = 'bibtex' | 'ris' | 'json'

/** An entry as it was read from a file. */
export type ReadEntry = {
  /** Where it begins, from 1. */
  readonly line: number
  /** Its key in BibTeX; of other records, which have none, `record 3`. */
  readonly key: string
  /** The body of a creation, unchecked; undefined if the entry cannot be read. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** What cannot be read, by the names of the file's fields. */
  readonly faults: readonly FieldFault[]
  /** Sentences about what was left out or taken in another meaning. */
  readonly notes: readonly string[]
}

/** An entry that cannot be read. */
export function unreadable(
  place: Pick<ReadEntry, 'line' | 'key'>,
  faults: readonly FieldFault[],
): ReadEntry {
  return { ...place, body: undefined, faults, notes: [] }
}
