import type { Page } from '#actors/values/page.ts'

/** The versions of a page, of a work that has so many, in the order of the page. */
export function versionNumbers(
  total: number,
  { cursor, limit, order = 'oldest' }: Page<number>,
): number[] {
  if (order === 'oldest') {
    const after = cursor ?? 0
    return numbersBetween(after + 1, Math.min(total, after + limit))
  }
  const first = Math.min(total, (cursor ?? total + 1) - 1)
  return numbersBetween(Math.max(1, first - limit + 1), first).toReversed()
}

/** The whole numbers from one to another, both included. */
export function numbersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
