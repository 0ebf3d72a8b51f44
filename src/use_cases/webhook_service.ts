import type { ItemOccurrence, Occurrence } from '#actors/registry/catalogue/provenance.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { isPerson } from '#actors/values/agent.ts'
import { isJsonObject } from '#actors/values/serialization.ts'
import type { Permissions } from '#src/delivery/webhooks/audience.ts'
import type { Delivery, EndpointProgress } from '#src/delivery/webhooks/delivery_rows.ts'
import {
  type Endpoint,
  type EndpointDraft,
  type EndpointOwner,
  endpointsMax,
  hearsAs,
  readEndpointDraft,
  replaysMax,
} from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore, WithSecret } from '#src/delivery/webhooks/endpoint_store.ts'
import { formatPublicKey } from '#src/delivery/webhooks/sender.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import { grants as mayUse } from '#src/identity/keys/scope.ts'
import { partiesOf } from '#src/identity/oauth/application_record.ts'
import type { OAuth } from '#src/identity/oauth/oauth.ts'
import type { Suspensions } from '#src/identity/store/suspensions.ts'
import { type Audience, sees } from '#src/use_cases/person_reply.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'

type WebhookRegistry = {
  readonly environment: Pick<ServedEnvironment, 'catalogue'>
  readonly realm: Pick<Realm, 'webhooks' | 'oauth'>
}

/** Which changes are sent again: those after a `seq`, up to another one, or all that follow. */
type ReplayRange = { readonly after: number; readonly until?: number }

/**
 * Manages the endpoints of organizations and of their applications: what JSON, pages and commands
 * have in common. Who may do so was asked before. Every refusal is an HttpError: `not_found`,
 * `validation_failed`, `conflict`.
 */
export class WebhookService {
  readonly #registry: WebhookRegistry

  constructor(registry: WebhookRegistry) {
    this.#registry = registry
  }

  get endpoints(): EndpointStore {
    return this.#registry.realm.webhooks
  }

  /** All endpoints of an organization, its own first, then those of its applications. */
  async list(organization: string): Promise<readonly Endpoint[]> {
    const { oauth } = this.#registry.realm
    const applications = await oauth.applications.list({ organization })
    const owners: EndpointOwner[] = [
      { organization },
      ...applications.map(({ client_id }) => ({ organization, application: client_id })),
    ]
    return owners.flatMap((owner) => this.endpoints.list(owner))
  }

  /** An endpoint of an organization. */
  find(organization: string, id: string): Endpoint {
    const endpoint = this.endpoints.get(id)
    if (endpoint?.organization !== organization) throw noWebhook()
    return endpoint
  }

