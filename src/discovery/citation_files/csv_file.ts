import { CsvError, type Options, parse } from 'csv-parse'
import { parse as parseWhole } from 'csv-parse/sync'

import { arkCharactersMax } from '#actors/values/ark.ts'
import { invertedName, joinAuthors, splitAuthors, wholeName } from '#actors/values/author_name.ts'
import { recognizeDate } from '#actors/values/date.ts'
import { doiUrl, foldDoi, foldUrl } from '#actors/values/identifier.ts'
import { recognizeLanguage } from '#actors/values/language.ts'
import { readLicense } from '#actors/values/license.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { foldWorkType, thesisKindOf, thesisKinds } from '#actors/values/work_type.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import { readDois, readUrls } from '#src/discovery/citation_files/addresses.ts'
import { readDate } from '#src/discovery/citation_files/dates.ts'
import { decodeEntities } from '#src/discovery/citation_files/entities.ts'
import {
  FieldNotes,
  NoteList,
  quote,
  type ReadEntry,
  shorten,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  type ColumnChoices,
  columnsMax,
  type ColumnTarget,
  firstRow,
  isOwnExport,
  separatorOf,
  type TableColumn,
  tableColumns,
} from '#src/discovery/citation_files/csv_columns.ts'
import { isOthers, noteNames, tidied } from '#src/discovery/citation_files/csl_names.ts'
import { holdingNumbers, numbersIn } from '#src/discovery/citation_files/related_things.ts'
import {
  isUnknown,
  noteCode,
  noteVersion,
  readDoiField,
} from '#src/discovery/citation_files/field_rows.ts'
import { withoutGuard } from '#src/discovery/formats/csv_row.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { namesInText, withInitialsLast } from '#src/discovery/citation_files/names.ts'
import { noteJoined, type SourceAuthor } from '#src/discovery/citation_files/work_draft.ts'

/** Characters of one row, at most: what a body of the interface may have. */
const rowCharactersMax = 1_048_576

function parserOptions(
  separator: string,
  read: (cells: readonly string[], lastLine: number) => void,
): Options {
  return {
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A cell such as `12" disk` is text as it stands.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: rowCharactersMax,
    on_record(cells: string[], { lines }) {
      read(cells, lines)
      return null
    },
  }
}

/** What a table says: its columns, its rows up to `entriesMax`, and the `count` of all. */
type ReadTable = {
  readonly columns: readonly TableColumn[]
  readonly entries: readonly ReadEntry[]
  readonly count: number
}

/** Reads a table that is there as a whole. */
export function readCsv(text: string, entriesMax: number, choices: ColumnChoices = {}): ReadTable {
  const reader = new TableReader(choices)
  const entries: ReadEntry[] = []
  let count = 0
  const options = parserOptions(separatorOf(firstRow(text) ?? text), (cells, line) => {
    const entry = reader.read(cells, line, count >= entriesMax)
    if (entry === undefined) return
    count += 1
    if (count <= entriesMax) entries.push(entry)
  })
  try {
    parseWhole(text, options)
  } catch (error) {
    entries.push(reader.broken(error))
  }
  return { columns: reader.columns, entries, count }
}

/** The cells of some columns of a table, and why the rows after them cannot be read. */
type ReadCells = { readonly cells: readonly string[]; readonly fault?: string }

/**
 * Of each row the first cell of `targets`, in their order, that says something; undefined if the
 * table has no such column, or the text is no table.
 */
export function readCsvCells(
  text: string,
  targets: readonly ColumnTarget[],
): ReadCells | undefined {
  const header = firstRow(text) ?? text
  let places: readonly number[] | undefined
  let lastLine = 0
  const cells: string[] = []
  const options = parserOptions(separatorOf(header), (row, line) => {
    lastLine = line
    if (places !== undefined) {
      const given = places.map((at) => withoutGuard(row[at] ?? '').trim())
      if (!isNote(row)) cells.push(given.find((cell) => cell !== '') ?? '')
      return
    }
    const columns = tableColumns(row.slice(0, columnsMax), {})
    const named = targets.map((target) => columns.findIndex((each) => each.target === target))
    places = named.filter((at) => at >= 0)
  })
  try {
    parseWhole(header, options)
    if (places?.length === 0) return undefined
    places = undefined
    parseWhole(text, options)
  } catch (error) {
    if (!places || places.length === 0) return undefined
    return { cells, fault: whyBroken(error, lastLine + 1) }
  }
  return { cells }
}

