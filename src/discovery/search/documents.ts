import type { RecordName, StandingWork } from '#actors/registry/catalogue/feeds.ts'
import type { Organization } from '#actors/people/organizations/events.ts'
import type { Item, Person } from '#actors/people/port.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import { foldDoi, foldRor } from '#actors/values/identifier.ts'
import { keywordsOf } from '#actors/values/text.ts'
import { readLicense } from '#actors/values/license.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { relationTargets } from '#actors/works/relations.ts'
import { type NoticeKind, noticesOn } from '#actors/works/update_notices.ts'
import {
  charactersOf,
  foldText,
  hasUnpartedWords,
  isAllUnparted,
  wordForm,
} from '#src/discovery/search/fold.ts'
import type { NamedOfWorks } from '#src/discovery/search/index_shape.ts'
import type {
  FacetValue,
  IndexBatch,
  IndexKind,
  SearchDocument,
} from '#src/discovery/search/search_engine.ts'

/** The index of a record. */
export const kindOfRecord = {
  work: 'works',
  person: 'people',
  organization: 'organizations',
} as const satisfies Record<RecordName['type'], IndexKind>

/**
 * What stands between two names of a text, so that the family name of one and the given name of the
 * next are no name. No metadata has it.
 */
export const nameBreak = '\x1f'

/** Letters of a list of names that is parted into them: some thousand names. */
const partedLettersMax = 32_768

/** Letters of a text by which records are put in order. */
const sortLettersMax = 100

/** The id of a record in its index: an ARK `12345/k2bcd` is `12345_k2bcd`. */
export function documentId({ type, id }: RecordName): string {
  return type === 'work' ? id.replace('/', '_') : id
}

/** The ARK, `naan/name`, of a work's id. */
export function documentArk(id: string): string {
  return id.replace('_', '/')
}

/** The documents that a batch puts, those of its works among them. */
export function documentsOf({ puts, works }: IndexBatch): IndexBatch['puts'] {
  if (works.length === 0) return puts
  return { ...puts, works: [...puts.works, ...works.map(workDocument)] }
}

/** A work as it is indexed: all of its metadata that says what it is about. */
export function workDocument({ state, claims, registered, ...work }: StandingWork): SearchDocument {
  const metadata = JSON.parse(work.metadata) as Metadata
  const notice = noticeOf(metadata, work.reason)
  const { ark, owner, status, fixity_status, created_at, updated_at } = state
  const isWithdrawn = status === 'withdrawn'
  const details = metadata.author_details ?? []
  const orcids = [...details.map(({ orcid }) => orcid), ...claims.map(({ orcid }) => orcid)]
  const { existing_doi: doi, license, description = '' } = metadata
  const authorOrcids = unique(orcids)
  const named = namedOf(metadata)
  return {
    id: documentId({ type: 'work', id: ark }),
    seq: registered,
    texts: workTexts(metadata, state.identifier),
    values: {
      type: metadata.work_type,
      ...(metadata.language !== undefined && { language: metadata.language }),
      // Works of before have what is now one license as several addresses of it.
      ...(license !== undefined && { license: readLicense(license) ?? license }),
      ...(owner.type === 'organization' && { organization: owner.id }),
      status: isWithdrawn ? 'withdrawn' : 'active',
      // The content of what was withdrawn is not looked at any more.
      ...(!isWithdrawn && { fixity_status }),
      ...(notice !== undefined && { notice }),
      has_doi: String(doi !== undefined),
      has_orcid: String(authorOrcids.length > 0),
      has_abstract: String(description !== ''),
      registered_in: created_at.slice(0, 7),
      sort_title: sortText(metadata.work_title),
    },
    lists: {
      doi: doi === undefined ? [] : [doi],
      orcid: authorOrcids,
      ppid: unique(claims.map(({ ppid }) => ppid)),
      keyword: unique(keywordsOf(metadata.keywords ?? '').map(foldText)),
      related_to: relationTargets(metadata),
      ...Object.fromEntries(Object.entries(named).map(([name, all]) => [name, valuesOf(all)])),
      funder: unique([...valuesOf(named.funder), ...funderNames(metadata)]),
    },
    named,
    numbers: {
      ...publication(metadata.published_date),
      created: Date.parse(created_at),
      updated: Date.parse(updated_at),
    },
  }
}

/** Characters of a value that is made of a name, and of a name; values of one facet of a work. */
const namedCharactersMax = 200
const namedValuesMax = 100

/**
 * A name as a value: its words alone, as they are folded, so that no spelling of it is another one,
 * and no comma is in it. Undefined without a word.
 */
