import { HttpError } from '#src/edge/errors.ts'
import { type UseKind, useKinds } from '#src/edge/uses.ts'
import { dayMs, monthOf } from '#src/operations/usage/usage_batch.ts'
import {
  daysKept,
  type UsageRow,
  type UsageSubject,
  type UsedWork,
} from '#src/operations/usage/usage_rows.ts'
import type { Usage } from '#src/operations/usage/usage.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Week } from '#src/delivery/mail/news.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { unlessDamaged } from '#log/tlog/errors.ts'

export const granularities = ['day', 'month', 'year'] as const

export type Granularity = (typeof granularities)[number]

/** How often each kind of use was counted. */
export type UsageCounts = Readonly<Record<UseKind, number>>

/** The same in one period: `2026-11-24`, `2026-11` or `2026`. */
export type UsagePeriod = UsageCounts & { readonly period: string }

/** The uses between two periods, both included, each with its counts, and all of them together. */
export type UsageReport = {
  readonly granularity: Granularity
  readonly from: string
  readonly to: string
  readonly total: UsageCounts
  readonly periods: readonly UsagePeriod[]
}

/** What is asked: days as `YYYY-MM-DD`, of which the months and years are told as a whole. */
export type UsageQuestion = {
  readonly granularity?: Granularity
  readonly from?: string
  readonly to?: string
}

/** Periods of a report, at most and by default. */
const periodsMax = { day: daysKept, month: 600, year: 100 } as const
const periodsUsual = { day: 30, month: 12, year: 10 } as const

/**
 * Reads how often something was used, or several things together. `nowMs` is the time of day.
 * Throws HttpError `bad_request` for a question that has no answer, with what to ask instead.
 */
export function readUsage(
  usage: Pick<Usage, 'read'>,
  subject: UsageSubject | readonly UsageSubject[],
  question: UsageQuestion,
  nowMs: number,
): UsageReport {
  const { granularity = 'day' } = question
  const today = Math.floor(nowMs / dayMs)
  const to = placeOf(question.to === undefined ? today : dayOf(question.to), granularity)
  const usual = to - periodsUsual[granularity] + 1
  const from = question.from === undefined ? usual : placeOf(dayOf(question.from), granularity)
  if (from > to) throw refusal('The day `from` must not be after `to`')
  if (to - from >= periodsMax[granularity]) {
    const most = `${periodsMax[granularity]} ${granularity}s`
    throw refusal(`From \`from\` to \`to\` there may be ${most}; ask for fewer, or for longer ones`)
  }
  if (granularity === 'day' && from <= today - daysKept && question.from !== undefined) {
    const since = labelOf(today - daysKept + 1, 'day')
    throw refusal(`Days are kept since ${since}; of older ones ask for granularity=month`)
  }
  const rows = [subject].flat().flatMap((each) => {
    if (granularity === 'day') return usage.read('days', each, from, to)
    return usage.read('months', each, ...monthsOf(from, to, granularity))
  })
  return reportOf(rows, from, to, granularity)
}

function reportOf(
  rows: readonly UsageRow[],
  from: number,
  to: number,
  granularity: Granularity,
): UsageReport {
  const sums = Array.from({ length: to - from + 1 }, () => useKinds.map(() => 0))
  const total = useKinds.map(() => 0)
  for (const { at, counts } of rows) {
    const sum = sums[(granularity === 'year' ? Math.floor(at / 12) : at) - from]
    counts.forEach((count, index) => {
      if (sum !== undefined) sum[index] = (sum[index] ?? 0) + count
      total[index] = (total[index] ?? 0) + count
    })
  }
  return {
    granularity,
    from: labelOf(from, granularity),
    to: labelOf(to, granularity),
    total: named(total),
    periods: sums.map((counts, index) => {
      return { period: labelOf(from + index, granularity), ...named(counts) }
    }),
  }
}

/** The day that a text names, in days since 1970; a text that names none is refused. */
function dayOf(text: string): number {
  const ms = Date.parse(`${text}T00:00:00.000Z`)
  // JavaScript takes the 31st of February for a day of March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) {
    throw refusal(`There is no day ${text}`)
  }
  return ms / dayMs
}

function placeOf(day: number, granularity: Granularity): number {
  if (granularity === 'day') return day
  return granularity === 'month' ? monthOf(day) : Math.floor(monthOf(day) / 12)
}

function monthsOf(from: number, to: number, granularity: 'month' | 'year'): [number, number] {
  return granularity === 'month' ? [from, to] : [from * 12, to * 12 + 11]
}

function labelOf(place: number, granularity: Granularity): string {
  if (granularity === 'day') return new Date(place * dayMs).toISOString().slice(0, 10)
  const year = String(granularity === 'month' ? Math.floor(place / 12) : place).padStart(4, '0')
  if (granularity === 'year') return year
  return `${year}-${String((place % 12) + 1).padStart(2, '0')}`
}

function named(counts: readonly number[]): UsageCounts {
  const [resolutions = 0, landings = 0, verifications = 0, harvests = 0] = counts
  return { resolutions, landings, verifications, harvests }
}

