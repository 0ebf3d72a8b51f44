import type { Fact } from '#src/pages/kit/parts.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  type Field,
  field,
  type FormState,
  hiddenField,
  selectField,
} from '#src/pages/kit/form_field.ts'
import {
  authorFieldNames,
  authorLines,
  authorPart,
  authorRows,
  authorsBody,
} from '#src/pages/organization/author_rows.ts'
import {
  type FoldedField,
  type FoldedForm,
  foldForm,
} from '#src/pages/organization/form_folding.ts'
import { typeName } from '#src/pages/kit/words.ts'

const workTypeOptions = [
  { value: '', label: 'Choose one' },
  ...workTypeNames.map((value) => ({ value, label: typeName(value) })),
]

type WorkField = Field & Pick<FoldedField, 'fold'>

const authorsField: WorkField = {
  name: 'authors',
  label: 'More authors',
  type: 'textarea',
  hint: 'One a line, such as: Carberry, Josiah (0000-0002-1825-0097)',
}

const fields: readonly WorkField[] = [
  {
    name: 'work_url',
    label: 'Address of the work',
    type: 'url',
    fold: 'url',
    hint: 'Where the file is. Required unless the work has a DOI.',
  },
  {
    name: 'existing_doi',
    label: 'DOI',
    fold: 'doi',
    hint: 'If it has one already, such as 10.1234/abc.',
  },
  {
    name: 'published_date',
    label: 'Published',
    fold: 'date',
    hint: 'Such as 12 March 2021, March 2021 or 2021.',
  },
  { name: 'description', label: 'Abstract', type: 'textarea' },
  { name: 'keywords', label: 'Keywords', hint: 'Separated by commas.' },
  { name: 'language', label: 'Language', fold: 'language', hint: 'Such as English, or en.' },
  {
    name: 'license',
    label: 'License',
    fold: 'license',
    hint: 'Such as CC BY 4.0, or the address of its text.',
  },
  { name: 'container_title', label: 'Journal, book or proceedings' },
  { name: 'volume', label: 'Volume' },
  { name: 'issue', label: 'Issue' },
  { name: 'pages', label: 'Pages' },
  { name: 'publisher_name', label: 'Publisher' },
]

const titleField: WorkField = { name: 'work_title', label: 'Title', required: true }
const typeField = { name: 'work_type', label: 'Type', options: workTypeOptions }

/** All but the rows of authors, whose number differs. */
const known: readonly WorkField[] = [titleField, authorsField, ...fields]
const names = [...known.map(({ name }) => name), typeField.name]

/** What the form calls each field of a work but its authors, in its order. */
export const workFieldLabels: readonly (readonly [name: string, label: string])[] = [
  [titleField.name, titleField.label],
  [typeField.name, typeField.label],
  ...fields.map(({ name, label }) => [name, label] as const),
]

/** The fields of a form that registers a work; `focus` is the row of authors to begin with. */
export function workFields(state: FormState, focus?: number): Html {
  const others = fields.map((each) => field(each, state))
  // Enter, pressed in a field, pushes the first button of a form: it must not be one of a row.
  return html`<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">Go on</button>
${field(titleField, state)}${selectField(typeField, state)}
${authorRows(state, focus)}${field(authorsField, state)}${others}`
}

/** The same fields, carried along unseen. */
export function hiddenWorkFields(form: FormBody): Html {
  const carried = [...names, ...authorFieldNames(form)]
  return html`${carried.map((name) => hiddenField(name, textOf(form, name)))}`
}

/** Normalizes what was typed to what a work can hold, and says what was taken otherwise. */
export function normalizeWorkForm(form: FormBody): FoldedForm {
  return foldForm(form, (name) => {
    const author = authorPart(name)
    if (author === undefined) return known.find((each) => each.name === name)
    return { label: author.label, ...(author.part === 'orcid' && { fold: 'orcid' as const }) }
  })
}

/** What was taken otherwise than it was typed, in a message above a form. */
export function noticeBox(notices: readonly string[]): Html {
  if (notices.length === 0) return html``
  const items = notices.map((notice) => html`<li>${notice}</li>`)
  return html`<div class="flash flash-info" role="status">
<p>Some of it is taken otherwise than it was typed:</p><ul>${items}</ul></div>`
}

/**
 * The body of a creation, unchecked, that a form asks for; what was left empty is absent. `before`
 * is the work that is changed, if one is.
 */
export function workBody(form: FormBody, before?: Metadata): Record<string, unknown> {
  const given = names
    .map((name): [string, string] => [name, textOf(form, name).trim()])
    .filter(([name, text]) => text !== '' && name !== authorsField.name)
  return { ...Object.fromEntries(given), ...authorsBody(form, before) }
}

/** What a form has said of a work, in the order and the words of the form. */
export function workFacts(metadata: Metadata): readonly Fact[] {
  const rows = fields.flatMap(({ name, label }): Fact[] => {
    const value = (metadata as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? [[label, value]] : []
  })
  const authors = authorLines(metadata).split('\n')
  const list = html`<ol class="plain">${authors.map((line) => html`<li>${line}</li>`)}</ol>`
  return [['Type', typeName(metadata.work_type)], ['Authors', list], ...rows]
}

/** What the form calls a field of it, whichever it is. */
export function workFieldLabel(name: string): string | undefined {
  return known.find((each) => each.name === name)?.label ?? authorPart(name)?.label
}
