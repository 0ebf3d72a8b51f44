import type { Clock } from '#actors/values/clock.ts'
import type { Operation, ReadStore } from '#log/store/store.ts'
import type { KeyHasher } from '#src/identity/store/api_key.ts'

/** Is told what a row holds now: undefined if it was deleted. It must not throw. */
export type RowListener<T> = (key: string, row: T | undefined) => void

/** A row as a commit left it: JSON, or no text if it was deleted. Plain, so that it can travel. */
export type WrittenRow = { readonly key: string; readonly text?: string }

/** Between which keys a scan looks, and how far. */
export type RowRange = {
  readonly after?: string
  readonly before?: string
  readonly limit?: number
  readonly reverse?: boolean
}

/**
 * From which change on all were made by versions that also write the rows by which permissions,
 * and keys, are found.
 */
export type FoundSince = { readonly grants: number; readonly keys: number }

/**
 * JSON rows with a single writer, or several nodes that agree, as all have it who keep their rows
 * in it, or in a part of it: on the thread that owns it, and on those that have joined it. On those
 * a write, or a wait for a turn, can also fail with an ActorError, when the owner has ended.
 */
export type IdentityStore = {
  readonly hashKey: KeyHasher
  /** Whether other nodes change these rows too. */
  readonly isShared: boolean
  /** From which change on, here or where these rows were copied from, all rows are found. */
  readonly since: FoundSince
  /** How far these rows have come in what nodes share; 0 if they share nothing. */
  readonly position: number
  /** A secret of 32 bytes for one purpose, made from the pepper (HKDF-SHA256, RFC 5869). */
  deriveKey(purpose: string): Uint8Array
  /** The row at `key`. Its shape is the caller's to know: only this store's code writes rows. */
  read<T>(key: string): T | undefined
  /** Rows whose keys start with `prefix`, in key order, between the keys `after` and `before`. */
  scan<T>(prefix: string, range?: RowRange): AsyncGenerator<readonly [key: string, row: T]>
  /** Refuses to go on where this node is not in contact: IdentityError `identity_stale`. */
  checkContact(): void
  /**
   * Runs changes one after another, so that what one reads, no other changes under it. Of what the
   * changes before it have committed, everybody here has been told. Where nodes share the store, a
   * change runs again if another node was first, so until it commits it only reads, and it commits
   * once; its answer is one that all that was acknowledged before has gone into.
   */
  inTurn<T>(change: () => Promise<T>): Promise<T>
  /**
   * Runs tasks under the same name one after another, on whatever threads of this node; each may
   * take turns of the store meanwhile. So what is good for one use has one, whatever its use takes.
   */
  inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T>
  /**
   * Writes one change, a synced batch; call it in turn. After a failure the outcome is unknown and
   * every later change is refused with `keys_unwritable`, until a restart reads what was kept.
   * Where nodes share the store: errors as `SharedChanges.write`; `inTurn` sees to
   * `identity_outrun`.
   */
  commit(operations: readonly Operation[]): Promise<void>
  /**
   * Writes rows whatever others write, not in turn: nothing that a turn reads is among them. What
   * is asked for at the same time may be written at once. Errors as `commit`.
   */
  append(operations: readonly Operation[]): Promise<void>
  /** Leaves nothing in any file of what these rows held before their last change. In turn. */
  purge(keys: readonly string[]): Promise<void>
  /**
   * Tells `listener` of every row under `prefix` that a commit puts or deletes, whichever thread
   * commits it, in the order of the commits, once each is durable. A commit of one's own is told
   * before it resolves, those of others by `catchUp` at the latest.
   */
  follow<T>(prefix: string, listener: RowListener<T>): void
  /** Tells those who follow, at once, of every commit that was acknowledged to anybody before. */
  catchUp(): void
}

/** What those who keep rows in it work with. `random`: bytes of a cryptographic source. */
export type StoreParts = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
}

/** A change of one row. */
export type RowChange = Operation

/** A put of `value` as JSON. */
export function putRow(key: string, value: unknown): Operation {
  return { type: 'put', key, value: Buffer.from(JSON.stringify(value)) }
}

/** The deletion of the row at `key`. */
export function deleteRow(key: string): Operation {
  return { type: 'del', key }
}

/** The row at `key`. */
export function readRow<T>(store: Pick<ReadStore, 'get'>, key: string): T | undefined {
  const value = store.get(key)
  return value === undefined ? undefined : (JSON.parse(textOf(value)) as T)
}

