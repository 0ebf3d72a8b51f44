import { hash, timingSafeEqual } from 'node:crypto'

import { type Agent, formatOwner, type Owner } from '#actors/values/agent.ts'
import { actsThrough, type Suspendable } from '#actors/values/authority.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'
import {
  expiryMs,
  isResearcherKey,
  type KeyRecord,
  type KeyUse,
  type NewKey,
  prefixOf,
  rotationOverlapMs,
  usableUntilMs,
  whyLapsed,
} from '#src/identity/keys/key_record.ts'
import {
  apiKeyRandomBytes,
  type KeyHasher,
  keyPrefix,
  mintApiKey,
  parseApiKey,
  pepperBytes,
} from '#src/identity/store/api_key.ts'
import {
  type AuditEntry,
  AuditLog,
  type KeyRefusal,
  type NewAuditEntry,
} from '#src/identity/store/audit.ts'
import { type IdentityStore, putRow, type StoreParts } from '#src/identity/store/identity_rows.ts'
import { repairIndex } from '#src/identity/store/index_repair.ts'
import { ipAllowed, type IpList, networkOf, parseIpList } from '#src/identity/store/ip_list.ts'
import { AuditNotes, LastUses } from '#src/identity/store/last_uses.ts'
import { RowCache } from '#src/identity/store/row_cache.ts'

/** A record with all that a request needs of it, made once. */
export type LoadedKey = {
  readonly record: KeyRecord
  readonly agent: Agent
  /** Through whom it acts. */
  readonly parties: readonly Suspendable[]
  readonly scopes: ReadonlySet<string>
  readonly digest: Buffer
  readonly allowed: IpList
  readonly usableUntilMs: number
}

/** Whether a presented text is a key that can be used; if not, of which key it is, if of any. */
export type Authentication =
  | { readonly type: 'accepted'; readonly key: LoadedKey }
  | { readonly type: 'unknown' }
  | { readonly type: 'refused'; readonly key: LoadedKey; readonly reason: KeyRefusal }

const unknown: Authentication = { type: 'unknown' }

// An unknown id is compared with this, so that it takes the same time as a wrong secret.
const dummyDigest = Buffer.alloc(pepperBytes)

/**
 * Says of a presented text whether it is a key. One that was found genuine is known again by one
 * hash of it, as long as its key is the same object.
 */
export class KeyCheck {
  readonly #hashKey: KeyHasher
  readonly #find: (id: string) => LoadedKey | undefined
  /** SHA-256 of the genuine text of a key, in hex. Of 190 random bits, it tells nothing of them. */
  readonly #genuine = new WeakMap<LoadedKey, string>()

  constructor(hashKey: KeyHasher, find: (id: string) => LoadedKey | undefined) {
    this.#hashKey = hashKey
    this.#find = find
  }

  /** Looks a presented text up, in 2 to 5 µs. `ip` is the client's address. */
  authenticate(presented: string, ip: string, nowMs: number): Authentication {
    const parsed = parseApiKey(presented)
    if (parsed === undefined) return unknown
    const key = this.#find(parsed.id)
    const isGenuine = this.#isGenuine(parsed.text, key)
    if (key === undefined) return unknown
    if (!isGenuine) return { type: 'refused', key, reason: 'wrong_secret' }
    if (nowMs >= key.usableUntilMs) {
      return { type: 'refused', key, reason: whyLapsed(key.record, nowMs) }
    }
    if (!ipAllowed(key.allowed, ip)) return { type: 'refused', key, reason: 'ip_denied' }
    return { type: 'accepted', key }
  }