export function nameValue(name: string): string | undefined {
  const words = (foldText(name).match(wordForm) ?? []).join(' ')
  return words === '' ? undefined : cutText(words)
}

function cutText(text: string): string {
  if (text.length <= namedCharactersMax) return text
  return charactersOf(text).slice(0, namedCharactersMax).join('')
}

/** What a work is counted by under the names that it says itself. */
function namedOf(metadata: Metadata): Record<NamedOfWorks, readonly FacetValue[]> {
  const { author_details: details = [], contributors = [], funding = [] } = metadata
  const people = [...details, ...contributors]
  const affiliations = people.flatMap(({ affiliation, ror, affiliations: more = [] }) => [
    [ror, affiliation] as const,
    ...more.map(({ identifier, name }) => [foldRor(identifier ?? ''), name] as const),
  ])
  return {
    affiliation: namedValues(affiliations),
    publisher: namedValues([byName(metadata.publisher_name)]),
    journal: namedValues([byName(metadata.container_title)]),
    funder: namedValues(
      funding.map(({ funder, identifier = '' }) => {
        return [funderValue(identifier) ?? nameValue(funder), funder] as const
      }),
    ),
  }
}

/** The identifier of a funder as a value: a ROR ID, or a DOI of the Funder Registry. */
export function funderValue(text: string): string | undefined {
  return foldRor(text) ?? foldDoi(text)
}

function funderNames({ funding = [] }: Metadata): (string | undefined)[] {
  return funding.map(({ funder }) => nameValue(funder))
}

function byName(name = ''): readonly [string | undefined, string] {
  return [nameValue(name), name]
}

function namedValues(
  all: readonly (readonly [value: string | undefined, name: string | undefined])[],
): readonly FacetValue[] {
  const names = new Map<string, string | undefined>()
  for (const [value, name] of all) {
    if (value === undefined || names.size >= namedValuesMax) continue
    names.set(value, names.get(value) ?? name)
  }
  return [...names].map(([value, name]) =>
    name === undefined ? { value } : { value, name: cutText(name) },
  )
}

function valuesOf(all: readonly FacetValue[]): string[] {
  return all.map(({ value }) => value)
}

/** The gravest notice on a work; that it was withdrawn as retracted is one. */
function noticeOf(metadata: Metadata, reason: string | undefined): NoticeKind | undefined {
  return reason === 'retraction' ? reason : noticesOn(metadata)[0]?.kind
}

function workTexts(metadata: Metadata, identifier: string): SearchDocument['texts'] {
  const { author_details: details = [], related_identifiers: related = [] } = metadata
  const { funding = [] } = metadata
  return {
    title: metadata.work_title,
    authors: partedNames(
      metadata.authors,
      details.map(({ name, given, family }) => joined([name, given, family])),
    ),
    identifiers: joined([
      identifier,
      metadata.existing_doi,
      ...related.map((one) => one.identifier),
    ]),
    keywords: metadata.keywords ?? '',
    venue: joined([
      metadata.container_title,
      metadata.publisher_name,
      ...details.map(({ affiliation }) => affiliation),
      ...funding.map(({ funder, award }) => joined([funder, award])),
    ]),
    abstract: metadata.description ?? '',
  }
}

/**
 * The names of a work, with a break before and after each. Of a work with thousands of them nobody
 * looks for one as a phrase, and its text would be made several times over: it stays as it is.
 */
function partedNames(authors: string, details: readonly string[]): string {
  if (authors.length > partedLettersMax) return [authors, ...details].join(' | ')
  const names = hasUnpartedWords(authors)
    ? splitAuthors(authors).flatMap(spellings)
    : splitAuthors(authors)
  const shortened = names.map(withInitials).filter((name) => name !== '')
  return ['', ...names, ...details, ...shortened, ''].join(nameBreak)
}

/**
 * A name as it is typed from a reference: `Y Bengio` of `Yoshua Bengio` and of `Bengio, Yoshua`;
 * empty where that says nothing new.
 */
