// Signing in with an account elsewhere: linked by issuer and subject, never by an address.

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test from 'ava'

import { type Seen, TestBrowser } from '#test/src/_browser.ts'
import { type OAuthRegistry, openOAuthRegistry } from '#test/src/_oauth_registry.ts'
import { openUpstream, type Upstream, upstreamClient } from '#test/src/_upstream.ts'
import { freePort } from '#test/_free_port.ts'

let registry: OAuthRegistry
let upstream: Upstream
let folder: string

test.before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-'))
  const port = await freePort()
  upstream = await openUpstream(`http://127.0.0.1:${port}/auth/login/orcid/callback`)
  await writeFile(path.join(folder, 'secret'), `${upstreamClient.client_secret}\n`)
  await chmod(path.join(folder, 'secret'), 0o600)
  const list = [
    {
      id: 'orcid',
      name: 'ORCID',
      issuer: upstream.issuer,
      client_id: upstreamClient.client_id,
      client_secret_file: 'secret',
      scopes: ['openid', 'profile', 'email'],
      orcid: true,
    },
  ]
  const file = path.join(folder, 'issuers.json')
  await writeFile(file, JSON.stringify(list))
  registry = await openOAuthRegistry({ PORT: String(port), UPSTREAM_ISSUERS: file })
})
test.after.always(async () => {
  await registry.close()
  await upstream.close()
  await rm(folder, { recursive: true })
})

/** Goes to the upstream and back. */
async function roundTrip(browser: TestBrowser, there: Seen): Promise<Seen> {
  const elsewhere = new TestBrowser(upstream.issuer)
  const back = await elsewhere.go(there.url)
  return browser.go(back.url)
}

function newBrowser(): TestBrowser {
  return new TestBrowser(registry.baseUrl)
}

async function signIn(browser: TestBrowser, query = ''): Promise<Seen> {
  return roundTrip(browser, await browser.go(`${registry.issuer}/login/orcid${query}`))
}

async function account(ppid: string) {
  const { accounts } = await registry.admin.call('/accounts/list', {})
  return accounts.find((each) => each.ppid === ppid)
}

test.serial('the first sign-in makes a person with the iD they have proved to have', async (t) => {
  upstream.as('0000-0002-1825-0097', {
    name: 'Josiah Carberry',
    email: 'josiah@example.org',
    email_verified: true,
  })
  const entrance = await newBrowser().go(`${registry.issuer}/sign-in`)
  t.regex(entrance.body, /Sign in with ORCID/)
  const browser = newBrowser()
  const page = await signIn(browser)
  t.is(new URL(page.url).pathname, '/auth/account/welcome')
  const { accounts } = await registry.admin.call('/accounts/list', {})
  const made = accounts.find(({ email }) => email === 'josiah@example.org')
  t.like(made, { state: 'active', email_verified: true, name: 'Josiah Carberry' })
  const again = newBrowser()
  await signIn(again)
  t.is((await registry.admin.call('/accounts/list', {})).accounts.length, accounts.length)
  const readProfile = async () => {
    return (await fetch(`${registry.baseUrl}/api/v1/people/${made?.ppid}`)).json()
  }
  t.notRegex(JSON.stringify(await readProfile()), /Josiah|orcid/, 'nobody sees it unasked')
  const chosen = await browser.submit(page, { seen_by: 'public' }, '/account/welcome')
  t.is(new URL(chosen.url).pathname, '/auth/account')
  t.like(await readProfile(), { orcid_authenticated: true })
})

test.serial('an address that is somebody’s here does not lead into their account', async (t) => {
  const person = await registry.person()
  upstream.as('0000-0001-5109-3700', {
    name: 'An Impostor',
    email: person.email,
    email_verified: true,
  })
  const browser = newBrowser()
  const page = await signIn(browser)
  t.is(new URL(page.url).pathname, '/auth/account/welcome')
  const { accounts } = await registry.admin.call('/accounts/list', {})
  t.is(accounts.filter(({ email }) => email === person.email).length, 1)
  t.like(
    accounts.find(({ name }) => name === 'An Impostor'),
    { email: null },
  )
})

