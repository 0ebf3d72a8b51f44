import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import { checkNewApplication } from '#src/identity/oauth/application_check.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import type { Applications, NewSecret } from '#src/identity/oauth/applications.ts'
import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import { redirectDone } from '#src/web/kit/pages.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  checkbox,
  emptyForm,
  field,
  fieldList,
  form,
  formCard,
  type FormState,
  selectField,
} from '#src/web/kit/form_field.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'
import type { Flashes } from '#src/web/kit/page.ts'
import {
  badge,
  buttonLink,
  card,
  emptyState,
  facts,
  quietLink,
  secretBox,
  time,
} from '#src/web/kit/parts.ts'

const flashes: Flashes = {
  revoked: 'The application is ended, with everything that people had permitted it.',
}

const kinds = [
  { value: 'confidential', label: 'On a server, which keeps a secret' },
  { value: 'public', label: 'In a browser or on a device: without a secret' },
] as const

const environments = [
  { value: 'live', label: 'Live: people permit it to write for them' },
  { value: 'sandbox', label: 'Sandbox: test people do, to try things out' },
] as const

/** Adds the pages of an organization's applications: owners register and end them. */
export function addOrganizationApplicationPages(context: OrganizationContext): void {
  const { member } = context.pages
  const path = '/organizations/:slug/applications'
  member.get(path, (visit) =>
    listPage(context, visitOrganization(context, visit, 'read'), emptyForm),
  )
  member.post(path, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const checked = checkForm(at, body)
    if (checked.type === 'invalid') {
      const faults = checked.faults.map((fault) => {
        return fault.field === 'scopes' ? { ...fault, field: oauthScopes[0]?.name ?? '' } : fault
      })
      return listPage(context, at, { values: body, faults })
    }
    const isTest = textOf(body, 'environment') === 'sandbox'
    const { applications } = isTest ? context.sandbox.oauth : context
    const made = await applications.register(checked.application, memberAgent(at))
    return secretPage(context, at, made)
  })
  member.post(`${path}/:client_id/secret`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { client_id, applications } = findApplication(context, at)
    const answer = await applications.rotateSecret(client_id, memberAgent(at))
    if (answer.type === 'done') return secretPage(context, at, answer)
    throw new HttpError('conflict', 'This application has no secret that could be replaced')
  })
  member.get(`${path}/:client_id/revoke`, (visit) =>
    revokePage(context, visitOrganization(context, visit, 'manage applications')),
  )
  member.post(`${path}/:client_id/revoke`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { client_id, applications } = findApplication(context, at)
    await applications.revoke(client_id, memberAgent(at))
    return redirectDone(pathIn(at, '/applications'), 'revoked')
  })
}

function checkForm({ organization }: OrganizationVisit, body: FormBody) {
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
    kind: textOf(body, 'kind') === 'public' ? 'public' : 'confidential',
    scopes: oauthScopes.map((scope) => scope.name).filter((scope) => body.has(scope)),
    organization: slug,
    ...optional('homepage'),
    ...optional('contact'),
  } as const
  // It stays the organization's when its maker leaves, and is in the organization's audit list.
  return checkNewApplication(application, { type: 'organization', id: slug, name })
}

/** The application that a path names, and those that it is one of. */
function findApplication(
  { applications: live, sandbox }: OrganizationContext,
  { organization, parameters }: OrganizationVisit,
): Application & { readonly applications: Applications } {
  for (const applications of [live, sandbox.oauth.applications]) {
    const application = applications.find(parameters['client_id'] ?? '')
    if (application?.organization === organization.slug) return { ...application, applications }
  }
  throw new HttpError('not_found', `${organization.name} has no such application`)
}

function listPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): AccountPage {
  const { slug } = visit.organization
  const cards = [context.applications, context.sandbox.oauth.applications].flatMap((applications) =>
    applications
      .list({ organization: slug })
      .toReversed()
      .map((each) => describe(context, visit, each, applications !== context.applications)),
  )
  const newCard = mayDo(visit, 'manage applications')
    ? card('Register an application', newForm(context, visit, state))
    : ''
  const none = emptyState(
    'No applications yet',
    'With an application, people can permit the organization to write to their profiles.',
  )
  return organizationPage(context, visit, {
    section: '/applications',
    title: 'Applications',
    flashes,
    state,
    lead: html`Programs to which people can sign in with their account here, and
which may write for them if they permit it.`,
    content: html`${cards.length === 0 ? none : cards}
${newCard}`,
  })
}

function newForm({ pages }: OrganizationContext, visit: OrganizationVisit, state: FormState): Html {
  const boxes = oauthScopes.map(({ name, meaning }) =>
    checkbox({ name, label: meaning, hint: name }, state),
  )
  const fields = [
    field({ name: 'name', label: 'Name', required: true, hint: 'People are asked for it.' }, state),
    selectField({ name: 'environment', label: 'Registry', options: environments }, state),
    selectField({ name: 'kind', label: 'It runs', options: kinds }, state),
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
  const action = pages.prefix + pathIn(visit, '/applications')
  return form({ action, csrf: visit.csrf, fields, submit: 'Register it' })
}

const warning = html`<p class="hint">People are warned until an administrator has looked at
it.</p>`

const stateBadges = {
  unverified: ['not verified', 'waiting'],
  approved: ['verified', 'good'],
  revoked: ['ended', 'plain'],
} as const

function describe(
  context: OrganizationContext,
  visit: OrganizationVisit,
  application: Application,
  isTest: boolean,
): Html {
  const { client_id, name, kind, redirect_uris, scopes, state, created_at } = application
  const [word, look] = stateBadges[state]
  const base = `${context.pages.prefix}${pathIn(visit, '/applications')}/${client_id}`
  const secret = form({
    action: `${base}/secret`,
    csrf: visit.csrf,

    submit: 'Replace the secret',
    inline: true,
  })
  const actions = html`<div class="buttons">${kind === 'confidential' ? secret : ''}
${quietLink(`${base}/revoke`, 'End it…')}</div>`
  const listOf = (uris: readonly string[]) =>
    html`<ul>${uris.map((uri) => html`<li><code>${uri}</code></li>`)}</ul>`
  const { post_logout_redirect_uris: afterLogout = redirect_uris } = application
  return html`<section class="card"><h2>${name}</h2>
${badge(word, look)}
${facts([
  ['Client ID', html`<code>${client_id}</code>`],
  ['Registry', isTest ? 'sandbox' : 'live'],
  ['Secret', kind === 'confidential' ? 'it has one' : 'none'],
  ['Sends back to', listOf(redirect_uris)],
  ['After a sign-out', listOf(afterLogout)],
  ['May ask for', scopes.join(', ')],
  ['Registered', time(created_at)],
])}
${state === 'unverified' ? warning : ''}
${state !== 'revoked' && mayDo(visit, 'manage applications') ? actions : ''}
</section>`
}

function secretPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { application, secret }: NewSecret,
): AccountPage {
  const { client_id, name } = application
  const back = context.pages.prefix + pathIn(visit, '/applications')
  const none = html`<p>It has no secret: it must use PKCE.</p>`
  const shown = secret === null ? none : secretBox('Client secret', secret)
  return organizationPage(context, visit, {
    section: '/applications',
    title: name,
    content: html`${facts([['Client ID', html`<code>${client_id}</code>`]])}
${shown}
${buttonLink(back, 'I have copied it')}`,
  })
}

function revokePage(context: OrganizationContext, visit: OrganizationVisit): AccountPage {
  const { client_id, name } = findApplication(context, visit)
  const back = context.pages.prefix + pathIn(visit, '/applications')
  return organizationPage(context, visit, {
    section: '/applications',
    title: 'End this application?',
    lead: name,
    content: formCard({
      action: `${back}/${client_id}/revoke`,
      csrf: visit.csrf,
      fields: html`<p>All that people have permitted it ends at once, and does not come back.</p>`,
      submit: 'End it',
      beside: html`<a href="${back}">Keep it</a>`,
      danger: true,
    }),
  })
}
