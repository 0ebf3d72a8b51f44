import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

import type { Clock } from '#actors/values/clock.ts'
import type { Operation, Range, ReadStore, Row, Store } from '#log/store/store.ts'
import { deleteRow, type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { openText, sealText } from '#src/identity/store/sealed_rows.ts'

/**
 * What the identity provider keeps of one token, code, session or interaction: its own members,
 * opaque to us but for those that rows are found by.
 */
export type ProviderPayload = {
  readonly exp?: number
  readonly grantId?: string
  readonly uid?: string
  /** When it was redeemed, in seconds since 1970. */
  readonly consumed?: number
  /** The refresh token that came of its redemption. */
  readonly successor?: string
  readonly [member: string]: unknown
}

/** A row as it lies in the store: it is sealed anew whenever it is written. */
export type RowStamp = { readonly key: string; readonly sealed: Uint8Array }

/** A row was redeemed before. */
export class AlreadyConsumedError extends Error {
  readonly code = 'already_consumed'

  constructor() {
    super('it was redeemed before')
    this.name = 'AlreadyConsumedError'
  }
}

/** What the rows are made from. `indexKey` and `sealKey` are secrets of 32 bytes. */
export type ProviderRowsOptions = {
  readonly store: ProviderRowStore
  readonly clock: Clock
  readonly indexKey: Uint8Array
  readonly sealKey: Uint8Array
}

// Rows that one batch of a sweep or of a revocation removes.
const removedPerBatch = 500

/**
 * How long a redeemed refresh token is remembered, in seconds: it is told from an unknown one only
 * so that its second use ends the grant, and one that is refreshed hourly leaves 720 rows behind.
 */
const consumedKeptSeconds = 30 * 24 * 3_600

const secondMs = 1_000

/**
 * The rows of the identity provider's tokens, codes, sessions and interactions, in a store of their
 * own beside the identity store: anybody's visit to the authorization endpoint writes here, and
 * every refresh does, while the identity store counts its changes and takes one at a time. (Where
 * nodes share the identity store they lie in it, and are appended beside its changes.) Nothing
 * here is a permission: that is a grant, which lies in the identity store. So what is lost here
 * costs people a sign-in and applications a new authorization, and an older copy of it revives no
 * token whose grant was revoked.
 *
 * `row/<id>`: the payload, sealed, its key an HMAC of kind and id, because ids are the tokens
 * themselves. Found by it, in the same batch: `expiry/<seconds>/<id>`, `grant/<grant>/<id>` and
 * `uid/<uid>` with the id of its row.
 */
export class ProviderRows {
  readonly #store: ProviderRowStore
  readonly #clock: Clock
  readonly #indexKey: KeyObject
  readonly #sealKey: Uint8Array

  constructor({ store, clock, indexKey, sealKey }: ProviderRowsOptions) {
    this.#store = store
    this.#clock = clock
    this.#indexKey = createSecretKey(indexKey)
    this.#sealKey = sealKey
  }

  /** The payload of a row, unless it has expired. Takes some 40 µs and nothing asynchronous. */
  find(kind: string, id: string): ProviderPayload | undefined {
    return this.#read(rowKey(this.#hash(kind, id)))
  }

  /** The payload of the row that has this `uid`. */
  findByUid(uid: string): ProviderPayload | undefined {
    const key = this.#keyOfUid(uid)
    return key === undefined ? undefined : this.#read(key)
  }

  /** What tells later whether a row is still as it is now; undefined if there is none. */
  stamp(kind: string, id: string): RowStamp | undefined {
    return this.#stampAt(rowKey(this.#hash(kind, id)))
  }

  /** The same of the row that has this `uid`. */
  stampOfUid(uid: string): RowStamp | undefined {
    const key = this.#keyOfUid(uid)
    return key === undefined ? undefined : this.#stampAt(key)
  }

  /** Whether a row has neither been written anew nor removed, on any thread. Takes some 3 µs. */
  isCurrent({ key, sealed }: RowStamp): boolean {
    const now = this.#store.get(key)
    return now !== undefined && Buffer.compare(now, sealed) === 0
  }

  /** Writes a row and what it is found by, in place of an older one. `ttl` is in seconds. */
  put(kind: string, id: string, payload: ProviderPayload, ttl: number): Promise<void> {
    return this.#store.commit(this.#putting(kind, id, payload, ttl))
  }

  /** Writes a refresh token that comes of the redemption of another row, which remembers it. */
  putSuccessor(
    id: string,
    payload: ProviderPayload,
    { ttl, of }: { readonly ttl: number; readonly of: { kind: string; id: string } },
  ): Promise<void> {
    const operations = this.#putting('RefreshToken', id, payload, ttl)
    const redeemed = this.find(of.kind, of.id)
    const marking =
      redeemed === undefined
        ? []
        : this.#putting(of.kind, of.id, { ...redeemed, successor: id }, redeemed.exp ?? 0)
    return this.#store.commit([...operations, ...marking])
  }

  /**
   * Marks a row as redeemed, once: of any number of calls at the same time one resolves. The others
   * reject with AlreadyConsumedError, and so does every later one. A row that is gone is redeemed.
   */
  consume(kind: string, id: string): Promise<void> {
    const hash = this.#hash(kind, id)
    return this.#store.decide(hash, () => {
      const row = this.#read(rowKey(hash))
      if (row === undefined || row.consumed !== undefined) throw new AlreadyConsumedError()
      const consumed = this.#nowSeconds()
      const exp = Math.min(row.exp ?? 0, consumed + consumedKeptSeconds)
      return this.#writing(hash, row, { ...row, consumed, exp })
    })
  }

  /** Removes a row and what it is found by. */
  async remove(kind: string, id: string): Promise<void> {
    const hash = this.#hash(kind, id)
    const row = this.#open(rowKey(hash))
    if (row === undefined) return
    const keys = [rowKey(hash), ...this.#foundBy(hash, row)]
    await this.#store.commit(keys.map(deleteRow))
  }

  /** Removes all rows that belong to a grant. */
  async removeOfGrant(grantId: string): Promise<void> {
    const prefix = grantPrefix(this.#hash('grant', grantId))
    await this.#removeFound({ gte: prefix, lt: `${prefix}~` }, () => true)
  }

  /** Removes every row that has expired. Gives how many there were. */
  sweep(): Promise<number> {
    const now = this.#nowSeconds()
    // A row that two requests wrote at once can have an index row of the time it no longer has.
    const isOver = (row: ProviderPayload): boolean => (row.exp ?? 0) < now
    return this.#removeFound({ gte: 'expiry/', lt: expiryPrefix(now) }, isOver)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #putting(kind: string, id: string, payload: ProviderPayload, ttl: number): Operation[] {
    const hash = this.#hash(kind, id)
    const exp = payload.exp ?? this.#nowSeconds() + ttl
    return this.#writing(hash, this.#open(rowKey(hash)), { ...payload, exp })
  }

  #writing(hash: string, old: ProviderPayload | undefined, row: ProviderPayload): Operation[] {
    const key = rowKey(hash)
    const stale = old === undefined ? [] : this.#foundBy(hash, old)
    return [
      ...stale.map(deleteRow),
      put(key, sealText(this.#sealKey, key, JSON.stringify(row))),
      ...this.#foundBy(hash, row).map((index) => put(index, key)),
    ]
  }

  /** Removes index rows and, of the rows they name, those that are over, a batch at a time. */
  async #removeFound(
    range: { readonly gte: string; readonly lt: string },
    isOver: (row: ProviderPayload) => boolean,
  ): Promise<number> {
    for (let removed = 0; ; ) {
      const keys = new Set<string>()
      const before = removed
      for await (const [index, value] of this.#store.scan({ ...range, limit: removedPerBatch })) {
        keys.add(index)
        const key = Buffer.from(value).toString()
        const row = this.#open(key)
        if (row !== undefined && isOver(row)) {
          for (const rest of [key, ...this.#foundBy(hashOf(key), row)]) keys.add(rest)
        }
        removed += 1
      }
      if (removed === before) return removed
      await this.#store.commit([...keys].map(deleteRow))
    }
  }

  /** The keys by which a row is found. */
  #foundBy(hash: string, { exp, grantId, uid }: ProviderPayload): string[] {
    const keys = [`${expiryPrefix(exp ?? 0)}/${hash}`]
    if (grantId !== undefined) keys.push(grantPrefix(this.#hash('grant', grantId)) + hash)
    if (uid !== undefined) keys.push(uidKey(this.#hash('uid', uid)))
    return keys
  }

  #keyOfUid(uid: string): string | undefined {
    const key = this.#store.get(uidKey(this.#hash('uid', uid)))
    return key === undefined ? undefined : Buffer.from(key).toString()
  }

  #stampAt(key: string): RowStamp | undefined {
    const sealed = this.#store.get(key)
    return sealed && { key, sealed }
  }

  #read(key: string): ProviderPayload | undefined {
    const row = this.#open(key)
    return row === undefined || (row.exp ?? 0) <= this.#nowSeconds() ? undefined : row
  }

  #open(key: string): ProviderPayload | undefined {
    const sealed = this.#store.get(key)
    if (sealed === undefined) return undefined
    const text = openText(this.#sealKey, key, Buffer.from(sealed).toString('latin1'))
    // A row that replaced another does not count.
    return text === undefined ? undefined : (JSON.parse(text) as ProviderPayload)
  }

  #hash(kind: string, id: string): string {
    return createHmac('sha256', this.#indexKey).update(`${kind}\0${id}`).digest('hex')
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock.nowMs() / secondMs)
  }
}

function rowKey(hash: string): string {
  return `row/${hash}`
}

function hashOf(key: string): string {
  return key.slice(rowKey('').length)
}

function grantPrefix(hash: string): string {
  return `grant/${hash}/`
}

function uidKey(hash: string): string {
  return `uid/${hash}`
}

function expiryPrefix(seconds: number): string {
  return `expiry/${seconds.toString(16).padStart(12, '0')}`
}

function put(key: string, value: string): Operation {
  return { type: 'put', key, value: Buffer.from(value, 'latin1') }
}

/** Where the rows of the identity provider lie, as they are read and written there. */
export type ProviderRowStore = Pick<ReadStore, 'get' | 'close'> & {
  /** Rows that begin with `gte`, before `lt`, in their order. */
  scan(range: ScannedRange): AsyncIterable<Row>
  /** Writes rows, whatever others write. */
  commit(operations: readonly Operation[]): Promise<void>
  /**
   * Writes what is decided on the row that a name stands for. Of any number of such tasks at the
   * same time, on whatever threads and nodes, each decides on what those before it have written.
   */
  decide(name: string, decision: () => readonly Operation[]): Promise<void>
}

type ScannedRange = Required<Pick<Range, 'gte' | 'lt'>> & Pick<Range, 'limit'>

/** A store of this node alone, which may be one that a thread has joined. */
export function ownRowStore(
  store: Pick<Store, 'get' | 'scan' | 'commit' | 'close'>,
  turns: Pick<IdentityStore, 'inTurnAt'>,
): ProviderRowStore {
  return {
    get: (key) => store.get(key),
    scan: (range) => store.scan(range),
    commit: (operations) => store.commit(operations),
    decide: (name, decision) => {
      return turns.inTurnAt(`provider row ${name}`, async () => store.commit(decision()))
    },
    close: () => store.close(),
  }
}

/** Rows of an identity store that several nodes share. */
export function sharedRowStore(store: IdentityStore): ProviderRowStore {
  const placed = (operations: readonly Operation[]) => operations.map(inIdentityStore)
  return {
    get(key) {
      const text = store.read<string>(root + key)
      return text === undefined ? undefined : Buffer.from(text, 'latin1')
    },
    async *scan({ gte, lt, limit }) {
      const range = { before: root + lt, ...(limit !== undefined && { limit }) }
      for await (const [key, text] of store.scan<string>(root + gte, range)) {
        yield [key.slice(root.length), Buffer.from(text, 'latin1')]
      }
    },
    commit: (operations) => store.append(placed(operations)),
    decide: (_name, decision) => store.inTurn(async () => store.commit(placed(decision()))),
    // The opener of the identity store closes it.
    close: async () => undefined,
  }
}

const root = 'provider/'
const movedKey = 'provider_moved'

// Rows that are moved in one change.
const movedPerBatch = 500

/** Whether the rows that a node had of its own are in the shared store. */
export function hasMoved(store: IdentityStore): boolean {
  return store.read(movedKey) !== undefined
}

/** Puts the rows that a node had of its own into the store that it shares, once. */
export async function moveRows(own: Pick<Store, 'scan'>, store: IdentityStore): Promise<void> {
  let batch: Operation[] = []
  for await (const [key, value] of own.scan({})) {
    batch.push(inIdentityStore({ type: 'put', key, value }))
    if (batch.length === movedPerBatch) await store.append(batch.splice(0))
  }
  batch = [...batch, putRow(movedKey, true)]
  await store.append(batch)
}

function inIdentityStore(operation: Operation): Operation {
  const key = root + operation.key
  if (operation.type === 'del') return { type: 'del', key }
  const { buffer, byteOffset, length } = operation.value
  return putRow(key, Buffer.from(buffer, byteOffset, length).toString('latin1'))
}
