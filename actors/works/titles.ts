import type { FaultList } from '#actors/values/fault_list.ts'
import {
  type FieldKind,
  fieldTable,
  type FieldValues,
  lineOf,
  nameOf,
  objectOf,
  paragraphsOf,
  wordOf,
} from '#actors/values/field_table.ts'
import { uriKind } from '#actors/values/identifier.ts'
import { languageTagKind } from '#actors/values/language.ts'
import { checkMarkup, markupOf } from '#actors/values/markup.ts'
import {
  descriptionCharactersMax,
  descriptionMarkupCharactersMax,
  nameCharactersMax,
  noteCharactersMax,
  numberCharactersMax,
  titleCharactersMax,
  titleMarkupCharactersMax,
} from '#actors/works/lengths.ts'

/** What a further title is; without a kind it is another main title. */
export const titleKinds = [
  'subtitle',
  'translated',
  'alternative',
  'original',
  'original_subtitle',
  'short',
  'other',
] as const

/** What a text says of a work. */
export const descriptionKinds = [
  'abstract',
  'methods',
  'series_information',
  'table_of_contents',
  'technical_info',
  'plain_language',
  'other',
] as const

export type DescriptionKind = (typeof descriptionKinds)[number]

const titleFields = fieldTable({
  title: {
    kind: nameOf(titleCharactersMax),
    required: true,
    about: 'The title.',
    example: 'Über das Gleichgewicht heterogener Stoffe',
  },
  markup: {
    kind: markupOf(titleMarkupCharactersMax, false),
    about: 'The title with its marks and formulas, as `work_title_markup`.',
    example: 'Über das Gleichgewicht <i>heterogener</i> Stoffe',
  },
  kind: {
    kind: wordOf({
      words: titleKinds,
      title: 'TitleKind',
      others: {
        alternative_title: 'alternative',
        translated_title: 'translated',
        original_language_title: 'original',
        short_title: 'short',
        abbreviated: 'short',
      },
    }),
    about: 'What it is. Left out for another main title.',
    example: 'translated',
    alsoCalled: ['title_type', 'type'],
  },
  language: { kind: languageTagKind, about: 'Language of the title.', example: 'de' },
})

/** A title beside `work_title`. */
export type Title = FieldValues<typeof titleFields>

export const titleKind: FieldKind<Title> = objectOf('Title', titleFields, checkTitle)

function checkTitle(title: Title, path: string, faults: FaultList): Title {
  const { markup, title: text } = title
  if (markup !== undefined) checkMarkup({ text, name: 'title', markup }, `${path}.markup`, faults)
  return title
}

const descriptionFields = fieldTable({
  description: {
    kind: paragraphsOf(descriptionCharactersMax),
    required: true,
    about: 'The text; may have several lines.',
    example: 'Measured with a mercury manometer.',
    alsoCalled: ['text'],
  },
  markup: {
    kind: markupOf(descriptionMarkupCharactersMax, true),
    about: 'The text with its marks and formulas, as `description_markup`.',
    example: 'Measured with a <i>mercury</i> manometer.',
  },
  kind: {
    kind: wordOf({
      words: descriptionKinds,
      title: 'DescriptionKind',
      others: {
        technical_information: 'technical_info',
        plain_language_summary: 'plain_language',
      },
    }),
    required: true,
    about: 'What it says of the work.',
    example: 'methods',
    alsoCalled: ['description_type', 'type'],
  },
  language: { kind: languageTagKind, about: 'Language of the text.', example: 'en' },
})

/** A text beside `description`. */
export type Description = FieldValues<typeof descriptionFields>

export const descriptionKind: FieldKind<Description> = objectOf(
  'Description',
  descriptionFields,
  checkDescription,
)

function checkDescription(said: Description, path: string, faults: FaultList): Description {
  const { description: text, markup } = said
  const name = 'description'
  if (markup !== undefined) checkMarkup({ text, name, markup }, `${path}.markup`, faults)
  return said
}

const subjectFields = fieldTable({
  subject: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'The subject in words; a comma in it is a part of it.',
    example: 'Physical chemistry',
    alsoCalled: ['name', 'term'],
  },
  scheme: {
    kind: lineOf(nameCharactersMax),
    about: 'The scheme that it is of.',
    example: 'Fields of Science and Technology (FOS)',
    alsoCalled: ['subject_scheme'],
  },
  scheme_uri: {
    kind: uriKind,
    about: 'The address of the scheme.',
    example: 'https://www.oecd.org/science/inno',
  },
  uri: {
    kind: uriKind,
    about: 'The address of the subject.',
    example: 'https://example.org/fos/1.4',
    alsoCalled: ['value_uri'],
  },
  code: {
    kind: lineOf(numberCharactersMax),
    about: 'Its code in the scheme.',
    example: '1.4',
    alsoCalled: ['classification_code', 'notation'],
  },
  language: { kind: languageTagKind, about: 'Language of the words.', example: 'en' },
})

/** A subject with the scheme that it is of. */
export type Subject = FieldValues<typeof subjectFields>

export const subjectKind: FieldKind<Subject> = objectOf('Subject', subjectFields)

const variableFields = fieldTable({
  name: {
    kind: lineOf(nameCharactersMax),
    required: true,
    about: 'What was measured, in words.',
    example: 'vapour pressure',
    alsoCalled: ['variable', 'label'],
  },
  description: {
    kind: paragraphsOf(noteCharactersMax),
    about: 'What it means, and how it was measured.',
    example: 'Of saturated steam, over water.',
  },
  unit: {
    kind: lineOf(numberCharactersMax),
    about: 'The unit of its values.',
    example: 'kPa',
    alsoCalled: ['unit_text', 'units'],
  },
  uri: {
    kind: uriKind,
    about: 'The address of the term in a vocabulary of variables.',
    example: 'https://example.org/variables/vapour-pressure',
    alsoCalled: ['property_id', 'value_uri'],
  },
})

/** What was measured or observed. */
export type Variable = FieldValues<typeof variableFields>

export const variableKind: FieldKind<Variable> = objectOf('Variable', variableFields)
