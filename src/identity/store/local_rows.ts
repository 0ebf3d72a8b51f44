import type { StreamPlace } from '#actors/journal/shared_stream.ts'
import type { WrittenRow } from '#src/identity/store/identity_rows.ts'

/** How far a store has come in the stream: what it has carried out. */
export type ChangePlace = StreamPlace & {
  /** How many changes were there until then that were judged on what was there before. */
  readonly judged: number
}

/** The rows of this node, as its part in the stream has them. */
export type LocalRows = {
  /** How far they have come; undefined: they never were part of a stream. */
  place(): ChangePlace | undefined
  /** Makes rows durable with a place, in one write, and tells those who follow them. */
  write(rows: readonly WrittenRow[], place: ChangePlace): Promise<void>
  /** Leaves nothing in any file of what rows held before their last change. */
  purge(keys: readonly string[]): Promise<void>
  /** A digest of all rows, which equal rows have on all nodes. */
  digest(): Promise<string>
}
