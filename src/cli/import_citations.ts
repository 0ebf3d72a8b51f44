import fs from 'node:fs/promises'

import {
  citationBytesMax,
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'
import type { Batch, ImportFailure, WorkLine } from '#src/cli/import_batch.ts'
import { UnusableError } from '#src/cli/program.ts'

/** Entries of one call. */
const batchEntriesMax = 500

/** Whether a file is one of a reference manager, by its name. */
export function isCitationFile(file: string): boolean {
  return /\.(?:bib|ris)$/i.test(file)
}

/**
 * Gathers the entries of a BibTeX or RIS file into batches, after the first `entriesDone`. Entries
 * are counted where lines are of other files: several can stand on one. UnusableError if the file
 * cannot be read.
 */
export async function* readCitationBatches(
  file: string,
  entriesDone: number,
): AsyncGenerator<Batch> {
  const { size } = await fs.stat(file)
  // One byte more than it may have is enough to be refused.
  const bytes =
    size > citationBytesMax ? Buffer.alloc(citationBytesMax + 1) : await fs.readFile(file)
  const read = await readCitationFile(bytes)
  if (read.type !== 'read') throw new UnusableError(read.message)
  for (let start = entriesDone; start < read.entries.length; start += batchEntriesMax) {
    const end = Math.min(start + batchEntriesMax, read.entries.length)
    const works: WorkLine[] = []
    const failures: ImportFailure[] = []
    for (const [index, entry] of read.entries.slice(start, end).entries()) {
      const failure = failureOf(entry)
      if (failure !== undefined) failures.push(failure)
      else works.push(workLine(entry, start + index + 1))
    }
    yield { works, failures, lastLine: end }
  }
}

function workLine({ line, body }: CitationEntry, number: number): WorkLine {
  return { number, line, bytes: Buffer.from(JSON.stringify(body)) }
}

function failureOf({ line, key, faults }: CitationEntry): ImportFailure | undefined {
  if (faults.length === 0) return undefined
  const reasons = faults.map(({ message }) => message).join(' ')
  return { line, status: 422, error: 'validation_failed', message: `${key}: ${reasons}` }
}
