// A registry in a process of its own, with the same things in each of its two environments: a
// person, an application that they permit everything, keys, and a work that both have to do with.

import type { TestPerson } from '#src/use_cases/test_people.ts'
import { oauthScopeNames } from '#src/identity/oauth/oauth_scopes.ts'
import {
  type Asserter,
  newWork,
  runJson,
  type Server,
  type Settings,
} from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'
import { JarBrowser, type TestApplication, type Tokens } from '#test/src/_jar_browser.ts'

export type EnvironmentName = 'live' | 'sandbox'

/** Where an application of the tests has people sent back to. */
export const redirectUri = 'https://press.example/back'

const keyScopes = [
  'works:read',
  'works:write',
  'works:delete',
  'receipts:read',
  'receipts:verify',
  'people:read',
  'people:write',
  'search:read',
]

/** Makes a key of the demonstration organization. */
export async function organizationKey(
  t: Asserter,
  settings: Settings,
  environment: EnvironmentName,
): Promise<string> {
  const wish = ['key', 'create', '--owner', 'org:demo', '--environment', environment]
  const { key } = await runJson<{ key: string }>(
    t,
    [...wish, '--scopes', keyScopes.join(',')],
    settings,
  )
  return key
}

/** Registers an application of the demonstration organization. */
export async function newApplication(
  t: Asserter,
  settings: Settings,
  environment: EnvironmentName,
): Promise<TestApplication> {
  const wish = ['application', 'create', 'Press Desk', '--redirect', redirectUri]
  const options = ['--organization', 'demo', '--environment', environment]
  type Made = { readonly application: { readonly client_id: string }; readonly secret: string }
  const { application, secret } = await runJson<Made>(t, [...wish, ...options], settings)
  return { client_id: application.client_id, secret, redirectUri }
}

/** A browser in which nobody is signed in, for the pages of an environment. */
export function browserIn({ started }: Server, environment: EnvironmentName): JarBrowser {
  const { base_url: origin, local_url: local } = started
  const prefix = environment === 'live' ? '/auth' : '/auth/sandbox'
  return new JarBrowser(Number(new URL(local).port), origin, prefix)
}

/** Makes a test person. */
export async function newTestPerson(
  t: Asserter,
  server: Server,
  key: string,
  body: unknown,
): Promise<TestPerson> {
  const made = await request<TestPerson>(server, '/v1/people', { key, body })
  t.is(made.status, 201, JSON.stringify(made.body))
  return made.body
}

/** What somebody has in one environment, all of which means nothing in the other. */
export type Side = {
  readonly name: EnvironmentName
  /** A word that stands in everything that this side has written. */
  readonly word: string
  readonly ppid: string
  readonly browser: JarBrowser
  readonly application: TestApplication
  readonly tokens: Tokens
  readonly organizationKey: string
  /** Keys of the person: of the account, and as a researcher has it. */
  readonly ownKey: string
  readonly researcherKey: string
  readonly ark: string
  readonly receiptId: string
  readonly claimId: string
}

type Person = Pick<Side, 'ppid' | 'browser' | 'ownKey' | 'researcherKey'>

async function livePerson(
  t: Asserter,
  server: Server,
  settings: Settings,
  name: string,
): Promise<Person> {
  const browser = browserIn(server, 'live')
  const password = 'a sentence that is easy to remember'
  const ppid = await browser.signUp({ name, email: 'live@people.example', password })
  const keyOf = async (scopes: string) => {
    const wish = ['key', 'create', '--owner', `person:${ppid}`, '--scopes', scopes]
    return (await runJson<{ key: string }>(t, wish, settings)).key
  }
  const account = 'works:read,receipts:read,receipts:verify,people:read,people:write,search:read'
  return { ppid, browser, ownKey: await keyOf(account), researcherKey: await keyOf('mint,update') }
}

async function sandboxPerson(
  t: Asserter,
  server: Server,
  key: string,
  name: string,
): Promise<Person> {
  const { ppid, sign_in, keys } = await newTestPerson(t, server, key, { name })
  const browser = browserIn(server, 'sandbox')
  await browser.signIn(sign_in.email, sign_in.password)
  const [own, researcher] = keys.map((each) => each.key)
  return { ppid, browser, ownKey: own ?? '', researcherKey: researcher ?? '' }
}

/** Opens a side of the world; `word` is in the names of all that it makes. */
export async function openSide(
  t: Asserter,
  { server, settings }: { readonly server: Server; readonly settings: Settings },
  name: EnvironmentName,
  word: string,
): Promise<Side> {
  const key = await organizationKey(t, settings, name)
  const called = `Ada ${word}`
  const person =
    name === 'live'
      ? await livePerson(t, server, settings, called)
      : await sandboxPerson(t, server, key, called)
  const application = await newApplication(t, settings, name)
  const tokens = await person.browser.permit(application, oauthScopeNames)
  const post = async <T = unknown>(path: string, by: string, body: unknown): Promise<T> => {
    const reply = await request<T>(server, path, { key: by, body })
    t.is(reply.status, 201, `${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  type Work = { readonly ark_identifier: string; readonly receipt_id: string }
  const work = await post<Work>('/v1/works', key, { ...newWork(`Of ${word}`), authors: called })
  const { ark_identifier: ark, receipt_id: receiptId } = work
  const claiming = { ark_identifier: ark, author_position: 1 }
  const claim = await post<{ claim_id: string }>('/v1/user/claims', person.ownKey, claiming)
  const token = tokens.access_token
  await post('/api/v1/user/affiliations', token, { organization: `${word} University` })
  await post('/api/v1/user/education', token, { institution: `${word} College` })
  return {
    name,
    word,
    ...person,
    application,
    tokens,
    organizationKey: key,
    ark,
    receiptId,
    claimId: claim.claim_id,
  }
}
