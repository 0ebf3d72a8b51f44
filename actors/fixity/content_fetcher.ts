import type { FetchedContent, UnavailableContent } from '#actors/works/content.ts'

/**
 * How a fetch of content ended. `postponed`: the host of `url` has to be left alone for a while and
 * was not asked; `aborted`: the signal was set off; `interrupted`: by a defect of ours. None says
 * anything about the content.
 */
export type ContentOutcome =
  | FetchedContent
  | UnavailableContent
  | { readonly type: 'postponed'; readonly url: string; readonly retryAfterMs: number }
  | { readonly type: 'aborted' }
  | { readonly type: 'interrupted' }

/** How to read content. */
export type ContentCall = {
  readonly signal: AbortSignal
  /** On a connection of its own, and not on one that an earlier reading has left. */
  readonly fresh: boolean
  /** Is called when it is the host's turn, and it is asked. */
  readonly onStart?: () => void
}

/**
 * Reads what an address serves and hashes it. Bounds its time and what it reads, and paces itself
 * per host. Whatever the address is and its server does is an outcome;
 * it rejects on a defect of its own only.
 */
export type ContentFetcher = (url: string, call: ContentCall) => Promise<ContentOutcome>
