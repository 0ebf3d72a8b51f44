import type { ContentFetcher, ContentOutcome } from '#actors/fixity/content_fetcher.ts'
import {
  type CheckTarget,
  contentHash,
  type FetchedContent,
  type Finding,
  isDoiUrl,
} from '#actors/works/content.ts'

/** A check that found nothing out and is to be made again. */
export type NoFinding = Extract<ContentOutcome, { type: 'postponed' | 'aborted' | 'interrupted' }>

/** How a check is made. */
export type CheckCall = {
  readonly signal: AbortSignal
  /** What the first of its fetches got, of a check that was postponed before the second. */
  readonly first?: FetchedContent | undefined
  /** Is given what the first fetch got, once a second is to be made. */
  readonly onFirst?: (first: FetchedContent) => void
}

/** The least and the most that a check waits for a host that asks for it. */
const waitMsMin = 1_000
const waitMsMax = 60_000

const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

const changesMessage = 'the address served different content to two requests'
const pageMessage = 'the DOI leads to a web page; give the address of the content as work_url'

/**
 * Judges the fetches of one check, made one after the other. Content that was found before is
 * confirmed by one fetch; a first hash takes two that are equal, and a change two that both differ
 * from what was known.
 */
export function judge(
  target: CheckTarget,
  first: ContentOutcome,
  second: ContentOutcome | undefined,
): Finding | NoFinding | { readonly type: 'fetch_again'; readonly first: FetchedContent } {
  const newest = second ?? first
  if (newest.type !== 'fetched') return newest
  if (!target.isStable && leadsToPage(target.url, newest)) {
    return { type: 'unstable', message: pageMessage, content: newest }
  }
  const { hash, isStable } = target
  const differs = (content: ContentOutcome) => hash !== null && hashOf(content) !== hash
  if (second === undefined) {
    const isSame = isStable && !differs(first)
    return isSame ? { type: 'same', content: newest } : { type: 'fetch_again', first: newest }
  }
  if (differs(first) && differs(second)) return { type: 'changed', content: newest }
  const isSame = isStable || hashOf(first) === hashOf(second)
  if (isSame) return { type: 'same', content: newest }
  return { type: 'unstable', message: changesMessage, content: newest }
}

/**
 * Fetches what a check is about. A connection that is there serves to confirm content that was
 * found before; whatever else is stated of content was served on fresh ones, twice where `judge`
 * asks. A check that was postponed half-way goes on where it was, so that a host that allows few
 * requests at a time does not spend them all on first fetches.
 */
export async function runCheck(
  target: CheckTarget,
  fetch: ContentFetcher,
  { signal, first: kept, onFirst }: CheckCall,
): Promise<Finding | NoFinding> {
  const { url, isStable } = target
  if (isStable && kept === undefined) {
    const glance = judge(target, await fetch(url, { signal, fresh: false }), undefined)
    if (glance.type !== 'fetch_again') return glance
  }
  const first = kept ?? (await fetch(url, { signal, fresh: true }))
  const once = judge(target, first, undefined)
  if (once.type !== 'fetch_again') return once
  if (kept === undefined) onFirst?.(once.first)
  const twice = judge(target, first, await fetch(url, { signal, fresh: true }))
  if (twice.type === 'fetch_again') throw new Error('assertion failed: two fetches are judged')
  return twice
}

/**
 * How long a check waits that has been asked to, in milliseconds, before it is made again as if
 * nothing had been found: a host that has enough for a moment says nothing of its content.
 * Undefined for any other finding, and for a wait as long as that of a check that was recorded.
 */
export function waitAfter(finding: Finding): number | undefined {
  if (finding.type !== 'unavailable') return undefined
  const { httpStatus, retryAfterMs } = finding
  if (httpStatus !== 429 && httpStatus !== 503) return undefined
  if (retryAfterMs === undefined || retryAfterMs >= waitMsMax) return undefined
  return Math.max(retryAfterMs, waitMsMin)
}

/** The address whose host has answered in the end; undefined if none did. */
export function answeredUrl(finding: Finding): string | undefined {
  if (finding.type !== 'unavailable') return finding.content.finalUrl
  return finding.httpStatus === undefined ? undefined : finding.url
}

function hashOf(outcome: ContentOutcome): string | undefined {
  return outcome.type === 'fetched' ? contentHash(outcome) : undefined
}

// A page about a work changes when its publisher's site does, and is not the work.
function leadsToPage(url: string, { mediaType }: FetchedContent): boolean {
  return mediaType !== undefined && pageTypes.has(mediaType) && isDoiUrl(url)
}

/** How often in a row a host is waited for that asks for it, before that is what was found. */
const waitsMax = 2

/** Hosts that are remembered; the one that asked for its rest first is forgotten first. */
const hostsMax = 10_000

/** `asked` in a row, the last time at a moment. */
type Rests = { readonly asked: number; readonly moment: number }

/**
 * Remembers which hosts asked for a rest and have answered nothing else since. What the check of
 * one work learned counts for all works of the host: they do not each wait for it.
 */
export class HostBackoff {
  readonly #rests = new Map<string, Rests>()
  #moment = 0

  /** Now, by which `waitsFor` tells what a check could know when it began. */
  get moment(): number {
    return this.#moment
  }

  /**
   * Notes that a host asked for a rest in a check that began at a moment; says whether to wait for
   * it once more. Checks that ran side by side are told of the same rest, which counts once.
   */
  waitsFor(host: string, begun: number): boolean {
    const before = this.#rests.get(host)
    if (before !== undefined && before.moment > begun) return before.asked <= waitsMax
    const asked = (before?.asked ?? 0) + 1
    this.#moment += 1
    this.#rests.delete(host)
    this.#rests.set(host, { asked, moment: this.#moment })
    if (this.#rests.size > hostsMax) {
      const [oldest = ''] = this.#rests.keys()
      this.#rests.delete(oldest)
    }
    return asked <= waitsMax
  }

  /** Notes that a host has answered a request. */
  noteAnswer(host: string): void {
    this.#rests.delete(host)
  }
}
