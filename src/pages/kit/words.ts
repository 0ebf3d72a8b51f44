import type { Html } from '#src/pages/kit/html.ts'
import { badge, type BadgeKind } from '#src/pages/kit/parts.ts'
import type { FixityStatus } from '#actors/receipts/statement.ts'
import type { Item } from '#actors/people/port.ts'

/** What readers are told of the content of a work. */
export const fixityWords: Readonly<Record<FixityStatus, readonly [words: string, BadgeKind]>> = {
  verified: ['Content unchanged', 'good'],
  pending: ['Content not checked yet', 'waiting'],
  failed: ['Content changed', 'bad'],
  unreachable: ['Content not confirmed', 'waiting'],
}

/** Whether the content of a work still is what was registered. */
export function fixityBadge(status: FixityStatus): Html {
  return badge(...fixityWords[status])
}

/** A type of works in words: `Review article`. */
export function typeName(workType: string): string {
  const words = workType.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A number as people read it: `12,345`. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en-US')
}

/** A number of things: `1 work`, `12,345 works`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/** What an item says, in one line. */
export function itemTitle(item: Item): string {
  if (item.kind === 'affiliation') {
    const { role, department, organization, start_year, end_year } = item.fields
    const years = start_year === undefined ? '' : `${start_year}–${end_year ?? ''}`
    return [role, department, organization, years].filter(Boolean).join(', ')
  }
  const { degree, institution, year } = item.fields
  return [degree, institution, year].filter(Boolean).join(', ')
}
