import type { Operation } from '#log/base/store.ts'
import type { IdentityStore, RowListener, RowRange } from '#src/identity/store/identity_rows.ts'

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