/** Reads a table as it comes, in groups of rows; holds a row and a part of the file at a time. */
export async function* readCsvStream(
  chunks: AsyncIterable<string>,
  choices: ColumnChoices,
  seen: (columns: readonly TableColumn[]) => void,
): AsyncGenerator<readonly ReadEntry[]> {
  const reader = new TableReader(choices)
  let entries: ReadEntry[] = []
  let parser: ReturnType<typeof parse> | undefined
  const start = (separator: string) => {
    const options = parserOptions(separator, (cells, line) => {
      const isFirst = reader.columns.length === 0
      const entry = reader.read(cells, line)
      if (isFirst && reader.columns.length > 0) seen(reader.columns)
      if (entry !== undefined) entries.push(entry)
    })
    // What it cannot read is told to whoever writes; a stream without a listener throws it.
    return parse(options).on('error', () => undefined)
  }
  const take = () => {
    const taken = entries
    entries = []
    return taken
  }
  let head = ''
  try {
    for await (const chunk of chunks) {
      if (parser === undefined) {
        head += chunk
        const header = firstRow(head)
        if (header === undefined && head.length < rowCharactersMax) continue
        parser = start(separatorOf(header ?? head))
        await written(parser, head)
      } else await written(parser, chunk)
      yield take()
    }
    parser ??= start(separatorOf(head))
    if (reader.columns.length === 0) await written(parser, head)
    await ended(parser)
  } catch (error) {
    yield take()
    entries.push(reader.broken(error))
  }
  yield take()
}

function written(parser: ReturnType<typeof parse>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

function ended(parser: ReturnType<typeof parse>): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', reject)
    parser.once('end', resolve)
    parser.resume()
    parser.end()
  })
}

/** Reads the rows of one table. */
class TableReader {
  columns: readonly TableColumn[] = []
  readonly #choices: ColumnChoices
  #isOwn = false
  #rows = 0
  #lastLine = 0

  constructor(choices: ColumnChoices) {
    this.#choices = choices
  }

