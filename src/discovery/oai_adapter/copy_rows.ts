import type { Metadata } from '#actors/works/metadata.ts'
import type { HarvestedWork, HarvestRecord } from '#src/discovery/oai/record_source.ts'

/** What a stored record says; its position is in the key. */
export type StoredRecord = Omit<HarvestRecord, 'position' | 'work'> & {
  readonly work?: StoredWork
}

/** A work in a stored record, all of which is one JSON text. */
export type StoredWork = Omit<HarvestedWork, 'metadata'> & { readonly metadata: Metadata }

/** How far the copy is; it changes in the batch that changes the records. */
export type CopyState = {
  readonly schema: 1
  /** What `after` takes for the next page of the feed, and what it takes at the end of the feed. */
  readonly next: number
  readonly end: number
  /** Time of the first change of the registry, by which it is known again. */
  readonly first?: string
  /** Seconds since 1970 of the newest change that was read. */
  readonly newest: number
  /** Whether the copy was ever complete: before that, nothing of it is shown. */
  readonly complete: boolean
}

/** Key of the `CopyState`. */
export const stateKey = 'state'

/** The list of all records, whose rows are the records themselves. */
export const allRecords = 'record/'

/** The list of an organization's records, whose rows are empty. */
export function setList(slug: string): string {
  return `set/${slug}/`
}

/** The place of a record in a list. Positions are in hexadecimal, and sort as numbers do. */
export function placeKey(list: string, position: number): string {
  return list + hex(position)
}

/** The position in the key of a place. */
export function keyPosition(list: string, key: string): number {
  return Number.parseInt(key.slice(list.length), 16)
}

/** The key after all places of a list: `0` follows the slash. */
export function listEnd(list: string): string {
  return `${list.slice(0, -1)}0`
}

/** The row that has the position of a work's record; `ark` is `naan/name`. */
export function workKey(ark: string): string {
  return `work/${ark}`
}

/** The rows that have the first position of each second in which a record changed. */
export const secondRows = 'second/'

/** Key of a second since 1970. */
export function secondKey(second: number): string {
  return secondRows + hex(second)
}

/** The rows of organizations, by slug. */
export const organizationRows = 'organization/'

/** Positions that are counted together. */
export const blockPositions = 1_024

/** The rows that have how many records of a list are in each block of positions. */
export function countRows(list: string): string {
  return `count/${list}`
}

/** Key of the count of a block, which holds the positions from `block * blockPositions` on. */
export function countKey(list: string, block: number): string {
  return countRows(list) + hex(block)
}

/** A value as a row. */
export function encodeJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** The value of a row that this module's keys name. */
export function decodeJson<T>(row: Uint8Array): T {
  return JSON.parse(Buffer.from(row.buffer, row.byteOffset, row.length).toString('utf8')) as T
}

function hex(value: number): string {
  return value.toString(16).padStart(12, '0')
}
