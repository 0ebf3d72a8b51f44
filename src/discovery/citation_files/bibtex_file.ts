import type { FieldFault } from '#actors/values/fault_list.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { sourceFields } from '#src/discovery/citation_files/bibtex_fields.ts'
import {
  type BibtexFields,
  type FindEntry,
  inheritFields,
  keysIn,
} from '#src/discovery/citation_files/bibtex_inheritance.ts'
import { readNumbers, rowsFor } from '#src/discovery/citation_files/bibtex_rows.ts'
import type { BibtexField, BibtexPart } from '#src/discovery/citation_files/bibtex_syntax.ts'
import { arxivId, workTypeOf } from '#src/discovery/citation_files/bibtex_type.ts'
import {
  FieldNotes,
  NoteList,
  quote,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import { readDate } from '#src/discovery/citation_files/dates.ts'
import { readByRows } from '#src/discovery/citation_files/field_rows.ts'
import { readLatex } from '#src/discovery/citation_files/latex.ts'
import {
  draftBody,
  mergeReadings,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'
import { containerKindOf } from '#src/discovery/formats/described_work.ts'

const entryCharactersMax = 500_000

/** Reads the entries of a BibTeX or BibLaTeX file, each on its own. */
export function readBibtex(parts: readonly BibtexPart[]): readonly ReadEntry[] {
  const byKey = new Map<string, BibtexPart>()
  for (const entry of parts) {
    if (entry.kind !== 'entry') continue
    for (const key of [entry.key, ...aliasesOf(entry)]) {
      if (!byKey.has(key)) byKey.set(key, entry)
      const lower = key.toLowerCase()
      if (!byKey.has(lower)) byKey.set(lower, entry)
    }
  }
  const find: FindEntry = (key) => byKey.get(key) ?? byKey.get(key.toLowerCase())
  return parts.flatMap((part) => {
    if (part.kind === 'string') return stringFaults(part)
    return part.kind === 'entry' && !isNoWork(part) ? [readEntry(part, find)] : []
  })
}

// Containers of data and sets are no works; what they say is in the entries that name them.
function isNoWork({ type, isClosed }: BibtexPart): boolean {
  return isClosed && (type === 'xdata' || type === 'set')
}

function aliasesOf({ fields }: BibtexPart): readonly string[] {
  const ids = fields.find(({ name }) => name === 'ids')
  return ids === undefined ? [] : keysIn(ids.value)
}

function stringFaults(part: BibtexPart): readonly ReadEntry[] {
  const fault = formFault(part)
  return fault === undefined ? [] : [unreadable({ line: part.line, key: '@string' }, [fault])]
}

function formFault({ line, length, isClosed }: BibtexPart): FieldFault | undefined {
  if (!isClosed) {
    const message = `The braces that begin on line ${line} are not closed: a } is missing.`
    return { field: '', code: 'not_closed', message }
  }
  if (length <= entryCharactersMax) return undefined
  const message = `The entry has more than ${entryCharactersMax} characters.`
  return { field: '', code: 'too_long', message }
}

function readEntry(part: BibtexPart, find: FindEntry): ReadEntry {
  const place = { line: part.line, key: part.key }
  const fault = formFault(part)
  if (fault !== undefined) return unreadable(place, [fault])
  const notes = new NoteList(part.line)
  noteForm(part, find, notes)
  const fields = inheritFields(part, ownFields(part, notes), find, notes)
  const arxiv = arxivId(fields)
  const work_type = workTypeOf(part.type, fields, arxiv, notes)
  const sources = sourceFields(part.type, fields, arxiv, notes)
  const rows = rowsFor(containerKindOf(work_type), sources)
  const read = readByRows(sources, rows, part.type, notes)
  const further = [...eventOf(fields, notes), ...numbersOf(fields, notes)]
  const whole = further.length === 0 ? read : mergeReadings([...further, read])
  return {
    ...place,
    body: draftBody({ ...whole, work_type }, notes),
    faults: [],
    notes: notes.notes,
  }
}

/** Notes what is not as BibTeX has it. */
function noteForm(part: BibtexPart, find: FindEntry, notes: NoteList): void {
  for (const { field, line, message, isLoss } of part.remarks) {
    notes.add(isLoss ? 'not_read' : 'taken_as', field, message, { line, isLoss })
  }
  if (part.key === '') notes.add('taken_as', '', 'The entry has no key.')
  else if (find(part.key) !== part) {
    notes.add('taken_as', '', `Another entry before this one has the key ${quote(part.key)}.`)
  }
}

/** The fields of an entry; of those that it has more than once, the first that says something. */
function ownFields(part: BibtexPart, notes: NoteList): BibtexFields {
  const fields = new Map<string, BibtexField>()
  const empty = new Set<string>()
  for (const field of part.fields) {
    const { name, value } = field
    if (isBlank(value)) {
      empty.add(name)
      continue
    }
    const first = fields.get(name)
    if (first === undefined) fields.set(name, field)
    else if (first.value !== value) {
      const message = `It has ${name} more than once; the first one counts.`
      notes.add('repeated', name, message, { line: field.line })
    }
  }
  if (empty.size > 0)
    noteEmpty(
      [...empty].filter((name) => !fields.has(name)),
      notes,
    )
  return fields
}

function isBlank(value: string): boolean {
  return value === '' || (value.charCodeAt(0) <= 0x20 && value.trim() === '')
}

function noteEmpty(names: readonly string[], notes: NoteList): void {
  if (names.length === 0) return
  notes.add('taken_as', names.join(', '), `Nothing stands in ${names.slice(0, 20).join(', ')}.`)
}

// The linking ISSN is one of the others.
const numberFields = [
  ['issn', 'ISSN'],
  ['eissn', 'ISSN'],
  ['isbn', 'ISBN'],
  ['isbn-13', 'ISBN'],
] as const

/** The numbers of what holds the work. */
function numbersOf(fields: BibtexFields, notes: NoteList): readonly Partial<SourceWork>[] {
  const found: Partial<SourceWork>[] = []
  for (const [name, scheme] of numberFields) {
    const field = fields.get(name)
    if (field === undefined) continue
    const text = readLatex(field.value).text
    found.push(readNumbers(scheme, text, new FieldNotes(notes, field)))
  }
  return found
}

/** The event that a work was made for, which holds what nothing else is said to hold. */
function eventOf(fields: BibtexFields, notes: NoteList): readonly Partial<SourceWork>[] {
  const name = textIn('eventtitle', fields)
  if (name === undefined) {
    for (const part of ['venue', 'eventdate']) {
      const field = fields.get(part)
      if (field !== undefined) new FieldNotes(notes, field).leftOut()
    }
    return []
  }
  const [start = '', end = ''] = textIn('eventdate', fields)?.split('/') ?? []
  const dates = { start_date: readDate(start).date, end_date: readDate(end).date }
  const event = definedOf({ name, place: textIn('venue', fields), ...dates })
  return [{ container_title: name, event }]
}

function textIn(name: string, fields: BibtexFields): string | undefined {
  const field = fields.get(name)
  return field === undefined ? undefined : readLatex(field.value).text
}
