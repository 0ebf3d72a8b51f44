import { isDeepStrictEqual } from 'node:util'

import { arkKind } from '#actors/values/identifier.ts'
import {
  canBeSameWords,
  canHaveParts,
  isSameName,
  joinAuthors,
  type NameWords,
  nameWords,
  type PartWords,
  resembles,
  splitAuthors,
  wholeName,
} from '#actors/values/author_name.ts'
import { FaultList, faultsMax, type FieldFault, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  fieldsSchema,
  flag,
  foldedText,
  paragraphsOf,
  readFields,
  readPatch,
  shapeOf,
  warnOfFolding,
} from '#actors/values/field_table.ts'
import { checkMarkup, piecesInTitle } from '#actors/values/markup.ts'
import { contentUrl, placeContent } from '#actors/works/content.ts'
import { type Metadata, metadataFields, type MetadataPatch } from '#actors/works/metadata.ts'
import { foldWorkType, ownWorkType, thesisKindOf, thesisKinds } from '#actors/values/work_type.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import {
  type ErasureReason,
  erasureReasons,
  type WithdrawalReason,
  withdrawalReasons,
} from '#actors/works/port.ts'

/** The two fields that name authors: `author_details` in the order of `authors`. */
export type NamedAuthors = Pick<Metadata, 'authors' | 'author_details'>

/** An author, at a place from 1, whom `authors` and `author_details` give names that differ. */
export type NameConflict = {
  readonly place: number
  /** As `authors` has it. */
  readonly name: string
  /** As `author_details` has it, which is what formats and pages show. */
  readonly shown: string
}

/** The two fields as they agree, and what the client is told of it. */
type AlignedAuthors = NamedAuthors & { readonly warnings: readonly FieldFault[] }

// Details that are looked at for one name, of those with its family name: some are very many.
const candidatesMax = 4

/** The authors whose names in the two fields cannot be of one person. */
export function nameConflicts({
  authors,
  author_details: details,
}: NamedAuthors): readonly NameConflict[] {
  if (details === undefined) return []
  return splitAuthors(authors).flatMap((name, index) => {
    const detail = details[index]
    if (detail === undefined || agrees(name, detail)) return []
    return [{ place: index + 1, name, shown: shownName(detail) }]
  })
}

/** What is told of names that differ, and of details that are more or fewer than the names. */
function warnOfConflicts(named: NamedAuthors): readonly FieldFault[] {
  const details = named.author_details?.length
  if (details === undefined) return []
  const names = splitAuthors(named.authors).length
  const counted = `authors has ${names} names, author_details ${details}`
  const mismatch = { field: 'author_details', code: 'count_mismatch', message: counted }
  const conflicts = nameConflicts(named).slice(0, faultsMax)
  return [...(details === names ? [] : [mismatch]), ...conflicts.map(warnOfConflict)]
}

function warnOfConflict({ place, name, shown }: NameConflict): FieldFault {
  const field = `author_details[${place - 1}]`
  const message = `${field} is “${shown}” and authors has “${name}” there: “${shown}” is shown`
  return { field, code: 'names_differ', message }
}

/**
 * The two fields after a change: the one that was changed alone is followed by the other. Where
 * both were, or neither, they stay as they are.
 */
export function alignAuthors(before: NamedAuthors, after: NamedAuthors): AlignedAuthors {
  const hasNames = before.authors !== after.authors
  const hasDetails = JSON.stringify(before.author_details) !== JSON.stringify(after.author_details)
  const { author_details: details } = after
  if (details === undefined || hasNames === hasDetails) return { ...after, warnings: [] }
  return hasNames
    ? followNames(before, after.authors, details)
    : followDetails(after.authors, details)
}

