import { timingSafeEqual } from 'node:crypto'
import type { AdapterPayload } from 'oidc-provider'

import { Stride } from '#actors/kernel/stride.ts'
import type { Owner } from '#actors/values/agent.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import {
  type Application,
  type ApplicationRecord,
  isOfDevice,
  type NewApplication,
} from '#src/identity/oauth/application_record.ts'
import type { AuditAction, AuditLog, NewAuditEntry } from '#src/identity/store/audit.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { RowCache } from '#src/identity/store/row_cache.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** What the ids of applications of each environment begin with. */
export const applicationIdPrefixes = { live: 'app_', sandbox: 'app_test_' } as const

export type ApplicationsOptions = {
  readonly store: IdentityStore
  readonly audit: AuditLog
  readonly clock: Clock
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
  /** What the ids of applications begin with. */
  readonly idPrefix: string
}

/** An application with its secret, which is nowhere else and never shown again; or null. */
export type NewSecret = { readonly application: Application; readonly secret: string | null }

/** Whose applications are listed: of one owner, of one organization; by default, all. */
export type ApplicationFilter = {
  readonly owner?: Pick<Owner, 'type' | 'id'>
  readonly organization?: string
}

export type ApplicationAnswer =
  | { readonly type: 'done'; readonly application: Application }
  | { readonly type: 'not_found' }
  /** A revoked application stays so. */
  | { readonly type: 'revoked' }

export type SecretAnswer =
  | ({ readonly type: 'done' } & NewSecret)
  | { readonly type: 'not_found' | 'revoked' }
  /** A public application has no secret. */
  | { readonly type: 'public' }

const idDigits = 16
const secretDigits = 43
const secretForm = /^[0-9A-Za-z]{43}$/

/** How long the secret before the newest one still works. */
const formerSecretMs = 24 * 3_600_000

/** What takes as long as to open one application, in bytes of `Stride`. */
const applicationBytes = 2_048

/**
 * The registered applications, in sealed rows of the identity store, of which those that were used
 * last are kept in memory. Secrets are kept as digests only. A change counts from the moment that
 * it is durable, on any thread.
 */
export class Applications {
  readonly #options: ApplicationsOptions
  readonly #rows: SealedRows<ApplicationRecord>
  readonly #records: RowCache<ApplicationRecord>
  readonly #revocationListeners: ((clientId: string) => Promise<void>)[] = []

  constructor(options: ApplicationsOptions) {
    const { store } = options
    this.#options = options
    this.#rows = new SealedRows(store, 'application')
    this.#records = new RowCache({ store, rows: this.#rows })
  }

