// How the people of a test's registry are sealed, and their passwords hashed: as cheap as can be.

import { randomBytes } from 'node:crypto'

import type { PersonSeal } from '#actors/people/record.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { TestPersonSeal } from '#test/actors/people/_seal.ts'

/** As cheap as argon2 allows. */
export const testPasswordCost = { memory: 8, passes: 1 } as const

/** What the environments of a test seal people with, and where accounts find their keys. */
export function testPersonKeys(store: IdentityStore) {
  const personKeys = new PersonKeys(store, randomBytes)
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
