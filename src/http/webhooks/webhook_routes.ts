import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

import { may } from '#actors/values/authority.ts'
import { nameOrganization } from '#src/use_cases/organization_reply.ts'
import { realmOf, type RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { numberCursor, pageLinks, pagesOf } from '#src/edge/list_page.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import {
  deliveryPage,
  deliveryReply,
  readReplayRange,
  webhookReply,
  WebhookService,
} from '#src/use_cases/webhook_service.ts'
import { HttpError } from '#src/errors.ts'
import { keepPrivate } from '#src/http/people/own_list.ts'
import {
  deliveryListSchema,
  newWebhookSchema,
  removedWebhookSchema,
  replaySchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateSchema,
  webhookWithSecretSchema,
} from '#src/http/webhooks/webhook_schemas.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { WithSecret } from '#src/delivery/webhooks/endpoint_store.ts'

type WebhookEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'webhooks' | 'sandbox' | 'accounts' | 'oauth' | 'keys'
>

type WebhookParameters = { slug: string; id?: string; number?: string }

type WebhookRequest = FastifyRequest<{ Params: WebhookParameters }>

/** An organization whose endpoints the caller may manage. */
type Managed = {
  readonly slug: string
  readonly service: WebhookService
  readonly baseUrl: string
  readonly request: WebhookRequest
  readonly reply: FastifyReply
}

/** One route: `path` follows that of the organization's webhooks. */
type Route = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly body?: TSchema
  readonly status?: number
  readonly answers: TSchema
  readonly pages?: typeof deliveryPages
  readonly handle: (managed: Managed) => unknown
}

const deliveryPages = pagesOf({
  cursor: numberCursor,
  limit: 20,
  limitMax: 100,
  order: 'newest',
})

const routes: readonly Route[] = [
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
    pages: deliveryPages,
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
export function registerWebhookRoutes(server: FastifyInstance, edge: WebhookEdge): void {
  for (const prefix of pathPrefixes) {
    for (const route of routes) register(server, edge, prefix, route)
  }
}

function register(
  server: FastifyInstance,
  edge: WebhookEdge,
  prefix: PathPrefix,
  { method, path, operationId, summary, description, body, status = 200, pages, ...route }: Route,
): void {
  const limit = method === 'GET' ? 'people' : 'write_back'
  server.route<{ Params: WebhookParameters }>({
    method,
    url: `${prefix}/organizations/:slug/webhooks${path}`,
    ...edge.admit({ type: 'key', prefix, right: 'manage webhooks', limit }, pages?.parameters),
    ...checkedByRules,
    schema: {
      operationId,
      tags: ['organizations'],
      summary,
      ...(description !== undefined && { description }),
      ...(body && { body }),
      response: { [status]: route.answers },
    },
    async handler(request, reply) {
      if (pages === undefined) readQuery(request, {})
      const answer = await route.handle(manage(edge, request, reply))
      keepPrivate(reply)
      return reply.code(status).send(answer)
    },
  })
}

function manage(edge: WebhookEdge, request: WebhookRequest, reply: FastifyReply): Managed {
  const environment = environmentOf(edge.environments, request.caller)
  const { slug } = nameOrganization(environment, request.params.slug)
  const members = environment.organizations.members(slug) ?? []
  if (!may(knownCaller(request).agent, 'webhook', 'manage', { organization: slug, members })) {
    throw new HttpError('forbidden', 'These webhooks belong to another organization')
  }
  const service = new WebhookService({ environment, realm: realmOf(edge, environment.name) })
  return { slug, service, baseUrl: edge.baseUrl, request, reply }
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
