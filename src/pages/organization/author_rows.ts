import {
  isSameName,
  joinAuthors,
  readName,
  splitAuthors,
  wholeName,
} from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import { nameParts } from '#src/discovery/formats/author_names.ts'
import { field, type FormBody, type FormState, textOf } from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'

/** An author as a row of the form has them; a group, or a name in one piece, is all family name. */
type AuthorRow = {
  readonly family: string
  readonly given: string
  readonly orcid: string
  readonly affiliation: string
}

/** Rows of authors that a form has; further ones are written one a line. */
const authorRowsMax = 30

const parts = ['family', 'given', 'orcid', 'affiliation'] as const

type Part = (typeof parts)[number]

const partFields: Readonly<Record<Part, { readonly label: string; readonly hint?: string }>> = {
  family: { label: 'Family name', hint: 'Or the whole name of a group.' },
  given: { label: 'Given names' },
  orcid: { label: 'ORCID iD' },
  affiliation: { label: 'Affiliation' },
}

/** The name of a field of the author at a place, from 1: `author_2_orcid`. */
export function authorField(place: number, part: Part): string {
  return `author_${place}_${part}`
}

const fieldForm = /^author_([1-9]\d?)_(family|given|orcid|affiliation)$/

/** Which part of which author a field of a form is; undefined for other fields. */
export function authorPart(
  name: string,
): { readonly place: number; readonly label: string; readonly part: Part } | undefined {
  const [, place, part] = fieldForm.exec(name) ?? []
  if (place === undefined || part === undefined || Number(place) > authorRowsMax) return undefined
  const known = part as Part
  const { label } = partFields[known]
  const named = known === 'orcid' ? label : label.toLowerCase()
  return { place: Number(place), label: `Author ${place}, ${named}`, part: known }
}

/** The names of all fields of rows that a form has. */
export function authorFieldNames(form: FormBody): readonly string[] {
  return [...form.keys()].filter((name) => authorPart(name) !== undefined)
}

/** The rows of a form by their places, from 1; a place whose fields are all empty is left out. */
function rowsOf(form: FormBody): ReadonlyMap<number, AuthorRow> {
  const places = authorFieldNames(form).map((name) => authorPart(name)?.place ?? 0)
  const rows = [...new Set(places)]
    .toSorted((a, b) => a - b)
    .map((place): [number, AuthorRow] => {
      const [family = '', given = '', orcid = '', affiliation = ''] = parts.map((part) =>
        textOf(form, authorField(place, part)).trim(),
      )
      return [place, { family, given, orcid, affiliation }]
    })
  return new Map(rows.filter(([, row]) => Object.values(row).some((text) => text !== '')))
}

function placesOf(form: FormBody): number {
  const places = authorFieldNames(form).map((name) => authorPart(name)?.place ?? 0)
  return Math.max(1, ...places)
}

/**
 * The same form with one row more or less, if a button of the rows was pressed; else undefined. The
 * row that was added is the one to go on with.
 */
export function changeRows(
  form: FormBody,
): { readonly values: FormBody; readonly focus: string } | undefined {
  const removed = Number(textOf(form, 'remove_author'))
  const isAdded = form.has('add_author')
  if (!isAdded && !(removed >= 1 && removed <= authorRowsMax)) return undefined
  const values = new Map([...form].filter(([name]) => authorPart(name) === undefined))
  values.delete('add_author')
  values.delete('remove_author')
  const places = placesOf(form)
  const kept = Array.from({ length: places }, (_, index) => index + 1).filter(
    (place) => isAdded || place !== removed,
  )
  const texts = kept.map((place) => parts.map((part) => textOf(form, authorField(place, part))))
  if (isAdded && texts.length < authorRowsMax) texts.push(parts.map(() => ''))
  for (const [index, row] of texts.entries()) {
    for (const [at, part] of parts.entries())
      values.set(authorField(index + 1, part), row[at] ?? '')
  }
  const place = isAdded ? texts.length : Math.min(removed, Math.max(1, texts.length))
  return { values, focus: authorField(place, 'family') }
}

