import type { FastifyInstance } from 'fastify'

import type { Environment, Environments } from '#actors/registry/environment.ts'
import type { AccountService } from '#src/api/account_service.ts'
import { registerOAuthRoutes } from '#src/http/oauth/oauth_routes.ts'
import type { CountRequest } from '#src/edge/limits.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import { addAccountPages } from '#src/web/account/all_pages.ts'
import { addInteractionPages } from '#src/web/entry/interaction_pages.ts'
import { addOrganizationArea } from '#src/web/organization/all_pages.ts'
import { registerPages } from '#src/web/kit/pages.ts'
import { leadToPages } from '#src/web/kit/page_address.ts'
import { addEmailPages } from '#src/web/entry/email_pages.ts'
import { addResetPages } from '#src/web/entry/reset_pages.ts'
import { addSignInPages } from '#src/web/entry/sign_in_pages.ts'
import { addSignUpPages } from '#src/web/entry/sign_up_pages.ts'
import { addUpstreamPages, upstreamPath, type Upstreams } from '#src/web/entry/upstream_pages.ts'
import { BrowserSessions } from '#src/web/kit/browser_sessions.ts'

/** What the pages are about. */
export type Site = {
  readonly service: AccountService
  readonly oauth: OAuthService
  readonly keys: KeyStore
  /** The live one: people are nowhere else. */
  readonly environment: Environment
  /** Both: organizations are in each. */
  readonly environments: Environments
  readonly baseUrl: string
  readonly count: CountRequest
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** Registers all pages, and the identity provider beside them. */
export async function registerSite(server: FastifyInstance, site: Site): Promise<void> {
  const { service, oauth, environment, baseUrl, count, random } = site
  const { people } = environment
  const { accounts, sessions, browsers, authUrl, csrfKey, signUp } = service
  const browserSessions = new BrowserSessions({
    accounts,
    sessions,
    browsers,
    authUrl,
    csrfKey,
    random,
  })
  const nameOf = (ppid: string) => {
    const person = people.read(ppid)
    return person?.type === 'person' ? person.profile.name : ppid
  }
  const maySignUp = signUp === 'open'
  const options = { browserSessions, authUrl, baseUrl, maySignUp, csrfKey, count, nameOf }
  await registerPages(server, options, (pages) => {
    const context = { ...service, upstreams: namesOf(oauth) }
    addSignInPages(pages, context)
    addSignUpPages(pages, context)
    addResetPages(pages, context)
    addEmailPages(pages, service)
    addInteractionPages(pages, oauth)
    addUpstreamPages(pages, upstreamsOf(site))
    addAccountPages({ ...oauth, ...site, pages })
    addOrganizationArea({ ...oauth, ...site, requests: service.requests, pages })
  })
  const lead = leadToPages(baseUrl, authUrl)
  const { provider, applications } = oauth
  const isApplication = (id: string) => applications.find(id) !== undefined
  await registerOAuthRoutes(server, {
    provider,
    browserOf: (request, reply) => browserSessions.browserOf(request, reply),
    count,
    lead,
    isApplication,
  })
}

function namesOf({ upstreams }: OAuthService) {
  return upstreams.map(({ issuer: { id, name } }) => ({ name, path: upstreamPath(id) }))
}

function upstreamsOf({ service, oauth, environment, nowMs }: Site): Upstreams {
  const { accounts, signUp, authUrl } = service
  return {
    logins: oauth.upstreams,
    accounts,
    people: environment.people,
    signUp,
    cookieKey: oauth.upstreamCookieKey,
    nowMs,
    isSecure: authUrl.startsWith('https:'),
    report: oauth.report,
  }
}