  #isGenuine(text: string, key: LoadedKey | undefined): boolean {
    const fingerprint = hash('sha256', text)
    if (key !== undefined && this.#genuine.get(key) === fingerprint) return true
    const isGenuine = timingSafeEqual(this.#hashKey(text), key?.digest ?? dummyDigest)
    if (key !== undefined && isGenuine) this.#genuine.set(key, fingerprint)
    return isGenuine
  }
}

/** Makes of a record all that a request needs of it. */
export function loadKey(record: KeyRecord): LoadedKey {
  const { type, id, name } = record.owner
  const limited = isResearcherKey(record) && { limited: true }
  const agent = { type, id, name, via: 'api_key', key_id: record.id, ...limited } as const
  return {
    record,
    agent: Object.freeze(agent),
    parties: actsThrough(agent),
    scopes: new Set(record.scopes),
    digest: Buffer.from(record.digest, 'hex'),
    allowed: parseIpList(record.ip_allow),
    usableUntilMs: usableUntilMs(record),
  }
}

/** What the store needs from outside. `report` is told of a use that could not be written down. */
export type KeyStoreOptions = StoreParts & { readonly report: (fault: unknown) => void }

/** A key just made: `key` is its whole text, which is nowhere else and never shown again. */
export type CreatedKey = { readonly key: string; readonly record: KeyRecord }

/** A record as it may be shown, with its last use. */
export type KeyInfo = Omit<KeyRecord, 'digest'> & { readonly last_used: KeyUse | null }

export type RotateAnswer =
  | ({ readonly type: 'rotated'; readonly rotateUntil: string } & CreatedKey)
  | { readonly type: 'not_found' }
  | { readonly type: 'not_active' }

export type RevokeAnswer =
  | { readonly type: 'revoked'; readonly record: KeyRecord }
  | { readonly type: 'not_found' }

const hourMs = 3_600_000

/** The row that says since which change all keys are in the lists: the store's `since`. */
const listedKey = 'keys_listed'

/**
 * The API keys. Rows: `key/<id>` the record, `key_list/<owner>` the ids of keys of an owner, and of
 * those that a person has made, `used/<id>` the last use of a key, `audit/<owner>/<seq>` every
 * change, only ever added to. Keys that were used last are kept in memory until their row is
 * written on any thread, so a revoked key is refused on each of them from the moment `revoke`
 * resolves.
 */
export class KeyStore {
  readonly #options: KeyStoreOptions
  readonly #audit: AuditLog
  readonly #kept: RowCache<LoadedKey>
  readonly #check: KeyCheck
  readonly #uses: KeyUses

  constructor(options: KeyStoreOptions) {
    const { store } = options
    this.#options = options
    this.#audit = new AuditLog(store)
    const read = (id: string) => {
      const record = this.#record(id)
      return record && loadKey(record)
    }
    const followKeys = (listener: (key: string) => void) => store.follow(prefix, listener)
    this.#kept = new RowCache({ store, rows: { keyOf: rowKey, read, followKeys } })
    this.#check = new KeyCheck(store.hashKey, (id) => this.#kept.get(id))
    this.#uses = new KeyUses({ ...options, audit: this.#audit })
  }

  /**
   * Has keys listed that a version without the lists has written: those that there are when this
   * resolves, and what other nodes write later. For one thread of those that share the rows.
   */
  repair(): Promise<void> {
    const { store, report } = this.#options
    return repairIndex<KeyRecord>({
      store,
      report,
      since: store.since.keys,
      doneKey: listedKey,
      rows: () => store.scan(prefix),
      follow: (listener) => store.follow(prefix, listener),
      read: ({ id }) => this.#record(id),
      isFound: (record) => listKeys(record).every((key) => this.#idsAt(key).includes(record.id)),
      find: (records) => this.#listing(records),
    })
  }

  /**
   * Whether a text is a usable key. Notes its use, or why it was refused, in the background.
   * IdentityError `identity_stale` where it is not known which keys were revoked.
   */
  authenticate(presented: string, origin: Origin): Authentication {
    this.#options.store.checkContact()
    const nowMs = this.#options.clock.nowMs()
    const answer = this.#check.authenticate(presented, origin.ip, nowMs)
    if (answer.type === 'accepted') this.#uses.noteUse(answer.key.record, origin, nowMs)
    if (answer.type === 'refused') {
      this.#uses.noteRefusal(answer.key.record, answer.reason, origin, nowMs)
    }
    return answer
  }

  /** Makes a key. */
  create(newKey: NewKey, by: Owner): Promise<CreatedKey> {
    return this.#options.store.inTurn(async () => {
      const created = this.#mint(newKey, by)
      const { record } = created
      await this.#save([record], [this.#entry(record, { action: 'created', by })], record)
      return created
    })
  }