/** The rows of authors, and the buttons for them; `focus` is the field to begin with. */
export function authorRows(state: FormState, focus?: string): Html {
  const count = Math.min(placesOf(state.values), authorRowsMax)
  const rows = Array.from({ length: count }, (_, index) => {
    const place = index + 1
    const fields = parts.map((part) => {
      const hint = place === 1 ? partFields[part] : { label: partFields[part].label }
      const name = authorField(place, part)
      return field({ name, ...hint, isPlain: true, isFirst: name === focus }, state)
    })
    const remove =
      count === 1
        ? ''
        : html`<button class="button button-quiet" type="submit" name="remove_author"
value="${place}">Remove author ${place}</button>`
    return html`<fieldset class="author"><legend>Author ${place}</legend>
<div class="columns">${fields}</div>${remove}</fieldset>`
  })
  const add =
    count >= authorRowsMax
      ? ''
      : html`<p><button class="button button-quiet" type="submit" name="add_author"
value="on">Add an author</button></p>`
  return html`<div id="field-author-rows">${rows}</div>${add}`
}

const identified = /^(.*?)\s*\(\s*(?:https?:\/\/orcid\.org\/)?([\dXx-]{16,19})\s*\)$/

function readLine(line: string): WrittenRow {
  const [, name = line, orcid = ''] = identified.exec(line) ?? []
  const written = nameParts(readName(name))
  return { family: written?.family ?? name, given: written?.given ?? '', orcid, isLine: true }
}

type WrittenRow =
  | (AuthorRow & { readonly isLine?: false })
  | (Omit<AuthorRow, 'affiliation'> & { readonly isLine: true })

/** All authors of a form: its rows, then the lines of `authors`, empty ones left out. */
function readRows(form: FormBody): readonly WrittenRow[] {
  const lines = textOf(form, 'authors').split('\n')
  const further = lines.map((line) => line.trim()).filter((line) => line !== '')
  return [...rowsOf(form).values(), ...further.map(readLine)]
}

/** The place of each author of a form among its rows; undefined for those who are lines. */
export function authorPlaces(form: FormBody): readonly (number | undefined)[] {
  return [...rowsOf(form).keys()]
}

/** What the form says of authors, as one text that tells two such forms apart. */
export function authorsText(form: FormBody): string {
  return JSON.stringify(readRows(form))
}

/** The values of a form that has these authors. */
export function authorValues({
  authors,
  author_details: details = [],
}: Pick<Metadata, 'authors' | 'author_details'>): FormBody {
  const rows = splitAuthors(authors).map((name, index) => rowOf(name, details[index]))
  const values = new Map<string, string>()
  for (const [index, row] of rows.slice(0, authorRowsMax).entries()) {
    for (const part of parts) values.set(authorField(index + 1, part), row[part])
  }
  const further = rows.slice(authorRowsMax)
  values.set('authors', further.map((row) => lineOf(row)).join('\n'))
  return values
}

function rowOf(name: string, detail: AuthorDetail = {}): AuthorRow {
  const { given = '', family = given === '' ? undefined : name, orcid = '' } = detail
  const written = family === undefined ? nameParts(readName(name)) : undefined
  return {
    family: family ?? written?.family ?? name,
    given: written?.given ?? given,
    orcid,
    affiliation: detail.affiliation ?? '',
  }
}

function lineOf({ family, given, orcid }: AuthorRow): string {
  const name = given === '' ? family : `${family}, ${given}`
  return orcid === '' ? name : `${name} (${orcid})`
}

/** Authors as a list that people read, one a line. */
export function authorLines(metadata: Pick<Metadata, 'authors' | 'author_details'>): string {
  const { authors, author_details: details = [] } = metadata
  const lines = splitAuthors(authors).map((name, index) => {
    const row = rowOf(name, details[index])
    return row.affiliation === '' ? lineOf(row) : `${lineOf(row)}, ${row.affiliation}`
  })
  return lines.join('\n')
}

