import { createHash, randomBytes } from 'node:crypto'

import { type Owner, serve } from '#test/src/delivery/fetch/_servers.ts'
import { call, type Server } from '#test/scenario/_process.ts'

/** What an application must know of itself. */
export type Credentials = { readonly client_id: string; readonly client_secret: string }

/** What the registry gives for a code. */
export type Tokens = { readonly access_token: string; readonly scope: string }

type WrittenItem = { readonly id: string }
type WrittenWork = { readonly ark_identifier: string }

/** A publisher's own site, to which people come back with a code, and its program. */
export class Publisher {
  readonly redirectUri: string
  readonly #server: Server
  readonly #lastQuery: () => URLSearchParams
  readonly #verifier = randomBytes(32).toString('base64url')

  private constructor(server: Server, redirectUri: string, lastQuery: () => URLSearchParams) {
    this.#server = server
    this.redirectUri = redirectUri
    this.#lastQuery = lastQuery
  }

  static async open(owner: Owner, server: Server): Promise<Publisher> {
    const { url, seen } = await serve(owner, (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<!doctype html><html lang="en"><title>Press</title><h1>Back at the press</h1>')
    })
    const back = new URL('/back', url)
    const lastQuery = () => {
      const arrivals = seen.map((request) => new URL(request.url ?? '', back))
      return arrivals.findLast(({ pathname }) => pathname === back.pathname)?.searchParams
    }
    return new Publisher(server, back.href, () => lastQuery() ?? new URLSearchParams())
  }

  get origin(): string {
    return new URL(this.redirectUri).origin
  }

  /** Where a researcher is sent, to permit these scopes. */
  question({ client_id }: Pick<Credentials, 'client_id'>, scopes: readonly string[]): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: this.redirectUri,
      scope: scopes.join(' '),
      state: 'a state of the press',
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return `${this.#server.started.base_url}/api/v1/oauth/authorize?${query}`
  }

  /** What the last researcher who came back brought: `code` and `state`, or `error`. */
  get answer(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#lastQuery())
  }

  /** Exchanges the code that came back. */
  async redeem(credentials: Credentials): Promise<Tokens> {
    const { status, body } = await call<Tokens>(this.#server, '/api/v1/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        code: this.answer['code'],
        redirect_uri: this.redirectUri,
        code_verifier: this.#verifier,
        ...credentials,
      },
    })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }

  /** Registers a work on behalf of who gave the token. */
  writeWork(
    { access_token: key }: Tokens,
    title: string,
    work_url = 'https://press.example/works/1',
  ) {
    const body = {
      work_title: title,
      work_type: 'article',
      authors: 'Ada Lovelace; Charles Babbage',
      work_url,
      published_date: '1843-09',
      publisher_name: 'Richard and John E. Taylor',
    }
    return call<WrittenWork>(this.#server, '/api/v1/works', { key, body })
  }

  /** Adds an affiliation to the profile of who gave the token. */
  writeAffiliation({ access_token: key }: Tokens, organization: string) {
    const body = { organization, role: 'Fellow', department: 'Mathematics', start_year: '2021' }
    return call<WrittenItem>(this.#server, '/api/v1/user/affiliations', { key, body })
  }
}
