import type { FieldFault } from '#actors/values/fault_list.ts'
import { normalForm } from '#actors/values/text.ts'
import { assert } from '#log/base/errors.ts'
import {
  NoteList,
  type ReadEntry,
  type ReadNote,
  unreadable,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  type BibtexEntry,
  convertBibtex,
  parseBibtexText,
} from '#src/discovery/citation_files/citation_library.ts'
import {
  bibtexWorkType,
  draftWork,
  type FileFacts,
} from '#src/discovery/citation_files/work_draft.ts'

/** A part of a BibTeX file that begins with an `@`. */
type BibtexChunk = {
  readonly kind: 'entry' | 'string' | 'preamble' | 'comment'
  /** Where it begins, from 1. */
  readonly line: number
  readonly text: string
  /** The key of an entry; empty if it has none. */
  readonly key: string
  /** What stands outside all values: names of fields, abbreviations and numbers. */
  readonly outline: string
  /** Whether its braces are closed. */
  readonly isClosed: boolean
}

const openingForm = /@\s*([A-Za-z_][\w:+-]*)\s*[{(]/g

// A line that can only be the beginning of another entry: what stands before it was not closed.
const nextEntryForm = /\n[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][ \t]*[^\s{}(),="]+[ \t]*,/y

/**
 * The parts of a BibTeX file, in order. What stands between them is a comment. A part whose braces
 * are not closed ends where the next entry begins, so that it spoils nothing but itself.
 */
export function splitBibtex(text: string): readonly BibtexChunk[] {
  const chunks: BibtexChunk[] = []
  const opening = new RegExp(openingForm)
  let line = 1
  let counted = 0
  let end = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index
    if (!beginsPart(text, start, end)) continue
    const { outline, ...extent } = measure(text, start + match[0].length)
    line += countLines(text, counted, start)
    counted = start
    end = extent.end
    const kind = kindOf(match[1] ?? '')
    const key = kind === 'entry' ? (/^[^,\s})]*/.exec(outline.trimStart())?.[0] ?? '') : ''
    chunks.push({
      kind,
      line,
      text: text.slice(start, end),
      key,
      outline,
      isClosed: extent.isClosed,
    })
    opening.lastIndex = end
  }
  return chunks
}

/** Whether an `@` stands at the beginning of a line, or right behind the part before it. */
function beginsPart(text: string, start: number, end: number): boolean {
  let at = start - 1
  while (at >= end && /[^\S\n]/.test(text[at] ?? '')) at -= 1
  return at < end || text[at] === '\n'
}

function kindOf(type: string): BibtexChunk['kind'] {
  const name = type.toLowerCase()
  return name === 'string' || name === 'preamble' || name === 'comment' ? name : 'entry'
}

/** Finds the end of a part from behind its first brace on, by the rules that values are read by. */
function measure(
  text: string,
  start: number,
): { readonly end: number; readonly isClosed: boolean; readonly outline: string } {
  let depth = 1
  let isQuoted = false
  const outline: string[] = []
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    const isOutside = depth === 1 && !isQuoted
    if (character === '\\' && !isOutside && /[\\{}]/.test(text[at + 1] ?? '')) at += 1
    else if (character === '%' && isOutside) at = lineEnd(text, at) - 1
    else if (character === '{') depth += 1
    else if (character === '}' || (character === ')' && isOutside)) depth -= 1
    else if (character === '"' && depth === 1) isQuoted = !isQuoted
    else if (character === '\n' && isNextEntry(text, at)) return unclosed(at, outline)
    else if (isOutside) outline.push(character)
    if (depth === 0) return { end: at + 1, isClosed: true, outline: outline.join('') }
  }
  return unclosed(text.length, outline)
}

// Between fields, a comment goes to the end of its line.
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function unclosed(end: number, outline: readonly string[]) {
  return { end, isClosed: false, outline: outline.join('') }
}

function isNextEntry(text: string, at: number): boolean {
  nextEntryForm.lastIndex = at
  return nextEntryForm.test(text)
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) {
    lines += 1
  }
  return lines
}

// All that an entry can say that a work has a place for.
const usedFields = new Set(
  (
    'title subtitle author editor year month day date journal journaltitle journalsubtitle ' +
    'booktitle booksubtitle maintitle mainsubtitle doi url eprint eprinttype archiveprefix ' +
    'primaryclass pages eid volume publisher institution school organization keywords ' +
    'language langid abstract license copyright rights crossref'
  ).split(' '),
)

