import type { Fact } from '#src/web/kit/parts.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import { splitAuthors } from '#actors/values/author_name.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  type Field,
  field,
  type FormState,
  hiddenField,
  selectField,
} from '#src/web/kit/form_field.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

const workTypeOptions = [
  { value: '', label: 'Choose one' },
  ...workTypeNames.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
]

const fields: readonly Field[] = [
  { name: 'work_title', label: 'Title', required: true },
  {
    name: 'authors',
    label: 'Authors',
    type: 'textarea',
    required: true,
    hint: 'One a line. An ORCID iD may follow: Josiah Carberry (0000-0002-1825-0097)',
  },
  {
    name: 'work_url',
    label: 'Address of the work',
    type: 'url',
    hint: 'Where the file is. Required unless the work has a DOI.',
  },
  { name: 'existing_doi', label: 'DOI', hint: 'If it has one already, such as 10.1234/abc.' },
  { name: 'published_date', label: 'Published', hint: 'Such as 2026-11-21, 2026-11 or 2026.' },
  { name: 'description', label: 'Abstract', type: 'textarea' },
  { name: 'keywords', label: 'Keywords', hint: 'Parted by commas.' },
  { name: 'language', label: 'Language', hint: 'Two letters, such as en.' },
  { name: 'license', label: 'License', hint: 'Such as CC-BY-4.0, or its address.' },
  { name: 'container_title', label: 'Journal, book or proceedings' },
  { name: 'volume', label: 'Volume' },
  { name: 'issue', label: 'Issue' },
  { name: 'pages', label: 'Pages' },
  { name: 'publisher_name', label: 'Publisher' },
]

const names = ['work_type', ...fields.map(({ name }) => name)]

/** What the form calls each field that it has, in its order, the title first. */
export const workFieldLabels: readonly (readonly [name: string, label: string])[] = [
  ...fields.slice(0, 1).map(({ name, label }) => [name, label] as const),
  ['work_type', 'Type'],
  ...fields.slice(1).map(({ name, label }) => [name, label] as const),
]

/** The fields of a form that registers a work. */
export function workFields(state: FormState): Html {
  const [title, ...others] = fields.map((each) => field(each, state))
  const type = selectField({ name: 'work_type', label: 'Type', options: workTypeOptions }, state)
  return html`${title}${type}${others}`
}

/** The same fields, carried along unseen. */
export function hiddenWorkFields(form: FormBody): Html {
  return html`${names.map((name) => hiddenField(name, textOf(form, name)))}`
}

/** The body of a creation, unchecked, that a form asks for; what was left empty is absent. */
export function workBody(form: FormBody): Record<string, unknown> {
  const given = names
    .map((name): [string, string] => [name, textOf(form, name).trim()])
    .filter(([, text]) => text !== '')
  return { ...Object.fromEntries(given), ...authorsOf(textOf(form, 'authors')) }
}

/** What a form has said of a work, in the order and the words of the form. */
export function workFacts(metadata: Metadata): readonly Fact[] {
  const rows = fields.flatMap(({ name, label }): Fact[] => {
    const value = (metadata as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== 'string' || name === 'work_title') return []
    return [[label, name === 'authors' ? authorList(metadata) : html`${value}`]]
  })
  return [['Type', metadata.work_type.replaceAll('_', ' ')], ...rows]
}

function authorList({ authors, author_details: details = [] }: Metadata): Html {
  const items = splitAuthors(authors).map((name, index) => {
    const orcid = details[index]?.orcid
    return html`<li>${name} ${orcid === undefined ? '' : html`<code>${orcid}</code>`}</li>`
  })
  return html`<ul>${items}</ul>`
}

const identified = /^(.*?)\s*\(\s*(?:https?:\/\/orcid\.org\/)?([\dXx-]{16,19})\s*\)$/

/** The authors as the form has them: one a line, an ORCID iD behind the name. */
export function authorLines({ authors, author_details: details = [] }: Metadata): string {
  const lines = splitAuthors(authors).map((name, index) => {
    const orcid = details[index]?.orcid
    return orcid === undefined ? name : `${name} (${orcid})`
  })
  return lines.join('\n')
}

/** The authors of such lines, empty ones left out. */
export function readAuthors(text: string): readonly AuthorLine[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map(readAuthor)
}

function authorsOf(text: string): Record<string, unknown> {
  const authors = readAuthors(text)
  if (authors.length === 0) return {}
  const [first] = authors
  const joined = authors.map(({ name }) => name).join('; ')
  const hasOrcids = authors.some(({ orcid }) => orcid !== undefined)
  return {
    // With one name alone, a comma in it would part it: a semicolon says that it does not.
    authors: authors.length === 1 && first?.name.includes(',') ? `${joined};` : joined,
    ...(hasOrcids && { author_details: authors }),
  }
}

type AuthorLine = { readonly name: string; readonly orcid?: string }

function readAuthor(line: string): AuthorLine {
  const [, name, orcid] = identified.exec(line) ?? []
  return name === undefined || orcid === undefined ? { name: line } : { name, orcid }
}

/** A fault of the body at the field of the form that it comes from. */
export function asWorkFault({ field: path, code, message }: FieldFault): FieldFault {
  const [name = ''] = /^\w+/.exec(path) ?? []
  const label = fields.find((each) => each.name === name)?.label
  if (code === 'required' && label !== undefined && name !== 'work_url') {
    return { field: name, code, message: `Give the ${label.toLowerCase()}.` }
  }
  if (name === 'work_type') return { field: name, code, message: 'Choose what kind of work it is.' }
  if (name === 'work_url' && code === 'required') {
    return { field: name, code, message: 'Give the address of the work, or its DOI.' }
  }
  const told = message.replace(path, label ?? path)
  return { field: name === 'author_details' ? 'authors' : name, code, message: told }
}
