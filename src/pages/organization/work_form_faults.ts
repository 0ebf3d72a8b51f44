import type { FieldFault } from '#actors/values/fault_list.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  authorField,
  authorPart,
  authorPlaces,
  namelessRows,
} from '#src/pages/organization/author_rows.ts'
import { twoDays } from '#src/pages/organization/form_folding.ts'
import { workFieldLabel } from '#src/pages/organization/work_form.ts'

/** Faults of the form itself, before a body is made of it. */
export function formFaults(form: FormBody): readonly FieldFault[] {
  return namelessRows(form).map((place) => ({
    field: authorField(place, 'family'),
    code: 'required',
    message: `Give the family name of author ${place}, or remove the row`,
  }))
}

/** A fault of the body as one of the field of the form that it comes from, in the form's words. */
export function asWorkFault(fault: FieldFault, form: FormBody): FieldFault {
  const field = formFieldOf(fault, form)
  return { field, code: fault.code, message: messageOf(fault, field, form) }
}

function formFieldOf({ field: path, code }: FieldFault, form: FormBody): string {
  const [, index, part] = /^author_details\[(\d+)\]\.(\w+)/.exec(path) ?? []
  if (index !== undefined) {
    const place = authorPlaces(form)[Number(index)]
    const known = part === 'orcid' || part === 'affiliation' || part === 'given' ? part : 'family'
    return place === undefined ? 'authors' : authorField(place, known)
  }
  const [name = ''] = /^\w+/.exec(path) ?? []
  if (name === 'authors') return code === 'required' ? authorField(1, 'family') : 'authors'
  return name === 'author_details' ? 'authors' : name
}

function messageOf({ field: path, code, message }: FieldFault, field: string, form: FormBody) {
  const label = workFieldLabel(field) ?? (field === 'version_note' ? 'The note' : undefined)
  if (field === 'work_type') return 'Choose what kind of work it is.'
  if (code === 'required') {
    if (path === 'work_url') return 'Give the address of the work, or its DOI.'
    if (path === 'authors') return 'Name at least one author.'
    return `Give the ${label?.toLowerCase() ?? field}.`
  }
  const typed = textOf(form, field).trim()
  const known = code === 'bad_value' ? badValue(field, typed) : undefined
  if (known !== undefined) return known
  // Paths are those of the body, which nobody sees who fills in a form.
  return label === undefined ? message : message.replaceAll(path, label)
}

const quotedCharactersMax = 60

function badValue(field: string, typed: string): string | undefined {
  const quoted = `“${typed.slice(0, quotedCharactersMax).toWellFormed()}”`
  if (authorPart(field)?.part === 'orcid') {
    return `${quoted} is not an ORCID iD such as 0000-0002-1825-0097: look for a typing error.`
  }
  if (field === 'language') {
    return `${quoted} is no language that is known here: write its name, such as German, or de.`
  }
  if (field !== 'published_date') return undefined
  const days = twoDays(typed)
  if (days === undefined) {
    return `${quoted} is not a date of the calendar: write 12 March 2021, March 2021 or 2021.`
  }
  return `${quoted} may be ${days[0]} or ${days[1]}: write the one that you mean.`
}
