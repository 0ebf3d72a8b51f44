import { decodeRow, eventMetadata, readEventRow, type ReadRow } from '#actors/journal/rows.ts'
import type { Metadata } from '#actors/works/metadata.ts'

/** The metadata in the row of an event that came with some; undefined once they were erased. */
export function metadataIn(eventRow: Uint8Array): Metadata | undefined {
  return decodeRow<Metadata | null>(eventMetadata(eventRow)) ?? undefined
}

/**
 * The metadata that came with the event at a position; undefined once they were erased. A journal
 * with a hole is `store_corrupt`.
 */
export function metadataAt(position: number, read: ReadRow): Metadata | undefined {
  return metadataIn(readEventRow(position, read))
}
