import type { IncomingHttpHeaders } from 'node:http'

import { type ContentCoding, contentCodings } from '#src/edge/content_coding.ts'
import { HttpError } from '#src/edge/errors.ts'

/** Entity tags in one header, at most. */
const tagsMax = 100

/** A request with conditions. */
type Conditional = { readonly headers: IncomingHttpHeaders }

const tagForm = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/

/**
 * The entity tags of an If-Match or If-None-Match header, weak ones with their `W/`; `['*']` for
 * any (RFC 9110 §13.1). Undefined if the header is not such a list.
 */
export function parseEntityTags(header: string): readonly string[] | undefined {
  const text = header.trim()
  if (text === '*') return ['*']
  // An entity tag may hold a comma, so the list is cut between a quote and a comma only.
  const tags = text.split(/(?<=")[ \t]*,[ \t]*/, tagsMax + 1)
  return tags.length <= tagsMax && tags.every((tag) => tagForm.test(tag)) ? tags : undefined
}

/**
 * The tag of what has this one in a content coding: other bytes, and so another strong tag, which
 * ends in the coding's name (RFC 9110 §8.8.3.3). A weak tag is that of all codings.
 */
export function codedTag(etag: string, coding: ContentCoding): string {
  return etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}-${coding}"`
}

const codingSuffix = new RegExp(`-(?:${contentCodings.join('|')})"$`)

/** The tag of what is coded in what has this one. */
function uncodedTag(tag: string): string {
  return tag.replace(codingSuffix, '"')
}

/**
 * Whether If-None-Match says that the client already holds the representation with this quoted tag,
 * in any coding (weak comparison: a `W/`, ours or a proxy's, does not matter). A malformed header
 * says nothing.
 */
export function isNotModified(request: Conditional, etag: string): boolean {
  return heldTags(request).some((tag) => tag === '*' || isOf(tag, etag))
}

/** The tag of If-None-Match that is this one in a coding, if that is what the client holds. */
export function heldCodedTag(request: Conditional, etag: string): string | undefined {
  const held = heldTags(request).map(opaque)
  if (etag.startsWith('W/') || held.includes(etag)) return undefined
  return held.find((tag) => uncodedTag(tag) === etag)
}

function heldTags(request: Conditional): readonly string[] {
  const header = request.headers['if-none-match']
  return header === undefined ? [] : (parseEntityTags(header) ?? [])
}

function isOf(tag: string, etag: string): boolean {
  return opaque(tag) === opaque(etag) || uncodedTag(opaque(tag)) === opaque(etag)
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/**
 * The tags of If-Match, for a change that must not overwrite another one, each as it is without a
 * content coding: what was read in one is what is there. Undefined without the header. A malformed
 * one is `bad_request`, because it was meant as a guard.
 */
export function ifMatch(request: Conditional): readonly string[] | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  const tags = parseEntityTags(header)
  if (tags === undefined) {
    throw new HttpError('bad_request', 'If-Match must be * or a list of quoted entity tags')
  }
  return tags.map(uncodedTag)
}

/**
 * Whether If-None-Match says that a write must not replace what is there: `*`. Any other one is
 * `bad_request`, because it was meant as a guard.
 */
export function isOnlyNew({ headers }: Conditional): boolean {
  const header = headers['if-none-match']
  if (header === undefined) return false
  if (header.trim() === '*') return true
  throw new HttpError('bad_request', 'If-None-Match must be * where something is written')
}
