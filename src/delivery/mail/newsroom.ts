import { createHash } from 'node:crypto'

import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { readerOf } from '#src/delivery/mail/account_mail.ts'
import type { Mailer } from '#src/delivery/mail/mailer.ts'
import { newsMessage, type Reader } from '#src/delivery/mail/message.ts'
import { newsKinds, type NewsNames, type Week, weekText } from '#src/delivery/mail/news.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { NewsSwitches } from '#src/identity/accounts/news_switches.ts'
import type {
  AuditLog,
  NewAuditEntry,
  OwnedAuditEntry,
  PendingNews,
} from '#src/identity/store/audit.ts'
import type { OwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import { usableUntilMs } from '#src/identity/keys/key_record.ts'
import type { PersonSearches, SavedSearches } from '#src/identity/accounts/saved_searches.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'

type NewsroomOptions = {
  readonly audit: AuditLog
  readonly accounts: Pick<Accounts, 'find' | 'list'>
  readonly organizations: {
    read(slug: string): { readonly name: string } | undefined
    members(slug: string): readonly { readonly ppid: string; readonly role: string }[] | undefined
  }
  /** What a person calls themselves. */
  readonly nameOf: (ppid: string) => string
  /** The title of a work, `naan/name`, as one line; undefined where it was erased. */
  readonly titleOf: (ark: string) => string | undefined
  readonly switches: NewsSwitches
  /** Absent where no mail server is configured: then news wait for nobody. */
  readonly mail: Pick<Mailer, 'deliver'> | undefined
  /** Whether an address refused a mail for good: no news go there. */
  readonly bounced: (address: string) => boolean
  /** What the organization is told of the week that begins on a day, `YYYY-MM-DD`. */
  readonly weekOf?: (slug: string, firstDay: string) => Promise<Week>
  readonly authUrl: string
  readonly baseUrl: string
  /** The address of who looks after the registry. */
  readonly contact: string
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** How long one node or thread has the turn of a piece of news, and how often all are looked at. */
const turnMs = 20 * 60_000
const lookEveryMs = 60_000

/** How long readers hear no more of a kind that is gathered. */
const gatherMs = 3_600_000

/** A piece of news that is told now, with the places of all that its mail tells of. */
type Telling = {
  readonly mail: Pick<Mailer, 'deliver'>
  readonly place: string
  readonly news: PendingNews
  readonly row: OwnedAuditEntry | undefined
  readonly together: readonly string[]
  readonly nowMs: number
}

function isSame(a: OwnedAuditEntry['owner'], b: OwnedAuditEntry['owner']): boolean {
  return a.type === b.type && a.id === b.id
}

function tableOf({ failingCsv: csv }: Week) {
  return csv === '' ? {} : { attachment: { name: 'failing-content.csv', csv } }
}

function ownerPath({ type, id }: OwnedAuditEntry['owner']): string {
  if (type === 'operator') return '/admin'
  return type === 'organization' ? `/organizations/${id}` : '/account'
}

/** News that could not be sent for so long are dropped. */
const newsAgeMaxMs = 3 * 86_400_000

/**
 * Tells people by mail what happened to them and to what is theirs. A piece of news is written with
 * its entry of the audit list, and goes once the mail server has taken or refused the mail to each
 * reader: what a crash cuts off is sent by the next start, to those who were not written to yet.
 */
export class Newsroom {
  readonly #options: NewsroomOptions
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> = Promise.resolve()
  /** Whether a look is to come that has not begun. */
  #isToLook = false
  #isClosed = false

  constructor(options: NewsroomOptions) {
    this.#options = options
    options.audit.followNews(() => this.#look())
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
    this.#look()
  }

  /** Resolves when all news of now are sent, or put off. */
  settled(): Promise<void> {
    return this.#running
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#running
  }

  // However many come while one looks, one look after that finds all of them.
  #look(): void {
    if (this.#isToLook) return
    this.#isToLook = true
    this.#running = this.#running.then(() => this.#tellAll()).catch(this.#options.report)
  }

  async #tellAll(): Promise<void> {
    this.#isToLook = false
    const { audit, clock, mail } = this.#options
    // Without mail, none is put off.
    const isDue = (place: string) => mail === undefined || !this.#isPutOff(place)
    const places = await audit.newsPlaces(isDue)
    if (mail === undefined) return places.length === 0 ? undefined : audit.endNews(places)
    const ended = new Set<string>()
    for (const place of places) {
      if (this.#isClosed) return
      if (ended.has(place)) continue
      const row = audit.entryAt(place)
      const nowMs = clock.nowMs()
      const news = await audit.takeNews(place, { nowMs, untilMs: nowMs + turnMs })
      if (news === undefined) continue
      const together = row === undefined ? [place] : this.#gathered(row, places)
      for (const each of together) ended.add(each)
      await this.#tell({ mail, place, news, row, together, nowMs })
    }
  }

  /** Whether readers were told of the like within the hour: what comes then waits for its end. */
  #isPutOff(place: string): boolean {
    const { audit, clock } = this.#options
    const row = audit.entryAt(place)
    if (row === undefined || newsKinds[row.entry.action]?.isGathered !== true) return false
    return clock.nowMs() - audit.lastToldMs(row.owner, row.entry.action) < gatherMs
  }

  /** The places of all news that one mail tells of. */
  #gathered({ owner, entry, place }: OwnedAuditEntry, places: readonly string[]) {
    if (newsKinds[entry.action]?.isGathered !== true) return [place]
    return places.filter((each) => {
      const other = this.#options.audit.entryAt(each)
      return other?.entry.action === entry.action && isSame(other.owner, owner)
    })
  }

  async #tell({ mail, place, news, row, together, nowMs }: Telling): Promise<void> {
    const { audit, bounced } = this.#options
    const told = new Set(news.told)
    const isOld = row !== undefined && nowMs - Date.parse(row.entry.at) > newsAgeMaxMs
    if (row === undefined || isOld) return audit.endNews(together)
    for (const account of await this.#readersOf(row)) {
      const { ppid } = account
      const reader = readerOf(account)
      if (told.has(ppid) || reader === undefined || bounced(reader.email)) continue
      const outcome = await mail.deliver(
        await this.#messageFor(account, reader, row, together.length),
      )
      if (outcome === 'given_up') return
      told.add(ppid)
      await audit.noteTold(place, [...told])
    }
    await audit.endNews(together, row, nowMs)
  }

  async #messageFor({ ppid }: Account, to: Reader, row: OwnedAuditEntry, count: number) {
    const { authUrl, baseUrl, weekOf } = this.#options
    const { entry, place } = row
    const kind = newsKinds[entry.action]
    if (kind === undefined) throw new Error(`assertion failed: ${entry.action} is news`)
    const names = this.#namesOf(row)
    const words = entry.ppid === ppid ? (kind.person ?? kind) : kind
    const isWeek = entry.action === 'week_ended' && row.owner.type === 'organization'
    const week = isWeek ? await weekOf?.(row.owner.id, entry.because ?? '') : undefined
    const id = createHash('sha256').update(`${place}\n${ppid}`).digest('hex').slice(0, 32)
    return newsMessage(to, {
      id,
      subject: words.subject(entry, names, count),
      text: words.text(entry, names, count),
      toDo: words.toDo,
      page: (words.isPublic === true ? baseUrl : authUrl) + words.path(entry, names),
      ...(kind.group !== undefined && { switches: `${authUrl}/account/mail` }),
      more: [...(words.more?.(entry, names) ?? []), ...(week === undefined ? [] : weekText(week))],
      ...(week && tableOf(week)),
    })
  }

  #namesOf({ owner, entry }: OwnedAuditEntry): NewsNames {
    const { organizations, titleOf, baseUrl: registry, contact } = this.#options
    const person = entry.ppid ?? (entry.action === 'invitation_accepted' ? entry.by?.id : undefined)
    return {
      owner: this.#ownerName(owner),
      person: person === undefined ? '' : this.#personName(person),
      doer: this.#doerName(entry.by),
      organization: organizations.read(entry.slug ?? '')?.name ?? entry.slug ?? '',
      title: (entry.ark === undefined ? undefined : titleOf(entry.ark)) ?? '',
      path: ownerPath(owner),
      registry,
      contact,
    }
  }

  #ownerName({ type, id }: OwnedAuditEntry['owner']): string {
    if (type === 'operator') return 'the operator of this registry'
    if (type === 'person') return this.#personName(id)
    return this.#options.organizations.read(id)?.name ?? id
  }

  #doerName(by: OwnedAuditEntry['entry']['by']): string {
    if (by === undefined) return ''
    return by.type === 'person' ? this.#personName(by.id) : by.name
  }

  /** Name and address: whoever is told has to know who it is. */
  #personName(ppid: string): string {
    const name = this.#options.nameOf(ppid)
    const email = this.#options.accounts.find(ppid)?.email
    return email === undefined || email === null ? name : `${name} (${email})`
  }

  async #readersOf({ owner, entry }: OwnedAuditEntry): Promise<readonly Account[]> {
    const { accounts, organizations, switches } = this.#options
    const kind = newsKinds[entry.action]
    if (kind === undefined) return []
    const owners =
      owner.type === 'person'
        ? [owner.id]
        : (organizations.members(owner.id) ?? [])
            .filter(({ role }) => role === 'owner')
            .map(({ ppid }) => ppid)
    const isTheirs = owner.type === 'operator' && kind.to.includes('operator')
    const administrators =
      isTheirs || kind.to.includes('administrators')
        ? (await accounts.list()).filter(({ roles }) => roles.includes('admin'))
        : []
    const readers = new Set([
      ...(kind.to.includes('owner') ? owners : []),
      ...administrators.map(({ ppid }) => ppid),
      ...(kind.person === undefined || entry.ppid === undefined ? [] : [entry.ppid]),
    ])
    // Nobody is told by mail of what they did themselves.
    if (entry.by !== undefined) readers.delete(entry.by.id)
    return [...readers]
      .flatMap((ppid) => accounts.find(ppid) ?? [])
      .filter(({ email_verified: isOurs }) => isOurs)
      .filter(({ ppid }) => !switches.offFor(ppid).some((off) => off === kind.group))
  }
}

type NewsWatchOptions = {
  readonly audit: AuditLog
  /** Whether a change that was begun was made, though its entry was not written. */
  readonly isMade: (entry: NewAuditEntry) => boolean
  readonly keys: { listAll(): Promise<readonly KeyInfo[]> }
  readonly organizations: {
    list(page: {
      readonly after: string
      readonly limit: number
    }): Promise<readonly { readonly slug: string }[]>
  }
  readonly holdings: Pick<OwnerLists, 'counts' | 'failureCauses'>
  /**
   * What people have saved, and how many works it found in a span, undefined of a search that is
   * refused; absent without search.
   */
  readonly searches?: {
    readonly saved: Pick<SavedSearches, 'everybody' | 'noteTold'>
    countNew(
      query: string,
      span: { readonly fromMs: number; readonly untilMs: number },
    ): Promise<number | undefined>
  }
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

const watchEveryMs = 3_600_000
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
 * content that fails, a week that is over, what saved searches have found in it; and for takedowns
 * and erasures whose entry a crash cut off. Each is written
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
    this.#timer = setInterval(() => void this.look(), watchEveryMs).unref()
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
    const { audit, clock, organizations, isMade } = this.#options
    await audit.settle(isMade, clock.nowMs() - firstLookMs)
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
