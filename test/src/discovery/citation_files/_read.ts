import type { ExecutionContext } from 'ava'

import {
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'

/** The entries of a file that can be read. */
export async function readEntries(
  t: ExecutionContext,
  text: string,
): Promise<readonly CitationEntry[]> {
  const file = await readCitationFile(Buffer.from(text))
  if (file.type !== 'read') return t.fail(`${file.type}: ${file.message}`)
  return file.entries
}

/** The only entry of a file. */
export async function readEntry(t: ExecutionContext, text: string): Promise<CitationEntry> {
  const [entry, ...others] = await readEntries(t, text)
  if (entry === undefined || others.length > 0) return t.fail(`${others.length} others`)
  return entry
}

/** The sentences of the notes on an entry. */
export function messagesOf(entry: CitationEntry | undefined): readonly string[] {
  return entry?.notes.map(({ message }) => message) ?? []
}
