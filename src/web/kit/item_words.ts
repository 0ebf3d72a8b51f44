import type { Item } from '#actors/people/port.ts'

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
