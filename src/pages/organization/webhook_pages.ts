import type { EnvironmentName } from '#actors/registry/environment.ts'
import { readReplayRange, WebhookService } from '#src/use_cases/webhook_service.ts'
import { HttpError } from '#src/errors.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { environmentIn, environmentSwitch } from '#src/pages/kit/environment_switch.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { html } from '#src/pages/kit/html.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { buttonLink, emptyState } from '#src/pages/kit/parts.ts'
import {
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import {
  draftOfForm,
  newWebhookCard,
  stateOfWebhook,
} from '#src/pages/organization/webhook_form.ts'
import { webhookCard, webhookContent } from '#src/pages/organization/webhook_page.ts'
import { copyScript } from '#src/pages/kit/assets.ts'

const flashes: Flashes = {
  removed: 'The webhook is removed, with its secret and its deliveries.',
}

const ownFlashes: Flashes = {
  changed: 'The webhook is changed.',
  pinged: 'A ping is on its way: how it ended is among the deliveries in a moment.',
  paused: 'The webhook is paused: nothing is sent until it is resumed.',
  resumed: 'The webhook goes on where it was.',
  replayed: 'The messages are sent again.',
}

/** A webhook with what manages it. */
type Found = {
  readonly service: WebhookService
  readonly endpoint: Endpoint
  readonly environment: EnvironmentName
}

const route = '/organizations/:slug/webhooks'

/**
 * Adds the pages of the webhooks of an organization and its applications, for its owners. What
 * makes a secret, says where it is used or ends it asks for a fresh sign-in.
 */
export function addWebhookPages(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  member.get(route, (visit) =>
    listPage(context, enter(context, visit), givenBack(context.pages.takeForm(visit), emptyForm)),
  )
  fresh.post(route, async (visit, body) => {
    const at = enter(context, visit)
    const environment = environmentOf(body.get('environment'))
    const service = serviceOf(context, environment)
    const application = textOf(body, 'application')
    const draft = { ...draftOfForm(body), ...(application !== '' && { application }) }
    try {
      const { endpoint, secret } = await service.create(at.organization.slug, draft)
      return context.pages.redirectWithSecret(at, pathIn(at, `/webhooks/${endpoint.id}`), secret)
    } catch (error) {
      return listPage(context, at, refusedForm(body, error))
    }
  })
  addOwnPages(context, `${route}/:id`)
}

function addOwnPages(context: OrganizationContext, path: string): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => {
    const kept = context.pages.takeForm(visit)
    return ownPage(context, enter(context, visit), kept && givenBack(kept, emptyForm))
  })
  fresh.post(path, async (visit, body) => {
    const at = enter(context, visit)
    const { service, endpoint } = find(context, at)
    try {
      await service.change(endpoint, draftOfForm(body))
    } catch (error) {
      return ownPage(context, at, refusedForm(body, error))
    }
    return redirectDone(pathIn(at, `/webhooks/${endpoint.id}`), 'changed')
  })
  const step = (
    name: string,
    done: string,
    take: (found: Found, visit: MemberVisit, body: FormBody) => Promise<unknown>,
  ) => {
    member.post(`${path}/${name}`, async (visit, body) => {
      const at = enter(context, visit)
      const found = find(context, at)
      await take(found, visit, body)
      return redirectDone(pathIn(at, `/webhooks/${found.endpoint.id}`), done)
    })
  }
  step('ping', 'pinged', ({ service, endpoint }) => service.ping(endpoint))
  step('pause', 'paused', ({ service, endpoint }) => service.pause(endpoint))
  step('resume', 'resumed', ({ service, endpoint }) => service.resume(endpoint))
  step('replay', 'replayed', ({ service, endpoint }, _visit, body) =>
    service.replay(endpoint, readReplayRange(rangeOf(body))),
  )
  step('deliveries/:number/replay', 'replayed', ({ service, endpoint }, { parameters }) =>
    service.replayOne(endpoint, Number(parameters['number'])),
  )
  fresh.post(`${path}/secret`, async (visit) => {
    const at = enter(context, visit)
    const { service, endpoint } = find(context, at)
    const { secret } = await service.rotate(endpoint)
    return context.pages.redirectWithSecret(at, pathIn(at, `/webhooks/${endpoint.id}`), secret)
  })
  member.get(`${path}/remove`, (visit) => removalPage(context, enter(context, visit)))
  fresh.post(`${path}/remove`, async (visit) => {
    const at = enter(context, visit)
    const { service, endpoint } = find(context, at)
    await service.remove(endpoint)
    return redirectDone(pathIn(at, '/webhooks'), 'removed')
  })
}

/** A visit of an owner, or of an administrator. */
function enter(context: OrganizationContext, visit: MemberVisit): OrganizationVisit {
  return visitOrganization(context, visit, 'manage applications')
}

