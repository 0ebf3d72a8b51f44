import { Type } from 'typebox'

import { nextDescription, pageLinksSchema } from '#src/edge/list_page.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { eventKinds } from '#src/delivery/webhooks/event.ts'

const events = Type.Array(wordOf('WebhookEvent', eventKinds), {
  description:
    'All kinds unless told, but for `log.checkpoint`. Only applications hear of ' +
    '`profile.updated` and `permission.revoked`.',
})
const url = Type.String({ examples: ['https://library.example.edu/hooks/arklog'] })
const description = Type.String({ maxLength: 200 })

/** What a client says of a new endpoint, and of one that is changed. */
export const newWebhookSchema = component('NewWebhook', {
  application: Type.Optional(
    Type.String({
      description:
        'The `client_id` of an application of the organization, which then hears of what people ' +
        'permit it to read.',
    }),
  ),
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
  until: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Up to the change of this `seq`, beside what is new; all that follows unless told.',
    }),
  ),
})

const members = {
  id: Type.String({ examples: ['we_7k2m9xq4wbdf'] }),
  organization: Type.String(),
  application: nullable(
    Type.String(),
    'The application for which it hears; null for the organization itself.',
  ),
  url: Type.String(),
  description: nullable(Type.String(), 'Null if none was given.'),
  events: Type.Array(wordOf('WebhookEvent', eventKinds)),
  status: wordOf('WebhookStatus', ['active', 'paused', 'failed'] as const),
  failure: nullable(
    component('WebhookFailure', { at: time, reason: Type.String() }),
    'Why it is `failed`; null unless it is.',
  ),
  public_key: Type.String({ description: '`whpk_…`, with which `v1a` signatures are verified.' }),
  created_at: time,
  updated_at: time,
  delivered_to: Type.Integer({
    description:
      'Everything up to the change of this `seq` was delivered, is held, or passed over.',
  }),
  failures: Type.Integer({ description: 'Tries in a row that have failed.' }),
  held: Type.Array(
    component('HeldMessages', {
      subject: Type.String({ description: 'The work, person or claim that they are about.' }),
      seqs: Type.Array(Type.Integer(), { description: 'The changes that they are about.' }),
      next_try_at: time,
    }),
    { description: 'Messages that wait for one of the same subject that was refused.' },
  ),
  next_try_at: nullable(
    time,
    'Before then nothing is sent; null while the webhook takes messages.',
  ),
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

/** The tries of an endpoint that are kept. */
export const deliveryListSchema = component('WebhookDeliveryList', {
  webhook: Type.String(),
  deliveries: Type.Array(
    component('WebhookDelivery', {
      number: Type.Integer({ description: 'Its place among the deliveries of the webhook.' }),
      message: Type.String({ description: 'The `webhook-id`.' }),
      type: wordOf('WebhookMessageType', [...eventKinds, 'ping'] as const),
      seq: nullable(Type.Integer(), 'The change that it is about; null if it is about none.'),
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
  next: nullable(Type.Integer(), nextDescription),
  links: pageLinksSchema,
})

export const removedWebhookSchema = component('RemovedWebhook', {
  id: Type.String(),
  removed: Type.Literal(true),
})
