import path from 'node:path'

import { type EntryGroup, type ImportEntry, lineBytesMax } from '#src/cli/import_batch.ts'
import { headBytesMax, headFormat, readStream, unfindable } from '#src/cli/import_entries.ts'
import { type CollectedFile, type Collection, peek } from '#src/cli/import_source.ts'
import { readLines } from '#src/cli/line_reader.ts'
import type { CitationEntry } from '#src/discovery/citation_files/citation_file.ts'

/** How the lists begin that DataCite's dumps have beside their records. */
const stateListHeader = 'doi,state,client_id,updated'

/** Files of a dump that have no records. */
const otherFiles = /^(?:MANIFEST|README|LICENSE|CHECKSUMS?|(?:SHA256|MD5)SUMS)(?:\.\w+)?$|^\./i

/**
 * The entries of all files of a folder or an archive, in groups as they come, each with its file;
 * those before `filesDone` are passed over. A file that cannot be read is an entry that fails.
 */
export async function* readCollection(
  { files }: Collection,
  filesDone: number,
): AsyncGenerator<EntryGroup> {
  for await (const file of files) {
    const { index, name } = file
    if (index < filesDone || otherFiles.test(path.basename(name))) continue
    for await (const entries of readFile(file)) yield { file: { index, name }, entries }
  }
}

async function* readFile({ name, text }: CollectedFile): AsyncGenerator<readonly ImportEntry[]> {
  const { head, all } = await peek(text, headBytesMax)
  const beginning = head.toString('utf8').replace(/^\ufeff/, '')
  if (beginning.startsWith(stateListHeader)) yield* readStates(all)
  else if (beginning.trim() !== '') {
    const format = headFormat(name, beginning)
    if (format === undefined && beginning.trimStart().startsWith('{')) yield* readWorks(all)
    else if (format === 'bibtex' || format === 'csv' || format === undefined) {
      yield [refused(name, 'is not read in a folder or an archive: import it by itself.')]
    } else yield* readStream(all, format)
  }
  // What is behind it in an archive is read once this is.
  for await (const _ of all) continue
}

/** Works as the interface takes them, one a line; what they are, the registry says. */
async function* readWorks(text: AsyncIterable<Buffer>): AsyncGenerator<readonly CitationEntry[]> {
  for await (const lines of readLines(text, lineBytesMax)) {
    yield lines.map(({ number: line, bytes }) => {
      const place = { line, key: `line ${line}`, notes: [] }
      const body = bytes && objectIn(bytes.toString('utf8'))
      if (body !== undefined) return { ...place, body, faults: [] }
      const message = `The line is not one JSON object of at most ${lineBytesMax} bytes.`
      return { ...place, body, faults: [{ field: '', code: 'not_readable', message }] }
    })
  }
}

function objectIn(text: string): CitationEntry['body'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as NonNullable<CitationEntry['body']>)
      : undefined
  } catch {
    return undefined
  }
}

function refused(name: string, why: string): CitationEntry {
  const fault = { field: '', code: 'not_readable', message: `${name} ${why}` }
  return { line: 1, key: path.basename(name), body: undefined, faults: [fault], notes: [] }
}

/** The DOIs of a list that have no record in the dump, because nobody can find them. */
async function* readStates(text: AsyncIterable<Buffer>): AsyncGenerator<readonly CitationEntry[]> {
  for await (const lines of readLines(text, lineBytesMax)) {
    yield lines.slice(Number(lines[0]?.number === 1)).flatMap(({ number: line, bytes }) => {
      const [doi = '', state = ''] = bytes?.toString('utf8').split(',') ?? []
      return state === 'findable' ? [] : [unfindable({ line, key: doi }, state)]
    })
  }
}
