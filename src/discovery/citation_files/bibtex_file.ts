import type { FieldFault } from '#actors/values/fault_list.ts'
import { foldWorkType, type WorkType, workTypeIn } from '#actors/values/work_type.ts'
import { readOrcid } from '#src/discovery/citation_files/addresses.ts'
import {
  type BibtexFields,
  type FindEntry,
  inheritFields,
} from '#src/discovery/citation_files/bibtex_inheritance.ts'
import { placedNames, readNumbers, rowsFor } from '#src/discovery/citation_files/bibtex_rows.ts'
import type { BibtexField, BibtexPart } from '#src/discovery/citation_files/bibtex_syntax.ts'
import {
  FieldNotes,
  NoteList,
  quote,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import { readDate, readDateParts, type SourceDate } from '#src/discovery/citation_files/dates.ts'
import {
  definedOf,
  readByRows,
  type SourceField,
} from '#src/discovery/citation_files/field_rows.ts'
import { readLatex, readVerbatim } from '#src/discovery/citation_files/latex.ts'
import { journals } from '#src/discovery/citation_files/latex_commands.ts'
import { type NameList, readNameList } from '#src/discovery/citation_files/names.ts'
import {
  draftBody,
  mergeReadings,
  type SourceAuthor,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'
import { containerOf } from '#src/discovery/formats/described_work.ts'

const entryCharactersMax = 500_000

/** Reads the entries of a BibTeX or BibLaTeX file, each on its own. */
export function readBibtex(parts: readonly BibtexPart[]): readonly ReadEntry[] {
  const entries = parts.filter(({ kind }) => kind === 'entry')
  const byKey = new Map<string, BibtexPart>()
  for (const entry of entries) {
    for (const key of [entry.key, ...aliasesOf(entry)]) {
      for (const name of [key, key.toLowerCase()]) if (!byKey.has(name)) byKey.set(name, entry)
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
  const ids = fields.find(({ name }) => name === 'ids')?.value.split(',') ?? []
  return ids.map((key) => key.trim()).filter((key) => key !== '')
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
  const work_type = workTypeOf(part.type, fields)
  const { kind } = containerOf({ metadata: { work_title: '', work_type } })
  const read = readByRows(
    sourceFields(part.type, fields, notes),
    rowsFor(kind, fields),
    part.type,
    notes,
  )
  const whole = mergeReadings([eventOf(fields, notes), read, ...numbersOf(fields, notes)])
  return {
    ...place,
    body: draftBody({ ...whole, work_type }, notes),
    faults: [],
    notes: notes.notes,
  }
}

/** The numbers of what holds the work. */
function numbersOf(fields: BibtexFields, notes: NoteList): readonly Partial<SourceWork>[] {
  return (['ISSN', 'ISBN'] as const).flatMap((scheme) => {
    const field = fields.get(scheme.toLowerCase())
    if (field === undefined) return []
    return [readNumbers(scheme, readLatex(field.value).text, new FieldNotes(notes, field))]
  })
}

/** The event that a work was made for, which holds what nothing else is said to hold. */
function eventOf(fields: BibtexFields, notes: NoteList): Partial<SourceWork> {
  const textIn = (name: string) => {
    const field = fields.get(name)
    return field === undefined ? undefined : readLatex(field.value).text
  }
  const name = textIn('eventtitle')
  if (name === undefined) {
    for (const part of ['venue', 'eventdate']) {
      const field = fields.get(part)
      if (field !== undefined) new FieldNotes(notes, field).leftOut()
    }
    return {}
  }
  const [start = '', end = ''] = textIn('eventdate')?.split('/') ?? []
  const dates = { start_date: readDate(start).date, end_date: readDate(end).date }
  return { container_title: name, event: definedOf({ name, place: textIn('venue'), ...dates }) }
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
  const empty = part.fields.filter(({ value }) => value.trim() === '').map(({ name }) => name)
  for (const field of part.fields) {
    if (field.value.trim() === '') continue
    const first = fields.get(field.name)
    if (first === undefined) fields.set(field.name, field)
    else if (first.value !== field.value) {
      const message = `It has ${field.name} more than once; the first one counts.`
      notes.add('repeated', field.name, message, { line: field.line })
    }
  }
  const named = [...new Set(empty)].filter((name) => !fields.has(name))
  if (named.length > 0) {
    notes.add('taken_as', named.join(', '), `Nothing stands in ${named.slice(0, 20).join(', ')}.`)
  }
  return fields
}

// Where a preprint stands that has no type of its own.
const vagueTypes = [
  'article',
  'misc',
  'online',
  'unpublished',
  'electronic',
  'techreport',
  'report',
]

function workTypeOf(type: string, fields: BibtexFields): WorkType {
  const known = workTypeIn('bibtex', type) ?? foldWorkType(type) ?? 'other'
  const journal = (fields.get('journaltitle') ?? fields.get('journal'))?.value
  const hasJournal = journal !== undefined && !/^CoRR$|^arXiv\b/i.test(journal)
  if (arxivId(fields) !== undefined && !hasJournal && vagueTypes.includes(type)) return 'preprint'
  const said = fields.get('type')?.value
  const isNamed = ['other', 'report', 'preprint'].includes(known)
  return (isNamed && said !== undefined ? foldWorkType(readLatex(said).text) : undefined) ?? known
}

const arxivNumber = String.raw`(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?`
const arxivForm = new RegExp(`^${arxivNumber}$`)
// `arXiv:1706.03762 [cs.CL]`, in a note or in place of a journal.
const arxivWords = new RegExp(
  `^(?:arXiv(?: e-prints?| preprint)?,? *)?arXiv: ?(${arxivNumber})(?: ?\\[[\\w.-]+\\])?$`,
  'i',
)

function arxivId(fields: BibtexFields): string | undefined {
  const archive = (fields.get('eprinttype') ?? fields.get('archiveprefix'))?.value ?? ''
  const given = fields.get('eprint') ?? fields.get('arxivid')
  const id = readVerbatim(given?.value ?? '').replace(/^arxiv:\s*/i, '')
  const isArxiv = /^arxiv$/i.test(readLatex(archive).text) || archive === ''
  if (given !== undefined) return isArxiv && arxivForm.test(id) ? id : undefined
  const said = ['note', 'journal', 'journaltitle'].map((name) => fields.get(name)?.value ?? '')
  return said.flatMap((text) => arxivWords.exec(text)?.[1] ?? [])[0]
}

function words(text: string): readonly string[] {
  return text.split(' ')
}

// Addresses are taken as they are, but for signs that were escaped for LaTeX.
const verbatimFields = new Set(words('url doi eprint file pdf urlraw'))
const nameFields = new Set(['author', 'editor', 'translator'])
const paragraphFields = new Set(['abstract'])
const bookTypes = words(
  'book mvbook booklet collection mvcollection proceedings mvproceedings reference mvreference ' +
    'manual periodical',
)

/** The fields of an entry as texts, names and dates. */
function sourceFields(type: string, fields: BibtexFields, notes: NoteList): readonly SourceField[] {
  const found: SourceField[] = []
  const add = (name: string, value: unknown, line?: number) => found.push({ name, value, line })
  const arxiv = arxivId(fields)
  const addresses = ['url', 'howpublished'].map((name) => fields.get(name)?.value ?? '')
  const isNamed = arxiv !== undefined && addresses.some((each) => each.includes(arxiv))
  // The address that a DOI has says nothing more than the DOI.
  const isAway = addresses.some((each) => isAddress(each) && !/\/\/(?:dx\.)?doi\.org\//.test(each))
  const isTaken = arxiv !== undefined && (isNamed || !isAway)
  for (const field of fields.values()) {
    const { name, value, line } = field
    if (isUsed(name, fields) || (isTaken && isArxivField(name, value))) continue
    if (name === 'note' && isSaid(value, fields)) continue
    if (name === 'address' && isPlaceOfMeeting(type, fields)) {
      const message = 'address is left out: without a publisher, it is where the conference was.'
      notes.add('left_out', name, message, { line })
      continue
    }
    const isPartTitle = name.endsWith('title') && name !== 'title'
    const subtitle = isPartTitle ? fields.get(name.replace(/title$/, 'subtitle')) : undefined
    if (subtitle !== undefined) {
      const whole = [value, subtitle.value].map((each) => readLatex(each).text).join(': ')
      add(name, whole, line)
    } else if (nameFields.has(name)) add(name, namesOf(name, fields, notes), line)
    else add(isUrlField(name, value) ? 'url' : name, textOf(field, notes), line)
  }
  if (isTaken && !isNamed)
    add('arxiv', `https://arxiv.org/abs/${arxiv}`, fields.get('eprint')?.line)
  const date = dateOf(fields, notes)
  if (date !== undefined) add('date', date.value, date.line)
  return found.filter(({ name, value }) => !isOwnTitle(type, name, value, found))
}

const arxivFields = new Set(
  words('eprint eprinttype archiveprefix primaryclass eprintclass arxivid'),
)
const dateFields = new Set(words('date year month day'))
const linkFields = new Set(words('crossref xdata ids'))

function isArxivField(name: string, value: string): boolean {
  return arxivFields.has(name) || (name === 'note' && arxivWords.test(value))
}

/** Whether a field has an address that others write as `url`; a note has it only as a whole. */
function isUrlField(name: string, value: string): boolean {
  if (name === 'note') return /^\s*(?:\\url\s*\{[^{}\s]+\}|https?:\/\/\S+)\s*$/.test(value)
  return name === 'howpublished' && isAddress(value)
}

function isAddress(value: string): boolean {
  return /https?:|www\.|\\url|\\href/i.test(value)
}

// Names that BibLaTeX has for types are no words for people.
function isWorkType(said: string): boolean {
  if (/thesis|diss|^pat(?:ent|req)\w*$|^\w+(?:report|cd)$/i.test(said)) return true
  return foldWorkType(readLatex(said).text) !== undefined
}

/** Whether a field is read together with another one. */
function isUsed(name: string, fields: BibtexFields): boolean {
  if (dateFields.has(name) || linkFields.has(name)) return true
  const [, list] = name.includes('+') ? (/^(\w+)\+an/.exec(name) ?? []) : []
  if (list !== undefined && nameFields.has(list)) return orcidsOf(fields.get(name)?.value).size > 0
  if (name === 'type') return isWorkType(fields.get(name)?.value ?? '')
  return /^(?:journal|book|main|issue)subtitle$/.test(name) && fields.has(name.replace('sub', ''))
}

/** Whether a note says again what other fields say, for styles that print none of them. */
function isSaid(note: string, fields: BibtexFields): boolean {
  const version = fields.get('version')?.value
  const names = ['booktitle', 'journal', 'journaltitle', 'series', 'eventtitle']
  const said = new Set([
    version === undefined ? '' : `Version ${readLatex(version).text}`,
    ...names.map((name) => readLatex(fields.get(name)?.value ?? '').text),
  ])
  return readLatex(note)
    .text.split('; ')
    .every((part) => said.has(part))
}

/** By BibTeX's own styles, papers have their publisher's address in `publisher` alone. */
function isPlaceOfMeeting(type: string, fields: BibtexFields): boolean {
  const isPaper = ['inproceedings', 'conference', 'proceedings'].includes(type)
  return isPaper && !publisherNames.some((name) => fields.has(name))
}

const publisherNames = ['publisher', 'organization', 'institution', 'school']

/** What BibTeX has a book say twice, so that its chapters can take it from there. */
function isOwnTitle(
  type: string,
  name: string,
  value: unknown,
  found: readonly SourceField[],
): boolean {
  if (name !== 'booktitle' || !bookTypes.includes(type)) return false
  return found.some((each) => each.name === 'title' && each.value === value)
}

function textOf(field: BibtexField, notes: NoteList): string {
  const { name, value, line } = field
  if (verbatimFields.has(name) || isUrlField(name, value)) return readVerbatim(value)
  const journal = name.startsWith('journal') ? journals.get(value.trim().slice(1)) : undefined
  if (journal !== undefined && value.trim().startsWith('\\')) return journal
  const form = paragraphFields.has(name) ? 'paragraphs' : 'line'
  const { text, left } = readOnce(field, (source) => readLatex(source, form))
  if (!isUnusedName(name)) noteLeft(name, left, line, notes)
  return text
}

/** Notes commands that print no text that we know; of very many, the first. */
function noteLeft(
  name: string,
  commands: readonly string[],
  line: number | undefined,
  notes: NoteList,
): void {
  if (commands.length === 0) return
  const what = `${name} has LaTeX that is no text, and stays or is dropped`
  const message = `${what}: ${commands.slice(0, 10).join(', ')}.`
  notes.add('taken_as', name, message, { line })
}

function isUnusedName(name: string): boolean {
  return !placedNames.has(name)
}

function namesOf(name: string, fields: BibtexFields, notes: NoteList): readonly SourceAuthor[] {
  const field = fields.get(name)
  const line = field?.line
  const { list, left } = field === undefined ? readNames('') : readOnce(field, readNames)
  noteLeft(name, left, line, notes)
  for (const message of list.notes) {
    const isLoss = /left out/.test(message)
    notes.add(isLoss ? 'left_out' : 'taken_as', name, `${name}: ${message}`, { line, isLoss })
  }
  if (list.hasOthers) {
    const what = name === 'author' ? 'authors' : 'editors'
    const message = `There are more ${what} than the entry names ("and others").`
    notes.add('left_out', name, message, { line })
  }
  return withOrcids(name, list.names, fields, notes)
}

function readNames(value: string): { readonly list: NameList; readonly left: readonly string[] } {
  const left = new Set<string>()
  const list = readNameList(value, (text) => {
    const read = readLatex(text)
    for (const command of read.left) left.add(command)
    return read.text
  })
  return { list, left: [...left] }
}

/** Characters of a value from which on it is kept what was read of it. */
const longValue = 2_000
const longReadings = new WeakMap<BibtexField, unknown>()

/** What a value says: a long one that many entries inherit is read once. */
function readOnce<T>(field: BibtexField, read: (value: string) => T): T {
  if (field.value.length < longValue) return read(field.value)
  const known = longReadings.get(field) as { readonly is: T } | undefined
  const reading = known ?? { is: read(field.value) }
  if (known === undefined) longReadings.set(field, reading)
  return reading.is
}

function withOrcids(
  name: string,
  names: readonly SourceAuthor[],
  fields: BibtexFields,
  notes: NoteList,
): readonly SourceAuthor[] {
  const annotations = [...fields.values()].filter((field) => field.name.startsWith(`${name}+an`))
  const given = new Map(annotations.flatMap(({ value }) => [...orcidsOf(value)]))
  if (given.size === 0) return names
  return names.map((each, index) => {
    const text = given.get(index + 1)
    const orcid = text === undefined ? undefined : readOrcid(text)
    const shown = each.literal ?? [each.given, each.family].filter(Boolean).join(' ')
    if (text !== undefined && orcid === undefined) {
      const message = `The ORCID iD of ${quote(shown)} is not a right one, and was left out.`
      notes.add('not_read', name, message, { line: annotations[0]?.line })
    }
    return orcid === undefined ? each : { ...each, orcid }
  })
}

/** BibLaTeX's `1="0000-0002-1825-0097"; 2="…"`, by the places of names. */
function orcidsOf(value = ''): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const [, place, text = ''] of value.matchAll(/(\d{1,5})(?::\w+)?\s*=\s*"?([^";]+)"?/g)) {
    if (/\d{4}-?\d{4}-?\d{4}-?\d{3}[\dX]/i.test(text)) found.set(Number(place), text.trim())
  }
  return found
}

/** The date of an entry, whichever fields have it. */
function dateOf(
  fields: BibtexFields,
  notes: NoteList,
): { readonly value: SourceDate & { text: string }; readonly line: number } | undefined {
  const textIn = (name: string) => {
    const field = fields.get(name)
    // EDTF has a ~ behind what is not certain, where LaTeX has a space.
    const isGuess = name === 'date' && /\d~\s*$/.test(field?.value ?? '')
    return field === undefined ? undefined : `${readLatex(field.value).text}${isGuess ? '~' : ''}`
  }
  const [whole, year] = [fields.get('date'), fields.get('year')]
  const field = whole ?? year ?? fields.get('month')
  if (field === undefined) return undefined
  const [date, ofYear = ''] = [textIn('date'), textIn('year')]
  const text = date ?? [ofYear, textIn('month'), textIn('day')].filter(Boolean).join(' ')
  const read =
    date === undefined ? readDateParts(ofYear, textIn('month'), textIn('day')) : readDate(date)
  if (date !== undefined && year !== undefined && !(read.date ?? '').startsWith(ofYear)) {
    const message = `year "${quote(ofYear)}" is left out: date counts.`
    notes.add('repeated', 'year', message, { line: year.line })
  }
  return { value: { ...read, text }, line: field.line }
}
