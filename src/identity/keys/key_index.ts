import { timingSafeEqual } from 'node:crypto'

import type { Agent } from '#actors/values/agent.ts'
import { type KeyHasher, parseApiKey, pepperBytes } from '#src/identity/store/api_key.ts'
import { type IpList, ipAllowed, parseIpList } from '#src/identity/store/ip_list.ts'
import {
  isResearcherKey,
  type KeyRecord,
  usableUntilMs,
  whyLapsed,
} from '#src/identity/keys/key_record.ts'
import type { KeyRefusal } from '#src/identity/store/audit.ts'

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

/** All keys in memory, by id: authentication reads nothing else, so a change counts at once. */
export class KeyIndex {
  readonly #hashKey: KeyHasher
  readonly #keys = new Map<string, LoadedKey>()

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

  /** Looks a presented text up, in about 5 µs. `ip` is the client's address. */
  authenticate(presented: string, ip: string, nowMs: number): Authentication {
    const parsed = parseApiKey(presented)
    if (parsed === undefined) return unknown
    const key = this.#keys.get(parsed.id)
    const genuine = timingSafeEqual(this.#hashKey(parsed.text), key?.digest ?? dummyDigest)
    if (key === undefined) return unknown
    if (!genuine) return { type: 'refused', key, reason: 'wrong_secret' }
    if (nowMs >= key.usableUntilMs) {
      return { type: 'refused', key, reason: whyLapsed(key.record, nowMs) }
    }
    if (!ipAllowed(key.allowed, ip)) return { type: 'refused', key, reason: 'ip_denied' }
    return { type: 'accepted', key }
  }
}