function refusal(message: string): HttpError {
  return new HttpError('bad_request', message)
}

/** A report as a table (RFC 4180), with the names of its columns first. */
export function usageCsv({ periods }: UsageReport): string {
  const lines = periods.map((period) => [period.period, ...useKinds.map((kind) => period[kind])])
  return [['period', ...useKinds], ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

type WeekSources = {
  readonly environment: Pick<ServedEnvironment, 'name' | 'holdings' | 'claims' | 'catalogue'>
  readonly keys: Pick<KeyStore, 'list'>
  /** Where uses are counted. */
  readonly usage?: Pick<Usage, 'read' | 'mostUsed'>
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** What is counted of each, at most: beyond it the number stands for "at least". */
const countedMax = 1_000

/** Works of all that are looked at for the most used ones of each organization, and these. */
const usedMax = 5_000
const mostUsedMax = 10

const keyEndsMs = 30 * dayMs

/**
 * Reads what an organization is told of the week that begins on a day of UTC, `YYYY-MM-DD`. Which
 * works were used most is looked for once for all organizations that are told of one week.
 */
export function weekReader(
  sources: WeekSources,
): (slug: string, firstDay: string) => Promise<Week> {
  let used: { readonly firstDay: string; readonly works: Promise<UsedByOwner> } | undefined
  return async (slug, firstDay) => {
    if (used?.firstDay !== firstDay) used = { firstDay, works: usedInWeek(sources, firstDay) }
    try {
      return await readWeek(sources, slug, firstDay, (await used.works).get(slug) ?? [])
    } catch (error) {
      used = undefined
      throw error
    }
  }
}

async function readWeek(
  sources: WeekSources,
  slug: string,
  firstDay: string,
  usedWorks: readonly UsedWork[],
): Promise<Week> {
  const { environment, keys, usage, nowMs } = sources
  const owner = { type: 'organization', id: slug } as const
  const [first, last] = daysOfWeek(firstDay)
  const failing = await environment.holdings.failing(owner, { limit: countedMax })
  const claims = await environment.claims.awaiting(owner, { limit: countedMax })
  const ending = keys.list(owner).filter((key) => {
    const leftMs = usableUntilMs(key) - nowMs()
    return leftMs > 0 && leftMs < keyEndsMs
  })
  const subject = { environment: environment.name, of: { organization: slug } } as const
  const span = { from: firstDay, to: formatTimestamp(last * dayMs).slice(0, 10) }
  const total = usage && readUsage(usage, subject, span, nowMs()).total
  return {
    newWorks: await newWorks(sources, slug, first * dayMs, (last + 1) * dayMs),
    resolutions: total?.resolutions ?? 0,
    pageViews: total?.landings ?? 0,
    failing: failing.works.length,
    claims: claims.claims.length,
    keysEnding: ending.length,
    mostUsed: usedWorks.flatMap(({ ark, uses }) => {
      const title = environment.holdings.work(owner, ark)?.work_title
      return title === undefined ? [] : [{ title: title ?? `ark:/${ark}`, uses }]
    }),
    failingCsv: failing.works.length === 0 ? '' : failingTable(failing.works),
  }
}

async function newWorks(
  { environment }: WeekSources,
  slug: string,
  fromMs: number,
  untilMs: number,
): Promise<number> {
  const owner = { type: 'organization', id: slug } as const
  const { works } = await environment.holdings.works(owner, { limit: countedMax })
  return works.filter(({ created_at: at }) => {
    return Date.parse(at) >= fromMs && Date.parse(at) < untilMs
  }).length
}

function daysOfWeek(firstDay: string): readonly [first: number, last: number] {
  const first = Math.floor(Date.parse(`${firstDay}T00:00:00.000Z`) / dayMs)
  return [first, first + 6]
}

/** The works of organizations that were used most, by the slug of their owner. */
type UsedByOwner = ReadonlyMap<string, readonly UsedWork[]>

async function usedInWeek(
  { environment, usage }: WeekSources,
  firstDay: string,
): Promise<UsedByOwner> {
  const used = new Map<string, UsedWork[]>()
  const stride = new Stride()
  const found = usage?.mostUsed(environment.name, ...daysOfWeek(firstDay), usedMax) ?? []
  for (const work of found) {
    const owner = unlessDamaged(() => environment.catalogue.state(work.ark))?.owner
    const works = used.get(owner?.id ?? '') ?? []
    if (owner?.type === 'organization' && works.length < mostUsedMax) {
      used.set(owner.id, [...works, work])
    }
    await stride.step(0)
  }
  return used
}

type FailingWork = Awaited<ReturnType<ServedEnvironment['holdings']['failing']>>['works'][number]

function failingTable(works: readonly FailingWork[]): string {
  const rows = works.map((work) => {
    const { ark_identifier: ark, work_title: title, fixity_status: state, updated_at: at } = work
    return csvRow([ark, title ?? '', state, at])
  })
  return csvRow(['ark', 'title', 'content', 'updated_at']) + rows.join('')
}
