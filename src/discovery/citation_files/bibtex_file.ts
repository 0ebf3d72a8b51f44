import { assert } from '#log/base/errors.ts'
import type { BibtexChunk } from '#src/discovery/citation_files/bibtex_chunks.ts'
import { bibtexFacts, unusedFields } from '#src/discovery/citation_files/bibtex_fields.ts'
import { type ReadEntry, unreadable } from '#src/discovery/citation_files/citation_entry.ts'
import {
  type BibtexEntry,
  convertBibtex,
  parseBibtexText,
} from '#src/discovery/citation_files/citation_library.ts'
import {
  composeLetters,
  leftCommands,
  spellSigns,
} from '#src/discovery/citation_files/latex_signs.ts'
import { faultOf } from '#src/discovery/citation_files/library_fault.ts'
import { draftWork } from '#src/discovery/citation_files/work_draft.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

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
    const draft = draftWork(csl, bibtexFacts(child))
    const body = composeLetters(draft.body)
    const notes = [...draft.notes, ...notesOn(chunk, entry), ...latexNotes(body)]
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

function latexNotes(body: Readonly<Record<string, unknown>>): readonly string[] {
  const commands = leftCommands(body)
  return commands.length === 0 ? [] : [`It has LaTeX that stays as it is: ${commands.join(', ')}.`]
}

function notesOn({ outline }: BibtexChunk, entry: BibtexEntry): readonly string[] {
  const names = [...outline.matchAll(/([\w:+-]+)\s*=/g)].map(([, name = '']) => name.toLowerCase())
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index))
  const notes = [...twice].map((name) => `It has ${name} more than once; the last one counts.`)
  const unused = unusedFields(entry)
  if (unused.length > 0) notes.push(`Left out, because no field fits: ${unused.join(', ')}.`)
  return notes
}
