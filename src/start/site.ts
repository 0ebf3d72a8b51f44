import type { FastifyInstance } from 'fastify'

import type {
  ServedEnvironment,
  EnvironmentName,
  ServedEnvironments,
} from '#actors/registry/environment.ts'
import { type AccountService, realmOf, type Realms } from '#src/use_cases/registry_edge.ts'
import { unreadText } from '#src/use_cases/account_record.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { registerOAuthRoutes } from '#src/http/oauth/oauth_routes.ts'
import type { OAuthEdge } from '#src/http/oauth/provider_request.ts'
import { registerWriteBackRoutes } from '#src/http/oauth/write_back_routes.ts'
import type { CountRequest } from '#src/edge/limits.ts'
import type { Readiness } from '#src/edge/readiness.ts'
import type { Operations } from '#src/operations/operations.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import type { Usage } from '#src/usage/usage.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import { addAccountPages } from '#src/pages/account/all_pages.ts'
import { addSandboxPages } from '#src/pages/account/key_pages.ts'
import { addInteractionPages } from '#src/pages/sign_in/interaction_pages.ts'
import { signedInReader, signedInReaders } from '#src/pages/organization/signed_in_reader.ts'
import { addAdministrationArea } from '#src/pages/administration/all_pages.ts'
import { addOrganizationArea } from '#src/pages/organization/all_pages.ts'
import { accountsBase, type Readers } from '#src/pages/kit/public_page.ts'
import { registerPages } from '#src/pages/kit/pages.ts'
import { leadToPages } from '#src/pages/kit/page_address.ts'
import { addEmailPages, addResetPages } from '#src/pages/sign_in/reset_pages.ts'
import { addSecondFactorPages, addSignInPages } from '#src/pages/sign_in/sign_in_pages.ts'
import { addSignUpPages } from '#src/pages/sign_in/sign_up_pages.ts'
import {
  addUpstreamPages,
  upstreamPath,
  type Upstreams,
} from '#src/pages/sign_in/upstream_pages.ts'
import { BrowserSessions } from '#src/pages/kit/browser_sessions.ts'

/** What the pages are about. */
export type Site = Realms & {
  readonly environments: ServedEnvironments
  readonly baseUrl: string
  readonly count: CountRequest
  /** Whether the registry can do its work, and what a node of a cluster knows of it. */
  readonly readiness: () => Promise<Readiness>
  readonly operations?: Operations
  readonly search?: Readonly<Record<EnvironmentName, RecordSearch>>
  /** How often works are used, where it is counted. */
  readonly usage?: Usage
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** The cookie of the pages of each environment: a browser is signed in to each for itself. */
const cookies = { live: 'svc_session', sandbox: 'svc_test_session' } as const

/** Registers all pages, and the identity providers beside them. */
export async function registerSite(server: FastifyInstance, site: Site): Promise<void> {
  const live = await registerRealm(server, site, 'live')
  const sandbox = await registerRealm(server, site, 'sandbox')
  await registerWriteBackRoutes(server, { live, sandbox })
}

/** Who reads public pages, by the cookie of the pages of the live environment. */
export function readersOf(site: Omit<Site, 'count' | 'readiness'>): Readers {
  const { accounts, oauth } = realmOf(site, 'live')
  const prefix = accountsBase(site)
  const browserSessions = browserSessionsOf(site, accounts, 'live')
  const environment = site.environments.live
  const { people } = environment
  const sources = { people, audit: oauth.audit, readNotices: accounts.readNotices }
  const unreadOf = (ppid: string) => unreadText(sources, ppid)
  return signedInReaders({ browserSessions, environment, prefix, unreadOf })
}

function browserSessionsOf(
  { random, nowMs }: Pick<Site, 'random' | 'nowMs'>,
  { accounts, sessions, browsers, authUrl, csrfKey }: AccountService,
  name: EnvironmentName,
): BrowserSessions {
  const cookie = cookies[name]
  return new BrowserSessions({
    accounts,
    sessions,
    browsers,
    authUrl,
    cookie,
    csrfKey,
    random,
    nowMs,
  })
}

/** Registers the pages of one environment, and its identity provider. */
async function registerRealm(
  server: FastifyInstance,
  site: Site,
  name: EnvironmentName,
): Promise<OAuthEdge> {
  const { baseUrl, count, nowMs } = site
  const { accounts: service, oauth, keys } = realmOf(site, name)
  const environment = site.environments[name]
  const { secondFactors, authUrl, csrfKey, signUp, adminsNeedSecondStep } = service
  const browserSessions = browserSessionsOf(site, service, name)
  const { people } = environment
  const { audit } = oauth
  const unreadOf = (ppid: string) =>
    unreadText({ people, audit, readNotices: service.readNotices }, ppid)
  const readerOf = (account: Account) => signedInReader(environment, account, unreadOf)
  const maySignUp = signUp === 'open'
  const about = { authUrl, baseUrl, environment: name }
  const hasSecondFactor = (ppid: string) => secondFactors.find(ppid) !== undefined
  const forms = { csrfKey, count, hasSecondFactor, adminsNeedSecondStep, nowMs }
  const options = { ...about, ...forms, browserSessions, maySignUp, readerOf }
  await registerPages(server, options, (pages) => {
    const shownApplications =
      name === 'live' ? [oauth.applications, site.sandbox.oauth.applications] : [oauth.applications]
    const own = { ...site, ...oauth, service, keys, environment }
    const context = { ...own, shownApplications, pages }
    const entry = { ...service, upstreams: namesOf(oauth), environment: name }
    addSignInPages(pages, entry)
    addSecondFactorPages(pages, { ...service, nowMs })
    addInteractionPages(pages, { ...oauth, nowMs })
    addAccountPages(context)
    if (name === 'sandbox') return
    addSandboxPages(context, site.sandbox)
    addSignUpPages(pages, entry)
    addResetPages(pages, entry)
    addEmailPages(pages, service)
    addUpstreamPages(pages, upstreamsOf(site, service, environment))
    const realms = { live: site, sandbox: site.sandbox }
    const area = { ...context, realms, requests: service.requests }
    addOrganizationArea(area)
    addAdministrationArea(area)
  })
  const { provider, applications } = oauth
  const edge: OAuthEdge = {
    environment: name,
    provider,
    browserOf: (request, reply) => browserSessions.browserOf(request, reply),
    count,
    lead: leadToPages(baseUrl, authUrl),
    isApplication: (id) => applications.find(id) !== undefined,
  }
  await registerOAuthRoutes(server, edge)
  return edge
}

function namesOf({ upstreams }: OAuthService) {
  return upstreams.map(({ issuer: { id, name } }) => ({ name, path: upstreamPath(id) }))
}

function upstreamsOf(
  { oauth, nowMs }: Site,
  { accounts, signUp, authUrl }: AccountService,
  { people }: ServedEnvironment,
): Upstreams {
  return {
    logins: oauth.upstreams,
    accounts,
    people,
    signUp,
    cookieKey: oauth.upstreamCookieKey,
    nowMs,
    isSecure: authUrl.startsWith('https:'),
    report: oauth.report,
  }
}
