import { type ParsedArk, parseNaan } from '#actors/values/ark.ts'
import { hasDotSegment } from '#actors/values/identifier.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import {
  type CitationForm,
  citationForm,
  usualForm,
} from '#src/discovery/formats/citation_styles.ts'
import {
  type Choice,
  type FormatChoice,
  formatNames,
  mediaTypeOf,
  mediaTypesOf,
  type RepresentationName,
  representationNames,
} from '#src/discovery/formats/format_table.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import { decodeArk, malformedArk, readArk } from '#src/edge/request_path.ts'
import { HttpError } from '#src/edge/errors.ts'

/** What is asked about an object: nothing by name, its content, its description, or its JSON. */
export type Inquiry = 'redirect' | 'content' | 'brief' | 'full' | 'json'

/** A request for an ARK at the root: what it names, and what it wants to know. */
export type ArkRequest = {
  readonly parsed: ParsedArk
  /** The ARK as the client spelled it, decoded. */
  readonly requested: string
  readonly inquiry: Inquiry
  /** The version asked for by a last `/v<n>`. */
  readonly version?: number
  /**
   * What follows the name, as spelled, and the query: both go to the object's own address. An
   * inflection is a query, too, which another resolver is asked in turn.
   */
  readonly suffix: string
  readonly query: string
  /** The representation that the query asks for; what is below the object is asked of its site. */
  readonly formatQuery: FormatQuery
}

const inflections: Readonly<Record<string, Inquiry>> = {
  '?': 'brief',
  '??': 'full',
  '?info': 'full',
  '?json': 'json',
}

// What follows is a query for the site of the object.
const contentQuery = /^\?content(?:&|$)/

/**
 * Reads a URL of the form `/ark:/naan/name…`, as the client sent it. Throws HttpError
 * `malformed_ark`. A key in the query is left out: it is not for the site the ARK leads to.
 */
export function readArkRequest(url: string): ArkRequest {
  const { path, query } = splitUrl(url)
  // The route demands the label, so that no NAAN has to be assumed.
  const { requested, parsed } = readArk(path.slice(1), '')
  const suffix = suffixOf(requested, parsed)
  // Behind the address of the object, dots that stand right behind a name are a segment.
  if (hasDotSegment(suffix)) throw malformedArk('it has a segment "." or ".."')
  const version = parseDecimal(/^\/v(\d+)$/.exec(parsed.components)?.[1] ?? '')
  const inquiry = contentQuery.test(query) ? 'content' : inflections[query]
  const isVersion = version !== undefined && parsed.variants === ''
  const isOfWork = suffix === '' || isVersion
  // What is below the object is its content: another resolver, or its site, is asked all of it.
  const isOther = inquiry === 'content' && !isOfWork
  return {
    parsed,
    requested,
    inquiry: inquiry === undefined || isOther ? 'redirect' : inquiry,
    ...(isVersion && { version }),
    formatQuery: isOfWork ? readFormatQuery(query) : {},
    suffix,
    query: queryFor(inquiry, query, isOfWork),
  }
}

/** What of a query goes on to the object, or to the resolver that knows it. */
function queryFor(inquiry: Inquiry | undefined, query: string, isOfWork: boolean): string {
  if (inquiry === undefined) return withoutKey(query)
  if (inquiry !== 'content') return query
  return withoutKey(isOfWork ? query.replace(contentQuery, '?') : query)
}

