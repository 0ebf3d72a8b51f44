import type { Fetcher } from '#src/delivery/fetch/fetcher.ts'
import { explainOutcome, type FetchOutcome } from '#src/delivery/fetch/outcome.ts'
import type { ContentFetcher, ContentOutcome } from '#actors/fixity/client.ts'

/** A host that was not asked, and why its address is no public one. */
export type RefusedHost = { readonly host: string; readonly reason: string }

/**
 * The port by which content is read, served by a fetcher. `report` is told for the operator alone
 * what an outcome does not say: the private address that was refused.
 */
export function contentFetcher(
  fetcher: Pick<Fetcher, 'fetchDigest'>,
  report: (refused: RefusedHost) => void,
): ContentFetcher {
  return async (url, call) => {
    const outcome = await fetcher.fetchDigest(url, call)
    if (outcome.type === 'refused_address') {
      report({ host: URL.parse(outcome.url)?.host ?? '', reason: outcome.reason })
    }
    return contentOutcome(outcome)
  }
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