/** Details of the names that they are of; those that fit no name are removed. */
function followNames(
  before: NamedAuthors,
  authors: string,
  details: readonly AuthorDetail[],
): AlignedAuthors {
  const names = splitAuthors(authors)
  const placed = new Placing(details)
  const former = splitAuthors(before.authors).slice(0, details.length)
  const found = placed.byName(names, former).map((index, place) => {
    return index ?? placed.byFit(names[place] ?? '', place, mayBeCorrected)
  })
  const aligned = names.map((name, place) => {
    const index = found[place]
    const detail = index === undefined ? undefined : details[index]
    if (detail === undefined) return { name }
    return isSameName(former[index ?? 0] ?? '', name) ? detail : renamed(detail, name)
  })
  const removed = placed.left().filter(saysMore).slice(0, faultsMax)
  const isSaid = aligned.some((detail, place) => saysMore(detail) || detail.name !== names[place])
  const kept = isSaid ? aligned : undefined
  const isFollowing = JSON.stringify(kept) !== JSON.stringify(details)
  const follows = 'author_details was made to follow authors, which was changed alone'
  return {
    authors,
    ...(kept && { author_details: kept }),
    warnings: [
      ...(isFollowing ? [{ field: 'author_details', code: 'realigned', message: follows }] : []),
      ...removed.map(warnOfRemoval),
    ],
  }
}

function warnOfRemoval(detail: AuthorDetail): FieldFault {
  const { name: _, family: __, given: ___, suffix: ____, ...facts } = detail
  const said = Object.values(facts).map(textOfFact).join(', ')
  const message =
    `author_details of “${shownName(detail)}” (${said}) was removed, because it fits no name in ` +
    'authors; to keep it, send author_details with the name that it is of now'
  return { field: 'author_details', code: 'detail_removed', message }
}

/** Details in the order of the names, if each is of one of them; else the names of the details. */
function followDetails(authors: string, details: readonly AuthorDetail[]): AlignedAuthors {
  const names = splitAuthors(authors)
  const unchanged = { authors, author_details: details, warnings: [] }
  if (details.every((detail, index) => agreesAt(names, index, detail))) return unchanged
  const placed = new Placing(details)
  const found = names.map((name, place) => placed.byFit(name, place, fits))
  if (placed.left().length === 0) {
    const last = found.findLastIndex((index) => index !== undefined)
    const ordered = names.slice(0, last + 1).map((name, place) => {
      return details[found[place] ?? -1] ?? { name }
    })
    const message = 'author_details was put into the order of authors'
    const warnings = [{ field: 'author_details', code: 'realigned', message }]
    return { authors, author_details: ordered, warnings }
  }
  // Which of the names they are of nobody can tell.
  if (details.length < names.length) return unchanged
  const renamedAuthors = joinAuthors(
    details.map((detail, index) => {
      return agreesAt(names, index, detail) ? (names[index] ?? '') : writtenName(detail)
    }),
  )
  const message = 'authors was made to follow author_details, which was changed alone'
  const warnings = [{ field: 'authors', code: 'realigned', message }]
  return { authors: renamedAuthors, author_details: details, warnings }
}

function agreesAt(names: readonly string[], index: number, detail: AuthorDetail): boolean {
  const name = names[index]
  return name !== undefined && agrees(name, detail)
}

/** Details that are given places among names, each once. */
class Placing {
  readonly #details: readonly AuthorDetail[]
  readonly #words: readonly DetailWords[]
  readonly #free: Set<number>
  readonly #byFamily = new Map<string, number[]>()

