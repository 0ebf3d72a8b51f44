import type { Operation } from '#log/store/store.ts'
import { type IdentityStore, putRow, type RowListener } from '#src/identity/store/identity_rows.ts'

/** Rows that are found by others, which are written with them. */
export type IndexedRows<T> = {
  readonly store: Pick<IdentityStore, 'commit' | 'inTurn' | 'isShared' | 'read'>
  /** From which change on all were written with what finds them. */
  readonly since: number
  /** The row that says for which `since` all older ones are found too. */
  readonly doneKey: string
  readonly rows: () => AsyncIterable<readonly [key: string, row: T]>
  readonly follow: (listener: RowListener<T>) => void
  /** A row as it is now; undefined if it is gone. */
  readonly read: (row: T) => T | undefined
  readonly isFound: (row: T) => boolean
  /** Has rows found. In turn. */
  readonly find: (lost: readonly T[]) => readonly Operation[]
  /** Is told of a row that another node has written and that could not be repaired. */
  readonly report: (fault: unknown) => void
}

/** Rows that are repaired in one turn, at most. */
const repairedMax = 500

/**
 * Has rows found that a version has written which knew nothing of how they are found: those that
 * there are when this resolves, and what other nodes write later.
 */
export async function repairIndex<T>(indexed: IndexedRows<T>): Promise<void> {
  const { store, since, doneKey, rows, follow, isFound, report } = indexed
  follow((_key, row) => {
    if (row !== undefined && !isFound(row)) repair(indexed, [row]).catch(report)
  })
  // Other nodes may have written while this one was away.
  if (!store.isShared && store.read<number>(doneKey) === since) return
  let lost: T[] = []
  for await (const [, row] of rows()) {
    if (!isFound(row)) lost.push(row)
    if (lost.length < repairedMax) continue
    await repair(indexed, lost)
    lost = []
  }
  if (lost.length > 0) await repair(indexed, lost)
  if (store.isShared) return
  await store.inTurn(() => store.commit([putRow(doneKey, since)]))
}

function repair<T>(
  { store, read, isFound, find }: IndexedRows<T>,
  rows: readonly T[],
): Promise<void> {
  return store.inTurn(async () => {
    const lost = rows.flatMap((row) => read(row) ?? []).filter((row) => !isFound(row))
    if (lost.length > 0) await store.commit(find(lost))
  })
}