  /** Reads a row that ends on a line; undefined for the first one, and for one without a value. */
  read(cells: readonly string[], lastLine: number, isCounted = false): ReadEntry | undefined {
    const lineBreaks = cells.reduce((sum, cell) => sum + cell.split(/\r\n|[\r\n]/).length - 1, 0)
    const line = lastLine - lineBreaks
    this.#lastLine = lastLine
    if (this.columns.length === 0) {
      // Some programs say in a row before the header what the table is, or what parts its cells.
      if (cells.filter((cell) => cell.trim() !== '').length < 2) return undefined
      this.columns = tableColumns(cells.slice(0, columnsMax), this.#choices)
      this.#isOwn = isOwnExport(cells)
      return undefined
    }
    if (cells.every((cell) => cell.trim() === '') || isNote(cells)) return undefined
    this.#rows += 1
    const place = { line, key: `row ${this.#rows}` }
    return isCounted ? unreadable(place, []) : readRow(cells, place, this.columns, this.#isOwn)
  }

  /** What stands in place of the rows after one that cannot be told from what follows it. */
  broken(error: unknown): ReadEntry {
    const line = this.#lastLine + 1
    const message = whyBroken(error, line)
    const place = { line, key: `row ${this.#rows + 1}` }
    return unreadable(place, [{ field: '', code: 'not_readable', message }])
  }
}

function whyBroken(error: unknown, line: number): string {
  if (!(error instanceof CsvError)) throw error
  return error.code === 'CSV_QUOTE_NOT_CLOSED'
    ? `A quotation mark in the row that begins on line ${line} is not closed.`
    : `The row that begins on line ${line} has more than ${rowCharactersMax} characters.`
}

/** Whether a row is a word of ours about the table instead of a work. */
function isNote([first = '', ...others]: readonly string[]): boolean {
  return first.startsWith('# ') && others.every((cell) => cell === '')
}

type RowPlace = Pick<ReadEntry, 'line' | 'key'>
type Cells = Partial<Record<ColumnTarget, string>>

function readRow(
  cells: readonly string[],
  place: RowPlace,
  columns: readonly TableColumn[],
  isOwn: boolean,
): ReadEntry {
  const notes = new NoteList(place.line)
  const more = cells.slice(columns.length)
  if (more.some((cell) => cell.trim() !== '')) {
    const message =
      `The row has ${cells.length} cells, and the table ${columns.length} columns: ` +
      'a cell with a separator in it must stand in quotation marks.'
    return unreadable(place, [{ field: '', code: 'not_readable', message }])
  }
  const values: Cells = {}
  for (const [index, column] of columns.entries()) {
    if (column.target !== undefined) values[column.target] = withoutGuard(cells[index] ?? '').trim()
  }
  for (const [index, column] of columns.entries()) {
    const text = withoutGuard(cells[index] ?? '').trim()
    if (text === '' || column.isDerived || column.target !== undefined) continue
    // Where a program has columns for all types of works, most are empty in each row.
    const target = columns.find(({ name }) => name === column.instead)?.target
    if (target !== undefined && values[target] === '') values[target] = text
    else notes.add('left_out', column.name, whyLeft(column))
  }
  const { ark } = values
  const body = bodyOf(values, isOwn, notes)
  const read = { ...place, faults: [], notes: notes.notes }
  if (ark && ark.length > arkCharactersMax) {
    const message = `The ARK has more than ${arkCharactersMax} characters.`
    return unreadable(place, [{ field: 'ark', code: 'too_long', message }])
  }
  if (ark) return { ...read, key: `${place.key}, ${ark}`, ark, body }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  if ((body['work_type'] ?? null) === null) {
    notes.add('taken_as', 'work_type', 'The row has no type: it is taken for “other”.')
  }
  return { ...read, body: { work_type: 'other', ...Object.fromEntries(given) } }
}

function whyLeft({ name, instead, nearest }: TableColumn): string {
  if (instead !== undefined) return `The column “${name}” is left out: “${instead}” counts.`
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `No field is for the column “${name}”.${hint}`
}

/** The body of a creation or a change, unchecked; null for what an empty cell says. */
function bodyOf(cells: Cells, isOwn: boolean, notes: NoteList): Record<string, unknown> {
  const { first_page, last_page, funder, award, issn, isbn } = cells
  // What changes a work is held against it as it stands.
  const isAsItStands = isOwn || Boolean(cells.ark)
  const whole = isAsItStands ? wholeCells(cells) : plainCells(wholeCells(cells))
  const body: Record<string, unknown> = Object.fromEntries(
    Object.entries(whole).map(([name, text]) => [name, text || null]),
  )
  if (whole.authors) Object.assign(body, authorsOf(whole.authors, cells, isOwn, notes))
  if (whole.work_type) body['work_type'] = typeOf(whole.work_type, notes)
  const degree = body['work_type'] === 'thesis' ? thesisKindOf(whole.work_type ?? '') : undefined
  if (degree !== undefined && !whole.resource_type) {
    body['resource_type'] = thesisKinds[degree].name
  }
  for (const name of numberTargets) if (isShortened(name, whole[name], notes)) delete body[name]
  body['language'] = known('language', whole.language, recognizeLanguage, notes)
  noteCode(whole.language ?? '', new FieldNotes(notes, { name: 'language' }))
  const license = known('license', whole.license, readLicense, notes)
  noteVersion(whole.license ?? '', license ?? undefined, new FieldNotes(notes, { name: 'license' }))
  body['license'] = license
  if (whole.existing_doi) body['existing_doi'] = doiOf(whole.existing_doi, notes)
  if (whole.work_url) body['work_url'] = urlOf(whole.work_url, notes)
  if (whole.published_date && !isAsItStands) {
    body['published_date'] = dateOf(whole.published_date, notes)
  }
  if (whole.work_url && isDoiAddress(whole.work_url, whole.existing_doi)) body['work_url'] = null
  if (first_page && !whole.pages) {
    body['pages'] = last_page ? `${first_page}–${last_page}` : first_page
  }
  const contributors = [
    ...contributorsOf('editor', cells.editors, notes),
    ...contributorsOf('translator', cells.translators, notes),
  ]
  if (contributors.length > 0) body['contributors'] = contributors
  if (issn !== undefined) Object.assign(body, numbersOf('ISSN', issn, notes))
  if (isbn !== undefined) Object.assign(body, numbersOf('ISBN', isbn, notes))
  if (funder !== undefined) body['funding'] = fundingOf(funder, award, notes)
  return definedOf(body)
}

const partTargets = (
  'ark editors translators orcids affiliations rors first_page last_page funder award ' +
  'issn isbn'
).split(' ')

/** The cells that are fields as they stand. */
function wholeCells(cells: Cells): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([name]) => !partTargets.includes(name)))
}

const textTargets = ['work_title', 'container_title', 'publisher_name', 'keywords'] as const
const unknownTargets = [...textTargets, 'description', 'volume', 'issue', 'pages'] as const

