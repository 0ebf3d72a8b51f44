import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Week } from '#src/delivery/mail/news.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { dayMs } from '#src/operations/usage/usage_batch.ts'
import type { Usage } from '#src/operations/usage/usage.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'

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

/** Works of all that are looked at for the most used ones of one organization, and these. */
const usedMax = 5_000
const mostUsedMax = 10

const keyEndsMs = 30 * dayMs

/** What an organization is told of the week that begins on a day of UTC, `YYYY-MM-DD`. */
export async function readWeek(
  sources: WeekSources,
  slug: string,
  firstDay: string,
): Promise<Week> {
  const { environment, keys, usage, nowMs } = sources
  const owner = { type: 'organization', id: slug } as const
  const from = Math.floor(Date.parse(`${firstDay}T00:00:00.000Z`) / dayMs)
  const [first, last] = [from, from + 6]
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
    mostUsed: usage === undefined ? [] : mostUsed(sources, slug, first, last),
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

function mostUsed(
  { environment, usage }: WeekSources,
  slug: string,
  first: number,
  last: number,
): Week['mostUsed'] {
  const owner = { type: 'organization', id: slug } as const
  return (usage?.mostUsed(environment.name, first, last, usedMax) ?? [])
    .flatMap(({ ark, uses }) => {
      const title = environment.holdings.work(owner, ark)?.work_title
      return title === undefined ? [] : [{ title: title ?? `ark:/${ark}`, uses }]
    })
    .slice(0, mostUsedMax)
}

type FailingWork = Awaited<ReturnType<ServedEnvironment['holdings']['failing']>>['works'][number]

function failingTable(works: readonly FailingWork[]): string {
  const rows = works.map((work) => {
    const { ark_identifier: ark, work_title: title, fixity_status: state, updated_at: at } = work
    return csvRow([ark, title ?? '', state, at])
  })
  return csvRow(['ark', 'title', 'content', 'updated_at']) + rows.join('')
}
