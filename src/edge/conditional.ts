import type { FastifyRequest } from 'fastify'

import { HttpError } from '#src/errors.ts'

/** Entity tags in one header, at most. */
const tagsMax = 100

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
 * Whether If-None-Match says that the client already holds the representation with this quoted tag
 * (weak comparison: a `W/`, ours or a proxy's, does not matter). A malformed header says nothing.
 */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  const tags = parseEntityTags(header)
  return tags?.some((tag) => tag === '*' || opaque(tag) === opaque(etag)) ?? false
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/**
 * The tags of If-Match, for a change that must not overwrite another one; undefined without the
 * header. A malformed one is `bad_request`, because it was meant as a guard.
 */
export function ifMatch(request: FastifyRequest): readonly string[] | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  const tags = parseEntityTags(header)
  if (tags === undefined) {
    throw new HttpError('bad_request', 'If-Match must be * or a list of quoted entity tags')
  }
  return tags
}
