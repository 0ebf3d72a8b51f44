import type { Environment } from '#actors/registry/environment.ts'
import type { Change } from '#src/webhooks/event.ts'
import { type ChangesRead, Lane, type LaneOptions } from '#src/webhooks/lane.ts'

/** Changes that a lane holds at a time. */
const pageChanges = 50

/** What deliveries of one environment work with. */
export type DelivererOptions = Omit<LaneOptions, 'read' | 'events' | 'isDue' | 'prefix'> & {
  readonly environment: Pick<Environment, 'name' | 'catalogue' | 'records' | 'part'>
}

/**
 * Delivers the changes of an environment to its endpoints: a lane for each, which follows the
 * journal from where it has come to. It owns the lanes.
 */
export class Deliverer {
  readonly #options: DelivererOptions
  readonly #lanes = new Map<string, Lane>()
  readonly #closing = new AbortController()
  readonly #ending = new Set<Promise<void>>()
  readonly #following: Promise<void>
  /** The page that was read last: lanes that have come equally far read it once. */
  #page: { readonly after: number; readonly events: number; read: Promise<ChangesRead> } | undefined

  /** Begins to deliver. */
  constructor(options: DelivererOptions) {
    this.#options = options
    const { endpoints } = options
    endpoints.onChange((id) => this.#follow(id))
    for (const { id } of endpoints.all()) this.#follow(id)
    this.#following = this.#watch()
  }

  /** Ends all deliveries. */
  async close(): Promise<void> {
    this.#closing.abort()
    const lanes = [...this.#lanes.values()].map((lane) => lane.close())
    await Promise.all([this.#following, ...lanes, ...this.#ending])
  }

  #follow(id: string): void {
    if (this.#closing.signal.aborted) return
    const { endpoints, environment } = this.#options
    const lane = this.#lanes.get(id)
    if (endpoints.get(id) === undefined) {
      this.#lanes.delete(id)
      if (lane !== undefined) this.#end(lane)
    } else if (lane === undefined) {
      const { name, records, part } = environment
      const options = {
        ...this.#options,
        read: (after: number) => this.#read(after),
        events: () => records.events,
        isDue: () => part === undefined || part.member.leads,
        prefix: name === 'live' ? 'evt' : 'evt_test',
      }
      this.#lanes.set(id, new Lane(id, options))
    } else lane.changed()
  }

  #end(lane: Lane): void {
    const ended = lane.close().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  async #watch(): Promise<void> {
    const { records } = this.#options.environment
    const { signal } = this.#closing
    while (!signal.aborted) {
      await records.news(records.events, signal)
      for (const lane of this.#lanes.values()) lane.wake()
    }
  }

  #read(after: number): Promise<ChangesRead> {
    const { events } = this.#options.environment.records
    const known = this.#page
    if (known?.after === after && known.events === events) return known.read
    const read = this.#readPage(after)
    this.#page = { after, events, read }
    read.catch(() => {
      this.#page = undefined
    })
    return read
  }

  async #readPage(after: number): Promise<ChangesRead> {
    const { catalogue } = this.#options.environment
    const { body, next } = await catalogue.changes({ cursor: after, limit: pageChanges })
    const { changes } = JSON.parse(Buffer.from(body).toString()) as { changes: Change[] }
    return { changes: changes.map(thin), next }
  }
}

/** A change without the metadata, which no message tells. */
function thin({ seq, type, at, ark, version, status, fixity_status, sets }: Change): Change {
  return {
    seq,
    type,
    at,
    sets,
    ...(ark !== undefined && { ark }),
    ...(version !== undefined && { version }),
    ...(status !== undefined && { status }),
    ...(fixity_status !== undefined && { fixity_status }),
  }
}
