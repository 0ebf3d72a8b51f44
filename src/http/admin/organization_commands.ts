import { Type, type Static, type TObject, type TSchema } from 'typebox'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { Owner } from '#actors/values/agent.ts'
import {
  command,
  environment,
  invalid,
  limit,
  noOrganization,
  slug,
  type AdminRegistry,
  clientId,
  strings,
  wrongMember,
} from '#src/http/admin/command.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Application, checkNewApplication } from '#src/identity/oauth/application_record.ts'
import type { ApplicationAnswer, Applications } from '#src/identity/oauth/applications.ts'
import { operatorAgent, operator } from '#src/identity/store/owner_text.ts'
import { changeParent } from '#src/use_cases/consortium.ts'
import {
  enterOrganization,
  membersOf,
  nameOwner,
  updateOrganization,
} from '#src/use_cases/organization_service.ts'
import { realmOf } from '#src/use_cases/registry_edge.ts'
import { resume, suspend } from '#src/use_cases/suspending.ts'
import {
  deliveryPage,
  deliveryReply,
  webhookReply,
  WebhookService,
} from '#src/use_cases/webhook_service.ts'

const ppid = Type.String({ minLength: 1, maxLength: 64 })
const role = Type.Union([Type.Literal('owner'), Type.Literal('editor'), Type.Literal('viewer')])
const pageDefault = 100
const byOperator = { by: operatorAgent, copiedBy: operatorAgent }

/** The commands on organizations; their members are people of the live environment only. */
export const organizationCommands = {
  '/organizations/create': command(
    { organization: Type.Unknown() },
    async ({ environments }, { organization: body }) => {
      const answer = await enterOrganization(environments, { body, ...byOperator })
      if (answer.type === 'invalid') throw invalid('It is not an organization', answer.faults)
      const { organization } = answer
      if (answer.type === 'entered') return { organization }
      const message = `There is an organization ${organization.slug} already`
      throw new HttpError('conflict', message)
    },
  ),
  '/organizations/update': command(
    { slug, changes: Type.Unknown() },
    async ({ environments }, { slug: name, changes: body }) => {
      const answer = await updateOrganization(environments, name, { body, ...byOperator })
      if (answer.type === 'invalid') {
        throw invalid('The organization cannot be changed like this', answer.faults)
      }
      if (!('organization' in answer)) throw noOrganization(name)
      return { organization: answer.organization, unchanged: answer.type === 'unchanged' }
    },
  ),
  '/organizations/list': command(
    { environment, after: Type.Optional(Type.String()), limit, parent: Type.Optional(slug) },
    async ({ environments }, body) => {
      const { environment: name = 'live', after = '', limit: count = pageDefault, parent } = body
      const { organizations } = environments[name]
      if (parent !== undefined) {
        const below = organizations.below(parent)
        return { organizations: below.flatMap((each) => organizations.read(each) ?? []) }
      }
      return { organizations: await organizations.list({ after, limit: count }) }
    },
  ),
  '/organizations/members': command({ slug }, ({ environments }, { slug: name }) => {
    const members = environments.live.organizations.members(name)
    if (members === undefined) throw noOrganization(name)
    return { members }
  }),
  '/organizations/add-member': command({ slug, ppid, role }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.addMember({ ...member, by: operatorAgent }))
  }),
  '/organizations/change-role': command({ slug, ppid, role }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.changeRole({ ...member, by: operatorAgent }))
  }),
  /** For one that has lost its owners: a person with a confirmed address becomes one. */
  '/organizations/name-owner': command(
    { slug, account: Type.String({ minLength: 1, maxLength: 254 }) },
    async (registry, { slug: name, account }) => ({
      members: await nameOwner(ownerRegistry(registry), { slug: name, account }, operatorAgent),
    }),
  ),
  /** Puts an organization below another one; without a parent it leaves the one that it has. */
  '/organizations/set-parent': command(
    { slug, parent: Type.Optional(slug) },
    async ({ environments: { live }, oauth, clockGuard }, { slug: name, parent }) => {
      const known = live.organizations.read(name)
      if (known === undefined) throw noOrganization(name)
      const step = parent === undefined ? 'leave' : 'join'
      const wanted = parent ?? known.parent
      if (wanted === undefined) throw new HttpError('conflict', `${name} is part of no other one`)
      const registry = { live, audit: oauth.audit, nowMs: () => clockGuard.nowMs() }
      await changeParent(registry, { slug: name, parent: wanted, step }, operatorAgent)
      return { organization: live.organizations.read(name) ?? known }
    },
  ),
  '/organizations/remove-member': command({ slug, ppid }, async ({ environments }, member) => {
    const { organizations } = environments.live
    return membersOf(member, await organizations.removeMember({ ...member, by: operatorAgent }))
  }),
}