/** Cells without marks of HTML, and without words for what is not known. */
function plainCells(cells: Cells): Cells {
  const plain = { ...cells }
  for (const name of [...textTargets, 'description'] as const) {
    const text = cells[name]
    if (text === undefined || !/[<&]/.test(text)) continue
    plain[name] = plainText(text, name === 'description' ? 'paragraphs' : 'line')
  }
  for (const name of unknownTargets) if (isUnknown(plain[name] ?? '')) plain[name] = ''
  return plain
}

// Cells that programs for tables take for numbers and days, and write in their own way.
const numberTargets = ['volume', 'issue', 'pages'] as const
const shortenedForm = /^\d(?:[.,]\d+)?E\+\d+$/
const dayForm =
  /^(?:\d{1,2}[/.-]\d{1,2}[/.-](?:\d{2}|\d{4})|\d{1,2}[-.][A-Z][a-z]{2}|[A-Z][a-z]{2}-\d{2})$/

/** Whether a program has shortened a long number, of which the rest is lost; a day is noted. */
function isShortened(name: string, text: string | undefined, notes: NoteList): boolean {
  if (text === undefined) return false
  const isCut = shortenedForm.test(text)
  if (isCut) {
    const message = `The ${name} “${text}” is left out: a program has shortened the number.`
    notes.add('not_read', name, message)
  } else if (dayForm.test(text)) {
    const message = `The ${name} “${text}” looks like a day that a program has made of a number.`
    notes.add('taken_as', name, message)
  }
  return isCut
}

function isDoiAddress(url: string, doi: string | undefined): boolean {
  const folded = doi && foldDoi(doi)
  return folded ? url === doiUrl(folded) : false
}