/** Rows whose keys start with `prefix`, in key order, between the keys `after` and `before`. */
export async function* scanRows<T>(
  store: Pick<ReadStore, 'scan'>,
  prefix: string,
  { after = prefix, before = `${prefix}~`, ...rest }: RowRange,
): AsyncGenerator<readonly [key: string, row: T]> {
  for await (const [key, value] of store.scan({ gt: after, lt: before, ...rest })) {
    yield [key, JSON.parse(textOf(value)) as T]
  }
}

/** The rows that operations leave, to be told of. */
export function writtenRows(operations: readonly Operation[]): WrittenRow[] {
  return operations.map((operation) => {
    const { key } = operation
    return operation.type === 'put' ? { key, text: textOf(operation.value) } : { key }
  })
}

/** Rows in parts of at most `max` by their sizes, unless one row is larger; one part at least. */
export function cutRows(
  rows: readonly WrittenRow[],
  { max, sizeOf }: { readonly max: number; readonly sizeOf: (row: WrittenRow) => number },
): WrittenRow[][] {
  const parts: WrittenRow[][] = [[]]
  let size = 0
  for (const row of rows) {
    const own = sizeOf(row)
    if (size > 0 && size + own > max) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(row)
    size += own
  }
  return parts
}

/** The operations that leave rows as they were told of: the inverse of `writtenRows`. */
export function operationsOf(rows: readonly WrittenRow[]): Operation[] {
  return rows.map(({ key, text }) => {
    return text === undefined
      ? { type: 'del', key }
      : { type: 'put', key, value: Buffer.from(text) }
  })
}

/** Who follows rows in this thread. */
export class RowFollowers {
  readonly #followers: { readonly prefix: string; readonly listener: RowListener<never> }[] = []

  follow<T>(prefix: string, listener: RowListener<T>): void {
    this.#followers.push({ prefix, listener })
  }

  /** Tells them of the rows of one commit. */
  tell(rows: readonly WrittenRow[]): void {
    for (const { key, text } of rows) {
      for (const { prefix, listener } of this.#followers) {
        if (!key.startsWith(prefix)) continue
        listener(key, text === undefined ? undefined : (JSON.parse(text) as never))
      }
    }
  }
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString()
}

/**
 * Tells of every row under a prefix that there is, and from then on of every one that is put or
 * deleted. What a listener keeps in memory is complete when this resolves, and again after each
 * `catchUp` of the store.
 */
export async function followRows<T>(
  store: Pick<IdentityStore, 'follow' | 'scan'>,
  prefix: string,
  listener: RowListener<T>,
): Promise<void> {
  // A change that comes during the scan may be newer than what the scan still has to say of it.
  const changed: (readonly [key: string, row: T | undefined])[] = []
  let tell: RowListener<T> = (key, row) => void changed.push([key, row])
  store.follow<T>(prefix, (key, row) => tell(key, row))
  for await (const [key, row] of store.scan<T>(prefix)) listener(key, row)
  for (const [key, row] of changed) listener(key, row)
  tell = listener
}

/**
 * A part of an identity store: its rows lie below `name`, and its secrets are its own, so that who
 * is given the part reads and writes no row outside of it. Changes of all parts take turns, and the
 * guard of the store counts them all.
 */
export function identityPart(store: IdentityStore, name: string): IdentityStore {
  const root = `${name}/`
  const placed = (operation: Operation): Operation => {
    return { ...operation, key: root + operation.key }
  }
  return {
    hashKey: store.hashKey,
    deriveKey: (purpose) => store.deriveKey(`${name} ${purpose}`),
    read: <T>(key: string) => store.read<T>(root + key),
    async *scan<T>(prefix: string, options: RowRange = {}) {
      const { after = prefix, before = `${prefix}~`, ...rest } = options
      const range = { after: root + after, before: root + before, ...rest }
      for await (const [key, row] of store.scan<T>(root + prefix, range)) {
        yield [key.slice(root.length), row] as const
      }
    },
    inTurn: (change) => store.inTurn(change),
    inTurnAt: (place, task) => store.inTurnAt(root + place, task),
    commit: (operations) => store.commit(operations.map(placed)),
    append: (operations) => store.append(operations.map(placed)),
    follow<T>(prefix: string, listener: RowListener<T>) {
      store.follow<T>(root + prefix, (key, row) => listener(key.slice(root.length), row))
    },
    catchUp: () => store.catchUp(),
    purge: (keys) => store.purge(keys.map((key) => root + key)),
    get isShared() {
      return store.isShared
    },
    get position() {
      return store.position
    },
    get since() {
      return store.since
    },
    checkContact: () => store.checkContact(),
  }
}
