import type { EnvironmentName } from '#actors/registry/environment.ts'
import { parseJson } from '#actors/values/serialization.ts'
import { useKinds } from '#src/edge/uses.ts'

export const dayMs = 86_400_000

/** How often each kind of use was counted, in the order of `useKinds`. */
export type UseCounts = readonly number[]

/** A work whose uses are counted, and the slug of the organization that owned it then, if any. */
export type BatchedWork = readonly [
  environment: EnvironmentName,
  ark: string,
  organization: string | null,
  counts: UseCounts,
]

/** What was counted on one day, in days since 1970. */
export type UsageBatch = { readonly day: number; readonly works: readonly BatchedWork[] }

/** Works that one batch tells of: so writing it takes some ms at most. */
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

/** A batch as a node tells it to all: `number` goes up by one in each `life` of a process. */
export type UsageMessage = {
  readonly life: string
  readonly number: number
  readonly batch: UsageBatch
}

const format = 1

/** What nobody writes: more works, longer names, or more uses than that. */
const worksMax = 10_000
const nameCharactersMax = 4_096
const countMax = 1e12
const dayMax = 1e6

const environments = ['live', 'sandbox'] as const

/** Spells a message: JSON in which each organization stands once. */
export function encodeUsageMessage({ life, number, batch }: UsageMessage): Uint8Array {
  const organizations = [...new Set(batch.works.map(([, , organization]) => organization))]
  const places = new Map(organizations.map((organization, place) => [organization, place]))
  const works = batch.works.map(([environment, ark, organization, counts]) => {
    return [environments.indexOf(environment), ark, places.get(organization), ...counts]
  })
  return Buffer.from(JSON.stringify({ format, life, number, day: batch.day, organizations, works }))
}

/** What a message says; undefined for one that no node of this release writes. */
export function decodeUsageMessage(bytes: Uint8Array): UsageMessage | undefined {
  const told = parseJson(Buffer.from(bytes).toString('utf8'))
  if (told === null || typeof told !== 'object') return undefined
  const { format: of, life, number, day, organizations, works } = told as Record<string, unknown>
  if (of !== format || !isName(life) || !isCount(number) || !isCount(day) || day > dayMax) {
    return undefined
  }
  if (!isList(organizations) || !isList(works)) return undefined
  if (!organizations.every((slug) => slug === null || isName(slug))) return undefined
  const decoded = works.map((work) => decodeWork(work, organizations))
  if (decoded.includes(undefined)) return undefined
  return { life, number, batch: { day, works: decoded.filter((work) => work !== undefined) } }
}

function decodeWork(
  work: unknown,
  organizations: readonly (string | null)[],
): BatchedWork | undefined {
  if (!Array.isArray(work)) return undefined
  const [environmentPlace, ark, organizationPlace, ...counts] = work as unknown[]
  const environment = environments[Number(environmentPlace)]
  const organization = organizations[Number(organizationPlace)]
  if (environment === undefined || organization === undefined || !isName(ark)) return undefined
  if (counts.length !== useKinds.length || !counts.every(isCount)) return undefined
  return [environment, ark, organization, counts]
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= worksMax
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= nameCharactersMax
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= countMax
}
