import type { Store } from '#log/store/store.ts'

/** A store with some of its operations replaced. */
export function wrapStore(store: Store, replaced: Partial<Store>): Store {
  return {
    get: (key) => store.get(key),
    scan: (range) => store.scan(range),
    scanBatches: (range) => store.scanBatches(range),
    commit: (operations) => store.commit(operations),
    purge: (keys) => store.purge(keys),
    close: () => store.close(),
    ...replaced,
  }
}
