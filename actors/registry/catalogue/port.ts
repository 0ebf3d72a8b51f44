import type { ChangeOrder } from '#actors/registry/catalogue/harvest.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import type { Page } from '#actors/journal/rows.ts'
import type { WorkState } from '#actors/works/events.ts'
import type { Metadata } from '#actors/works/metadata.ts'

/**
 * Rendered JSON with what the edge needs for its headers. `etag` is quoted already; `status` tells
 * a live work from a tombstone (which the edge answers with 410).
 */
export type Rendered = {
  readonly type: 'found'
  readonly body: Uint8Array
  readonly etag: string
  readonly status: 'registered' | 'withdrawn'
  /** The slug of the organization that owns the work; absent where a person does. */
  readonly organization?: string
  /** The media type of the content as its server named it, where it was read. */
  readonly contentType?: string
  /** Whether nobody withdrew it, and what was registered is lost. */
  readonly isLost?: boolean
}

/** A resolution that was made at once, as JSON to be sent as it is. */
export type ResolutionAtOnce = Pick<Rendered, 'body' | 'etag' | 'organization'>

export type NotFound = { readonly type: 'not_found' }

/** A page of a rendered list; `next` is the cursor of the one that follows, null if none does. */
export type RenderedPage<Next = number> = Rendered & { readonly next: Next | null }

/**
 * A page of the change feed: JSON `{changes, next, end}`. `next` is the cursor at which reading
 * goes on, and `end` what that is once all is read, oldest first; `isLast` tells that nothing
 * follows now.
 */
export type ChangePage = {
  readonly body: Uint8Array
  readonly next: number
  readonly end: number
  readonly isLast: boolean
}

/** Bytes of a work from which on it is long: to read it through takes a millisecond. */
export const longBytesMin = 65_536

/** Carries out what takes long when its turn has come. Errors: its own, and those of the task. */
export type WhenLong = <T>(task: () => Promise<T>) => Promise<T>

/** Whether a work says that it relates to another one, or that one says so of it. */
export const relationSides = ['out', 'in'] as const

/** Which relations of a work are asked for: both sides unless told. */
export type RelatedQuery = Page<string> & { readonly side?: (typeof relationSides)[number] }

/** A version of a work, or its withdrawal, with whoever made it as the journal names them. */
export type WrittenStep = {
  readonly type: 'version' | 'withdrawal'
  readonly version: number
  readonly at: string
  readonly by: Agent
}

/** A work as it stands; one that was withdrawn is without its metadata. */
export type CurrentWork = { readonly state: WorkState; readonly metadata?: Metadata }

/** Works with a DOI in its stored form: those of an owner, or of everybody. */
export type WithDoi = {
  readonly doi: string
  readonly standing: 'live' | 'withdrawn'
  readonly owner?: OwnerRef
}

/**
 * The queries. `ark` is the normal form `naan/name`. All answer from the committed views, so a
 * read sees every acknowledged write.
 */
export type Catalogue = {
  /** The state row of a work, for callers that need facts rather than JSON. */
  state(ark: string): WorkState | undefined
  /** The same with the metadata of a work that stands, which is read with it. */
  current(ark: string): CurrentWork | undefined
  /**
   * The work, `naan/name`, that was withdrawn last of those with this DOI, in its stored form; one
   * whose metadata was erased is found by its ARK alone.
   */
  withdrawnWithDoi(doi: string): string | undefined
  /** Works, `naan/name`, with a DOI, the newest first and `max` of them at most. */
  withDoi(which: WithDoi, max: number): readonly string[]
  /** The live work, `naan/name`, that its owner calls so themselves. */
  withExternalId(owner: OwnerRef, externalId: string): string | undefined
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
  /**
   * What `resolve` gives of the newest version, where that takes no waiting: of a work that stands,
   * is not long, and is published. Undefined for all else. Errors: LogError `store_corrupt`.
   */
  resolveAtOnce(ark: string, requested: string): ResolutionAtOnce | undefined
  /**
   * What `resolve` gives of the newest version, if it is at hand: the same object each time, until
   * it is something else.
   */
  atHand(ark: string, requested: string): Rendered | undefined
  /** Oldest first by default; the cursor is the number of the version before the first one. */
  versions(ark: string, page: Page<number>): Promise<RenderedPage | NotFound>
  /** Newest first by default; a cursor that is no place in this history leads to an empty page. */
  history(ark: string, page: Page<number>): Promise<RenderedPage | NotFound>
  /** Who wrote the versions of a work and withdrew it, newest first: not for the public. */
  writers(ark: string): Iterable<WrittenStep>
  /** What a work relates to; the cursor is the place of the entry before. */
  related(ark: string, page: RelatedQuery): Promise<RenderedPage<string> | NotFound>
  receipt(ark: string, version: number): Promise<Rendered | NotFound>
  proofs(ark: string, version: number): Promise<Rendered | NotFound>
  /**
   * The canonical JSON of the metadata of a version, as it was hashed; undefined if there is no
   * such version, and where the work was withdrawn or the metadata erased.
   */
  metadataText(ark: string, version: number): string | undefined
  /** Versions whose content has a hash, `sha256:` and hex, by ARK: so many at most. */
  withContent(
    contentHash: string,
    limit: number,
  ): Promise<readonly { readonly ark: string; readonly version: number }[]>
  findReceipt(receiptId: string): { readonly ark: string; readonly version: number } | undefined
  /** Where the log has the statements about a version, in its order; undefined if it has none. */
  leaves(ark: string, version: number): readonly number[] | undefined
  /** `GET /v1/changes`, oldest first by default; the cursor is the last `seq` seen. */
  changes(page: Page<number>): Promise<ChangePage>
  /** Resolves when there is a change after a `seq`, or when so much time has passed. */
  news(after: number, waitMs: number): Promise<void>
  readonly order: ChangeOrder
}