  /**
   * Makes a key with the same owner, scopes and lifetime, which works at once; the old one works on
   * for seven days or until it expires. Only an active key can be rotated.
   */
  rotate(id: string, by: Owner): Promise<RotateAnswer> {
    return this.#options.store.inTurn(async () => {
      const old = this.#record(id)
      const nowMs = this.#options.clock.nowMs()
      if (old === undefined) return { type: 'not_found' }
      const untilMs = usableUntilMs(old)
      if (old.state !== 'active' || nowMs >= untilMs) return { type: 'not_active' }
      const created = this.#mint(copyOf(old), by, id)
      const rotateUntil = formatTimestamp(Math.min(nowMs + rotationOverlapMs, untilMs))
      const replaced: KeyRecord = { ...old, state: 'rotating', rotate_until: rotateUntil }
      await this.#save(
        [replaced, created.record],
        [
          this.#entry(replaced, { action: 'rotated', by, replaced_by: created.record.id }),
          this.#entry(created.record, { action: 'created', by }),
        ],
        created.record,
      )
      return { type: 'rotated', rotateUntil, ...created }
    })
  }

  /** Ends a key for good. Revoking it again changes nothing. */
  revoke(id: string, by: Owner): Promise<RevokeAnswer> {
    return this.#options.store.inTurn(async () => {
      const old = this.#record(id)
      if (old === undefined) return { type: 'not_found' }
      if (old.state === 'revoked') return { type: 'revoked', record: old }
      const record: KeyRecord = { ...old, state: 'revoked' }
      await this.#save([record], [this.#entry(record, { action: 'revoked', by })])
      return { type: 'revoked', record }
    })
  }

  /** Ends every key for good, in one change; gives how many had not been revoked before. */
  revokeAll(by: Owner): Promise<number> {
    return this.#revoke(() => this.#all(), by)
  }

  /** Ends every key that `listOfMaker` names, in one change; gives how many. */
  revokeOfMaker(ppid: string, by: Owner): Promise<number> {
    return this.#revoke(async () => this.#listed({ type: 'person', id: ppid }), by)
  }

  #revoke(find: () => Promise<readonly KeyRecord[]>, by: Owner): Promise<number> {
    return this.#options.store.inTurn(async () => {
      const kept = (await find()).filter(({ state }) => state !== 'revoked')
      if (kept.length === 0) return 0
      const records = kept.map((record) => ({ ...record, state: 'revoked' }) as const)
      const entries = records.map((record) => this.#entry(record, { action: 'revoked', by }))
      await this.#save(records, entries)
      return records.length
    })
  }

  /** The keys of one owner, oldest first. */
  list(owner: Pick<Owner, 'type' | 'id'>): KeyInfo[] {
    const isOwn = (record: KeyRecord) => formatOwner(record.owner) === formatOwner(owner)
    return this.#shown(this.#listed(owner).filter(isOwn))
  }

  /** The keys whose text a person has or has seen: their own, and those they made for others. */
  listOfMaker(ppid: string): KeyInfo[] {
    return this.#shown(this.#listed({ type: 'person', id: ppid }))
  }

  /** All keys, oldest first. */
  async listAll(): Promise<KeyInfo[]> {
    return this.#shown(await this.#all())
  }

  /** The key of an id, of any owner. */
  find(id: string): KeyInfo | undefined {
    const record = this.#record(id)
    return record && this.show(record)
  }

  #shown(records: readonly KeyRecord[]): KeyInfo[] {
    return records
      .toSorted((a, b) => compareText(a.created_at + a.id, b.created_at + b.id))
      .map((record) => this.show(record))
  }

  /** A record as it may be shown. */
  show(record: KeyRecord): KeyInfo {
    const { digest: _digest, ...shown } = record
    return { ...shown, last_used: this.#uses.lastOf(record.id) ?? null }
  }

  /** The audit list of an owner, oldest first: at most `limit` entries after seq `after`. */
  audit(
    owner: Pick<Owner, 'type' | 'id'>,
    page: { after: number; limit: number },
  ): Promise<AuditEntry[]> {
    return this.#audit.read(owner, { cursor: page.after, limit: page.limit })
  }

  #mint(newKey: NewKey, by: Owner, replaces?: string): CreatedKey {
    const key = mintApiKey(prefixOf(newKey), this.#options.random(apiKeyRandomBytes))
    assert(this.#record(key.id) === undefined, 'no key id is drawn twice')
    const nowMs = this.#options.clock.nowMs()
    const record: KeyRecord = {
      id: key.id,
      shown: keyPrefix(key),
      digest: this.#options.store.hashKey(key.text).toString('hex'),
      owner: newKey.owner,
      environment: newKey.environment,
      scopes: newKey.scopes,
      label: newKey.label,
      ip_allow: newKey.ipAllow,
      created_at: formatTimestamp(nowMs),
      created_by: by,
      expires_at: formatTimestamp(expiryMs(newKey, nowMs)),
      state: 'active',
      ...(replaces === undefined ? {} : { replaces }),
    }
    return { key: key.text, record }
  }

  #entry(record: KeyRecord, what: Omit<NewAuditEntry, 'owner' | 'at' | 'key_id'>): NewAuditEntry {
    const at = formatTimestamp(this.#options.clock.nowMs())
    return { owner: record.owner, at, key_id: record.id, ...what }
  }

  #record(id: string): KeyRecord | undefined {
    return this.#options.store.read<KeyRecord>(rowKey(id))
  }

  async #all(): Promise<KeyRecord[]> {
    const rows = await Array.fromAsync(this.#options.store.scan<KeyRecord>(prefix))
    return rows.map(([, record]) => record)
  }

  /** The keys of an owner, and those that they have made for others. */
  #listed(owner: Pick<Owner, 'type' | 'id'>): KeyRecord[] {
    return this.#idsAt(listKey(owner)).flatMap((id) => this.#record(id) ?? [])
  }

  #idsAt(key: string): readonly string[] {
    return this.#options.store.read<readonly string[]>(key) ?? []
  }

  /** Writes records, one of them new or none, and audit entries in one batch; then they count. */
  async #save(
    records: readonly KeyRecord[],
    entries: readonly NewAuditEntry[],
    created?: KeyRecord,
  ): Promise<void> {
    const rows = records.map((record) => putRow(rowKey(record.id), record))
    const lists = created === undefined ? [] : this.#listing([created])
    const audited = await this.#audit.rows(entries)
    await this.#options.store.commit([...rows, ...lists, ...audited])
  }

  /** Has keys found by their owners and makers. In turn. */
  #listing(records: readonly KeyRecord[]): Operation[] {
    const lists = new Map<string, Set<string>>()
    for (const record of records) {
      for (const key of listKeys(record)) {
        const ids = lists.get(key) ?? new Set(this.#idsAt(key))
        lists.set(key, ids.add(record.id))
      }
    }
    return [...lists].map(([key, ids]) => putRow(key, [...ids]))
  }
}