function environmentOf(named: string | undefined): EnvironmentName {
  return named === 'sandbox' ? 'sandbox' : 'live'
}

function serviceOf(context: OrganizationContext, name: EnvironmentName): WebhookService {
  const realm = context.realms[name]
  return new WebhookService({ environment: context.environments[name], realm })
}

/** The webhook that a path names. */
function find(context: OrganizationContext, visit: OrganizationVisit): Found {
  const { slug, name } = visit.organization
  for (const environment of ['live', 'sandbox'] as const) {
    const service = serviceOf(context, environment)
    const endpoint = service.endpoints.get(visit.parameters['id'] ?? '')
    if (endpoint?.organization === slug) return { service, endpoint, environment }
  }
  throw new HttpError('not_found', `${name} has no such webhook`)
}

function rangeOf(body: FormBody): object {
  const until = textOf(body, 'until').trim()
  const number = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : text)
  const after = number(textOf(body, 'after').trim())
  return until === '' ? { after } : { after, until: number(until) }
}

/** The form again, with what was refused; throws what is no refusal of its fields. */
function refusedForm(values: FormBody, error: unknown): FormState {
  if (!(error instanceof HttpError)) throw error
  const { details } = error
  if (details !== undefined && details.length > 0) return { values, faults: details }
  return { values, faults: [{ field: 'url', code: error.code, message: error.message }] }
}

async function listPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): Promise<AccountPage> {
  const { slug, name } = visit.organization
  const sent = state.values.get('environment')
  const query = sent === undefined ? visit.query : new URLSearchParams({ environment: sent })
  const environment = environmentIn(query, 'live')
  const service = serviceOf(context, environment)
  const wanted = state.values.get('application') ?? visit.query.get('application') ?? ''
  const { applications } = context.realms[environment].oauth
  const application = wanted === '' ? undefined : applications.findUsable(wanted)
  const own = application?.organization === slug ? application : undefined
  const list = (await service.list(slug)).filter((one) => {
    return own === undefined || one.application === own.client_id
  })
  const path = context.pages.prefix + pathIn(visit, '/webhooks')
  const nameOf = (client: string) => applications.find(client)?.name ?? client
  const cards = list.map((one) => webhookCard(service, one, { path, nameOf }))
  const none = emptyState(
    'No webhooks yet',
    'A webhook tells a program of yours what happens, at once and without asking again and again.',
  )
  const links = { live: path, sandbox: `${path}?environment=sandbox` }
  const title = own === undefined ? 'Webhooks' : `Webhooks of ${own.name}`
  return organizationPage(visit, {
    section: '/webhooks',
    title,
    flashes,
    state,
    lead:
      own === undefined
        ? html`Addresses that hear by signed messages of what happens to the works of ${name}, or of
what people permit its applications to read. <a href="${context.baseUrl}/docs/webhooks">How they are
verified</a>.`
        : html`Addresses that hear of what people permit ${own.name} to read.`,
    content: html`${own === undefined ? environmentSwitch(links, environment) : ''}
${cards.length === 0 ? none : cards}
${newWebhookCard(state, { path, csrf: visit.csrf, environment, application: own })}`,
  })
}

function ownPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  given?: FormState,
): AccountPage {
  const { service, endpoint, environment } = find(context, visit)
  const list = context.pages.prefix + pathIn(visit, '/webhooks')
  const { applications } = context.realms[environment].oauth
  const own = pathIn(visit, `/webhooks/${endpoint.id}`)
  const { application } = endpoint
  const before = Number(visit.query.get('before') ?? Number.NaN)
  return organizationPage(visit, {
    section: '/webhooks',
    title: endpoint.description ?? 'Webhook',
    flashes: ownFlashes,
    state: given ?? emptyForm,
    scripts: [copyScript],
    content: webhookContent({
      service,
      endpoint,
      environment,
      application: application && (applications.find(application)?.name ?? application),
      secret: context.pages.takeSecret(visit, own),
      state: given ?? stateOfWebhook(endpoint),
      csrf: visit.csrf,
      path: `${list}/${endpoint.id}`,
      list,
      before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    }),
  })
}

function removalPage(context: OrganizationContext, visit: OrganizationVisit): PageReply {
  const { endpoint } = find(context, visit)
  const path = context.pages.prefix + pathIn(visit, `/webhooks/${endpoint.id}`)
  return organizationPage(visit, {
    section: '/webhooks',
    title: 'Remove the webhook',
    lead: html`Nothing more is sent to <code>${endpoint.url}</code>, not even what waits for it. Its
secret and its deliveries are gone for good. To stop it for a while, pause it.`,
    content: formCard({
      action: `${path}/remove`,
      csrf: visit.csrf,
      submit: 'Remove it',
      danger: true,
      beside: buttonLink(path, 'Keep it'),
    }),
  })
}
