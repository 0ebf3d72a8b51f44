import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

import { may } from '#actors/values/authority.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { nameOrganization } from '#src/api/named_organization.ts'
import { realmOf } from '#src/api/realm.ts'
import type { RegistryEdge } from '#src/api/registry_edge.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { environmentOf } from '#src/edge/caller.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import { HttpError, invalidInput } from '#src/errors.ts'
import { keepPrivate } from '#src/http/people/own_list.ts'
import {
  deliveryListSchema,
  deliveryReply,
  newWebhookSchema,
  removedWebhookSchema,
  replaySchema,
  webhookListSchema,
  webhookReply,
  webhookSchema,
  webhookUpdateSchema,
  webhookWithSecretSchema,
} from '#src/http/people/webhook_schemas.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import { type Endpoint, endpointsMax, readEndpointDraft } from '#src/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/webhooks/endpoint_store.ts'
import { formatPublicKey } from '#src/webhooks/signature.ts'

type WebhookEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'webhooks' | 'sandbox' | 'accounts' | 'oauth' | 'keys'
>

type WebhookRequest = FastifyRequest<{ Params: { slug: string; id?: string } }>

/** An organization whose endpoints the caller may manage. */
type Managed = {
  readonly slug: string
  readonly environment: ServedEnvironment
  readonly endpoints: EndpointStore
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
  readonly handle: (managed: Managed) => unknown
}

