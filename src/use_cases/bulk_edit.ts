import { type Static, Type } from 'typebox'

import type { ServedEnvironment } from '#actors/registry/environment.ts'
import {
  isSameName,
  joinAuthors,
  type NameParts,
  readName,
  splitAuthors,
  wholeName,
} from '#actors/values/author_name.ts'
import type { Action } from '#actors/values/authority.ts'
import { isCurrent } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { type Metadata, metadataFields } from '#actors/works/metadata.ts'
import type { AuthorDetail } from '#actors/works/names.ts'
import { applyPatch, checkWorkPatch, type NamedAuthors } from '#actors/works/request_checks.ts'
import { invalidInput } from '#src/edge/errors.ts'
import { component } from '#src/edge/reply_schemas.ts'
import {
  type BulkUndo,
  bulkUndoSchema,
  describeUndo,
  readUndo,
  undoneWork,
} from '#src/use_cases/bulk_undo.ts'
import type { NewRegistration } from '#src/use_cases/work_again.ts'
import { readSeen, type SeenWork, wholePatch } from '#src/use_cases/work_change.ts'

/** Works that one bulk change changes, and names as left out, at most. */
export const bulkWorksMax = 10_000

/** Characters of a text that is looked for, or that replaces another, at most. */
export const bulkTextMax = 2_048

const text = Type.String({ minLength: 1, maxLength: bulkTextMax })
const value = Type.Optional(Type.Union([text, Type.Null()]))
const replacement = Type.Optional(component('BulkReplacement', { from: text, to: text }))

/** What becomes of every work that is chosen: values, where null removes one, or a part of one. */
export const bulkEditSchema = component(
  'BulkEdit',
  {
    license: value,
    publisher_name: value,
    container_title: value,
    language: value,
    work_type: Type.Optional(text),
    /** The beginning of addresses. */
    work_url: replacement,
    /** The name of an author, wherever they are one. */
    author: replacement,
    /** Every value becomes what it is read as today: works keep what older tables made of it. */
    reread: Type.Optional(Type.Literal(true)),
    undo: Type.Optional(bulkUndoSchema),
  },
  {
    additionalProperties: false,
    description:
      'New values, where null removes one; `work_url` replaces the beginning of addresses, and ' +
      '`author` the name of an author. `undo` stands alone.',
  },
)

export type BulkEdit = Static<typeof bulkEditSchema>

/** What somebody must be allowed to do for an edit: an undo withdraws works. */
export function powerOf({ undo }: BulkEdit): Action<'organization'> {
  return undo === undefined ? 'change many works' : 'undo many changes'
}

/** An edit with its values as they are stored. HttpError `validation_failed`. */
export function readBulkEdit(edit: BulkEdit): BulkEdit {
  const { work_url, author, reread, undo, ...values } = edit
  if (undo !== undefined) return { undo: readLoneUndo(undo, Object.keys(edit).length === 1) }
  const given = definedOf(values)
  const checked = checkWorkPatch(given)
  const faults = [
    ...(checked.type === 'invalid' ? checked.faults : []),
    ...lengthFault('work_url', work_url),
    ...lengthFault('author', author),
    ...[work_url?.from, work_url?.to].flatMap(addressFault),
    ...(Object.keys(given).length === 0 && !work_url && !author && !reread
      ? [nothingToChange]
      : []),
  ]
  if (faults.length > 0 || checked.type === 'invalid') {
    throw invalidInput(notLikeThis, faults)
  }
  const stored = Object.fromEntries(Object.entries(checked.patch)) as typeof values
  return {
    ...stored,
    ...(work_url && { work_url }),
    ...(author && { author }),
    ...(reread && { reread }),
  }
}

const notLikeThis = 'These works cannot be changed like this'

function readLoneUndo(asked: BulkUndo, isAlone: boolean): BulkUndo {
  const { undo, faults } = readUndo(asked)
  const message = 'An undo changes nothing else: leave out the other fields'
  const mixed: FieldFault[] = isAlone ? [] : [{ field: 'undo', code: 'bad_value', message }]
  if (mixed.length > 0 || faults.length > 0) throw invalidInput(notLikeThis, [...mixed, ...faults])
  return undo
}

