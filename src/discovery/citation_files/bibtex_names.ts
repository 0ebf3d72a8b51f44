import { readOrcid } from '#src/discovery/citation_files/addresses.ts'
import type { BibtexFields } from '#src/discovery/citation_files/bibtex_inheritance.ts'
import type { BibtexField } from '#src/discovery/citation_files/bibtex_syntax.ts'
import { type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { readLatex } from '#src/discovery/citation_files/latex.ts'
import { spellLetters } from '#src/discovery/citation_files/latex_signs.ts'
import { type NameList, readNameList } from '#src/discovery/citation_files/names.ts'
import type { SourceAuthor } from '#src/discovery/citation_files/work_draft.ts'

/** The names of a field, and the commands in it that print no text that we know. */
type NamesInLatex = { readonly list: NameList; readonly left: readonly string[] }

const withoutCommands: readonly string[] = []

/** The names of a field of names; of each, the ORCID iD that an annotation of the entry has. */
export function namesIn(
  field: BibtexField,
  fields: BibtexFields,
  notes: NoteList,
): NamesInLatex & { readonly names: readonly SourceAuthor[] } {
  const { name, line } = field
  const read = readOnce(field)
  const { list } = read
  for (const message of list.notes) {
    const isLoss = /left out/.test(message)
    notes.add(isLoss ? 'left_out' : 'taken_as', name, `${name}: ${message}`, { line, isLoss })
  }
  if (list.hasOthers) {
    const message = `There are more ${name}s than the entry names ("and others").`
    notes.add('left_out', name, message, { line })
  }
  return { ...read, names: withOrcids(name, list.names, fields, notes) }
}

/** Characters of a list from which on it is kept what was read of it: many entries inherit it. */
const longList = 2_000
const longReadings = new WeakMap<BibtexField, NamesInLatex>()

function readOnce(field: BibtexField): NamesInLatex {
  if (field.value.length < longList) return readNames(field.value)
  const known = longReadings.get(field)
  if (known !== undefined) return known
  const read = readNames(field.value)
  longReadings.set(field, read)
  return read
}

function readNames(value: string): NamesInLatex {
  let left: Set<string> | undefined
  const list = readNameList(spellLetters(value), (text) => {
    const read = readLatex(text)
    for (const command of read.left) left = (left ?? new Set<string>()).add(command)
    return read.text
  })
  return { list, left: left === undefined ? withoutCommands : [...left] }
}

function withOrcids(
  name: string,
  names: readonly SourceAuthor[],
  fields: BibtexFields,
  notes: NoteList,
): readonly SourceAuthor[] {
  const given = new Map<number, string>()
  let line: number | undefined
  for (const field of fields.values()) {
    if (!isAnnotation(field.name, name)) continue
    line ??= field.line
    for (const [place, text] of orcidsIn(field.value)) given.set(place, text)
  }
  if (given.size === 0) return names
  return names.map((each, index) => {
    const text = given.get(index + 1)
    const orcid = text === undefined ? undefined : readOrcid(text)
    if (text !== undefined && orcid === undefined) {
      const shown = each.literal ?? [each.given, each.family].filter(Boolean).join(' ')
      const message = `The ORCID iD of ${quote(shown)} is not a right one, and was left out.`
      notes.add('not_read', name, message, { line })
    }
    return orcid === undefined ? each : { ...each, orcid }
  })
}

/** Whether a field, such as `author+an:orcid`, tells something of the names of another one. */
export function isAnnotation(field: string, list: string): boolean {
  return field.startsWith(list) && field.startsWith('+an', list.length)
}

/** BibLaTeX's `1="0000-0002-1825-0097"; 2="…"`, by the places of names. */
export function orcidsIn(value: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const [, place, text = ''] of value.matchAll(/(\d{1,5})(?::\w+)?\s*=\s*"?([^";]+)"?/g)) {
    if (/\d{4}-?\d{4}-?\d{4}-?\d{3}[\dX]/i.test(text)) found.set(Number(place), text.trim())
  }
  return found
}