const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '',
    operationId: 'createWebhook',
    summary: 'Makes a webhook of an organization.',
    description:
      'Its secret is shown in this reply alone. It hears of what happens from now on to the ' +
      'works of the organization.',
    body: newWebhookSchema,
    status: 201,
    answers: webhookWithSecretSchema,
    handle: create,
  },
  {
    method: 'GET',
    path: '',
    operationId: 'listWebhooks',
    summary: 'Lists the webhooks of an organization, oldest first.',
    answers: webhookListSchema,
    handle: ({ slug, endpoints }) => ({
      organization: slug,
      webhooks: endpoints.list(slug).map((endpoint) => shown(endpoints, endpoint)),
    }),
  },
  {
    method: 'GET',
    path: '/:id',
    operationId: 'getWebhook',
    summary: 'Reads a webhook.',
    answers: webhookSchema,
    handle: (managed) => shown(managed.endpoints, named(managed)),
  },
  {
    method: 'PATCH',
    path: '/:id',
    operationId: 'updateWebhook',
    summary: 'Changes a webhook.',
    body: webhookUpdateSchema,
    answers: webhookSchema,
    handle: (managed) => {
      const { draft } = draftOf(managed, false)
      return changed(managed, (id) => managed.endpoints.change(id, draft))
    },
  },
  {
    method: 'DELETE',
    path: '/:id',
    operationId: 'deleteWebhook',
    summary: 'Removes a webhook.',
    answers: removedWebhookSchema,
    async handle(managed) {
      const { id } = named(managed)
      if (!(await managed.endpoints.remove(id))) throw noWebhook()
      return { id, removed: true }
    },
  },
  {
    method: 'POST',
    path: '/:id/pause',
    operationId: 'pauseWebhook',
    summary: 'Has nothing delivered to a webhook for now.',
    answers: webhookSchema,
    handle: (managed) => changed(managed, (id) => managed.endpoints.pause(id)),
  },
  {
    method: 'POST',
    path: '/:id/resume',
    operationId: 'resumeWebhook',
    summary: 'Has deliveries go on where they were, at once.',
    answers: webhookSchema,
    handle: (managed) => changed(managed, (id) => managed.endpoints.resume(id)),
  },
  {
    method: 'POST',
    path: '/:id/replay',
    operationId: 'replayWebhook',
    summary: 'Sends again what was sent after a change, and goes on from there.',
    body: replaySchema,
    answers: webhookSchema,
    handle: (managed) => {
      const after = afterOf(managed.request.body)
      return changed(managed, (id) => managed.endpoints.resume(id, after))
    },
  },
  {
    method: 'POST',
    path: '/:id/ping',
    operationId: 'pingWebhook',
    summary: 'Sends a message of the type ping; how that ends, the deliveries tell.',
    status: 202,
    answers: webhookSchema,
    handle: (managed) => changed(managed, (id) => managed.endpoints.ping(id)),
  },
  {
    method: 'POST',
    path: '/:id/rotate',
    operationId: 'rotateWebhookSecret',
    summary: 'Gives a webhook a new secret; the one before is signed with for 24 hours as well.',
    answers: webhookWithSecretSchema,
    async handle(managed) {
      const made = await managed.endpoints.rotate(named(managed).id)
      if (made === undefined) throw noWebhook()
      return { ...shown(managed.endpoints, made.endpoint), secret: made.secret }
    },
  },
  {
    method: 'GET',
    path: '/:id/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'Lists the newest tries to deliver to a webhook, newest first.',
    answers: deliveryListSchema,
    handle: (managed) => {
      const { id } = named(managed)
      const { recent = [] } = managed.endpoints.progress(id) ?? {}
      return { webhook: id, deliveries: recent.map(deliveryReply) }
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
  { method, path, operationId, summary, description, body, status = 200, ...route }: Route,
): void {
  const limit = method === 'GET' ? 'people' : 'write_back'
  server.route<{ Params: { slug: string; id?: string } }>({
    method,
    url: `${prefix}/organizations/:slug/webhooks${path}`,
    ...edge.admit({ type: 'key', prefix, right: 'manage webhooks', limit }),
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
      readQuery(request, {})
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
  const { webhooks: endpoints } = realmOf(edge, environment.name)
  return { slug, environment, endpoints, request, reply }
}

async function create(managed: Managed) {
  const { slug, environment, endpoints } = managed
  const { draft } = draftOf(managed, true)
  const { url = '', ...rest } = draft
  const { end } = await environment.catalogue.changes({ limit: 1, order: 'newest' })
  const made = await endpoints.create(slug, { url, ...rest }, end)
  if (made === undefined) {
    const message = `An organization has ${endpointsMax} webhooks at most: remove one first`
    throw new HttpError('conflict', message)
  }
  return { ...shown(endpoints, made.endpoint), secret: made.secret }
}

async function changed(managed: Managed, change: (id: string) => Promise<Endpoint | undefined>) {
  const endpoint = await change(named(managed).id)
  if (endpoint === undefined) throw noWebhook()
  return shown(managed.endpoints, endpoint)
}

/** The endpoint of the path. HttpError `not_found` unless it is one of the organization. */
function named({ slug, endpoints, request }: Managed): Endpoint {
  const endpoint = endpoints.get(request.params.id ?? '')
  if (endpoint?.organization !== slug) throw noWebhook()
  return endpoint
}

function draftOf({ request }: Managed, isNew: boolean) {
  const read = readEndpointDraft(request.body, isNew)
  if (read.faults.length > 0) throw invalidInput('The webhook cannot be like this', read.faults)
  return read
}

/** The `seq` after which everything is sent again. */
function afterOf(body: unknown): number {
  const isObject = typeof body === 'object' && body !== null
  const { after, ...rest }: Record<string, unknown> = isObject ? { ...body } : {}
  if (Number.isSafeInteger(after) && Number(after) >= 0 && Object.keys(rest).length === 0) {
    return Number(after)
  }
  const message = 'after, and nothing else, must be a whole number: the seq of a change, or 0'
  throw invalidInput('Nothing can be sent again', [
    { field: 'after', code: 'invalid_value', message },
  ])
}

function shown(endpoints: EndpointStore, endpoint: Endpoint) {
  const known = endpoints.progress(endpoint.id)
  const begun = { after: endpoint.start.after ?? known?.after ?? 0, failures: 0 }
  const progress = known?.starts === endpoint.start.count ? known : begun
  return webhookReply(endpoint, formatPublicKey(endpoints.signingKey(endpoint.id)), progress)
}

function noWebhook(): HttpError {
  return new HttpError('not_found', 'This organization has no webhook with this id')
}
