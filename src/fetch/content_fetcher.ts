import type { ContentFetcher, ContentOutcome } from '#actors/fixity.ts'
import type { Fetcher } from '#src/fetch/fetcher.ts'
import { explainOutcome, type FetchOutcome } from '#src/fetch/outcome.ts'

/** The port by which content is read, served by a fetcher. */
export function contentFetcher(fetcher: Pick<Fetcher, 'fetchDigest'>): ContentFetcher {
  return async (url, call) => contentOutcome(await fetcher.fetchDigest(url, call))
}

/** What the outcome of a fetch says of content. */
export function contentOutcome(outcome: FetchOutcome): ContentOutcome {
  const { type: ended } = outcome
  if (ended === 'postponed' || ended === 'aborted' || ended === 'interrupted') return outcome
  if (outcome.type === 'fetched') {
    const { type, sha256, sha512, bytes, mediaType, finalUrl } = outcome
    return { type, sha256, sha512, bytes, mediaType, finalUrl }
  }
  const answered = outcome.type === 'http_status' ? outcome : undefined
  return {
    type: 'unavailable',
    reason: outcome.type,
    message: explainOutcome(outcome),
    url: outcome.url,
    httpStatus: answered?.status,
    retryAfterMs: answered?.retryAfterMs,
  }
}
