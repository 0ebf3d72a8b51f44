import type { JournalBatch } from '#actors/journal/batch.ts'
import type { Operation, Store } from '#log/base/store.ts'

/**
 * What became of a batch. `fenced`: another sequencer has gone on with the journal, and nothing of
 * the batch is in it; `undecided`: it may be in the journal, or come to it. Of neither is a row
 * written here.
 */
export type Appended = 'appended' | 'fenced' | 'undecided'

/** Where the batches of one sequencer become certain, one after the other. */
export type Journal = {
  /**
   * Makes a batch the next one of the journal, and its rows durable here in one write. When it
   * rejects, it is unknown which rows are there: the process must end, and start again from what it
   * reads.
   */
  append(batch: JournalBatch, operations: readonly Operation[]): Promise<Appended>
}

/** The journal of a store that nobody else writes: its rows are all there is of a batch. */
export function ownJournal(store: Pick<Store, 'commit'>): Journal {
  return {
    async append(_batch, operations) {
      await store.commit(operations)
      return 'appended'
    },
  }
}

/** A message of a shared journal: `sequence` is its place, from 1, without gaps. */
export type JournalMessage = { readonly sequence: number; readonly message: Uint8Array }

/**
 * A journal that several nodes share, as one of them reaches it. Messages that are in it are in it
 * for good, in one order; the oldest may be gone. Each call tries until it knows, or `signal` ends
 * it: then it rejects with the signal's reason, but for `append` and `follow`.
 */
export type SharedJournal = {
  /**
   * Appends a message if the journal ends with the message at `after` (0: it is empty). `fenced`:
   * it ends with another one. `undecided`: the signal came before it was known.
   */
  append(message: Uint8Array, after: number, signal: AbortSignal): Promise<Appended>

  /**
   * The place of the newest message; 0 if there never was one. Where it is before the one that is
   * `known`, it is asked for again until nobody can be found who knows more.
   */
  newest(signal: AbortSignal, known?: number): Promise<number>

  /**
   * The place of the oldest message that is kept; where none is kept, the one after the newest that
   * ever was. Whoever has come less far than just before it cannot follow any more.
   */
  oldest(signal: AbortSignal): Promise<number>

  /** The message at a place; undefined if it is gone or still to come. */
  at(sequence: number, signal: AbortSignal): Promise<Uint8Array | undefined>

  /**
   * The messages after a place, in order, and then those that come. It ends with `signal`, and when
   * the connection was lost and is back: the journal may be another one by then. Where the next
   * message is gone, the first one has a later place.
   */
  follow(after: number, signal: AbortSignal): AsyncIterable<JournalMessage>
}
