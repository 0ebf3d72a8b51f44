import type { FastifyRequest } from 'fastify'

/** Parameters of a media type, such as `style=apa`; names in lower case, values unquoted. */
export type MediaTypeParameters = Readonly<Record<string, string>>

/** One media range of an Accept header; `quality` is 0 to 1, 0 meaning "not this". */
type MediaRange = {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  readonly parameters: MediaTypeParameters
}

/**
 * What an Accept header asks of a resource that has some media types: one it `named`, `any` (no
 * preference), or `none` of them.
 */
export type MediaTypeChoice<T extends string> =
  | { readonly type: 'named'; readonly mediaType: T; readonly parameters: MediaTypeParameters }
  | { readonly type: 'any' }
  | { readonly type: 'none' }

const rangePattern = /^([\w!#$&^.+*-]+)\/([\w!#$&^.+*-]+)$/
const tokenPattern = /^[\w!#$&^.+-]+$/
const qualityPattern = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Chooses among the `offered` media types (RFC 9110 §12.5.1): the named one of highest quality, the
 * first in the header among equals; a range such as `text/*` names the first offered type it
 * covers, but none of the `byName`. What cannot be parsed is left out; nothing left is as good as
 * no header.
 */
export function chooseMediaType<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
  byName: readonly T[] = [],
): MediaTypeChoice<T> {
  const ranges = (accept ?? '').split(',').flatMap(parseRange)
  if (ranges.length === 0) return { type: 'any' }
  const byQuality = ranges.filter(({ quality }) => quality > 0)
  byQuality.sort((a, b) => b.quality - a.quality)
  for (const range of byQuality) {
    const mediaType =
      offered.find((type) => covers(range, type) && !isExcluded(ranges, type)) ??
      byName.find((type) => type === `${range.type}/${range.subtype}`)
    if (mediaType !== undefined) {
      return { type: 'named', mediaType, parameters: range.parameters }
    }
  }
  return byQuality.some(({ type }) => type === '*') ? { type: 'any' } : { type: 'none' }
}

function parseRange(text: string): MediaRange[] {
  const [range = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase())
  const [, type, subtype] = rangePattern.exec(range) ?? []
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return []
  const weight = rest.find((parameter) => parameter.startsWith('q=')) ?? 'q=1'
  const quality = qualityPattern.exec(weight)?.[1]
  if (quality === undefined) return []
  return [{ type, subtype, quality: Number(quality), parameters: parametersOf(rest) }]
}

function parametersOf(texts: readonly string[]): MediaTypeParameters {
  const pairs = texts.flatMap((text) => {
    const [name = '', value] = text.split('=', 2).map((part) => part.trim())
    if (value === undefined || name === 'q' || !tokenPattern.test(name)) return []
    return [[name, value.replace(/^"(.*)"$/, '$1')] as const]
  })
  return Object.fromEntries(pairs)
}

// The range that covers everything names nothing.
function covers({ type, subtype }: MediaRange, mediaType: string): boolean {
  return mediaType === `${type}/${subtype}` || (subtype === '*' && mediaType.startsWith(`${type}/`))
}

function isExcluded(ranges: readonly MediaRange[], mediaType: string): boolean {
  return ranges.some(
    (range) => range.quality === 0 && mediaType === `${range.type}/${range.subtype}`,
  )
}

/** Whether the client would rather read a page than data. */
export function prefersHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const chosen = chooseMediaType(headers.accept, ['text/html', 'application/json'])
  return chosen.type === 'named' && chosen.mediaType === 'text/html'
}
