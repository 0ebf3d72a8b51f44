import type { EnvironmentName } from '#actors/registry/environment.ts'
import { useKinds } from '#src/edge/uses.ts'

export const dayMs = 86_400_000

/** How often each kind of use was counted, in the order of `useKinds`. */
export type UseCounts = readonly number[]

/** A work whose uses are counted, and the slug of the organization that owned it then, if any. */
export type UsedWork = readonly [
  environment: EnvironmentName,
  ark: string,
  organization: string | null,
  counts: UseCounts,
]

/** What was counted on one day, in days since 1970. */
export type UsageBatch = { readonly day: number; readonly works: readonly UsedWork[] }

/** Works that one batch tells of: whoever writes it holds up nobody for longer than some ms. */
export const batchWorksMax = 500

/** Bytes of the names in a batch, which are ASCII. */
export const batchBytesMax = 65_536

/** The month of a day, as a count of months since the year 0. */
export function monthOf(day: number): number {
  const date = new Date(day * dayMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The first day of a month that `monthOf` gives. */
export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / dayMs
}

/** How many uses a batch tells of. */
export function usesIn({ works }: UsageBatch): number {
  return works.reduce((sum, [, , , counts]) => counts.reduce((all, count) => all + count, sum), 0)
}

/** Counts of which none is. */
export function noUses(): number[] {
  return useKinds.map(() => 0)
}

/** Adds counts to a sum. */
export function addCounts(sum: number[], counts: UseCounts): void {
  counts.forEach((count, index) => (sum[index] = (sum[index] ?? 0) + count))
}
