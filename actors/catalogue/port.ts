import type { ChangeOrder } from '#actors/catalogue/change_order.ts'
import type { WorkState } from '#actors/works/events.ts'

/**
 * Rendered JSON with what the edge needs for its headers. `etag` is quoted already; `status` tells
 * a live work from a tombstone (which the edge answers with 410).
 */
export type Rendered = {
  readonly type: 'found'
  readonly body: Uint8Array
  readonly etag: string
  readonly status: 'registered' | 'withdrawn'
}

export type NotFound = { readonly type: 'not_found' }

/** Slices the versions, oldest first: `after` is the version before the first one wanted. */
export type VersionPage = { readonly after: number; readonly limit: number }

/**
 * Slices a history, newest event first: `before` is the `next` of the page before, absent for the
 * newest events; `limit` is a count.
 */
export type HistoryPage = { readonly before?: number; readonly limit: number }

/** Bytes of a work from which on it is long: to read it through takes a millisecond. */
export const longBytesMin = 65_536

/** Carries out what takes long when its turn has come. Errors: its own, and those of the task. */
export type WhenLong = <T>(task: () => Promise<T>) => Promise<T>

/**
 * The queries. `ark` is the normal form `naan/name`. All answer from the committed views, so a
 * read sees every acknowledged write.
 */
export type Catalogue = {
  /** The state row of a work, for callers that need facts rather than JSON. */
  state(ark: string): WorkState | undefined
  /** `GET /v1/works/{ark}`. */
  work(ark: string): Promise<Rendered | NotFound>
  /**
   * `GET /v1/resolve/{ark}[/vN]`; `requested` is the ARK as the client spelled it. A long work that
   * is not at hand is read by `whenLong`, or without it at once.
   */
  resolve(
    ark: string,
    requested: string,
    version?: number,
    whenLong?: WhenLong,
  ): Promise<Rendered | NotFound>
  versions(ark: string, page: VersionPage): Promise<Rendered | NotFound>
  history(ark: string, page: HistoryPage): Promise<Rendered | NotFound>
  receipt(ark: string, version: number): Promise<Rendered | NotFound>
  proofs(ark: string, version: number): Promise<Rendered | NotFound>
  findReceipt(receiptId: string): { readonly ark: string; readonly version: number } | undefined
  /** `GET /v1/changes`: `{changes, next, end}`. */
  changes(query: { after: number; limit: number }): Promise<Uint8Array>
  /** Resolves when there is a change after a `seq`, or when so much time has passed. */
  news(after: number, waitMs: number): Promise<void>
  readonly order: ChangeOrder
}
