import { hash, timingSafeEqual } from 'node:crypto'

import type { Agent, Owner } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { assert } from '#log/base/errors.ts'
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
import { type KeyUses, openKeyUses, type Origin } from '#src/identity/keys/key_uses.ts'
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
import { followRows } from '#src/identity/store/followed_rows.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { ipAllowed, type IpList, parseIpList } from '#src/identity/store/ip_list.ts'

/** A record with all that a request needs of it, made once. */
export type LoadedKey = {
  readonly record: KeyRecord
  readonly agent: Agent
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
 * All keys in memory, by id: authentication reads nothing else. A text that was found genuine is
 * known again by one hash of it, as long as the record is the same.
 */
export class KeyIndex {
  readonly #hashKey: KeyHasher
  readonly #keys = new Map<string, LoadedKey>()
  /** SHA-256 of the genuine text of a key, in hex. Of 190 random bits, it tells nothing of them. */
  readonly #genuine = new WeakMap<LoadedKey, string>()

  constructor(hashKey: KeyHasher) {
    this.#hashKey = hashKey
  }

  /** Adds a record or replaces the one with its id. */
  put(record: KeyRecord): void {
    const { type, id, name } = record.owner
    const limited = isResearcherKey(record) && { limited: true }
    this.#keys.set(record.id, {
      record,
      agent: Object.freeze({ type, id, name, via: 'api_key', key_id: record.id, ...limited }),
      scopes: new Set(record.scopes),
      digest: Buffer.from(record.digest, 'hex'),
      allowed: parseIpList(record.ip_allow),
      usableUntilMs: usableUntilMs(record),
    })
  }

  get(id: string): LoadedKey | undefined {
    return this.#keys.get(id)
  }

  values(): IterableIterator<LoadedKey> {
    return this.#keys.values()
  }

  /** Looks a presented text up, in 2 to 5 µs. `ip` is the client's address. */
  authenticate(presented: string, ip: string, nowMs: number): Authentication {
    const parsed = parseApiKey(presented)
    if (parsed === undefined) return unknown
    const key = this.#keys.get(parsed.id)
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

/** What the store needs from outside. `report` is told of a use that could not be written down. */
export type KeyStoreOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
  readonly report: (fault: unknown) => void
}

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

/** Opens the keys of an identity store: reads them all into memory. */
export async function openKeyStore(options: KeyStoreOptions): Promise<KeyStore> {
  const { store } = options
  const index = new KeyIndex(store.hashKey)
  await followRows<KeyRecord>(store, 'key/', (_key, record) => {
    // A key is kept for ever.
    if (record !== undefined) index.put(record)
  })
  const audit = new AuditLog(store)
  return new KeyStore(options, { index, audit, uses: await openKeyUses({ ...options, audit }) })
}

type KeyStoreParts = {
  readonly index: KeyIndex
  readonly audit: AuditLog
  readonly uses: KeyUses
}

/**
 * The API keys. Rows: `key/<id>` the record, `used/<id>` its last use, `audit/<owner>/<seq>` every
 * change, only ever added to. The index in memory follows the rows of all threads, so a revoked key
 * is refused on each of them from the moment `revoke` resolves.
 */
export class KeyStore {
  readonly #options: KeyStoreOptions
  readonly #audit: AuditLog
  readonly #followed: KeyIndex
  readonly #uses: KeyUses

  constructor(options: KeyStoreOptions, { index, audit, uses }: KeyStoreParts) {
    this.#options = options
    this.#audit = audit
    this.#followed = index
    this.#uses = uses
  }

