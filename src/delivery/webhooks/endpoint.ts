import { FaultList, type FieldFault } from '#actors/values/fault_list.ts'
import { foldUrl, urlCharactersMax } from '#actors/values/identifier.ts'
import { isJsonObject } from '#actors/values/serialization.ts'
import { type EventKind, kindsFor } from '#src/delivery/webhooks/event.ts'

/** How many endpoints an organization has at most, and each of its applications. */
export const endpointsMax = 20

/** For how long a secret is signed with after another one has taken its place. */
export const rotationOverlapMs = 24 * 3_600_000

/** Ranges that may wait for being sent again. */
export const replaysMax = 10

const descriptionCharactersMax = 200

/** A secret, and until when it is signed with, in ms since 1970; for good if undefined. */
type EndpointSecret = { readonly secret: string; readonly untilMs?: number }

/** Changes that are sent again: those after a `seq`, up to another one. `count` counts them. */
type Replay = { readonly count: number; readonly after: number; readonly until: number }

/** Why an endpoint was given up; `isTold` once its owners were sent a mail. */
export type EndpointFailure = {
  readonly at: string
  readonly reason: string
  readonly isTold: boolean
}

/** Where somebody wants to hear of what happens, and of what. */
export type Endpoint = {
  readonly id: string
  /** Whose it is: the slug of the organization, whose owners manage it. */
  readonly organization: string
  /** The application of theirs for which it hears what people permit it to read. */
  readonly application?: string
  readonly url: string
  readonly description?: string
  readonly events: readonly EventKind[]
  /** `paused` by its organization; `failed`: nothing was delivered for three days. */
  readonly status: 'active' | 'paused' | 'failed'
  readonly failure?: EndpointFailure
  readonly secrets: readonly EndpointSecret[]
  readonly created_at: string
  readonly updated_at: string
  /** How many pings were asked for. */
  readonly pings: number
  /** The newest ranges that were asked for again, oldest first. */
  readonly replays: readonly Replay[]
  /**
   * With each start deliveries begin anew: after the change of a `seq`, or where they were.
   * `count` tells one start from another.
   */
  readonly start: { readonly count: number; readonly after?: number }
}

/** What a client says of an endpoint; of a change, what is to be different. */
export type EndpointDraft = Partial<Pick<Endpoint, 'url' | 'description' | 'events'>>

/** Who an endpoint hears for. */
export type EndpointOwner = Pick<Endpoint, 'organization' | 'application'>

/** Whether it hears as its organization or as an application. */
export function hearsAs({ application }: Pick<Endpoint, 'application'>) {
  return application === undefined ? ('organization' as const) : ('application' as const)
}

/** The owner of an endpoint as a key of an index. */
export function ownerKey({ organization, application }: EndpointOwner): string {
  return application === undefined ? organizationKey(organization) : applicationKey(application)
}

/** The key of what hears as an organization. */
export function organizationKey(slug: string): string {
  return `organization/${slug}`
}

/** The key of what hears as an application. */
export function applicationKey(clientId: string): string {
  return `application/${clientId}`
}

/**
 * Reads what a client says of an endpoint. `isNew`: nothing of it is known yet, so that `url` must
 * be there. `owner`: as whom it hears.
 */
export function readEndpointDraft(
  body: unknown,
  { isNew, owner }: { readonly isNew: boolean; readonly owner: 'organization' | 'application' },
): { readonly draft: EndpointDraft; readonly faults: readonly FieldFault[] } {
  const faults = new FaultList()
  const input = isJsonObject(body) ? body : {}
  if (input !== body) faults.add('', 'wrong_type', 'the body must be an object')
  const draft: DraftInMaking = {}
  for (const [name, value] of Object.entries(input)) {
    if (name === 'url') readUrl(value, draft, faults)
    else if (name === 'events') readEvents(value, owner, draft, faults)
    else if (name === 'description') readDescription(value, draft, faults)
    else faults.add(name, 'unknown_field', 'there is no such field')
  }
  if (isNew && !('url' in input)) faults.add('url', 'required', 'url is required')
  return { draft, faults: faults.faults }
}

type DraftInMaking = { -readonly [K in keyof EndpointDraft]: EndpointDraft[K] }

function readUrl(value: unknown, draft: DraftInMaking, faults: FaultList): void {
  const url = typeof value === 'string' ? foldUrl(value) : undefined
  if (url !== undefined) draft.url = url
  else {
    const right = `an http or https address of up to ${urlCharactersMax} characters`
    faults.add('url', 'invalid_url', `url must be ${right}, without user name and password`)
  }
}

function readEvents(
  value: unknown,
  owner: 'organization' | 'application',
  draft: DraftInMaking,
  faults: FaultList,
): void {
  const kinds = kindsFor(owner)
  const isKind = (item: unknown): item is EventKind => kinds.some((kind) => kind === item)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  if (items.length > 0 && items.length <= kinds.length && items.every(isKind)) {
    draft.events = kinds.filter((kind) => items.includes(kind))
  } else {
    const ofWhom = owner === 'application' ? 'an application' : 'an organization'
    const right = `events of ${ofWhom} must be a list of: ${kinds.join(', ')}`
    faults.add('events', 'invalid_value', right)
  }
}

function readDescription(value: unknown, draft: DraftInMaking, faults: FaultList): void {
  // eslint-disable-next-line no-control-regex -- Control characters have no place in a line.
  if (typeof value === 'string' && /^[^\x00-\x1f\x7f]{1,200}$/.test(value)) {
    draft.description = value
  } else {
    const right = `a line of 1 to ${descriptionCharactersMax} characters`
    faults.add('description', 'invalid_value', `description must be ${right}`)
  }
}
