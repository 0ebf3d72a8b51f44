const { FULL_COUNTS } = process.env

/** How often something is tried: in every run, and where FULL_COUNTS=1 asks for more. */
type Counts = { readonly few: number; readonly full: number }

/**
 * As often as this run is to try it. The few find what every try can show; the full ones, before a
 * release, what only one of many does: an order of steps or a moment of a kill that comes seldom.
 */
export function countOf({ few, full }: Counts): number {
  return FULL_COUNTS === '1' ? full : few
}