  /**
   * Whether a text is a usable key. Notes its use, or why it was refused, in the background.
   * IdentityError `identity_stale` where it is not known which keys were revoked.
   */
  authenticate(presented: string, origin: Origin): Authentication {
    this.#options.store.checkContact()
    const nowMs = this.#options.clock.nowMs()
    const answer = this.#index().authenticate(presented, origin.ip, nowMs)
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
      await this.#save([created.record], [this.#entry(created.record, { action: 'created', by })])
      return created
    })
  }

  /**
   * Makes a key with the same owner, scopes and lifetime, which works at once; the old one works on
   * for seven days or until it expires. Only an active key can be rotated.
   */
  rotate(id: string, by: Owner): Promise<RotateAnswer> {
    return this.#options.store.inTurn(async () => {
      const old = this.#index().get(id)
      const nowMs = this.#options.clock.nowMs()
      if (old === undefined) return { type: 'not_found' }
      if (old.record.state !== 'active' || nowMs >= old.usableUntilMs) return { type: 'not_active' }
      const created = this.#mint(copyOf(old.record), by, id)
      const rotateUntil = formatTimestamp(Math.min(nowMs + rotationOverlapMs, old.usableUntilMs))
      const replaced: KeyRecord = { ...old.record, state: 'rotating', rotate_until: rotateUntil }
      await this.#save(
        [replaced, created.record],
        [
          this.#entry(replaced, { action: 'rotated', by, replaced_by: created.record.id }),
          this.#entry(created.record, { action: 'created', by }),
        ],
      )
      return { type: 'rotated', rotateUntil, ...created }
    })
  }

  /** Ends a key for good. Revoking it again changes nothing. */
  revoke(id: string, by: Owner): Promise<RevokeAnswer> {
    return this.#options.store.inTurn(async () => {
      const key = this.#index().get(id)
      if (key === undefined) return { type: 'not_found' }
      if (key.record.state === 'revoked') return { type: 'revoked', record: key.record }
      const record: KeyRecord = { ...key.record, state: 'revoked' }
      await this.#save([record], [this.#entry(record, { action: 'revoked', by })])
      return { type: 'revoked', record }
    })
  }

  /** Ends every key for good, in one change; gives how many had not been revoked before. */
  revokeAll(by: Owner): Promise<number> {
    return this.#revokeWhere(() => true, by)
  }

  /** Ends every key that `listOfMaker` names, in one change; gives how many. */
  revokeOfMaker(ppid: string, by: Owner): Promise<number> {
    return this.#revokeWhere((record) => isKeyOf(record, ppid), by)
  }

  /** The keys whose text a person has or has seen: their own, and those they made for others. */
  listOfMaker(ppid: string): KeyInfo[] {
    return this.list().filter((record) => isKeyOf(record, ppid))
  }

  #revokeWhere(isMeant: (record: KeyRecord) => boolean, by: Owner): Promise<number> {
    return this.#options.store.inTurn(async () => {
      const kept = [...this.#index().values()].filter(
        ({ record }) => record.state !== 'revoked' && isMeant(record),
      )
      if (kept.length === 0) return 0
      const records = kept.map(({ record }) => ({ ...record, state: 'revoked' }) as const)
      const entries = records.map((record) => this.#entry(record, { action: 'revoked', by }))
      await this.#save(records, entries)
      return records.length
    })
  }

  /** All keys, or those of one owner, oldest first. */
  list(owner?: Pick<Owner, 'type' | 'id'>): KeyInfo[] {
    return [...this.#index().values()]
      .map((key) => key.record)
      .filter((record) => owner === undefined || ownerKey(record.owner) === ownerKey(owner))
      .sort((a, b) => compareText(a.created_at + a.id, b.created_at + b.id))
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
    assert(this.#index().get(key.id) === undefined, 'no key id is drawn twice')
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

  /** All keys, as they are after every change that was acknowledged before. */
  #index(): KeyIndex {
    this.#options.store.catchUp()
    return this.#followed
  }

  /** Writes records and audit entries in one batch; then they count. */
  async #save(records: readonly KeyRecord[], entries: readonly NewAuditEntry[]): Promise<void> {
    const rows = records.map((record) => putRow(`key/${record.id}`, record))
    await this.#options.store.commit([...rows, ...(await this.#audit.rows(entries))])
  }
}

function copyOf(record: KeyRecord): NewKey {
  const lifetimeMs = Date.parse(record.expires_at) - Date.parse(record.created_at)
  const { owner, environment, scopes, label, ip_allow: ipAllow } = record
  return { owner, environment, scopes, label, ipAllow, hours: lifetimeMs / hourMs }
}

function isKeyOf({ owner, created_by }: Omit<KeyRecord, 'digest'>, ppid: string): boolean {
  return [owner, created_by].some(({ type, id }) => type === 'person' && id === ppid)
}

function ownerKey(owner: Pick<Owner, 'type' | 'id'>): string {
  return `${owner.type}:${owner.id}`
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