  /** Makes an endpoint of what a client says: `application` in it names one of the organization. */
  async create(organization: string, body: unknown): Promise<WithSecret> {
    const isObject = isJsonObject(body)
    const { application, ...rest } = isObject ? body : {}
    const owner = this.#ownerOf(organization, application)
    const draft = draftOf(isObject ? rest : body, { isNew: true, owner: hearsAs(owner) })
    const { end } = await this.#registry.environment.catalogue.changes({
      limit: 1,
      order: 'newest',
    })
    const made = await this.endpoints.create(owner, { ...draft, url: draft.url ?? '' }, end)
    if (made !== undefined) return made
    const whose = owner.application === undefined ? 'An organization' : 'An application'
    throw new HttpError(
      'conflict',
      `${whose} has ${endpointsMax} webhooks at most: remove one first`,
    )
  }

  #ownerOf(organization: string, application: unknown): EndpointOwner {
    if (application === undefined) return { organization }
    const { applications } = this.#registry.realm.oauth
    const named = typeof application === 'string' ? applications.findUsable(application) : undefined
    if (named?.organization === organization) return { organization, application: named.client_id }
    const message = `application must be the client_id of an application of ${organization}`
    throw invalidInput('The webhook cannot be like this', [
      { field: 'application', code: 'invalid_value', message },
    ])
  }

  async change(endpoint: Endpoint, body: unknown): Promise<Endpoint> {
    const draft = draftOf(body, { isNew: false, owner: hearsAs(endpoint) })
    return orNotFound(await this.endpoints.change(endpoint.id, draft))
  }

  async pause({ id }: Endpoint): Promise<Endpoint> {
    return orNotFound(await this.endpoints.pause(id))
  }

  async resume({ id }: Endpoint): Promise<Endpoint> {
    return orNotFound(await this.endpoints.resume(id))
  }

  async ping({ id }: Endpoint): Promise<Endpoint> {
    return orNotFound(await this.endpoints.ping(id))
  }

  async rotate({ id }: Endpoint): Promise<WithSecret> {
    return orNotFound(await this.endpoints.rotate(id))
  }

  async remove({ id }: Endpoint): Promise<void> {
    if (!(await this.endpoints.remove(id))) throw noWebhook()
  }

  /**
   * Has changes sent again: a range beside what is new, or, without an end, all from a change on in
   * place of what was to come, so that who says a later one skips what is before it.
   */
  async replay({ id }: Endpoint, { after, until }: ReplayRange): Promise<Endpoint> {
    if (until === undefined) return orNotFound(await this.endpoints.resume(id, after))
    const replayed = await this.endpoints.replay(id, after, until)
    if (replayed !== undefined) return replayed
    orNotFound(this.endpoints.get(id))
    const message = `${replaysMax} ranges wait to be sent again already: wait until one is done`
    throw new HttpError('conflict', message)
  }

  /** Has the message of one try sent again, by the number of the try. */
  replayOne(endpoint: Endpoint, number: number): Promise<Endpoint> {
    const delivery = this.endpoints.deliveries.read(endpoint.id, number)
    if (delivery === undefined) {
      throw new HttpError('not_found', `The webhook keeps no delivery ${number}`)
    }
    const { seq, type } = delivery
    if (seq !== undefined) return this.replay(endpoint, { after: seq - 1, until: seq })
    const message = `A message of the type ${type} is about no change, so it is not sent again`
    throw new HttpError('conflict', message)
  }
}

/** Which changes a client wants again. HttpError `validation_failed`. */
export function readReplayRange(body: unknown): ReplayRange {
  const isObject = isJsonObject(body)
  const { after, until, ...rest } = isObject ? body : {}
  const isSeq = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= 0
  const [unknown] = Object.keys(rest)
  const faults = [
    ...(isSeq(after)
      ? []
      : [faultOf('after', 'must be a whole number: the seq of a change, or 0')]),
    ...(until === undefined || (isSeq(until) && until > Number(after))
      ? []
      : [faultOf('until', 'must be a whole number that is greater than after')]),
    ...(unknown === undefined
      ? []
      : [{ field: unknown, code: 'unknown_field', message: 'there is no such field' }]),
  ]
  if (faults.length > 0) throw invalidInput('Nothing can be sent again', faults)
  return { after: Number(after), ...(isSeq(until) && { until }) }
}

function faultOf(field: string, right: string) {
  return { field, code: 'invalid_value', message: `${field} ${right}` }
}

function draftOf(
  body: unknown,
  how: { readonly isNew: boolean; readonly owner: 'organization' | 'application' },
): EndpointDraft {
  const { draft, faults } = readEndpointDraft(body, how)
  if (faults.length > 0) throw invalidInput('The webhook cannot be like this', faults)
  return draft
}

function orNotFound<T>(given: T | undefined): T {
  if (given === undefined) throw noWebhook()
  return given
}

function noWebhook(): HttpError {
  return new HttpError('not_found', 'This organization has no webhook with this id')
}

/** Fields of a profile that `profile` lets an application read. */
const shownFields = ['name', 'username', 'avatar_url', 'bio', 'urls', 'orcid'] as const

