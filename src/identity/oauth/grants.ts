import type { AdapterPayload } from 'oidc-provider'

import { personOwner } from '#src/identity/store/owner_text.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { Owner } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import type { Operation } from '#log/store/store.ts'
import { oauthScopeNames } from '#src/identity/oauth/oauth_scopes.ts'
import type { AuditAction, AuditLog, GrantEnd, NewAuditEntry } from '#src/identity/store/audit.ts'
import { deleteRow, type IdentityStore, putRow } from '#src/identity/store/identity_rows.ts'
import { repairIndex } from '#src/identity/store/index_repair.ts'
import { networkOf } from '#src/identity/store/ip_list.ts'
import { AuditNotes, LastUses } from '#src/identity/store/last_uses.ts'
import { RowCache } from '#src/identity/store/row_cache.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** What a person permitted an application, until one of them ends it or nobody uses it. */
export type Grant = {
  readonly id: string
  readonly ppid: string
  readonly client_id: string
  /** What is permitted; what was asked for and refused is not in it. */
  readonly scopes: readonly string[]
  readonly granted_at: string
  /** When what is permitted last changed. */
  readonly updated_at: string
}

/** The newest use of a permission that was written down: at most one per minute. */
export type GrantUse = { readonly at: string; readonly network: string }

/** A permission as its person sees it. */
export type GrantInfo = Grant & {
  readonly expires_at: string
  readonly last_used: GrantUse | null
}

/** A permission that has ended: whose it was, to which application, and when it ended. */
export type EndedGrant = Pick<Grant, 'id' | 'ppid' | 'client_id'> & { readonly at: string }

export type EndGrantAnswer = { readonly type: 'ended' } | { readonly type: 'not_found' }

/** With what the identity provider made of it, which it reads again. */
type GrantRow = Grant & { readonly payload: AdapterPayload }

type UseRow = GrantUse & { readonly id: string }

/** `report` is told of a use that could not be written down. */
export type GrantsOptions = {
  readonly store: IdentityStore
  readonly audit: AuditLog
  readonly clock: Clock
  readonly report: (fault: unknown) => void
}

/** How much an application is permitted and used: numbers of people and of permissions. */
export type ApplicationUse = {
  readonly people: number
  /** Whether these are all; else there are more. */
  readonly isExact: boolean
  /** Permissions that were used in the last 30 days. */
  readonly usedRecently: number
  readonly lastUsed: string | null
  /** How many permissions have each scope. */
  readonly scopes: ReadonlyMap<string, number>
}

const secondMs = 1_000

/** Permissions of an application that are counted, at most. */
const countedMax = 10_000

const recentMs = 30 * 86_400_000

/** The row that says since which change all permissions are found: the store's `since`. */
const repairedKey = 'grants_repaired'

/**
 * The permissions that people gave to applications, in sealed rows of the identity store, of which
 * those that were used last are kept in memory, where every use of a token looks: so a permission
 * that has ended counts no more from the moment that its end is durable, on any thread, whatever
 * tokens are still about.
 */
export class Grants {
  readonly #options: GrantsOptions
  readonly #rows: SealedRows<GrantRow>
  readonly #useRows: SealedRows<UseRow>
  readonly #index: GrantIndex<GrantRow>
  readonly #grants: RowCache<GrantRow>
  readonly #uses: LastUses<UseRow>
  readonly #endListeners: ((id: string) => Promise<void>)[] = []
  #rowsOfEnd: (ended: readonly EndedGrant[]) => readonly Operation[] = () => []

