import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEvent,
  decodeEventFacts,
  eventKey,
  eventMetadata,
  type Page,
  present,
  readerOf,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { PublicClaim } from '#actors/people/claims/match.ts'
import { readPublicClaims } from '#actors/people/claims/record.ts'
import { isClaimEvent, streamPpid } from '#actors/people/events.ts'
import type { OrganizationUpdated } from '#actors/people/organizations/events.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { ChangePage } from '#actors/registry/catalogue/port.ts'
import {
  eventNames,
  type Occurrence,
  ownMembers,
  readOccurrence,
  versionOf,
} from '#actors/registry/catalogue/provenance.ts'
import {
  jsonOf,
  noticeMember,
  publicSource,
  spliceMembers,
} from '#actors/registry/catalogue/representation.ts'
import { personOf } from '#actors/values/agent.ts'
import { orderedJson } from '#actors/values/serialization.ts'
import {
  endsWork,
  isPublicEvent,
  metadataTextIn,
  type PublicEvent,
  streamArk,
  type WorkEvent,
  type WorkRegistered,
  type WorkState,
  workStream,
  type WorkVersioned,
} from '#actors/works/events.ts'
import { type ReceiptKeyRotated, receiptKeyStream } from '#actors/works/receipts/keys.ts'
import {
  mintedKey,
  readNamedWork,
  readVersion,
  readWork,
  type StoredWork,
  type VersionRecord,
} from '#actors/works/record.ts'
import { evolve } from '#actors/works/rules.ts'
import type { ReadStore } from '#log/store/store.ts'
import { assert, unlessDamaged } from '#log/tlog/errors.ts'

/**
 * What a commit means to those who answer from committed rows: how many events there are now, and
 * what the newest ones are about. It is plain, so that it can go to other threads.
 */
export type CommitNotice = {
  readonly events: number
  /** Works that have changed, or of which a claim has. */
  readonly arks: readonly string[]
  /** People who have changed, or one of whose claims has. */
  readonly ppids: readonly string[]
  /** Whether any of it is shown in the feed of changes. */
  readonly isNews: boolean
}

/** The notice of a commit, after which there are `events` events. */
export function noticeOf(newest: readonly JournalEvent[], events: number): CommitNotice {
  const arks: string[] = []
  const ppids: string[] = []
  for (const event of newest) {
    const ppid = streamPpid(event.stream)
    if (ppid !== undefined) ppids.push(ppid)
    if (isClaimEvent(event)) arks.push(event.data.ark)
    else if (isOfWork(event)) arks.push(streamArk(event.stream))
  }
  return { events, arks, ppids, isNews: newest.some(isNews) }
}

/**
 * Whether an event is shown in the feed of changes. Checks that find nothing new are most of a
 * journal in time, and news to nobody. What people say of themselves, and which organizations they
 * are in, is for those alone whom they let read it.
 */
function isNews(event: JournalEvent): boolean {
  switch (event.type) {
    case 'OrganizationCreated':
    case 'OrganizationUpdated':
    case 'ReceiptKeyRotated':
      return true
    default:
      return isOfWork(event) && isPublicEvent(event as JournalEvent & WorkEvent)
  }
}

function isOfWork({ stream }: JournalEvent): boolean {
  return stream.startsWith('work/')
}

/** A record of the registry. `id` is an ARK, `naan/name`, a ppid or a slug. */
export type RecordName = {
  readonly type: 'work' | 'person' | 'organization'
  readonly id: string
}

/** A work that stands, as everybody may see it: plain data, which may go to another thread. */
export type StandingWork = {
  readonly state: StandingState
  /** Why it was withdrawn, if it was. */
  readonly reason?: string
  /** Its metadata as JSON. */
  readonly metadata: string
  /** Those that are verified, of people who show theirs. */
  readonly claims: readonly PublicClaim[]
  /** Position of its registration in the journal. */
  readonly registered: number
}

type StandingState = Pick<
  WorkState,
  'ark' | 'identifier' | 'owner' | 'status' | 'fixity_status' | 'created_at' | 'updated_at'
>

/** What of the state of a work is told of one whose metadata are there. */
function standingState(state: WorkState): StandingState {
  const { ark, identifier, owner, status, fixity_status, created_at, updated_at } = state
  return { ark, identifier, owner, status, fixity_status, created_at, updated_at }
}

