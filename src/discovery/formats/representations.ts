import {
  type Format,
  type FormatName,
  formatNames,
  formats,
} from '#src/discovery/formats/format_table.ts'
import type { CitationStyle } from '#src/discovery/formats/formatted_citation.ts'
import type { DescriptionLink } from '#src/discovery/formats/signposting.ts'

/** Representations at an ARK that are not among the formats, with their media types. */
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
export const representationNames: readonly RepresentationName[] = [
  'html',
  'json',
  'erc',
  ...formatNames,
  'linkset',
  'links',
]

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
export function mediaTypesOf(name: RepresentationName): readonly [string, ...string[]] {
  return name in formats ? formats[name as FormatName].mediaTypes : others[name as 'html']
}

/** The media type that a representation is sent with. */
export function mediaTypeOf(name: RepresentationName): string {
  return mediaTypesOf(name)[0]
}

/** The descriptions of a work for programs; `url` is the address of its ARK, or of a version. */
export function descriptionsOf(url: string): readonly DescriptionLink[] {
  return formatNames.map((name) => {
    const { mediaTypes, profile }: Format = formats[name]
    const href = `${url}?format=${name}`
    return { href, type: mediaTypes[0], ...(profile !== undefined && { profile }) }
  })
}
