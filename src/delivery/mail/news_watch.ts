import type { OwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { PersonSearches, SavedSearches } from '#src/identity/accounts/saved_searches.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import type { AuditLog, NewAuditEntry } from '#src/identity/store/audit.ts'

type NewsWatchOptions = {
  readonly audit: AuditLog
  readonly keys: { listAll(): Promise<readonly KeyInfo[]> }
  readonly organizations: {
    list(page: {
      readonly after: string
      readonly limit: number
    }): Promise<readonly { readonly slug: string }[]>
  }
  readonly holdings: Pick<OwnerLists, 'counts' | 'failureCauses'>
  /** What people have saved, and how many works it found in a span; absent without search. */
  readonly searches?: {
    readonly saved: Pick<SavedSearches, 'everybody' | 'noteTold'>
    countNew(
      query: string,
      span: { readonly fromMs: number; readonly untilMs: number },
    ): Promise<number>
  }
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

const lookEveryMs = 3_600_000
const firstLookMs = 60_000
const organizationsAtATime = 100

const dayMs = 86_400_000
const weekMs = 7 * dayMs

/** A key is told of so long before it ends. */
const keyEndsMs = 14 * dayMs

/** Marks are forgotten once nothing can be told for them a second time. */
const marksAgeMs = 400 * dayMs

/** 1970-01-05 was a Monday. */
const firstMondayMs = 4 * dayMs

/** The Monday of the week of a time, at 00:00 UTC, in milliseconds since 1970. */
function mondayOf(timeMs: number): number {
  return Math.floor((timeMs - firstMondayMs) / weekMs) * weekMs + firstMondayMs
}

/**
 * Looks every hour for what people have to know and nobody did: keys that end within two weeks,
 * content that fails, a week that is over, what saved searches have found in it. Each is written
 * into the audit list of its owner once, whoever looks: what is told of it is the newsroom's.
 */
export class NewsWatch {
  readonly #options: NewsWatchOptions
  readonly #timer: NodeJS.Timeout
  readonly #first: NodeJS.Timeout
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: NewsWatchOptions) {
    this.#options = options
    this.#first = setTimeout(() => void this.look(), firstLookMs).unref()
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref()
  }

  /** Looks once; resolves when all was looked at. What fails is reported. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookAtAll()).catch(this.#options.report)
    return this.#looking
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#first)
    clearInterval(this.#timer)
    await this.#looking
  }

  async #lookAtAll(): Promise<void> {
    const { audit, clock, organizations } = this.#options
    await this.#lookAtKeys()
    for (let after = ''; !this.#isClosed; ) {
      const page = await organizations.list({ after, limit: organizationsAtATime })
      for (const { slug } of page) await this.#lookAt(slug)
      const last = page.at(-1)?.slug
      if (last === undefined || page.length < organizationsAtATime) break
      after = last
    }
    await this.#lookAtSearches()
    await audit.forgetMarks(clock.nowMs() - marksAgeMs)
  }

  /** What saved searches found in the week that is over, of what their people have not seen. */
  async #lookAtSearches(): Promise<void> {
    const { searches, clock, report } = this.#options
    const monday = mondayOf(clock.nowMs())
    const week = formatTimestamp(monday - weekMs).slice(0, 10)
    for await (const person of searches?.saved.everybody() ?? []) {
      if (this.#isClosed) return
      if (person.told_week === week) continue
      try {
        await this.#tellOfSearches(person, week, monday)
      } catch (error) {
        report(error)
      }
    }
  }

  async #tellOfSearches(person: PersonSearches, week: string, monday: number): Promise<void> {
    const { searches } = this.#options
    const { ppid } = person
    let count = 0
    for (const { query, new_since: since } of person.searches) {
      const span = { fromMs: Math.max(monday - weekMs, Date.parse(since)), untilMs: monday }
      if (span.fromMs < monday) count += (await searches?.countNew(query, span)) ?? 0
    }
    if (count > 0) {
      const owner = { type: 'person', id: ppid } as const
      const facts = { action: 'searches_found', works_count: count, because: week } as const
      await this.#once(`searches/${ppid}/${week}`, { owner, ...facts })
    }
    if (!this.#isClosed) await searches?.saved.noteTold(ppid, week)
  }

  async #lookAtKeys(): Promise<void> {
    const { keys, clock } = this.#options
    const nowMs = clock.nowMs()
    for (const key of await keys.listAll()) {
      const { id, owner, expires_at: ends, state } = key
      const leftMs = usableUntilMs(key) - nowMs
      const endsSoon = leftMs > 0 && leftMs < keyEndsMs
      // A key that was rotated is meant to end; those of the operator last for hours.
      if (owner.type === 'operator' || state !== 'active' || !endsSoon) continue
      const facts = { action: 'key_ending', key_id: id, because: ends.slice(0, 10) } as const
      await this.#once(`key/${id}/${ends}`, { owner, ...facts })
    }
  }

  async #lookAt(slug: string): Promise<void> {
    const { holdings, clock } = this.#options
    const owner = { type: 'organization', id: slug } as const
    const monday = mondayOf(clock.nowMs())
    const { causes } = await holdings.failureCauses(owner)
    const failing = causes.reduce((sum, { count }) => sum + count, 0)
    if (failing > 0) {
      // In a week once for about as many: 1, 2 or 3, 4 to 7 …
      const size = Math.floor(Math.log2(failing))
      const hosts = causes.slice(0, hostsMax).map(({ hostName, count }) => `${hostName} (${count})`)
      await this.#once(`content/${slug}/${monday}/${size}`, {
        owner,
        action: 'content_failing',
        works_count: failing,
        because: hosts.join(', '),
      })
    }
    if (holdings.counts(owner).works_count === 0) return
    const week = formatTimestamp(monday - weekMs).slice(0, 10)
    await this.#once(`week/${slug}/${week}`, { owner, action: 'week_ended', because: week })
  }

  async #once(mark: string, entry: Omit<NewAuditEntry, 'at'>): Promise<void> {
    if (this.#isClosed) return
    await this.#options.audit.writeOnce(mark, {
      at: formatTimestamp(this.#options.clock.nowMs()),
      ...entry,
    })
  }
}

/** Hosts that a mail about failing content names. */
const hostsMax = 5
