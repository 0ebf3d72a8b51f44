import type { Operation, ReadStore } from '#log/base/store.ts'

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

/** A put of `value` as JSON. */
export function putRow(key: string, value: unknown): Operation {
  return { type: 'put', key, value: Buffer.from(JSON.stringify(value)) }
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