/** What one event was about: records, whether it erased them, and its bytes, about. */
type Touch = {
  readonly records: readonly RecordName[]
  readonly isErasure: boolean
  readonly bytes: number
}

/** What an event of so many bytes was about, as far as followers see it. */
function touchOf(event: JournalEvent, bytes: number): Touch {
  const isErasure = event.type === 'WorkErased' || event.type === 'PersonErased'
  return { records: recordsOf(event), isErasure, bytes }
}

/** The records whose present state an event may have changed, as far as followers see it. */
function recordsOf(event: JournalEvent): readonly RecordName[] {
  const { stream } = event
  const ppid = streamPpid(stream)
  if (ppid !== undefined) {
    const person = { type: 'person', id: ppid } as const
    return isClaimEvent(event) ? [person, { type: 'work', id: event.data.ark }] : [person]
  }
  if (stream.startsWith(workStream(''))) {
    const shown = isPublicEvent(event as JournalEvent & WorkEvent)
    return shown ? [{ type: 'work', id: streamArk(stream) }] : []
  }
  const [type, id] = stream.split('/', 2)
  return type === 'organization' && id !== undefined ? [{ type, id }] : []
}

/** Events that are remembered, and bytes of them: what a follower reads at a time, about. */
const eventsMax = 2_048
const bytesMax = 2_097_152

/** Bytes of an event beside its metadata, about. */
const factsBytes = 512

/**
 * What the newest events of a journal were about, and the works that were registered by them and
 * left alone since. A follower that keeps up finds here what it would have to read from the store.
 * Metadata is held as text: what it consists of is many small things, all of which the garbage
 * collector would move twice.
 */
export class RecentRecords {
  readonly #touches: Touch[] = []
  readonly #registered = new Map<string, StandingWork>()
  #end: number
  #bytes = 0

  /** `end` is how many events the journal holds now. */
  constructor(end: number) {
    this.#end = end
  }

  /** Takes in the events of a commit, and forgets the oldest that are too many. */
  add(events: readonly JournalEvent[]): void {
    for (const event of events) this.#addOne(event as JournalEvent & WorkEvent)
    let gone = 0
    for (; this.#touches.length - gone > eventsMax || this.#bytes > bytesMax; gone += 1) {
      const touch = this.#touches[gone]
      if (touch === undefined) break
      this.#bytes -= touch.bytes
      for (const { id } of touch.records) this.#registered.delete(id)
    }
    this.#touches.splice(0, gone)
  }

  #addOne(event: JournalEvent & WorkEvent): void {
    const registered = registeredBy(event)
    const bytes = factsBytes + (registered?.metadata.length ?? 0)
    const touch = touchOf(event, bytes)
    // What is registered for a person comes with a claim of theirs.
    const isAlone = registered !== undefined && personOf(event.by) === undefined
    for (const { type, id } of touch.records) {
      if (isAlone) this.#registered.set(id, registered)
      else if (type === 'work') this.#registered.delete(id)
    }
    this.#touches.push(touch)
    this.#bytes += bytes
    this.#end = event.position + 1
  }

  /** What the event at a position was about; undefined if it is too old to be remembered. */
  at(position: number): Touch | undefined {
    return this.#touches[position - (this.#end - this.#touches.length)]
  }

  /** A work that was registered a short while ago, and nothing has happened to since. */
  work(ark: string): StandingWork | undefined {
    return this.#registered.get(ark)
  }
}

function registeredBy(event: JournalEvent & WorkEvent): StandingWork | undefined {
  if (event.type !== 'WorkRegistered' || event.data.metadata === null) return undefined
  const metadata = orderedJson(event.data.metadata)
  const state = standingState(evolve(undefined, event, event))
  return { state, metadata, claims: [], registered: event.position }
}

/** The records that some events are about, each once; `next` is the position after the events. */
export type TouchedRecords = {
  readonly records: readonly RecordName[]
  /** Those of them that were erased by these events. */
  readonly erased: readonly RecordName[]
  readonly next: number
}

/** What is told of some events, in their order; `next` is the position after the events. */
type OccurrencesRead = { readonly occurrences: readonly Occurrence[]; readonly next: number }

/** What the reading of one event takes beside others, in bytes that take as long. */
const occurrenceBytes = 2_048

/** Bytes of events after which no further one is read for a list of records. */
const touchedBytesEnough = 1_048_576

/**
 * The registry as those follow it who keep records by their present state, such as an index: which
 * records have changed, in the order of the journal. People are among them, so it is for followers
 * in this process only.
 */
