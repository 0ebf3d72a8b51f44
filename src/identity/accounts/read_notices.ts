import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** Until when people have read their notices, in sealed rows by ppid. */
export class ReadNotices {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<string>

  constructor(store: IdentityStore) {
    this.#store = store
    this.#rows = new SealedRows(store, 'notices_read')
  }

  /** The time of the newest notice that was read; empty if none was. */
  readUntil(ppid: string): string {
    return this.#rows.read(ppid) ?? ''
  }

  /** Notes that all notices up to a time are read, unless a later time is noted. */
  mark(ppid: string, at: string): Promise<void> {
    const store = this.#store
    return store.inTurn(async () => {
      if (at > this.readUntil(ppid)) await store.commit([this.#rows.put(ppid, at)])
    })
  }

  /** Forgets all of an account that is erased, and leaves nothing of it in any file. */
  forget(ppid: string): Promise<void> {
    return this.#rows.purge(ppid)
  }
}
