import { formatOwner, type Owner, parseOwnerText } from '#actors/values/agent.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import type { Page } from '#actors/journal/rows.ts'
import type { Operation } from '#log/store/store.ts'
import { deleteRow, type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'

/** What happened to a key, to an application's permission, to an application, or to an account. */
export type AuditAction =
  | 'created'
  | 'rotated'
  | 'revoked'
  | 'refused'
  /** At most one an hour, however often it was used. */
  | 'used'
  /** A person permitted an application something, or something else than before. */
  | 'granted'
  | 'changed'
  | 'registered'
  | 'approved'
  | 'secret_rotated'
  | 'made_admin'
  | 'admin_ended'
  | 'sessions_ended'
  /** An administrator has made a link with which the password can be replaced. */
  | 'reset_link_made'
  | 'password_changed'
  | 'address_changed'
  | 'second_factor_set'
  | 'second_factor_ended'
  | 'recovery_codes_made'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  /** It was copied: its signatures count less than they have. */
  | 'passkey_refused'
  /** Somebody was asked by mail to become a member of an organization, and what came of it. */
  | 'member_invited'
  | 'invitation_sent_again'
  | 'invitation_revoked'
  | 'invitation_accepted'
  | 'invitation_declined'
  /** Many works of an organization were changed at once. */
  | 'works_changed'
  /** All that somebody did to works of an organization since a time was undone. */
  | 'works_undone'
  /** An administrator has stopped whose list it is, or an application of theirs, or ended that. */
  | 'suspended'
  | 'resumed'
  /** An administrator has named an owner of an organization that had lost its own. */
  | 'owner_named'
  /** The operator of the registry has withdrawn a work. */
  | 'work_taken_down'
  /** The operator has registered it again; `because`: its new ARK. */
  | 'work_registered_again'
  /** A reader says that something is wrong with a work. */
  | 'work_reported'
  | 'report_answered'
  /** A claim that whose list it is has to answer, and what others decided on one. */
  | 'claim_waiting'
  | 'claim_confirmed'
  | 'claim_rejected'
  | 'claim_contested'
  /** An organization is to be part of another one: the first four are of its own list. */
  | 'consortium_invited'
  | 'consortium_invitation_ended'
  | 'consortium_joined'
  | 'consortium_left'
  | 'consortium_declined'
  | 'consortium_grew'
  | 'consortium_shrank'
  | WatchedAction
  | AdministrativeAction

/** What nobody did, but whose list it is has to know. */
const watchedActions = [
  /** A key ends soon. */
  'key_ending',
  /** Content of works can no longer be fetched, or has changed: `works_count` tells how many. */
  'content_failing',
  /** A week is over: `because` is its first day. */
  'week_ended',
  /** Saved searches have found new works in a week: how many, and its first day. */
  'searches_found',
] as const

type WatchedAction = (typeof watchedActions)[number]

/** What administrators and commands do to others, or to the registry, and nothing above tells. */
export const administrativeActions = [
  /** A person asks for an organization. */
  'organization_requested',
  'organization_added',
  'organization_changed',
  'organization_approved',
  'organization_declined',
  /** On its pages, as an administrator: `because` names the page. */
  'organization_administered',
  'member_added',
  'member_role_changed',
  'member_removed',
  'webhook_changed',
  'works_imported',
  'work_erased',
  'content_queued',
  'claim_decided',
  'account_invited',
  'account_given',
  'account_removed',
  'reset_link_sent',
  /** No news go to an address any more, as its mails came back; or they go there again. */
  'news_stopped',
  'news_allowed',
  'receipt_key_rotated',
  'token_key_rotated',
  'clock_accepted',
  'indexes_remade',
  'node_invited',
  'node_removed',
  'admin_code_made',
  /** A call of the interface with a one-time code: `because` names it. */
  'called',
] as const

export type AdministrativeAction = (typeof administrativeActions)[number]

/** Why a key that exists cannot be used; a client is never told which. */
export type KeyRefusal = 'wrong_secret' | 'revoked' | 'rotated_out' | 'expired' | 'ip_denied'

/** Why a permission ended although nobody asked for it. */
export type GrantEnd =
  /** A code or a refresh token came a second time: somebody else has it. */
  'token_reused' | 'by_application' | 'application_revoked' | 'account_deleted' | 'expired'

/**
 * One thing that happened, as the owner of the key, of the permission or of the application reads
 * it. `seq` counts from 1 for each owner.
 */
export type AuditEntry = {
  readonly seq: number
  readonly at: string
  readonly action: AuditAction
  /** What it happened to: a key, a permission with its application, an application, the account. */
  readonly key_id?: string
  readonly grant_id?: string
  readonly client_id?: string
  /** A work, `naan/name`; an organization. */
  readonly ark?: string
  readonly slug?: string
  /** An invitation, and what the person was to be. */
  readonly invitation_id?: string
  readonly role?: string
  /** A bulk change, the fields that it changed, in words, and of how many works. */
  readonly bulk_change_id?: string
  readonly changed?: string
  readonly works_count?: number
  /** Why, in the words of who has done it. */
  readonly because?: string
  /** Whom it was done to, if not the owner of the list. */
  readonly ppid?: string
  /** Who made the change; absent where nobody did. */
  readonly by?: Owner
  /** Of a refusal or an end: why. Of what came from outside: the network of the request. */
  readonly reason?: KeyRefusal | GrantEnd
  readonly network?: string
  /** Of a rotation: the id of the new key. */
  readonly replaced_by?: string
  /** Of a permission: all that it permits now. */
  readonly scopes?: readonly string[]
}

/** An entry before it has its number, and whose list it is for. */
export type NewAuditEntry = Omit<AuditEntry, 'seq'> & {
  readonly owner: Pick<Owner, 'type' | 'id'>
}

/** The action of an entry, and all that tells what it is about. */
export type AuditAct = Pick<
  AuditEntry,
  'action' | 'ark' | 'slug' | 'ppid' | 'key_id' | 'client_id' | 'role' | 'because' | 'works_count'
> & {
  /** In whose list it stands: in that of the operator, if of nobody else. */
  readonly owner?: NewAuditEntry['owner']
}

/** Who does it, when, in milliseconds since 1970, and from which address. */
export type AuditHand = { readonly by: Owner; readonly nowMs: number; readonly ip?: string }

/** What happens to what is theirs, of which people are told by mail (`delivery/mail/news.ts`). */
const newsActions: ReadonlySet<AuditAction> = new Set([
  'organization_requested',
  'organization_approved',
  'organization_declined',
  'work_taken_down',
  'work_registered_again',
  'work_erased',
  'work_reported',
  'works_undone',
  'created',
  'rotated',
  'revoked',
  'invitation_accepted',
  'member_added',
  'member_removed',
  'made_admin',
  'admin_ended',
  'owner_named',
  'suspended',
  'resumed',
  'claim_waiting',
  'claim_confirmed',
  'claim_rejected',
  'claim_contested',
  'consortium_invited',
  'consortium_invitation_ended',
  'consortium_joined',
  'consortium_left',
  'consortium_declined',
  'consortium_grew',
  'consortium_shrank',
  ...watchedActions,
])

/** Whether somebody is told of an entry by mail and among the notices. */
export function isNews({ action }: Pick<AuditEntry, 'action'>): boolean {
  return newsActions.has(action)
}

/** News that are to be told: whom it was told already, and until when somebody has its turn. */
export type PendingNews = { readonly told: readonly string[]; readonly takenUntilMs: number }

/** An entry of the list of all owners, and whose it is. */
export type OwnedAuditEntry = {
  readonly owner: Pick<Owner, 'type' | 'id'>
  readonly entry: AuditEntry
  /** Its place among those of all owners. */
  readonly place: string
}

/** Which part of the list of all owners is asked for: what came before a place, or a time. */
export type AuditSpan = {
  readonly before?: string
  readonly untilMs?: number
  readonly limit: number
}

const watched: ReadonlySet<AuditAction> = new Set(watchedActions)

/** Uses and refusals fill the lists of their owners; the list of all is about what was changed. */
function isChange({ action }: Pick<AuditEntry, 'action'>): boolean {
  return action !== 'used' && action !== 'refused' && !watched.has(action)
}

/**
 * The audit lists of all owners: rows `audit/<owner>/<seq>`, only ever added to, and for changes
 * `audit_order/<time>/<owner>/<seq>`, which name them in the order in which they came.
 */
export class AuditLog {
  readonly #store: IdentityStore

  constructor(store: IdentityStore) {
    this.#store = store
  }

  /** The rows of new entries, for the batch of the change they tell of; call it in turn. */
  async rows(entries: readonly NewAuditEntry[]): Promise<Operation[]> {
    const rows: Operation[] = []
    const newest = new Map<string, number>()
    for (const { owner, ...entry } of entries) {
      const prefix = auditPrefix(owner)
      const seq = (newest.get(prefix) ?? (await this.#newestSeq(prefix))) + 1
      newest.set(prefix, seq)
      rows.push(putRow(prefix + seqText(seq), { seq, ...entry } satisfies AuditEntry))
      if (isChange(entry)) rows.push(putRow(orderKey(owner, { ...entry, seq }), 0))
      if (newsActions.has(entry.action)) {
        const key = newsPrefix + orderKey(owner, { ...entry, seq }).slice(orderPrefix.length)
        rows.push(putRow(key, { told: [], takenUntilMs: 0 } satisfies PendingNews))
      }
    }
    return rows
  }

  /** Writes entries of what was done elsewhere, in a change of their own. */
  write(entries: readonly NewAuditEntry[]): Promise<void> {
    return this.#store.inTurn(async () => this.#store.commit(await this.rows(entries)))
  }

  /** Writes what an administrator or a command has done. */
  note(act: AuditAct, hand: AuditHand): Promise<void> {
    return this.write([entryOf(act, hand)])
  }

  /**
   * Makes a change of another store, and writes who made it if `isMade` says so of its answer. The
   * entry waits in this store before: what a crash or a fault cuts off, `settle` writes.
   */
  async noteChange<A>(
    act: AuditAct,
    hand: AuditHand,
    { make, isMade }: { readonly make: () => Promise<A>; readonly isMade: (answer: A) => boolean },
  ): Promise<A> {
    const entry = entryOf(act, hand)
    const key = await this.#beginPending(entry)
    const answer = await make()
    await this.#endPending(key, isMade(answer) && entry)
    return answer
  }

  /**
   * Writes the entries of changes that were begun before a time, in milliseconds since 1970, and
   * made, though nobody has written so. Those that were not made are forgotten after a day.
   */
  async settle(isMade: (entry: NewAuditEntry) => boolean, beforeMs: number): Promise<void> {
    for await (const [key, entry] of this.#store.scan<NewAuditEntry>(pendingPrefix)) {
      const beganMs = Date.parse(entry.at)
      if (beganMs >= beforeMs) continue
      if (isMade(entry)) await this.#endPending(key, entry)
      else if (beganMs < beforeMs - pendingAgeMaxMs) await this.#endPending(key, false)
    }
  }

  #beginPending(entry: NewAuditEntry): Promise<string> {
    return this.#store.inTurn(async () => {
      const attempts = pendingOf(entry)
      let newest = attempts
      for await (const [key] of this.#store.scan(attempts)) newest = key
      const key = attempts + seqText(Number.parseInt(newest.slice(attempts.length) || '0', 16) + 1)
      await this.#store.commit([putRow(key, entry)])
      return key
    })
  }

  // Of all who end one, the first writes the entry. A change is made once: what was attempted of it
  // before, and failed, waits no longer when it is.
  #endPending(key: string, made: NewAuditEntry | false): Promise<void> {
    return this.#store.inTurn(async () => {
      if (this.#store.read(key) === undefined) return
      if (made === false) return this.#store.commit([deleteRow(key)])
      const ended = [deleteRow(key)]
      for await (const [each] of this.#store.scan(pendingOf(made))) ended.push(deleteRow(each))
      await this.#store.commit([...(await this.rows([made])), ...ended])
    })
  }

  /** Tells of every entry of any owner, from now on, on whichever thread it is written. */
  follow(listener: (entry: AuditEntry) => void): void {
    this.#store.follow<AuditEntry>(prefixOfAll, (_key, entry) => {
      if (entry !== undefined) listener(entry)
    })
  }

  /** Entries of an owner's list, by default oldest first; the cursor is the last `seq` seen. */
  async read(
    owner: Pick<Owner, 'type' | 'id'>,
    { cursor, order = 'oldest', limit }: Page<number>,
  ): Promise<AuditEntry[]> {
    const prefix = auditPrefix(owner)
    const entries: AuditEntry[] = []
    const place = cursor !== undefined && prefix + seqText(cursor)
    const rows = this.#store.scan<AuditEntry>(prefix, {
      ...(place !== false && (order === 'newest' ? { before: place } : { after: place })),
      reverse: order === 'newest',
      limit,
    })
    for await (const [, entry] of rows) entries.push(entry)
    return entries
  }

  /** Changes of all owners, newest first. Those from before there was this list are not in it. */
  async readAll({ before, untilMs, limit }: AuditSpan): Promise<OwnedAuditEntry[]> {
    const end = before ?? (untilMs === undefined ? undefined : seqText(untilMs))
    const range = { reverse: true, limit, ...(end !== undefined && { before: orderPrefix + end }) }
    const found: OwnedAuditEntry[] = []
    for await (const [key] of this.#store.scan(orderPrefix, range)) {
      const row = this.entryAt(key.slice(orderPrefix.length))
      if (row !== undefined) found.push(row)
    }
    return found
  }

  /** The entry at a place among those of all owners, if it is there. */
  entryAt(place: string): OwnedAuditEntry | undefined {
    const [, ownerText = '', seq = ''] = place.split('/')
    const owner = parseOwnerText(ownerText)
    const entry = this.#store.read<AuditEntry>(`${auditPrefix(owner)}${seq}`)
    return entry && { owner, entry, place }
  }

  /** Calls `listener` when there are news, on whichever thread they were written. */
  followNews(listener: () => void): void {
    this.#store.follow<PendingNews>(newsPrefix, (_key, news) => {
      if (news?.takenUntilMs === 0) listener()
    })
  }

  /** The places of the entries that are to be told, oldest first, of which `isDue` says so. */
  async newsPlaces(isDue: (place: string) => boolean = () => true): Promise<readonly string[]> {
    const places: string[] = []
    for await (const [key] of this.#store.scan(newsPrefix)) {
      const place = key.slice(newsPrefix.length)
      if (isDue(place)) places.push(place)
      if (places.length === newsAtATime) break
    }
    return places
  }

  /** Takes the turn of a piece of news until a time; undefined while somebody else has it. */
  takeNews(
    place: string,
    { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
  ): Promise<PendingNews | undefined> {
    return this.#store.inTurn(async () => {
      const news = this.#store.read<PendingNews>(newsPrefix + place)
      // Where nodes share nothing, whoever had the turn died with it.
      const isTaken = this.#store.isShared && (news?.takenUntilMs ?? 0) > nowMs
      if (news === undefined || isTaken) return undefined
      await this.#store.commit([putRow(newsPrefix + place, { ...news, takenUntilMs: untilMs })])
      return news
    })
  }

  /** When readers of a list were last told of an action, in ms since 1970; 0 if never. */
  lastToldMs(owner: NewAuditEntry['owner'], action: AuditAction): number {
    return this.#store.read<number>(toldKey(owner, action)) ?? 0
  }

  /** Notes who was told. */
  noteTold(place: string, told: readonly string[]): Promise<void> {
    return this.#store.inTurn(async () => {
      const news = this.#store.read<PendingNews>(newsPrefix + place)
      if (news !== undefined)
        await this.#store.commit([putRow(newsPrefix + place, { ...news, told })])
    })
  }

  /** Ends pieces of news that all were told, and notes when that was. */
  endNews(places: readonly string[], told?: OwnedAuditEntry, nowMs = 0): Promise<void> {
    const ended = places.map((place) => ({ type: 'del', key: newsPrefix + place }) as const)
    const noted = told && putRow(toldKey(told.owner, told.entry.action), nowMs)
    return this.#store.inTurn(() => this.#store.commit([...ended, ...(noted ? [noted] : [])]))
  }

  /**
   * Writes an entry once for a mark, such as a key and the day on which it ends; whether it was
   * written now.
   */
  writeOnce(mark: string, entry: NewAuditEntry): Promise<boolean> {
    const key = oncePrefix + mark
    return this.#store.inTurn(async () => {
      if (this.#store.read(key) !== undefined) return false
      await this.#store.commit([...(await this.rows([entry])), putRow(key, Date.parse(entry.at))])
      return true
    })
  }

  /** Forgets the marks of before a time, in milliseconds since 1970. */
  async forgetMarks(beforeMs: number): Promise<void> {
    const old: Operation[] = []
    for await (const [key, atMs] of this.#store.scan<number>(oncePrefix)) {
      if (atMs < beforeMs) old.push({ type: 'del', key })
    }
    if (old.length > 0) await this.#store.inTurn(() => this.#store.commit(old))
  }

  /**
   * The `seq` of the first entry of an owner that did not come before a time in milliseconds since
   * 1970; that after the last one if all did. It is found by halves, as times do not go back.
   */
  async firstFrom(owner: Pick<Owner, 'type' | 'id'>, timeMs: number): Promise<number> {
    const prefix = auditPrefix(owner)
    let low = 1
    let high = (await this.#newestSeq(prefix)) + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const entry = this.#store.read<AuditEntry>(prefix + seqText(middle))
      if (entry !== undefined && Date.parse(entry.at) < timeMs) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Deletes the list of an owner who is no more. */
  async erase(owner: Pick<Owner, 'type' | 'id'>): Promise<Operation[]> {
    const rows: Operation[] = []
    for await (const [key, entry] of this.#store.scan<AuditEntry>(auditPrefix(owner))) {
      rows.push({ type: 'del', key })
      if (isChange(entry)) rows.push({ type: 'del', key: orderKey(owner, entry) })
    }
    return rows
  }

  async #newestSeq(prefix: string): Promise<number> {
    const newest = this.#store.scan<AuditEntry>(prefix, { reverse: true, limit: 1 })
    for await (const [, entry] of newest) return entry.seq
    return 0
  }
}

