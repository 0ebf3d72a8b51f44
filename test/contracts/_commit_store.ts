import type { Store } from '#log/store/store.ts'

/** A store that reads from another one and commits in a way of the test's own. */
export function replaceCommit(below: Store, commit: Store['commit']): Store {
  return {
    get: (key) => below.get(key),
    scan: (range) => below.scan(range),
    scanBatches: (range) => below.scanBatches(range),
    purge: (keys) => below.purge(keys),
    close: () => below.close(),
    commit,
  }
}
