import { Type } from 'typebox'

import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import type { Delivery, Endpoint } from '#src/webhooks/endpoint.ts'
import { eventKinds } from '#src/webhooks/event.ts'

const events = Type.Array(wordOf('WebhookEvent', eventKinds), {
  description: 'All kinds unless told.',
})
const url = Type.String({ examples: ['https://library.example.edu/hooks/arklog'] })
const description = Type.String({ maxLength: 200 })

/** What a client says of a new endpoint, and of one that is changed. */
export const newWebhookSchema = component('NewWebhook', {
  url,
  events: Type.Optional(events),
  description: Type.Optional(description),
})
export const webhookUpdateSchema = component('WebhookUpdate', {
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(description),
})

/** Where deliveries begin anew. */
export const replaySchema = component('WebhookReplay', {
  after: Type.Integer({
    minimum: 0,
    description: 'Everything after the change of this `seq` is sent again, in its order.',
  }),
})

const members = {
  id: Type.String({ examples: ['we_7k2m9xq4wbdf'] }),
  organization: Type.String(),
  url: Type.String(),
  description: nullable(Type.String(), 'Null if none was given.'),
  events: Type.Array(wordOf('WebhookEvent', eventKinds)),
  status: wordOf('WebhookStatus', ['active', 'paused', 'failed'] as const),
  public_key: Type.String({ description: '`whpk_…`, with which `v1a` signatures are verified.' }),
  created_at: time,
  updated_at: time,
  delivered_to: Type.Integer({
    description: 'Everything up to the change of this `seq` was delivered, or passed over.',
  }),
  failures: Type.Integer({ description: 'Tries in a row that have failed.' }),
  next_try_at: nullable(time, 'Null while no try has failed.'),
}

/** An endpoint, without its secret. */
export const webhookSchema = component('Webhook', members)

/** An endpoint with its new secret. */
export const webhookWithSecretSchema = component('WebhookWithSecret', {
  ...members,
  secret: Type.String({ description: '`whsec_…`, shown this once.' }),
})

/** All endpoints of an organization. */
export const webhookListSchema = component('WebhookList', {
  organization: Type.String(),
  webhooks: Type.Array(webhookSchema),
})

/** The newest tries of an endpoint. */
export const deliveryListSchema = component('WebhookDeliveryList', {
  webhook: Type.String(),
  deliveries: Type.Array(
    component('WebhookDelivery', {
      message: Type.String({ description: 'The `webhook-id`.' }),
      type: wordOf('WebhookMessageType', [...eventKinds, 'ping'] as const),
      at: time,
      duration_ms: Type.Integer(),
      delivered: Type.Boolean(),
      body: Type.String({ description: 'What was sent.' }),
      answer: nullable(
        component('WebhookAnswer', {
          status: Type.Integer(),
          text: Type.String({ description: 'Its beginning.' }),
        }),
        'Null where there was none.',
      ),
      problem: nullable(Type.String(), 'Why there was no answer; null where there was one.'),
    }),
  ),
})

export const removedWebhookSchema = component('RemovedWebhook', {
  id: Type.String(),
  removed: Type.Literal(true),
})

/** How far deliveries have come, as far as replies show it. */
type ShownProgress = {
  readonly after: number
  readonly failures: number
  readonly nextMs?: number
}

/** An endpoint as replies show it: without its secrets. */
export function webhookReply(endpoint: Endpoint, publicKey: string, progress: ShownProgress) {
  const { secrets: _secrets, pings: _pings, start: _start, ...shown } = endpoint
  return {
    ...shown,
    description: endpoint.description ?? null,
    public_key: publicKey,
    delivered_to: progress.after,
    failures: progress.failures,
    next_try_at: progress.nextMs === undefined ? null : new Date(progress.nextMs).toISOString(),
  }
}

/** A try to deliver as replies show it. */
export function deliveryReply(delivery: Delivery) {
  const { answer, problem } = delivery
  return { ...delivery, answer: answer ?? null, problem: problem ?? null }
}