const nothingToChange = { field: 'license', code: 'required', message: 'Say what is to change' }

function lengthFault(field: string, given: Replacement | undefined): readonly FieldFault[] {
  const longest = Math.max(given?.from.length ?? 0, given?.to.length ?? 0)
  if (longest <= bulkTextMax) return []
  const message = `${field} must have at most ${bulkTextMax} characters, not ${longest}`
  return [{ field, code: 'too_long', message }]
}

function addressFault(address: string | undefined): readonly FieldFault[] {
  if (address === undefined || /^https?:\/\/[^\s/]/i.test(address)) return []
  if (address.length > bulkTextMax) return []
  const message = `“${address}” is no beginning of an address: write https://example.org/`
  return [{ field: 'work_url', code: 'bad_value', message }]
}

const filterNames = [
  'q',
  'type',
  'license',
  'language',
  'publisher',
  'container',
  'address',
  'year',
  'registered_from',
  'registered_to',
] as const

export type BulkFilter = { readonly [Name in (typeof filterNames)[number]]?: string }

export const bulkFilterSchema = component(
  'BulkFilter',
  Object.fromEntries(filterNames.map((name) => [name, Type.Optional(text)])),
  { additionalProperties: false },
)

/** Which works of an owner are chosen: those that a filter finds, or those of a list. */
export const bulkSelectionSchema = component(
  'BulkSelection',
  {
    filter: Type.Optional(bulkFilterSchema),
    works: Type.Optional(
      Type.Array(Type.String({ maxLength: bulkTextMax }), {
        minItems: 1,
        maxItems: bulkWorksMax,
        description: 'ARKs and DOIs, in any spelling.',
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: 'Either `filter`, of which {} chooses all works, or `works`.',
  },
)

/** A selection as it is asked for, of which the schema sees to it that it is one of the two. */
export function readBulkSelection({
  filter,
  works,
}: Static<typeof bulkSelectionSchema>): BulkSelection {
  return works === undefined ? { filter: filter ?? {} } : { works }
}

export type BulkSelection =
  | { readonly filter: BulkFilter }
  /** ARKs and DOIs, in any spelling. */
  | { readonly works: readonly string[] }

/** Why a work that was chosen is not changed, or was not. */
export const bulkRefusals = [
  'not_found',
  'not_yours',
  'withdrawn',
  'forbidden',
  // It is as it should be already, or the part to replace is not in it.
  'unchanged',
  'invalid',
  // Somebody has changed it after the preview.
  'changed_since',
  // Somebody else has changed it after what is undone.
  'changed_by_others',
  // Its owner has registered it again already.
  'registered_again',
] as const

export type BulkRefusal = (typeof bulkRefusals)[number]

/** A work that is not changed: as the list has it, or its ARK; with a word of its own if needed. */
export type LeftWork = {
  readonly work: string
  readonly reason: BulkRefusal
  readonly message?: string
}

/** A work to change, withdraw or register again, `naan/name`, as long as it has this entity tag. */
export type ReadyWork = {
  readonly ark: string
  readonly etag: string
  readonly withdraws?: true
  readonly registers?: true
}

/** What a bulk change would do, before it is done. */
export type BulkPlan = {
  readonly ready: readonly ReadyWork[]
  readonly left: readonly LeftWork[]
  /** Further works that are left out as they are as they should be. */
  readonly leftMore: number
  /** Whether more works may be chosen than one bulk change has. */
  readonly isCut: boolean
}

/** A work before and after an edit, with the patch that makes the one of the other. */
export type BulkEdited =
  | {
      readonly type: 'changed'
      readonly patch: Readonly<Record<string, unknown>>
      readonly after: Metadata
    }
  | { readonly type: 'withdrawal' }
  | NewRegistration
  | { readonly type: Exclude<BulkRefusal, 'invalid' | 'registered_again'> | 'untouched' }
  | { readonly type: 'invalid' | 'registered_again'; readonly message: string }

/** What an edit makes of a work as it stands; `untouched`: an undo has nothing to do with it. */
export async function editedWork(
  environment: Pick<ServedEnvironment, 'catalogue' | 'naan'>,
  edit: BulkEdit,
  { state, metadata }: SeenWork,
): Promise<BulkEdited> {
  const { undo } = edit
  if (undo === undefined) {
    return state.status === 'withdrawn' ? { type: 'withdrawn' } : applyBulkEdit(edit, metadata)
  }
  const undone = await undoneWork(environment, undo, state)
  return undone.type === 'restored' ? patched(metadata, wholePatch(undone.metadata)) : undone
}

/** What an edit of values makes of a work. */
export function applyBulkEdit(edit: BulkEdit, metadata: Metadata): BulkEdited {
  const { work_url: address, author, reread, undo: _undo, ...values } = edit
  const read = reread === true ? rereadValues(metadata) : { patch: {}, refused: '' }
  const patch = {
    ...read.patch,
    ...values,
    ...(address !== undefined && movedAddress(metadata, address)),
    ...(author !== undefined && renamedAuthor(metadata, author)),
  }
  const edited = patched(metadata, patch)
  const isRefused = edited.type === 'unchanged' && read.refused !== ''
  return isRefused ? { type: 'invalid', message: read.refused } : edited
}

function patched(metadata: Metadata, patch: Readonly<Record<string, unknown>>): BulkEdited {
  const checked = checkWorkPatch(patch)
  const applied = checked.type === 'ok' ? applyPatch(metadata, checked.patch) : checked
  if (applied.type === 'invalid') {
    return { type: 'invalid', message: applied.faults.map(({ message }) => message).join('; ') }
  }
  if (applied.changedFields.length === 0) return { type: 'unchanged' }
  return { type: 'changed', patch, after: applied.metadata }
}

/** The values that would be read as others today, and why some would not be taken at all. */
function rereadValues(metadata: Metadata): {
  readonly patch: Readonly<Record<string, unknown>>
  readonly refused: string
} {
  const checked = checkWorkPatch(metadata)
  if (checked.type === 'ok') return { patch: differing(metadata, checked.patch), refused: '' }
  const refused = checked.faults.map(({ message }) => message).join('; ')
  // `related_identifiers[0].scheme` is of related_identifiers. What is refused stays as it is.
  const names = new Set(checked.faults.map(({ field }) => field.split(/[.[]/, 1)[0]))
  const others = Object.entries(metadata).filter(([name]) => !names.has(name))
  const rest = checkWorkPatch(Object.fromEntries(others))
  return { patch: rest.type === 'ok' ? differing(metadata, rest.patch) : {}, refused }
}

function differing(metadata: Metadata, patch: object): Readonly<Record<string, unknown>> {
  const before: Readonly<Record<string, unknown>> = metadata
  const changed = Object.entries(patch).filter(([name, read]) => {
    return JSON.stringify(read) !== JSON.stringify(before[name])
  })
  return Object.fromEntries(changed)
}

type Replacement = { readonly from: string; readonly to: string }

function movedAddress({ work_url: url }: Metadata, { from, to }: Replacement) {
  return url?.startsWith(from) ? { work_url: to + url.slice(from.length) } : {}
}

/** A name in its parts, if it has them, and as a whole. */
type NewName = { readonly whole: string; readonly parts?: NameParts }

/**
 * The two fields of authors with another name for one of them; ORCID iD and affiliation stay. A new
 * name with its family name first, as in `Lovelace, Ada`, is written in either order, as the old
 * one was. A suffix such as `Jr.` is a part of the name: the old one goes with it.
 */
function renamedAuthor(
  { authors, author_details: details }: NamedAuthors,
  { from, to: given }: Replacement,
): Partial<NamedAuthors> {
  const names = splitAuthors(authors)
  const to = newName(given)
  const isMeant = (name: string) => isSameName(name, from)
  const isNamed = names.some(isMeant)
  const isDetailed = details?.some((detail) => namesOf(detail).some(isMeant)) === true
  if (!isNamed && !isDetailed) return {}
  const renamed = names.map((name) => (isMeant(name) ? nameLike(name, to) : name))
  const isPlain = !authors.includes(';') && renamed.every((name) => !name.includes(','))
  return {
    ...(isNamed && { authors: isPlain ? renamed.join(', ') : joinAuthors(renamed) }),
    ...(details && {
      author_details: details.map((detail) =>
        namesOf(detail).some(isMeant) ? renamedDetail(detail, to) : detail,
      ),
    }),
  }
}

function newName(to: string): NewName {
  const { name, suffix, ...read } = readName(to)
  const [family = '', given = '', ...more] = name.split(',').map((part) => part.trim())
  const isTurned = suffix === undefined && family !== '' && given !== '' && more.length === 0
  const parts = { ...(isTurned && { family, given }), ...read }
  if (parts.family === undefined || parts.given === undefined) return { whole: name }
  const known = { family: parts.family, given: parts.given, ...(suffix && { suffix }) }
  return { whole: wholeName(known), parts: known }
}

function nameLike(old: string, { whole, parts }: NewName): string {
  if (parts === undefined || !old.includes(',')) return whole
  return [parts.family, parts.given, parts.suffix ?? []].flat().join(', ')
}

function namesOf({ name, family, given = '', suffix = '' }: AuthorDetail): readonly string[] {
  const whole = family === undefined ? [] : [wholeName({ family, given, suffix })]
  return name === undefined ? whole : [name, `${name} ${suffix}`, ...whole]
}

function renamedDetail(detail: AuthorDetail, to: NewName): AuthorDetail {
  const { name, family, given: _given, suffix: _suffix, ...facts } = detail
  const parts = family === undefined ? undefined : to.parts
  const isWhole = name !== undefined || parts === undefined
  return { ...facts, ...parts, ...(isWhole && { name: nameLike(name ?? '', to) }) }
}

const editWords: Readonly<Record<keyof BulkEdit, string>> = {
  license: 'license',
  publisher_name: 'publisher',
  container_title: 'container',
  language: 'language',
  work_type: 'type',
  work_url: 'address',
  author: 'name of an author',
  reread: 'values that are read differently now',
  undo: 'changes of somebody',
}

/** What an edit changes, in words: `the license and the publisher`. */
export function describeBulkEdit(edit: BulkEdit): string {
  if (edit.undo !== undefined) return describeUndo(edit.undo)
  const words = Object.keys(edit).map((name) => `the ${editWords[name as keyof BulkEdit]}`)
  const last = words.at(-1) ?? 'nothing'
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last
}

/**
 * What became of a work: its new version, its withdrawal, the ARK under which it is registered
 * again, or why it was not changed.
 */
export type BulkOutcome =
  | { readonly version: number; readonly withdrawn?: true; readonly new_ark?: string }
  | { readonly reason: BulkRefusal; readonly message?: string }

/** What an edit makes of a work, and what it was before. */
export type BulkDifference = Exclude<BulkEdited, { type: BulkRefusal | 'untouched' }> & {
  readonly before: Metadata
}

/** A work as it stands and as an edit would leave it; undefined if it is not as it was seen. */
export async function readDifference(
  environment: ServedEnvironment,
  edit: BulkEdit,
  { ark, etag }: ReadyWork,
): Promise<BulkDifference | undefined> {
  const work = await readSeen(environment, ark)
  if (work === undefined || !isCurrent({ ifMatch: [etag] }, work.state)) return undefined
  const edited = await editedWork(environment, edit, work)
  const isDifferent =
    edited.type === 'changed' || edited.type === 'withdrawal' || edited.type === 'registration'
  return isDifferent ? { ...edited, before: work.metadata } : undefined
}

/** The fields that differ, as they are and as they would be; null is none. */
export function fieldChanges(difference: BulkDifference) {
  if (difference.type !== 'changed') return []
  const { before, after } = difference
  const names = Object.keys(metadataFields) as (keyof Metadata)[]
  return names.flatMap((field) => {
    const [old, next] = [before[field] ?? null, after[field] ?? null]
    const isSame = JSON.stringify(old) === JSON.stringify(next)
    return isSame ? [] : [{ field, before: old, after: next }]
  })
}
