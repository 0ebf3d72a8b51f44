import type { Agent, Owner } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { assert } from '#log/base/errors.ts'
import type { Realm } from '#src/use_cases/realm.ts'
import { HttpError } from '#src/errors.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'

/** What a person's own test person is called: nothing of the person is in the sandbox. */
const name = 'Test person'

/** By this the account of it is found; nobody signs in there, and nothing is sent there. */
function addressOf(ppid: string): string {
  return `own-${ppid}@people.example`
}

/** The test person as whom a person of the live registry tries programs out; if there is one. */
export function findOwnTestPerson({ accounts }: Realm, ppid: string): Owner | undefined {
  const account = accounts.accounts.findByEmail(addressOf(ppid))
  return account && personOwner(account.ppid)
}

/** The same, made if there is none. Every refusal is an HttpError. */
export async function ownTestPerson(sandbox: Realm, by: Agent): Promise<Owner> {
  const { type, id } = by
  const maker = { type, id }
  const isTheirs = type === 'person' && may(by, 'test person', 'make', { maker })
  if (!isTheirs) throw new HttpError('forbidden', 'People make their own test person on the pages')
  const found = findOwnTestPerson(sandbox, id)
  if (found !== undefined) return found
  const account = { name, email: addressOf(id), email_verified: true, password: null }
  const answer = await sandbox.accounts.accounts.signUp({ ...account, madeBy: maker })
  if (answer.type === 'signed_up') return personOwner(answer.account.ppid)
  // Another request of theirs was first.
  const other = findOwnTestPerson(sandbox, id)
  assert(other !== undefined, 'the address is refused only while somebody has it')
  return other
}

/** Has a person's own test person end with their account, and its keys with a recovery. */
export function bindTestPeopleToMakers(live: Realm, sandbox: Realm): void {
  const { accounts } = live.accounts
  accounts.onRemoval(async (ppid) => {
    const own = findOwnTestPerson(sandbox, ppid)
    if (own !== undefined) await sandbox.accounts.accounts.remove(own.id)
  })
  accounts.onRecovery(async (ppid) => {
    await sandbox.keys.revokeOfMaker(ppid, personOwner(ppid))
  })
}
