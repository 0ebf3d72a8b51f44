import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** The groups of news that a person can switch off. */
export const newsGroups = [
  'organizations',
  'works',
  'claims',
  'content',
  'keys',
  'digest',
  'searches',
  'administration',
] as const

export type NewsGroup = (typeof newsGroups)[number]

/** Which groups of news a person does not want by mail, in sealed rows. */
export class NewsSwitches {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<readonly NewsGroup[]>

  constructor(store: IdentityStore) {
    this.#store = store
    this.#rows = new SealedRows(store, 'news_off')
  }

  /** The groups that a person has switched off. */
  offFor(ppid: string): readonly NewsGroup[] {
    return this.#rows.read(ppid) ?? []
  }

  set(ppid: string, off: readonly NewsGroup[]): Promise<void> {
    return this.#store.inTurn(() => this.#store.commit([this.#rows.put(ppid, off)]))
  }

  forget(ppid: string): Promise<void> {
    return this.#store.inTurn(() => this.#store.commit([this.#rows.delete(ppid)]))
  }
}
