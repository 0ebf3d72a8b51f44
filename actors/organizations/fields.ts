import { type FieldTable, foldedText, listOf, nameOf } from '#actors/values/field_table.ts'
import type { OrganizationProfile } from '#actors/organizations/events.ts'
import { rorKind } from '#actors/values/ror.ts'
import { urlKind } from '#actors/values/url.ts'

/** What a client says of an organization. */
export type OrganizationBody = Omit<OrganizationProfile, 'aliases'> & {
  readonly aliases?: readonly string[]
}

const nameCharactersMax = 500
const aliasesMax = 100
const slugCharactersMax = 63

const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Whether a text can be an organization's slug: 2 to 63 lower-case letters and digits with single
 * hyphens between them, so that it fits a path, a set of OAI-PMH and a host name.
 */
export function isSlug(text: string): boolean {
  return text.length >= 2 && text.length <= slugCharactersMax && slugForm.test(text)
}

/** The ISO 3166-1 code of a country in capitals; undefined if there is none. */
function foldCountry(text: string): string | undefined {
  const code = text.toUpperCase()
  return /^[A-Z]{2}$/.test(code) && regionNames.of(code) !== undefined ? code : undefined
}

/** The fields of an organization: what is accepted, stored, and said of it. */
export const organizationFields: FieldTable<OrganizationBody> = {
  slug: {
    kind: foldedText({
      max: 200,
      fold: (text) => (isSlug(text) ? text : undefined),
      right: `2 to ${slugCharactersMax} lower-case letters and digits, with single hyphens between`,
    }),
    required: true,
    about: 'Short name in addresses and keys; never changes.',
    example: 'brown-university',
    alsoCalled: ['id'],
  },
  name: {
    kind: nameOf(nameCharactersMax),
    required: true,
    about: 'Name.',
    example: 'Brown University',
    alsoCalled: ['title'],
  },
  aliases: {
    // Who reads an organization without any reads an empty list, and may send that back.
    kind: listOf(nameOf(nameCharactersMax), aliasesMax, 0),
    about: 'Other names, such as short ones and those in other languages.',
    example: ['Brown'],
    alsoCalled: ['acronyms'],
  },
  ror: { kind: rorKind, about: 'ROR ID.', example: 'https://ror.org/05gq02987' },
  country: {
    kind: foldedText({
      max: 200,
      fold: foldCountry,
      right: 'a two-letter country code of ISO 3166-1 such as US',
    }),
    about: 'Country: ISO 3166-1, two letters.',
    example: 'US',
    alsoCalled: ['country_code'],
  },
  url: {
    kind: urlKind,
    about: 'Home page.',
    example: 'https://www.brown.edu/',
    alsoCalled: ['homepage', 'website'],
  },
}

const { slug: _, ...changeable } = organizationFields

/** The fields that an update can change: all but the slug. */
export const organizationUpdateFields: FieldTable<Omit<OrganizationBody, 'slug'>> = changeable
