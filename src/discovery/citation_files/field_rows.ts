import { explainCode, recognizeLanguage } from '#actors/values/language.ts'
import { readLicense as licenseIn } from '#actors/values/license.ts'
import { explainShortDoi, readShortDoi } from '#actors/values/identifier.ts'
import { isJsonObject } from '#actors/values/serialization.ts'
import { betweenSemicolons, keywordsOf } from '#actors/values/text.ts'
import { readDoi, readDois, readUrls } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { readCslDate } from '#src/discovery/citation_files/dates.ts'
import { markedText, noteFootnotes, plainText } from '#src/discovery/citation_files/markup.ts'
import { listFields, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'

/** A thing that a record says, by its name in the file. */
export type SourceField = {
  readonly name: string
  readonly value: unknown
  /** Where it stands, from 1; undefined where a file has no lines to speak of. */
  readonly line?: number | undefined
  /** The value with its marks, where that is no HTML. */
  readonly markup?: string | undefined
}

/**
 * What a field of a record is read into. `elsewhere`: it is read with others; `nothing`: it is
 * about the record, and not about the work.
 */
type Target = Exclude<keyof SourceWork, 'work_type'> | 'elsewhere' | 'nothing'

/** Reads a value: of a list of things several. Undefined or none if it says nothing. */
type Reading = (value: unknown, at: FieldNotes) => unknown

/**
 * A row of the table of a format: which fields of a record fill which field of a work, the first
 * ones first, by which rule, and in records of which types.
 */
export type FieldRow = {
  readonly from: string
  readonly to: Target
  readonly read?: Reading
  /** The types of records that it is for; all, if there are none. */
  readonly only?: readonly string[]
  /** Another spelling of what the rows before say, such as an abbreviation. */
  readonly isSpelling?: true
}

// Fields of works that take all that is said; of others the first one counts.
const lists: ReadonlySet<Target> = new Set([
  'authors',
  'editors',
  'keywords',
  'related_identifiers',
  'funding',
  'dates',
  'urls',
  ...listFields,
])

/**
 * Reads the fields of a record by a table. Whatever no row is for is named in a note; so is what
 * would fill a field that is filled, unless it says the same. `bookkeeping`: what else is about
 * the record alone.
 */
export function readByRows(
  fields: readonly SourceField[],
  rows: readonly FieldRow[],
  type: string,
  notes: NoteList,
  bookkeeping: readonly string[] = [],
): Partial<SourceWork> {
  const filling: Filling = {
    filled: {},
    sources: new Map(),
    bookkeeping: [],
    notes,
  }
  const rules = rulesOf(rows)
  const due: { readonly rule: Rule; readonly field: SourceField }[] = []
  const unused: SourceField[] = []
  for (const field of fields) {
    if (isEmpty(field.value)) continue
    const rule = rules.get(field.name)?.find(({ row: { only } }) => only?.includes(type) !== false)
    if (rule === undefined) unused.push(field)
    else due.push({ rule, field })
  }
  due.sort((one, other) => one.rule.order - other.rule.order)
  for (const { rule, field } of due) fill(rule.row, field, filling)
  noteBookkeeping([...filling.bookkeeping, ...bookkeeping], notes)
  if (unused.length > 0) noteUnused(unused, notes)
  return filling.filled
}

/** A row for one of its fields, and its place among all of them. */
type Rule = { readonly row: FieldRow; readonly order: number }

const rulesByRows = new WeakMap<readonly FieldRow[], ReadonlyMap<string, readonly Rule[]>>()

/** The rows of a table by the names of fields, made once for all records. */
function rulesOf(rows: readonly FieldRow[]): ReadonlyMap<string, readonly Rule[]> {
  const known = rulesByRows.get(rows)
  if (known !== undefined) return known
  const named = rows.flatMap((row) => row.from.split(' ').map((name) => ({ name, row })))
  const ordered = named.map((each, order) => ({ ...each, order }))
  const rules = Map.groupBy(ordered, ({ name }) => name)
  rulesByRows.set(rows, rules)
  return rules
}

type Filling = {
  readonly filled: Record<string, unknown>
  readonly sources: Map<Target, SourceField>
  readonly bookkeeping: string[]
  readonly notes: NoteList
}

function fill(
  row: FieldRow,
  field: SourceField,
  { filled, sources, bookkeeping, notes }: Filling,
): void {
  const { to, read = readLine, isSpelling = false } = row
  const at = new FieldNotes(notes, field)
  if (to === 'elsewhere') return
  if (to === 'nothing') {
    bookkeeping.push(field.name)
    return
  }
  if (!lists.has(to)) {
    const source = sources.get(to)
    const value = read(field.value, at)
    if (value === undefined) return
    if (source === undefined) {
      filled[to] = value
      sources.set(to, field)
      if (to === 'work_title' || to === 'description') {
        const form = to === 'description' ? 'paragraphs' : 'line'
        const { markup } =
          field.markup === undefined ? markedText(textOf(field.value) ?? '', form) : field
        if (markup !== undefined) filled[`${to}_markup`] = markup
      }
    } else if (!isSame(filled[to], value)) noteRepeated(at, source, isSpelling)
    return
  }
  const value = read(field.value, at)
  if (value === undefined) return
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const before = filled[to] as readonly unknown[] | undefined
  filled[to] = before === undefined ? values : [...before, ...values]
}

function isSame(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string'
    ? one.toLowerCase() === other.toLowerCase()
    : one === other
}

/** Notes that what a field says is said by another one already. */
function noteRepeated(at: FieldNotes, { name }: SourceField, isSpelling: boolean): void {
  const message =
    name === at.field
      ? `It has ${name} more than once; the first one counts.`
      : `${at.field} is left out: ${name} counts.`
  at.add('repeated', message, !isSpelling)
}

function noteBookkeeping(given: readonly string[], notes: NoteList): void {
  const names = [...new Set(given)].join(', ')
  const message = `Left out, because it is about the record alone: ${names}.`
  if (names !== '') notes.add('left_out', names, message, { isLoss: false })
}

function noteUnused(fields: readonly SourceField[], notes: NoteList): void {
  const unused = [...new Map(fields.toReversed().map((field) => [field.name, field])).values()]
  const named = unused.toReversed().filter(({ line }) => line === undefined)
  if (named.length > 0) {
    const names = named.map(({ name }) => name)
    const shown = names.slice(0, 60).join(', ')
    notes.add('left_out', shown, `Left out, because no field fits: ${shown}.`)
  }
  for (const field of unused.toReversed()) {
    if (field.line !== undefined) new FieldNotes(notes, field).leftOut()
  }
}

/** Whether a value says nothing: it is absent, or a list or an object of such values. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === '' || isUnknown(value)
  if (Array.isArray(value)) return value.every(isEmpty)
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

const unknownForms = [
  /^\(?:(?:unac|unal|unap|unas|unav|unkn|none|null|tba)\)?$/i,
  /^\(:(?:unac|unal|unap|unas|unav|unkn|none|null|tba)\) ?[a-z ]*$/i,
  /^(?:\[s\. ?[nl]\.\]|n\/a(?:\s*[-–—]+\s*n\/a)?|ahead[- ]of[- ]print|unav|unkn)$/i,
  /^not (?:available|applicable|specified|known)$/i,
  // What programs write where they have no value.
  /^(?:null|undefined|NaN|\[object Object\])$/,
]

/** Whether a text is a code for what is not known, such as DataCite's `:unav`, or `[s.n.]`. */
export function isUnknown(text: string): boolean {
  if (text.length >= 60 || !/^\s*[(:[anu]/i.test(text)) return false
  return unknownForms.some((form) => form.test(text.trim()))
}

/** A text, or the first of a list of texts; numbers are texts too. */
export function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value.find((each) => !isEmpty(each)) : value
  if (typeof first === 'number' || typeof first === 'bigint') return String(first)
  return typeof first === 'string' && !isEmpty(first) ? first.trim() : undefined
}

/** The members of an object; none of what is no object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

/** The values of a list; one that stands without a list is one of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

// --- Rules ---

/** A text on one line, without marks. Of several in a list the first one counts. */
export function readLine(value: unknown, at: FieldNotes): string | undefined {
  if (typeof value === 'string') {
    noteFootnotes(value, at)
    return isEmpty(value) ? undefined : plainText(value) || undefined
  }
  const texts = listOf(value)
    .map(textOf)
    .filter((text) => text !== undefined)
  const [text] = texts
  if (text === undefined) {
    if (!isEmpty(value)) at.notRead(value, 'it is no text')
    return undefined
  }
  if (new Set(texts).size > 1) noteSeveral(at)
  noteFootnotes(text, at)
  return plainText(text) || undefined
}

/** A text that may have paragraphs, without marks. Of several in a list the first one counts. */
export function readParagraphs(value: unknown, at: FieldNotes): string | undefined {
  const text = textOf(value)
  const texts = new Set(listOf(value).map(textOf))
  texts.delete(undefined)
  if (texts.size > 1) noteSeveral(at)
  if (text === undefined) {
    at.notRead(value, 'it is no text')
    return undefined
  }
  noteFootnotes(text, at)
  return plainText(text, 'paragraphs') || undefined
}

function noteSeveral(at: FieldNotes): void {
  at.add('repeated', `${at.field} has several values; the first one counts.`)
}

/**
 * Notes whatever a thing says that no field is for; `read` are the members that are read, or say
 * how it is printed.
 */
export function noteMembers(
  thing: Readonly<Record<string, unknown>>,
  read: ReadonlySet<string>,
  what: string,
  at: FieldNotes,
): void {
  for (const member of Object.keys(thing)) {
    if (read.has(member) || isEmpty(thing[member])) continue
    at.add('left_out', `${at.field}: ${member} of ${what} is left out: no field fits.`)
  }
}

const countForm = /^(?:[ivxlc]+[ ,+]+)?\d+(?: ?(?:pp?|pages|S|Seiten|s)\.?)?$/

/** Whether a text says of a whole how many pages it has: `210`, `xii, 345 p.` */
export function isPageCount(text: string): boolean {
  return countForm.test(text)
}

/** How many pages the whole has, as a size in words. */
export function readPageCount(value: unknown, at: FieldNotes): readonly string[] {
  const count = readLine(value, at)
  if (count === undefined) return []
  return [/^\d+$/.test(count) ? `${count} ${count === '1' ? 'page' : 'pages'}` : count]
}

// Pages have numbers; what has none but zeros is the name of a section, `to appear`, or no page.
const pageNumber = /(?!0)\p{N}|(?<!\p{L})(?:[ivxlcdm]+|\p{Lu})(?!\p{L})/iu

/** Pages, with a hyphen where LaTeX and others have a dash; undefined and told if they are none. */
export function readPages(value: unknown, at: FieldNotes): string | undefined {
  const pages = readLine(value, at)?.replace(/\s*[\u2010-\u2015\u2212]\s*/g, '-')
  if (pages !== undefined && !pageNumber.test(pages)) {
    at.notRead(pages, 'it is no page')
    return undefined
  }
  return pages?.replace(/^pp?\.\s*(?=\d)/, '')
}

/** A DOI in any spelling; undefined and told if it is none. */
export function readDoiField(value: unknown, at: FieldNotes): string | undefined {
  const text = textOf(value) ?? ''
  const doi = readDoi(text)
  if (doi !== undefined) {
    const [, rest = ''] = /10\.\d\S*\s+(\S[^]*)$/.exec(text) ?? []
    const isSaid = !/[\p{L}\p{N}]/u.test(rest) || /^\[?doi\]?$/i.test(rest)
    if (!isSaid && !doi.endsWith(rest.toLowerCase())) {
      at.add('left_out', `${at.field}: "${quote(rest)}" is left out; ${quote(doi)} is taken.`)
    }
    if (doi.endsWith('.')) {
      at.add('taken_as', `${at.field}: the DOI ends with a full stop, as few do; it is kept.`)
    }
    return doi
  }
  const [first, ...others] = readDois(text)
  const short = readShortDoi(text)
  if (short !== undefined) at.notRead(value, explainShortDoi(short))
  else if (first === undefined) at.notRead(value, 'it is no DOI')
  else if (others.length > 0) at.add('repeated', `${at.field} has several DOIs; the first counts.`)
  return first
}

const doiAlone = /^\s*\W?(?:doi\b\s*:?\s*|https?:\/\/\S*)?10\.\d{4,9}\S*\s*$/i

/** A DOI, if the field is one and nothing else, of which most say something else. */
export function readDoiIfAny(value: unknown, at: FieldNotes): string | undefined {
  const text = textOf(value) ?? ''
  const doi = doiAlone.test(text) ? readDoi(text) : undefined
  if (doi === undefined) at.leftOut()
  return doi
}

/** Addresses in any spelling. */
export function readUrlFields(value: unknown, at: FieldNotes): SourceWork['urls'] {
  return listOf(value).flatMap((each) => {
    const text = textOf(each) ?? textOf(objectOf(each)['URL'])
    if (text === undefined) return []
    const { urls, rest } = readUrls(text)
    if (urls.length === 0) {
      const doi = readDoi(text)
      if (doi === undefined) at.notRead(text, 'it is no http or https address')
      return doi === undefined ? [] : [{ url: `https://doi.org/${doi}`, at }]
    }
    if (rest !== '') at.add('left_out', `${at.field}: "${quote(rest)}" is left out.`)
    return urls.map((url) => ({ url, at }))
  })
}

/** An address of a file on the web; other paths are somebody's own. */
export function readFileAddress(value: unknown, at: FieldNotes): SourceWork['urls'] {
  if (/https?:|www\./i.test(textOf(value) ?? '')) {
    return readUrlFields(value, at)?.map((each) => ({ ...each, isFile: true }))
  }
  at.add('left_out', `${at.field} is left out: it is no address on the web.`, false)
  return []
}

/** A date in any form. */
export function readDateField(value: unknown, at: FieldNotes): SourceWork['dates'] {
  if (isEmpty(value)) return []
  const isText = typeof value === 'string' || typeof value === 'number'
  const read = readCslDate(value)
  if (!isText && read.date === undefined && read.remark === undefined) {
    at.notRead(value, 'it is no date')
    return []
  }
  return [{ ...read, at, text: isText ? String(value) : JSON.stringify(value) }]
}

/** Keywords, each in a value of its own, or several in one with semicolons between them. */
export function readKeywords(value: unknown, _at: FieldNotes): readonly string[] {
  return listOf(value).flatMap((each) => {
    const text = textOf(each) ?? textOf(objectOf(each)['subject']) ?? ''
    return betweenSemicolons(text.replaceAll('\n', ';'))
      .map((word) => plainText(word).replace(majorTopic, '$1'))
      .filter((word) => word !== '')
  })
}

// PubMed has a star before a heading, or a part of one, that is a main subject: `Moss/*growth`.
const majorTopic = /(^|\/)\*(?=\p{L})/gu

/** Keywords in one text, with semicolons between them if there is one, else commas. */
export function readKeywordText(value: unknown, at: FieldNotes): readonly string[] {
  const text = Array.isArray(value) ? undefined : textOf(value)
  if (text === undefined) return readKeywords(value, at)
  return keywordsOf(text.replaceAll('\n', ';'))
    .map((word) => plainText(word))
    .filter(Boolean)
}

// Of records in a row most are in one language, and under one licence.
const recognizeAgain = againOf(recognizeLanguage)
const readLicenseAgain = againOf(licenseIn)

/** A reading of texts that knows the last of them again. */
function againOf<T>(read: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}

/** A language by its code or name; undefined and told if it is none of ours. */
export function readLanguage(value: unknown, at: FieldNotes): string | undefined {
  const text = textOf(value) ?? ''
  if (new Set(listOf(value).map(textOf)).size > 1) noteSeveral(at)
  const whole = recognizeAgain(text)
  if (whole !== undefined) {
    // A region or a script is not kept.
    if (/^[a-z]{2,3}[-_]\w/i.test(text))
      at.add('taken_as', `${at.field} "${quote(text)}" is taken as ${whole}.`)
    noteCode(text, at)
    return whole
  }
  const [first, ...others] = text.split(/\s*(?:[;,/&|]|\band\b)\s*/).filter((part) => part !== '')
  const code = first === undefined ? undefined : recognizeLanguage(first)
  if (code === undefined) at.notRead(value, 'it is no language that we know')
  else if (others.length > 0) at.add('repeated', `${at.field} has several; the first one counts.`)
  return code
}

/** Notes that the name of a language is read as the code of another one. */
export function noteCode(text: string, at: FieldNotes): void {
  const read = explainCode(text)
  if (read !== undefined) at.add('taken_as', `${at.field} "${quote(text)}" is read as ${read}.`)
}

/** A licence by its identifier, address or name; undefined and told if it is none. */
export function readLicense(value: unknown, at: FieldNotes): string | undefined {
  const text = textOf(value) ?? ''
  const license = readLicenseAgain(text)
  if (license === undefined) at.notRead(value, 'it is no licence that we know')
  noteVersion(text, license, at)
  return license
}

/** Notes that a licence of Creative Commons was named without its version, which is the newest. */
export function noteVersion(text: string, license: string | undefined, at: FieldNotes): void {
  if (license?.startsWith('CC-BY') !== true || /\d/.test(text)) return
  at.add('taken_as', `${at.field} "${quote(text)}" names no version: it is taken as ${license}.`)
}
