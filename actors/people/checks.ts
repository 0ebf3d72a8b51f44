import type { Fields, ProfilePatch } from '#actors/people/events.ts'
import type {
  AffiliationFields,
  EducationFields,
  ItemKind,
  Profile,
  Visibility,
  VisibleField,
} from '#actors/people/port.ts'
import type { ItemMark } from '#actors/people/state.ts'
import { FaultList, type Invalid } from '#actors/values/fault_list.ts'
import {
  type Draft,
  type FieldShape,
  fieldsSchema,
  fieldTable,
  type FieldTable,
  foldedText,
  lineOf,
  listOf,
  nameOf,
  objectOf,
  paragraphsOf,
  readFields,
  readPatch,
  shapeOf,
} from '#actors/values/field_table.ts'
import { foldOrcid, rorKind, urlKind } from '#actors/values/identifier.ts'
import { isPartialDate } from '#actors/values/date.ts'

const itemCharactersMax = 500

/** The kind of a year, as a text. */
const yearKind = foldedText({
  max: 200,
  fold: (text) => (text.length === 4 && isPartialDate(text) ? text : undefined),
  right: 'a year of four digits such as "2021"',
})

/** The fields of an affiliation. All are texts. */
const affiliationFields: FieldTable<AffiliationFields> = {
  organization: {
    kind: lineOf(itemCharactersMax),
    required: true,
    about: 'Name of the organization.',
    example: 'Brown University',
    alsoCalled: ['organisation', 'institution', 'name', 'employer'],
  },
  role: {
    kind: lineOf(itemCharactersMax),
    about: 'What the person is there.',
    example: 'Professor',
    alsoCalled: ['title', 'position', 'role_title'],
  },
  department: {
    kind: lineOf(itemCharactersMax),
    about: 'Part of the organization.',
    example: 'Mathematics',
    alsoCalled: ['department_name', 'unit'],
  },
  start_year: {
    kind: yearKind,
    about: 'Year in which it began.',
    example: '2021',
    alsoCalled: ['start_date', 'from'],
  },
  end_year: {
    kind: yearKind,
    about: 'Year in which it ended; left out while it lasts.',
    example: '2025',
    alsoCalled: ['end_date', 'until'],
  },
  ror: { kind: rorKind, about: 'ROR ID.', example: 'https://ror.org/05gq02987' },
}

/** The fields of an education record. All are texts. */
const educationFields: FieldTable<EducationFields> = {
  degree: {
    kind: lineOf(itemCharactersMax),
    about: 'Degree or course.',
    example: 'PhD in Mathematics',
    alsoCalled: ['title', 'role'],
  },
  institution: {
    kind: lineOf(itemCharactersMax),
    required: true,
    about: 'Name of the institution.',
    example: 'University of London',
    alsoCalled: ['organization', 'organisation', 'school', 'university'],
  },
  year: {
    kind: yearKind,
    about: 'Year of the degree.',
    example: '1841',
    alsoCalled: ['end_year', 'graduation_year'],
  },
  ror: { kind: rorKind, about: 'ROR ID.', example: 'https://ror.org/05gq02987' },
}

/** What a person can say of themselves in one request; the ORCID iD is linked, and not said. */
type ProfileBody = Omit<Profile, 'orcid' | 'orcid_authenticated' | 'visibility'> & {
  readonly visibility?: Partial<Profile['visibility']>
}

const nameCharactersMax = 500
const bioCharactersMax = 5_000
const urlsMax = 50
const usernameCharactersMin = 3
const usernameCharactersMax = 39

const usernameForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * The stored form of a username: 3 to 39 lower-case letters and digits with single hyphens between
 * them; capitals are folded. Undefined if it is not one.
 */
export function foldUsername(text: string): string | undefined {
  const name = text.toLowerCase()
  const isFit = name.length >= usernameCharactersMin && name.length <= usernameCharactersMax
  return isFit && usernameForm.test(name) ? name : undefined
}

const visibilities = ['public', 'trusted', 'private'] as const

const visibilityKind = foldedText<Visibility>({
  max: 200,
  fold: (text) => visibilities.find((visibility) => visibility === text),
  right: 'public, trusted or private',
  values: visibilities,
  title: 'Visibility',
})

/** What a person begins with by default. An address to write to is nobody's business. */
export const firstVisibility: Profile['visibility'] = {
  name: 'public',
  username: 'public',
  avatar_url: 'public',
  orcid: 'public',
  email: 'private',
  bio: 'public',
  urls: 'public',
  claims: 'public',
  affiliations: 'public',
  education: 'public',
}

/** Every field as one choice says, but for the address, which is shown by a choice of its own. */
export function visibilityOfAll(chosen: Visibility): Profile['visibility'] {
  const fields = Object.keys(firstVisibility).map((field) => [field, chosen] as const)
  const all = Object.fromEntries(fields) as Record<VisibleField, Visibility>
  return { ...all, email: 'private' }
}

const visibilityTable = Object.fromEntries(
  Object.entries(firstVisibility).map(([field, first]) => [
    field,
    { kind: visibilityKind, about: `Who may see ${field}; at first ${first}.`, example: first },
  ]),
) as FieldTable<Partial<Record<VisibleField, Visibility>>>

const urlTable = fieldTable({
  name: { kind: lineOf(200), about: 'What the page is.', example: 'Laboratory' },
  url: {
    kind: urlKind,
    required: true,
    about: 'Address of the page.',
    example: 'https://ada.example/',
  },
})

/** The fields of a profile: what is accepted, stored, and said of a person. */
export const profileFields: FieldTable<ProfileBody> = {
  name: {
    kind: nameOf(nameCharactersMax),
    required: true,
    about: 'Name, as the person writes it.',
    example: 'Ada Lovelace',
    alsoCalled: ['full_name', 'display_name'],
  },
  username: {
    kind: foldedText({
      max: 200,
      fold: foldUsername,
      right:
        `${usernameCharactersMin} to ${usernameCharactersMax} letters and digits, ` +
        'with single hyphens between',
    }),
    about: 'Short name in addresses; nobody else has the same.',
    example: 'ada-lovelace',
    alsoCalled: ['preferred_username', 'login'],
  },
  avatar_url: {
    kind: urlKind,
    about: 'Address of a picture.',
    example: 'https://ada.example/ada.png',
    alsoCalled: ['picture', 'avatar'],
  },
  bio: {
    kind: paragraphsOf(bioCharactersMax),
    about: 'A few words; may have several lines.',
    example: 'Writes programs for engines.',
    alsoCalled: ['biography', 'about', 'description'],
  },
  urls: {
    kind: listOf(objectOf('NewPersonUrl', urlTable), urlsMax),
    about: 'Pages elsewhere.',
    example: [{ name: 'Laboratory', url: 'https://ada.example/' }],
    alsoCalled: ['websites', 'links', 'researcher_urls'],
  },
  visibility: {
    kind: objectOf('ProfileVisibility', visibilityTable),
    about: 'Who may see which field: public, trusted or private.',
    example: { bio: 'trusted' },
  },
}

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
type CheckedItem = Shown & { readonly fields: Fields }

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