/** What applications of a realm may read, as replies to them show it. */
export function webhookPermissions(
  {
    oauth: { applications, grants },
    suspensions,
  }: {
    readonly oauth: Pick<OAuth, 'applications' | 'grants'>
    readonly suspensions: Pick<Suspensions, 'first'>
  },
  { people }: Pick<ServedEnvironment, 'people'>,
): Permissions {
  const audienceOf = (clientId: string, ppid: string): Audience | undefined => {
    const grant = grants.findFor(ppid, clientId)
    return grant && { type: 'permitted', scopes: new Set(grant.scopes) }
  }
  return {
    isOf: (clientId, organization) =>
      applications.findUsable(clientId)?.organization === organization,
    isSuspended({ application: clientId = '', organization }) {
      const application = applications.find(clientId)
      const parties = application === undefined ? [] : partiesOf(application)
      const owner = { type: 'organization', id: organization } as const
      return suspensions.first([owner, ...parties]) !== undefined
    },
    permittedBy: (ppid) => grants.list(ppid).map(({ client_id }) => client_id),
    mayRead: (clientId, occurrence) => mayRead(clientId, occurrence, audienceOf, people),
  }
}

function mayRead(
  clientId: string,
  occurrence: Occurrence,
  audienceOf: (clientId: string, ppid: string) => Audience | undefined,
  people: ServedEnvironment['people'],
): boolean {
  if (occurrence.about === 'work') {
    const { client, owner } = occurrence
    if (client?.client_id === clientId) return true
    const audience = owner.type === 'person' ? audienceOf(clientId, owner.id) : undefined
    return audience !== undefined && mayUse(audience.scopes, 'read works')
  }
  const audience = audienceOf(clientId, occurrence.ppid)
  if (audience === undefined) return false
  if (occurrence.about === 'item') return seesAdded(clientId, occurrence, audience)
  const person = people.read(occurrence.ppid)
  if (person?.type !== 'person') return false
  const { visibility } = person.profile
  if (occurrence.about === 'profile') {
    const changed = shownFields.filter((field) => occurrence.fields.includes(field))
    return changed.some((field) => sees(audience, visibility[field], 'read people'))
  }
  if (occurrence.source.client_id === clientId) return true
  const counts = occurrence.type === 'verified' || isPerson(occurrence.source, occurrence.ppid)
  return counts && sees(audience, visibility.claims, 'read claims')
}

function seesAdded(
  clientId: string,
  { source, visibility }: ItemOccurrence,
  audience: Audience,
): boolean {
  if (source.client_id === clientId) return true
  const mayReadItems = mayUse(audience.scopes, 'read affiliations')
  return mayReadItems && sees(audience, visibility, 'read affiliations')
}

/** An endpoint as replies, pages and commands show it: without its secrets. */
export function webhookReply(endpoints: EndpointStore, endpoint: Endpoint) {
  const { id, organization, application, url, description, events, status, failure } = endpoint
  const { created_at, updated_at, start } = endpoint
  const known = endpoints.deliveries.progress(id)
  const progress: Partial<EndpointProgress> = known?.starts === start.count ? known : {}
  const { failures = 0, held = [], nextMs } = progress
  return {
    id,
    organization,
    application: application ?? null,
    url,
    description: description ?? null,
    events,
    status,
    failure: failure === undefined ? null : { at: failure.at, reason: failure.reason },
    public_key: formatPublicKey(endpoints.signingKey(id)),
    created_at,
    updated_at,
    delivered_to: progress.after ?? start.after ?? known?.after ?? 0,
    failures,
    held: held.map(({ subject, seqs, nextMs: heldMs }) => ({
      subject,
      seqs,
      next_try_at: new Date(Math.max(heldMs, nextMs ?? 0)).toISOString(),
    })),
    next_try_at: nextMs === undefined ? null : new Date(nextMs).toISOString(),
  }
}

/** The same, as its reader knows it. */
export type WebhookReply = ReturnType<typeof webhookReply>

/** A try to deliver as replies and commands show it. */
export function deliveryReply(delivery: Delivery) {
  const { answer, problem, seq } = delivery
  return { ...delivery, seq: seq ?? null, answer: answer ?? null, problem: problem ?? null }
}

export type DeliveryReply = ReturnType<typeof deliveryReply>

/** A page of the tries of an endpoint, newest first; `next` is the cursor of the one after it. */
export function deliveryPage(
  endpoints: EndpointStore,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
) {
  const found = endpoints.deliveries.list(id, before, limit + 1)
  const deliveries = found.slice(0, limit)
  const next = found.length > limit ? (deliveries.at(-1)?.number ?? null) : null
  return { deliveries, next }
}