/** What an entry says that CSL has no room for, or that the library takes for something else. */
function bibtexFacts(entry: BibtexEntry): FileFacts {
  const arxiv = arxivId(entry)
  const hasJournal = ['journal', 'journaltitle'].some((name) => valueOf(entry, name))
  const isPreprint = arxiv !== undefined && !hasJournal && isVague(entry.type)
  const isReview = entry.type === 'review'
  return {
    work_type: isPreprint ? 'preprint' : isReview ? 'review_article' : bibtexWorkType(entry.type),
    doi: valueOf(entry, 'doi'),
    url: urlOf(entry) ?? (arxiv && `https://arxiv.org/abs/${arxiv}`),
    license: ['license', 'copyright', 'rights'].map((name) => valueOf(entry, name)).find(Boolean),
    publisher: publisherOf(entry),
    pages: valueOf(entry, 'pages') === undefined ? valueOf(entry, 'eid') : undefined,
  }
}

/** The fields of an entry that were left out. */
function unusedFields(entry: BibtexEntry): readonly string[] {
  const isIssue = ['article', 'periodical', 'inproceedings'].includes(entry.type)
  const isAddress = urlOf(entry) === undefined
  return Object.keys(entry.properties).filter((name) => {
    if (name === 'number' || name === 'issue') return !isIssue
    if (name === 'howpublished') return !isAddress
    return !usedFields.has(name)
  })
}

// Where a preprint stands that has no type of its own.
function isVague(type: string): boolean {
  return ['article', 'misc', 'online', 'unpublished', 'electronic'].includes(type)
}

function arxivId(entry: BibtexEntry): string | undefined {
  const archive = valueOf(entry, 'eprinttype') ?? valueOf(entry, 'archiveprefix')
  const id = valueOf(entry, 'eprint')?.replace(/^arxiv:/i, '')
  const isId =
    id !== undefined && /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/.test(id)
  return archive?.toLowerCase() === 'arxiv' && isId ? id : undefined
}

// Underscores and other signs in addresses are often written as LaTeX wants them.
function urlOf(entry: BibtexEntry): string | undefined {
  return valueOf(entry, 'url')?.replace(/^\\url\{(.*)\}$/, '$1')
}

function publisherOf(entry: BibtexEntry): string | undefined {
  const names = ['publisher', 'institution', 'school', 'organization']
  const text = names.map((name) => valueOf(entry, name)).find(Boolean)
  // The library reads LaTeX, and is asked unless there is none.
  return text === undefined || /[\\{}$~]|--/.test(text) ? undefined : text
}