const text = Type.Optional(Type.String())

/** The commands on the applications that people can permit to act for them. */
export const applicationCommands = {
  /** The secret is shown this once; it is null if there is none. */
  '/applications/create': command(
    {
      environment,
      name: Type.String(),
      redirect_uris: strings(20),
      post_logout_redirect_uris: Type.Optional(strings(20)),
      kind: Type.Optional(Type.Union([Type.Literal('confidential'), Type.Literal('public')])),
      scopes: Type.Optional(strings(20)),
      organization: text,
      owner: text,
      homepage: text,
      logo_uri: text,
      contact: text,
    },
    (registry, { owner: person, environment: name = 'live', ...requested }) => {
      const owner: Owner =
        person === undefined ? operator : { type: 'person', id: person, name: person }
      const { organization } = requested
      const { organizations } = registry.environments[name]
      if (organization !== undefined && organizations.read(organization) === undefined) {
        throw wrongMember('organization', `There is no organization ${organization}`)
      }
      const checked = checkNewApplication(requested, owner)
      if (checked.type === 'invalid') {
        throw invalid('The application cannot be registered', checked.faults)
      }
      const { applications } = realmOf(registry, name).oauth
      return applications.register(checked.application, operator)
    },
  ),
  '/applications/list': command({ organization: text }, async (registry, { organization }) => {
    const filter = organization === undefined ? {} : { organization }
    const { oauth, sandbox } = registry
    const lists = [oauth, sandbox.oauth].map(({ applications }) => applications.list(filter))
    return { applications: (await Promise.all(lists)).flat() }
  }),
  '/applications/approve': command({ client_id: clientId }, async (registry, { client_id }) => {
    const answer = await applicationsWith(registry, client_id).approve(client_id, operator)
    return { application: changed(answer, client_id) }
  }),
  '/applications/revoke': command({ client_id: clientId }, async (registry, { client_id }) => {
    const answer = await applicationsWith(registry, client_id).revoke(client_id, operator)
    return { application: changed(answer, client_id) }
  }),
  '/applications/rotate-secret': command(
    { client_id: clientId },
    async (registry, { client_id }) => {
      const answer = await applicationsWith(registry, client_id).rotateSecret(client_id, operator)
      if (answer.type === 'public') {
        const message = `The application ${client_id} is public and has no secret`
        throw new HttpError('conflict', message)
      }
      const application = changed(answer, client_id)
      return { application, secret: 'secret' in answer ? answer.secret : null }
    },
  ),
}

/** The applications among which one is; those of the live realm if there is no such one. */
function applicationsWith({ oauth, sandbox }: AdminRegistry, id: string): Applications {
  const isTest = sandbox.oauth.applications.find(id) !== undefined
  return isTest ? sandbox.oauth.applications : oauth.applications
}

function changed(
  answer: Exclude<ApplicationAnswer, { type: 'done' }> | { type: 'done'; application: Application },
  id: string,
): Application {
  switch (answer.type) {
    case 'done':
      return answer.application
    case 'not_found':
      throw new HttpError('not_found', `There is no application ${id}`)
    case 'revoked':
      throw new HttpError('conflict', `The application ${id} was revoked, for good`)
  }
}

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

function ownerRegistry({ environments, accounts, oauth, clockGuard }: AdminRegistry) {
  return { environments, accounts, audit: oauth.audit, nowMs: () => clockGuard.nowMs() }
}

const suspended = {
  type: Type.Union([
    Type.Literal('organization'),
    Type.Literal('account'),
    Type.Literal('application'),
    Type.Literal('work'),
  ]),
  id: Type.String({ minLength: 1, maxLength: 254 }),
}

/** The commands that suspend organizations, accounts, applications and works, and end that. */
export const suspensionCommands = {
  '/suspensions/suspend': command(
    { ...suspended, reason: Type.String() },
    async (registry, { reason, ...named }) => ({
      suspension: await suspend(registry, { subject: named, by: operator }, reason),
    }),
  ),
  '/suspensions/resume': command(suspended, async (registry, named) => ({
    suspension: await resume(registry, { subject: named, by: operator }),
  })),
}