  constructor(options: GrantsOptions) {
    const { store, audit, report } = options
    this.#options = options
    this.#rows = new SealedRows(store, 'grant')
    this.#useRows = new SealedRows(store, 'grant_use')
    this.#index = new GrantIndex(store, this.#rows)
    this.#grants = new RowCache({ store, rows: this.#rows })
    this.#uses = new LastUses({
      store,
      notes: new AuditNotes(audit, 'grant_id'),
      report,
      written: (id) => this.#useRows.read(id),
      // It may have ended since.
      rowOf: (id, use) => this.#grants.get(id) && this.#useRows.put(id, use),
    })
  }

  /**
   * Has permissions found that a version without the index has written: those that there are when
   * this resolves, and what other nodes write later. For one thread of those that share the rows.
   */
  repair(): Promise<void> {
    const { store, report } = this.#options
    return repairIndex<GrantRow>({
      store,
      report,
      since: store.since.grants,
      doneKey: repairedKey,
      rows: () => this.#rows.entries(),
      follow: (listener) => this.#rows.followChanges(listener),
      read: ({ id }) => this.#grants.get(id),
      isFound: (grant) => this.#index.has(grant),
      find: (grants) => this.#index.change([], grants),
    })
  }

  /** A permission that has not ended. */
  find(id: string): Grant | undefined {
    const grant = this.#grants.get(id)
    return grant !== undefined && this.#isAlive(grant) ? grant : undefined
  }

  /** What the identity provider has saved of a permission that has not ended. */
  payload(id: string): AdapterPayload | undefined {
    const grant = this.#grants.get(id)
    return grant !== undefined && this.#isAlive(grant) ? grant.payload : undefined
  }

  /** What was asked for with a permission, and refused. */
  refused(id: string): readonly string[] {
    const payload = this.#grants.get(id)?.payload as PermittedPayload | undefined
    return [...scopesOf(payload?.rejected?.openid)]
  }

  /** What a person permitted an application. */
  findFor(ppid: string, clientId: string): Grant | undefined {
    return this.#of(ppid).findLast(({ client_id }) => client_id === clientId)
  }

  /** What a person permitted, oldest first. */
  list(ppid: string): readonly GrantInfo[] {
    return this.#of(ppid).map(({ payload, ...grant }) => ({
      ...grant,
      expires_at: formatTimestamp((payload.exp ?? 0) * secondMs),
      last_used: this.#lastUse(grant.id) ?? null,
    }))
  }

  /** How an application is permitted and used; nothing tells by whom. */
  async useOf(clientId: string): Promise<ApplicationUse> {
    const counted: GrantRow[] = []
    let isExact = true
    for await (const grant of this.#index.ofApplication(clientId)) {
      if (!this.#isAlive(grant)) continue
      isExact = counted.length < countedMax
      if (!isExact) break
      counted.push(grant)
    }
    const uses = counted.flatMap(({ id }) => this.#lastUse(id)?.at ?? [])
    const recently = formatTimestamp(this.#options.clock.nowMs() - recentMs)
    const scopes = new Map<string, number>()
    for (const scope of counted.flatMap((grant) => grant.scopes)) {
      scopes.set(scope, (scopes.get(scope) ?? 0) + 1)
    }
    return {
      people: new Set(counted.map(({ ppid }) => ppid)).size,
      isExact,
      usedRecently: uses.filter((at) => at >= recently).length,
      lastUsed: uses.toSorted().at(-1) ?? null,
      scopes,
    }
  }

  /** Writes what the identity provider says of a permission: a new one, or more or less of it. */
  save(id: string, payload: AdapterPayload): Promise<void> {
    const { store, clock } = this.#options
    return store.inTurn(async () => {
      const at = formatTimestamp(clock.nowMs())
      const old = this.#grants.get(id)
      const scopes = permittedScopes(payload)
      const isSame = old !== undefined && old.scopes.join(' ') === scopes.join(' ')
      const grant: GrantRow = {
        id,
        ppid: payload.accountId ?? '',
        client_id: payload.clientId ?? '',
        scopes,
        granted_at: old?.granted_at ?? at,
        updated_at: isSame ? old.updated_at : at,
        payload,
      }
      const by = personOwner(grant.ppid)
      const entries = isSame ? [] : [this.#entry(grant, old ? 'changed' : 'granted', { by })]
      const found = isFoundAsBefore(old, grant) ? [] : this.#index.change(old ? [old] : [], [grant])
      await this.#commit([this.#rows.put(id, grant), ...found], entries)
    })
  }

  /**
   * Ends a permission: at whose request, or why. Every token of it is void when this resolves.
   */
  end(id: string, why: Owner | GrantEnd): Promise<EndGrantAnswer> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const grant = this.#grants.get(id)
      if (grant === undefined) return { type: 'not_found' }
      await this.#endAll([grant], why)
      return { type: 'ended' }
    })
  }

  /** Ends all that was permitted to an application, by default because it is revoked. */
  endAllOfApplication(clientId: string, why: GrantEnd = 'application_revoked'): Promise<void> {
    return this.#endAllOf(() => Array.fromAsync(this.#index.ofApplication(clientId)), why)
  }

  /** Ends all that a person permitted, and at whose request. */
  endAllOfPerson(ppid: string, by: Owner): Promise<void> {
    return this.#endAllOf(() => this.#read(this.#index.idsOf(ppid)), by)
  }

  /** Ends all that a person permitted, and forgets that they ever did. */
  async forget(ppid: string): Promise<void> {
    await this.#endAllOf(() => this.#read(this.#index.idsOf(ppid)), 'account_deleted')
    const { store, audit } = this.#options
    await store.inTurn(async () => store.commit(await audit.erase({ type: 'person', id: ppid })))
  }

  /** Removes permissions that have expired. */
  sweep(): Promise<void> {
    return this.#endAllOf(() => {
      const nowSeconds = Math.floor(this.#options.clock.nowMs() / secondMs)
      return Array.fromAsync(this.#index.expired(nowSeconds))
    }, 'expired')
  }

  /** Notes that a permission was used, in the background. */
  noteUse(grant: Grant, ip: string): void {
    const nowMs = this.#options.clock.nowMs()
    const { id } = grant
    this.#uses.note(id, nowMs, () => {
      const use = { id, at: formatTimestamp(nowMs), network: networkOf(ip) }
      return { use, entry: this.#entry(grant, 'used', { network: use.network }) }
    })
  }

  /** Calls `listener` with every permission that has ended; a failure of it is reported. */
  onEnd(listener: (id: string) => Promise<void>): void {
    this.#endListeners.push(listener)
  }

  /** Has rows that somebody keeps of ended permissions written with their end. */
  writeWithEnd(rowsOfEnd: (ended: readonly EndedGrant[]) => readonly Operation[]): void {
    this.#rowsOfEnd = rowsOfEnd
  }

  #endAllOf(
    find: () => readonly GrantRow[] | Promise<readonly GrantRow[]>,
    why: Owner | GrantEnd,
  ): Promise<void> {
    return this.#options.store.inTurn(async () => {
      const over = await find()
      if (over.length > 0) await this.#endAll(over, why)
    })
  }

  async #endAll(grants: readonly GrantRow[], why: Owner | GrantEnd): Promise<void> {
    const cause = typeof why === 'string' ? { reason: why } : { by: why }
    const rows = grants.flatMap(({ id }) => [this.#rows.delete(id), this.#useRows.delete(id)])
    const entries = grants.map((grant) => this.#entry(grant, 'revoked', cause))
    const at = formatTimestamp(this.#options.clock.nowMs())
    const ended = grants.map(({ id, ppid, client_id }) => ({ id, ppid, client_id, at }))
    const found = this.#index.change(grants, [])
    await this.#commit([...rows, ...found, ...this.#rowsOfEnd(ended)], entries)
    for (const { id } of grants) {
      for (const listener of this.#endListeners) listener(id).catch(this.#options.report)
    }
  }

  #lastUse(id: string): GrantUse | undefined {
    const use = this.#uses.of(id)
    return use && { at: use.at, network: use.network }
  }

  async #commit(rows: readonly Operation[], entries: readonly NewAuditEntry[]): Promise<void> {
    const { store, audit } = this.#options
    await store.commit([...rows, ...(await audit.rows(entries))])
  }

  #entry(grant: Grant, action: AuditAction, what: Partial<NewAuditEntry>): NewAuditEntry {
    const { id, ppid, client_id, scopes } = grant
    const at = formatTimestamp(this.#options.clock.nowMs())
    const owner = { type: 'person', id: ppid } as const
    return { owner, at, action, grant_id: id, client_id, scopes, ...what }
  }

  /** What a person permitted and has not ended, oldest first. */
  #of(ppid: string): GrantRow[] {
    return this.#read(this.#index.idsOf(ppid))
      .filter((grant) => this.#isAlive(grant))
      .sort((a, b) => Date.parse(a.granted_at) - Date.parse(b.granted_at))
  }

  /** Permissions of which some may have ended, for they are looked up one by one. */
  #read(ids: readonly string[]): GrantRow[] {
    return ids.flatMap((id) => this.#grants.get(id) ?? [])
  }

  #isAlive({ payload }: GrantRow): boolean {
    return this.#options.clock.nowMs() < (payload.exp ?? 0) * secondMs
  }
}

