import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { Publisher, type Subscription } from '#actors/kernel/publication.ts'
import type { Operation, Row, Store } from '#log/store/store.ts'
import { GuardFile } from '#log/store/guard.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import type { KeyHasher } from '#src/identity/store/api_key.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import {
  operationsOf,
  putRow,
  readRow,
  RowFollowers,
  type FoundSince,
  type RowListener,
  type WrittenRow,
  writtenRows,
} from '#src/identity/store/identity_rows.ts'
import {
  changedOutside,
  type ChangePlace,
  type LocalRows,
} from '#src/identity/store/shared_changes.ts'

/**
 * The row that says how many changes were made, this one included: each change writes it. `since`
 * and `keys_since`: from which change on no version has written them that leaves that out.
 */
type HeadRow = {
  readonly changes: number
  readonly since?: number
  readonly keys_since?: number
}

/** The row that says how far they have come in the stream of a cluster, with which change. */
type PlaceRow = ChangePlace & Pick<HeadRow, 'changes'>

// Rows of a copy that are read at a time.
const copiedRows = 500

const headKey = 'head'
const placeKey = 'place'

/** Has rows never have been part of a stream. Only for when nobody goes on with that one. */
export const forgetIdentityPlace: Operation = { type: 'del', key: placeKey }

/** How many changes the rows of a store hold. */
export function countChanges(store: Pick<Store, 'get'>): number {
  return readRow<HeadRow>(store, headKey)?.changes ?? 0
}

/** From which change on all versions that wrote to a store are known to write all rows. */
export function readSince(store: Pick<Store, 'get'>): FoundSince {
  const { since, keys_since, changes } = readRow<HeadRow>(store, headKey) ?? { changes: 0 }
  return { grants: since ?? changes + 1, keys: keys_since ?? changes + 1 }
}

/**
 * What the rows are made from: `changes` were made so far, those that were lost included, of which
 * `readSince` tells since when they are complete.
 */
export type CountedRowsOptions = {
  readonly store: Store
  readonly guard: IdentityGuard
  readonly changes: number
  readonly since: FoundSince
}

/**
 * The rows of an identity store on this node, whose changes are counted: each is one synced write,
 * which the guard remembers, and of which all who follow the rows are told. It owns the count.
 */
export class CountedRows implements LocalRows {
  readonly #store: Store
  readonly #guard: IdentityGuard
  readonly #followers = new RowFollowers()
  readonly #publisher = new Publisher<readonly WrittenRow[]>()
  readonly since: FoundSince
  #changes: number
  #failure: IdentityError | undefined

  constructor({ store, guard, changes, since }: CountedRowsOptions) {
    this.#store = store
    this.#guard = guard
    this.#changes = changes
    this.since = since
  }

  /** Why no change is made any more, or undefined. */
  get failure(): IdentityError | undefined {
    return this.#failure
  }

  follow<T>(prefix: string, listener: RowListener<T>): void {
    this.#followers.follow(prefix, listener)
  }

  /** What another thread needs to be told of every change. */
  subscribe(): Subscription {
    return this.#publisher.subscribe()
  }

  /**
   * Makes a change durable, then tells of it. After a failure the outcome is unknown and every
   * later change is refused with `keys_unwritable`, until a restart reads what was kept.
   */
  async commit(operations: readonly Operation[], place?: ChangePlace): Promise<void> {
    const changes = this.#changes + 1
    const { grants: since, keys: keys_since } = this.since
    const head = putRow(headKey, { changes, since, keys_since } satisfies HeadRow)
    // A change of nothing leaves the rows where they were in the stream.
    const now = place ?? (operations.length === 0 ? this.place() : undefined)
    const placed =
      now === undefined ? [] : [putRow(placeKey, { ...now, changes } satisfies PlaceRow)]
    await this.#commit([...operations, head, ...placed], changes)
    const rows = writtenRows(operations)
    this.#publisher.publish(rows)
    this.#followers.tell(rows)
  }

  write(rows: readonly WrittenRow[], place: ChangePlace): Promise<void> {
    return this.commit(operationsOf(rows), place)
  }

