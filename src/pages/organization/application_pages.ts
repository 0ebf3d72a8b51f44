import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { HttpError } from '#src/errors.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import type { Applications, NewSecret } from '#src/identity/oauth/applications.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import { environmentIn, environmentSwitch } from '#src/pages/kit/environment_switch.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import {
  emptyForm,
  form,
  formCard,
  type FormState,
  hiddenField,
  selectField,
} from '#src/pages/kit/form_field.ts'
import {
  applicationFields,
  asApplicationFault,
  checkApplicationForm,
  stateOf,
} from '#src/pages/organization/application_form.ts'
import {
  applicationBadge,
  applicationContent,
  applicationFacts,
} from '#src/pages/organization/application_page.ts'
import {
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { card, emptyState, quietLink } from '#src/pages/kit/parts.ts'

const flashes: Flashes = {
  revoked: 'The application is ended, with everything that people had permitted it.',
}

const ownFlashes: Flashes = {
  changed: 'The application is changed.',
  ended: 'All permissions are ended: no token of the application works any more.',
}

const kinds = [
  { value: 'confidential', label: 'On a server, which keeps a secret' },
  { value: 'public', label: 'In a browser or on a device: without a secret' },
] as const

/** An application with those that it is one of, and what people permit them. */
type Found = {
  readonly application: Application
  readonly applications: Applications
  readonly grants: Grants
  readonly environment: EnvironmentName
}

/** Adds the pages of an organization's applications: owners register, change and end them. */
export function addOrganizationApplicationPages(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  const path = '/organizations/:slug/applications'
  member.get(path, (visit) =>
    listPage(
      context,
      visitOrganization(context, visit, 'read'),
      givenBack(context.pages.takeForm(visit), emptyForm),
    ),
  )
  fresh.post(path, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const kind = textOf(body, 'kind') === 'public' ? 'public' : 'confidential'
    const checked = checkApplicationForm(at, body, kind)
    if (checked.type === 'invalid') {
      return listPage(context, at, { values: body, faults: checked.faults.map(asApplicationFault) })
    }
    const isTest = textOf(body, 'environment') === 'sandbox'
    const { applications } = isTest ? context.sandbox.oauth : context
    return shown(context, at, await applications.register(checked.application, memberAgent(at)))
  })
  fresh.post(`${path}/:client_id/secret`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { application, applications } = findApplication(context, at)
    const answer = await applications.rotateSecret(application.client_id, memberAgent(at))
    if (answer.type === 'done') return shown(context, at, answer)
    throw new HttpError('conflict', 'This application has no secret that could be replaced')
  })
  addOwnPages(context, `${path}/:client_id`)
}

/** The pages of one application. */
function addOwnPages(context: OrganizationContext, path: string): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => {
    const kept = context.pages.takeForm(visit)
    const at = visitOrganization(context, visit, 'manage applications')
    return ownPage(context, at, kept && givenBack(kept, emptyForm))
  })
  fresh.post(path, async (visit, body) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { application, applications } = findApplication(context, at)
    const checked = checkApplicationForm(at, body, application.kind)
    if (checked.type === 'invalid') {
      const faults = checked.faults.map(asApplicationFault)
      return ownPage(context, at, { values: body, faults })
    }
    const { client_id } = application
    const answer = await applications.change(client_id, checked.application, memberAgent(at))
    if (answer.type === 'done') return redirectDone(ownPath(at, client_id), 'changed')
    throw new HttpError('conflict', 'This application is ended: nothing of it can be changed')
  })
  fresh.post(`${path}/permissions/end`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { application, grants } = findApplication(context, at)
    await grants.endAllOfApplication(application.client_id, 'by_application')
    return redirectDone(ownPath(at, application.client_id), 'ended')
  })
  member.get(`${path}/revoke`, (visit) =>
    revokePage(context, visitOrganization(context, visit, 'manage applications')),
  )
  fresh.post(`${path}/revoke`, async (visit) => {
    const at = visitOrganization(context, visit, 'manage applications')
    const { application, applications } = findApplication(context, at)
    await applications.revoke(application.client_id, memberAgent(at))
    return redirectDone(pathIn(at, '/applications'), 'revoked')
  })
}

function ownPath(visit: OrganizationVisit, clientId: string): string {
  return `${pathIn(visit, '/applications')}/${clientId}`
}

/** Leads to the page of an application, which shows its new secret once. */
function shown(
  { pages }: OrganizationContext,
  visit: OrganizationVisit,
  { application, secret }: NewSecret,
): PageReply {
  const path = ownPath(visit, application.client_id)
  return secret === null ? { redirect: path } : pages.redirectWithSecret(visit, path, secret)
}

