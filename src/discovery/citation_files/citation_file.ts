import type { CitationFormat, ReadEntry } from '#src/discovery/citation_files/citation_entry.ts'
import { readInThread } from '#src/discovery/citation_files/citation_thread.ts'
import { explainFault } from '#src/discovery/citation_files/entry_fault.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

/** Bytes of a file, and entries in it, at most. */
export const citationBytesMax = 8 * 1_048_576
export const citationEntriesMax = 1_000

/** An entry of a file as it can be registered, or what keeps it from being. */
export type CitationEntry = {
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** Its key in BibTeX; of other records, which have none, `record 3`. */
  readonly key: string
  /** What `POST /v1/works` takes if there are no faults; undefined if it cannot be read. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** By the names of the file's fields; none if the entry can be registered. */
  readonly faults: readonly FieldFault[]
  /** Sentences about what was left out or taken in another meaning. */
  readonly notes: readonly string[]
}

/** A file that was read, or why it was not: a sentence. */
export type CitationFile =
  | {
      readonly type: 'read'
      readonly format: CitationFormat
      readonly entries: readonly CitationEntry[]
    }
  | {
      readonly type: 'too_large' | 'too_many' | 'too_slow' | 'not_text' | 'unknown_format' | 'busy'
      readonly message: string
    }

/**
 * Reads a file of BibTeX, RIS or JSON (CSL-JSON, or what Crossref and DataCite give for a DOI) in
 * UTF-8, each entry on its own; in a thread of its own, so that a file that takes too long or too
 * much keeps nobody up. Fetches nothing.
 */
export async function readCitationFile(bytes: Uint8Array): Promise<CitationFile> {
  if (bytes.length > citationBytesMax) {
    return refusal('too_large', `The file has more than ${citationBytesMax / 1_048_576} MiB.`)
  }
  const text = decode(bytes)
  if (text === undefined) {
    return refusal('not_text', 'The file is not text in UTF-8: save it in this encoding.')
  }
  const format = formatOf(text)
  if (format === undefined) {
    return refusal('unknown_format', noEntry)
  }
  const answer = await readInThread({ text, format, entriesMax: citationEntriesMax })
  switch (answer.type) {
    case 'read':
      return {
        type: 'read',
        format,
        entries: answer.entries.map((each) => checkEntry(each, format)),
      }
    case 'too_many': {
      const { count } = answer
      const message = `The file has ${count} entries: import ${citationEntriesMax} at a time.`
      return refusal('too_many', message)
    }
    case 'unreadable':
      return refusal('unknown_format', noEntry)
    case 'too_slow':
      return refusal('too_slow', 'The file takes too long to read: import it in parts.')
    case 'busy':
      return refusal('busy', 'Too many files are being read: try again in a minute.')
  }
}

const noEntry =
  'There is no entry of BibTeX, such as @article{key, …}, none of RIS, which begins with ' +
  '"TY  - ", and no record of CSL-JSON, Crossref or DataCite.'

type Refusal = Exclude<CitationFile, { type: 'read' }>

function refusal(type: Refusal['type'], message: string): Refusal {
  return { type, message }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    // It drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.replace(/\r\n?/g, '\n')
  } catch {
    return undefined
  }
}

function formatOf(text: string): CitationFormat | undefined {
  if (/^\s*[[{]/.test(text)) return 'json'
  if (/^[ \t]*TY {1,2}-/m.test(text)) return 'ris'
  return /^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]/m.test(text) ? 'bibtex' : undefined
}

function checkEntry(entry: ReadEntry, format: CitationFormat): CitationEntry {
  if (entry.body === undefined) return entry
  const check = checkNewWork(entry.body)
  if (check.type === 'ok') return entry
  return { ...entry, faults: check.faults.map((fault) => explainFault(fault, format)) }
}
