// A registry with a publisher that people permit to write for them.

import type { Agent, Owner } from '#actors/values/agent.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { JarBrowser, type TestApplication } from '#test/src/_jar_browser.ts'
import { openRegistry, type TestRegistry } from '#test/src/_registry.ts'
import { baseUrl } from '#test/src/_served_registry.ts'

export const password = 'a sentence that is easy to remember'

export const publisher: Owner = { type: 'organization', id: 'press', name: 'A Press' }

export type TestPerson = { readonly ppid: string; readonly browser: JarBrowser }

export type PeopleRegistry = TestRegistry & {
  readonly application: TestApplication
  /** A browser in which nobody is signed in. */
  browser(): JarBrowser
  /** Makes an account by the pages. */
  person(name: string): Promise<TestPerson>
  /** What a person permits the publisher, as the headers of its requests. */
  permit(person: TestPerson, scopes: readonly string[]): Promise<Record<string, string>>
  /** The headers of requests with a key of somebody. */
  keyOf(owner: Owner, scopes: readonly string[]): Promise<Record<string, string>>
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    headers?: Record<string, string>,
    payload?: unknown,
  ): Promise<Reply>
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  // oxlint-disable-next-line typescript/no-explicit-any
  json(): any
}

/** Opens it; limits are off unless told. */
export async function openPeopleRegistry(
  settings: Parameters<typeof openRegistry>[0] = {},
): Promise<PeopleRegistry> {
  const registry = await openRegistry({ RATE_LIMITS: false, ...settings })
  const port = await registry.listen()
  const { live } = registry.environments
  const by: Agent = { ...operator, via: 'cli', admin: true }
  const { id: slug, name } = publisher
  await live.organizations.create({ body: { slug, name }, by })
  const redirectUri = 'https://press.example/back'
  const { application, secret } = await registry.oauth.applications.register(
    {
      name: 'Press Desk',
      kind: 'confidential',
      redirect_uris: [redirectUri],
      scopes: allScopes,
      organization: slug,
      owner: operator,
      homepage: null,
      logo_uri: null,
      contact: null,
    },
    operator,
  )
  const asking = { client_id: application.client_id, secret, redirectUri }
  return {
    ...registry,
    application: asking,
    browser: () => new JarBrowser(port, baseUrl),
    async person(called) {
      const browser = new JarBrowser(port, baseUrl)
      const email = `${called.toLowerCase().replaceAll(/[^a-z]/g, '.')}@people.example`
      return { ppid: await browser.signUp({ name: called, email, password }), browser }
    },
    async permit({ browser }, scopes) {
      const { access_token } = await browser.permit(asking, scopes)
      return { authorization: `Bearer ${access_token}` }
    },
    async keyOf(owner, scopes) {
      return { authorization: `Bearer ${await registry.createKey(scopes, { owner })}` }
    },
    async call(method, url, headers = {}, payload) {
      const sent = payload === undefined ? {} : { payload: payload as object }
      const answer = await registry.server.inject({ method, url, headers, ...sent })
      const { statusCode: status, body } = answer
      return { status, headers: answer.headers, body, json: () => answer.json() }
    },
  }
}

/** The owner of a person's keys. */
export function asPerson({ ppid }: TestPerson): Owner {
  return { type: 'person', id: ppid, name: ppid }
}

const allScopes = [
  'openid',
  'profile',
  'email',
  'svc:works:read',
  'svc:works:write',
  'svc:author:read',
  'svc:author:write',
  'svc:affiliations:read',
  'svc:affiliations:write',
  'svc:receipts:read',
  'offline_access',
]
