import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import { updateOrganization } from '#src/use_cases/organization_service.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, fieldList, form, type FormState } from '#src/pages/kit/form_field.ts'
import {
  memberAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import { startPage } from '#src/pages/organization/start_page.ts'
import { card } from '#src/pages/kit/parts.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Adds the page of an organization, and that on which it is described. */
export function addOrganizationPages(context: OrganizationContext): void {
  const { member } = context.pages
  member.get('/organizations/:slug', (visit) =>
    startPage(context, visitOrganization(context, visit, 'read')),
  )
  member.get('/organizations/:slug/edit', (visit) => {
    const at = visitOrganization(context, visit, 'describe')
    return editPage(context, at, { ...emptyForm, values: valuesOf(at) })
  })
  member.post('/organizations/:slug/edit', async (visit, body) => {
    const at = visitOrganization(context, visit, 'describe')
    const change = { body: descriptionOf(body), by: memberAgent(at) }
    const { slug } = at.organization
    const answer = await updateOrganization(context.environments, slug, change)
    if (answer.type === 'invalid') {
      return editPage(context, at, { values: body, faults: answer.faults.map(asFormFault) })
    }
    if (answer.type === 'not_found' || answer.type === 'forbidden') {
      throw new HttpError(answer.type, 'The organization cannot be changed by you any more')
    }
    return redirectDone(pathIn(at), 'saved')
  })
}

/** The fields of a description as a body of `Organizations` has them; empty ones are null. */
export function descriptionOf(body: FormBody): Record<string, unknown> {
  const text = (name: string) => textOf(body, name).trim() || null
  const lines = textOf(body, 'aliases').split('\n')
  const aliases = lines.map((alias) => alias.trim()).filter((alias) => alias !== '')
  return {
    name: textOf(body, 'name').trim(),
    aliases: aliases.length === 0 ? null : aliases,
    ror: text('ror'),
    country: text('country'),
    url: text('url'),
  }
}

/** The fields that describe an organization. */
export function descriptionFields(state: FormState): Html {
  return fieldList(state, [
    { name: 'name', label: 'Name', required: true, maxLength: 500 },
    { name: 'aliases', label: 'Other names', type: 'textarea', hint: 'One a line.' },
    { name: 'ror', label: 'ROR ID', hint: 'Such as https://ror.org/05gq02987.' },
    { name: 'country', label: 'Country', hint: 'Two letters, such as DE or BR.' },
    { name: 'url', label: 'Home page', type: 'url' },
  ])
}

/** A fault of a description, at the field of the form that it comes from. */
export function asFormFault(fault: FieldFault): FieldFault {
  return { ...fault, field: fault.field.replace(/\[.*$/, '') }
}

function valuesOf({ organization }: OrganizationVisit): FormBody {
  const { name, aliases, ror = '', country = '', url = '' } = organization
  return new Map(Object.entries({ name, aliases: aliases.join('\n'), ror, country, url }))
}

function editPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): AccountPage {
  const action = `${context.pages.prefix}${pathIn(visit, '/edit')}`
  const back = html`<a href="${context.pages.prefix}${pathIn(visit)}">Leave it as it is</a>`
  const { csrf } = visit
  const fields = descriptionFields(state)
  const editing = form({ action, csrf, fields, submit: 'Save', beside: back })
  return organizationPage(visit, {
    section: '',
    title: 'Edit the description',
    state,
    content: card('Edit the description', editing),
  })
}