/** A value without the braces around it and without LaTeX's escapes of single signs. */
function valueOf(entry: BibtexEntry, name: string): string | undefined {
  const value = entry.properties[name]
  if (value === undefined || !Object.hasOwn(entry.properties, name)) return undefined
  const text = String(value)
    .trim()
    .replace(/^\{([^{}]*)\}$/, '$1')
    .replace(/\\([_%&#~])/g, '$1')
  return text === '' ? undefined : text
}

// Commands that the library does not know.
const signs: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  S: '§',
  P: '¶',
  dots: '…',
  ldots: '…',
  TeX: 'TeX',
  LaTeX: 'LaTeX',
  BibTeX: 'BibTeX',
}

const signForm = new RegExp(
  `\\\\(${Object.keys(signs).join('|')})(?![A-Za-z])(?:\\{\\}|[ \\t]*)`,
  'g',
)

// Addresses are taken as they are.
const verbatimFields = new Set(['url', 'doi', 'eprint', 'file'])

/** An entry whose values have signs instead of some commands of LaTeX. */
function spellSigns(entry: BibtexEntry): BibtexEntry {
  const properties = Object.entries(entry.properties).map(([name, value]) => {
    const isText = typeof value === 'string' && !verbatimFields.has(name)
    return [name, isText ? spell(value) : value] as const
  })
  return { ...entry, properties: Object.fromEntries(properties) }
}

function spell(text: string): string {
  // A hyphen that only says where a word may be parted is no part of it.
  const whole = text.replaceAll('\\-', '')
  return whole.replace(signForm, (_, name: string) => signs[name] ?? '')
}

/** A body whose accents stand on letters: LaTeX puts them on an i or a j without its dot. */
function composeLetters(
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const compose = (_: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const dotted = value.replace(/ı(?=\p{Mn})/gu, 'i').replace(/ȷ(?=\p{Mn})/gu, 'j')
    return normalForm(dotted, 'NFC')
  }
  return JSON.parse(JSON.stringify(body), compose) as Readonly<Record<string, unknown>>
}

/** The commands of LaTeX that are left in a body, each once. */
function leftCommands(body: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = ['work_title', 'authors', 'container_title', 'publisher_name', 'description']
  const found = texts.flatMap((name) => {
    const text = body[name]
    return typeof text === 'string' ? (text.match(/\\[A-Za-z]+/g) ?? []) : []
  })
  return [...new Set(found)].slice(0, 10)
}

// What the library calls the marks of BibTeX.
const marks: Readonly<Record<string, string>> = {
  at: '@',
  lbrace: '{',
  rbrace: '}',
  equals: '=',
  comma: ',',
  quote: '"',
  mathShift: '$',
  label: 'a key',
  identifier: 'the name of a field',
}

/**
 * What is wrong with a text that the library does not read. With a field, the value is LaTeX and
 * has no lines; without, `line` is the one on which the text begins.
 */
function faultOf(error: unknown, field: string, line: number): FieldFault {
  const code = field === '' ? 'not_readable' : 'bad_value'
  const where = field === '' ? `Near line ${line}` : field
  if (error instanceof RangeError) {
    return { field, code, message: `${where}: braces are nested too deeply.` }
  }
  const text = error instanceof Error ? error.message : ''
  const [, expected] = /expected "(\w+)"/.exec(text) ?? []
  const [, lineOfText = '1'] = /at line (\d+)/.exec(text) ?? []
  const place = field === '' ? `Line ${line + Number(lineOfText) - 1}` : field
  const mark = expected === undefined ? undefined : (marks[expected] ?? expected)
  if (mark === undefined) return { field, code, message: `${place} cannot be read.` }
  if (mark === 'text') {
    const message = `${place}: its LaTeX is not complete; a $ that is no formula is written \\$.`
    return { field, code, message }
  }
  return { field, code, message: `${place}: ${mark} is missing.` }
}

const entryCharactersMax = 500_000

/** Entries that an entry takes fields from by way of others, at most. */
const parentsMax = 10

/** Abbreviations that BibTeX's styles define. */
const standardAbbreviations = (
  'jan feb mar apr may jun jul aug sep oct nov dec acmcs acta cacm ibmjrd ibmsj ieeese ieeetc ' +
  'ieeetcad ipl jacm jcss scp sicomp tocs tods tog toms toois toplas tcs'
).split(' ')

type Parsed = { readonly chunk: BibtexChunk; readonly entry: BibtexEntry }

/** Reads the entries of a BibTeX or BibLaTeX file, each on its own. */
export function readBibtex(parts: readonly BibtexChunk[]): readonly ReadEntry[] {
  const chunks = parts.filter(({ kind }) => kind === 'entry' || kind === 'string')
  const faulty = new Map<BibtexChunk, readonly FieldFault[]>()
  const parsed = parseChunks(chunks, faulty)
  const abbreviations = new Set([...standardAbbreviations, ...definedAbbreviations(chunks)])
  const byKey = new Map(parsed.map(({ entry }) => [entry.label, entry]))
  const read = new Map(
    parsed.map((each) => [each.chunk, readEntry(each, byKey, abbreviations)] as const),
  )
  return chunks.flatMap((chunk) => {
    const faults = faulty.get(chunk)
    if (faults !== undefined) return [unreadable(placeOf(chunk), faults)]
    return read.get(chunk) ?? []
  })
}

function placeOf({ kind, line, key }: BibtexChunk): Pick<ReadEntry, 'line' | 'key'> {
  return { line, key: kind === 'string' ? '@string' : key }
}

/** All at once, and only if that fails each on its own, to find those that are wrong. */
function parseChunks(
  chunks: readonly BibtexChunk[],
  faulty: Map<BibtexChunk, readonly FieldFault[]>,
): readonly Parsed[] {
  for (const chunk of chunks) {
    const fault = formFault(chunk)
    if (fault !== undefined) faulty.set(chunk, [fault])
  }
  const together = () => parseTogether(chunks.filter((chunk) => !faulty.has(chunk)))
  try {
    return together()
  } catch {
    for (const chunk of chunks) {
      if (faulty.has(chunk)) continue
      try {
        parseBibtexText(chunk.text)
      } catch (error) {
        faulty.set(chunk, [faultOf(error, '', chunk.line)])
      }
    }
  }
  try {
    return together()
  } catch (error) {
    // Each can be read and all cannot: what they say of each other has no end.
    for (const chunk of chunks) {
      if (!faulty.has(chunk)) faulty.set(chunk, [faultOf(error, '', chunk.line)])
    }
    return []
  }
}

function parseTogether(chunks: readonly BibtexChunk[]): readonly Parsed[] {
  const entries = parseBibtexText(chunks.map(({ text }) => text).join('\n'))
  const entryChunks = chunks.filter(({ kind }) => kind === 'entry')
  assert(entries.length === entryChunks.length, 'the library sees the entries that we see')
  return entryChunks.flatMap((chunk, index) => {
    const entry = entries[index]
    return entry === undefined ? [] : [{ chunk, entry }]
  })
}

function formFault({ line, key, text, isClosed, outline, kind }: BibtexChunk) {
  if (!isClosed) {
    const message = `The braces that begin on line ${line} are not closed: a } is missing.`
    return { field: '', code: 'not_closed', message }
  }
  if (text.length > entryCharactersMax) {
    const message = `The entry has more than ${entryCharactersMax} characters.`
    return { field: '', code: 'too_long', message }
  }
  if (kind === 'entry' && (key === '' || key.includes('='))) {
    const message = `The entry on line ${line} has no key: write one before its first field.`
    return { field: '', code: 'no_key', message }
  }
  // The library would write such a name into what all objects share.
  if (/__proto__/.test(outline)) {
    return { field: '__proto__', code: 'unknown_field', message: '__proto__ is no field.' }
  }
  return undefined
}

function definedAbbreviations(chunks: readonly BibtexChunk[]): readonly string[] {
  const strings = chunks.filter(({ kind }) => kind === 'string')
  return strings.map(({ outline }) => /^\s*([^\s=]*)/.exec(outline)?.[1]?.toLowerCase() ?? '')
}

function readEntry(
  { chunk, entry }: Parsed,
  byKey: ReadonlyMap<string, BibtexEntry>,
  abbreviations: ReadonlySet<string>,
): ReadEntry {
  const place = placeOf(chunk)
  const family = parentsOf(entry, byKey)
  const faults = [...undefinedAbbreviations(chunk.outline, abbreviations), ...family.faults]
  if (faults.length > 0) return unreadable(place, faults)
  try {
    const { crossref: _, ...own } = entry.properties
    const child = family.parents.length > 0 ? entry : { ...entry, properties: own }
    const csl = convertBibtex(spellSigns(child), family.parents.map(spellSigns))
    const draft = draftWork(csl, bibtexFacts(child), chunk.line)
    const body = composeLetters(draft.body)
    const notes = [...draft.notes, ...notesOn(chunk, entry), ...latexNotes(body, chunk.line)]
    return { ...place, body, faults, notes }
  } catch (error) {
    return unreadable(place, valueFaults(entry, error, chunk.line))
  }
}

/** The entry that an entry takes fields from, and those that this one does. */
function parentsOf(entry: BibtexEntry, byKey: ReadonlyMap<string, BibtexEntry>) {
  const parents: BibtexEntry[] = []
  for (let child = entry; child.properties['crossref'] !== undefined; ) {
    const key = String(child.properties['crossref'])
    const parent = byKey.get(key)
    if (parent === undefined) return { parents, faults: [badParent(`There is no entry "${key}".`)] }
    if (parent === entry || parents.includes(parent) || parents.length === parentsMax) {
      return { parents, faults: [badParent(`From "${key}" it never comes to an end.`)] }
    }
    parents.push(parent)
    child = parent
  }
  return { parents, faults: [] }
}

function badParent(message: string): FieldFault {
  return { field: 'crossref', code: 'bad_value', message: `crossref: ${message}` }
}

/** An abbreviation without a meaning would be read as nothing at all. */
function undefinedAbbreviations(
  outline: string,
  abbreviations: ReadonlySet<string>,
): readonly FieldFault[] {
  const used = outline.matchAll(/([\w:+-]+)?\s*[=#]\s*([A-Za-z_][\w:+-]*)/g)
  return [...used].flatMap(([, field = '', name = '']) => {
    if (abbreviations.has(name.toLowerCase())) return []
    const message = `The file does not say what ${name} stands for: define it with @string, or put
 it in braces.`.replace('\n', '')
    return [{ field, code: 'unknown_abbreviation', message }]
  })
}

/** The fields whose values cannot be read; each is tried by itself. */
function valueFaults(entry: BibtexEntry, error: unknown, line: number): readonly FieldFault[] {
  const faults = Object.entries(entry.properties).flatMap(([field, value]) => {
    try {
      convertBibtex({ ...entry, properties: { [field]: value }, annotations: {} }, [])
      return []
    } catch (cause) {
      return [faultOf(cause, field, line)]
    }
  })
  return faults.length > 0 ? faults : [faultOf(error, '', line)]
}

function latexNotes(body: Readonly<Record<string, unknown>>, line: number): readonly ReadNote[] {
  const left = new NoteList(line)
  const commands = leftCommands(body)
  const message = `It has LaTeX that stays as it is: ${commands.join(', ')}.`
  if (commands.length > 0) left.add('not_read', '', message)
  return left.notes
}

function notesOn({ outline, line }: BibtexChunk, entry: BibtexEntry): readonly ReadNote[] {
  const left = new NoteList(line)
  const names = [...outline.matchAll(/([\w:+-]+)\s*=/g)].map(([, name = '']) => name.toLowerCase())
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) < index))) {
    left.add('repeated', name, `It has ${name} more than once; the last one counts.`)
  }
  const unused = unusedFields(entry)
  const message = `Left out, because no field fits: ${unused.join(', ')}.`
  if (unused.length > 0) left.add('left_out', unused.join(', '), message)
  return left.notes
}
