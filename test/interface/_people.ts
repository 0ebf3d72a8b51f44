import { randomBytes } from 'node:crypto'

import { answered, Mismatch } from '#test/interface/_expect.ts'
import { organization } from '#test/interface/_keys.ts'
import { allow, type Application, exchange, type Wanted } from '#test/interface/_permission.ts'
import type { World } from '#test/interface/_world.ts'
import { TestBrowser } from '#test/src/_browser.ts'

/** A person with an account, in a browser in which they are signed in. */
export type Researcher = {
  readonly ppid: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly browser: TestBrowser
}

/** Makes an account for a person, on the pages. */
export async function signUp(world: World, name: string): Promise<Researcher> {
  const person = {
    name,
    email: `${randomBytes(6).toString('hex')}@people.example`,
    password: `a sentence of ${randomBytes(6).toString('hex')}`,
  }
  const browser = newBrowser(world)
  const form = await browser.go(`${world.place.authUrl}/sign-up`)
  const page = await browser.submit(form, { ...person, seen_by: 'public' }, '/sign-up')
  const ppid = /<code>(p[0-9a-z]{11})<\/code>/.exec(page.body)?.[1]
  if (ppid === undefined) throw new Mismatch(`nobody is signed up: ${page.body}`)
  return { ...person, ppid, browser }
}

/** A browser that nobody has used. */
export function newBrowser({ place }: World): TestBrowser {
  return new TestBrowser(new URL(place.authUrl).origin)
}

/** The person for whom rows write, and who approves it. */
export function researcher(world: World): Promise<Researcher> {
  return world.once('researcher', () => signUp(world, 'Ada Lovelace'))
}

/** A key that the researcher has made on the page of keys. */
export function researcherKey(world: World, ...rights: readonly string[]): Promise<string> {
  return world.once(`key of the researcher ${rights.join()}`, async () => {
    const { browser } = await researcher(world)
    const form = await browser.go(`${world.place.authUrl}/account/keys`)
    const boxes = Object.fromEntries(rights.map((right) => [right, 'on']))
    const page = await browser.submit(form, { label: rights.join(), ...boxes }, '/account/keys')
    const key = /class="secret-text"[^>]*>([^<]+)</.exec(page.body)?.[1]
    if (key === undefined) throw new Mismatch(`no key was made: ${page.status} ${page.body}`)
    return key
  })
}

const redirectUri = 'https://press.example/back'

type NewApplication = {
  readonly application: { readonly client_id: string }
  readonly secret: string
}

/** The application of the organization, which asks people for permission. */
export function application(world: World): Promise<Application> {
  return world.once('application', () => registerApplication(world, '--organization', organization))
}

/** Registers an application. */
export async function registerApplication(
  world: World,
  ...options: readonly string[]
): Promise<Application> {
  const create = ['application', 'create', world.name('Press desk'), '--redirect', redirectUri]
  const made = await world.command<NewApplication>(...create, ...options)
  const { client_id } = made.application
  return { client_id, client_secret: made.secret, redirect_uri: redirectUri }
}

/** An access token of the researcher for the application, with so many scopes and no more. */
export function tokenOf(world: World, ...scopes: readonly string[]): Promise<string> {
  return world.once(`token ${scopes.join()}`, async () => {
    const { browser } = await researcher(world)
    const wanted: Wanted = { application: await application(world), scope: scopes.join(' ') }
    const reply = await exchange(world, wanted, await allow(world, browser, wanted))
    return answered(reply, 200).body.access_token
  })
}
