import type { ExecutionContext } from 'ava'

import {
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'

// Tests that run at once would be more than may wait for a thread.
let lastRead: Promise<unknown> = Promise.resolve()

/** The entries of a file that can be read. */
export async function readEntries(
  t: ExecutionContext,
  text: string,
): Promise<readonly CitationEntry[]> {
  const reading = lastRead.then(() => readCitationFile(Buffer.from(text)))
  lastRead = reading.catch(() => undefined)
  const file = await reading
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
