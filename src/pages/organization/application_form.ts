import type { FieldFault } from '#actors/values/fault_list.ts'
import { type Application, checkNewApplication } from '#src/identity/oauth/application_record.ts'
import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { checkbox, field, fieldList, type FormState } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { OrganizationVisit } from '#src/pages/organization/context.ts'

/** Checks what a form asks for; `kind` is that of the application, which never changes. */
export function checkApplicationForm(
  { organization }: OrganizationVisit,
  body: FormBody,
  kind: Application['kind'],
) {
  const { slug, name } = organization
  const optional = (member: 'homepage' | 'contact') => {
    const text = textOf(body, member).trim()
    return text === '' ? {} : { [member]: text }
  }
  const lines = (member: 'redirect_uris' | 'post_logout_redirect_uris') =>
    textOf(body, member)
      .split(/\s+/)
      .filter((uri) => uri !== '')
  const application = {
    name: textOf(body, 'name'),
    redirect_uris: lines('redirect_uris'),
    post_logout_redirect_uris: lines('post_logout_redirect_uris'),
    kind,
    scopes: oauthScopes.map((scope) => scope.name).filter((scope) => body.has(scope)),
    organization: slug,
    ...optional('homepage'),
    ...optional('contact'),
  } as const
  // It stays the organization's when its maker leaves, and is in the organization's audit list.
  return checkNewApplication(application, { type: 'organization', id: slug, name })
}

/** A fault at the field of the form that it comes from. */
export function asApplicationFault(fault: FieldFault): FieldFault {
  return fault.field === 'scopes' ? { ...fault, field: oauthScopes[0]?.name ?? '' } : fault
}

/** The form as it stands before anybody changes an application. */
export function stateOf(application: Application): FormState {
  const { name, redirect_uris, post_logout_redirect_uris: afterLogout = [] } = application
  const values = new Map([
    ['name', name],
    ['redirect_uris', redirect_uris.join('\n')],
    ['post_logout_redirect_uris', afterLogout.join('\n')],
    ['homepage', application.homepage ?? ''],
    ['contact', application.contact ?? ''],
    ...application.scopes.map((scope) => [scope, 'on'] as const),
  ])
  return { values, faults: [] }
}

/** The fields of an application; `choices` stand after its name. */
export function applicationFields(state: FormState, choices: Html | string = ''): readonly Html[] {
  const boxes = oauthScopes.map(({ name, meaning }) =>
    checkbox({ name, label: meaning, hint: name }, state),
  )
  return [
    field({ name: 'name', label: 'Name', required: true, hint: 'People are asked for it.' }, state),
    html`${choices}`,
    fieldList(state, [
      {
        name: 'redirect_uris',
        label: 'Addresses to send people back to',
        type: 'textarea',
        required: true,
        hint: 'One a line, each exactly as the program sends it, such as https://example.org/back',
      },
      {
        name: 'post_logout_redirect_uris',
        label: 'Addresses to send people to who sign out',
        type: 'textarea',
        hint: 'One a line. Empty: the same addresses.',
      },
    ]),
    html`<fieldset><legend>It may ask to</legend>${boxes}</fieldset>`,
    fieldList(state, [
      { name: 'homepage', label: 'Home page', type: 'url' },
      { name: 'contact', label: 'E-mail address for questions', type: 'email' },
    ]),
  ]
}