/** Whether a permission is found by what it was found by before it was changed. */
function isFoundAsBefore(old: GrantRow | undefined, { ppid, client_id, payload }: GrantRow) {
  return (
    old !== undefined &&
    old.ppid === ppid &&
    old.client_id === client_id &&
    old.payload.exp === payload.exp
  )
}

type Permitted = { readonly openid?: { readonly scope?: string } }
type PermittedPayload = Permitted & { readonly rejected?: Permitted }

/** What a payload permits: the scopes that were granted without those that were refused. */
function permittedScopes(payload: AdapterPayload): string[] {
  const { openid, rejected } = payload as PermittedPayload
  const granted = scopesOf(openid)
  const refused = scopesOf(rejected?.openid)
  return oauthScopeNames.filter((name) => {
    return granted.has(name) && (name === 'openid' || !refused.has(name))
  })
}

function scopesOf(openid: Permitted['openid']): ReadonlySet<string> {
  return new Set(openid?.scope?.split(' '))
}

/** What a permission is found by; `exp` is in seconds since 1970. */
export type IndexedGrant = {
  readonly id: string
  readonly ppid: string
  readonly client_id: string
  readonly payload: { readonly exp?: number | undefined }
}

/** What takes as long as to find and open one permission, in bytes of `Stride`. */
const grantBytes = 4_096

