import type { Asset } from '#src/pages/kit/assets.ts'
import type { FastifyInstance } from 'fastify'

import type { EnvironmentName, ServedEnvironment } from '#actors/registry/environment.ts'
import {
  type OAuthEdge,
  registerOAuthRoutes,
  registerWriteBackRoutes,
} from '#src/http/oauth/oauth_routes.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import { addAuditPages } from '#src/pages/account/audit_list.ts'
import { addClaimFormPages, addFindPages } from '#src/pages/account/claim_form_pages.ts'
import { addConfirmPages } from '#src/pages/account/confirm_pages.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import {
  addAccessPages,
  addAccountKeyPages,
  addPermissionPages,
  addSandboxPages,
} from '#src/pages/account/permission_pages.ts'
import { addItemPages, addProfilePages } from '#src/pages/account/profile_pages.ts'
import { addPasskeyPages, addSecondFactorSettings } from '#src/pages/account/second_factor_pages.ts'
import {
  addDeletionPages,
  addSecurityPages,
  addSignInHistoryPages,
} from '#src/pages/account/security_pages.ts'
import { addAskedClaimPages, addWorkPages } from '#src/pages/account/work_pages.ts'
import { addMailPages } from '#src/pages/account/mail_pages.ts'
import { addSavedSearchPages } from '#src/pages/account/saved_search_pages.ts'
import { addNoticePages, addWritePages } from '#src/pages/account/write_pages.ts'
import {
  addAdminAccountPages,
  addLostAccountPage,
} from '#src/pages/administration/account_pages.ts'
import { addAdminApplicationPages } from '#src/pages/administration/application_pages.ts'
import { addMailLogPage } from '#src/pages/administration/mail_page.ts'
import { addAdminAuditPage, addHappenedPage } from '#src/pages/administration/audit_page.ts'
import {
  addAdminReportPages,
  addDisputePages,
  addReportPages,
} from '#src/pages/administration/report_pages.ts'
import { addAdminKeyPages } from '#src/pages/administration/key_pages.ts'
import {
  addAdminOrganizationPage,
  addAdminOrganizationPages,
  addOwnerNamingPage,
} from '#src/pages/administration/organization_pages.ts'
import {
  addAdminStartPage,
  addClusterPage,
  addOperationsPage,
} from '#src/pages/administration/registry_pages.ts'
import { addErasurePages } from '#src/pages/administration/erasure_pages.ts'
import { addSuspensionPages, addTakedownPages } from '#src/pages/administration/takedown_pages.ts'
import { BrowserSessions } from '#src/pages/sessions/browser_sessions.ts'
import { leadToPages } from '#src/pages/kit/page_address.ts'
import { registerPages } from '#src/pages/kit/pages.ts'
import { accountsBase, type Readers } from '#src/pages/kit/public_page.ts'
import {
  addOrganizationApplicationPages,
  addOrganizationKeyPages,
} from '#src/pages/organization/application_pages.ts'
import { addOrganizationClaimPages } from '#src/pages/organization/claim_pages.ts'
import { addContentPages } from '#src/pages/organization/content_pages.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { addOrganizationHistoryPages } from '#src/pages/organization/history_pages.ts'
import { addBulkChangePages } from '#src/pages/organization/bulk_change_pages.ts'
import { addUndoPages } from '#src/pages/organization/undo_pages.ts'
import { addImportPages } from '#src/pages/organization/import_pages.ts'
import { addConsortiumPage } from '#src/pages/organization/consortium_pages.ts'
import {
  addInvitationPages,
  addOrganizationMemberPages,
} from '#src/pages/organization/member_pages.ts'
import {
  addOrganizationPages,
  addOwnOrganizationPages,
} from '#src/pages/organization/overview_pages.ts'
import { addRegistrationPages } from '#src/pages/organization/registration_pages.ts'
import { signedInReader, signedInReaders } from '#src/pages/organization/signed_in_reader.ts'
import { addWebhookPages } from '#src/pages/organization/webhook_pages.ts'
import {
  addWithdrawalPages,
  addWorkChangePages,
} from '#src/pages/organization/work_change_pages.ts'
import { addOrganizationWorkPages } from '#src/pages/organization/work_pages.ts'
import { addInteractionPages } from '#src/pages/sign_in/interaction_pages.ts'
import { addEmailPages, addResetPages } from '#src/pages/sign_in/reset_pages.ts'
import { addSecondFactorPages, addSignInPages } from '#src/pages/sign_in/sign_in_pages.ts'
import { addSignUpPages } from '#src/pages/sign_in/sign_up_pages.ts'
import {
  addUpstreamPages,
  upstreamPath,
  type Upstreams,
} from '#src/pages/sign_in/upstream_pages.ts'
import { unreadText } from '#src/use_cases/account_record.ts'
import {
  type AccountService,
  realmOf,
  type Realms,
  type RegistryEdge,
} from '#src/use_cases/registry_edge.ts'