export type RecordFeed = {
  /** Events in the journal. */
  readonly events: number
  /**
   * What the sound events from `position` on are about. `limit` events at most are read, and fewer
   * where they are long.
   */
  touched(position: number, limit: number): Promise<TouchedRecords>
  /** What is told of the sound events from `position` on, of which `limit` at most are read. */
  occurrences(position: number, limit: number): Promise<OccurrencesRead>
  /** Resolves when there is an event at `position`, or when the signal is set off. */
  news(position: number, signal: AbortSignal): Promise<void>
  /** Whether what the event at a position was about is told without a look into the store. */
  remembers(position: number): boolean
  /** A work as it stands, or stood: undefined once its metadata was erased or is lost. */
  work(ark: string): StandingWork | undefined
  /** Position of the event of that time with which a person or an organization began. */
  began(record: RecordName, createdAt: string): number
}

/** Who waits for the event at a position. */
type Waiting = { readonly position: number; readonly wake: () => void }

/** The feed of a store; it is told of each commit. */
export class StoreRecordFeed implements RecordFeed {
  readonly #read: ReadRow
  readonly #seal: PersonSeal
  readonly #recent: RecentRecords
  #events: number
  #waiting: Waiting[] = []
  /** The rows of the events that `touched` has read last, by their keys. */
  #touchedRows = new Map<string, Uint8Array>()

  /** `events` is how many events the journal holds now. */
  constructor(store: Pick<ReadStore, 'get'>, seal: PersonSeal, events: number) {
    this.#read = readerOf(store)
    this.#seal = seal
    this.#events = events
    this.#recent = new RecentRecords(events)
  }

  get events(): number {
    return this.#events
  }

  /**
   * Tells the feed how many events there are now, and the newest, where they are at hand. Who waits
   * for them has much to do with each, and begins when those who asked for the commit have their
   * answers.
   */
  published({ events }: CommitNotice, newest: readonly JournalEvent[] = []): void {
    this.#events = events
    this.#recent.add(newest)
    const waiting = this.#waiting.filter(({ position }) => position < events)
    if (waiting.length === 0) return
    this.#waiting = this.#waiting.filter(({ position }) => position >= events)
    setImmediate(() => {
      for (const { wake } of waiting) wake()
    })
  }

