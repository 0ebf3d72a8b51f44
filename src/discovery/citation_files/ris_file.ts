import { recognizeDate } from '#actors/values/date.ts'
import { definedOf } from '#actors/values/serialization.ts'
import {
  foldWorkType,
  thesisKindOf,
  type WorkType,
  workTypeIn,
  workTypes,
} from '#actors/values/work_type.ts'
import { readDoi, readDois } from '#src/discovery/citation_files/addresses.ts'
import { noteNames, tidied } from '#src/discovery/citation_files/csl_names.ts'
import { readDate } from '#src/discovery/citation_files/dates.ts'
import {
  FieldNotes,
  NoteList,
  type ReadEntry,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  type FieldRow,
  readByRows,
  readDateField,
  readDoiField,
  isPageCount,
  readDoiIfAny,
  readFileAddress,
  readKeywords,
  readLanguage,
  readLine,
  readPageCount,
  readPages,
  readParagraphs,
  readUrlFields,
  type SourceField,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { namesInText } from '#src/discovery/citation_files/names.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { holdingNumbers, numbersIn } from '#src/discovery/citation_files/related_things.ts'
import {
  contributorOf,
  draftBody,
  mergeReadings,
  type SourceAuthor,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'

/** A record of a RIS file: its tags with the texts that they have, in order. */
type RisChunk = {
  /** Where it begins, from 1. */
  readonly line: number
  readonly fields: readonly {
    readonly name: string
    readonly value: string
    readonly line: number
  }[]
}

// Two spaces by the rules; some programs write one, or none behind the hyphen.
const tagForm = /^\s*([A-Z][A-Z0-9]) {2}-(?:\s+(.*))?$/
const looseTagForm = /^\s*([A-Za-z][A-Za-z0-9])[ \t]{1,2}-(?:[ \t]*(.*))?$/

type OpenField = { readonly name: string; readonly line: number; readonly texts: string[] }

/**
 * The records of a RIS file, in order. A record begins with TY, or with what follows ER; a line
 * that begins with no tag goes on with the text before it. `firstLine` is that of the text.
 */
export function splitRis(text: string, firstLine = 1): readonly RisChunk[] {
  const lines = text.split(/\r\n|\n|\r/)
  const form = lines.some((line) => tagForm.exec(line)?.[1] === 'TY') ? tagForm : looseTagForm
  const records: { line: number; fields: OpenField[] }[] = []
  let record: (typeof records)[number] | undefined
  for (const [index, content] of lines.entries()) {
    const [, given, value = ''] = form.exec(content) ?? []
    const tag = given?.toUpperCase()
    if (tag === undefined) {
      record?.fields.at(-1)?.texts.push(content.trim())
    } else if (tag === 'ER') record = undefined
    else {
      if (record === undefined || tag === 'TY') {
        record = { line: index + firstLine, fields: [] }
        records.push(record)
      }
      record.fields.push({ name: tag, line: index + firstLine, texts: [value.trim()] })
    }
  }
  return records.map(joinLines)
}

// Abstracts have paragraphs; in other texts, a line break is where a program broke the line.
const paragraphTags = new Set(['AB', 'N2', 'KW'])

function joinLines({ line, fields }: { line: number; fields: OpenField[] }): RisChunk {
  return {
    line,
    fields: fields.map(({ name, line: at, texts }) => {
      const value = paragraphTags.has(name) ? joinParagraphs(texts, name) : texts.join(' ')
      return { name, line: at, value: value.replace(/ {2,}/g, ' ').trim() }
    }),
  }
}

// A point of a list, or a part with its heading, begins on a line of its own.
const paragraphStart = /\n(?=[•‣▪●*] ?\S|[A-Z][A-Z /&-]{3,40}: )/g

/** Lines of one text: an empty one ends a paragraph, and a point of a list begins one. */
function joinParagraphs(texts: readonly string[], name: string): string {
  if (name === 'KW') return texts.join('\n')
  return texts
    .join('\n')
    .trim()
    .replace(paragraphStart, '\n\n')
    .replace(/\n(?!\n)(?<!\n\n)/g, ' ')
    .replace(/ ?\n+ ?/g, '\n')
}

const recordCharactersMax = 500_000

/** Reads the records of a RIS file, each on its own. */
export function readRis(records: readonly RisChunk[]): readonly ReadEntry[] {
  return records.map((chunk, index) => readRecord(chunk, `record ${index + 1}`))
}

function readRecord({ line, fields }: RisChunk, key: string): ReadEntry {
  const place = { line, key }
  const given = fields.find(({ name }) => name === 'TY')?.value
  if (given === undefined) {
    const message = `The record on line ${line} does not begin with "TY  - ".`
    return unreadable(place, [{ field: 'TY', code: 'required', message }])
  }
  const characters = fields.reduce((sum, { value }) => sum + value.length, 0)
  if (characters > recordCharactersMax) {
    const message = `The record has more than ${recordCharactersMax} characters.`
    return unreadable(place, [{ field: '', code: 'too_long', message }])
  }
  const notes = new NoteList(line)
  const type = typeOf(given.toUpperCase(), fields)
  const work_type = workTypeOf(type, given, notes)
  const own = fields.find(({ name, value }) => name === 'M3' && isTypeOf(value, type))
  const named = withoutOthers(retagged(withYear(fields), type), notes)
  const places = placeParts(fields, type, notes)
  const { event, institutions } = places
  const taken = event ? ['T2', ...('start_date' in event ? ['Y2'] : [])] : institutions && ['T2']
  const left = named.filter((field) => field !== own && taken?.includes(field.name) !== true)
  const isNamed = left.some(({ name, value }) => /^(?:JF|T2)$/.test(name) && value !== '')
  const read = mergeReadings([
    withContainer(readByRows(left, isNamed ? risRows : abbreviatedRows, type, notes)),
    ...partsOf(fields, type, own, notes),
    places,
  ])
  return {
    ...place,
    body: draftBody({ ...read, work_type: foldWorkType(own?.value ?? '') ?? work_type }, notes),
    faults: [],
    notes: notes.notes,
  }
}

/**
 * The fields of a record under the tags by which the table knows what they are. What whole works
 * have in SP alone is how many pages they have: EndNote and Zotero write it there; with EP, or as a
 * range, it is where a part begins. EndNote has the degree of a thesis in VL, JSTOR the edition in
 * ED. Beside BT, T2 is the series of a book; beside JF, PubMed writes the abbreviation into T2 as
 * well.
 */
function retagged(fields: RisChunk['fields'], type: string): readonly SourceField[] {
  const valueOf = (tag: string) => fields.find(({ name }) => name === tag)?.value ?? ''
  const isWhole = wholeWorks.includes(type) && valueOf('EP') === ''
  const isInSeries = inBooks.includes(type) && valueOf('BT') !== '' && valueOf('T3') === ''
  const isAbbreviated = valueOf('JF') !== '' && valueOf('T2') === valueOf('J2')
  return fields.map((field) => {
    const { name, value } = field
    if (isWhole && name === 'SP' && isPageCount(value)) return { ...field, name: lengthTag }
    if (name === 'ED' && /^\d/.test(value)) return { ...field, name: 'ET' }
    if (type === 'THES' && name === 'VL' && !/\d/.test(value)) return { ...field, name: degreeTag }
    if (name !== 'T2') return field
    if (isAbbreviated) return { ...field, name: 'J2' }
    return isInSeries && value !== valueOf('BT') ? { ...field, name: 'T3' } : field
  })
}

/** EndNote writes the month and the day alone into DA: the year stands in PY. */
function withYear(fields: RisChunk['fields']): RisChunk['fields'] {
  const year = /^(\d{4})\/*$/.exec(fields.find(({ name }) => name === 'PY')?.value ?? '')?.[1]
  if (year === undefined) return fields
  return fields.map((field) => {
    const isPart = field.name === 'DA' && /\p{L}/u.test(field.value) && !/\d{4}/.test(field.value)
    return isPart ? { ...field, value: `${field.value} ${year}` } : field
  })
}

/** Lists of authors that go on elsewhere. */
function withoutOthers(fields: readonly SourceField[], notes: NoteList): readonly SourceField[] {
  return fields.filter(({ name, value, line }) => {
    const isOthers =
      /^A[U1-4]$/.test(name) && /^(?:et al\.?|and others|others),?$/i.test(String(value))
    if (isOthers) {
      notes.add('left_out', name, 'There are more authors than it names.', { line })
    }
    return !isOthers
  })
}

/**
 * The type of a record. CONF is a volume of proceedings by the rules, and a paper in one to most
 * programs: it is a paper where it says in what it stands, and not only which series that is in.
 */
function typeOf(given: string, fields: RisChunk['fields']): string {
  const says = (...names: readonly string[]) =>
    fields.some(({ name, value }) => names.includes(name) && value !== '')
  const isPaper = says('C3', 'BT', 'JO', 'JF', 'SP') || (says('T2') && !says('T3'))
  return given === 'CONF' && isPaper ? 'CPAPER' : given
}

function workTypeOf(type: string, given: string, notes: NoteList): WorkType {
  // Some programs write the names that types have elsewhere: PREPRINT, DATASET.
  const known = workTypeIn('ris', type) ?? foldWorkType(type)
  if (known !== undefined) return known
  const message = `TY "${given.slice(0, 100)}" is no type that we know: it is taken as other.`
  notes.add('taken_as', 'TY', message, { isLoss: true })
  return 'other'
}

/**
 * Whether a text is no more than our name of a type that RIS calls so: RPRT may be a working paper.
 */
function isTypeOf(text: string, type: string): boolean {
  const named = thesisKindOf(text) === undefined ? foldWorkType(text) : undefined
  return named !== undefined && workTypes[named].ris === type
}

// Two letters and a digit are no tag: nothing in a file is called so.
const lengthTag = 'SP1'
const degreeTag = 'VL1'

const inJournals = ['JOUR', 'JOURN', 'EJOUR', 'JFULL', 'INPR', 'MGZN', 'NEWS', 'ABST']
const inBooks = ['CHAP', 'ECHAP', 'CPAPER', 'DICT', 'ENCYC']
const wholeWorks = ['BOOK', 'EBOOK', 'EDBOOK', 'THES', 'MANSCPT']
const books = ['BOOK', 'EBOOK', 'EDBOOK', 'CONF', 'SER']
const papers = ['CPAPER', 'CONF']
const ownNumbers = ['RPRT', 'GOVDOC', 'PAT', 'STAND']
const performed = ['ADVS', 'MPCT', 'MUSIC', 'CASE', 'HEAR', 'STAT', 'BILL', 'PAT']

/**
 * The tags of RIS as programs write them, and what they fill. What stands above counts before what
 * stands below.
 */
const risRows: readonly FieldRow[] = [
  { from: 'TY SN ET M3', to: 'elsewhere' },
  { from: 'C1 CY', to: 'elsewhere', only: papers },
  { from: 'M1', to: 'elsewhere', only: books },
  { from: 'ID DB DP AN RP Y2 ER', to: 'nothing' },
  { from: 'TI T1 CT', to: 'work_title' },
  { from: 'BT', to: 'work_title', only: books },
  { from: 'A1 AU', to: 'authors', read: readAuthors },
  { from: 'ED', to: 'editors', read: readAuthors },
  { from: 'A2', to: 'editors', read: readAuthors, only: [...inBooks, ...books] },
  { from: 'A3', to: 'contributors', read: contributorsIn('supervisor'), only: ['THES'] },
  { from: 'A3', to: 'contributors', read: contributorsIn('editor'), only: [...inBooks, ...books] },
  { from: 'A4', to: 'contributors', read: contributorsIn('other'), only: performed },
  { from: 'A4', to: 'contributors', read: contributorsIn('translator') },
  { from: 'AB N2', to: 'description', read: readParagraphs },
  // Of a paper, T2 is where it was held to some programs, and what it stands in to others.
  { from: 'C3', to: 'container_title', only: ['CPAPER', 'CONF'] },
  { from: 'BT', to: 'container_title', only: inBooks },
  { from: 'JF T2', to: 'container_title' },
  { from: 'JA J2 J1 JO JI J9', to: 'container_short_title', isSpelling: true },
  { from: 'T3', to: 'series_title', only: inBooks },
  { from: 'SV', to: 'series_number', only: [...inBooks, ...books] },
  { from: 'T3 BT', to: 'container_title' },
  { from: degreeTag, to: 'degree' },
  { from: 'VL', to: 'volume' },
  { from: 'IS', to: 'issue' },
  { from: 'CP', to: 'issue', read: readNumber },
  { from: 'SP', to: 'first_page', read: readPages },
  { from: 'EP', to: 'last_page', read: readPages },
  { from: 'SE', to: 'first_page', isSpelling: true, read: readPages, only: inJournals },
  { from: 'SE', to: 'chapter_number', only: inBooks },
  { from: 'C7', to: 'article_number', only: inJournals },
  { from: 'C2', to: 'alternate_identifiers', read: readPmcid, only: inJournals },
  { from: lengthTag, to: 'sizes', read: readPageCount },
  { from: 'DO', to: 'existing_doi', read: readDoiField },
  { from: 'DI L3 M1 N1', to: 'existing_doi', read: readDoiIfAny },
  { from: 'UR LK', to: 'urls', read: readUrlFields },
  { from: 'L1 L2 L4', to: 'urls', read: readFileAddress },
  { from: 'PY Y1 DA', to: 'dates', read: readDateField },
  { from: 'KW', to: 'keywords', read: readKeywords },
  { from: 'LA', to: 'language', read: readLanguage },
  // Web of Science has tags of its own for both.
  { from: 'PB PU', to: 'publisher_name' },
  { from: 'CY PI', to: 'publisher_place' },
  { from: 'ST', to: 'titles', read: readShortTitle },
]

// Where no other tag names a journal, JO does, be it short or whole.
const abbreviatedRows: readonly FieldRow[] = [{ from: 'JO', to: 'container_title' }, ...risRows]

/** The authors of one tag, of which there ought to be one. */
function readAuthors(value: unknown, at: FieldNotes): readonly SourceAuthor[] {
  const text = plainText(textOf(value) ?? '').replace(/^\{([^{}]*)\}$/, '$1,')
  const between = /\s*;\s*|\s+(?:and|&)\s+(?=[^,]+,\s*[^\s,])/
  const texts = text.split(between).filter((name) => name !== '')
  const names = texts.flatMap((name) => readAuthor(name, at))
  if (texts.length > 1) {
    at.add('taken_as', `${at.field} has several names: they are taken as ${names.length} authors.`)
  }
  return names
}

/** `Family, Given, Suffix`; a name that ends with a comma, or has none, is whole. */
function readAuthor(text: string, at: FieldNotes): readonly SourceAuthor[] {
  const name = text.replace(/[\s,]+$/, '')
  return name.includes(',') ? noteNames(namesInText(name), at) : tidied({ literal: name }, at)
}

// `12`, `12a`; a few letters before it are of a series, as in `B-7`.
const numberForm = /^(?:\d|\p{L}{1,4}[-. ]?\d{1,6}\p{L}?$)/u

function readNumber(value: unknown, at: FieldNotes): string | undefined {
  const text = readLine(value, at)
  if (text !== undefined && numberForm.test(text)) return text
  at.leftOut()
  return undefined
}

/** What EndNote calls the work in PubMed Central: its field of an article has nothing else. */
function readPmcid(value: unknown, at: FieldNotes): readonly unknown[] {
  const identifier = readLine(value, at)
  if (identifier !== undefined && /^PMC\d+$/.test(identifier))
    return [{ identifier, type: 'PMCID' }]
  at.leftOut()
  return []
}

/** People of one tag who had a part in the work. */
function contributorsIn(role: string) {
  return (value: unknown, at: FieldNotes): readonly unknown[] => {
    if (role === 'other') at.add('taken_as', `${at.field}: the role is taken as other.`, true)
    return readAuthors(value, at).map((name) => contributorOf(role, name))
  }
}

function readShortTitle(value: unknown, at: FieldNotes): readonly unknown[] {
  const title = readLine(value, at)
  return title === undefined ? [] : [{ title, kind: 'short' }]
}

/** What a tag says in one type, and not in another. Some programs write the DOI into M3. */
function partsOf(
  fields: readonly SourceField[],
  type: string,
  own: SourceField | undefined,
  notes: NoteList,
): readonly Partial<SourceWork>[] {
  const dois = fields
    .filter(({ name }) => name === 'DO')
    .flatMap(({ value }) => readDois(String(value)))
  const said = new Set<string>()
  return fields.flatMap((field) => {
    const { name } = field
    const text = plainText(textOf(field.value) ?? '')
    const at = new FieldNotes(notes, field)
    if (text === '') return []
    if (name === 'SN') {
      const isNumbered = fields.some((each) => each.name === 'IS' && textOf(each.value) !== text)
      return numberParts(text, type, isNumbered, at)
    }
    const isNumber = name === 'M1' && books.includes(type)
    const doi = name === 'M3' || isNumber ? readDoi(text) : undefined
    if (doi !== undefined) {
      if (dois.length === 0) return [{ existing_doi: doi }]
      if (!dois.includes(doi)) at.leftOut()
      return []
    }
    if (isNumber) return [definedOf({ series_number: readNumber(text, at) })]
    const isEdition = name === 'ET' || (name === 'ED' && /^\d/.test(text))
    if ((name !== 'M3' && !isEdition) || field === own) return []
    if (said.has(name)) {
      at.add('repeated', `It has ${name} more than once; the first one counts.`)
      return []
    }
    said.add(name)
    return [name === 'M3' ? { resource_type: text } : editionParts(text, type)]
  })
}

/**
 * An ISSN of a journal, an ISBN of a book: `0028-0836 (Print) 1476-4687 (Electronic)`; of a report
 * the number of its own, unless that is in IS.
 */
function numberParts(
  text: string,
  type: string,
  isNumbered: boolean,
  at: FieldNotes,
): readonly Partial<SourceWork>[] {
  const isbn = holdingNumbers('ISBN', numbersIn('ISBN', text), 'isbn')
  const issn = holdingNumbers('ISSN', numbersIn('ISSN', text), 'issn')
  const all = inJournals.includes(type) ? [issn, isbn] : [isbn, issn]
  const isRight = (each: Partial<SourceWork>) =>
    [...(each.isbn ?? []), ...(each.issn ?? [])].length > 0
  const isWrong = (each: Partial<SourceWork>) => (each.related_identifiers ?? []).length > 0
  // Of reports and others, it is a number of their own.
  const isNumber = [...inJournals, ...inBooks, ...wholeWorks, ...books].includes(type)
  const known = all.find(isRight) ?? (isNumber ? all.find(isWrong) : undefined)
  if (known !== undefined) return [known]
  if (ownNumbers.includes(type) && !isNumbered) return [{ issue: text }]
  at.leftOut()
  return []
}

const versionForm = /^(?:version|v\.?)\s*(?=\S*\d)(.+)$/i

/** An edition; of what says so, a version; in EndNote, the day on which a paper came online. */
function editionParts(text: string, type: string): Partial<SourceWork> {
  const day = inJournals.includes(type) ? recognizeDate(text.replaceAll('/', '-')) : undefined
  if (day !== undefined && day.length > 4) return { further_dates: [{ kind: 'online', date: day }] }
  const version = versionForm.exec(text)?.[1]
  if (version !== undefined) return { resource_version: version }
  return ['COMP', 'DATA'].includes(type) ? { resource_version: text } : { edition: text }
}

type RisPlaces = Partial<SourceWork> & { readonly event?: object }

/**
 * Where a paper was held, and where it is published: with C1 or C3, CY is the first and T2 the name
 * of the event, as EndNote has them; else CY is the second. Scopus has the days of the event in Y2.
 * Of a thesis, T2 is the department.
 */
function placeParts(fields: readonly SourceField[], type: string, notes: NoteList): RisPlaces {
  const text = (tag: string) => {
    const value = fields.find(({ name }) => name === tag)?.value
    return plainText(textOf(value) ?? '') || undefined
  }
  const [city, publisher_place, name] = ['CY', 'C1', 'T2'].map(text)
  const proceedings = text('C3') ?? (type === 'CONF' && name !== undefined ? text('T3') : undefined)
  const school = text('PB')
  if (type === 'THES' && name !== undefined && school !== undefined) {
    return { institutions: [{ name: school, department: name }] }
  }
  if (!papers.includes(type)) return {}
  if (publisher_place === undefined && proceedings === undefined) {
    return definedOf({ publisher_place: city })
  }
  const isEvent = name !== undefined && proceedings !== undefined && name !== proceedings
  if (city !== undefined && !isEvent) {
    const message = 'CY is left out: the event that was held there has no name.'
    notes.add('left_out', 'CY', message, { isLoss: true })
  }
  const [start_date, end_date] = (text('Y2')?.split(' through ') ?? []).map((day, index, all) => {
    return all.length === 2 ? readDate(day).date : undefined
  })
  return definedOf({
    publisher_place,
    event: isEvent ? definedOf({ name, place: city, start_date, end_date }) : undefined,
  })
}

/** An abbreviation is the title of what holds a work where nothing else says it. */
function withContainer(read: Partial<SourceWork>): Partial<SourceWork> {
  const { container_title: title, container_short_title: short, ...others } = read
  if (short === undefined) return read
  const isSame = title?.toLowerCase() === textOf(short)?.toLowerCase()
  if (title === undefined || isSame)
    return { ...others, ...definedOf({ container_title: title ?? textOf(short) }) }
  return read
}
