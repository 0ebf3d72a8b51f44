import { isBlank, isErasure } from '#actors/works/erasure.ts'
import { decodeEvent, eventKey } from '#actors/journal/rows.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { MetadataLost, WorkEvent } from '#actors/works/events.ts'

/** An event that an erasure contradicts: its row's key, and what is wrong. */
type ErasureFault = { readonly where: string; readonly message: string }

/** Whether an audit of erasures follows an event: it has lost its metadata, or says why. */
export function isErasedOrHasReason(event: JournalEvent): boolean {
  const { data } = event as JournalEvent & WorkEvent
  const isBlankWork = 'metadata' in data && data.metadata === null
  return isBlankWork || isErasure(event) || event.type === 'MetadataLost'
}

/** An event without its metadata: where it stands, and of which version it is. */
type BlankEvent = { readonly where: string; readonly version: number }

/**
 * Holds erasures and the events whose metadata is gone against each other, while a journal is read
 * in its order: an erasure blanks all events of its stream, a loss is of those from one version on,
 * and no other event has none.
 */
export class ErasureAudit {
  readonly #rowAt: (position: number) => Uint8Array | undefined
  /** The first blank event of each stream whose erasure, or loss, was not read yet. */
  readonly #unexplained = new Map<string, BlankEvent>()
  #versions = 0

  constructor(rowAt: (position: number) => Uint8Array | undefined) {
    this.#rowAt = rowAt
  }

  /** Versions that were read without their metadata. */
  get versions(): number {
    return this.#versions
  }

  /**
   * Takes the next event (others than those of `isErasedOrHasReason` change nothing), and gives
   * what is wrong with those that it explains.
   */
  read(event: JournalEvent): readonly ErasureFault[] {
    if (isErasure(event)) {
      this.#unexplained.delete(event.stream)
      return this.#keptBefore(event)
    }
    if (event.type === 'MetadataLost')
      return this.#explainLoss(event as JournalEvent & MetadataLost)
    const { data } = event as JournalEvent & WorkEvent
    if (!('metadata' in data) || data.metadata !== null) return []
    this.#versions += 1
    if (!this.#unexplained.has(event.stream)) {
      const version = 'version' in data ? data.version : 1
      this.#unexplained.set(event.stream, { where: eventKey(event.position), version })
    }
    return []
  }

  /** What is wrong once all events were read. */
  finish(): readonly ErasureFault[] {
    const message = 'its metadata is gone, and no event erased it'
    return [...this.#unexplained.values()].map(({ where }) => ({ where, message }))
  }

  // With an erasure after it, versions from before the loss may be blank too: that explains them.
  #explainLoss({ stream, position, data }: JournalEvent & MetadataLost): ErasureFault[] {
    const first = this.#unexplained.get(stream)
    if (first === undefined) {
      return [{ where: eventKey(position), message: 'it tells of a loss, and nothing is lost' }]
    }
    if (first.version >= data.since) this.#unexplained.delete(stream)
    return []
  }

  #keptBefore(erasure: JournalEvent): ErasureFault[] {
    const faults: ErasureFault[] = []
    for (let position = erasure.previous; position >= 0; ) {
      const row = this.#rowAt(position)
      // A hole in the journal is told by who reads it.
      if (row === undefined) break
      const event = decodeEvent(position, row) as JournalEvent & WorkEvent
      if (!isBlank(event)) {
        faults.push({
          where: eventKey(position),
          message: 'it was erased, and still says something',
        })
      }
      position = event.previous
    }
    return faults
  }
}