  async touched(position: number, limit: number): Promise<TouchedRecords> {
    const end = Math.min(this.#events, position + limit)
    const records = new Map<string, RecordName>()
    const erased: RecordName[] = []
    const stride = new Stride()
    const rows = new Map<string, Uint8Array>()
    let next = position
    for (let bytes = 0; next < end && bytes < touchedBytesEnough; next += 1) {
      // What a damaged event was about nobody can tell: the others are followed nevertheless.
      const touch = this.#recent.at(next) ?? unlessDamaged(() => this.#touch(next, rows))
      if (touch === undefined) continue
      for (const record of touch.records) records.set(`${record.type}/${record.id}`, record)
      if (touch.isErasure) erased.push(...touch.records)
      bytes += touch.bytes
      await stride.step(touch.bytes)
    }
    this.#touchedRows = rows
    return { records: [...records.values()], erased, next }
  }

  async occurrences(position: number, limit: number): Promise<OccurrencesRead> {
    const end = Math.min(this.#events, position + limit)
    const occurrences: Occurrence[] = []
    const stride = new Stride()
    for (let next = position; next < end; next += 1) {
      // As above: nobody can tell whom a damaged event would have been told to.
      const occurrence = unlessDamaged(() => readOccurrence(next, this.#read))
      if (occurrence !== undefined) occurrences.push(occurrence)
      await stride.step(occurrenceBytes)
    }
    return { occurrences, next: Math.max(position, end) }
  }

  #touch(position: number, rows: Map<string, Uint8Array>): Touch {
    const row = readEventRow(position, this.#read)
    rows.set(eventKey(position), row)
    return touchOf(decodeEventFacts(position, row), row.length)
  }

  news(position: number, signal: AbortSignal): Promise<void> {
    if (position < this.#events || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve()
      }
      const waiting: Waiting = { position, wake }
      signal.addEventListener('abort', wake, { once: true })
      this.#waiting.push(waiting)
    })
  }

  remembers(position: number): boolean {
    return this.#recent.at(position) !== undefined
  }

  work(ark: string): StandingWork | undefined {
    const recent = this.#recent.work(ark)
    if (recent !== undefined) return recent
    const stored = readWork(ark, this.#readTouched)
    if (stored === undefined) return undefined
    const { erased_at, lost_at } = stored.state
    if (erased_at !== undefined || lost_at !== undefined) return undefined
    const shown = readPublicClaims(ark, { read: this.#read, seal: this.#seal })
    const claims = shown.claims.map(({ claim }) => claim)
    const state = standingState(stored.state)
    return { state, ...this.#reason(stored), ...this.#origin(ark, stored), claims }
  }

  #reason({ state, newest }: StoredWork): Pick<StandingWork, 'reason'> {
    if (state.status !== 'withdrawn') return {}
    const event = this.#event(newest) as JournalEvent & WorkEvent
    return event.type === 'WorkWithdrawn' ? { reason: event.data.reason } : {}
  }

  // By a row of the work that says it was left alone, its registration is as it was when it was
  // touched: what erases the metadata of an event changes that row in the same commit.
  readonly #readTouched: ReadRow = (key) => this.#touchedRows.get(key) ?? this.#read(key)

  /** The metadata of a work that stands, and where it was registered. */
  #origin(
    ark: string,
    { state, registration }: StoredWork,
  ): Pick<StandingWork, 'metadata' | 'registered'> {
    const what = `of the work ${ark}, which stands,`
    if (registration !== undefined) {
      const metadata = present(metadataTextIn(registration.eventRow), `the metadata ${what}`)
      return { metadata, registered: registration.event.position }
    }
    const row = readEventRow(state.position, this.#read)
    const metadata = present(metadataTextIn(row), `the metadata ${what}`)
    const minted = present(this.#read(mintedKey(ark)), `the row of the minting ${what}`)
    return { metadata, registered: Number(Buffer.from(minted).toString('utf8')) }
  }

  // The times of a journal never go back, so the event is found by halves.
  began({ type, id }: RecordName, createdAt: string): number {
    const stream = `${type}/${id}`
    let low = 0
    let high = this.#events - 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#event(middle).at < createdAt) low = middle + 1
      else high = middle
    }
    while (low < this.#events && this.#event(low).stream !== stream) low += 1
    assert(low < this.#events, 'a record begins with an event')
    return low
  }

  #event(position: number): JournalEvent {
    return decodeEvent(position, readEventRow(position, this.#read))
  }
}

/**
 * The journal in its order, as harvesters and followers read it, or back from its end. `seq` is the
 * journal's position plus one, so that the cursor 0 is the beginning. Owns the list of those who
 * wait for news.
 */
export class ChangeFeed {
  readonly #store: ReadStore
  #events: number
  #waiting = new Set<() => void>()

  /** `events` is how many events the journal holds now. */
  constructor(store: ReadStore, events: number) {
    this.#store = store
    this.#events = events
  }

  /** Tells the feed of a commit. */
  published({ events, isNews: hasNews }: CommitNotice): void {
    this.#events = events
    if (!hasNews) return
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const wake of waiting) wake()
  }

  /** A page of it. An `end` below the cursor tells that the journal was set back. */
  async read({ cursor, limit, order = 'oldest' }: Page<number>): Promise<ChangePage> {
    const isForward = order === 'oldest'
    const [begin, farthest] = isForward ? [0, this.#events] : [this.#events + 1, 1]
    const changes: Uint8Array[] = []
    const stride = new Stride()
    let bytes = 0
    const [least, greatest] = isForward ? [begin, farthest] : [farthest, begin]
    let next = Math.max(least, Math.min(cursor ?? begin, greatest))
    const readMax = Math.min(Math.abs(farthest - next), limit + silentEventsMax)
    for (let read = 0; read < readMax; read += 1) {
      if (changes.length === limit || bytes >= pageBytesEnough) break
      next += isForward ? 1 : -1
      const change = this.#describeSound(next - 1)
      if (change !== undefined) changes.push(change)
      const length = change?.length ?? 0
      bytes += length
      await stride.step(length)
    }
    const end = this.#events
    const list = changes.flatMap((change, index) => (index === 0 ? [change] : [comma, change]))
    const body = Buffer.concat([openList, ...list, Buffer.from(`],"next":${next},"end":${end}}`)])
    return { body, next, end, isLast: next === (isForward ? end : farthest) }
  }

  /** Resolves when there is a change after a `seq`, or when so much time has passed. */
  news(after: number, waitMs: number): Promise<void> {
    if (after !== this.#events || waitMs === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, waitMs).unref()
      this.#waiting.add(wake)
    })
  }

  // What is damaged is passed over: who follows the feed comes to all that is after it.
  #describeSound(position: number): Uint8Array | undefined {
    return unlessDamaged(() => this.#describe(position))
  }

  #describe(position: number): Uint8Array | undefined {
    const read = readerOf(this.#store)
    const row = readEventRow(position, read)
    const event = decodeEventFacts(position, row)
    if (!isNews(event)) return undefined
    const about = { seq: position + 1, at: event.at, source: publicSource(event.by), sets: [] }
    if (event.stream === receiptKeyStream) {
      const { old_key_id, new_key_id } = (event as JournalEvent & ReceiptKeyRotated).data
      return jsonOf({ ...about, type: 'receipt_key.rotated', old_key_id, new_key_id })
    }
    if (event.type === 'OrganizationCreated') {
      return jsonOf({ ...about, type: 'organization.created', organization: event.data })
    }
    if (event.type === 'OrganizationUpdated') {
      const { changed_fields, profile } = (event as JournalEvent & OrganizationUpdated).data
      const type = 'organization.updated'
      return jsonOf({ ...about, type, changed_fields, organization: profile })
    }
    return this.#describeWork(event as JournalEvent & PublicEvent, row, about)
  }

  #describeWork(
    work: JournalEvent & PublicEvent,
    row: Uint8Array,
    about: Record<string, unknown>,
  ): Uint8Array {
    const read = readerOf(this.#store)
    const ark = streamArk(work.stream)
    const stored = readNamedWork(ark, read)
    const version = versionOf(work) ?? stored.state.version
    const isGone = endsWork(work)
    const made = isMaking(work) ? makingOf(work, row) : readMaking(stored, version, read)
    const head = jsonOf({
      ...about,
      type: eventNames[work.type],
      ark: stored.state.identifier,
      version,
      status: isGone ? 'withdrawn' : 'registered',
      ...ownMembers(work),
      sets: stored.state.owner.type === 'organization' ? [stored.state.owner.id] : [],
      created_at: stored.state.created_at,
      ...made.hashes,
      ...(!isGone && noticeMember(made.row)),
    })
    if (isGone) return spliceMembers(head, Buffer.from('{"metadata":null}'))
    const metadata = [Buffer.from('{"metadata":'), eventMetadata(made.row), closeBrace]
    return spliceMembers(head, Buffer.concat(metadata))
  }
}

/** The event that made a version, as stored, and what the receipt of the version says. */
type Making = {
  readonly row: Uint8Array
  readonly hashes: {
    readonly receipt_id: string
    readonly metadata_hash: string
    readonly content_hash: string | null
    readonly content_file?: number
    /** Of the content, as far as it was fetched. */
    readonly content_type?: string | null
    readonly content_size?: number
  }
}

type MakingEvent = JournalEvent & (WorkRegistered | WorkVersioned)

function isMaking(event: JournalEvent & WorkEvent): event is MakingEvent {
  return event.type === 'WorkRegistered' || event.type === 'WorkVersioned'
}

function makingOf({ data }: MakingEvent | VersionRecord['event'], row: Uint8Array): Making {
  const { receipt_id, metadata_hash, content_hash, content_file } = data
  const place = content_file === undefined ? {} : { content_file }
  return { row, hashes: { receipt_id, metadata_hash, content_hash, ...place } }
}

// The content hash is that of now, and a reader comes to the change by which it came later on.
function readMaking(stored: StoredWork, version: number, read: ReadRow): Making {
  const record = readVersion(stored, version, read)
  assert(record !== undefined, 'an event is about a version that there is')
  const { row, hashes } = makingOf(record.event, record.eventRow)
  const { content_hash, checked } = record.content
  const { bytes = null, media_type = null } = checked?.stable ?? {}
  const fetched = bytes !== null && { content_type: media_type, content_size: bytes }
  return { row, hashes: { ...hashes, content_hash, ...fetched } }
}

/** Events that a page passes over at most without showing them. */
const silentEventsMax = 1_000

/** A page with so many bytes of changes is full: what publishers write can be long. */
const pageBytesEnough = 1_048_576

const openList = Buffer.from('{"changes":[')
const comma = Buffer.from(',')
const closeBrace = Buffer.from('}')
