/** The directions in which a list can be read. */
export const orders = ['oldest', 'newest'] as const

/** Which entries of a list come first. */
export type Order = (typeof orders)[number]

/**
 * A part of a list: so many entries at most, in an order, from the place that `cursor` names, which
 * is the `next` of the page before. Without a cursor it begins at the beginning, and without an
 * order it is read in the one that the list says it has.
 */
export type Page<Cursor> = {
  readonly cursor?: Cursor
  readonly order?: Order
  readonly limit: number
}
