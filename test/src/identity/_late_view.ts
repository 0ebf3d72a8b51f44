// Two threads have an identity store each, over the same rows. What one writes, the other reads at
// once, and may be told of much later: not before it catches up, or has its turn.

import { setImmediate as nextTurn } from 'node:timers/promises'

import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/** A view of a store as another thread has it, which tells of changes as late as it may. */
export function lateView(store: IdentityStore): IdentityStore {
  let pending: (() => void)[] = []
  const catchUp = (): void => {
    store.catchUp()
    const telling = pending
    pending = []
    for (const tell of telling) tell()
  }
  return {
    hashKey: store.hashKey,
    deriveKey: (purpose) => store.deriveKey(purpose),
    read: (key) => store.read(key),
    scan: (prefix, options) => store.scan(prefix, options),
    async inTurn(change) {
      await nextTurn()
      return store.inTurn(async () => {
        await nextTurn()
        catchUp()
        return change()
      })
    },
    async inTurnAt(name, task) {
      await nextTurn()
      return store.inTurnAt(name, async () => {
        await nextTurn()
        return task()
      })
    },
    async commit(operations) {
      await store.commit(operations)
      catchUp()
    },
    async append(operations) {
      await store.append(operations)
      catchUp()
    },
    purge: (keys) => store.purge(keys),
    follow(prefix, listener) {
      store.follow<never>(prefix, (key, row) => void pending.push(() => listener(key, row)))
    },
    catchUp,
    isShared: store.isShared,
    position: store.position,
    since: store.since,
    checkContact: () => store.checkContact(),
  }
}
