import type { EnvironmentName } from '#actors/registry/environment.ts'
import { deliveryPage, webhookReply, type WebhookService } from '#src/use_cases/webhook_service.ts'
import type { Delivery } from '#src/delivery/webhooks/delivery_rows.ts'
import { type Endpoint, hearsAs } from '#src/delivery/webhooks/endpoint.ts'
import { emptyForm, field, form, type FormState } from '#src/pages/kit/form_field.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import {
  badge,
  buttonLink,
  card,
  codeBlock,
  facts,
  pagination,
  quietLink,
  secretBox,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'
import { webhookFields } from '#src/pages/organization/webhook_form.ts'

/** Deliveries on a page. */
const pageDeliveries = 20

/** A webhook as its page shows it to an owner. */
export type ShownWebhook = {
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

/** A webhook in a list. */
export function webhookCard(
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

/** The content of the page of a webhook. */
export function webhookContent(shown: ShownWebhook): Html {
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
  const rows = table<Delivery>(
    'The newest 200 deliveries are kept, for a week.',
    [
      { heading: 'Message', isRowHeading: true, cell: ({ type }) => html`<code>${type}</code>` },
      { heading: 'When', cell: ({ at }) => time(at, 'second') },
      { heading: 'Result', cell: resultOf },
      { heading: 'Took', cell: ({ duration_ms: ms }) => `${ms} ms` },
      { heading: 'Details', cell: (delivery) => details(delivery, { csrf, path }) },
    ],
    deliveries,
  )
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
