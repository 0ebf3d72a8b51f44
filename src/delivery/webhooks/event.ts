import type { Occurrence } from '#actors/registry/catalogue/provenance.ts'

/** The kinds of events that an endpoint can hear of. */
export const eventKinds = [
  'work.created',
  'work.updated',
  'work.version_added',
  'work.withdrawn',
  'work.fixity_changed',
  'affiliation.added',
  'profile.updated',
  'claim.requested',
  'claim.verified',
  'permission.revoked',
  'log.checkpoint',
] as const

export type EventKind = (typeof eventKinds)[number]

/** What somebody asks for to try an endpoint out. */
export type MessageKind = EventKind | 'ping'

/** A message: its id is the same at each try, and wherever it is sent again. */
export type Message = {
  readonly id: string
  readonly type: MessageKind
  /** The JSON that is signed and sent. */
  readonly body: string
}

/** What addresses in messages begin with, and what the ids of messages do in an environment. */
export type MessageFrame = {
  readonly baseUrl: string
  /** The address of the log, without a slash at its end. */
  readonly logUrl: string
  readonly prefix: string
}

/** What only applications hear of, because people permit it to them and to nobody else. */
const ofApplications: ReadonlySet<EventKind> = new Set(['profile.updated', 'permission.revoked'])

/** The kinds that an organization's own endpoint can hear of, or one of an application. */
export function kindsFor(owner: 'organization' | 'application'): readonly EventKind[] {
  return eventKinds.filter((kind) => owner === 'application' || !ofApplications.has(kind))
}

/** What is heard of by default: a new checkpoint is news at each commit, and asked for by name. */
export function usualKinds(owner: 'organization' | 'application'): readonly EventKind[] {
  return kindsFor(owner).filter((kind) => kind !== 'log.checkpoint')
}

const kindsOfWorks = {
  'work.registered': ['work.created'],
  // Each change of metadata makes a version, so it is both; who hears of both is sent the first.
  'work.versioned': ['work.version_added', 'work.updated'],
  'work.withdrawn': ['work.withdrawn'],
  'work.erased': ['work.updated'],
  'work.metadata_lost': ['work.withdrawn'],
  'work.fixity_changed': ['work.fixity_changed'],
} as const satisfies Readonly<Record<string, readonly EventKind[]>>

/** The kind under which something is told to who listens for some kinds; undefined if not. */
export function kindOf(
  occurrence: Occurrence,
  wanted: readonly EventKind[],
): EventKind | undefined {
  const kinds: readonly EventKind[] = kindsIn(occurrence)
  return kinds.find((kind) => wanted.includes(kind))
}

function kindsIn(occurrence: Occurrence): readonly EventKind[] {
  switch (occurrence.about) {
    case 'work':
      return kindsOfWorks[occurrence.type]
    case 'item':
      return occurrence.kind === 'affiliation' ? ['affiliation.added'] : []
    case 'profile':
      return ['profile.updated']
    case 'claim':
      return [occurrence.type === 'requested' ? 'claim.requested' : 'claim.verified']
  }
}

/** What keeps its order among messages: a work, a person, a claim. */
export function subjectOf(occurrence: Occurrence): string {
  if (occurrence.about === 'work') return occurrence.ark
  return occurrence.about === 'claim' ? occurrence.claim_id : occurrence.ppid
}

/**
 * The thin message about something that happened: what it is about, its place in the journal, and
 * where to read more. What stands there is shown to who may read it.
 */
export function messageOf(
  occurrence: Occurrence,
  type: EventKind,
  { baseUrl, prefix }: MessageFrame,
): Message {
  const { seq, at } = occurrence
  const data = { seq, ...dataOf(occurrence, baseUrl) }
  return { id: `${prefix}_${seq}`, type, body: bodyOf(type, at, data) }
}

function dataOf(occurrence: Occurrence, baseUrl: string): object {
  switch (occurrence.about) {
    case 'work': {
      const { ark, version, status, fixity_status, notice, by, owner } = occurrence
      const organization = owner.type === 'organization' ? owner.id : undefined
      const links = { ...workLinks(ark, baseUrl), page: `${baseUrl}/${ark}` }
      return { ark, version, status, fixity_status, notice, by, organization, links }
    }
    case 'item': {
      const { ppid, item } = occurrence
      return { ppid, affiliation: item, links: personLinks(ppid, baseUrl) }
    }
    case 'profile': {
      const { ppid } = occurrence
      return { ppid, links: personLinks(ppid, baseUrl) }
    }
    case 'claim': {
      const { claim_id, ppid, ark, type } = occurrence
      const status = type === 'requested' ? 'pending' : 'verified'
      const links = { work: workLinks(ark, baseUrl).self, person: personLinks(ppid, baseUrl).self }
      return { claim_id, status, ppid, ark, links }
    }
  }
}

function workLinks(ark: string, baseUrl: string) {
  return { self: `${baseUrl}/api/v1/resolve/${ark}` }
}

function personLinks(ppid: string, baseUrl: string) {
  return { self: `${baseUrl}/api/v1/people/${ppid}` }
}

/** The message that tries an endpoint out; `count` tells its pings apart. */
export function pingOf(endpoint: string, count: number, at: string): Message {
  const body = bodyOf('ping', at, { endpoint })
  return { id: `ping_${endpoint}_${count}`, type: 'ping', body }
}

/** The end of a person's permission: all that is known of it is whose it was, and to whom given. */
export type EndedPermission = {
  readonly id: string
  readonly ppid: string
  readonly client_id: string
  readonly at: string
}

/** The message to an application that a person's permission has ended. */
export function revocationOf(ended: EndedPermission, prefix: string): Message {
  const { id, ppid, client_id: application, at } = ended
  const type = 'permission.revoked'
  return { id: `${prefix}_permission_${id}`, type, body: bodyOf(type, at, { ppid, application }) }
}

/** The message about the newest checkpoint of a log. */
export function checkpointOf(
  { origin, treeSize, at }: { origin: string; treeSize: number; at: string },
  { logUrl, prefix }: MessageFrame,
): Message {
  const type = 'log.checkpoint'
  const data = { origin, tree_size: treeSize, links: { self: `${logUrl}/checkpoint` } }
  return { id: `${prefix}_checkpoint_${treeSize}`, type, body: bodyOf(type, at, data) }
}

function bodyOf(type: MessageKind, timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data })
}