type Author = { readonly name: string; readonly detail: AuthorDetail }

/**
 * The members of a creation that the form's authors make; none without any. Whoever stays of those
 * before keeps their name as it was written, and what the form does not show of them.
 */
export function authorsBody(
  form: FormBody,
  before?: Pick<Metadata, 'authors' | 'author_details'>,
): { readonly authors?: string; readonly author_details?: readonly AuthorDetail[] } {
  const held = before === undefined ? [] : heldAuthors(before)
  const authors = readRows(form).map((row) => authorOf(row, held))
  if (authors.length === 0) return {}
  const says = authors.some(({ detail }) => Object.keys(detail).join() !== 'name')
  return {
    authors: joinAuthors(authors.map(({ name }) => name)),
    ...(says && { author_details: authors.map(({ detail }) => detail) }),
  }
}

type Held = Author & { readonly row: AuthorRow }

function heldAuthors({
  authors,
  author_details: details = [],
}: Pick<Metadata, 'authors' | 'author_details'>): readonly Held[] {
  return splitAuthors(authors).map((name, index) => {
    const detail = details[index] ?? { name }
    return { name, detail, row: rowOf(name, details[index]) }
  })
}

function authorOf(written: WrittenRow, held: readonly Held[]): Author {
  // A semicolon would part a name in two.
  const whole = wholeName(written).replaceAll(';', ',')
  const { family, given, orcid } = written
  const former =
    held.find(({ row }) => isSameRow(row, written)) ??
    held.find(({ name, row }) => {
      return isSameName(name, whole) || (family === row.family && given === row.given)
    })
  const affiliation = written.isLine ? (former?.row.affiliation ?? '') : written.affiliation
  const row = { family, given, orcid, affiliation }
  if (former !== undefined && isSameRow(former.row, row)) return former
  const name = former?.name ?? whole
  const { ror } = former?.row.affiliation === affiliation ? former.detail : {}
  // The form shows no suffix: it stays with the name that it is of.
  const { suffix } = former?.row.family === family ? former.detail : {}
  return {
    name,
    detail: {
      ...unseenFacts(former, row),
      name,
      ...(given !== '' && { family, given, ...(suffix !== undefined && { suffix }) }),
      ...(orcid !== '' && { orcid }),
      ...(affiliation !== '' && { affiliation }),
      ...(ror !== undefined && { ror }),
    },
  }
}

// Members that the form writes anew, or keeps by rules of their own.
const shownMembers = new Set('name family given suffix orcid affiliation ror'.split(' '))

/** What a record says of the same person that the form does not show: it stays as it is. */
function unseenFacts(former: Held | undefined, row: AuthorRow): AuthorDetail {
  if (former === undefined) return {}
  const { affiliations, orcid_authenticated: isAuthenticated, ...facts } = former.detail
  const others = Object.entries(facts).filter(([name]) => !shownMembers.has(name))
  const unseen: AuthorDetail = Object.fromEntries(others)
  const isSigned = isAuthenticated !== undefined && former.row.orcid === row.orcid
  // The form shows the first affiliation; one that was typed anew stands in its place.
  const [, ...further] = affiliations ?? []
  const first = row.affiliation === '' ? [] : [{ name: row.affiliation }]
  const isKept = former.row.affiliation === row.affiliation
  const places = isKept ? (affiliations ?? []) : [...first, ...further]
  return {
    ...unseen,
    ...(isSigned && { orcid_authenticated: isAuthenticated }),
    ...(affiliations !== undefined && places.length > 0 && { affiliations: places }),
  }
}

function isSameRow(row: AuthorRow, written: WrittenRow): boolean {
  return parts.every((part) => part in written && row[part] === (written as AuthorRow)[part])
}

/** Rows that have something, but no name. */
export function namelessRows(form: FormBody): readonly number[] {
  return [...rowsOf(form)].filter(([, { family }]) => family === '').map(([place]) => place)
}
