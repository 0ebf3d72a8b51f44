import type { BibtexField, BibtexPart } from '#src/discovery/citation_files/bibtex_syntax.ts'
import type { NoteList } from '#src/discovery/citation_files/citation_file.ts'

/** The fields of an entry by their names. */
export type BibtexFields = ReadonlyMap<string, BibtexField>

/** Finds an entry by its key. */
export type FindEntry = (key: string) => BibtexPart | undefined

/** Entries that an entry takes fields from by way of others, at most. */
const parentsMax = 10

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const inBooks = words(
  'inbook incollection inproceedings conference bookinbook suppbook suppcollection inreference',
)
const volumes = words('mvbook mvcollection mvreference mvproceedings')
const single = words('book collection reference proceedings')
const periodicals = words('article suppperiodical review')

// What an entry says of itself alone: BibLaTeX's own list, and what names that entry or its text.
const ownFields = words(
  'crossref xref xdata ids entryset entrysubtype execute label options presort related ' +
    'relatedoptions relatedstring relatedtype shorthand shorthandintro sortkey sorttitle ' +
    'indextitle indexsorttitle shorttitle title subtitle titleaddon doi url urldate eprint ' +
    'eprinttype eprintclass archiveprefix primaryclass abstract keywords file note pages isbn ' +
    'pagetotal library annote annotation',
)
const dateFields = words('date year month day')

/** The fields of an entry, and those that it has of the entries it names, by BibLaTeX's rules. */
export function inheritFields(
  entry: BibtexPart,
  own: BibtexFields,
  find: FindEntry,
  notes: NoteList,
): BibtexFields {
  if (!own.has('crossref') && !own.has('xdata')) return own
  const fields = new Map(own)
  takeData(entry, fields, find, notes)
  takeParents(entry, fields, find, notes)
  return fields
}

/** Takes whatever is missing of the containers of data that `xdata` names. */
function takeData(
  entry: BibtexPart,
  fields: Map<string, BibtexField>,
  find: FindEntry,
  notes: NoteList,
): void {
  const seen = new Set<BibtexPart>([entry])
  const queue = keysIn(fields.get('xdata')?.value ?? '')
  for (const key of queue) {
    if (seen.size > parentsMax) return
    const data = find(key)
    if (data === undefined) noteMissing('xdata', key, fields, notes)
    if (data === undefined || seen.has(data)) continue
    seen.add(data)
    for (const field of data.fields) {
      if (field.name === 'xdata') queue.push(...keysIn(field.value))
      else if (!fields.has(field.name)) fields.set(field.name, field)
    }
  }
}

/** The keys of a field that names entries. */
export function keysIn(value: string): string[] {
  return value.split(',').flatMap((key) => (key.trim() === '' ? [] : [key.trim()]))
}

function noteMissing(name: string, key: string, fields: BibtexFields, notes: NoteList): void {
  const message = `${name}: there is no entry "${key.slice(0, 100)}" to take fields from.`
  notes.add('not_read', name, message, { line: fields.get(name)?.line })
}

function takeParents(
  entry: BibtexPart,
  fields: Map<string, BibtexField>,
  find: FindEntry,
  notes: NoteList,
): void {
  const seen = new Set<BibtexPart>([entry])
  let child = entry
  for (let key = fields.get('crossref')?.value.trim(); key; ) {
    const parent = find(key)
    if (parent === undefined) {
      noteMissing('crossref', key, fields, notes)
      return
    }
    if (seen.has(parent) || seen.size > parentsMax) {
      const message = `crossref: from "${key.slice(0, 100)}" it never comes to an end.`
      notes.add('not_read', 'crossref', message, { line: fields.get('crossref')?.line })
      return
    }
    seen.add(parent)
    const given = new Map<string, BibtexField>()
    for (const field of parent.fields) if (!given.has(field.name)) given.set(field.name, field)
    takeData(parent, given, find, notes)
    takeFields(child.type, parent.type, fields, given)
    child = parent
    key = given.get('crossref')?.value.trim()
  }
}

function takeFields(
  childType: string,
  parentType: string,
  fields: Map<string, BibtexField>,
  parent: BibtexFields,
): void {
  const hasDate = [...dateFields].some((name) => fields.has(name))
  for (const [name, field] of parent) {
    const isOwn = ownFields.has(name) || (dateFields.has(name) && hasDate)
    if (!isOwn && !fields.has(name)) fields.set(name, field)
  }
  const prefix = titlePrefix(childType, parentType)
  for (const name of prefix === undefined ? [] : ['title', 'subtitle']) {
    const title = parent.get(name)
    const target = `${prefix}${name}`
    if (title !== undefined && !fields.has(target)) fields.set(target, renamed(title, target))
  }
}

const renamedFields = new WeakMap<BibtexField, BibtexField>()

/** A field by the name that it has in a child; the same one for all children in a row. */
function renamed(field: BibtexField, name: string): BibtexField {
  const known = renamedFields.get(field)
  if (known?.name === name) return known
  const made = { ...field, name }
  renamedFields.set(field, made)
  return made
}

/** What the title of a parent is to its child. */
function titlePrefix(child: string, parent: string): string | undefined {
  if (volumes.has(parent)) return 'main'
  if (inBooks.has(child)) return 'book'
  if (periodicals.has(child) && parent === 'periodical') return 'journal'
  return single.has(parent) && !single.has(child) && !volumes.has(child) ? 'book' : undefined
}
