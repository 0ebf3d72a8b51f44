import { type FieldTable, foldedText, lineOf } from '#actors/values/field_table.ts'
import { isPartialDate } from '#actors/values/partial_date.ts'
import type { AffiliationFields, EducationFields } from '#actors/people/port.ts'
import { rorKind } from '#actors/values/ror.ts'

/** Characters of what an affiliation or an education record names. */
const itemCharactersMax = 500

/** The kind of a year, as a text. */
const yearKind = foldedText({
  max: 200,
  fold: (text) => (text.length === 4 && isPartialDate(text) ? text : undefined),
  right: 'a year of four digits such as "2021"',
})

/** The fields of an affiliation. All are texts. */
export const affiliationFields: FieldTable<AffiliationFields> = {
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