  constructor(details: readonly AuthorDetail[]) {
    this.#details = details
    this.#words = details.map(wordsOf)
    this.#free = new Set(details.keys())
    // Lists of indexes end with the least, which can be taken off them.
    for (const [index, { shown }] of [...this.#words.entries()].toReversed()) {
      addTo(this.#byFamily, shown.at(-1) ?? '', index)
    }
  }

  /** The details that have no place. */
  left(): readonly AuthorDetail[] {
    return [...this.#free].map((index) => this.#details[index] ?? {})
  }

  /** Gives each name the detail of the same former name. */
  byName(names: readonly string[], former: readonly string[]): readonly (number | undefined)[] {
    const indexes = new Map<string, number[]>()
    for (const [index, name] of [...former.entries()].toReversed()) {
      addTo(indexes, name.toLowerCase(), index)
    }
    return names.map((name, place) => {
      const key = name.toLowerCase()
      if (former[place]?.toLowerCase() === key && this.#free.has(place)) return this.#take(place)
      return this.#take(this.#firstFree(indexes.get(key))[0])
    })
  }

  /** Gives a name a detail that is of it, best that of its own place. */
  byFit(
    name: string,
    place: number,
    isOf: (name: NameWords, words: DetailWords) => boolean,
  ): number | undefined {
    const words = nameWords(name)
    const candidates = [place, ...this.#firstFree(this.#byFamily.get(words.at(-1) ?? ''))]
    return this.#take(
      candidates.find((index) => {
        const detail = this.#free.has(index) ? this.#words[index] : undefined
        return detail !== undefined && isOf(words, detail)
      }),
    )
  }

  /** The first of some details, but for those at their end that have a place, which go for good. */
  #firstFree(indexes: number[] = []): readonly number[] {
    while (indexes.length > 0 && !this.#free.has(indexes.at(-1) ?? 0)) indexes.pop()
    return indexes.slice(-candidatesMax).toReversed()
  }

  #take(index: number | undefined): number | undefined {
    if (index !== undefined) this.#free.delete(index)
    return index
  }
}

function addTo(indexes: Map<string, number[]>, key: string, index: number): void {
  const known = indexes.get(key)
  if (known === undefined) indexes.set(key, [index])
  else known.push(index)
}

/** Whether a detail names the author of a name; most spell them alike, and need no folding. */
function agrees(name: string, detail: AuthorDetail): boolean {
  const { name: whole = name, family, given } = detail
  const isParted =
    family === undefined || name === `${given} ${family}` || name === `${family}, ${given}`
  return (whole === name && isParted) || fits(nameWords(name), wordsOf(detail))
}

/** The names of a detail in words: as a whole, in parts, and what is shown of it. */
type DetailWords = {
  readonly whole: NameWords | undefined
  readonly parts: PartWords | undefined
  readonly shown: NameWords
}

function wordsOf(detail: AuthorDetail): DetailWords {
  const { name, family, given = '', suffix = '' } = detail
  return {
    whole: name === undefined ? undefined : nameWords(name),
    parts:
      family === undefined
        ? undefined
        : { family: nameWords(family), given: nameWords(`${given} ${suffix}`.trim()) },
    shown: nameWords(shownName({ ...detail, suffix: '' })),
  }
}

/** Whether all names of a detail can be of the person whom a name is of. */
function fits(name: NameWords, { whole, parts }: DetailWords): boolean {
  const isWhole = whole === undefined || canBeSameWords(name, whole)
  return isWhole && (parts === undefined || canHaveParts(name, parts))
}

function mayBeCorrected(name: NameWords, words: DetailWords): boolean {
  return fits(name, words) || resembles(name, words.shown)
}

/** What formats show of a detail: its parts if both are there. */
function shownName({ name, family = '', given, suffix = '' }: AuthorDetail): string {
  if (family === '' || given === undefined) return name ?? family
  return wholeName({ family, given, suffix })
}

function writtenName(detail: AuthorDetail): string {
  return detail.name ?? shownName(detail)
}

/** A fact as a warning quotes it: of a list, its texts. */
function textOfFact(fact: AuthorDetail[keyof AuthorDetail]): string {
  if (typeof fact !== 'object') return String(fact)
  return fact
    .map((item) => (typeof item === 'object' ? Object.values(item).join(' ') : item))
    .join(', ')
}

const nameMembers: ReadonlySet<string> = new Set(['name', 'given', 'family', 'suffix'])

/** Whether a detail has facts beside the name. */
function saysMore(detail: AuthorDetail): boolean {
  return Object.keys(detail).some((member) => !nameMembers.has(member))
}

/** A detail of an author who has another name now. */
function renamed(detail: AuthorDetail, name: string): AuthorDetail {
  const { name: _, family, given, suffix, ...facts } = detail
  const isWhole = family !== undefined && given !== undefined && isSameName(shownName(detail), name)
  const parts = isWhole ? { family, given, ...(suffix !== undefined && { suffix }) } : {}
  // Stored members stand in the order of canonical JSON.
  const members = Object.entries({ ...facts, ...parts, name })
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The checked body of a creation. Warnings are told to the client and change nothing. */
export type NewWorkCheck =
  | { readonly type: 'ok'; readonly metadata: Metadata; readonly warnings: readonly FieldFault[] }
  | Invalid

type WorkPatchCheck =
  | { readonly type: 'ok'; readonly patch: MetadataPatch; readonly warnings: readonly FieldFault[] }
  | Invalid

export type NewVersionCheck =
  | {
      readonly type: 'ok'
      readonly patch: MetadataPatch
      readonly warnings: readonly FieldFault[]
      readonly versionNote?: string
    }
  | Invalid

type PatchResult =
  | {
      readonly type: 'ok'
      readonly metadata: Metadata
      /** Names of the fields that differ now, sorted. */
      readonly changedFields: readonly (keyof Metadata)[]
      /** What the client should know of it; absent if that is nothing. */
      readonly warnings?: readonly FieldFault[]
    }
  | Invalid

const metadataShape = shapeOf(metadataFields)

const newVersionShape = shapeOf<Metadata & { readonly version_note?: string }>({
  ...metadataFields,
  version_note: {
    kind: paragraphsOf(2_000),
    about: 'What is new in this version; may have several lines.',
    example: 'Corrects table 3.',
    alsoCalled: ['note', 'changes'],
  },
})

// The JSON schemas describe stored forms. The checks also take other spellings of these, and refuse
// what no schema says: wrong check digits, days that no month has.

/** Describes the body of a creation. */
export const newWorkSchema = {
  ...fieldsSchema(metadataShape, {
    title: 'NewWork',
    description: 'A work to register. `work_url` or `existing_doi` is required.',
    nullable: true,
  }),
  // Generators of clients make one type of this; of alternatives they would make several.
  if: having('work_url'),
  else: having('existing_doi'),
}

function having(name: keyof Metadata) {
  return { required: [name], properties: { [name]: { type: 'string' } } }
}

/** Describes the body of an update. */
export const workUpdateSchema = fieldsSchema(metadataShape, {
  title: 'WorkUpdate',
  description: 'The fields to change; null removes one.',
  nullable: true,
  partial: true,
})

/** Describes the body of a further version. */
export const newVersionSchema = fieldsSchema(newVersionShape, {
  title: 'NewVersion',
  description: 'The fields to change; null removes one.',
  nullable: true,
  partial: true,
})

/** Describes metadata as it is stored and returned. */
export const metadataSchema = fieldsSchema(metadataShape, {
  title: 'Metadata',
  description: 'What describes one version of a work; absent fields are left out.',
})

/**
 * Checks the JSON body of a creation. Gives the metadata in its stored form, which passes this
 * check unchanged, or all faults at once.
 */
export function checkNewWork(body: unknown): NewWorkCheck {
  const faults = new FaultList()
  const record = readFields(metadataShape, withDegree(body, faults), '', faults)
  if (record !== undefined) checkLocation(record, body as Draft, faults)
  if (faults.count === 0) checkMarkups(record as Metadata, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const given = record as Metadata
  const authors = invertedAuthors(given)
  if (authors !== undefined) warnOfFolding('authors', given.authors, authors, faults)
  const metadata = authors === undefined ? given : { ...given, authors }
  const isDone = ({ code }: FieldFault) => code === 'names_parted' && authors !== undefined
  const warnings = faults.warnings.filter((warning) => !isDone(warning))
  return { type: 'ok', metadata, warnings: [...warnings, ...warnOfConflicts(metadata)] }
}

/**
 * A body whose `work_type` says of which degree a thesis is, as `masterThesis` of OpenAIRE does:
 * that is its `resource_type`, unless that or the degree is given.
 */
function withDegree(body: unknown, faults: FaultList): unknown {
  if (typeof body !== 'object' || body === null) return body
  const given = body as Draft
  const type = given['work_type'] ?? given['type']
  if (typeof type !== 'string' || ownWorkType(type) !== undefined) return body
  const kind = foldWorkType(type) === 'thesis' ? thesisKindOf(type) : undefined
  const isSaid = ['resource_type', 'genre', 'degree'].some((name) => given[name] !== undefined)
  if (kind === undefined || isSaid) return body
  const { name } = thesisKinds[kind]
  faults.warn('resource_type', 'value_folded', `resource_type is “${name}”, as work_type says`)
  return { ...body, resource_type: name }
}

/**
 * Names that commas part within, `Bank, Ada, Roe, Jane`, parted as the details say that they are
 * meant: `Bank, Ada; Roe, Jane`. Undefined where the details do not say exactly that.
 */
function invertedAuthors({ authors, author_details: details }: NamedAuthors): string | undefined {
  if (details === undefined || authors.includes(';')) return undefined
  const names = splitAuthors(authors)
  if (names.length !== 2 * details.length) return undefined
  const meant = details.map(({ family, given }) => `${family}, ${given}`)
  return meant.join(', ') === names.join(', ') ? joinAuthors(meant) : undefined
}

/**
 * Checks the JSON body of `PUT /v1/works/{ark}`: the fields to change, null to remove one. `record`
 * is the work as it is read, whose other members may be sent back as they are.
 */
export function checkWorkPatch(body: unknown, record?: Draft): WorkPatchCheck {
  const faults = new FaultList()
  const patch = readPatch(metadataShape, withDegree(body, faults), '', faults, record)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', patch: patch as MetadataPatch, warnings: faults.warnings }
}

/**
 * Checks the JSON body of `POST /v1/works/{ark}/versions`: that of a PUT, with a `version_note`.
 */
export function checkNewVersion(body: unknown, record?: Draft): NewVersionCheck {
  const faults = new FaultList()
  const draft = readPatch(newVersionShape, withDegree(body, faults), '', faults, record)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const { version_note: note, ...patch } = draft as MetadataPatch & { version_note?: string | null }
  const { warnings } = faults
  return { type: 'ok', patch, warnings, ...(typeof note === 'string' && { versionNote: note }) }
}

/**
 * Merges a patch into metadata. A declared `content_hash` belongs to the content at an address: it
 * is removed when the content is at another one, unless the patch declares one. `authors` and
 * `author_details` follow each other. A text that is changed without its markup loses that.
 */
export function applyPatch(metadata: Metadata, patch: MetadataPatch): PatchResult {
  const before: Draft = metadata
  const merged: Draft = { ...metadata }
  for (const [name, value] of Object.entries(patch)) {
    if (value !== undefined) merged[name] = value ?? undefined
  }
  const faults = new FaultList()
  checkLocation(merged, merged, faults)
  dropMarkups(metadata, merged, faults)
  checkMarkups(merged as Metadata, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const [left, entered] = [metadata, merged as Metadata].map((each) => {
    return contentUrl(each, placeContent(each))
  })
  const hasMoved = left !== entered
  if (hasMoved && patch.content_hash === undefined) delete merged['content_hash']
  const aligned = alignAuthors(metadata, merged as Metadata)
  const { authors, author_details } = aligned
  const values: Draft = { ...merged, authors, author_details }
  const after: Draft = {}
  const changedFields: (keyof Metadata)[] = []
  for (const { name } of metadataShape.rows) {
    const value = values[name]
    if (value !== undefined) after[name] = value
    if (!isDeepStrictEqual(before[name], value)) changedFields.push(name as keyof Metadata)
  }
  const isAboutAuthors = patch.authors !== undefined || patch.author_details !== undefined
  const conflicts = isAboutAuthors ? warnOfConflicts(after as Metadata) : []
  const warnings = [...faults.warnings, ...aligned.warnings, ...conflicts]
  return {
    type: 'ok',
    metadata: after as Metadata,
    changedFields,
    ...(warnings.length > 0 && { warnings }),
  }
}

// A member with a fault of its own is given, though not as it should be.
function checkLocation(record: Draft, given: Draft, faults: FaultList): void {
  const isGiven = (name: string) => record[name] !== undefined || (given[name] ?? null) !== null
  if (isGiven('work_url') || isGiven('existing_doi')) return
  faults.add('work_url', 'required', 'work_url or existing_doi is required')
}

/** The texts that may have a markup beside them. */
const markedFields = [
  ['work_title', 'work_title_markup'],
  ['description', 'description_markup'],
] as const

/** Adds a fault where a markup has no text beside it, or another one. */
function checkMarkups(metadata: Metadata, faults: FaultList): void {
  for (const [name, field] of markedFields) {
    const { [name]: text, [field]: markup } = metadata
    if (markup === undefined) {
      if (name === 'work_title') warnOfMarks(metadata.work_title, faults)
      continue
    }
    if (text !== undefined) checkMarkup({ text, name, markup }, field, faults)
    else faults.add(field, 'bad_value', `${field} is given without ${name}, whose text it has`)
  }
}

function warnOfMarks(title: string, faults: FaultList): void {
  if (piecesInTitle(title).every((piece) => typeof piece === 'string')) return
  const message =
    'work_title has tags that are read as marks, such as <i>; to have them as text, send ' +
    'work_title_markup with &lt; for each <'
  faults.warn('work_title', 'read_as_marks', message)
}

/** Removes the markup of a text that was changed while its markup stayed as it was. */
function dropMarkups(before: Metadata, merged: Draft, faults: FaultList): void {
  for (const [name, field] of markedFields) {
    const isSent = merged[field] !== before[field]
    if (merged[field] === undefined || isSent || merged[name] === before[name]) continue
    const own = new FaultList()
    checkMarkups(merged as Metadata, own)
    if (!own.faults.some((fault) => fault.field === field)) continue
    merged[field] = undefined
    const message = `${field} was removed, because ${name} was changed and has another text now`
    faults.warn(field, 'markup_removed', message)
  }
}

const erasureReasonList = `one of ${erasureReasons.join(', ')}`

/** Why a work is withdrawn, and which one to use instead: `ark:/naan/name`. */
type Withdrawal = {
  readonly reason: WithdrawalReason
  readonly note?: string
  readonly replaced_by?: string
  /** Whether the metadata is erased with it; then there is nothing but the reason. */
  readonly erase_metadata?: boolean
}

const withdrawalShape = shapeOf<Withdrawal>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => withdrawalReasons.find((reason) => reason === text),
      right: `one of ${withdrawalReasons.join(', ')}`,
      values: withdrawalReasons,
      title: 'WithdrawalReason',
    }),
    required: true,
    about: 'Why the work is withdrawn; shown on its tombstone for ever.',
    example: 'author_request',
  },
  note: {
    kind: paragraphsOf(2_000),
    about: 'What else readers should know; may have several lines.',
    example: 'Superseded by a corrected edition.',
    alsoCalled: ['comment', 'message'],
  },
  replaced_by: {
    kind: arkKind,
    about: 'ARK of the work to use instead.',
    example: 'ark:/12345/x6np1wh8k',
    alsoCalled: ['replacement'],
  },
  erase_metadata: {
    kind: flag,
    about:
      'Erases the metadata of all versions for ever, hashes stay: for administrators, without a ' +
      `note or a replacement. The reason is ${erasureReasonList}.`,
    example: false,
  },
})

/** Describes the body of a withdrawal. */
export const withdrawalSchema = fieldsSchema(withdrawalShape, {
  title: 'Withdrawal',
  nullable: true,
})

/** Checks the JSON body of a withdrawal; all faults at once. */
export function checkWithdrawal(
  body: unknown,
): { readonly type: 'ok'; readonly withdrawal: Withdrawal } | Invalid {
  const faults = new FaultList()
  const record = readFields(withdrawalShape, body, '', faults)
  if (record?.['erase_metadata'] === true) checkErasing(record, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', withdrawal: record as Withdrawal }
}

// An erasure leaves nothing of a withdrawal but its reason, so it takes nothing else.
function checkErasing(record: Draft, faults: FaultList): void {
  const { reason } = record
  if (reason !== undefined && !isErasureReason(reason)) {
    const message = `reason must be ${erasureReasonList} for metadata to be erased`
    faults.add('reason', 'bad_value', message)
  }
  for (const field of ['note', 'replaced_by']) {
    if (record[field] === undefined) continue
    faults.add(field, 'bad_value', `${field} cannot be given with erase_metadata`)
  }
}

/** Whether metadata can be erased for a reason. */
export function isErasureReason(reason: unknown): reason is ErasureReason {
  return erasureReasons.some((known) => known === reason)
}

type ErasureRequest = { readonly reason: ErasureReason; readonly note?: string }

const erasureShape = shapeOf<ErasureRequest>({
  reason: {
    kind: foldedText({
      max: 50,
      fold: (text) => erasureReasons.find((reason) => reason === text),
      right: erasureReasonList,
      values: erasureReasons,
      title: 'ErasureReason',
    }),
    required: true,
    about: 'Why the metadata is erased; shown in the history of the work for ever.',
    example: 'legal',
  },
  note: {
    kind: paragraphsOf(2_000),
    about: 'What the owner and the audit list are told in addition; readers never see it.',
    example: 'District Court, 4 O 12/26.',
  },
})

/** Describes the body of an erasure. */
export const erasureSchema = fieldsSchema(erasureShape, { title: 'Erasure' })

/** Checks the JSON body of an erasure; all faults at once. */
export function checkErasure(
  body: unknown,
): { readonly type: 'ok'; readonly erasure: ErasureRequest } | Invalid {
  const faults = new FaultList()
  const record = readFields(erasureShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', erasure: record as ErasureRequest }
}
