/** The kinds of events that an endpoint can hear of. */
export const eventKinds = [
  'work.created',
  'work.updated',
  'work.version_added',
  'work.withdrawn',
  'work.fixity_changed',
] as const

export type EventKind = (typeof eventKinds)[number]

/** What somebody asks for to try an endpoint out. */
export type MessageKind = EventKind | 'ping'

/** An event of the change feed, as far as messages are made of it. */
export type Change = {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly ark?: string
  readonly version?: number
  readonly status?: string
  readonly fixity_status?: string
  /** The organization whose work it is, if it is one's. */
  readonly sets: readonly string[]
}

/** A message: its id is the same at each try, and wherever it is sent again. */
export type Message = {
  readonly id: string
  readonly type: MessageKind
  /** The JSON that is signed and sent. */
  readonly body: string
}

const kindsOfChanges: Readonly<Record<string, readonly EventKind[]>> = {
  'work.registered': ['work.created'],
  // Each change of metadata makes a version, so it is both; who hears of both is sent the first.
  'work.versioned': ['work.version_added', 'work.updated'],
  'work.withdrawn': ['work.withdrawn'],
  'work.erased': ['work.updated'],
  'work.metadata_lost': ['work.withdrawn'],
  'work.fixity_changed': ['work.fixity_changed'],
}

/** The kind under which a change is told to who listens for some kinds; undefined if under none. */
export function kindOfChange(
  { type }: Pick<Change, 'type'>,
  wanted: readonly EventKind[],
): EventKind | undefined {
  return kindsOfChanges[type]?.find((kind) => wanted.includes(kind))
}

/**
 * The thin message about a change: which work, its place in the journal, and where to read more.
 * It holds nothing that is not public. `prefix` begins its id, one for each environment.
 */
export function messageOf(
  change: Change,
  type: EventKind,
  { baseUrl, prefix }: { readonly baseUrl: string; readonly prefix: string },
): Message {
  const { seq, ark, version, status, fixity_status, sets, at } = change
  const data = {
    seq,
    ark,
    version,
    status,
    fixity_status,
    organization: sets[0],
    links: { self: `${baseUrl}/api/v1/resolve/${ark}`, page: `${baseUrl}/${ark}` },
  }
  const body = JSON.stringify({ type, timestamp: at, data })
  return { id: `${prefix}_${seq}`, type, body }
}

/** The message that tries an endpoint out; `count` tells its pings apart. */
export function pingOf(endpoint: string, count: number, at: string): Message {
  const body = JSON.stringify({ type: 'ping', timestamp: at, data: { endpoint } })
  return { id: `ping_${endpoint}_${count}`, type: 'ping', body }
}
