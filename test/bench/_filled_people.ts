import { randomBytes } from 'node:crypto'
import path from 'node:path'

import { mintPpid } from '#actors/values/identifier.ts'
import { monotoneClock } from '#actors/values/clock.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import type { Operation } from '#log/store/store.ts'
import { identityPaths } from '#src/keeping/data_dir/data_dir.ts'
import { AccountRows } from '#src/identity/accounts/account.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { checkNewApplication } from '#src/identity/oauth/application_record.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { GrantIndex } from '#src/identity/oauth/grants.ts'
import { ownRowStore, ProviderRows } from '#src/identity/oauth/provider_rows.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { openIdentityStore } from '#src/identity/store/identity_store.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { SealedRows } from '#src/identity/store/sealed_rows.ts'

/** How many people are made, each of whom permits three of a hundred applications something. */
export type PeopleCount = { readonly people: number; readonly tokens: number }

const applicationsCount = 100
const permittedEach = 3
const peopleAtOnce = 1_000
const at = '2026-01-01T00:00:00.000Z'
const scopes = ['openid', 'profile', 'svc:works:read', 'svc:works:write']
const year = 365 * 86_400

/**
 * Fills the identity store of a registry that has been started once and has ended: rows as the
 * registry writes them, but for entries of the audit list, in batches of many people. Gives access
 * tokens, each of another person.
 */
export async function fillPeople(
  dataDir: string,
  { people, tokens }: PeopleCount,
): Promise<readonly string[]> {
  const keysDir = path.join(dataDir, 'keys')
  const paths = identityPaths({ dataDir, keysDir })
  const store = await openIdentityStore({ ...paths, create: false, random: randomBytes })
  try {
    const clientIds = await registerApplications(store)
    const filling = new Filling(store, clientIds)
    const given: Issued[] = []
    for (let done = 0; done < people; done += peopleAtOnce) {
      const operations: Operation[] = []
      for (let nth = done; nth < Math.min(people, done + peopleAtOnce); nth += 1) {
        const issued = filling.addPerson(nth, operations)
        if (given.length < tokens) given.push(issued)
      }
      await store.inTurn(() => store.commit(operations))
      if (done % 100_000 === 0) process.stderr.write(`filled ${done} of ${people} people\n`)
    }
    return await issueTokens(store, path.join(dataDir, 'oauth'), given)
  } finally {
    await store.close()
  }
}

/** To whom a token is issued: of which permission, of whom, for which application. */
type Issued = { readonly grantId: string; readonly accountId: string; readonly clientId: string }

async function registerApplications(store: IdentityStore): Promise<readonly string[]> {
  const clock = monotoneClock(Date.now, '')
  const parts = { store, audit: new AuditLog(store), clock, random: randomBytes }
  const applications = new Applications({ ...parts, idPrefix: 'app_' })
  const ids: string[] = []
  for (let nth = 0; nth < applicationsCount; nth += 1) {
    const wish = { name: `Press ${nth}`, redirect_uris: [`https://press-${nth}.example/back`] }
    const checked = checkNewApplication(wish, operator)
    if (checked.type === 'invalid') throw new Error('the application is right')
    const { application } = await applications.register(checked.application, operator)
    ids.push(application.client_id)
  }
  return ids
}

class Filling {
  readonly #clientIds: readonly string[]
  readonly #keys: PersonKeys
  readonly #accounts: AccountRows
  readonly #grants: SealedRows<ReturnType<typeof grantOf>>
  readonly #index: GrantIndex<ReturnType<typeof grantOf>>
  readonly #uses: SealedRows<{ readonly id: string; readonly at: string; readonly network: string }>

  constructor(store: IdentityStore, clientIds: readonly string[]) {
    this.#clientIds = clientIds
    this.#keys = new PersonKeys(store, randomBytes)
    this.#accounts = new AccountRows(store)
    this.#grants = new SealedRows(store, 'grant')
    this.#index = new GrantIndex(store, this.#grants)
    this.#uses = new SealedRows(store, 'grant_use')
  }

  /** Adds the rows of a person; gives one of what they permitted. */
  addPerson(nth: number, operations: Operation[]): Issued {
    const ppid = mintPpid(randomBytes)
    const account = {
      ppid,
      state: 'active',
      email: `person-${nth}@mail.example`,
      email_verified: true,
      // As long as a digest of argon2id, and the digest of nothing.
      password: `$argon2id$v=19$m=65536,t=3,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
      roles: [],
      links: [],
      created_at: at,
    } as const
    const grants = Array.from({ length: permittedEach }, (_, place) => {
      const clientId = this.#clientIds[(nth + place) % this.#clientIds.length] ?? ''
      return grantOf(ppid, clientId, nth)
    })
    operations.push(
      this.#keys.create(ppid),
      ...this.#accounts.replace(undefined, account),
      ...grants.map((grant) => this.#grants.put(grant.id, grant)),
      ...grants.map(({ id }) => this.#uses.put(id, { id, at, network: '192.0.2.0/24' })),
      ...this.#index.change([], grants),
    )
    const [{ id: grantId, client_id: clientId } = { id: '', client_id: '' }] = grants
    return { grantId, accountId: ppid, clientId }
  }
}

/** A permission as the identity provider saves one; it ends within a year from now. */
function grantOf(ppid: string, clientId: string, nth: number) {
  const id = randomBytes(32).toString('base64url')
  const iat = Math.floor(Date.now() / 1_000)
  const exp = iat + year / 2 + (nth % (year / 2))
  const openid = { scope: scopes.join(' ') }
  const payload = { accountId: ppid, clientId, exp, iat, jti: id, kind: 'Grant', openid }
  return { id, ppid, client_id: clientId, scopes, granted_at: at, updated_at: at, payload }
}

async function issueTokens(
  store: IdentityStore,
  dir: string,
  given: readonly Issued[],
): Promise<readonly string[]> {
  const clock = monotoneClock(Date.now, '')
  const rows = new ProviderRows({
    store: ownRowStore(await openLevelStore(dir, { create: false }), store),
    clock,
    indexKey: store.deriveKey('provider index'),
    sealKey: store.deriveKey('provider seal'),
  })
  const tokens = given.map((issued, nth) => {
    const token = randomBytes(32).toString('base64url')
    // One of 262,144 begins as keys do, and one of them is the first here.
    return { token: nth === 0 ? `svc${token.slice(3)}` : token, issued }
  })
  for (let next = 0; next < tokens.length; next += peopleAtOnce) {
    const some = tokens.slice(next, next + peopleAtOnce)
    await Promise.all(
      some.map(({ token, issued }) => {
        const payload = { ...issued, kind: 'AccessToken', scope: scopes.join(' ') }
        return rows.put('AccessToken', token, payload, year)
      }),
    )
  }
  await rows.close()
  return tokens.map(({ token }) => token)
}
