import { closedTable } from '#actors/values/lazy_table.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { affiliationsOf, orcidOf } from '#src/discovery/citation_files/affiliations.ts'
import { FieldNotes, type NoteList } from '#src/discovery/citation_files/citation_file.ts'
import {
  isEmpty,
  listOf,
  noteMembers,
  objectOf,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { type NameList, namesInText, readParts } from '#src/discovery/citation_files/names.ts'
import {
  contributorOf,
  type SourceAuthor,
  type SourceWork,
} from '#src/discovery/citation_files/work_draft.ts'
import { crossrefRoles } from '#src/discovery/formats/crossref_terms.ts'
import { namesGroup } from '#src/discovery/formats/group_names.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Members of CSL and Crossref that hold names beside `author` and `editor`, and the role of each;
 * those whose role none of ours says are `other`.
 */
const roles: Readonly<Record<string, string>> = closedTable({
  ...Object.fromEntries(
    Object.entries(crossrefRoles).flatMap(([role, name]) =>
      role === 'editor' ? [] : [[name, role]],
    ),
  ),
  producer: 'producer',
  'executive-producer': 'producer',
  'collection-editor': 'editor',
  'editorial-director': 'editor',
  curator: 'data_curator',
  'container-author': 'other',
  'original-author': 'other',
  'reviewed-author': 'other',
  'series-creator': 'other',
  'script-writer': 'other',
  compiler: 'other',
  composer: 'other',
  contributor: 'other',
  director: 'other',
  guest: 'other',
  host: 'other',
  illustrator: 'other',
  interviewer: 'other',
  narrator: 'other',
  organizer: 'other',
  performer: 'other',
  recipient: 'other',
})

/** Those members, as a row of a table names them. */
export const roleMembers = Object.keys(roles).join(' ')

// Who is taken for the author of a film, a recording or a collection without one, in this order.
const makers = (
  'director composer script-writer series-creator performer host illustrator interviewer ' +
  'narrator compiler curator organizer producer executive-producer'
).split(' ')

function makerOf(record: Json): string | undefined {
  if (!isEmpty(record['author']) || !isEmpty(record['editor'])) return undefined
  return makers.find((member) => !isEmpty(record[member]))
}

/** Who had a part in a work beside its authors and editors. Who reviews has written the review. */
export function peopleParts(record: Json, type: string, notes: NoteList): Partial<SourceWork> {
  const contributors: unknown[] = []
  const authors: SourceAuthor[] = []
  const maker = makerOf(record)
  for (const member of Object.keys(record)) {
    const role = Object.hasOwn(roles, member) ? roles[member] : undefined
    if (role === undefined) continue
    const at = new FieldNotes(notes, { name: member })
    const names = readNames(record[member], at)
    const isAuthor = type === 'peer-review' && isEmpty(record['author']) && /review/.test(member)
    if (member === maker && names.length > 0) {
      authors.push(...names)
      at.add('taken_as', `It has no author: ${member} is taken for it.`)
      continue
    }
    if (isAuthor) authors.push(...names)
    else contributors.push(...names.map((name) => contributorOf(role, name)))
    if (role === 'other' && names.length > 0) {
      at.add('taken_as', `${member}: the role is taken as other.`, true)
    }
  }
  return { contributors, ...(authors.length > 0 && { authors }) }
}

/** A list of names, of which each is told about that cannot be read. */
export function readNames(value: unknown, at: FieldNotes): readonly SourceAuthor[] {
  return listOf(value).flatMap((each) => {
    if (typeof each === 'string') return readNamesIn(each, at)
    const name = objectOf(each)
    if (isEmpty(name)) {
      if (isEmpty(each)) at.add('left_out', `${at.field}: A name that is empty was left out.`)
      else at.notRead(each, 'it is no name')
      return []
    }
    if (isOthers(name, at)) return []
    const read = nameOf(name, at)
    const [only] = read
    if (only === undefined || only.given !== undefined) return read
    const { family = '', literal = '' } = only
    const isParted = /[,;]/.test(family) || (literal.includes(';') && !namesGroup(literal))
    return isParted ? partedNames(only, readNamesIn(family || literal, at), at) : read
  })
}

/** The names of one text: several, where commas or semicolons say that they are persons'. */
function readNamesIn(text: string, at: FieldNotes): readonly SourceAuthor[] {
  if (isOthers({ literal: text }, at)) return []
  return /[,;]/.test(text) ? noteNames(namesInText(text), at) : nameOf({ literal: text }, at)
}

/** Names that were read from a text, of which is told what its reader says. */
export function noteNames(
  { names, notes, hasOthers }: NameList,
  at: FieldNotes,
): readonly SourceAuthor[] {
  for (const note of notes) at.add('taken_as', note, /left out/.test(note))
  if (names.length > 1 && notes.length === 0) {
    at.add('taken_as', `${at.field}: one name has several: they are taken as ${names.length}.`)
  }
  if (hasOthers) at.add('left_out', 'There are more authors than it names.')
  return names
}

/** The names of one that holds several, or all of one; what else is said of it is of one alone. */
export function partedNames(
  author: SourceAuthor,
  names: readonly SourceAuthor[],
  at: FieldNotes,
): readonly SourceAuthor[] {
  const { family: _, literal: __, given: ___, suffix, ...more } = author
  if (names.length === 1) return names.map((name) => definedOf({ suffix, ...name, ...more }))
  const { orcid, identifiers, credit_roles: _roles, orcid_authenticated: _by, ...rest } = more
  const { name_type: _type, ...common } = rest
  if (orcid !== undefined || identifiers !== undefined) {
    at.add('left_out', `${at.field}: whose identifier it is, of several names, is unknown.`)
  }
  return names.map((name) => ({ ...name, ...definedOf(common) }))
}

/** Whether a name is what ends a list of authors that goes on elsewhere, which is told. */
export function isOthers({ family, literal, name, given }: Json, at: FieldNotes): boolean {
  const text = textOf(family ?? literal ?? name) ?? ''
  const isEnd = given === undefined && /^(?:others|et al\.?|and others)$/i.test(text)
  if (isEnd) at.add('left_out', 'There are more authors than it names.')
  return isEnd
}

// Members of a name that are read, or say how it is printed.
const nameMembers: ReadonlySet<string> = new Set(
  (
    'literal name family given suffix prefix dropping-particle non-dropping-particle ORCID ' +
    '_orcid authenticated-orcid affiliation role name-style sequence id comma-suffix ' +
    'static-ordering static-particles parse-names isInstitution multi identifiers'
  ).split(' '),
)

function nameOf(name: Json, at: FieldNotes): readonly SourceAuthor[] {
  const text = (member: string) => {
    const found = textOf(name[member])
    return found === undefined ? undefined : plainText(found) || undefined
  }
  // Groups are `name` in Crossref and `literal` in CSL.
  const whole = text('literal') ?? text('name')
  const isGroup = whole === undefined && isTrue(name['isInstitution'])
  const literal = isGroup ? text('family') : whole
  noteMembers(name, nameMembers, 'a name', at)
  // Quotation marks keep processors of CSL from looking for particles.
  const family = withParticles(text('family')?.replace(/^"(.+)"$/, '$1'), [
    text('dropping-particle'),
    text('non-dropping-particle'),
  ])
  if (literal === undefined && family === undefined && text('given') === undefined) {
    if (!isEmpty(name)) at.notRead(name, 'it is no name')
    return []
  }
  const parts =
    family === undefined
      ? { family: text('given'), name_style: 'given_only' }
      : { family, given: text('given'), ...styleOf(text('name-style')) }
  const shown = literal ?? family ?? ''
  const orcid = orcidOf(name['ORCID'] ?? name['_orcid'], shown, at)
  return tidied(
    {
      ...(literal === undefined ? { ...parts, suffix: text('suffix') } : { literal }),
      ...(text('prefix') !== undefined && { prefix: text('prefix') }),
      orcid,
      ...(orcid !== undefined && name['authenticated-orcid'] === true && flagged),
      ...(isGroup ? { name_type: 'organization' as const } : kindOf(name, literal)),
      ...creditOf(name['role']),
      ...(!isEmpty(name['identifiers']) && { identifiers: listOf(name['identifiers']) }),
      ...affiliationsOf(listOf(name['affiliation']), at),
    },
    at,
  )
}

/** A name without what is no part of it, which is told, and with its suffix apart. */
export function tidied(author: SourceAuthor, at: FieldNotes): readonly SourceAuthor[] {
  const { family, given, suffix, literal, ...more } = author
  const { names, notes, hasOthers } = readParts(definedOf({ family, given, suffix, literal }))
  for (const note of notes) at.add('taken_as', `${at.field}: ${note}`, true)
  if (hasOthers) at.add('left_out', 'There are more authors than it names.')
  return names.map((name) => ({ ...name, ...more }))
}

// Some programs write it as a text or a number.
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1'
}

