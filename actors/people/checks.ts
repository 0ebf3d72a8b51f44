import { affiliationFields, educationFields } from '#actors/people/item_fields.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  type FieldShape,
  fieldsSchema,
  type FieldTable,
  foldedText,
  lineOf,
  readFields,
  readPatch,
  shapeOf,
} from '#actors/values/field_table.ts'
import { foldOrcid } from '#actors/values/orcid.ts'
import type {
  AffiliationFields,
  EducationFields,
  ItemKind,
  Profile,
  Visibility,
} from '#actors/people/port.ts'
import type { ItemMark } from '#actors/people/decision.ts'
import {
  firstVisibility,
  type ProfileBody,
  profileFields,
  visibilityKind,
} from '#actors/people/profile_fields.ts'
import type { Fields, ProfilePatch } from '#actors/people/profile.ts'

type Checked<T> = ({ readonly type: 'ok' } & T) | Invalid

type Shown = { readonly visibility?: Visibility }

const shown: FieldTable<Shown> = {
  visibility: {
    kind: visibilityKind,
    about: 'Who may see it; at first as the profile says of new ones.',
    example: 'trusted',
  },
}

const profileShape = shapeOf(profileFields)

const itemShapes: Readonly<Record<ItemKind, FieldShape>> = {
  affiliation: shapeOf<AffiliationFields & Shown>({ ...affiliationFields, ...shown }),
  education: shapeOf<EducationFields & Shown>({ ...educationFields, ...shown }),
}

const statuses = ['active', 'hidden', 'contested'] as const

const reasonCharactersMax = 1_000

const markShape = shapeOf<ItemMark>({
  status: {
    kind: foldedText<NonNullable<ItemMark['status']>>({
      max: 200,
      fold: (text) => statuses.find((status) => status === text),
      right: 'active, hidden or contested',
      values: statuses,
      title: 'ItemMarkStatus',
    }),
    about: 'Shown, hidden from all others, or said to be wrong.',
    example: 'contested',
  },
  reason: {
    kind: lineOf(reasonCharactersMax),
    about: 'Why it is contested; its source reads this.',
    example: 'I have never worked there.',
    alsoCalled: ['message', 'contest_reason'],
  },
  ...shown,
})

/** Describes the body of `PUT /v1/people/{ppid}`. */
export const profileUpdateSchema = fieldsSchema(profileShape, {
  title: 'PersonUpdate',
  description: 'The fields to change; null removes one.',
  nullable: true,
  partial: true,
})

/** Describe the bodies by which items are written. */
export const itemSchemas = {
  affiliation: fieldsSchema(itemShapes.affiliation, {
    title: 'NewAffiliation',
    description: 'An affiliation.',
    nullable: true,
  }),
  education: fieldsSchema(itemShapes.education, {
    title: 'NewEducation',
    description: 'An education record.',
    nullable: true,
  }),
}

/** Describe the bodies by which items are changed. */
export const itemUpdateSchemas = {
  affiliation: fieldsSchema(itemShapes.affiliation, {
    title: 'AffiliationUpdate',
    description: 'The fields to change; null removes one.',
    nullable: true,
    partial: true,
  }),
  education: fieldsSchema(itemShapes.education, {
    title: 'EducationUpdate',
    description: 'The fields to change; null removes one.',
    nullable: true,
    partial: true,
  }),
}

/** Describes the body by which a person marks an item. */
export const itemMarkSchema = fieldsSchema(markShape, {
  title: 'ItemMark',
  description: 'How the person sees an item of theirs.',
  nullable: true,
})

/** Checks the body of a new profile; all faults at once. */
export function checkNewProfile(body: unknown): Checked<{ readonly profile: Profile }> {
  const faults = new FaultList()
  const record = readFields(profileShape, body, '', faults)
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const { visibility, ...profile } = record as ProfileBody
  return {
    type: 'ok',
    profile: { ...profile, visibility: { ...firstVisibility, ...visibility } },
  }
}

/**
 * Checks the body of an update of a profile: the fields to change, null to remove one. `record` is
 * the profile as the caller reads it, whose other members may be sent back as they are.
 */
export function checkProfilePatch(
  body: unknown,
  record?: Draft,
): Checked<{ readonly patch: ProfilePatch }> {
  const faults = new FaultList()
  const patch = readPatch(profileShape, body, '', faults, record)
  if (patch?.['visibility'] === null) {
    faults.add('visibility', 'required', 'visibility cannot be removed')
  }
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', patch: patch as ProfilePatch }
}

/** Checks an ORCID iD, and gives its stored form. */
export function checkOrcid(text: string): Checked<{ readonly orcid: string }> {
  const orcid = foldOrcid(text)
  if (orcid !== undefined) return { type: 'ok', orcid }
  const message =
    'orcid must be an ORCID iD such as 0000-0002-1825-0097, with the right check digit'
  return { type: 'invalid', faults: [{ field: 'orcid', code: 'bad_value', message }] }
}

/** Fields of an item as a request gives them, and who shall see it. */
export type CheckedItem = Shown & { readonly fields: Fields }

/** Checks the body of an item; all faults at once. */
export function checkItem(kind: ItemKind, body: unknown): Checked<CheckedItem> {
  return splitItem((faults) => readFields(itemShapes[kind], body, '', faults))
}

/** Checks the body of a change of an item: as that of a profile. */
export function checkItemPatch(
  kind: ItemKind,
  body: unknown,
  record?: Draft,
): Checked<CheckedItem> {
  return splitItem((faults) => readPatch(itemShapes[kind], body, '', faults, record))
}

function splitItem(read: (faults: FaultList) => Draft | undefined): Checked<CheckedItem> {
  const faults = new FaultList()
  const { visibility, ...fields } = read(faults) ?? {}
  if (visibility === null) faults.add('visibility', 'required', 'visibility cannot be removed')
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  const asked = visibility as Visibility | undefined
  return { type: 'ok', fields, ...(asked !== undefined && { visibility: asked }) }
}

/** Checks the body by which a person marks an item. */
export function checkItemMark(body: unknown): Checked<{ readonly mark: ItemMark }> {
  const faults = new FaultList()
  const mark = readFields(markShape, body, '', faults) as ItemMark | undefined
  if (mark?.reason !== undefined && mark.status !== 'contested') {
    faults.add('reason', 'bad_value', 'reason is given with the status contested')
  }
  if (faults.count > 0) return { type: 'invalid', faults: faults.faults }
  return { type: 'ok', mark: mark ?? {} }
}
