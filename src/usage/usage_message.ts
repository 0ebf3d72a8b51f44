import { useKinds } from '#src/edge/uses.ts'
import type { UsageBatch, UsedWork } from '#src/usage/usage_batch.ts'

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
  const told = parse(bytes)
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
): UsedWork | undefined {
  if (!Array.isArray(work)) return undefined
  const [environmentPlace, ark, organizationPlace, ...counts] = work as unknown[]
  const environment = environments[Number(environmentPlace)]
  const organization = organizations[Number(organizationPlace)]
  if (environment === undefined || organization === undefined || !isName(ark)) return undefined
  if (counts.length !== useKinds.length || !counts.every(isCount)) return undefined
  return [environment, ark, organization, counts]
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
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