  /** Adds an application, unverified, and draws its secret. */
  register(newApplication: NewApplication, by: Owner): Promise<NewSecret> {
    return this.#options.store.inTurn(async () => {
      const at = formatTimestamp(this.#options.clock.nowMs())
      const client_id = this.#options.idPrefix + this.#draw(idDigits)
      const secret = newApplication.kind === 'public' ? null : this.#draw(secretDigits)
      const application = await this.#save(
        {
          application: {
            client_id,
            ...newApplication,
            state: 'unverified',
            created_at: at,
            updated_at: at,
          },
          secret: secret === null ? null : this.#digest(secret),
          secret_by: { type: by.type, id: by.id },
          former_secret: null,
        },
        'registered',
        by,
      )
      return { application, secret }
    })
  }

  /** An administrator has looked at an application: people are no longer warned of it. */
  approve(clientId: string, by: Owner): Promise<ApplicationAnswer> {
    return this.#change(clientId, async (record) => {
      const { application } = record
      if (application.state === 'approved') return application
      const approved = { ...application, state: 'approved' } as const
      return this.#save({ ...record, application: approved }, 'approved', by)
    })
  }

  /**
   * Changes what an application is. Of an approved one it is looked at again if people would see
   * another one, or would be asked for more.
   */
  change(clientId: string, wish: NewApplication, by: Owner): Promise<ApplicationAnswer> {
    return this.#change(clientId, (record) => {
      const { application } = record
      const { owner, organization, kind, post_logout_redirect_uris: _, ...kept } = application
      const changed = { ...kept, ...wish, owner, organization, kind }
      const state = isSameToPeople(application, changed) ? application.state : 'unverified'
      return this.#save({ ...record, application: { ...changed, state } }, 'changed', by)
    })
  }

  /** Ends an application for good, with everything it was permitted. */
  async revoke(clientId: string, by: Owner): Promise<ApplicationAnswer> {
    const answer = await this.#change(clientId, ({ application }) => {
      const revoked = { ...application, state: 'revoked' } as const
      const record = { application: revoked, secret: null, former_secret: null }
      return this.#save(record, 'revoked', by)
    })
    if (answer.type === 'done') {
      for (const listener of this.#revocationListeners) await listener(clientId)
    }
    return answer
  }

  /**
   * Takes what is personal out of the applications of a person who is no more, and ends those that
   * are nobody else's.
   */
  async forget(ppid: string): Promise<void> {
    for (const application of await this.list({ owner: { type: 'person', id: ppid } })) {
      const { client_id, organization, owner } = application
      await this.#change(client_id, (record) => {
        const impersonal = { ...record.application, contact: null }
        return this.#save({ ...record, application: impersonal }, 'changed', owner)
      })
      if (organization === null) await this.revoke(client_id, owner)
    }
  }

  /** Draws a new secret, which works at once; the one before works on for a day. */
  rotateSecret(clientId: string, by: Owner): Promise<SecretAnswer> {
    return this.#options.store.inTurn(async () => {
      const record = this.#records.get(clientId)
      if (record === undefined) return { type: 'not_found' }
      if (record.application.state === 'revoked') return { type: 'revoked' }
      if (record.secret === null) return { type: 'public' }
      const until = formatTimestamp(this.#options.clock.nowMs() + formerSecretMs)
      const former_secret = { digest: record.secret, until }
      const secret = this.#draw(secretDigits)
      const secret_by = { type: by.type, id: by.id }
      const changed = { ...record, secret: this.#digest(secret), secret_by, former_secret }
      return { type: 'done', application: await this.#save(changed, 'secret_rotated', by), secret }
    })
  }

  /**
   * Ends the secrets of an application, which does nothing then until it is given a new one. Its
   * permissions stay.
   */
  endSecret(clientId: string, by: Owner): Promise<ApplicationAnswer> {
    return this.#change(clientId, ({ application, secret }) => {
      // Nobody has this one. That there is one tells the application from a public one.
      const unknown = secret === null ? null : this.#digest(this.#draw(secretDigits))
      const record = { application, secret: unknown, secret_by: null, former_secret: null }
      return this.#save(record, 'secret_rotated', by)
    })
  }

  /** The applications that can be used, and whose secret a person was shown. */
  listOfSecret(ppid: string): Promise<Application[]> {
    return this.#listWhere(({ application: { owner, state, kind }, secret_by: holder }) => {
      // A secret of a person's own application was handed on to them.
      const holders = holder === null ? [] : [owner, holder ?? owner]
      const isHeld = holders.some(({ type, id }) => type === 'person' && id === ppid)
      return isHeld && state !== 'revoked' && kind === 'confidential'
    })
  }

  /** An application of any state. */
  find(clientId: string): Application | undefined {
    return this.#records.get(clientId)?.application
  }

  /** An application that was not revoked. */
  findUsable(clientId: string): Application | undefined {
    const application = this.find(clientId)
    return application?.state === 'revoked' ? undefined : application
  }

  /** All applications, those of one owner, or those of one organization; oldest first. */
  list({ owner, organization }: ApplicationFilter = {}): Promise<Application[]> {
    return this.#listWhere(({ application }) => {
      const { type, id } = application.owner
      const isTheirs = owner === undefined || (type === owner.type && id === owner.id)
      return isTheirs && (organization === undefined || application.organization === organization)
    })
  }

  async #listWhere(isMeant: (record: ApplicationRecord) => boolean): Promise<Application[]> {
    const stride = new Stride()
    const found: Application[] = []
    for await (const [, record] of this.#rows.entries()) {
      if (isMeant(record)) found.push(record.application)
      await stride.step(applicationBytes)
    }
    return found.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  }

  /** Whether a text is a secret of an application. */
  isSecret(clientId: string, presented: string): boolean {
    const record = this.#records.get(clientId)
    if (record === undefined || !secretForm.test(presented)) return false
    const digest = Buffer.from(this.#digest(presented))
    const { secret, former_secret: former } = record
    const isNewest = secret !== null && timingSafeEqual(digest, Buffer.from(secret))
    const isFormer =
      former !== null &&
      this.#options.clock.nowMs() < Date.parse(former.until) &&
      timingSafeEqual(digest, Buffer.from(former.digest))
    return isNewest || isFormer
  }

  /** An application as the identity provider knows its clients (OIDC Registration 1.0, §2). */
  clientMetadata(clientId: string): AdapterPayload | undefined {
    const application = this.findUsable(clientId)
    if (application === undefined) return undefined
    const { kind, redirect_uris, post_logout_redirect_uris: afterLogout } = application
    return {
      client_id: clientId,
      client_name: application.name,
      redirect_uris: [...redirect_uris],
      post_logout_redirect_uris: [...(afterLogout ?? redirect_uris)],
      application_type: redirect_uris.some(isOfDevice) ? 'native' : 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: application.scopes.join(' '),
      ...(kind === 'public'
        ? { token_endpoint_auth_method: 'none' }
        : // The provider asks `isSecret`; it only has to know that there is one.
          { token_endpoint_auth_method: 'client_secret_post', client_secret: 'kept elsewhere' }),
    }
  }

  /** Calls `listener` when an application is revoked, and waits for it. */
  onRevocation(listener: (clientId: string) => Promise<void>): void {
    this.#revocationListeners.push(listener)
  }

  #change(
    clientId: string,
    change: (record: ApplicationRecord) => Promise<Application>,
  ): Promise<ApplicationAnswer> {
    return this.#options.store.inTurn(async () => {
      const record = this.#records.get(clientId)
      if (record === undefined) return { type: 'not_found' }
      if (record.application.state === 'revoked') return { type: 'revoked' }
      return { type: 'done', application: await change(record) }
    })
  }

  async #save(record: ApplicationRecord, action: AuditAction, by: Owner): Promise<Application> {
    const { store, audit, clock } = this.#options
    const at = formatTimestamp(clock.nowMs())
    const application = { ...record.application, updated_at: at }
    const { client_id, owner, scopes } = application
    const entry: NewAuditEntry = { owner, at, action, client_id, by, scopes }
    const saved = { ...record, application }
    await store.commit([this.#rows.put(client_id, saved), ...(await audit.rows([entry]))])
    return application
  }

  #draw(digits: number): string {
    return randomBase62(digits, this.#options.random(base62RandomBytes(digits)))
  }

  #digest(secret: string): string {
    return this.#options.store.hashKey(secret).toString('hex')
  }
}

/** Whether people are asked by the same application as before, and for no more. */
function isSameToPeople(old: Application, changed: Application): boolean {
  const addressesOf = ({ redirect_uris, post_logout_redirect_uris = [] }: Application) =>
    [redirect_uris.join(' '), post_logout_redirect_uris.join(' ')].join('\n')
  return (
    old.name === changed.name &&
    old.homepage === changed.homepage &&
    addressesOf(old) === addressesOf(changed) &&
    changed.scopes.every((scope) => old.scopes.includes(scope))
  )
}
