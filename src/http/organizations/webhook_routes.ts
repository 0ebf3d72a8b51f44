import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { may } from '#actors/values/authority.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { WithSecret } from '#src/delivery/webhooks/endpoint_store.ts'
import { eventKinds } from '#src/delivery/webhooks/event.ts'
import { numberCursor, pageLinks, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { component, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  type OwnRequest,
  type OwnRoutes,
  registerOwnRoutes,
} from '#src/http/organizations/own_routes.ts'
import { type Realm, realmOf, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  deliveryPage,
  deliveryReply,
  readReplayRange,
  webhookReply,
  WebhookService,
} from '#src/use_cases/webhook_service.ts'

const events = Type.Array(wordOf('WebhookEvent', eventKinds), {
  description:
    'All kinds unless told, but for `log.checkpoint`. Only applications hear of ' +
    '`profile.updated` and `permission.revoked`.',
})
const url = Type.String({ examples: ['https://library.example.edu/hooks/arklog'] })
const note = Type.Optional(Type.String({ maxLength: 200 }))

/** What a client says of a new endpoint, and of one that is changed. */
const newWebhookSchema = component('NewWebhook', {
  application: Type.Optional(
    Type.String({
      description:
        'The `client_id` of an application of the organization, which then hears of what people ' +
        'permit it to read.',
    }),
  ),
  url,
  events: Type.Optional(events),
  description: note,
})
const webhookUpdateSchema = component('WebhookUpdate', {
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: note,
})

/** Where deliveries begin anew. */
const replaySchema = component('WebhookReplay', {
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

const webhookMembers = {
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
const webhookSchema = component('Webhook', webhookMembers)

/** An endpoint with its new secret. */
const webhookWithSecretSchema = component('WebhookWithSecret', {
  ...webhookMembers,
  secret: Type.String({ description: '`whsec_…`, shown this once.' }),
})

/** All endpoints of an organization. */
const webhookListSchema = component('WebhookList', {
  organization: Type.String(),
  webhooks: Type.Array(webhookSchema),
})

/** The tries of an endpoint that are kept. */
const deliveryListSchema = component('WebhookDeliveryList', {
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
  ...pageMembers(Type.Integer()),
})

const removedWebhookSchema = component('RemovedWebhook', {
  id: Type.String(),
  removed: Type.Literal(true),
})

/** An organization whose endpoints the caller may manage. */
type Managed = OwnRequest & { readonly service: WebhookService; readonly baseUrl: string }

const deliveryPages = pagesOf({
  cursor: numberCursor,
  limit: 20,
  limitMax: 100,
  order: 'newest',
})

const routes: OwnRoutes<Managed>['routes'] = [
  {
    method: 'POST',
    path: '',
    operationId: 'createWebhook',
    summary: 'Makes a webhook of an organization, or of one of its applications.',
    description:
      'Its secret is shown in this reply alone. It hears of what happens from now on to the ' +
      'works of the organization; or, for an application, of what people permit it to read.',
    body: newWebhookSchema,
    status: 201,
    answers: webhookWithSecretSchema,
    async handle({ slug, service, request }) {
      return withSecret(service, await service.create(slug, request.body))
    },
  },
  {
    method: 'GET',
    path: '',
    operationId: 'listWebhooks',
    summary: 'Lists the webhooks of an organization and of its applications, oldest first.',
    answers: webhookListSchema,
    handle: async ({ slug, service }) => {
      const webhooks = await service.list(slug)
      return {
        organization: slug,
        webhooks: webhooks.map((endpoint) => webhookReply(service.endpoints, endpoint)),
      }
    },
  },
  {
    method: 'GET',
    path: '/:id',
    operationId: 'getWebhook',
    summary: 'Reads a webhook.',
    answers: webhookSchema,
    handle: (managed) => shown(managed, named(managed)),
  },
  {
    method: 'PATCH',
    path: '/:id',
    operationId: 'updateWebhook',
    summary: 'Changes a webhook.',
    body: webhookUpdateSchema,
    answers: webhookSchema,
    handle: (managed) =>
      shown(managed, managed.service.change(named(managed), managed.request.body)),
  },
  {
    method: 'DELETE',
    path: '/:id',
    operationId: 'deleteWebhook',
    summary: 'Removes a webhook.',
    answers: removedWebhookSchema,
    async handle(managed) {
      const endpoint = named(managed)
      await managed.service.remove(endpoint)
      return { id: endpoint.id, removed: true }
    },
  },
  {
    method: 'POST',
    path: '/:id/pause',
    operationId: 'pauseWebhook',
    summary: 'Has nothing delivered to a webhook for now.',
    answers: webhookSchema,
    handle: (managed) => shown(managed, managed.service.pause(named(managed))),
  },
  {
    method: 'POST',
    path: '/:id/resume',
    operationId: 'resumeWebhook',
    summary: 'Has deliveries go on where they were, at once.',
    answers: webhookSchema,
    handle: (managed) => shown(managed, managed.service.resume(named(managed))),
  },
  {
    method: 'POST',
    path: '/:id/replay',
    operationId: 'replayWebhook',
    summary: 'Sends again what was sent after a change: up to another one, or all that follows.',
    description:
      'With `until`, the range is sent beside what is new. Without it, deliveries go on from ' +
      'after the change in place of where they were.',
    body: replaySchema,
    answers: webhookSchema,
    handle: (managed) => {
      const range = readReplayRange(managed.request.body)
      const endpoint = named(managed)
      return shown(managed, managed.service.replay(endpoint, range))
    },
  },
  {
    method: 'POST',
    path: '/:id/ping',
    operationId: 'pingWebhook',
    summary: 'Sends a message of the type ping; how that ends, the deliveries tell.',
    status: 202,
    answers: webhookSchema,
    handle: (managed) => shown(managed, managed.service.ping(named(managed))),
  },
  {
    method: 'POST',
    path: '/:id/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Gives a webhook a new secret; the one before is signed with for 24 hours as well.',
    answers: webhookWithSecretSchema,
    async handle(managed) {
      const { service } = managed
      return withSecret(service, await service.rotate(named(managed)))
    },
  },
  {
    method: 'GET',
    path: '/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'Lists the tries to deliver to a webhook that are kept, newest first.',
    description: 'The newest 200 are kept, for a week.',
    parameters: deliveryPages.parameters,
    answers: deliveryListSchema,
    handle(managed) {
      const { service, request, baseUrl } = managed
      const { id } = named(managed)
      const { cursor: before, limit } = deliveryPages.read(request)
      const { deliveries, next } = deliveryPage(service.endpoints, id, { before, limit })
      const links = pageLinks(baseUrl, request, next)
      return { webhook: id, deliveries: deliveries.map(deliveryReply), next, links }
    },
  },
  {
    method: 'POST',
    path: '/:id/deliveries/:number/replay',
    operationId: 'replayWebhookDelivery',
    summary: 'Sends the message of one delivery again.',
    status: 202,
    answers: webhookSchema,
    handle: (managed) => {
      const { number = '' } = managed.request.params
      const isNumber = /^[1-9][0-9]{0,14}$/.test(number)
      const endpoint = named(managed)
      if (!isNumber) throw new HttpError('not_found', 'A delivery is named by its number')
      return shown(managed, managed.service.replayOne(endpoint, Number(number)))
    },
  },
]

/** The webhooks of organizations, below both prefixes. */
export function registerWebhookRoutes(
  server: FastifyInstance,
  edge: Pick<RegistryEdge, 'admit' | 'environments' | 'baseUrl' | 'sandbox' | keyof Realm>,
): void {
  registerOwnRoutes(server, edge, {
    path: 'webhooks',
    reading: { right: 'manage webhooks', limit: 'people' },
    writing: { right: 'manage webhooks', limit: 'write_back' },
    areBodiesCheckedByRules: true,
    mayUse: (agent, { slug: organization, members }) =>
      may(agent, 'webhook', 'manage', { organization, members }),
    refusal: 'These webhooks belong to another organization',
    contextOf(own) {
      const { environment } = own
      const service = new WebhookService({ environment, realm: realmOf(edge, environment.name) })
      return { ...own, service, baseUrl: edge.baseUrl }
    },
    routes,
  })
}

/** The endpoint of the path. HttpError `not_found` unless it is one of the organization. */
function named({ slug, service, request }: Managed): Endpoint {
  return service.find(slug, request.params.id ?? '')
}

async function shown({ service }: Managed, endpoint: Endpoint | Promise<Endpoint>) {
  return webhookReply(service.endpoints, await endpoint)
}

function withSecret({ endpoints }: WebhookService, { endpoint, secret }: WithSecret) {
  return { ...webhookReply(endpoints, endpoint), secret }
}
