import {
  isSameName,
  joinAuthors,
  readName,
  splitAuthors,
  wholeName,
} from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { NameIdentifier } from '#actors/values/name_identifier.ts'
import { type Affiliation, type AuthorDetail, nameTypes } from '#actors/works/names.ts'
import { nameParts } from '#src/discovery/formats/author_names.ts'
import {
  type Field,
  field,
  type FormBody,
  type FormState,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { capitalized, joined } from '#src/words/format.ts'
import {
  workChoices as choices,
  workFields as labels,
  workForm as words,
  workHints as hints,
  workItems,
} from '#src/words/record_desk.ts'
import type { Text } from '#src/words/wording.ts'

const parts = [
  'family',
  'given',
  'orcid',
  'affiliation',
  'suffix',
  'name_type',
  'ror',
  'affiliations',
  'identifiers',
] as const

type Part = (typeof parts)[number]

/** An author as a row of the form has them; a group, or a name in one piece, is all family name. */
type AuthorRow = Readonly<Record<Part, string>>

/** Rows of authors that a form has; further ones are written one a line. */
const authorRowsMax = 30

type PartField = Pick<Field, 'hint' | 'type' | 'label'> & {
  /** Stands behind a click while it is empty. */
  readonly isByNeed?: true
}

const partFields: Readonly<Record<Part, PartField>> = {
  family: { label: labels.family, hint: hints.authorFamily },
  given: { label: labels.given },
  orcid: { label: labels.orcid },
  affiliation: { label: labels.affiliation },
  suffix: { label: labels.suffix, hint: hints.suffix, isByNeed: true },
  name_type: { label: labels.name_type, isByNeed: true },
  ror: {
    label: labels.ror,
    hint: hints.suchAs({ example: 'https://ror.org/05gq02987' }),
    isByNeed: true,
  },
  affiliations: {
    label: labels.moreAffiliations,
    hint: hints.moreAffiliations,
    type: 'textarea',
    isByNeed: true,
  },
  identifiers: {
    label: labels.moreIdentifiers,
    hint: hints.moreIdentifiers,
    type: 'textarea',
    isByNeed: true,
  },
}

const nameTypeOptions = [
  { value: '', label: choices.notKnown },
  ...nameTypes.map((value) => ({ value, label: choices[value] })),
]

/** What the author at a place is called, from 1: `author 2`. */
function authorName(number: number): Text {
  return words.numbered({ item: workItems.author, number })
}

/** The name of a field of the author at a place, from 1: `author_2_orcid`. */
export function authorField(place: number, part: Part): string {
  return `author_${place}_${part}`
}

const fieldForm = new RegExp(`^author_([1-9]\\d?)_(${parts.join('|')})$`)

/** Which part of which author a field of a form is; undefined for other fields. */
export function authorPart(
  name: string,
): { readonly place: number; readonly label: Text; readonly part: Part } | undefined {
  const [, place, part] = fieldForm.exec(name) ?? []
  if (place === undefined || part === undefined || Number(place) > authorRowsMax) return undefined
  const known = part as Part
  const author = capitalized(authorName(Number(place)))
  const label = joined([author, partFields[known].label], ' › ')
  return { place: Number(place), label, part: known }
}

/** The field of a row in which a fault of a member of `author_details` is shown. */
export function partOf(member: string | undefined): Part {
  return parts.find((part) => part === member) ?? 'family'
}

/** The names of all fields of rows that a form has. */
export function authorFieldNames(form: FormBody): readonly string[] {
  return [...form.keys()].filter((name) => authorPart(name) !== undefined)
}

/** The parts of a row that a form has: what it does not ask for is not said. */
type SaidRow = Partial<AuthorRow>

/** The rows of a form by their places, from 1; a place whose fields are all empty is left out. */
function rowsOf(form: FormBody): ReadonlyMap<number, SaidRow> {
  const places = authorFieldNames(form).map((name) => authorPart(name)?.place ?? 0)
  const rows = [...new Set(places)]
    .toSorted((a, b) => a - b)
    .map((place): [number, SaidRow] => {
      const asked = parts.filter((part) => form.has(authorField(place, part)))
      const texts = asked.map((part) => [part, textOf(form, authorField(place, part)).trim()])
      return [place, Object.fromEntries(texts) as SaidRow]
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
    const shown = (part: Part) => partShown(place, part, state, focus)
    const usual = parts.filter((part) => !partFields[part].isByNeed)
    const others = parts.filter((part) => partFields[part].isByNeed)
    const isOpen = others.some((part) => wantsLook(authorField(place, part), state))
    const more = html`<details class="fold"${isOpen ? html` open` : ''}>
<summary>${words.more({ item: authorName(place) })}</summary>
<div class="columns">${others.map(shown)}</div></details>`
    const remove =
      count === 1
        ? ''
        : html`<button class="button button-quiet" type="submit" name="remove_author"
value="${place}">${words.remove({ item: workItems.author, number: place })}</button>`
    return html`<fieldset class="author"><legend>${capitalized(authorName(place))}</legend>
<div class="columns">${usual.map(shown)}</div>${more}${remove}</fieldset>`
  })
  const add =
    count >= authorRowsMax
      ? ''
      : html`<p><button class="button button-quiet" type="submit" name="add_author"
value="on">${words.add({ item: workItems.author })}</button></p>`
  return html`<div id="field-author-rows">${rows}</div>${add}`
}

function partShown(place: number, part: Part, state: FormState, focus: string | undefined): Html {
  const name = authorField(place, part)
  const { label, hint, type, isByNeed } = partFields[part]
  if (part === 'name_type') return selectField({ name, label, options: nameTypeOptions }, state)
  const isHinted = hint !== undefined && (place === 1 || isByNeed === true)
  const shown = { name, label, ...(isHinted && { hint }), ...(type && { type }) }
  return field({ ...shown, isPlain: true, isFirst: name === focus }, state)
}

function wantsLook(name: string, { values, faults }: FormState): boolean {
  return textOf(values, name).trim() !== '' || faults.some((each) => each.field === name)
}

const identified = /^(.*?)\s*\(\s*(?:https?:\/\/orcid\.org\/)?([\dXx-]{16,19})\s*\)$/

function readLine(line: string): SaidRow {
  const [, name = line, orcid = ''] = identified.exec(line) ?? []
  const written = nameParts(readName(name))
  return { family: written?.family ?? name, given: written?.given ?? '', orcid }
}

/** All authors of a form: its rows, then the lines of `authors`, empty ones left out. */
function readRows(form: FormBody): readonly SaidRow[] {
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
  const [, ...affiliations] = detail.affiliations ?? []
  return {
    family: family ?? written?.family ?? name,
    given: written?.given ?? given,
    orcid,
    affiliation: detail.affiliation ?? '',
    suffix: detail.suffix ?? '',
    name_type: detail.name_type ?? '',
    ror: detail.ror ?? '',
    affiliations: affiliations.map(affiliationLine).join('\n'),
    identifiers: (detail.identifiers ?? []).map(identifierLine).join('\n'),
  }
}

function affiliationLine({ name, identifier, scheme }: Affiliation): string {
  if (identifier === undefined) return name ?? ''
  const prefix = scheme === undefined || scheme === 'ROR' ? '' : `${scheme} `
  return name === undefined ? `(${prefix}${identifier})` : `${name} (${prefix}${identifier})`
}

const affiliationForm = /^(.*?)\s*\((?:([^\s()]+)\s+)?((?:https?:\/\/|grid\.|\d)[^\s()]*)\)$/i

/** What a line says; undefined members are what the table of fields finds out. */
function readAffiliation(line: string): Affiliation {
  const [, name = line, scheme, identifier] = affiliationForm.exec(line) ?? []
  return {
    ...(name !== '' && { name }),
    ...(identifier !== undefined && { identifier }),
    ...(scheme !== undefined && { scheme }),
  }
}

function identifierLine({ scheme, identifier }: NameIdentifier): string {
  return `${scheme} ${identifier}`
}

function readIdentifier(line: string): NameIdentifier {
  const [scheme = '', ...rest] = line.split(/\s+/)
  return { identifier: rest.join(' '), scheme }
}

/** What lines say, one each; what one of those before is written as stays that one. */
function readLines<T>(
  text: string,
  read: (line: string) => T,
  former: readonly T[],
  write: (item: T) => string,
): readonly T[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .map((line) => former.find((item) => write(item) === line) ?? read(line))
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

const noText: AuthorRow = {
  family: '',
  given: '',
  orcid: '',
  affiliation: '',
  suffix: '',
  name_type: '',
  ror: '',
  affiliations: '',
  identifiers: '',
}

function authorOf(said: SaidRow, held: readonly Held[]): Author {
  const { family = '', given = '', suffix = '' } = said
  // A semicolon would part a name in two.
  const whole = wholeName({ family, given, suffix }).replaceAll(';', ',')
  const former =
    held.find(({ row }) => isSameRow(row, said)) ??
    held.find(({ name, row }) => {
      return isSameName(name, whole) || (family === row.family && given === row.given)
    })
  const row = { ...(former?.row ?? noText), ...said }
  if (former !== undefined && isSameRow(former.row, row)) return former
  const isRenamed = former !== undefined && former.row.suffix !== row.suffix
  const name = former === undefined || isRenamed ? whole : former.name
  return { name, detail: detailOf(name, row, former) }
}

function detailOf(name: string, row: AuthorRow, former: Held | undefined): AuthorDetail {
  const { family, given, suffix, orcid, affiliation } = row
  const isSamePlace = former?.row.affiliation === affiliation
  // The identifier is of the affiliation that stood there.
  const ror = isSamePlace || row.ror !== former?.row.ror ? row.ror : ''
  const { identifiers = [], ...before } = former?.detail ?? {}
  const named = readLines(row.identifiers, readIdentifier, identifiers, identifierLine)
  const places = affiliationsOf({ ...row, ror }, former)
  return {
    ...unseenFacts(before, former?.row.orcid === orcid),
    name,
    ...((given !== '' || suffix !== '') && { family, ...(given !== '' && { given }) }),
    ...(suffix !== '' && { suffix }),
    ...(orcid !== '' && { orcid }),
    ...(affiliation !== '' && { affiliation }),
    ...(ror !== '' && { ror }),
    ...(row.name_type !== '' && { name_type: row.name_type as AuthorDetail['name_type'] & string }),
    ...(places.length > 0 && { affiliations: places }),
    ...(named.length > 0 && { identifiers: named }),
  }
}

/** All affiliations where there are several, or where there was a list of them. */
function affiliationsOf(row: AuthorRow, former: Held | undefined): readonly Affiliation[] {
  const { affiliation: name, ror } = row
  const [first, ...others] = former?.detail.affiliations ?? []
  const further = readLines(row.affiliations, readAffiliation, others, affiliationLine)
  if (first === undefined && further.length === 0) return []
  const isKept = former?.row.affiliation === name && former.row.ror === ror
  if (isKept && first !== undefined) return [first, ...further]
  const own = ror === '' ? {} : { identifier: ror, scheme: 'ROR' }
  const given = { ...(name !== '' && { name }), ...own }
  return Object.keys(given).length === 0 ? further : [given, ...further]
}

// Members that the form writes anew, or keeps by rules of their own.
const shownMembers: ReadonlySet<string> = new Set([...parts, 'name', 'orcid_authenticated'])

/** What a record says of the same person that the form does not show: it stays as it is. */
function unseenFacts(before: AuthorDetail, isSameOrcid: boolean): AuthorDetail {
  const { orcid_authenticated: isAuthenticated } = before
  const others = Object.entries(before).filter(([name]) => !shownMembers.has(name))
  const isSigned = isAuthenticated !== undefined && isSameOrcid
  return {
    ...(Object.fromEntries(others) as AuthorDetail),
    ...(isSigned && { orcid_authenticated: isAuthenticated }),
  }
}

function isSameRow(row: AuthorRow, said: SaidRow): boolean {
  return parts.every((part) => said[part] === undefined || row[part] === said[part])
}

/** Rows that have something, but no name. */
export function namelessRows(form: FormBody): readonly number[] {
  return [...rowsOf(form)].filter(([, { family = '' }]) => family === '').map(([place]) => place)
}
