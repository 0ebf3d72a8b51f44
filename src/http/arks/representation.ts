import {
  type Choice,
  type FormatChoice,
  formatNames,
  mediaTypeOf,
  mediaTypesOf,
  type RepresentationName,
  representationNames,
} from '#src/discovery/formats/format_table.ts'
import { citationStyle } from '#src/discovery/formats/citation_styles.ts'
import { HttpError } from '#src/errors.ts'
import { chooseMediaType } from '#src/edge/accept.ts'

/** What a client asks for by the query of an address; all are optional. */
export type FormatQuery = {
  readonly format?: string
  readonly style?: string
  readonly locale?: string
}

/**
 * Chooses a representation: by `?format=`, else by the Accept header. Undefined if the client has
 * no preference. HttpError `not_acceptable`, with what there is, if it wants others only. The style
 * in the address goes before that of Accept; references are in English, whatever the locale.
 */
export function chooseRepresentation(
  accept: string | undefined,
  query: FormatQuery,
): Choice | undefined {
  return choose(accept, query, representationNames)
}

/** The same among the formats only; `application/json` is the one that programs cite with. */
export function chooseFormat(
  accept: string | undefined,
  query: FormatQuery,
): FormatChoice | undefined {
  return choose(accept, query, formatNames, [['application/json', 'csl']])
}

function choose<N extends RepresentationName>(
  accept: string | undefined,
  query: FormatQuery,
  offered: readonly N[],
  aliases: readonly (readonly [mediaType: string, name: N])[] = [],
): (Choice & { readonly name: N }) | undefined {
  if (query.format !== undefined) {
    const name = offered.find((one) => one === query.format)
    if (name === undefined) throw notAcceptable(offered)
    return { name, style: citationStyle(query.style), isExport: true }
  }
  const typed = offered.flatMap((name) => mediaTypesOf(name).map((type) => [type, name] as const))
  const names = new Map([...typed, ...aliases])
  const choice = chooseMediaType(accept, [...names.keys()])
  if (choice.type === 'none') throw notAcceptable(offered)
  const name = choice.type === 'named' ? names.get(choice.mediaType) : undefined
  if (choice.type === 'any' || name === undefined) return undefined
  const style = citationStyle(query.style ?? choice.parameters['style'])
  return { name, style, isExport: false }
}

function notAcceptable(offered: readonly RepresentationName[]): HttpError {
  const available = offered.map(mediaTypeOf)
  const message = `There are ${available.join(', ')}; as ?format=, ${offered.join(', ')}`
  return new HttpError('not_acceptable', message, { extra: { available, formats: offered } })
}
