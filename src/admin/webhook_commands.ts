import { type Static, type TObject, type TSchema, Type } from 'typebox'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import {
  type AdminRegistry,
  command,
  environment,
  limit,
  noOrganization,
  slug,
} from '#src/admin/command.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import { HttpError } from '#src/edge/errors.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'
import {
  deliveryPage,
  deliveryReply,
  webhookReply,
  WebhookService,
} from '#src/use_cases/webhook_service.ts'

const id = Type.String({ pattern: '^we_[0-9a-z]{12}$' })
const number = Type.Integer({ minimum: 1 })
const deliveriesDefault = 20

/** The commands on webhooks: where organizations and applications hear of what happens. */
export const webhookCommands = {
  /** The secret is shown this once. `webhook` is as the public interface takes it. */
  '/webhooks/create': command(
    { environment, organization: slug, webhook: Type.Unknown() },
    async (registry, { environment: name, organization, webhook }) => {
      const service = serviceFor(registry, name, organization)
      const { endpoint, secret } = await service.create(organization, webhook)
      return { webhook: webhookReply(service.endpoints, endpoint), secret }
    },
  ),
  '/webhooks/list': command(
    { environment, organization: slug },
    async (registry, { environment: name, organization }) => {
      const service = serviceFor(registry, name, organization)
      const found = await service.list(organization)
      return { webhooks: found.map((endpoint) => webhookReply(service.endpoints, endpoint)) }
    },
  ),
  '/webhooks/read': onWebhook({ id }, (_service, endpoint) => endpoint),
  '/webhooks/update': onWebhook({ id, changes: Type.Unknown() }, (service, endpoint, body) =>
    service.change(endpoint, body.changes),
  ),
  '/webhooks/ping': onWebhook({ id }, (service, endpoint) => service.ping(endpoint)),
  '/webhooks/pause': onWebhook({ id }, (service, endpoint) => service.pause(endpoint)),
  '/webhooks/resume': onWebhook({ id }, (service, endpoint) => service.resume(endpoint)),
  '/webhooks/replay': onWebhook(
    { id, after: Type.Integer({ minimum: 0 }), until: Type.Optional(number) },
    (service, endpoint, { id: _id, ...range }) => service.replay(endpoint, range),
  ),
  '/webhooks/replay-delivery': onWebhook({ id, number }, (service, endpoint, body) =>
    service.replayOne(endpoint, body.number),
  ),
  /** `next`: the number before which the list goes on; null if it is at its end. */
  '/webhooks/deliveries': command(
    { id, before: Type.Optional(number), limit },
    (registry, { id: name, before, limit: count = deliveriesDefault }) => {
      const { service } = findWebhook(registry, name)
      const page = deliveryPage(service.endpoints, name, { before, limit: count })
      return { deliveries: page.deliveries.map(deliveryReply), next: page.next }
    },
  ),
  '/webhooks/rotate-secret': command({ id }, async (registry, { id: name }) => {
    const { service, endpoint } = findWebhook(registry, name)
    const rotated = await service.rotate(endpoint)
    return { webhook: webhookReply(service.endpoints, rotated.endpoint), secret: rotated.secret }
  }),
  '/webhooks/remove': command({ id }, async (registry, { id: name }) => {
    const { service, endpoint } = findWebhook(registry, name)
    await service.remove(endpoint)
    return { id: name }
  }),
}

/** A command on one webhook, which answers with the webhook as it is afterwards. */
function onWebhook<P extends { readonly id: typeof id } & Record<string, TSchema>>(
  members: P,
  act: (
    service: WebhookService,
    endpoint: Endpoint,
    body: Static<TObject<P>>,
  ) => Endpoint | Promise<Endpoint>,
) {
  return command(members, async (registry, body) => {
    const { service, endpoint } = findWebhook(registry, (body as { readonly id: string }).id)
    return { webhook: webhookReply(service.endpoints, await act(service, endpoint, body)) }
  })
}

function serviceIn(registry: AdminRegistry, name: EnvironmentName): WebhookService {
  const realm = realmOf(registry, name)
  return new WebhookService({ environment: registry.environments[name], realm })
}

/** The webhooks of an environment. HttpError `not_found` unless the organization is in it. */
function serviceFor(
  registry: AdminRegistry,
  name: EnvironmentName = 'live',
  organization: string,
): WebhookService {
  const { organizations } = registry.environments[name]
  if (organizations.read(organization) === undefined) throw noOrganization(organization)
  return serviceIn(registry, name)
}

function findWebhook(registry: AdminRegistry, wanted: string) {
  for (const name of ['live', 'sandbox'] as const) {
    const service = serviceIn(registry, name)
    const endpoint = service.endpoints.get(wanted)
    if (endpoint !== undefined) return { service, endpoint }
  }
  throw new HttpError('not_found', `There is no webhook ${wanted}`)
}
