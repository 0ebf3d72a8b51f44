import { createHash } from 'node:crypto'
import type { FetchedContent, UnavailableContent } from '#actors/works/content.ts'
import type { ContentOutcome } from '#actors/works/fixity/client.ts'

/** Content as a fetch of it ends. */
export function fetched(text: string, changes: Partial<FetchedContent> = {}): FetchedContent {
  return {
    type: 'fetched',
    sha256: createHash('sha256').update(text).digest('hex'),
    sha512: createHash('sha512').update(text).digest('hex'),
    bytes: Buffer.byteLength(text),
    mediaType: 'application/pdf',
    finalUrl: 'https://example.org/work',
    ...changes,
  }
}

/** The content hash of a text. */
export function hashOf(text: string): string {
  return `sha256:${fetched(text).sha256}`
}

/** A server that answers with an error. */
export function unavailable(
  httpStatus: number,
  retryAfterMs?: number,
): UnavailableContent & ContentOutcome {
  return {
    type: 'unavailable',
    reason: 'http_status',
    message: `the server answered ${httpStatus}`,
    url: 'https://example.org/work',
    httpStatus,
    retryAfterMs,
  }
}
