import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  foldedText,
  lineOf,
  listOf,
  numberOf,
  objectOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { urlKind } from '#actors/values/identifier.ts'
import { foldedCharactersMax, nameCharactersMax } from '#actors/works/lengths.ts'
import { rightsUseKind } from '#actors/works/rights.ts'

/** What stands at an address. */
export const fileKinds = [
  'content',
  'supplement',
  'text_mining',
  'similarity_checking',
  'syndication',
  'landing_page',
  'other',
] as const

const checksumsMax = 20

const checksumFields = fieldTable({
  algorithm: {
    kind: lineOf(foldedCharactersMax),
    required: true,
    about: 'How it is computed.',
    example: 'md5',
  },
  value: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'The digest.',
    example: 'd41d8cd98f00b204e9800998ecf8427e',
  },
})

/** The digest of a file by another method than SHA-256. */
export type Checksum = FieldValues<typeof checksumFields>

const checksumKind: FieldKind<Checksum> = objectOf('Checksum', checksumFields)

const mediaTypeForm = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;.*)?$/

const fileFields = fieldTable({
  url: {
    kind: urlKind,
    required: true,
    about: 'Where it is: http or https.',
    example: 'https://example.org/equilibrium-tables.csv',
    alsoCalled: ['content_url', 'address'],
  },
  name: { kind: lineOf(nameCharactersMax), about: 'What it is called.', example: 'Tables 1 to 4' },
  kind: {
    kind: wordOf({ words: fileKinds, title: 'FileKind' }),
    about: 'What it is: `content` is the work itself, whose hash is in the receipt.',
    example: 'supplement',
    alsoCalled: ['type', 'intended_application'],
  },
  content_version: {
    byNeed: true,
    kind: rightsUseKind,
    about: 'The stage of the text that it has.',
    example: 'version_of_record',
  },
  media_type: {
    kind: foldedText({
      max: foldedCharactersMax,
      fold: (text) => (mediaTypeForm.test(text.toLowerCase()) ? text.toLowerCase() : undefined),
      right: 'a media type such as application/pdf',
    }),
    about: 'Media type.',
    example: 'text/csv',
    alsoCalled: ['mime_type', 'content_type', 'format'],
  },
  size: {
    byNeed: true,
    kind: numberOf({ min: 0, max: Number.MAX_SAFE_INTEGER, whole: true }),
    about: 'Bytes.',
    example: 48_213,
    alsoCalled: ['bytes', 'content_size'],
  },
  sha256: {
    byNeed: true,
    kind: foldedText({
      max: foldedCharactersMax,
      fold: (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined),
      recognize: (text) => {
        const digits = text.replace(/^sha-?256:\s*/i, '').toLowerCase()
        return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined
      },
      right: '64 lower-case hexadecimal digits',
      pattern: '^[0-9a-f]{64}$',
    }),
    about: 'SHA-256 of its bytes.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  checksums: {
    byNeed: true,
    kind: listOf(checksumKind, checksumsMax),
    about: 'Digests by other methods.',
    example: [{ algorithm: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e' }],
  },
})

/** A file of a work beside `work_url`. */
export type WorkFile = FieldValues<typeof fileFields>

export const fileKind: FieldKind<WorkFile> = objectOf('WorkFile', fileFields)
