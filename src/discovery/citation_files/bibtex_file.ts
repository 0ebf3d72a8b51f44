import type { FieldFault } from '#actors/values/fault_list.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { foldWorkType, type WorkType, workTypeIn } from '#actors/values/work_type.ts'
import { readOrcid } from '#src/discovery/citation_files/addresses.ts'
import {
  type BibtexFields,
  type FindEntry,
  inheritFields,
  keysIn,
} from '#src/discovery/citation_files/bibtex_inheritance.ts'
import {
  partTypes,
  placedNames,
  readNumbers,
  rowsFor,
} from '#src/discovery/citation_files/bibtex_rows.ts'
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
  isPageCount,
  isUnknown,
  readByRows,
  type SourceField,
} from '#src/discovery/citation_files/field_rows.ts'
import {
  latexMarkup,
  type LatexText,
  readLatex,
  readVerbatim,
} from '#src/discovery/citation_files/latex.ts'
import { decodeEntities } from '#src/discovery/citation_files/entities.ts'
import { journals } from '#src/discovery/citation_files/latex_commands.ts'
import { spellLetters } from '#src/discovery/citation_files/latex_signs.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { type NameList, readNameList } from '#src/discovery/citation_files/names.ts'
import {
  draftBody,
  mergeReadings,
  type SourceAuthor,
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
  if (empty.size === 0) return fields
  // What an abbreviation that nothing defines left empty is told of already.
  const told = new Set([...fields.keys(), ...part.remarks.map(({ field }) => field)])
  noteEmpty(
    [...empty].filter((name) => !told.has(name)),
    notes,
  )
  return fields
}