function typeOf(text: string, notes: NoteList): string {
  const type = foldWorkType(text) ?? foldWorkType(text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-'))
  if (type !== undefined) return type
  const message = `The type “${shorten(text)}” is taken for “other”.`
  notes.add('taken_as', 'work_type', message, { isLoss: true })
  return 'other'
}

/** A DOI in any spelling; what is none stays, and is refused. */
function doiOf(text: string, notes: NoteList): string {
  if (foldDoi(text) !== undefined || readDois(text).length === 0) return text
  return readDoiField(text, new FieldNotes(notes, { name: 'existing_doi' })) ?? text
}

/** An address in any spelling, of several the first; what is none stays, and is refused. */
function urlOf(text: string, notes: NoteList): string {
  if (foldUrl(text) !== undefined && !text.includes('&')) return text
  const { urls, rest } = readUrls(text)
  const [first, ...others] = urls
  for (const left of [...others, rest].filter((each) => first !== undefined && each !== '')) {
    notes.add('left_out', 'work_url', `work_url: “${shorten(left)}” is left out.`)
  }
  return first ?? text
}

/** A date in any form, of which is told what it leaves out; what is none stays, and is refused. */
function dateOf(text: string, notes: NoteList): string {
  const { date, remark } = recognizeDate(text) === undefined ? readDate(text) : {}
  if (date === undefined) return text
  const why = remark === undefined ? '' : `: ${remark}`
  notes.add('taken_as', 'published_date', `published_date “${text}” is taken as ${date}${why}.`)
  return date
}

/** A value of one of our vocabularies; any other is left out, and a note says so. */
function known(
  field: string,
  text: string | undefined,
  fold: (text: string) => string | undefined,
  notes: NoteList,
): string | null | undefined {
  if (text === undefined) return undefined
  if (text === '') return null
  const folded = fold(text)
  if (folded !== undefined) return folded
  notes.add('not_read', field, `The ${field} “${shorten(text)}” is not one we know.`)
  return undefined
}

const listSeparator = /\s*[;|\n]\s*/

// `Li, Wei (57188922315)`: the number of the author, behind each name.
const numberOfScopus = / \(\d{8,12}\)(?=;|$)/g

/** Names as a table has them: parted by `;` or `|`, or as the field itself takes them. */
function authorsOf(given: string, cells: Cells, isOwn: boolean, notes: NoteList) {
  const named = decodeEntities(given).replaceAll(numberOfScopus, '')
  const text = isOwn ? given : withSemicolons(named, notes)
  const isList = listSeparator.test(text)
  const parts = isList || isOwn ? partsOf(text).filter((name) => name !== '') : splitAuthors(text)
  const at = new FieldNotes(notes, { name: 'authors' })
  // In our own export a comma is a part of the name.
  const read = isOwn
    ? parts.map((literal): SourceAuthor => ({ literal }))
    : (withInitialsLast(parts) ?? parts.flatMap((part) => namesOf(part, at)))
  noteJoined(read, notes)
  const details = read.map(detailOf)
  const names = details.map(({ name }) => name)
  const more = {
    orcid: aligned('orcids', cells.orcids, names.length, notes),
    affiliation: aligned('affiliations', cells.affiliations, names.length, notes),
    ror: aligned('rors', cells.rors, names.length, notes),
  }
  const described = details.map((detail, index): AuthorDetail => {
    const entries = Object.entries(more).map(([key, texts]) => [key, texts?.[index]] as const)
    return { ...detail, ...Object.fromEntries(entries.filter(([, value]) => value)) }
  })
  const isAsGiven = !isList && !isOwn && names.join() === parts.join()
  const hasMore = described.some((each) => Object.keys(each).length > 1)
  return {
    authors: isAsGiven ? text : joinAuthors(names),
    ...(hasMore && { author_details: described }),
  }
}

/** The names of a cell as those of people who had a part in the work. */
function contributorsOf(role: 'editor' | 'translator', text: string | undefined, notes: NoteList) {
  const at = new FieldNotes(notes, { name: `${role}s` })
  const names = text ? partsOf(withSemicolons(decodeEntities(text), notes)) : []
  return names
    .filter((name) => name !== '')
    .flatMap((name) => namesOf(name, at).map((each) => ({ role, ...detailOf(each) })))
}

/** Names such as `Lovelace, Ada`, with commas alone, as a list with semicolons between them. */
function withSemicolons(text: string, notes: NoteList): string {
  // BibTeX's way: `Roe, Jane and Doe, Ann`.
  const sides = text.split(/ (?:and|&) /)
  const areJoined = sides.length > 1 && sides.every((side) => /^[^,;]+,[^,;]+$/.test(side))
  if (!areJoined && invertedName(text) === undefined) return text
  const parts = splitAuthors(text)
  const pairs = areJoined
    ? sides
    : parts.flatMap((family, at) => (at % 2 === 0 ? `${family}, ${parts[at + 1]}` : []))
  const message =
    `“${shorten(text)}” is read as ${pairs.length === 1 ? 'one name' : `${pairs.length} names`}, ` +
    'with the family name first: put semicolons between names.'
  notes.add('taken_as', 'authors', message)
  return `${pairs.join('; ')};`
}

function partsOf(text: string): readonly string[] {
  return text.split(listSeparator).map((part) => part.trim())
}

/** The name that a part of a list is, which a comma turns round; several or none are told. */
function namesOf(text: string, at: FieldNotes): readonly SourceAuthor[] {
  if (isUnknown(text) || isOthers({ literal: text }, at)) return []
  return text.includes(',') ? noteNames(namesInText(text), at) : tidied({ literal: text }, at)
}

function detailOf({ literal, family = '', given = '', suffix }: SourceAuthor) {
  const parts = definedOf({ family, given, suffix })
  return literal === undefined ? { name: wholeName(parts), ...parts } : { name: literal }
}

/** The texts of a list that has one for each author, empty where there is none. */
function aligned(
  field: string,
  text: string | undefined,
  count: number,
  notes: NoteList,
): readonly string[] | undefined {
  if (!text) return undefined
  const parts = field === 'orcids' ? text.split(/\s*[;,|\n]\s*/) : partsOf(text)
  const texts = count === 1 && field === 'affiliations' ? [text] : parts
  if (texts.length === count) return texts
  const message = `There are ${count} authors, and ${texts.length} in ${field}: whose is unknown.`
  notes.add('not_read', field, message)
  return undefined
}

/** The numbers in a cell, with the medium of each that it says; null where it is empty. */
function numbersOf(scheme: 'ISSN' | 'ISBN', text: string, notes: NoteList) {
  const field = scheme === 'ISSN' ? 'issn' : 'isbn'
  if (text === '' || isUnknown(text)) return { [field]: null }
  const numbers = numbersIn(scheme, text)
  if (numbers.length > 0) return holdingNumbers(scheme, numbers, field)
  notes.add('not_read', field, `${field} "${quote(text)}" is left out: it has no ${scheme} in it.`)
  return {}
}

function fundingOf(funder: string, award: string | undefined, notes: NoteList) {
  const funders = partsOf(funder).filter((name) => name !== '')
  if (funders.length === 0) return null
  const awards = award ? partsOf(award) : []
  if (awards.length > funders.length) {
    notes.add(
      'not_read',
      'award',
      `There are ${awards.length} awards for ${funders.length} funders.`,
    )
  }
  return funders.map((name, index) => {
    const number = awards[index]
    return { funder: name, ...(number && awards.length <= funders.length && { award: number }) }
  })
}
