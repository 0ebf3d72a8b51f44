import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Delivery } from '#src/delivery/webhooks/delivery_rows.ts'
import { type Endpoint, hearsAs } from '#src/delivery/webhooks/endpoint.ts'
import { type EventKind, kindsFor, usualKinds } from '#src/delivery/webhooks/event.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { copyScript } from '#src/pages/kit/assets.ts'
import {
  checkbox,
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import {
  badge,
  buttonLink,
  card,
  codeBlock,
  emptyState,
  environmentOf,
  environmentSwitch,
  facts,
  pagination,
  quietLink,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'
import {
  hrefIn,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
} from '#src/pages/organization/context.ts'
import {
  deliveryPage,
  readReplayRange,
  webhookReply,
  WebhookService,
} from '#src/use_cases/webhook_service.ts'

const kindWords: Readonly<Record<EventKind, string>> = {
  'work.created': 'A work is registered',
  'work.updated': 'What is said of a work is changed',
  'work.version_added': 'A version is added',
  'work.withdrawn': 'A work is withdrawn',
  'work.fixity_changed': 'The content of a work is found stable, changed or unreachable',
  'affiliation.added': 'An affiliation is added',
  'profile.updated': 'A person changes their profile',
  'claim.requested': 'Somebody claims to be an author',
  'claim.verified': 'A claim is verified',
  'permission.revoked': 'A person’s permission ends',
  'log.checkpoint': 'The log has a new checkpoint (once a minute at most)',
}

/** What a form says of a webhook, as JSON would. */
function draftOfForm(body: FormBody): Readonly<Record<string, unknown>> {
  const description = textOf(body, 'description').trim()
  const events = (Object.keys(kindWords) as EventKind[]).filter((kind) => body.has(kind))
  return {
    url: textOf(body, 'url').trim(),
    ...(description !== '' && { description }),
    events,
  }
}

/** The form as it stands before anybody changes a webhook. */
function stateOfWebhook({ url, description = '', events }: Endpoint): FormState {
  const ticked = events.map((kind) => [kind, 'on'] as const)
  return { values: new Map([['url', url], ['description', description], ...ticked]), faults: [] }
}

/** The fields of a webhook that hears as an organization, or as an application. */
function webhookFields(state: FormState, owner: 'organization' | 'application'): readonly Html[] {
  const usual = usualKinds(owner)
  const boxes = kindsFor(owner).map((kind) =>
    checkbox(
      { name: kind, label: kindWords[kind], hint: kind, checked: usual.includes(kind) },
      state,
    ),
  )
  const wrong = state.faults.find(({ field: name }) => name === 'events')
  return [
    field(
      {
        name: 'url',
        label: 'Address',
        hint: 'Where messages are posted: https, and reachable from the internet.',
        type: 'url',
        required: true,
      },
      state,
    ),
    field(
      { name: 'description', label: 'Name', hint: 'What it is for, in a line.', maxLength: 200 },
      state,
    ),
    html`<fieldset id="field-events"><legend>Tells when</legend>
${wrong === undefined ? '' : html`<p class="fault">Tick one at least.</p>`}
${boxes}</fieldset>`,
  ]
}

function newWebhookCard(
  state: FormState,
  {
    path,
    csrf,
    environment,
    application,
  }: {
    readonly path: string
    readonly csrf: string
    readonly environment: EnvironmentName
    readonly application: Pick<Application, 'client_id' | 'name'> | undefined
  },
): Html {
  const owner = hearsAs(application === undefined ? {} : { application: application.client_id })
  const fields = html`${hiddenField('environment', environment)}
${application === undefined ? '' : hiddenField('application', application.client_id)}
${webhookFields(state, owner)}`
  const title = environment === 'live' ? 'Make a webhook' : 'Make a webhook of the sandbox'
  return card(title, form({ action: path, csrf, fields, submit: 'Make it' }))
}

const pageDeliveries = 20

type ShownWebhook = {
  readonly service: WebhookService
  readonly endpoint: Endpoint
  readonly environment: EnvironmentName
  /** The name of the application for which it hears. */
  readonly application: string | undefined
  /** The secret, where the page shows it now. */
  readonly secret: string | undefined
  readonly state: FormState
  readonly csrf: string
  /** The full path of the page, and of the list. */
  readonly path: string
  readonly list: string
  /** The delivery before which the list of them begins. */
  readonly before: number | undefined
}

const statuses = {
  active: ['active', 'good'],
  paused: ['paused', 'waiting'],
  failed: ['failed', 'bad'],
} as const

function statusBadge(status: Endpoint['status']): Html {
  const [word, look] = statuses[status]
  return badge(word, look)
}

function webhookCard(
  { endpoints }: WebhookService,
  endpoint: Endpoint,
  { path, nameOf }: { readonly path: string; readonly nameOf: (clientId: string) => string },
): Html {
  const { id, url, description, status, application, events } = endpoint
  const { failures, failure } = webhookReply(endpoints, endpoint)
  return html`<section class="card"><h2>${description ?? 'Webhook'}</h2>
<p>${statusBadge(status)}</p>
${facts([
  ['Address', html`<code>${url}</code>`],
  ['For', application && nameOf(application)],
  ['Kinds of events', String(events.length)],
  ['Failed', failure?.reason],
  ['Failed tries in a row', failures === 0 ? undefined : String(failures)],
])}
<div class="buttons">${quietLink(`${path}/${id}`, 'Deliveries and settings…')}</div></section>`
}

function webhookContent(shown: ShownWebhook): Html {
  const { secret, list, path } = shown
  return html`${secret === undefined ? '' : secretBox('Secret of the webhook', secret)}
${stateCard(shown)}
${deliveriesCard(shown)}
${replayCard(shown)}
${changeCard(shown)}
<div class="buttons">${buttonLink(list, 'All webhooks')}
${quietLink(`${path}/remove`, 'Remove it…')}</div>`
}

function stateCard({
  service,
  endpoint,
  environment,
  application,
  csrf,
  path,
}: ShownWebhook): Html {
  const reply = webhookReply(service.endpoints, endpoint)
  const { status, failure, failures, held, next_try_at: nextTry } = reply
  const step = (name: string, submit: string) =>
    form({ action: `${path}/${name}`, csrf, submit, inline: true })
  const pausing =
    status === 'active'
      ? html`${step('pause', 'Pause')}${failures > 0 ? step('resume', 'Try again now') : ''}`
      : step('resume', 'Resume')
  const waiting = held.reduce((sum, { seqs }) => sum + seqs.length, 0)
  return card(
    'State',
    html`<p>${statusBadge(status)}</p>
${facts([
  ['Why it failed', failure?.reason],
  ['Address', html`<code>${endpoint.url}</code>`],
  ['For', application],
  ['Registry', environment],
  ['Delivered up to the change', String(reply.delivered_to)],
  ['Failed tries in a row', failures === 0 ? undefined : String(failures)],
  ['Waiting after a refusal', waiting === 0 ? undefined : plural(waiting, 'message')],
  ['Next try', nextTry === null ? undefined : time(nextTry, 'second')],
  ['Public key', html`<code>${reply.public_key}</code>`],
  ['Made', time(reply.created_at)],
])}
<div class="buttons">${step('ping', 'Send a ping')}${pausing}
${step('secret', 'Replace the secret')}</div>
<p class="hint">A new secret signs at once; the old one does as well for a day.</p>`,
  )
}

function deliveriesCard({ service, endpoint, csrf, path, before }: ShownWebhook): Html {
  const { deliveries, next } = deliveryPage(service.endpoints, endpoint.id, {
    before,
    limit: pageDeliveries,
  })
  if (deliveries.length === 0) {
    return card('Deliveries', html`<p>Nothing was sent yet. Send a ping to try it out.</p>`)
  }
  const rows = table('The newest 200 deliveries are kept, for a week.', deliveries, {
    Message: ({ type }) => html`<code>${type}</code>`,
    When: ({ at }) => time(at, 'second'),
    Result: resultOf,
    Took: ({ duration_ms: ms }) => `${ms} ms`,
    Details: (delivery) => details(delivery, { csrf, path }),
  })
  const pages = pagination({ path, parameter: 'before', next, isFirst: before === undefined })
  return card('Deliveries', html`${rows}${pages}`)
}

function resultOf({ delivered, answer, problem }: Delivery): Html {
  if (delivered) return badge(`delivered, ${answer?.status ?? ''}`, 'good')
  return answer === undefined
    ? html`${badge('not reached', 'bad')} ${problem}`
    : badge(`refused, ${answer.status}`, 'bad')
}

function details(
  { number, message, seq, body, answer }: Delivery,
  { csrf, path }: { readonly csrf: string; readonly path: string },
): Html {
  const again = form({
    action: `${path}/deliveries/${number}/replay`,
    csrf,
    submit: 'Send it again',
    inline: true,
  })
  const text = answer === undefined || answer.text === '' ? undefined : answer.text
  return html`<details><summary>Request and answer ${number}</summary>
<p><code>${message}</code></p>
${codeBlock(`Body of delivery ${number}`, body)}
${text === undefined ? '' : codeBlock(`Answer to delivery ${number}`, text)}
${seq === undefined ? '' : again}</details>`
}

function replayCard({ csrf, path }: ShownWebhook): Html {
  const fields = [
    field({
      name: 'after',
      label: 'After the change',
      hint: 'Its seq in the feed of changes; 0 for the beginning.',
      required: true,
    }),
    field({
      name: 'until',
      label: 'Up to the change',
      hint: 'Without it the webhook goes on from there, in place of where it was.',
    }),
  ]
  const action = `${path}/replay`
  return card('Send again', form({ action, csrf, fields, submit: 'Send again' }))
}

function changeCard({ endpoint, state, csrf, path }: ShownWebhook): Html {
  const fields = webhookFields(state ?? emptyForm, hearsAs(endpoint))
  return card('Change it', form({ action: path, csrf, fields, submit: 'Save' }))
}

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

type Found = {
  readonly service: WebhookService
  readonly endpoint: Endpoint
  readonly environment: EnvironmentName
}

const route = '/webhooks'

/**
 * Adds the pages of the webhooks of an organization and its applications, for its owners. What
 * makes a secret, says where it is used or ends it asks for a fresh sign-in.
 */
export function addWebhookPages(context: OrganizationContext): void {
  const { member, fresh } = organizationRoutes(context, 'manage applications')
  member.get(route, (visit) => listPage(visit, givenBack(context.pages.takeForm(visit), emptyForm)))
  fresh.post(route, async (visit, body) => {
    const environment = environmentOf(body.get('environment'))
    const service = serviceOf(context, environment)
    const application = textOf(body, 'application')
    const draft = { ...draftOfForm(body), ...(application !== '' && { application }) }
    try {
      const { endpoint, secret } = await service.create(visit.organization.slug, draft)
      return context.pages.redirectWithSecret(
        visit,
        pathIn(visit, `/webhooks/${endpoint.id}`),
        secret,
      )
    } catch (error) {
      return listPage(visit, refusedForm(body, error))
    }
  })
  addOwnPages(context, `${route}/:id`)
}

function addOwnPages(context: OrganizationContext, path: string): void {
  const { member, fresh } = organizationRoutes(context, 'manage applications')
  member.get(path, (visit) => {
    const kept = context.pages.takeForm(visit)
    return ownPage(visit, kept && givenBack(kept, emptyForm))
  })
  fresh.post(path, async (visit, body) => {
    const { service, endpoint } = find(visit)
    try {
      await service.change(endpoint, draftOfForm(body))
    } catch (error) {
      return ownPage(visit, refusedForm(body, error))
    }
    return redirectDone(pathIn(visit, `/webhooks/${endpoint.id}`), 'changed')
  })
  const step = (
    name: string,
    done: string,
    take: (found: Found, visit: MemberVisit, body: FormBody) => Promise<unknown>,
  ) => {
    member.post(`${path}/${name}`, async (visit, body) => {
      const found = find(visit)
      await take(found, visit, body)
      return redirectDone(pathIn(visit, `/webhooks/${found.endpoint.id}`), done)
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
    const { service, endpoint } = find(visit)
    const { secret } = await service.rotate(endpoint)
    return context.pages.redirectWithSecret(
      visit,
      pathIn(visit, `/webhooks/${endpoint.id}`),
      secret,
    )
  })
  member.get(`${path}/remove`, removalPage)
  fresh.post(`${path}/remove`, async (visit) => {
    const { service, endpoint } = find(visit)
    await service.remove(endpoint)
    return redirectDone(pathIn(visit, '/webhooks'), 'removed')
  })
}

function serviceOf(context: OrganizationContext, name: EnvironmentName): WebhookService {
  const realm = context.realms[name]
  return new WebhookService({ environment: context.environments[name], realm })
}

function find(visit: OrganizationVisit): Found {
  const { slug, name } = visit.organization
  for (const environment of ['live', 'sandbox'] as const) {
    const service = serviceOf(visit.context, environment)
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
  const { details: faults = [] } = error
  if (faults.length > 0) return { values, faults }
  return { values, faults: [{ field: 'url', code: error.code, message: error.message }] }
}

async function listPage(visit: OrganizationVisit, state: FormState): Promise<AccountPage> {
  const { slug, name } = visit.organization
  const named = state.values.get('environment') ?? visit.query.get('environment')
  const environment = environmentOf(named)
  const service = serviceOf(visit.context, environment)
  const wanted = state.values.get('application') ?? visit.query.get('application') ?? ''
  const { applications } = visit.context.realms[environment].oauth
  const application = wanted === '' ? undefined : applications.findUsable(wanted)
  const own = application?.organization === slug ? application : undefined
  const list = (await service.list(slug)).filter((one) => {
    return own === undefined || one.application === own.client_id
  })
  const path = hrefIn(visit, '/webhooks')
  const nameOf = (client: string) => applications.find(client)?.name ?? client
  const cards = list.map((one) => webhookCard(service, one, { path, nameOf }))
  const none = emptyState(
    'No webhooks yet',
    'A webhook tells a program of yours what happens, at once and without asking again and again.',
  )
  const links = { live: path, sandbox: `${path}?environment=sandbox` }
  const title = own === undefined ? 'Webhooks' : `Webhooks of ${own.name}`
  const guide = `${visit.context.baseUrl}/docs/webhooks`
  return organizationPage(visit, {
    section: '/webhooks',
    title,
    flashes,
    state,
    lead:
      own === undefined
        ? html`Addresses that hear by signed messages of what happens to the works of ${name}, or of
what people permit its applications to read. <a href="${guide}">How they are
verified</a>.`
        : html`Addresses that hear of what people permit ${own.name} to read.`,
    content: html`${own === undefined ? environmentSwitch(links, environment) : ''}
${cards.length === 0 ? none : cards}
${newWebhookCard(state, { path, csrf: visit.csrf, environment, application: own })}`,
  })
}

function ownPage(visit: OrganizationVisit, given?: FormState): AccountPage {
  const { service, endpoint, environment } = find(visit)
  const list = hrefIn(visit, '/webhooks')
  const { applications } = visit.context.realms[environment].oauth
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
      secret: visit.context.pages.takeSecret(visit, own),
      state: given ?? stateOfWebhook(endpoint),
      csrf: visit.csrf,
      path: `${list}/${endpoint.id}`,
      list,
      before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    }),
  })
}

function removalPage(visit: OrganizationVisit): PageReply {
  const { endpoint } = find(visit)
  const path = hrefIn(visit, `/webhooks/${endpoint.id}`)
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
