import type { ParsedArk } from '#actors/ark.ts'
import { parseDecimal } from '#log/decimal.ts'
import { readArk } from '#src/http/ark_path.ts'

/** What is asked about an object: its place (`redirect`), its description, or its JSON. */
export type Inquiry = 'redirect' | 'brief' | 'full' | 'json'

/** A request for an ARK at the root: what it names, and what it wants to know. */
export type ArkRequest = {
  readonly parsed: ParsedArk
  /** The ARK as the client spelled it, decoded. */
  readonly requested: string
  readonly inquiry: Inquiry
  /** The version asked for by a last `/v<n>`. */
  readonly version?: number
  /** What follows the name, as spelled, and the query: both go to the object's own address. */
  readonly suffix: string
  readonly query: string
}

const inflections: Readonly<Record<string, Inquiry>> = {
  '?': 'brief',
  '??': 'full',
  '?info': 'full',
  '?json': 'json',
}

/**
 * Reads a URL of the form `/ark:/naan/name…`, as the client sent it. Throws HttpError
 * `malformed_ark`. A key in the query is left out: it is not for the site the ARK leads to.
 */
export function readArkRequest(url: string): ArkRequest {
  const queryAt = url.indexOf('?')
  const path = queryAt < 0 ? url : url.slice(0, queryAt)
  const query = queryAt < 0 ? '' : url.slice(queryAt)
  // The route demands the label, so that no NAAN has to be assumed.
  const { requested, parsed } = readArk(path.slice(1), '')
  const suffix = suffixOf(requested, parsed)
  const version = parseDecimal(/^\/v(\d+)$/.exec(parsed.components)?.[1] ?? '')
  const inquiry = inflections[query]
  return {
    parsed,
    requested,
    inquiry: inquiry ?? 'redirect',
    ...(version !== undefined && parsed.variants === '' && { version }),
    suffix,
    query: inquiry === undefined ? withoutKey(query) : '',
  }
}

/**
 * What follows the name in the spelling of the client: hyphens mean nothing in an ARK, but do in
 * the address that the rest is appended to.
 */
function suffixOf(requested: string, { date, components, variants }: ParsedArk): string {
  if (components === '' && variants === '') return ''
  const name = date === undefined ? /^[^/]+\/+[^/.]+/ : /^[^/]+\/+[^/]+\/+[^/.]+/
  return requested
    .replace(/^.*?ark:\/*/i, '')
    .replace(name, '')
    .replace(/\s+/g, '')
}

function withoutKey(query: string): string {
  const parameters = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !new URLSearchParams(parameter).has('api_key'))
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`
}

/**
 * The address that a suffix and a query lead to, below the address of the object: `http://h/d` and
 * `/doc8/chap7` give `http://h/d/doc8/chap7`. Never another host. In ASCII, fit for a header.
 */
export function passThrough(objectUrl: string, suffix: string, query: string): string {
  const url = new URL(objectUrl)
  if (url.search !== '') url.search += suffix
  else if (suffix !== '') {
    // Just one slash stands between the object's path and a component of it.
    url.pathname = url.pathname.replace(/\/$/, suffix.startsWith('/') ? '' : '/') + suffix
  }
  url.search += url.search === '' ? query : query.replace('?', '&')
  return url.href
}