/** The application that a path names. */
function findApplication(
  { applications, grants, sandbox }: OrganizationContext,
  { organization, parameters }: OrganizationVisit,
): Found {
  const realms = [
    { environment: 'live', applications, grants },
    { environment: 'sandbox', ...sandbox.oauth },
  ] as const
  for (const realm of realms) {
    const application = realm.applications.find(parameters['client_id'] ?? '')
    if (application?.organization === organization.slug) return { ...realm, application }
  }
  throw new HttpError('not_found', `${organization.name} has no such application`)
}

async function listPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): Promise<AccountPage> {
  const { slug } = visit.organization
  const sent = state.values.get('environment')
  const named = sent === undefined ? visit.query : new URLSearchParams({ environment: sent })
  const environment = environmentIn(named, 'live')
  const { applications } = environment === 'live' ? context : context.sandbox.oauth
  const list = (await applications.list({ organization: slug })).toReversed()
  const cards = list.map((each) => describe(context, visit, each, environment === 'sandbox'))
  const title =
    environment === 'live' ? 'Register an application' : 'Register an application of the sandbox'
  const newCard = mayDo(visit, 'manage applications')
    ? card(title, newForm(context, visit, { state, environment }))
    : ''
  const none = emptyState(
    'No applications yet',
    'With an application, people can permit the organization to write to their profiles.',
  )
  const path = context.pages.prefix + pathIn(visit, '/applications')
  return organizationPage(visit, {
    section: '/applications',
    title: 'Applications',
    flashes,
    state,
    lead: html`Programs to which people can sign in with their account here, and
which may write for them if they permit it.`,
    content: html`${environmentSwitch(
      { live: path, sandbox: `${path}?environment=sandbox` },
      environment,
    )}
${cards.length === 0 ? none : cards}
${newCard}`,
  })
}

function newForm(
  { pages }: OrganizationContext,
  visit: OrganizationVisit,
  { state, environment }: { readonly state: FormState; readonly environment: EnvironmentName },
): Html {
  const choices = html`${hiddenField('environment', environment)}
${selectField({ name: 'kind', label: 'It runs', options: kinds }, state)}`
  const fields = applicationFields(state, choices)
  const action = pages.prefix + pathIn(visit, '/applications')
  return form({ action, csrf: visit.csrf, fields, submit: 'Register it' })
}

const warning = html`<p class="hint">People are warned until an administrator has looked at
it.</p>`

function describe(
  { pages }: OrganizationContext,
  visit: OrganizationVisit,
  application: Application,
  isTest: boolean,
): Html {
  const { name, state, client_id } = application
  const base = pages.prefix + ownPath(visit, client_id)
  const actions = html`<div class="buttons">${quietLink(base, 'Change, secret and use…')}
${state === 'revoked' ? '' : quietLink(`${base}/revoke`, 'End it…')}</div>`
  return html`<section class="card"><h2>${name}</h2>
${applicationBadge(application)}
${applicationFacts(application, isTest)}
${state === 'unverified' ? warning : ''}
${mayDo(visit, 'manage applications') ? actions : ''}
</section>`
}

async function ownPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  given?: FormState,
): Promise<AccountPage> {
  const { application, grants, environment } = findApplication(context, visit)
  const { prefix } = context.pages
  const path = ownPath(visit, application.client_id)
  const isTest = environment === 'sandbox'
  const content = applicationContent({
    application,
    isTest,
    secret: context.pages.takeSecret(visit, path),
    use: await grants.useOf(application.client_id),
    state: given ?? stateOf(application),
    csrf: visit.csrf,
    path: prefix + path,
    list: prefix + pathIn(visit, '/applications') + (isTest ? '?environment=sandbox' : ''),
    webhooks: prefix + pathIn(visit, '/webhooks'),
    baseUrl: context.baseUrl,
  })
  return organizationPage(visit, {
    section: '/applications',
    title: application.name,
    flashes: ownFlashes,
    ...(given && { state: given }),
    ...content,
  })
}

function revokePage(context: OrganizationContext, visit: OrganizationVisit): AccountPage {
  const { application } = findApplication(context, visit)
  const back = context.pages.prefix + pathIn(visit, '/applications')
  return organizationPage(visit, {
    section: '/applications',
    title: 'End this application?',
    lead: application.name,
    content: formCard({
      action: `${back}/${application.client_id}/revoke`,
      csrf: visit.csrf,
      fields: html`<p>All that people have permitted it ends at once, and does not come back.</p>`,
      submit: 'End it',
      beside: html`<a href="${back}">Keep it</a>`,
      danger: true,
    }),
  })
}
