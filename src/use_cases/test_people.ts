import { profileFields } from '#actors/people/checks.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent, Owner, OwnerRef } from '#actors/values/agent.ts'
import { randomBetanumerics } from '#actors/values/ark.ts'
import { may } from '#actors/values/authority.ts'
import { FaultList } from '#actors/values/fault_list.ts'
import {
  fieldsSchema,
  type FieldTable,
  foldedText,
  readFields,
  shapeOf,
} from '#actors/values/field_table.ts'
import { foldOrcid } from '#actors/values/identifier.ts'
import { assert } from '#log/tlog/errors.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { checkNewKey } from '#src/identity/keys/key_record.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import { formatOwner, personOwner } from '#src/identity/store/owner_text.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'

type NewTestPerson = { readonly name: string; readonly username?: string; readonly orcid?: string }

type TestKey = {
  readonly key: string
  readonly scopes: readonly string[]
  readonly expires_at: string
}

/** A test person with everything that acts as them: none of it is shown again. */
export type TestPerson = {
  readonly ppid: string
  readonly sign_in: { readonly url: string; readonly email: string; readonly password: string }
  readonly keys: readonly TestKey[]
}

/** Where test people are: the sandbox. `random` gives bytes of a cryptographic source. */
export type TestWorld = {
  readonly environment: ServedEnvironment
  readonly realm: Realm
  readonly random: (bytes: number) => Uint8Array
}

const testPeopleMax = 1_000

/** Digits of 4.9 bits of what a test person signs in with. */
const nameDigits = 12
const passwordDigits = 24

/** Their keys: one for the account as a whole, and one as researchers make it for a program. */
const keyScopes = [
  ['works:read', 'receipts:read', 'receipts:verify', 'people:read', 'people:write', 'search:read'],
  ['mint', 'update'],
] as const

const table: FieldTable<NewTestPerson> = {
  name: profileFields.name,
  username: profileFields.username,
  orcid: {
    kind: foldedText({
      max: 200,
      fold: foldOrcid,
      right: 'an ORCID iD such as 0000-0002-1825-0097',
    }),
    about: 'An ORCID iD, as though the person had signed in with it.',
    example: '0000-0002-1825-0097',
  },
}

const shape = shapeOf(table)

/** Describes what a test person is made from. */
export const newTestPersonSchema = fieldsSchema(shape, {
  title: 'NewTestPerson',
  description: 'Somebody whom nobody is.',
  nullable: true,
})

/** Makes a test person, with an account and keys. Every refusal is an HttpError. */
export async function makeTestPerson(
  { environment, realm, random }: TestWorld,
  body: unknown,
  by: Agent,
): Promise<TestPerson> {
  assert(environment.name === 'sandbox', 'test people are in the sandbox')
  const { type, id } = by
  const maker: OwnerRef = { type, id }
  if (!may(by, 'test person', 'make', { maker })) throw notMaker()
  const { orcid, ...profile } = readNewPerson(body)
  const { people } = environment
  if (orcid !== undefined && people.findByOrcid(orcid) !== undefined) throw orcidTaken()
  const { accounts, authUrl } = realm.accounts
  if ((await countOf(accounts, maker)) >= testPeopleMax) throw tooMany()
  const email = `test-${randomBetanumerics(nameDigits, random)}@people.example`
  const password = randomBetanumerics(passwordDigits, random)
  const wish = { ...profile, email, email_verified: true, password, madeBy: maker }
  const answer = await accounts.signUp({ ...wish, from: formatOwner(maker) })
  if (answer.type === 'invalid') throw refusedName(answer.faults)
  const { ppid } = answer.account
  if (orcid !== undefined) {
    const self: Agent = { ...personOwner(ppid), via: 'ui' }
    const linked = await people.linkOrcid({ ppid, by: self, orcid, authenticated: true })
    // Somebody else was given it meanwhile.
    if (linked.type !== 'updated') {
      await accounts.remove(ppid)
      throw orcidTaken()
    }
  }
  const keys = await makeKeys(realm.keys, ppid, by)
  return { ppid, sign_in: { url: `${authUrl}/sign-in`, email, password }, keys }
}

/** Erases a test person, as an account is erased. Every refusal is an HttpError. */
export async function removeTestPerson(
  { realm }: Pick<TestWorld, 'realm'>,
  ppid: string,
  by: Agent,
): Promise<void> {
  const { accounts } = realm.accounts
  const account = accounts.find(ppid)
  if (account === undefined) throw new HttpError('conflict', 'This person is being erased')
  const { made_by: maker = personOwner(ppid) } = account
  if (!may(by, 'test person', 'remove', { ppid, maker })) throw notMaker()
  await accounts.remove(ppid)
}

function readNewPerson(body: unknown): NewTestPerson {
  const faults = new FaultList()
  const record = readFields(shape, body, '', faults)
  if (faults.count === 0) return record as NewTestPerson
  throw invalidInput('The test person cannot be made like this', faults.faults)
}

async function makeKeys(keys: KeyStore, ppid: string, by: Agent): Promise<TestKey[]> {
  const made: TestKey[] = []
  for (const scopes of keyScopes) {
    const wish = {
      owner: personOwner(ppid),
      environment: 'sandbox',
      scopes,
      label: 'Test',
    } as const
    const checked = checkNewKey(wish)
    assert(checked.type === 'ok', 'a test person can have these keys')
    const { type, id, name: called } = by
    const { key, record } = await keys.create(checked.key, { type, id, name: called })
    made.push({ key, scopes, expires_at: record.expires_at })
  }
  return made
}

async function countOf(accounts: Accounts, maker: OwnerRef): Promise<number> {
  const wanted = formatOwner(maker)
  const all = await accounts.list()
  return all.filter(({ made_by }) => made_by && formatOwner(made_by) === wanted).length
}

type Faults = Parameters<typeof invalidInput>[1]

function refusedName(faults: Faults): HttpError {
  const isTaken = faults.some(({ field, code }) => field === 'username' && code === 'taken')
  if (isTaken) return new HttpError('conflict', 'Somebody else has this username')
  return invalidInput('The test person cannot be made like this', faults)
}

function orcidTaken(): HttpError {
  return new HttpError('conflict', 'Another test person has this ORCID iD')
}

function tooMany(): HttpError {
  const message = `You have ${testPeopleMax} test people: erase some of them first`
  return new HttpError('conflict', message)
}

function notMaker(): HttpError {
  const message = 'Test people are made and erased by a key of an organization, or of the operator'
  return new HttpError('forbidden', message)
}

/** What a person's own test person is called: nothing of the person is in the sandbox. */
const ownTestName = 'Test person'

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
  const account = { name: ownTestName, email: addressOf(id), email_verified: true, password: null }
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
