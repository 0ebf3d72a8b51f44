import { createHash } from 'node:crypto'

import { Mismatch } from '#test/interface/_expect.ts'
import type { Reply } from '#test/interface/_request.ts'
import type { World } from '#test/interface/_world.ts'
import type { Seen, TestBrowser } from '#test/src/_browser.ts'

/** A registered application. */
export type Application = {
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
}

/** What an application asks a person for; the scopes are parted by spaces. */
export type Wanted = { readonly application: Application; readonly scope: string }

/** What the application keeps to itself until it exchanges the code. */
const verifier = 'a-verifier-of-more-than-forty-three-characters-0123456789'

/** What it shows of that. */
const challenge = createHash('sha256').update(verifier).digest('base64url')

/** The state that it wants back. */
export const state = 'the-state-of-the-application'

/** The path at which permission to write is asked for. */
export const writeBackPath = '/api/v1/oauth/authorize'

/** The query of a request for permission. */
export function query({ application, scope }: Wanted): Record<string, string> {
  return {
    response_type: 'code',
    client_id: application.client_id,
    redirect_uri: application.redirect_uri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
}

/** Sends a browser to ask for permission; gives the page it comes to, or where it is sent back. */
export function ask(
  { place }: World,
  browser: TestBrowser,
  parameters: Readonly<Record<string, string>>,
  path = writeBackPath,
): Promise<Seen> {
  const base = path.startsWith('https:') || path.startsWith('http:') ? path : place.baseUrl + path
  return browser.go(`${base}?${new URLSearchParams(parameters)}`)
}

/** Whether a browser has come to a page of the registry, and not back to an application. */
export function isPage({ status }: Seen): boolean {
  return status === 200
}

/** Permits what a page asks for, but for what is unticked; gives where the browser goes back to. */
export async function permit(
  browser: TestBrowser,
  page: Seen,
  unticked: readonly string[] = [],
): Promise<URL> {
  const fields = unticked.map((scope) => [`permit:${scope}`, undefined] as const)
  const seen = await browser.submit(page, Object.fromEntries(fields), new URL(page.url).pathname)
  return new URL(seen.url)
}

/** Says no to what a page asks for; gives where the browser goes back to. */
export async function deny(browser: TestBrowser, page: Seen): Promise<URL> {
  const seen = await browser.submit(page, { deny: 'on' }, new URL(page.url).pathname)
  return new URL(seen.url)
}

/** Has a person permit all that is asked for; gives the code. */
export async function allow(
  world: World,
  browser: TestBrowser,
  wanted: Wanted,
  path?: string,
): Promise<string> {
  const seen = await ask(world, browser, query(wanted), path)
  const url = isPage(seen) ? await permit(browser, seen) : new URL(seen.url)
  const code = url.searchParams.get('code')
  if (code === null) throw new Mismatch(`there is no code in ${url}`)
  return code
}

/** The body with which a code is exchanged. */
export function exchangeBody({ application }: Wanted, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: application.redirect_uri,
    client_id: application.client_id,
    client_secret: application.client_secret,
    code_verifier: verifier,
  }
}

/** Exchanges a code for tokens. */
export function exchange(world: World, wanted: Wanted, code: string): Promise<Reply> {
  return world.call('POST /api/v1/oauth/token', { body: exchangeBody(wanted, code) })
}