function withInitials(name: string): string {
  const [before = '', after] = name.split(',').map((part) => part.trim())
  const words = before.split(/\s+/)
  const family = after === undefined ? (words.at(-1) ?? '') : before
  const given = after === undefined ? words.slice(0, -1) : after.split(/[\s.]+/).filter(Boolean)
  if (!given.some((word) => /^\p{L}[\p{L}\p{M}'’-]/u.test(word)) || isAllUnparted(name)) return ''
  return [...given.map((word) => charactersOf(word)[0] ?? ''), family].join(' ')
}

// Names in Chinese characters are typed without the space, and in either order.
function spellings(name: string): readonly string[] {
  const [one = '', other, ...more] = name.split(/\s+/)
  if (other === undefined || more.length > 0 || !isAllUnparted(name)) return [name]
  return [name, one + other, other + one]
}

/**
 * A person as everybody sees them; undefined if there is nothing to see. `seq` is where they began
 * in the journal.
 */
function personDocument(person: Person, seq: number): SearchDocument | undefined {
  const { profile, items, ppid, updated_at } = person
  const shown = <T>(field: 'name' | 'username' | 'orcid' | 'bio', value: T): T | undefined =>
    profile.visibility[field] === 'public' ? value : undefined
  const name = shown('name', profile.name)
  const username = shown('username', profile.username)
  const orcid = shown('orcid', profile.orcid)
  const seen = items.filter(isSeenByAll)
  if (name === undefined && username === undefined && orcid === undefined) return undefined
  return {
    id: ppid,
    seq,
    texts: {
      name: joined([name]),
      identifiers: joined([username, orcid, ppid]),
      affiliations: joined(seen.map(affiliationText)),
      education: joined(seen.map(educationText)),
      bio: joined([shown('bio', profile.bio)]),
    },
    values: { sort_name: sortText(name ?? username ?? ppid) },
    lists: {
      orcid: unique([orcid]),
      username: unique([username === undefined ? undefined : foldText(username)]),
      ror: unique(seen.map(({ fields }) => fields.ror)),
    },
    numbers: { updated: Date.parse(updated_at) },
    named: {},
  }
}

// What a person contests is not said of them to others by a search.
function isSeenByAll({ visibility, status }: Item): boolean {
  return visibility === 'public' && status === 'active'
}

function affiliationText(item: Item): string {
  if (item.kind !== 'affiliation') return ''
  const { organization, department, role } = item.fields
  return joined([organization, department, role])
}

function educationText(item: Item): string {
  return item.kind === 'education' ? joined([item.fields.institution, item.fields.degree]) : ''
}

/** An organization as it is indexed; `seq` is where it began in the journal. */
function organizationDocument(organization: Organization, seq: number): SearchDocument {
  const { slug, name, aliases, ror, country, url, updated_at } = organization
  return {
    id: slug,
    seq,
    texts: {
      name,
      aliases: joined(aliases),
      identifiers: joined([slug, ror, url]),
    },
    values: { ...(country !== undefined && { country }), sort_name: sortText(name) },
    lists: { ror: unique([ror]) },
    numbers: { updated: Date.parse(updated_at) },
    named: {},
  }
}

// A date that is not whole stands before the days that it may be. What has none comes last.
function publication(date: string | undefined): { year?: number; published: number } {
  if (date === undefined) return { published: 0 }
  const [year = '0', month = '00', day = '00'] = date.split('-')
  return { year: Number(year), published: Number(year + month + day) }
}

function sortText(text: string): string {
  const words = foldText(text).replace(/^[^\p{L}\p{N}]+/u, '')
  if (words.length <= sortLettersMax) return words
  return charactersOf(words).slice(0, sortLettersMax).join('')
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' | ')
}

function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}

/** The parts of an environment that are read. */
export type IndexedEnvironment = Pick<
  Environment,
  'name' | 'records' | 'people' | 'organizations' | 'claims' | 'status'
>

/** A record as it stands now: a work, the document of any other, or nothing that is shown. */
type IndexedRecord =
  | { readonly type: 'work'; readonly work: StandingWork }
  | { readonly type: 'document'; readonly document: SearchDocument }
  | { readonly type: 'hidden' }

/** Reads a record that is to be indexed. */
export function readIndexed(record: RecordName, environment: IndexedEnvironment): IndexedRecord {
  if (record.type === 'work') {
    const work = environment.records.work(record.id)
    return work === undefined ? { type: 'hidden' } : { type: 'work', work }
  }
  const document = readDocument(record, environment)
  return document === undefined ? { type: 'hidden' } : { type: 'document', document }
}

function readDocument(
  record: RecordName,
  { records, people, organizations }: IndexedEnvironment,
): SearchDocument | undefined {
  if (record.type === 'person') {
    const person = people.read(record.id)
    if (person?.type !== 'person') return undefined
    return personDocument(person, records.began(record, person.created_at))
  }
  const organization = organizations.read(record.id)
  if (organization === undefined) return undefined
  return organizationDocument(organization, records.began(record, organization.created_at))
}
