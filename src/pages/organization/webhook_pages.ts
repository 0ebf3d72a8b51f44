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
  asLink,
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
import { frame } from '#src/words/english.ts'
import { inEnglish } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import { webhooks as words } from '#src/words/publisher_desk.ts'
import type { Text } from '#src/words/wording.ts'

/** What a kind of events is called. */
function kindName(kind: EventKind): Text {
  return termOf(words, kind.replaceAll('.', '_')) ?? kind
}

/** What a form says of a webhook, as JSON would. */
function draftOfForm(body: FormBody): Readonly<Record<string, unknown>> {
  const description = textOf(body, 'description').trim()
  const events = kindsFor('application').filter((kind) => body.has(kind))
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
      { name: kind, label: kindName(kind), hint: kind, checked: usual.includes(kind) },
      state,
    ),
  )
  const wrong = state.faults.find(({ field: name }) => name === 'events')
  return [
    field(
      {
        name: 'url',
        label: words.url,
        hint: words.urlHint,
        type: 'url',
        required: true,
      },
      state,
    ),
    field({ name: 'description', label: words.name, hint: words.nameHint, maxLength: 200 }, state),
    html`<fieldset id="field-events"><legend>${words.events}</legend>
${wrong === undefined ? '' : html`<p class="fault">${words.eventsNeeded}</p>`}
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
  const title = environment === 'live' ? words.createHeading : words.createSandbox
  return card(title, form({ action: path, csrf, fields, submit: words.create }))
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
  active: [words.active, 'good'],
  paused: [words.paused, 'waiting'],
  failed: [words.failed, 'bad'],
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
  return html`<section class="card"><h2>${description ?? words.webhook}</h2>
<p>${statusBadge(status)}</p>
${facts([
  [words.url, html`<code>${url}</code>`],
  [words.application, application && nameOf(application)],
  [words.eventKinds, String(events.length)],
  [words.failure, failure && inEnglish(failure.reason)],
  [words.failedTries, failures === 0 ? undefined : String(failures)],
])}
<div class="buttons">${quietLink(`${path}/${id}`, words.open)}</div></section>`
}

function webhookContent(shown: ShownWebhook): Html {
  const { secret, list, path } = shown
  return html`${secret === undefined ? '' : secretBox(words.secret, secret)}
${stateCard(shown)}
${deliveriesCard(shown)}
${replayCard(shown)}
${changeCard(shown)}
<div class="buttons">${buttonLink(list, words.allWebhooks)}
${quietLink(`${path}/remove`, words.removeLink)}</div>`
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
  const step = (name: string, submit: Text) =>
    form({ action: `${path}/${name}`, csrf, submit, inline: true })
  const pausing =
    status === 'active'
      ? html`${step('pause', words.pause)}${failures > 0 ? step('resume', words.tryNow) : ''}`
      : step('resume', words.resume)
  const waiting = held.reduce((sum, { seqs }) => sum + seqs.length, 0)
  return card(
    words.state,
    html`<p>${statusBadge(status)}</p>
${facts([
  [words.failure, failure && inEnglish(failure.reason)],
  [words.url, html`<code>${endpoint.url}</code>`],
  [words.application, application],
  [words.registry, environment === 'live' ? frame.live : frame.sandboxName],
  [words.deliveredTo, String(reply.delivered_to)],
  [words.failedTries, failures === 0 ? undefined : String(failures)],
  [words.held, waiting === 0 ? undefined : words.heldCount({ count: waiting })],
  [words.nextTry, nextTry === null ? undefined : time(nextTry, 'second')],
  [words.publicKey, html`<code>${reply.public_key}</code>`],
  [words.created, time(reply.created_at)],
])}
<div class="buttons">${step('ping', words.ping)}${pausing}
${step('secret', words.roll)}</div>
<p class="hint">${words.rollHint}</p>`,
  )
}

function deliveriesCard({ service, endpoint, csrf, path, before }: ShownWebhook): Html {
  const { deliveries, next } = deliveryPage(service.endpoints, endpoint.id, {
    before,
    limit: pageDeliveries,
  })
  if (deliveries.length === 0) {
    return card(words.deliveries, html`<p>${words.noDeliveries}</p>`)
  }
  const rows = table(words.deliveriesTable, deliveries, [
    [words.event, ({ type }) => html`<code>${type}</code>`],
    [words.when, ({ at }) => time(at, 'second')],
    [words.result, resultOf],
    [words.took, ({ duration_ms: ms }) => words.milliseconds({ count: ms })],
    [words.details, (delivery) => details(delivery, { csrf, path })],
  ])
  const pages = pagination({ path, parameter: 'before', next, isFirst: before === undefined })
  return card(words.deliveries, html`${rows}${pages}`)
}

function resultOf({ delivered, answer, problem }: Delivery): Html {
  if (delivered) return badge(words.delivered({ status: `${answer?.status ?? ''}` }), 'good')
  return answer === undefined
    ? html`${badge(words.notReached, 'bad')} ${problem && inEnglish(problem)}`
    : badge(words.refused({ status: `${answer.status}` }), 'bad')
}

function details(
  { number, message, seq, body, answer }: Delivery,
  { csrf, path }: { readonly csrf: string; readonly path: string },
): Html {
  const again = form({
    action: `${path}/deliveries/${number}/replay`,
    csrf,
    submit: words.again,
    inline: true,
  })
  const text = answer === undefined || answer.text === '' ? undefined : answer.text
  return html`<details><summary>${words.requestAndAnswer({ number: `${number}` })}</summary>
<p><code>${message}</code></p>
${codeBlock(words.body({ number: `${number}` }), body)}
${text === undefined ? '' : codeBlock(words.answer({ number: `${number}` }), text)}
${seq === undefined ? '' : again}</details>`
}

function replayCard({ csrf, path }: ShownWebhook): Html {
  const fields = [
    field({
      name: 'after',
      label: words.after,
      hint: words.afterHint,
      required: true,
    }),
    field({
      name: 'until',
      label: words.until,
      hint: words.untilHint,
    }),
  ]
  const action = `${path}/replay`
  return card(words.replayHeading, form({ action, csrf, fields, submit: words.replay }))
}

function changeCard({ endpoint, state, csrf, path }: ShownWebhook): Html {
  const fields = webhookFields(state ?? emptyForm, hearsAs(endpoint))
  return card(words.changeHeading, form({ action: path, csrf, fields, submit: words.save }))
}

const flashes: Flashes = {
  removed: words.removed,
}

const ownFlashes: Flashes = {
  changed: words.changed,
  pinged: words.pinged,
  paused: words.isPaused,
  resumed: words.isResumed,
  replayed: words.replayed,
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
  const none = emptyState(words.none, words.noneText)
  const links = { live: path, sandbox: `${path}?environment=sandbox` }
  const title = own === undefined ? words.heading : words.headingOf({ application: own.name })
  const guide = `${visit.context.baseUrl}/docs/webhooks`
  return organizationPage(visit, {
    section: '/webhooks',
    title,
    flashes,
    state,
    lead:
      own === undefined
        ? words.lead({
            organization: name,
            guide: asLink(guide),
          })
        : words.leadOf({ application: own.name }),
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
    title: endpoint.description ?? words.webhook,
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
    title: words.removeHeading,
    lead: words.removeText({ url: html`<code>${endpoint.url}</code>` }),
    content: formCard({
      action: `${path}/remove`,
      csrf: visit.csrf,
      submit: words.remove,
      danger: true,
      beside: buttonLink(path, words.keep),
    }),
  })
}
