import type { RowListener } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'

/**
 * Tells of every row under a prefix that there is, and from then on of every one that is put or
 * deleted. Whoever derives from that what it holds in memory has all of it when this resolves, and
 * again after each `catchUp` of the store.
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