function readFormatQuery(query: string): FormatQuery {
  const parameters = new URLSearchParams(query)
  const given = ['format', 'style', 'locale'].flatMap((name) => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** What is asked for at an ARK without a name, such as `/ark:12345`: what is known of its NAAN. */
export type NaanRequest = { readonly naan: string; readonly query: string }

/** Reads a URL of the form `/ark:naan`; undefined for any other. Errors as above. */
export function readNaanRequest(url: string): NaanRequest | undefined {
  const { path, query } = splitUrl(url)
  const naan = parseNaan(decodeArk(path.slice(1)))
  return naan === undefined ? undefined : { naan, query: withoutKey(query) }
}

// Programs that encode an ARK encode its inflection with it: at the end, nothing else is meant.
const encodedInflection = /%3f(?:%3f|info|json)?$/i

function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const queryAt = url.indexOf('?')
  if (queryAt >= 0) return { path: url.slice(0, queryAt), query: url.slice(queryAt) }
  const [encoded] = encodedInflection.exec(url) ?? []
  if (encoded === undefined) return { path: url, query: '' }
  const query = encoded.toLowerCase().replaceAll('%3f', '?')
  return { path: url.slice(0, -encoded.length), query }
}

// What stands before a suffix: label, NAAN, perhaps a day, and name. Hyphens, and slashes and dots
// one after the other, may stand between them.
const undatedName = /^.*?ark:[-\u2010-\u2015/]*[^/]+[-\u2010-\u2015/.]+[^/.]+/i
const datedName = new RegExp(`${undatedName.source}[-\\u2010-\\u2015/.]+[^/.]+`, 'i')

/**
 * What follows the name in the spelling of the client: hyphens mean nothing in an ARK, but do in
 * the address that the rest is appended to.
 */
function suffixOf(requested: string, { date, components, variants }: ParsedArk): string {
  if (components === '' && variants === '') return ''
  const text = requested.replace(/\s+/g, '')
  return text.replace(date === undefined ? undatedName : datedName, '')
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

/** What a client asks for by the query of an address; all are optional. */
export type FormatQuery = {
  readonly format?: string
  readonly style?: string
  readonly locale?: string
}

/**
 * Chooses a representation: by `?format=`, else by the Accept header. Undefined if the client has
 * no preference, `content` if it names the media type of that. HttpError `not_acceptable`, with
 * what there is, if it wants others only. The style and the locale in the address go before those
 * of Accept; Accept-Language says nothing here.
 */
export function chooseRepresentation(
  accept: string | undefined,
  query: FormatQuery,
  contentType = '',
  offered = representationNames,
): Choice | 'content' | undefined {
  const [mediaType = ''] = contentType.toLowerCase().split(/\s*;/, 1)
  if (query.format === undefined) {
    const choice = chooseMediaType(accept, representationTypes, [mediaType])
    if (choice.type === 'named' && !representationTypes.includes(choice.mediaType)) return 'content'
  }
  return choose(accept, query, offered)
}

/**
 * What is left of an offer where a work is `lacking` something for what Accept chose of it, to a
 * client that takes any of that as well. Undefined if there is none, or the address named it.
 */
export function othersOf<N extends RepresentationName>(
  accept: string | undefined,
  offered: readonly N[],
  choice: Choice | undefined,
  lacking: string | undefined,
): readonly N[] | undefined {
  if (lacking === undefined || choice?.isExport !== false) return undefined
  const others = offered.filter((name) => name !== choice.name)
  return chooseMediaType(accept, [...namesByType(others).keys()]).type === 'none'
    ? undefined
    : others
}

const representationTypes: readonly string[] = representationNames.flatMap(mediaTypesOf)

/** The same among the formats only; `application/json` is the one that programs cite with. */
export function chooseFormat(
  accept: string | undefined,
  query: FormatQuery,
  offered = formatNames,
): FormatChoice | undefined {
  return choose(accept, query, offered)
}

/** The media types of an offer; without the registry's own JSON, any is what programs cite by. */
function namesByType<N extends RepresentationName>(offered: readonly N[]): ReadonlyMap<string, N> {
  const typed = offered.flatMap((name) => mediaTypesOf(name).map((type) => [type, name] as const))
  const csl = offered.find((name) => name === 'csl')
  const isAlias = csl !== undefined && !offered.some((name) => name === 'json')
  return new Map([...typed, ...(isAlias ? [['application/json', csl] as const] : [])])
}

function choose<N extends RepresentationName>(
  accept: string | undefined,
  query: FormatQuery,
  offered: readonly N[],
): (Choice & { readonly name: N }) | undefined {
  if (query.format !== undefined) {
    const name = offered.find((one) => one === query.format)
    if (name === undefined) throw notAcceptable(offered)
    return { name, ...formOf(name, query.style, query.locale), isExport: true }
  }
  const names = namesByType(offered)
  const choice = chooseMediaType(accept, [...names.keys()])
  if (choice.type === 'none') throw notAcceptable(offered)
  const name = choice.type === 'named' ? names.get(choice.mediaType) : undefined
  if (choice.type === 'any' || name === undefined) return undefined
  const { style, locale } = choice.parameters
  const form = formOf(name, query.style ?? style, query.locale ?? locale)
  return { name, ...form, isExport: false }
}

// Of all representations, references alone have a form.
function formOf(name: RepresentationName, style = '', locale = ''): CitationForm {
  if (name !== 'citation') return usualForm
  const found = citationForm(style, locale)
  if (found.type === 'ok') return found.form
  const { near } = found
  const shown = style.slice(0, shownCharactersMax)
  const ways = near.length === 0 ? '' : `; near it are ${near.join(', ')}`
  const message = `style: there is no style "${shown}"${ways}. GET /v1/citation-styles lists all`
  throw new HttpError('bad_request', message, { extra: { near } })
}

const shownCharactersMax = 60

function notAcceptable(offered: readonly RepresentationName[]): HttpError {
  const available = offered.map(mediaTypeOf)
  const message = `There are ${available.join(', ')}; as ?format=, ${offered.join(', ')}`
  return new HttpError('not_acceptable', message, { extra: { available, formats: offered } })
}
