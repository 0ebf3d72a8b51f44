import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type {
  AdminBody,
  AdminReplies,
  WebhookAnswer,
  WebhookSecretReply,
} from '#src/admin/command_table.ts'
import { type Realms, realmOf } from '#src/use_cases/realm.ts'
import { deliveryPage, deliveryReply, webhookReply } from '#src/use_cases/webhook_reply.ts'
import { WebhookService } from '#src/use_cases/webhook_service.ts'
import { HttpError } from '#src/errors.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import {
  type EndpointHealth,
  endpointHealth,
  type WithSecret,
} from '#src/delivery/webhooks/endpoint_store.ts'

const pageDefault = 20

/** An endpoint, and what manages those of its environment. */
type Found = { readonly service: WebhookService; readonly endpoint: Endpoint }

/** The commands of the admin socket on webhooks. Every refusal is an HttpError. */
export class WebhookCommands {
  readonly #realms: Realms
  readonly #environments: Environments

  constructor(realms: Realms, environments: Environments) {
    this.#realms = realms
    this.#environments = environments
  }

  async create(body: AdminBody<'/webhooks/create'>): Promise<WebhookSecretReply> {
    const { environment = 'live', organization, ...draft } = body
    const service = this.#serviceOf(environment)
    this.#checkOrganization(environment, organization)
    return secretReply(service, await service.create(organization, draft))
  }

  async list({
    environment = 'live',
    organization,
  }: AdminBody<'/webhooks/list'>): Promise<AdminReplies['/webhooks/list']> {
    const service = this.#serviceOf(environment)
    this.#checkOrganization(environment, organization)
    const webhooks = await service.list(organization)
    return { webhooks: webhooks.map((endpoint) => webhookReply(service.endpoints, endpoint)) }
  }

  /** How the webhooks of an environment are. */
  health(environment: EnvironmentName): EndpointHealth {
    const { events } = this.#environments[environment].records
    return endpointHealth(realmOf(this.#realms, environment).webhooks, events)
  }

  read({ id }: AdminBody<'/webhooks/read'>): WebhookAnswer {
    const { service, endpoint } = this.#find(id)
    return reply(service, endpoint)
  }

  async update({ id, ...draft }: AdminBody<'/webhooks/update'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.change(endpoint, draft))
  }

  async ping({ id }: AdminBody<'/webhooks/ping'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.ping(endpoint))
  }

  async pause({ id }: AdminBody<'/webhooks/pause'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.pause(endpoint))
  }

  async resume({ id }: AdminBody<'/webhooks/resume'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.resume(endpoint))
  }

  async replay({ id, ...range }: AdminBody<'/webhooks/replay'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.replay(endpoint, range))
  }

  async replayDelivery({
    id,
    number,
  }: AdminBody<'/webhooks/replay-delivery'>): Promise<WebhookAnswer> {
    const { service, endpoint } = this.#find(id)
    return reply(service, await service.replayOne(endpoint, number))
  }

  deliveries({
    id,
    before,
    limit = pageDefault,
  }: AdminBody<'/webhooks/deliveries'>): AdminReplies['/webhooks/deliveries'] {
    const { service } = this.#find(id)
    const { deliveries, next } = deliveryPage(service.endpoints, id, { before, limit })
    return { deliveries: deliveries.map(deliveryReply), next }
  }

  async rotateSecret({ id }: AdminBody<'/webhooks/rotate-secret'>): Promise<WebhookSecretReply> {
    const { service, endpoint } = this.#find(id)
    return secretReply(service, await service.rotate(endpoint))
  }

  async remove({ id }: AdminBody<'/webhooks/remove'>): Promise<AdminReplies['/webhooks/remove']> {
    const { service, endpoint } = this.#find(id)
    await service.remove(endpoint)
    return { id }
  }

  #serviceOf(name: 'live' | 'sandbox'): WebhookService {
    const environment = this.#environments[name]
    return new WebhookService({ environment, realm: realmOf(this.#realms, name) })
  }

  #checkOrganization(name: 'live' | 'sandbox', slug: string): void {
    if (this.#environments[name].organizations.read(slug) !== undefined) return
    throw new HttpError('not_found', `There is no organization ${slug}`)
  }

  #find(id: string): Found {
    for (const name of ['live', 'sandbox'] as const) {
      const service = this.#serviceOf(name)
      const endpoint = service.endpoints.get(id)
      if (endpoint !== undefined) return { service, endpoint }
    }
    throw new HttpError('not_found', `There is no webhook ${id}`)
  }
}

function reply({ endpoints }: WebhookService, endpoint: Endpoint): WebhookAnswer {
  return { webhook: webhookReply(endpoints, endpoint) }
}

function secretReply(service: WebhookService, made: WithSecret): WebhookSecretReply {
  return { ...reply(service, made.endpoint), secret: made.secret }
}