const prefix = 'key/'

function rowKey(id: string): string {
  return prefix + id
}

function listKey(owner: Pick<Owner, 'type' | 'id'>): string {
  return `key_list/${formatOwner(owner)}`
}

/** The lists that a key is in: of its owner, and of the person who has made it. */
function listKeys({ owner, created_by }: KeyRecord): readonly string[] {
  const isOther = created_by.type === 'person' && formatOwner(created_by) !== formatOwner(owner)
  return isOther ? [listKey(owner), listKey(created_by)] : [listKey(owner)]
}

function copyOf(record: KeyRecord): NewKey {
  const lifetimeMs = Date.parse(record.expires_at) - Date.parse(record.created_at)
  const { owner, environment, scopes, label, ip_allow: ipAllow } = record
  return { owner, environment, scopes, label, ipAllow, hours: lifetimeMs / hourMs }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** What the notes need; `report` is told of one that could not be written down. */
export type KeyUsesOptions = {
  readonly store: IdentityStore
  readonly audit: AuditLog
  readonly report: (fault: unknown) => void
}

const userAgentCharactersMax = 200
const usedPrefix = 'used/'

/**
 * What is noted of the uses of keys, and of their refusals: in the background, and once in a while.
 * Rows: `used/<id>` the last use of a key.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions
  readonly #notes: AuditNotes
  readonly #uses: LastUses<KeyUse>

  constructor(options: KeyUsesOptions) {
    const { store, report } = options
    this.#options = options
    this.#notes = new AuditNotes(options.audit, 'key_id')
    this.#uses = new LastUses({
      store,
      notes: this.#notes,
      report,
      written: (id) => store.read(usedPrefix + id),
      rowOf: (id, use) => putRow(usedPrefix + id, use),
    })
  }

  /** The newest use of a key that was noted. */
  lastOf(id: string): KeyUse | undefined {
    return this.#uses.of(id)
  }

  /** Notes that a key was used. */
  noteUse({ id, owner }: KeyRecord, origin: Origin, nowMs: number): void {
    this.#uses.note(id, nowMs, () => {
      const at = formatTimestamp(nowMs)
      const network = networkOf(origin.ip)
      const user_agent = origin.userAgent.slice(0, userAgentCharactersMax)
      const entry = { owner, at, key_id: id, action: 'used', network } as const
      return { use: { at, network, user_agent }, entry }
    })
  }

  /** Notes why a key was refused. */
  noteRefusal({ id, owner }: KeyRecord, reason: KeyRefusal, { ip }: Origin, nowMs: number): void {
    if (!this.#notes.isDue(id, reason, nowMs)) return
    const network = networkOf(ip)
    const at = formatTimestamp(nowMs)
    const entry = { owner, at, key_id: id, action: 'refused', reason, network } as const
    const { store, report } = this.#options
    const note = async () => {
      const rows = await this.#notes.rows([entry])
      if (rows.length > 0) await store.commit(rows)
    }
    store.inTurn(note).catch(report)
  }
}