function isBlank(value: string): boolean {
  return value === '' || (value.charCodeAt(0) <= 0x20 && value.trim() === '') || isUnknown(value)
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

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const nameFields = ['author', 'editor', 'translator', 'holder', 'advisor', 'supervisor']
// Addresses are taken as they are, but for signs that were escaped for LaTeX.
const verbatimFields = words(
  'url doi eprint file pdf urlraw repository swhid hdl link ee adsurl bdsk-url-1',
)
// Those that are read with others.
const sharedFields = words('date year month day crossref xdata ids')
const bookTypes = words(
  'book mvbook booklet collection mvcollection proceedings mvproceedings reference mvreference ' +
    'manual periodical',
)
// Of these, programs write into `pages` how many there are.
const wholeTypes = words(
  'book mvbook booklet collection mvcollection reference phdthesis mastersthesis thesis ' +
    'unpublished',
)
const publisherFields = ['publisher', 'organization', 'institution', 'school']

/** The fields of an entry as texts, names and dates; `arxiv` is its identifier there. */
function sourceFields(
  type: string,
  fields: BibtexFields,
  arxiv: string | undefined,
  notes: NoteList,
): readonly SourceField[] {
  const found: SourceField[] = []
  const address = arxiv === undefined ? undefined : arxivAddress(arxiv, fields)
  const archived = address === undefined ? archivedAs(arxiv, fields) : undefined
  const isArchived = (address ?? archived) !== undefined
  for (const field of fields.values()) {
    if (isArchived && isArchiveField(field, arxiv)) continue
    const read = readField(field, type, fields, notes)
    if (read !== undefined) found.push(read)
  }
  if (address !== undefined && address !== '') {
    found.push({ name: 'arxiv', value: address, line: fields.get('eprint')?.line })
  }
  if (archived !== undefined) found.push({ ...archived, line: fields.get('eprint')?.line })
  if (type === 'mastersthesis' && !fields.has('type')) {
    found.push({ name: 'type', value: mastersThesis })
  }
  const date = dateOf(fields, notes)
  if (date !== undefined) found.push(date)
  takeSpareAddress(found, notes)
  nameOrganization(type, fields, found, notes)
  const booktitle = fields.get('booktitle')?.value
  const isBook = bookTypes.has(type) || (type === 'inbook' && !fields.has('title'))
  const isSame = !partTypes.includes(type) && booktitle === fields.get('title')?.value
  return booktitle !== undefined && (isBook || isSame) ? withoutBooktitle(found, notes) : found
}

const mastersThesis = "Master's thesis"

const addressNames = words('doi url link ee arxiv pdf')
const spareNames = words('adsurl bdsk-url-1')

/** Where nothing else leads to the work, an address that a program has added does. */
function takeSpareAddress(found: SourceField[], notes: NoteList): void {
  if (found.some(({ name }) => addressNames.has(name))) return
  const at = found.findIndex(({ name }) => spareNames.has(name))
  const spare = found[at]
  if (spare === undefined) return
  const message = `It has no address: ${spare.name} is taken for it.`
  notes.add('taken_as', spare.name, message, { line: spare.line })
  found[at] = { ...spare, name: 'url' }
}

const doiAddresses = /https?:\/\/(?:dx\.)?doi\.org\/\S*/gi

/**
 * The address at arXiv, unless the entry is somewhere else; empty if the entry has it. The address
 * that a DOI has says nothing more than the DOI.
 */
function arxivAddress(arxiv: string, fields: BibtexFields): string | undefined {
  const addresses = ['url', 'howpublished'].map((name) => fields.get(name)?.value ?? '')
  if (addresses.some((each) => each.includes(arxiv))) return ''
  const isAway = addresses.some((each) => isAddress(each.replace(doiAddresses, '')))
  return isAway ? undefined : `https://arxiv.org/abs/${arxiv}`
}

// What BibLaTeX and others call archives, by the type of the identifiers that they give.
const archives: Readonly<Record<string, string>> = closedTable({
  googlebooks: 'Google Books',
  hal: 'HAL',
  hdl: 'Handle',
  jstor: 'JSTOR',
  pubmed: 'PMID',
})

/**
 * What an archive calls the work, where its address does not say it: by `eprinttype`, or at arXiv.
 * Journals name the address of their file there.
 */
function archivedAs(arxiv: string | undefined, fields: BibtexFields): SourceField | undefined {
  if (arxiv !== undefined) {
    const isInDoi = fields.get('doi')?.value.toLowerCase().includes(`arxiv.${arxiv}`) === true
    return { name: 'eprint', value: isInDoi ? [] : [{ identifier: arxiv, type: 'arXiv' }] }
  }
  const identifier = readVerbatim(fields.get('eprint')?.value ?? '').text
  if (/^https?:/i.test(identifier)) return { name: 'pdf', value: identifier }
  const archive = textIn('eprinttype', fields) ?? textIn('archiveprefix', fields) ?? ''
  if (identifier === '' || archive === '') return undefined
  const type = archives[archive.toLowerCase()] ?? archive
  return { name: 'eprint', value: [{ identifier, type }] }
}

function readField(
  field: BibtexField,
  type: string,
  fields: BibtexFields,
  notes: NoteList,
): SourceField | undefined {
  const { name, value, line } = field
  if (isUsed(field, fields)) return undefined
  if (nameFields.includes(name)) {
    const { names, left } = namesIn(field, fields, notes)
    noteLeft(field, left, notes)
    return { name, value: names, line }
  }
  if (name === 'type' && /^\s*mathesis\s*$/.test(value)) return { name, value: mastersThesis, line }
  const isUrl = isUrlField(name, value)
  if (isUrl || verbatimFields.has(name)) {
    const { text, left } = readVerbatim(value)
    if (placedNames.has(name)) noteLeft(field, left, notes)
    return { name: isUrl ? 'url' : name, value: text, line }
  }
  if (name === 'address' && isPlaceOfMeeting(type, fields)) {
    const message = 'address is left out: it is where the conference was, and not its publisher.'
    notes.add('left_out', name, message, { line })
    return undefined
  }
  const subtitle = isPartTitle(name)
    ? fields.get(`${name.slice(0, -'title'.length)}subtitle`)
    : undefined
  if (subtitle === undefined) {
    const text = textOf(field, notes)
    if (name === 'pages' && wholeTypes.has(type) && isPageCount(text) && !fields.has('pagetotal')) {
      return { name: 'pagetotal', value: text, line }
    }
    if (name !== 'title' && name !== 'abstract') return { name, value: text, line }
    // Marks of HTML are read by the row, with those of LaTeX in them.
    const isMarked = text.includes('<') && plainText(text, formOf(name)) !== text
    const markup = isMarked ? undefined : latexMarkup(value, text, formOf(name))
    return { name, value: text, line, markup }
  }
  const whole = `${readLatex(value).text}: ${readLatex(subtitle.value).text}`
  return { name, value: whole, line }
}

/** `booktitle`, and not `title`. */
function isPartTitle(name: string): boolean {
  return name.length > 'title'.length && name.endsWith('title')
}

/** Whether a field has an address that others write as `url`; a note has it only as a whole. */
function isUrlField(name: string, value: string): boolean {
  if (name === 'note') return wholeUrl.test(value)
  return name === 'howpublished' && isAddress(value)
}

const wholeUrl = /^\s*(?:\\url\s*\{(?:[^{}\s]|\{[^{}\s]{0,20}\})+\}|https?:\/\/\S+)\s*$/

function isAddress(value: string): boolean {
  return /https?:|www\.|\\url|\\href/i.test(value)
}

/** Whether a field is read together with another one, or says what that says. */
function isUsed({ name, value }: BibtexField, fields: BibtexFields): boolean {
  if (sharedFields.has(name)) return true
  if (name === 'type') return isWorkType(value)
  if (name === 'note') return isSaid(value, fields)
  if (name.endsWith('subtitle')) {
    return isSubtitleOfPart.test(name) && fields.has(name.replace('sub', ''))
  }
  if (!name.includes('+')) return false
  return nameFields.some((list) => isAnnotation(name, list)) && orcidsIn(value).size > 0
}

const isSubtitleOfPart = /^(?:journal|book|main|issue)subtitle$/
const containers = ['booktitle', 'journal', 'journaltitle', 'series', 'eventtitle']

/** Whether a note says again what other fields say, for styles that print none of them. */
function isSaid(note: string, fields: BibtexFields): boolean {
  const said = new Set(containers.map((name) => readLatex(fields.get(name)?.value ?? '').text))
  const version = fields.get('version')
  if (version !== undefined) said.add(`Version ${readLatex(version.value).text}`)
  const parts = readLatex(note).text.split('; ')
  return parts.every((part) => said.has(part))
}

/**
 * By BibTeX's own styles, papers have their publisher's address in `publisher` alone; so have those
 * of the ACL Anthology, and few others that name one.
 */
function isPlaceOfMeeting(type: string, fields: BibtexFields): boolean {
  if (type !== 'inproceedings' && type !== 'conference' && type !== 'proceedings') return false
  if (!publisherFields.some((name) => fields.has(name))) return true
  return /aclanthology\.org|aclweb\.org/.test(fields.get('url')?.value ?? '')
}

/** What BibTeX has a book say twice, so that its chapters can take it from there, counts once. */
function withoutBooktitle(found: readonly SourceField[], notes: NoteList): readonly SourceField[] {
  const textOfValue = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : '')
  const title = found.find(({ name }) => name === 'title')?.value
  if (title === undefined) {
    return found.map((each) => (each.name === 'booktitle' ? { ...each, name: 'title' } : each))
  }
  const own = textOfValue(title)
  return found.filter(({ name, value, line }) => {
    if (name !== 'booktitle') return true
    const other = textOfValue(value)
    const isLoss = !own.includes(other) && !other.includes(own)
    const message = 'booktitle is left out: it is what parts of the book call it; title counts.'
    if (other !== own) notes.add('repeated', name, message, { line, isLoss })
    return false
  })
}

