import { createHash } from 'node:crypto'

import type { Clock } from '#actors/values/clock.ts'
import type { Mail } from '#src/delivery/mail/mailer.ts'
import { newsMessage } from '#src/delivery/mail/message.ts'
import { newsKinds, type NewsNames } from '#src/delivery/mail/news.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { NewsSwitches } from '#src/identity/accounts/news_switches.ts'
import type { AuditLog, OwnedAuditEntry, PendingNews } from '#src/identity/store/audit.ts'

type NewsroomOptions = {
  readonly audit: AuditLog
  readonly accounts: Pick<Accounts, 'find' | 'list'>
  readonly organizations: {
    read(slug: string): { readonly name: string } | undefined
    members(slug: string): readonly { readonly ppid: string; readonly role: string }[] | undefined
  }
  /** What a person calls themselves. */
  readonly nameOf: (ppid: string) => string
  readonly switches: NewsSwitches
  /** Absent where no mail server is configured: then news wait for nobody. */
  readonly mail: Mail | undefined
  readonly authUrl: string
  readonly baseUrl: string
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** How long one node or thread has the turn of a piece of news, and how often all are looked at. */
const turnMs = 20 * 60_000
const lookEveryMs = 60_000

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

  #look(): void {
    this.#running = this.#running.then(() => this.#tellAll()).catch(this.#options.report)
  }

  async #tellAll(): Promise<void> {
    const { audit, clock, mail } = this.#options
    for (const place of await audit.newsPlaces()) {
      if (this.#isClosed) return
      if (mail === undefined) {
        await audit.endNews(place)
        continue
      }
      const nowMs = clock.nowMs()
      const news = await audit.takeNews(place, { nowMs, untilMs: nowMs + turnMs })
      if (news !== undefined) await this.#tell(mail, place, news, nowMs)
    }
  }

  async #tell(mail: Mail, place: string, news: PendingNews, nowMs: number): Promise<void> {
    const { audit } = this.#options
    const row = audit.entryAt(place)
    const told = new Set(news.told)
    const isOld = row !== undefined && nowMs - Date.parse(row.entry.at) > newsAgeMaxMs
    if (row === undefined || isOld) return audit.endNews(place)
    for (const account of await this.#readersOf(row)) {
      const { ppid, email } = account
      if (told.has(ppid) || email === null) continue
      const outcome = await mail.deliver(this.#messageFor(account, email, row))
      if (outcome === 'given_up') return
      told.add(ppid)
      await audit.noteTold(place, [...told])
    }
    await audit.endNews(place)
  }

  #messageFor({ ppid }: Account, to: string, row: OwnedAuditEntry) {
    const { authUrl, baseUrl } = this.#options
    const { entry, place } = row
    const kind = newsKinds[entry.action]
    if (kind === undefined) throw new Error(`assertion failed: ${entry.action} is news`)
    const names = this.#namesOf(row)
    const id = createHash('sha256').update(`${place}\n${ppid}`).digest('hex').slice(0, 32)
    return newsMessage(
      to,
      {
        id,
        subject: kind.subject(entry, names),
        text: kind.text(entry, names),
        toDo: kind.toDo,
        page: authUrl + kind.path(entry, names),
        switches: `${authUrl}/account/mail`,
      },
      baseUrl,
    )
  }

  #namesOf({ owner, entry }: OwnedAuditEntry): NewsNames {
    const { organizations } = this.#options
    const person = entry.ppid ?? (entry.action === 'invitation_accepted' ? entry.by?.id : undefined)
    return {
      owner:
        owner.type === 'organization'
          ? (organizations.read(owner.id)?.name ?? owner.id)
          : this.#personName(owner.id),
      person: person === undefined ? '' : this.#personName(person),
      path: owner.type === 'organization' ? `/organizations/${owner.id}` : '/account',
    }
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
    const administrators = kind.to.includes('administrators')
      ? (await accounts.list()).filter(({ roles }) => roles.includes('admin'))
      : []
    const readers = new Set([
      ...(kind.to.includes('owner') ? owners : []),
      ...administrators.map(({ ppid }) => ppid),
    ])
    // Nobody is told by mail of what they did themselves.
    if (entry.by !== undefined) readers.delete(entry.by.id)
    return [...readers]
      .flatMap((ppid) => accounts.find(ppid) ?? [])
      .filter(({ email_verified: isOurs }) => isOurs)
      .filter(({ ppid }) => !switches.offFor(ppid).includes(kind.group))
  }
}
