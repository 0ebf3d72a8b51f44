// The accounts of a test's registry: everything real but for cheap hashes of passwords, and mail
// that stays here.

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import type { Clock } from '#actors/values/clock.ts'
import type { People } from '#actors/people/port.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { Config } from '#config/schema.ts'
import { openAccountService } from '#src/start/accounts.ts'
import type { AccountService } from '#src/api/account_service.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { openPersonKeys, type PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { TestPersonSeal } from '#test/actors/people/_seal.ts'

/** As cheap as argon2 allows. */
export const testPasswordCost = { memory: 8, passes: 1 } as const

/** What the environments of a test seal people with, and where accounts find their keys. */
export async function openTestPersonKeys(store: IdentityStore) {
  const personKeys = await openPersonKeys(store, randomBytes)
  const personIndexKey = store.deriveKey('person index')
  return { personKeys, secrets: { personSeal: sealOf(personKeys), personIndexKey } }
}

/** People that a test makes without an account have keys all the same. */
function sealOf(personKeys: PersonKeys): PersonSeal {
  const others = new TestPersonSeal()
  const alone = new Set<string>()
  return {
    seal(ppid, value) {
      if (personKeys.has(ppid)) return personKeys.seal(ppid, value)
      alone.add(ppid)
      return others.seal(ppid, value)
    },
    open: (ppid, sealed) => (alone.has(ppid) ? others : personKeys).open(ppid, sealed),
  }
}

export type TestAccountsOptions = {
  readonly config: Config
  readonly baseUrl: string
  readonly logger: Logger
  readonly folder: string
  readonly store: IdentityStore
  readonly personKeys: PersonKeys
  readonly people: People
  readonly keys: KeyStore
  readonly clock: Clock
}

/** Opens the accounts of a test's registry; `close` ends what they keep open. */
export async function openTestAccounts({
  folder,
  ...options
}: TestAccountsOptions): Promise<{ service: AccountService; close(): Promise<void> }> {
  const opened = new AsyncDisposableStack()
  const keysDir = folder
  const service = await openAccountService(
    { ...options, keysDir, passwordCost: testPasswordCost },
    opened,
  )
  return { service, close: () => opened.disposeAsync() }
}
