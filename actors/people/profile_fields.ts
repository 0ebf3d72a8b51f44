import {
  type FieldTable,
  foldedText,
  lineOf,
  listOf,
  nameOf,
  objectOf,
  paragraphsOf,
} from '#actors/values/field_table.ts'
import type { PersonUrl, Profile, Visibility, VisibleField } from '#actors/people/port.ts'
import { urlKind } from '#actors/values/url.ts'

/** What a person can say of themselves in one request; the ORCID iD is linked, and not said. */
export type ProfileBody = Omit<Profile, 'orcid' | 'orcid_authenticated' | 'visibility'> & {
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

/** The kind of a visibility. */
export const visibilityKind = foldedText<Visibility>({
  max: 200,
  fold: (text) => visibilities.find((visibility) => visibility === text),
  right: 'public, trusted or private',
  values: visibilities,
  title: 'Visibility',
})

/** What whoever says nothing begins with. An address to write to is nobody's business. */
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

const urlTable: FieldTable<PersonUrl> = {
  name: { kind: lineOf(200), about: 'What the page is.', example: 'Laboratory' },
  url: {
    kind: urlKind,
    required: true,
    about: 'Address of the page.',
    example: 'https://ada.example/',
  },
}

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
