import { FaultList, type FieldFault, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  fieldsSchema,
  paragraphsOf,
  readFields,
  readPatch,
  shapeOf,
} from '#actors/values/field_table.ts'
import { alignAuthors, warnOfConflicts } from '#actors/works/author_agreement.ts'
import { metadataFields } from '#actors/works/metadata_fields.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'

/** The checked body of a creation. Warnings are told to the client and change nothing. */
export type NewWorkCheck =
  | { readonly type: 'ok'; readonly metadata: Metadata; readonly warnings: readonly FieldFault[] }
  | Invalid

export type WorkPatchCheck =
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

export type PatchResult =
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
  const record = readFields(metadataShape, body, '', faults)
  if (record !== undefined) checkLocation(record, body as Draft, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const metadata = record as Metadata
  return { type: 'ok', metadata, warnings: [...faults.warnings, ...warnOfConflicts(metadata)] }
}

/**
 * Checks the JSON body of `PUT /v1/works/{ark}`: the fields to change, null to remove one. `record`
 * is the work as it is read, whose other members may be sent back as they are.
 */
export function checkWorkPatch(body: unknown, record?: Draft): WorkPatchCheck {
  const faults = new FaultList()
  const patch = readPatch(metadataShape, body, '', faults, record)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', patch: patch as MetadataPatch, warnings: faults.warnings }
}

/**
 * Checks the JSON body of `POST /v1/works/{ark}/versions`: that of a PUT, with a `version_note`.
 */
export function checkNewVersion(body: unknown, record?: Draft): NewVersionCheck {
  const faults = new FaultList()
  const draft = readPatch(newVersionShape, body, '', faults, record)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const { version_note: note, ...patch } = draft as MetadataPatch & { version_note?: string | null }
  const { warnings } = faults
  return { type: 'ok', patch, warnings, ...(typeof note === 'string' && { versionNote: note }) }
}

/**
 * Merges a patch into metadata. A declared `content_hash` belongs to the bytes at `work_url`: it is
 * removed with the address it was declared for, unless the patch declares one. `authors` and
 * `author_details` follow each other.
 */
export function applyPatch(metadata: Metadata, patch: MetadataPatch): PatchResult {
  const changes: Draft = { ...patch }
  const hasMoved = patch.work_url !== undefined && patch.work_url !== (metadata.work_url ?? null)
  if (hasMoved && patch.content_hash === undefined) changes['content_hash'] = null
  const before: Draft = metadata
  const merged: Draft = { ...metadata }
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) merged[name] = value ?? undefined
  }
  const faults = new FaultList()
  checkLocation(merged, merged, faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const aligned = alignAuthors(metadata, merged as Metadata)
  const { authors, author_details } = aligned
  const values: Draft = { ...merged, authors, author_details }
  const after: Draft = {}
  const changedFields: (keyof Metadata)[] = []
  for (const { name } of metadataShape.rows) {
    const value = values[name]
    if (value !== undefined) after[name] = value
    if (!isSame(before[name], value)) changedFields.push(name as keyof Metadata)
  }
  const isAboutAuthors = patch.authors !== undefined || patch.author_details !== undefined
  const conflicts = isAboutAuthors ? warnOfConflicts(after as Metadata) : []
  const warnings = [...aligned.warnings, ...conflicts]
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

// Stored values are texts, or lists whose members stand in one order.
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
