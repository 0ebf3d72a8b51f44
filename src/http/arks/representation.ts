import { type Format, type FormatName, formatNames, formats } from '#src/formats/format_table.ts'
import { type CitationStyle, citationStyle } from '#src/formats/formatted_citation.ts'
import { HttpError } from '#src/errors.ts'
import { chooseMediaType } from '#src/edge/accept.ts'
import type { Description } from '#src/formats/signposting.ts'

/** Representations at an ARK that are none of the formats, with their media types. */
const others = {
  html: ['text/html'],
  json: ['application/json', 'application/vnd.svc+json'],
  erc: ['text/plain'],
  linkset: ['application/linkset+json'],
  links: ['application/linkset'],
} as const

/** A representation of a work, as `?format=` names it. */
export type RepresentationName = keyof typeof others | FormatName

/** All representations at an ARK, in the order in which a range such as `text/*` means one. */
const representationNames: readonly RepresentationName[] = [
  'html',
  'json',
  'erc',
  ...formatNames,
  'linkset',
  'links',
]

/** What a client asks for by the query of an address; all are optional. */
export type FormatWish = {
  readonly format?: string
  readonly style?: string
  readonly locale?: string
}

/** What a client is given: a representation, and the style of a formatted citation. */
export type Choice = {
  readonly name: RepresentationName
  readonly style: CitationStyle
  /** Whether it was asked for by the address, as by a link that saves a file. */
  readonly isExport: boolean
}

/** A choice that is one of the formats. */
export type FormatChoice = Choice & { readonly name: FormatName }

/** The media types of a representation: the one that it is sent with, then others. */
function mediaTypesOf(name: RepresentationName): readonly [string, ...string[]] {
  return name in formats ? formats[name as FormatName].mediaTypes : others[name as 'html']
}

/** The media type that a representation is sent with. */
export function mediaTypeOf(name: RepresentationName): string {
  return mediaTypesOf(name)[0]
}

/**
 * Chooses a representation: by `?format=`, else by the Accept header. Undefined if the client has
 * no preference. HttpError `not_acceptable`, with what there is, if it wants others only. The style
 * in the address goes before that of Accept; references are in English, whatever the locale.
 */
export function chooseRepresentation(
  accept: string | undefined,
  wish: FormatWish,
): Choice | undefined {
  return choose(accept, wish, representationNames)
}

/** The same among the formats only; `application/json` is the one that programs cite with. */
export function chooseFormat(
  accept: string | undefined,
  wish: FormatWish,
): FormatChoice | undefined {
  return choose(accept, wish, formatNames, [['application/json', 'csl']])
}

function choose<N extends RepresentationName>(
  accept: string | undefined,
  wish: FormatWish,
  offered: readonly N[],
  aliases: readonly (readonly [mediaType: string, name: N])[] = [],
): (Choice & { readonly name: N }) | undefined {
  if (wish.format !== undefined) {
    const name = offered.find((one) => one === wish.format)
    if (name === undefined) throw notAcceptable(offered)
    return { name, style: citationStyle(wish.style), isExport: true }
  }
  const typed = offered.flatMap((name) => mediaTypesOf(name).map((type) => [type, name] as const))
  const names = new Map([...typed, ...aliases])
  const choice = chooseMediaType(accept, [...names.keys()])
  if (choice.type === 'none') throw notAcceptable(offered)
  const name = choice.type === 'named' ? names.get(choice.mediaType) : undefined
  if (choice.type === 'any' || name === undefined) return undefined
  const style = citationStyle(wish.style ?? choice.parameters['style'])
  return { name, style, isExport: false }
}

function notAcceptable(offered: readonly RepresentationName[]): HttpError {
  const available = offered.map(mediaTypeOf)
  const message = `There are ${available.join(', ')}; as ?format=, ${offered.join(', ')}`
  return new HttpError('not_acceptable', message, { extra: { available, formats: offered } })
}

/** The descriptions of a work for programs; `url` is the address of its ARK, or of a version. */
export function descriptionsOf(url: string): readonly Description[] {
  return formatNames.map((name) => {
    const { mediaTypes, profile }: Format = formats[name]
    const href = `${url}?format=${name}`
    return { href, type: mediaTypes[0], ...(profile !== undefined && { profile }) }
  })
}
