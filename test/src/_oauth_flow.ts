// The write-back flow by hand, so that a test can bend any step of it.

import type { Seen } from '#test/src/_browser.ts'
import {
  type OAuthRegistry,
  permit,
  pkcePair,
  type TestApplication,
  type TestPerson,
} from '#test/src/_oauth_registry.ts'

export type Json = Readonly<Record<string, unknown>>

export type Reply = { readonly status: number; readonly json: Json; readonly headers: Headers }

export type Tokens = { readonly access: string; readonly refresh: string }

/** Where a registry and its identity provider are. */
export type OAuthAddresses = Pick<OAuthRegistry, 'baseUrl' | 'issuer'>

/** An application with a person who may permit it things, in one registry. */
export class OAuthFlow {
  readonly registry: OAuthAddresses
  readonly application: TestApplication
  readonly person: TestPerson

  constructor(registry: OAuthAddresses, application: TestApplication, person: TestPerson) {
    this.registry = registry
    this.application = application
    this.person = person
  }

  /** Sends the person's browser to ask; `changes` of undefined leave a parameter out. */
  ask(changes: Readonly<Record<string, string | undefined>> = {}, extra = ''): Promise<Seen> {
    const { issuer } = this.registry
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...this.#parameters(), ...changes })) {
      if (value !== undefined) query.append(name, value)
    }
    return this.person.browser.go(`${issuer}/oauth/authorize?${query}${extra}`)
  }

  /** A code with its verifier, from a person who permits everything that is asked for. */
  async code(scope = 'svc:works:write', refused: readonly string[] = []) {
    const { verifier, challenge } = pkcePair()
    const page = await this.ask({ scope, code_challenge: challenge })
    const back = page.status === 0 ? page : await permit(this.person.browser, page, refused)
    const code = new URL(back.url).searchParams.get('code')
    if (code === null) throw new Error(`no code: ${back.url}`)
    return { code, verifier }
  }

  /** Exchanges whatever is given; `changes` of undefined leave a field out. */
  exchange(fields: Readonly<Record<string, string | undefined>>): Promise<Reply> {
    const { client_id, client_secret } = this.application
    return post(`${this.registry.baseUrl}/api/v1/oauth/token`, {
      client_id,
      client_secret: client_secret === '' ? undefined : client_secret,
      ...fields,
    })
  }

  redeem(
    code: string,
    verifier: string,
    changes: Readonly<Record<string, string | undefined>> = {},
  ) {
    return this.exchange({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.application.redirect_uri,
      code_verifier: verifier,
      ...changes,
    })
  }

  refresh(refreshToken: string, changes: Readonly<Record<string, string | undefined>> = {}) {
    return this.exchange({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes })
  }

  /** Tokens of a whole flow. */
  async tokens(scope = 'svc:works:write'): Promise<Tokens> {
    const { code, verifier } = await this.code(scope)
    return tokensOf(await this.redeem(code, verifier))
  }

  /** The status of a write with a token. */
  async write(token: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const { status } = await fetch(`${this.registry.baseUrl}/api/v1/works?dry_run=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        work_title: 'A work',
        work_type: 'article',
        authors: 'Ox, Ada',
        work_url: 'https://press.example/works/1',
      }),
    })
    return status
  }

  #parameters(): Readonly<Record<string, string>> {
    return {
      response_type: 'code',
      client_id: this.application.client_id,
      redirect_uri: this.application.redirect_uri,
      scope: 'svc:works:write',
      state: 'state',
      code_challenge: pkcePair().challenge,
      code_challenge_method: 'S256',
    }
  }
}

/** The tokens of a reply that must have them. */
export function tokensOf({ status, json }: Reply): Tokens {
  if (status !== 200) throw new Error(JSON.stringify(json))
  return { access: String(json['access_token']), refresh: String(json['refresh_token']) }
}

/** Posts JSON; fields of undefined are left out. */
export async function post(url: string, body: unknown): Promise<Reply> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    status: reply.status,
    json: (await reply.json()) as Json,
    headers: reply.headers,
  }
}

/** What the query of an address says, such as `error`. */
export function answerOf({ url }: Seen): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams)
}