  async #commit(operations: readonly Operation[], changes: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      await this.#store.commit(operations)
      this.#changes = changes
      this.#guard.remember(changes)
    } catch (cause) {
      this.#failure = unwritable(cause)
      throw this.#failure
    }
  }

  async purge(keys: readonly string[]): Promise<void> {
    // One by one: all that lies between two keys would be written anew as well.
    for (const key of keys) await this.#store.purge([key])
  }

  place(): ChangePlace | undefined {
    const row = readRow<PlaceRow>(this.#store, placeKey)
    if (row === undefined) return undefined
    const { changes, ...place } = row
    if (changes !== countChanges(this.#store)) throw changedOutside()
    return place
  }

  async digest(): Promise<string> {
    const digest = createHash('sha256')
    for await (const [key, value] of this.#store.scan({})) {
      // How many changes have led to the rows does not matter.
      if (key !== headKey) digest.update(JSON.stringify([key, Buffer.from(value).toString()]))
    }
    return digest.digest('hex')
  }

  /**
   * All rows, for another node: first how far they have come, then the rows in pages, of which each
   * may hold what came later. A node that carries out all changes after that place has these rows
   * in the end, because a change says what its rows are then, and not what becomes of them. Between
   * two pages nothing is held: so a purge waits for none of this, however slowly it is read.
   */
  async *copy(): AsyncGenerator<readonly Row[]> {
    const marks = await this.#marks()
    yield marks
    const marked = marks.map(([key]) => key)
    for (let after = ''; ; ) {
      const page = await Array.fromAsync(this.#store.scan({ gt: after, limit: copiedRows }))
      const [last] = page.at(-1) ?? []
      if (last === undefined) return
      yield page.filter(([key]) => !marked.includes(key))
      after = last
    }
  }

  /** All rows as they are when the first are read. A purge waits until they are read. */
  snapshot(): AsyncIterable<readonly Row[]> {
    return this.#store.scanBatches({})
  }

  /** The rows that say how far all others have come, both of one change. */
  async #marks(): Promise<readonly Row[]> {
    for (;;) {
      const [head, place] = [this.#store.get(headKey), this.#store.get(placeKey)]
      const marks: Row[] = []
      if (head !== undefined) marks.push([headKey, head])
      if (place !== undefined) marks.push([placeKey, place])
      const isOne = countChanges({ get: () => head }) === countChanges({ get: () => place })
      if (isOne || place === undefined) return marks
      // A change was written between the two.
      await nextTurn()
    }
  }

  /** Tells nobody any more, and closes the guard and the store. */
  async close(): Promise<void> {
    this.#publisher.close()
    this.#guard.close()
    await this.#store.close()
  }
}

function unwritable(cause: unknown): IdentityError {
  return new IdentityError(
    'keys_unwritable',
    'a write to the identity store failed and its outcome is unknown: free the disk if it is ' +
      'full, then restart the service',
    { cause },
  )
}

const guardText = 'svc-identity-head-v1'

/**
 * Remembers in a `GuardFile` how many changes were made to the identity store, under the pepper: so
 * an older copy of the store is recognized, and the file of another store is as well.
 */
export class IdentityGuard {
  readonly #file: GuardFile
  readonly #hashKey: KeyHasher

  /** Opens the guard's file and makes it if it is missing. Errors: LogError `store_failed`. */
  constructor(path: string, hashKey: KeyHasher) {
    this.#file = new GuardFile(path)
    this.#hashKey = hashKey
  }

  /**
   * How many changes a store that holds `changes` of them has lost. If none, that many are
   * remembered, synced. A guard that this store has not written is `keys_inconsistent`.
   */
  check(changes: number): number {
    const lostChanges = this.#read() - changes
    if (lostChanges > 0) return lostChanges
    this.remember(changes)
    this.#file.sync()
    return 0
  }

  /** Remembers how many changes were made, after the newest is durable. Errors: `store_failed`. */
  remember(changes: number): void {
    this.#file.write(this.#spell(changes))
  }

  /** Closes the file. */
  close(): void {
    this.#file.close()
  }

  #read(): number {
    const text = this.#file.read()
    if (text === undefined) return 0
    const changes = parseDecimal(text.split('\n')[1] ?? '')
    if (changes !== undefined && text === this.#spell(changes)) return changes
    throw new IdentityError(
      'keys_inconsistent',
      `${this.#file.path} was not written for this identity store: put back the file that ` +
        'belongs to it; remove the file only if it is known to be damaged and the store to be ' +
        'the newest',
    )
  }

  #spell(changes: number): string {
    const digest = this.#hashKey(`${guardText} ${changes}`).toString('hex')
    return `${guardText}\n${changes}\n${digest}\n`
  }
}
