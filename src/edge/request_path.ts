import type { FastifyRequest } from 'fastify'

import { parseArkReference, type ParsedArk } from '#actors/values/ark.ts'
import { HttpError } from '#src/edge/errors.ts'

const authority = /^https?:\/\/[^/?#]*/i

/** A request target without the scheme and host that a client may put before it (RFC 9112 §3.2). */
export function withoutHost(target: string): string {
  return target.startsWith('/') ? target : target.replace(authority, '')
}

/** The path of a request exactly as the client sent it: still encoded, without query. */
export function rawPath(request: Pick<FastifyRequest, 'originalUrl'>): string {
  const target = withoutHost(request.originalUrl)
  const queryAt = target.indexOf('?')
  return queryAt < 0 ? target : target.slice(0, queryAt)
}

/**
 * An ARK may hold slashes, and what follows it in a path is told apart only by its words. So every
 * URL that carries an ARK is rewritten before it is routed: the ARK becomes one percent-encoded
 * segment, and `work` and `works` become one name. Routes are then ordinary ones, such as
 * `/v1/works/:ark/versions`, and serve every spelling.
 */
const collections =
  'works?|resolve|receipts|proofs|evidence|map|admin/takedowns|admin/suspensions/work'
const arkUrl = new RegExp(`^(/(?:api/)?v1)/(${collections})(?:/([^?]+))?(\\?.*)?$`, 's')

// An ARK alone is one segment too, so that whatever it holds reaches its route.
const bareUrl = /^\/(ark:[^?]*)(\?.*)?$/is

// A DOI may hold slashes too, and ends the path: what words it ends with is a part of it.
const doiUrl = /^(\/(?:api\/)?v1)\/works?\/by-doi\/([^?]+)(\?.*)?$/s

const feedUrl = /^(\/feeds\/works\/)([^?]+)(\.atom(?:\?.*)?)$/s

const words = 'versions|related|files|history|usage|verify|claim|citation|withdraw|erase|again'
const tail = new RegExp(`^(.+?)(/(?:${words}|v[0-9]+(?:/verify)?))/?$`, 's')

const dotSegment = /(?:^|\/)\.\.?(?:\/|$)/
// White space and hyphens mean nothing in an ARK, so they hide nothing either.
const decoration = /[-\u2010-\u2015\s]+/g

/** What stands below a collection and is a route of its own, where an ARK would stand. */
const staticSegments: ReadonlySet<string> = new Set([
  'works/bulk',
  'works/validate',
  'receipts/verify',
])

/**
 * The URL under which a request is routed: `/v1/work/ark:/1/x/versions` becomes
 * `/v1/works/ark%3A%2F1%2Fx/versions`. Other URLs stay as they are.
 */
export function routedUrl(url: string): string {
  const target = withoutHost(url)
  const bare = bareUrl.exec(target)
  if (bare !== null) return `/${encodeURIComponent(bare[1] ?? '')}${bare[2] ?? ''}`
  const feed = feedUrl.exec(target)
  if (feed !== null) return `${feed[1]}${encodeURIComponent(feed[2] ?? '')}${feed[3]}`
  const doi = doiUrl.exec(target)
  if (doi !== null) {
    return `${doi[1]}/works/by-doi/${encodeURIComponent(doi[2] ?? '')}${doi[3] ?? ''}`
  }
  const match = arkUrl.exec(target)
  if (match === null) return url
  const [, prefix = '', name = '', rest, query = ''] = match
  const collection = name === 'work' ? 'works' : name
  if (rest === undefined) return `${prefix}/${collection}${query}`
  if (staticSegments.has(`${collection}/${rest}`)) return `${prefix}/${collection}/${rest}${query}`
  const [, ark = rest, ending = ''] = tail.exec(rest) ?? []
  return `${prefix}/${collection}/${encodeURIComponent(ark)}${ending}${query}`
}

// What of a work is looked for where it is not: a version below `works`, all of `receipts`.
const missedVersion = /^(\/(?:api\/)?v1)\/works\/[^/?]+\/v[0-9]+(?:\?|$)/
const missedProof = /^(\/(?:api\/)?v1\/(?:receipts|proofs|evidence))\/[^/?]+(?:\?|$)/

/** Where is what was probably meant by a URL, as it is routed, at which there is nothing. */
export function advice(url: string): string | undefined {
  const [, prefix] = missedVersion.exec(url) ?? []
  if (prefix !== undefined) return `one version of a work is at ${prefix}/resolve/{ark}/v{version}`
  const [, collection] = missedProof.exec(url) ?? []
  return collection && `there is one for each version, at ${collection}/{ark}/v{version}`
}

/** An ARK as a client wrote it in a path, decoded once, and what it means. */
export type RequestedArk = { readonly requested: string; readonly parsed: ParsedArk }

/**
 * Reads the ARK of a path: `segment` is still percent-encoded as the client sent it. The label may
 * be missing, and the NAAN too: then it is `naan`. Throws HttpError `malformed_ark`.
 */
export function readArk(segment: string, naan: string): RequestedArk {
  const requested = decodeArk(segment)
  const parsed = parseArkReference(requested, naan)
  if (parsed.type === 'malformed') throw malformedArk(parsed.reason)
  return { requested, parsed }
}

/**
 * The text of an ARK, or of its start, that is percent-encoded in a path. Throws HttpError
 * `malformed_ark` for one that others on the way could take for another path.
 */
export function decodeArk(segment: string): string {
  const text = decodeOnce(segment)
  if (text.includes('%')) throw malformedArk('it has a percent sign after it was decoded once')
  if (dotSegment.test(text.replace(decoration, ''))) {
    throw malformedArk('it has a segment "." or ".."')
  }
  return text
}

function decodeOnce(segment: string): string {
  const text = decoded(segment)
  if (text === undefined) throw malformedArk('its percent-encoding is not that of UTF-8 text')
  return text
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The DOI that is percent-encoded in a path. HttpError `bad_request` if it is no UTF-8. */
export function decodeDoi(segment: string): string {
  const text = decoded(segment)
  if (text !== undefined) return text
  throw new HttpError('bad_request', 'The percent-encoding of the DOI is not that of UTF-8 text')
}

/** An error `malformed_ark`; `reason` completes the sentence "The ARK is malformed: …". */
export function malformedArk(reason: string): HttpError {
  return new HttpError('malformed_ark', `The ARK is malformed: ${reason}`)
}