/**
 * Rows by which permissions are found that lie in `rows`, written in the batch that changes them:
 * `grant_list/<person>` the ids of what a person permitted, sealed; and two of no content,
 * `grant_application/<application>/<row>` and `grant_expiry/<seconds>/<row>`, where `<row>` is what
 * the key of the permission's row ends with.
 */
export class GrantIndex<G extends IndexedGrant> {
  readonly #store: IdentityStore
  readonly #rows: SealedRows<G>
  readonly #lists: SealedRows<readonly string[]>
  readonly #applications: SealedRows<never>

  constructor(store: IdentityStore, rows: SealedRows<G>) {
    this.#store = store
    this.#rows = rows
    this.#lists = new SealedRows(store, 'grant_list')
    this.#applications = new SealedRows(store, 'grant_application')
  }

  /** The ids of what a person permitted, in the order in which it was written. */
  idsOf(ppid: string): readonly string[] {
    return this.#lists.read(ppid) ?? []
  }

  /** Every permission of an application, in no order that means anything. */
  ofApplication(clientId: string): AsyncGenerator<G> {
    return this.#grantsBelow(`${this.#applications.keyOf(clientId)}/`)
  }

  /** Every permission that has expired, at a time in seconds since 1970. */
  expired(atSeconds: number): AsyncGenerator<G> {
    return this.#grantsBelow(expiryPrefix, expiryKey(atSeconds + 1))
  }

  /** Has permissions found that were written, in place of those that were before. In turn. */
  change(before: readonly G[], after: readonly G[]): Operation[] {
    const lists = new Map<string, Set<string>>()
    const listOf = (ppid: string): Set<string> => {
      const list = lists.get(ppid) ?? new Set(this.idsOf(ppid))
      lists.set(ppid, list)
      return list
    }
    for (const { id, ppid } of before) listOf(ppid).delete(id)
    for (const { id, ppid } of after) listOf(ppid).add(id)
    const keysOf = (grant: G) => this.#keysOf(grant)
    return [
      ...before.flatMap(keysOf).map(deleteRow),
      ...after.flatMap(keysOf).map((key) => putRow(key, 0)),
      ...[...lists].map(([ppid, ids]) => {
        return ids.size === 0 ? this.#lists.delete(ppid) : this.#lists.put(ppid, [...ids])
      }),
    ]
  }

  /** Whether a permission is found by all that it is to be found by. */
  has(grant: G): boolean {
    const isThere = (key: string) => this.#store.read<number>(key) !== undefined
    return this.#keysOf(grant).every(isThere) && this.idsOf(grant.ppid).includes(grant.id)
  }

  #keysOf({ id, client_id, payload }: G): readonly [application: string, expiry: string] {
    const row = this.#rows.keyOf(id).slice(rowPrefix.length)
    return [`${this.#applications.keyOf(client_id)}/${row}`, `${expiryKey(payload.exp)}/${row}`]
  }

  async *#grantsBelow(prefix: string, before = `${prefix}~`): AsyncGenerator<G> {
    const stride = new Stride()
    for await (const [key] of this.#store.scan<number>(prefix, { before })) {
      const grant = this.#rows.readAt(rowPrefix + key.slice(key.lastIndexOf('/') + 1))
      // A version that knows nothing of these rows may have ended or prolonged it.
      if (grant !== undefined && this.#keysOf(grant).includes(key)) yield grant
      await stride.step(grantBytes)
    }
  }
}

const rowPrefix = 'grant/'
const expiryPrefix = 'grant_expiry/'

function expiryKey(seconds = 0): string {
  return expiryPrefix + seconds.toString(16).padStart(12, '0')
}