const flagged = { orcid_authenticated: true }

// Western is what all names are of which nothing is said.
const styles: Readonly<Record<string, string>> = closedTable({
  eastern: 'eastern',
  islensk: 'icelandic',
  'given-only': 'given_only',
})

function styleOf(given: string | undefined): Pick<SourceAuthor, 'name_style'> {
  const style = styles[given ?? '']
  return style === undefined ? {} : { name_style: style }
}

/** What a whole name is of: in Crossref, of a group; in CSL nobody knows. */
function kindOf(name: Json, literal: string | undefined): Pick<SourceAuthor, 'name_type'> {
  if (literal === undefined) return {}
  if (/^anonymous$/i.test(literal)) return { name_type: 'anonymous' }
  return name['name'] === undefined ? {} : { name_type: 'organization' }
}

/** What somebody did, in the roles of CRediT. */
function creditOf(value: unknown): Pick<SourceAuthor, 'credit_roles'> {
  const found = listOf(value).flatMap((each) => {
    const { role, vocabulary, vocab } = objectOf(each)
    return /credit/i.test(textOf(vocabulary ?? vocab) ?? '') ? (textOf(role) ?? []) : []
  })
  return found.length === 0 ? {} : { credit_roles: found.map((each) => each.replaceAll('-', '_')) }
}

/** `van Beethoven`, `al-Hakim`, `d'Alembert`: a particle that ends so stands without a space. */
function withParticles(
  family: string | undefined,
  particles: readonly (string | undefined)[],
): string | undefined {
  if (family === undefined) return undefined
  return particles
    .toReversed()
    .filter((particle) => particle !== undefined)
    .reduce((name, particle) => {
      // Some programs have the particle in the family name as well.
      if (name.toLowerCase().startsWith(`${particle.toLowerCase()} `)) return name
      return /['’‘ʼ-]$/.test(particle) ? `${particle}${name}` : `${particle} ${name}`
    }, family)
}