test.serial('a person links such an account to theirs, and then signs in with it', async (t) => {
  upstream.as('0000-0003-1415-9269', { name: 'Grace Hopper' })
  const { browser, ppid } = await registry.person('Grace Hopper')
  const refused = await browser.request(`${registry.issuer}/login/orcid/link`, {
    method: 'POST',
    body: new URLSearchParams({ csrf: 'x' }),
  })
  t.is(refused.status, 403)
  const security = await browser.go(`${registry.issuer}/account/security`)
  t.regex(security.body, /Link ORCID/)
  const there = await browser.submit(security, {}, '/login/orcid/link')
  t.is(new URL(there.url).origin, upstream.issuer)
  const linked = await roundTrip(browser, there)
  t.is(new URL(linked.url).pathname, '/auth/account/security')
  t.notRegex(linked.body, /Link ORCID/)
  const other = newBrowser()
  await signIn(other)
  const page = await other.go(`${registry.issuer}/account`)
  t.regex(page.body, /Grace Hopper/)
  t.is((await account(ppid))?.state, 'active')
})

test.serial('an answer that this browser did not ask for signs nobody in', async (t) => {
  upstream.as('0000-0002-1694-233X', { name: 'Nobody' })
  const browser = newBrowser()
  const there = await browser.go(`${registry.issuer}/login/orcid`)
  const back = await new TestBrowser(upstream.issuer).go(there.url)
  const other = await newBrowser().go(back.url)
  t.is(other.status, 400)
  t.regex(other.body, /This sign-in has expired/)
  const forged = new URL(back.url)
  forged.searchParams.set('state', 'forged')
  const page = await browser.go(forged.href)
  t.is(page.status, 400)
  t.regex(page.body, /ORCID has not signed you in/)
})

test.serial('a sign-in leads back to where it was wanted, but to no other site', async (t) => {
  upstream.as('0000-0002-1825-0097', { name: 'Josiah Carberry' })
  const to = (place: string) => `?${new URLSearchParams({ return_to: place })}`
  const page = await signIn(newBrowser(), to('/auth/sign-out'))
  t.is(new URL(page.url).pathname, '/auth/sign-out')
  const away = await signIn(newBrowser(), to('https://evil.example/'))
  t.is(new URL(away.url).origin, registry.baseUrl)
})

test.serial(
  'who is suspended neither links an account elsewhere nor signs in with one',
  async (t) => {
    upstream.as('0000-0002-9079-593X', { name: 'Ida Held' })
    const { browser, ppid } = await registry.person('Ida Held')
    const security = await browser.go(`${registry.issuer}/account/security`)
    const there = await browser.submit(security, {}, '/login/orcid/link')
    const subject = { type: 'account', id: ppid } as const
    await registry.admin.call('/suspensions/suspend', { ...subject, reason: 'A dispute.' })
    const refused = await roundTrip(browser, there)
    t.is(refused.status, 403)
    t.regex(refused.body, /is suspended since .*A dispute/)
    await registry.admin.call('/suspensions/resume', subject)
    // Nothing was linked: who signs in with it now is somebody new.
    const page = await signIn(newBrowser())
    t.is(new URL(page.url).pathname, '/auth/account/welcome')
    t.like(await account(ppid), { ppid })
  },
)

test.serial('an issuer that cannot be reached is told of', async (t) => {
  await upstream.close()
  const again = await openOAuthRegistry({
    UPSTREAM_ISSUERS: path.join(folder, 'issuers.json'),
  })
  t.teardown(() => again.close())
  const page = await new TestBrowser(again.baseUrl).go(`${again.issuer}/login/orcid`)
  t.is(page.status, 503)
  t.regex(page.body, /ORCID cannot be reached/)
})
