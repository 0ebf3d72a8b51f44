import { edtfKind } from '#actors/values/date.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  objectOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'

/** What a date is of: DataCite's 12 kinds, and what publishers tell beside. */
export const dateKinds = [
  'accepted',
  'approved',
  'available',
  'collected',
  'copyrighted',
  'coverage',
  'created',
  'issued',
  'online',
  'posted',
  'print',
  'received',
  'submitted',
  'updated',
  'valid',
  'withdrawn',
  'other',
] as const

const workDateFields = fieldTable({
  date: {
    kind: edtfKind,
    required: true,
    about:
      'The date, or a range: EDTF (ISO 8601-2) of level 0 or 1, such as `2026-02-28`, `2024/..`, ' +
      '`201X`, `2004~`, `-0054/2004`, `2026-21`, or an instant. Other spellings whose meaning is ' +
      'certain are folded, with a warning.',
    example: '1873-06/1876-10',
  },
  kind: {
    kind: wordOf({
      words: dateKinds,
      title: 'DateKind',
      others: { published: 'issued', 'published online': 'online', 'published print': 'print' },
    }),
    required: true,
    about: 'What happened then.',
    example: 'collected',
    alsoCalled: ['date_type', 'type'],
  },
  note: {
    kind: lineOf(noteCharactersMax),
    about: 'What else there is to say of it.',
    example: 'in two parts',
    alsoCalled: ['date_information'],
  },
})

/** A date beside `published_date`. */
export type WorkDate = FieldValues<typeof workDateFields>

/** The kind of a date of a work. */
export const workDateKind: FieldKind<WorkDate> = objectOf('WorkDate', workDateFields)
