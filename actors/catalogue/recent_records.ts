import { standingState, type StandingWork, type Touch, touchOf } from '#actors/catalogue/touch.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { personOf } from '#actors/values/agent.ts'
import { orderedJson } from '#actors/values/canonical_json.ts'
import type { WorkEvent } from '#actors/works/events.ts'
import { evolve } from '#actors/works/rules.ts'

/** Events that are remembered, and bytes of them: what a follower reads at a time, about. */
const eventsMax = 2_048
const bytesMax = 2_097_152

/** Bytes of an event beside its metadata, about. */
const factsBytes = 512

/** A registration, and the canonical JSON of its metadata. */
type Registered = { readonly event: JournalEvent & WorkEvent; readonly metadata: string }

/**
 * What the newest events of a journal were about, and the works that were registered by them and
 * left alone since. A follower that keeps up finds here what it would have to read from the store.
 * Metadata is held as text: what it consists of is many small things, all of which the garbage
 * collector would move twice.
 */
export class RecentRecords {
  readonly #touches: Touch[] = []
  readonly #registered = new Map<string, Registered>()
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
    const registered = this.#registered.get(ark)
    if (registered === undefined) return undefined
    const { event, metadata } = registered
    const state = standingState(evolve(undefined, event, event))
    return { state, metadata, claims: [], registered: event.position }
  }
}

function registeredBy(event: JournalEvent & WorkEvent): Registered | undefined {
  if (event.type !== 'WorkRegistered' || event.data.metadata === null) return undefined
  const { metadata } = event.data
  return {
    event: { ...event, data: { ...event.data, metadata: null } },
    metadata: orderedJson(metadata),
  }
}
