import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'

import { type Order, orders, type Page } from '#actors/journal/rows.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  integerParameter,
  type Parameter,
  type Parameters,
  readQuery,
  textParameter,
  type Values,
} from '#src/edge/query_string.ts'
import { component, nullable } from '#src/edge/reply_schemas.ts'
import { rawPath } from '#src/edge/request_path.ts'

/** What every page of a list has as its `links`. */
export const pageLinksSchema = component('PageLinks', {
  self: Type.String(),
  next: nullable(
    Type.String(),
    'The page that follows, as it was asked for this one; null if none does.',
  ),
})

const nextDescription = 'What `cursor` takes for the page that follows; null if none does.'

/** What every page of a list ends with; `cursor` is what names the page that follows. */
export function pageMembers<T extends TSchema>(cursor: T) {
  return { next: nullable(cursor, nextDescription), links: pageLinksSchema }
}

const cursor = 'cursor'

const cursorDescription =
  'Where the page begins: as `links.next` of the page before has it; absent for the first page.'

/** A cursor that is a whole number. */
export const numberCursor = integerParameter(cursorDescription, {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
})

/** A cursor that is the name of a record. */
export const nameCursor = textParameter(
  cursorDescription,
  /^[0-9a-z/-]{1,300}$/,
  'the cursor of a page',
)

/** The order in which a list is read; `description` says which is the one without it. */
export function orderParameter(description: string): Parameter<Order> {
  return {
    read: (text) => orders.find((order) => order === text),
    accepts: `one of ${orders.join(', ')}`,
    schema: Type.String({ title: 'Order', description, enum: [...orders] }),
  }
}

/** How a list is read page by page. */
export type PagedList<C> = {
  readonly cursor: Parameter<C>
  /** What the cursor was called before every list called it so: it is taken as well. */
  readonly olderName?: 'after' | 'before'
  /** Entries on one page by default, and at most. */
  readonly limit: number
  readonly limitMax: number
  /** The order by default. */
  readonly order: Order
}

/** The parameters of a list, and what they ask for. */
export type ListPages<C> = {
  readonly parameters: Parameters
  /** The page that a request with no other parameters asks for. Errors as `readQuery`. */
  read(request: FastifyRequest): Page<C> & { readonly order: Order }
  /** The page that parameters ask for which were read already. */
  of(values: Values<Parameters>): Page<C> & { readonly order: Order }
}

/** Makes the parameters by which every list is read: `cursor`, `limit` and `order`. */
export function pagesOf<C>(list: PagedList<C>): ListPages<C> {
  const { olderName, limit, limitMax, order } = list
  const parameters: Parameters = {
    [cursor]: list.cursor,
    ...(olderName !== undefined && { [olderName]: { ...list.cursor, aliasOf: cursor } }),
    limit: integerParameter(`Entries at most; ${limit} unless told.`, {
      minimum: 1,
      maximum: limitMax,
    }),
    order: orderParameter(`Which entries come first; the ${order} unless told.`),
  }
  const of = (values: Values<Parameters>) => {
    const place = onlyOne(values, [cursor, ...(olderName === undefined ? [] : [olderName])])
    return {
      ...(place !== undefined && { cursor: place as C }),
      limit: (values['limit'] as number | undefined) ?? limit,
      order: (values['order'] as Order | undefined) ?? order,
    }
  }
  return { parameters, of, read: (request) => of(readQuery(request, parameters)) }
}

/** The value of the one parameter that is given of several that mean the same. */
function onlyOne(values: Values<Parameters>, names: readonly string[]): unknown {
  const given = names.filter((name) => values[name] !== undefined)
  const [name, ...others] = given
  if (name === undefined) return undefined
  if (others.length === 0) return values[name]
  throw new HttpError('bad_request', `Give one of ${given.join(' and ')}: they mean the same`)
}

/**
 * The addresses of the page that a request has asked for, and of the one that begins at `next`,
 * with everything else that it asks for. A key that stood in the address stays out of it.
 */
export function pageLinks(
  baseUrl: string,
  request: FastifyRequest,
  next: number | string | null,
): { readonly self: string; readonly next: string | null } {
  const { api_key: _, ...query } = request.query as Readonly<Record<string, string | string[]>>
  const given = Object.entries(query).flatMap(([name, values]) => {
    return [values].flat().map((value) => [name, value] as const)
  })
  const { parameters = {} } = request.routeOptions.config
  const isPlace = (name: string) => name === cursor || parameters[name]?.aliasOf === cursor
  const kept = given.filter(([name]) => !isPlace(name))
  const address = (asked: readonly (readonly [name: string, value: string])[]) => {
    const text = new URLSearchParams(asked.map((one) => [...one])).toString()
    return `${baseUrl}${rawPath(request)}${text === '' ? '' : `?${text}`}`
  }
  const following = next === null ? null : address([...kept, [cursor, String(next)]])
  return { self: address(given), next: following }
}

/**
 * A page of entries that are all at hand, the oldest first; `nameOf` tells what names an entry, and
 * a cursor names the last one seen. HttpError `bad_request` for one that names none.
 */
export function pageOf<T>(
  entries: readonly T[],
  { cursor: last, limit, order }: Page<string>,
  nameOf: (entry: T) => string,
): { readonly entries: readonly T[]; readonly next: string | null } {
  const ordered = order === 'newest' ? entries.toReversed() : entries
  const place = last === undefined ? -1 : ordered.findIndex((entry) => nameOf(entry) === last)
  if (last !== undefined && place < 0) throw placeLost()
  const page = ordered.slice(place + 1, place + 1 + limit)
  const isLast = place + 1 + limit >= ordered.length
  const end = page.at(-1)
  return { entries: page, next: isLast || end === undefined ? null : nameOf(end) }
}

function placeLost(): HttpError {
  const message = 'The query parameter cursor names no entry of this list now; begin without it'
  return new HttpError('bad_request', message)
}
