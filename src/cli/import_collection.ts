import path from 'node:path'

import {
  type EntryGroup,
  type ImportEntry,
  lineBytesMax,
  readEntryOf,
} from '#src/cli/import_batch.ts'
import { headBytesMax, headFormat, readStream } from '#src/cli/import_entries.ts'
import { type CollectedFile, type Collection, peek } from '#src/cli/import_source.ts'
import { readLines } from '#src/cli/line_reader.ts'
import { unfindable } from '#src/discovery/citation_files/record_line.ts'

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
    if (format === 'bibtex' || format === 'csv' || format === undefined) {
      yield [refused(name, 'is not read in a folder or an archive: import it by itself.')]
    } else yield* readStream(all, format)
  }
  // What is behind it in an archive is read once this is.
  for await (const _ of all) continue
}

function refused(name: string, why: string): ImportEntry {
  const key = path.basename(name)
  const fault = { field: '', code: 'not_readable', message: `${name} ${why}` }
  return { line: 1, key, form: 'record', bytes: undefined, faults: [fault], notes: [] }
}

/** The DOIs of a list that have no record in the dump, because nobody can find them. */
async function* readStates(text: AsyncIterable<Buffer>): AsyncGenerator<readonly ImportEntry[]> {
  for await (const lines of readLines(text, lineBytesMax)) {
    yield lines.slice(Number(lines[0]?.number === 1)).flatMap(({ number: line, bytes }) => {
      const [doi = '', state = ''] = bytes?.toString('utf8').split(',') ?? []
      return state === 'findable'
        ? []
        : [readEntryOf(unfindable({ line, key: doi }, state), 'json')]
    })
  }
}
