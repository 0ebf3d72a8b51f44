import { itemCharactersMax, yearKind } from '#actors/people/affiliation_fields.ts'
import { lineOf } from '#actors/values/field_kind.ts'
import type { EducationFields } from '#actors/people/port.ts'
import type { FieldTable } from '#actors/values/field_table.ts'
import { rorKind } from '#actors/values/ror.ts'

/** The fields of an education record. All are texts. */
export const educationFields: FieldTable<EducationFields> = {
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
