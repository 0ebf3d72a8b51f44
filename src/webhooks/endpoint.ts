import { type FieldFault, FaultList } from '#actors/values/fault_list.ts'
import { foldUrl, urlCharactersMax } from '#actors/values/url.ts'
import { type EventKind, eventKinds, type MessageKind } from '#src/webhooks/event.ts'

/** How many endpoints an organization has at most. */
export const endpointsMax = 20

/** For how long a secret is signed with after another one has taken its place. */
export const rotationOverlapMs = 24 * 3_600_000

const descriptionCharactersMax = 200

/** A secret, and until when it is signed with, in ms since 1970; for good if undefined. */
export type EndpointSecret = { readonly secret: string; readonly untilMs?: number }

/** Where an organization wants to hear of what happens to its works, and of what. */
export type Endpoint = {
  readonly id: string
  readonly organization: string
  readonly url: string
  readonly description?: string
  readonly events: readonly EventKind[]
  /** `paused` by its organization; `failed`: nothing was delivered for three days. */
  readonly status: 'active' | 'paused' | 'failed'
  readonly secrets: readonly EndpointSecret[]
  readonly created_at: string
  readonly updated_at: string
  /** How many pings were asked for. */
  readonly pings: number
  /**
   * With each start deliveries begin anew: after the change of a `seq`, or where they were.
   * `count` tells one start from another.
   */
  readonly start: { readonly count: number; readonly after?: number }
}

/** How one try to deliver a message ended. */
export type Delivery = {
  readonly message: string
  readonly type: MessageKind
  readonly at: string
  readonly duration_ms: number
  readonly body: string
  readonly delivered: boolean
  /** The status and the beginning of the body of the answer, if there was one. */
  readonly answer?: { readonly status: number; readonly text: string }
  /** Why there was none. */
  readonly problem?: string
}

/** How far the deliveries of an endpoint have come. */
export type EndpointProgress = {
  /** Of `start` of the endpoint. */
  readonly starts: number
  /** All changes up to this `seq` are delivered. */
  readonly after: number
  readonly pings: number
  /** Tries that have failed in a row, since when, and when the next is made; in ms since 1970. */
  readonly failures: number
  readonly failingSinceMs?: number
  readonly nextMs?: number
  /** The newest tries, newest first. */
  readonly recent: readonly Delivery[]
}

/** What a client says of an endpoint; of a change, what is to be different. */
export type EndpointDraft = Partial<Pick<Endpoint, 'url' | 'description' | 'events'>>

/**
 * Reads what a client says of an endpoint. `isNew`: nothing of it is known yet, so that `url` must
 * be there.
 */
export function readEndpointDraft(
  body: unknown,
  isNew: boolean,
): { readonly draft: EndpointDraft; readonly faults: readonly FieldFault[] } {
  const faults = new FaultList()
  const input = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  if (input !== body) faults.add('', 'wrong_type', 'the body must be an object')
  const draft: DraftInMaking = {}
  for (const [name, value] of Object.entries(input)) {
    if (name === 'url') readUrl(value, draft, faults)
    else if (name === 'events') readEvents(value, draft, faults)
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

function readEvents(value: unknown, draft: DraftInMaking, faults: FaultList): void {
  const isKind = (item: unknown): item is EventKind => eventKinds.some((kind) => kind === item)
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  if (items.length > 0 && items.length <= eventKinds.length && items.every(isKind)) {
    draft.events = eventKinds.filter((kind) => items.includes(kind))
  } else {
    faults.add('events', 'invalid_value', `events must be a list of: ${eventKinds.join(', ')}`)
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