/** Adds the pages of a person's own account. */
function addAccountPages(context: AccountContext): void {
  addProfilePages(context)
  addItemPages(context)
  addWorkPages(context)
  addClaimFormPages(context)
  addFindPages(context)
  addAskedClaimPages(context)
  addWritePages(context)
  addNoticePages(context)
  addMailPages(context)
  // Readers search the live registry only.
  if (context.environment.name === 'live') addSavedSearchPages(context)
  addPermissionPages(context)
  addAccountKeyPages(context)
  addSecurityPages(context)
  addSignInHistoryPages(context)
  addConfirmPages(context)
  addSecondFactorSettings(context)
  addPasskeyPages(context)
  addAccessPages(context)
  addAuditPages(context)
  addDeletionPages(context)
}

/** Adds all pages of administrators. */
function addAdministrationArea(context: OrganizationContext): void {
  addAdminStartPage(context)
  addAdminAccountPages(context)
  addLostAccountPage(context)
  addAdminOrganizationPages(context)
  addAdminOrganizationPage(context)
  addOwnerNamingPage(context)
  addAdminApplicationPages(context)
  addAdminKeyPages(context)
  addSuspensionPages(context)
  addTakedownPages(context)
  addErasurePages(context)
  addAdminAuditPage(context)
  addHappenedPage(context)
  addMailLogPage(context)
  addDisputePages(context)
  addReportPages(context)
  addAdminReportPages(context)
  addClusterPage(context)
  addOperationsPage(context)
}

/** Adds all pages of organizations. */
function addOrganizationArea(context: OrganizationContext): void {
  addOwnOrganizationPages(context)
  addOrganizationPages(context)
  addOrganizationWorkPages(context)
  addContentPages(context)
  addRegistrationPages(context)
  addWorkChangePages(context)
  addWithdrawalPages(context)
  addImportPages(context)
  addBulkChangePages(context)
  addUndoPages(context)
  addOrganizationClaimPages(context)
  addOrganizationKeyPages(context)
  addOrganizationApplicationPages(context)
  addWebhookPages(context)
  addOrganizationMemberPages(context)
  addInvitationPages(context)
  addConsortiumPage(context)
  addOrganizationHistoryPages(context)
}

/** What the pages are about. */
type Site = Realms &
  Pick<
    RegistryEdge,
    | 'environments'
    | 'exporter'
    | 'baseUrl'
    | 'branding'
    | 'count'
    | 'readiness'
    | 'operations'
    | 'search'
    | 'usage'
    | 'nowMs'
  > & {
    /** That many bytes of a cryptographic source. */
    readonly random: (bytes: number) => Uint8Array
    /** Files of this registry that pages load beside those of all. */
    readonly ownAssets: readonly Asset[]
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
export function readersOf(
  site: Omit<Site, 'count' | 'readiness' | 'exporter' | 'ownAssets'>,
): Readers {
  const { accounts, oauth } = realmOf(site, 'live')
  const prefix = accountsBase(site)
  const browserSessions = browserSessionsOf(site, accounts, 'live')
  const environment = site.environments.live
  const { people, organizations } = environment
  const sources = { people, organizations, audit: oauth.audit, readNotices: accounts.readNotices }
  const unreadOf = (ppid: string) => unreadText(sources, ppid)
  return signedInReaders({ browserSessions, environment, prefix, unreadOf })
}

function browserSessionsOf(
  { random, nowMs, suspensions }: Pick<Site, 'random' | 'nowMs' | 'suspensions'>,
  { accounts, sessions, browsers, authUrl, csrfKey }: AccountService,
  name: EnvironmentName,
): BrowserSessions {
  const cookie = cookies[name]
  return new BrowserSessions({
    accounts,
    sessions,
    browsers,
    suspensions,
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
  const { baseUrl, branding, ownAssets, count, nowMs } = site
  const { accounts: service, oauth, keys } = realmOf(site, name)
  const environment = site.environments[name]
  const { secondFactors, authUrl, csrfKey, signUp, adminsNeedSecondStep } = service
  const browserSessions = browserSessionsOf(site, service, name)
  const { people, organizations } = environment
  const { audit } = oauth
  const unreadOf = (ppid: string) =>
    unreadText({ people, organizations, audit, readNotices: service.readNotices }, ppid)
  const readerOf = (account: Account) => signedInReader(environment, account, unreadOf)
  const maySignUp = signUp === 'open'
  const about = { authUrl, baseUrl, branding, ownAssets, environment: name }
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
  { oauth, suspensions, nowMs }: Site,
  { accounts, signUp, authUrl }: AccountService,
  { people }: ServedEnvironment,
): Upstreams {
  return {
    logins: oauth.upstreams,
    accounts,
    suspensions,
    people,
    signUp,
    cookieKey: oauth.upstreamCookieKey,
    nowMs,
    isSecure: authUrl.startsWith('https:'),
    report: oauth.report,
  }
}