// Which field has who is named where nobody else is.
const reports = words('manual report techreport standard')

/** BibTeX's styles print the organization where a work names no person. */
function nameOrganization(
  type: string,
  fields: BibtexFields,
  found: SourceField[],
  notes: NoteList,
): void {
  if (fields.has('author') || fields.has('editor')) return
  const institution = reports.has(type) ? fields.get('institution') : undefined
  const field = fields.get('organization') ?? institution
  if (field === undefined) return
  const { name, line } = field
  notes.add('taken_as', name, `It has no author: ${name} is taken for it.`, { line })
  found.push({ name: 'author', value: [{ literal: readLatex(field.value).text }], line })
}

function textOf(field: BibtexField, notes: NoteList): string {
  const { name, value } = field
  if (name.startsWith('journal') && value.trimStart().startsWith('\\')) {
    const journal = journals.get(value.trim().slice(1))
    if (journal !== undefined) return journal
  }
  const { text, left } = readOnce(readTexts, field, (source) => {
    return readLatex(isListOfBraced(name, source) ? withSemicolons(source) : source, formOf(name))
  })
  if (left.length > 0 && placedNames.has(name)) noteLeft(field, left, notes)
  return text
}

/** Whether a list of keywords has a comma in braces, which parts nothing. */
function isListOfBraced(name: string, source: string): boolean {
  return name.startsWith('keyword') && !source.includes(';') && /\{[^{},]*,/.test(source)
}

/** A list with semicolons in place of the commas that stand in no braces. */
function withSemicolons(source: string): string {
  let depth = 0
  return source.replace(/\\[^]|[{},]/g, (sign) => {
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    return sign === ',' && depth === 0 ? ';' : sign
  })
}

function formOf(name: string): 'line' | 'paragraphs' {
  return name === 'abstract' ? 'paragraphs' : 'line'
}

/** Notes commands that print no text that we know; of very many, the first. */
function noteLeft({ name, line }: BibtexField, commands: readonly string[], notes: NoteList): void {
  if (commands.length === 0) return
  const what = `${name} has LaTeX that is no text, and stays or is dropped`
  const message = `${what}: ${commands.slice(0, 10).join(', ')}.`
  notes.add('taken_as', name, message, { line })
}

/** Characters of a value from which on it is kept what was read of it: many entries inherit it. */
const longValue = 2_000
const readTexts = new WeakMap<BibtexField, LatexText>()
const readLists = new WeakMap<BibtexField, NamesInLatex>()

function readOnce<T>(
  known: WeakMap<BibtexField, T>,
  field: BibtexField,
  read: (value: string) => T,
): T {
  if (field.value.length < longValue) return read(field.value)
  const kept = known.get(field)
  if (kept !== undefined) return kept
  const made = read(field.value)
  known.set(field, made)
  return made
}

/** The date of an entry, whichever fields have it. */
function dateOf(fields: BibtexFields, notes: NoteList): SourceField | undefined {
  const date = fields.get('date')
  const year = fields.get('year')
  const month = fields.get('month')
  const line = (date ?? year ?? month)?.line
  if (line === undefined) return undefined
  const ofYear = year === undefined ? '' : yearsOf(readLatex(year.value).text)
  if (date === undefined) {
    const ofMonth = month === undefined ? undefined : readLatex(month.value).text
    const day = fields.get('day')
    const ofDay = day === undefined ? undefined : readLatex(day.value).text
    const text = [ofYear, ofMonth, ofDay].filter(Boolean).join(' ')
    return dateField(readDateParts(ofYear, ofMonth, ofDay), text, line)
  }
  // EDTF has a ~ behind what is not certain, where LaTeX has a space.
  const isGuess = /\d~\s*$/.test(date.value)
  const text = `${readLatex(date.value).text}${isGuess ? '~' : ''}`
  const read = readDate(text)
  const isOther = !(read.date ?? '').startsWith(ofYear)
  const isMore = read.date?.length === 4
  for (const [field, isLost] of [
    [year, isOther],
    [month, isMore],
  ] as const) {
    if (field === undefined || !isLost) continue
    const said = quote(readLatex(field.value).text)
    const message = `${field.name} "${said}" is left out: date counts.`
    notes.add('repeated', field.name, message, { line: field.line })
  }
  return dateField(read, text, line)
}

/** `1998/9` in a field of years is one and the next, and no month. */
function yearsOf(text: string): string {
  const [, year = '', digit] = /^(\d{4})\/(\d)$/.exec(text) ?? []
  const next = String(Number(year) + 1)
  return digit !== undefined && next.endsWith(digit) ? `${year}/${next}` : text
}

function dateField(read: SourceDate, text: string, line: number): SourceField {
  return { name: 'date', value: { ...read, text }, line }
}

/** The names of a field, and the commands in it that print no text that we know. */
type NamesInLatex = { readonly list: NameList; readonly left: readonly string[] }

const withoutCommands: readonly string[] = []

/** The names of a field of names; of each, the ORCID iD that an annotation of the entry has. */
function namesIn(
  field: BibtexField,
  fields: BibtexFields,
  notes: NoteList,
): NamesInLatex & { readonly names: readonly SourceAuthor[] } {
  const { name, line } = field
  const read = readOnce(readLists, field, readNames)
  const { list } = read
  for (const message of list.notes) {
    const isLoss = /left out/.test(message)
    notes.add(isLoss ? 'left_out' : 'taken_as', name, `${name}: ${message}`, { line, isLoss })
  }
  if (list.hasOthers) {
    const message = `There are more ${name}s than the entry names ("and others").`
    notes.add('left_out', name, message, { line })
  }
  const names = list.names.filter(({ given, family, literal }) => {
    return given !== undefined || !isUnknown(family ?? literal ?? '')
  })
  return { ...read, names: withOrcids(name, names, fields, notes) }
}

function readNames(value: string): NamesInLatex {
  let left: Set<string> | undefined
  const list = readNameList(spellLetters(decodeEntities(value)), (text) => {
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
function isAnnotation(field: string, list: string): boolean {
  return field.startsWith(list) && field.startsWith('+an', list.length)
}

/** BibLaTeX's `1="0000-0002-1825-0097"; 2="…"`, by the places of names. */
function orcidsIn(value: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const [, place, text = ''] of value.matchAll(/(\d{1,5})(?::\w+)?\s*=\s*"?([^";]+)"?/g)) {
    if (/\d{4}-?\d{4}-?\d{4}-?\d{3}[\dX]/i.test(text)) found.set(Number(place), text.trim())
  }
  return found
}

// Where a preprint stands that has no type of its own.
const vagueTypes: ReadonlySet<string> = new Set([
  'article',
  'misc',
  'online',
  'unpublished',
  'electronic',
  'techreport',
  'report',
])

/** The kind of work that an entry is of; `arxiv` is its identifier there. */
function workTypeOf(
  type: string,
  fields: BibtexFields,
  arxiv: string | undefined,
  notes: NoteList,
): WorkType {
  if (arxiv !== undefined && vagueTypes.has(type)) {
    const journal = (fields.get('journaltitle') ?? fields.get('journal'))?.value
    if (journal === undefined || /^CoRR$|^arXiv\b/i.test(journal)) return 'preprint'
  }
  const named = workTypeIn('bibtex', type) ?? foldWorkType(type)
  if (named === undefined) {
    const message = `@${quote(type)} is no type that we know: it is taken as other.`
    notes.add('taken_as', '', message, { isLoss: true })
  }
  const known = named ?? 'other'
  const said = fields.get('type')?.value
  const isNamed = known === 'other' || known === 'report' || known === 'preprint'
  return (isNamed && said !== undefined ? foldWorkType(readLatex(said).text) : undefined) ?? known
}

// Names that BibLaTeX has for types are no words for people.
const typeNameForm = /thes[ei]s|th[eè]se|diss|^pat(?:ent|req)\w*$|^\w+(?:report|cd)$/i

// A doctor's is what BibTeX calls every thesis of which it knows no more.
const degreeForm = /bachelor|master|magist|diplom|licen[cst]|habil|laurea|^(?:ma|bath)thesis$/i

/** Whether a field `type` says no more than the kind of work. */
function isWorkType(said: string): boolean {
  if (degreeForm.test(said)) return false
  return typeNameForm.test(said) || foldWorkType(readLatex(said).text) !== undefined
}

const arxivNumber = String.raw`(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?`
const arxivForm = new RegExp(`^${arxivNumber}$`)
// `arXiv:1706.03762 [cs.CL]`, in a note or in place of a journal.
const arxivWords = new RegExp(
  `^(?:arXiv(?: e-prints?| preprint)?,? *)?arXiv: ?(${arxivNumber})(?: ?\\[[\\w.-]+\\])?$`,
  'i',
)
const archiveFields = words('eprint eprinttype archiveprefix')

/** The identifier that arXiv has for the work of an entry. */
function arxivId(fields: BibtexFields): string | undefined {
  const given = fields.get('eprint') ?? fields.get('arxivid') ?? fields.get('arxiv')
  if (given === undefined) {
    for (const name of ['note', 'journal', 'journaltitle']) {
      const id = arxivWords.exec(fields.get(name)?.value ?? '')?.[1]
      if (id !== undefined) return id
    }
    return undefined
  }
  const archive = (fields.get('eprinttype') ?? fields.get('archiveprefix'))?.value ?? ''
  const isArxiv = archive === '' || /^arxiv$/i.test(readLatex(archive).text)
  const id = readVerbatim(given.value).text.replace(/^arxiv:\s*/i, '')
  return isArxiv && arxivForm.test(id) ? id : undefined
}

/** Whether a field says what an archive calls the work, or is about arXiv alone. */
function isArchiveField({ name, value }: BibtexField, arxiv: string | undefined): boolean {
  if (archiveFields.has(name)) return true
  if (arxiv === undefined) return false
  if (name === 'arxiv') return arxivForm.test(readVerbatim(value).text)
  return name === 'arxivid' || (name === 'note' && arxivWords.test(value))
}
