// Accounts on a real identity store, and people in a real environment on a disk in memory: a test
// can end the process before or after any step that is durable, and start it again.

import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import type { People } from '#actors/people/port.ts'
import { mintPpid } from '#actors/values/identifier.ts'
import { Accounts } from '#src/identity/accounts/accounts.ts'
import { identityPart, type IdentityStore } from '#src/identity/store/identity_rows.ts'
import { KnownBrowsers, WebSessions } from '#src/identity/accounts/web_session.ts'
import { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import { type PasswordCost, PasswordHasher } from '#src/identity/accounts/password_hash.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { makeRegistry, type TestRegistry } from '#test/actors/_environment.ts'
import { testPasswordCost } from '#test/src/_accounts.ts'
import { type IdentityFixture, identityFixture } from '#test/src/identity/_identity.ts'

/** The process ends here; what it has written is kept, what it has not is lost. */
export class Crash extends Error {}

export type OpenedWorld = {
  readonly accounts: Accounts
  readonly sessions: WebSessions
  readonly links: OneTimeLinks
  readonly hasher: PasswordHasher
  readonly store: IdentityStore & { close(): Promise<void> }
  readonly personKeys: PersonKeys
  readonly people: People
  readonly environment: Environment
}

export type AccountWorld = {
  readonly identity: IdentityFixture
  /** Starts, after ending what ran before; it crashes at the given step: 2n before, 2n+1 after. */
  start(options?: { crashAt?: number; cost?: PasswordCost }): Promise<OpenedWorld>
  /** Steps taken since the last start, each counted before and after. */
  steps(): number
}

export const ada = {
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'Ada@Example.org',
  password: 'a long enough sentence',
} as const

/**
 * A world whose store and folder are gone when the test is over; its accounts are in a part of the
 * store if one is named.
 */
export async function accountWorld(t: ExecutionContext, part?: string): Promise<AccountWorld> {
  const identity = await identityFixture(t)
  let registry: TestRegistry | undefined
  let running: OpenedWorld | undefined
  let taken = 0
  return {
    identity,
    steps: () => taken,
    async start({ crashAt = Number.POSITIVE_INFINITY, cost = testPasswordCost } = {}) {
      await running?.store.close()
      await running?.environment.close()
      taken = 0
      const step = () => {
        if (taken >= crashAt) throw new Crash(`at step ${taken}`)
        taken += 1
      }
      const whole = await identity.open()
      const own = part === undefined ? whole : identityPart(whole, part)
      const store = part === undefined ? whole : { ...own, close: () => whole.close() }
      const personKeys = new PersonKeys(store, randomBytes)
      const personIndexKey = store.deriveKey('person index')
      registry ??= await makeRegistry(t, { personIndexKey })
      Object.assign(registry.options, { personSeal: personKeys })
      const environment = await registry.open()
      crashOn(store, ['commit', 'purge'], step)
      const people = { ...environment.people }
      crashOn(people, ['create', 'erase'], step)
      const parts = { store, clock: identity.clock, random: randomBytes, report: t.log }
      const sessions = new WebSessions(parts)
      const browsers = new KnownBrowsers(parts)
      const links = new OneTimeLinks(parts)
      const secret = store.deriveKey('password')
      const hashing = { secret, random: randomBytes, cost, runningMax: 4 }
      const hasher = new PasswordHasher({ store, ...hashing })
      const accounts = new Accounts({
        ...parts,
        people,
        personKeys,
        sessions,
        browsers,
        links,
        hasher,
        mintPpid: () => mintPpid(randomBytes),
      })
      running = { accounts, sessions, links, hasher, store, personKeys, people, environment }
      return running
    },
  }
}

/** Makes methods count as two steps each, before and after what they do. */
function crashOn<T extends object>(target: T, names: readonly (keyof T)[], step: () => void): void {
  for (const name of names) {
    const method = target[name] as (...given: unknown[]) => Promise<unknown>
    const crashing = async (...given: unknown[]): Promise<unknown> => {
      step()
      const answer = await method.apply(target, given)
      step()
      return answer
    }
    Object.assign(target, { [name]: crashing })
  }
}
