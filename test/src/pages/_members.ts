// People with accounts in a registry, signed in, and what they are in an organization.

import type { ExecutionContext } from 'ava'
import { TOTP } from 'otpauth'

import type { Agent } from '#actors/values/agent.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { Browser } from '#test/src/pages/_browser.ts'
import type { MemberRole } from '#actors/values/authority.ts'

export const admin: Agent = {
  type: 'operator',
  id: 'operator',
  name: 'Operator',
  via: 'cli',
  admin: true,
}

export type Signed = { readonly browser: Browser; readonly ppid: string }

/** A registry with the organization `press` in both environments. */
export async function openPress(t: ExecutionContext): Promise<TestRegistry> {
  const registry = await openRegistry({ RATE_LIMITS: false })
  t.teardown(() => registry.close())
  for (const { organizations } of Object.values(registry.environments)) {
    await organizations.create({ body: { slug: 'press', name: 'A Press' }, by: admin })
  }
  return registry
}

/** A new person, signed in, with a public username that is also their name. */
export async function signUp(
  t: ExecutionContext,
  { server, accounts }: TestRegistry,
  username: string,
): Promise<Signed> {
  const browser = new Browser(server)
  const email = `${username}@example.org`
  const password = 'a long enough sentence'
  const seen = { seen_by: 'public' }
  await browser.submit('/auth/sign-up', { ...seen, name: username, username, email, password })
  const ppid = accounts.accounts.findByEmail(email)?.ppid
  return ppid === undefined ? t.fail(`${username} has no account`) : { browser, ppid }
}

/** A new person who is something in the organization `press`. */
export async function signUpMember(
  t: ExecutionContext,
  registry: TestRegistry,
  role: MemberRole,
): Promise<Signed> {
  const signed = await signUp(t, registry, role)
  const command = { slug: 'press', ppid: signed.ppid, role, by: admin }
  const answer = await registry.environments.live.organizations.addMember(command)
  t.is(answer.type, 'changed')
  return signed
}

/** Confirms the address of a person and sets up their second step: what administrators need. */
export async function makeReady(
  t: ExecutionContext,
  { accounts: { accounts, links, secondFactors }, time }: TestRegistry,
  { ppid }: Pick<Signed, 'ppid'>,
): Promise<void> {
  const email = accounts.find(ppid)?.email ?? ''
  const { token } = await links.issue({ kind: 'verify', ppid, email })
  t.true(await accounts.byLink.verifyEmail(token))
  await secondFactors.begin(ppid)
  const { secret = '' } = secondFactors.pending(ppid, '') ?? {}
  const code = new TOTP({ secret }).generate({ timestamp: time.nowMs })
  t.not(await secondFactors.confirm(ppid, code), undefined)
}
