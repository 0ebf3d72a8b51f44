import type { Owner } from '#actors/values/agent.ts'
import type { Suspendable } from '#actors/values/authority.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { type AuditAction, AuditLog, type NewAuditEntry } from '#src/identity/store/audit.ts'
import {
  deleteRow,
  followRows,
  type IdentityStore,
  putRow,
} from '#src/identity/store/identity_rows.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'

/** That nobody acts as an organization or a person, or by an application, for the time being. */
export type Suspension = Suspendable & {
  /** Why, in the words of who decided it, for those whom it stops. */
  readonly reason: string
  readonly since: string
  readonly by: Owner
}

/** What a suspension or its end is about, by whom, and in whose list of what happened it stands. */
export type SuspensionChange = {
  readonly subject: Suspendable
  readonly by: Owner
  /** From which address. */
  readonly ip?: string
  readonly owner: NewAuditEntry['owner']
}

export type SuspendAnswer =
  | { readonly type: 'suspended' | 'unchanged'; readonly suspension: Suspension }
  | { readonly type: 'too_many' }

type SuspensionsOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  /** Whom those ask who are stopped: an e-mail address. */
  readonly contact: string
}

/** Suspensions at a time; every thread has all of them in memory. */
const suspensionsMax = 10_000

const prefix = 'suspension/'

/** What is suspended: one list for both environments, in rows that threads and nodes follow. */
export class Suspensions {
  readonly contact: string
  readonly #store: IdentityStore
  readonly #clock: Clock
  readonly #audit: AuditLog
  readonly #known = new Map<string, Suspension>()
  readonly #listeners: (() => void)[] = []

  constructor({ store, clock, contact }: SuspensionsOptions) {
    this.contact = contact
    this.#store = store
    this.#clock = clock
    this.#audit = new AuditLog(store)
  }

  /** Reads what there is, and follows what changes; before anything else is asked. */
  follow(): Promise<void> {
    return followRows<Suspension>(this.#store, prefix, (key, row) => {
      if (row === undefined) this.#known.delete(key)
      else this.#known.set(key, row)
      for (const listener of this.#listeners) listener()
    })
  }

  /** Calls `listener` after each change, on whichever thread or node it was made. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** The first suspension of those through whom somebody acts; undefined if none is suspended. */
  first(parties: readonly Suspendable[]): Suspension | undefined {
    this.#store.catchUp()
    if (this.#known.size === 0) return undefined
    for (const party of parties) {
      const found = this.#known.get(keyOf(party))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** All of them, oldest first. */
  list(): Suspension[] {
    this.#store.catchUp()
    return [...this.#known.values()].sort((a, b) => (a.since + a.id < b.since + b.id ? -1 : 1))
  }

  /** Suspends; what is suspended stays as it is. */
  suspend(change: SuspensionChange, reason: string): Promise<SuspendAnswer> {
    const { type, id } = change.subject
    return this.#store.inTurn(async () => {
      const known = this.#store.read<Suspension>(keyOf(change.subject))
      if (known !== undefined) return { type: 'unchanged', suspension: known }
      if (this.#known.size >= suspensionsMax) return { type: 'too_many' }
      const since = formatTimestamp(this.#clock.nowMs())
      const suspension: Suspension = { type, id, reason, since, by: change.by }
      const audited = await this.#entry(change, 'suspended', reason)
      await this.#store.commit([putRow(keyOf(change.subject), suspension), ...audited])
      return { type: 'suspended', suspension }
    })
  }

  /** Ends a suspension; gives what it was, or undefined if there is none. */
  resume(change: SuspensionChange): Promise<Suspension | undefined> {
    return this.#store.inTurn(async () => {
      const key = keyOf(change.subject)
      const known = this.#store.read<Suspension>(key)
      if (known === undefined) return undefined
      const audited = await this.#entry(change, 'resumed')
      await this.#store.commit([deleteRow(key), ...audited])
      return known
    })
  }

  /** Forgets that a person was suspended, whose account is no more. */
  forget(ppid: string): Promise<void> {
    return this.#store.inTurn(async () => {
      const key = keyOf({ type: 'account', id: ppid })
      if (this.#store.read<Suspension>(key) === undefined) return
      await this.#store.commit([deleteRow(key)])
    })
  }

  #entry({ subject, by, ip, owner }: SuspensionChange, action: AuditAction, because?: string) {
    const at = formatTimestamp(this.#clock.nowMs())
    const { type, id } = subject
    const why = because !== undefined && { because }
    const from = ip !== undefined && { network: networkOf(ip) }
    return this.#audit.rows([{ owner, at, action, by, ...memberOf[type](id), ...why, ...from }])
  }
}

/** The member of an entry that names what was suspended; an account is that of the list. */
const memberOf = {
  organization: (slug: string) => ({ slug }),
  account: () => ({}),
  application: (id: string) => ({ client_id: id }),
  work: (ark: string) => ({ ark }),
} as const satisfies Record<Suspendable['type'], unknown>

function keyOf({ type, id }: Suspendable): string {
  return `${prefix}${type}/${id}`
}

/** What a suspension says to whom it stops: what is suspended, why, and whom to ask. */
export function suspensionText({ type, id, reason, since }: Suspension, contact: string): string {
  if (type === 'work') {
    const day = since.slice(0, 10)
    return `The operator withholds the work ark:/${id} since ${day}: ${reason} (ask ${contact})`
  }
  return `The ${type} ${id} is suspended since ${since.slice(0, 10)}: ${reason} (ask ${contact})`
}