const prefixOfAll = 'audit/'

function auditPrefix({ type, id }: Pick<Owner, 'type' | 'id'>): string {
  return `${prefixOfAll}${formatOwner({ type, id })}/`
}

const orderPrefix = 'audit_order/'
const newsPrefix = 'audit_news/'

const oncePrefix = 'audit_once/'

/** Entries of changes that are being made elsewhere, by each attempt to make one. */
const pendingPrefix = 'audit_pending/'
const pendingAgeMaxMs = 86_400_000

/** What the keys of all attempts to make one change begin with. */
function pendingOf({ action, ark }: NewAuditEntry): string {
  return `${pendingPrefix}${action}/${ark}/`
}

function entryOf(
  { owner = { type: 'operator', id: 'operator' }, ...act }: AuditAct,
  { by, nowMs, ip }: AuditHand,
): NewAuditEntry {
  const from = ip !== undefined && { network: networkOf(ip) }
  return { owner, at: formatTimestamp(nowMs), by, ...act, ...from }
}

function toldKey(owner: Pick<Owner, 'type' | 'id'>, action: AuditAction): string {
  return `audit_told/${formatOwner(owner)}/${action}`
}

/** News that are looked at in one go. */
const newsAtATime = 1_000

function orderKey(
  owner: Pick<Owner, 'type' | 'id'>,
  { at, seq }: Pick<AuditEntry, 'at' | 'seq'>,
): string {
  return `${orderPrefix}${seqText(Date.parse(at))}/${formatOwner(owner)}/${seqText(seq)}`
}

function seqText(seq: number): string {
  return seq.toString(16).padStart(12, '0')
}
