import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  foldedText,
  lineOf,
  objectOf,
  paragraphsOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { uriKind, urlCharactersMax } from '#actors/values/identifier.ts'
import { languageTagKind } from '#actors/values/language.ts'
import {
  explainLicense,
  foldLicense,
  isLicenseAddress,
  licensesAt,
  recognizeLicense,
} from '#actors/values/license.ts'
import { explainDate, isBuddhistYear, isPartialDate, recognizeDate } from '#actors/values/date.ts'
import { foldedCharactersMax, nameCharactersMax, noteCharactersMax } from '#actors/works/lengths.ts'

const licenseText = foldedText({
  max: urlCharactersMax,
  fold: foldLicense,
  recognize: recognizeLicense,
  right: explainLicense,
})

/** The kind of a license: its identifier in SPDX, or its address. */
export const licenseKind: FieldKind<string> = {
  ...licenseText,
  read(value, path, faults) {
    const license = licenseText.read(value, path, faults)
    if (license === undefined || !isLicenseAddress(license)) return license
    const several = licensesAt(license)
    if (several.length > 1) {
      const message = `${path} is kept as an address, which ${several.join(' and ')} have`
      faults.warn(path, 'several_licenses', `${message}; give the identifier of the one you mean`)
    }
    return license
  },
}

const datesKind = foldedText({
  max: foldedCharactersMax,
  fold: (text) => (isPartialDate(text) ? text : undefined),
  recognize: recognizeDate,
  right: explainDate,
})

/** The kind of a day, a month or a year of the calendar. */
export const partialDateKind: FieldKind<string> = {
  ...datesKind,
  read(value, path, faults) {
    const date = datesKind.read(value, path, faults)
    if (date !== undefined && isBuddhistYear(date)) {
      const year = Number(date.slice(0, 4))
      const sense = `if ${year} is a year of the Buddhist calendar, give ${year - 543}`
      faults.warn(path, 'other_calendar', `${path} is taken as ${date}; ${sense}`)
    }
    return date
  },
}

/** To what rights apply: a stage of the text, or a use of it. */
const rightsUses = [
  'version_of_record',
  'accepted_manuscript',
  'submitted_manuscript',
  'text_mining',
  'article_sharing',
  'other',
] as const

export type RightsUse = (typeof rightsUses)[number]

export const rightsUseKind: FieldKind<RightsUse> = wordOf({
  words: rightsUses,
  title: 'RightsUse',
  others: {
    vor: 'version_of_record',
    am: 'accepted_manuscript',
    tdm: 'text_mining',
    'stm asf': 'article_sharing',
    unspecified: 'other',
  },
})

/** Who can read a work: the access rights of COAR. */
export const accessRights = ['open', 'embargoed', 'restricted', 'metadata_only'] as const

const rightsFields = fieldTable({
  license: {
    kind: licenseKind,
    about: 'SPDX identifier of a license, or its address, as in `license` of the work.',
    example: 'CC-BY-4.0',
  },
  text: {
    kind: paragraphsOf(noteCharactersMax),
    about: 'The rights in words.',
    example: 'Free for use in teaching.',
    alsoCalled: ['rights'],
  },
  uri: {
    byNeed: true,
    kind: uriKind,
    about: 'The address of the rights.',
    example: 'https://example.org/terms',
    alsoCalled: ['rights_uri', 'url'],
  },
  identifier: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'A short name of the rights in a scheme other than SPDX.',
    example: 'teaching-1',
    alsoCalled: ['rights_identifier'],
  },
  scheme: {
    byNeed: true,
    kind: lineOf(nameCharactersMax),
    about: 'The scheme of that name.',
    example: 'Example terms',
    alsoCalled: ['rights_identifier_scheme'],
  },
  scheme_uri: {
    byNeed: true,
    kind: uriKind,
    about: 'The address of the scheme.',
    example: 'https://example.org/all-terms',
  },
  applies_to: {
    kind: rightsUseKind,
    about: 'The stage of the text or the use that they apply to. Left out if that is not told.',
    example: 'version_of_record',
    alsoCalled: ['content_version'],
  },
  start_date: {
    kind: partialDateKind,
    about: 'From when they apply.',
    example: '1877-01-01',
    alsoCalled: ['start'],
  },
  language: {
    byNeed: true,
    kind: languageTagKind,
    about: 'Language of the words.',
    example: 'en',
  },
})

/** Rights beside `license`; one of license, text, uri and identifier is given. */
export type Rights = FieldValues<typeof rightsFields>

export const rightsKind: FieldKind<Rights> = objectOf(
  'Rights',
  rightsFields,
  (rights, path, faults) => {
    const { license, text, uri, identifier } = rights
    if ((license ?? text ?? uri ?? identifier) !== undefined) return rights
    faults.add(path, 'required', `${path} must have a license, a text, a uri or an identifier`)
    return undefined
  },
)

const accessFields = fieldTable({
  right: {
    kind: wordOf({
      words: accessRights,
      title: 'AccessRight',
      others: {
        'open access': 'open',
        'embargoed access': 'embargoed',
        'restricted access': 'restricted',
        'closed access': 'metadata_only',
        'metadata only access': 'metadata_only',
      },
    }),
    about: 'Who can read the work.',
    example: 'open',
    alsoCalled: ['access_right'],
  },
  start_date: {
    kind: partialDateKind,
    about: 'From when it is free to read.',
    example: '1877-10-01',
    alsoCalled: ['from'],
  },
  end_date: {
    kind: partialDateKind,
    about: 'Until when.',
    example: '2030-12-31',
    alsoCalled: ['until'],
  },
})

/** Who can read a work, from when and until when. */
export type Access = FieldValues<typeof accessFields>

export const accessKind: FieldKind<Access> = objectOf(
  'Access',
  accessFields,
  (access, path, faults) => {
    if (Object.keys(access).length === 0) {
      faults.add(path, 'empty', `${path} must have a right, a start_date or an end_date`)
      return undefined
    }
    return inTime(access, path, faults)
  },
)

/** A record whose end is not before its start; both are days, months or years. */
export function inTime<T extends { readonly start_date?: string; readonly end_date?: string }>(
  record: T,
  path: string,
  faults: FaultList,
): T | undefined {
  const { start_date: start = '', end_date: end = '' } = record
  const length = Math.min(start.length, end.length)
  if (length === 0 || start.slice(0, length) <= end.slice(0, length)) return record
  const message = `${path}.end_date (${end}) must not be before ${path}.start_date (${start})`
  faults.add(`${path}.end_date`, 'bad_value', message)
  return undefined
}
