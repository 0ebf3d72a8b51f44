import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import {
  type AccountClaims,
  type Adapter,
  type Client,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider'

import type { People, Person, VisibleField } from '#actors/people/port.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { partiesOf } from '#src/identity/oauth/application_record.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import { authenticationClasses } from '#src/identity/oauth/authentication_context.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import {
  isWriteScope,
  needsPkce,
  oauthScopeNames,
  oauthScopes,
} from '#src/identity/oauth/oauth_scopes.ts'
import {
  AlreadyConsumedError,
  type ProviderPayload,
  type ProviderRows,
} from '#src/identity/oauth/provider_rows.ts'
import type { Redemptions } from '#src/identity/oauth/redemption.ts'
import type { TokenKeys } from '#src/identity/oauth/token_keys.ts'
import { type Suspensions, suspensionText } from '#src/identity/store/suspensions.ts'
import { isPassingFault } from '#src/identity/store/identity_error.ts'

/** What of a request says in which language a page is wanted. */
type PageRequest = { readonly headers: IncomingHttpHeaders; readonly query: unknown }

/** HTML documents for what the identity provider has to say to a person itself. */
export type ProviderPages = {
  /** What went wrong, with the words of the protocol. */
  error(request: PageRequest, error: string, description: string | undefined): string
  /** Asks whether to sign out; `form` is an empty form with the id `op.logoutForm`. */
  signOut(request: PageRequest, form: string): string
  signedOut(request: PageRequest): string
  /** Sends the browser on by itself: a form may not lead to another origin by a redirect. */
  goOn(request: PageRequest, url: string): string
}

export type ProviderOptions = {
  /** Its public address, without a slash at its end: `iss` of every answer. */
  readonly issuer: string
  readonly records: ProviderRecords
  readonly tokenKeys: TokenKeys
  /** What the names of its cookies begin with. */
  readonly cookie: string
  /** Secrets that sign its cookies, the newest first. */
  readonly cookieKeys: readonly string[]
  readonly accounts: Pick<Accounts, 'find'>
  readonly people: Pick<People, 'read'>
  readonly suspensions: Pick<Suspensions, 'first' | 'contact'>
  readonly pages: ProviderPages
  /** The name of the session with the pages that a browser had when it sent a request. */
  readonly sessionIdOf: (request: IncomingMessage) => string | undefined
}

/** What a question to sign in says beside what the provider says itself. */
export type SignInDetails = {
  /** The session that the browser had when it was asked: to sign in anew is to begin another. */
  readonly askedSessionId?: string
}

const hour = 3_600
const day = 24 * hour

/** How long what the provider hands out is good, in seconds. */
const lifetimes = {
  AccessToken: hour,
  AuthorizationCode: 60,
  IdToken: hour,
  Interaction: hour,
  RefreshToken: 180 * day,
  Session: 14 * day,
  // A permission lasts as long as a refresh token of it can, and is prolonged by its use.
  Grant: 180 * day,
} as const

/** How much of a permission's time has to be gone before its use prolongs it, in seconds. */
const prolongedAfter = day

/** Everything that oidc-provider is told; its defaults are left only where they are ours too. */
export function providerConfiguration(options: ProviderOptions): Configuration {
  const { records, tokenKeys, issuer } = options
  const prefix = new URL(issuer).pathname.replace(/\/$/, '')
  return {
    adapter: providerAdapter(records),
    jwks: tokenKeys.jwks(),
    routes: providerRoutes,
    scopes: [...oauthScopeNames],
    acrValues: [...authenticationClasses],
    claims: claims(),
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    extraParams: [pkceParameter],
    cookies: cookies(prefix, options),
    ttl: lifetimes,
    features: features(options),
    findAccount: (context, ppid) => findAccount(options, context, ppid),
    interactions: {
      policy: askingPolicy(options),
      url: (_context, { uid }) => `${prefix}/interaction/${uid}`,
    },
    pkce: { required: requiresPkce },
    clientBasedCORS: mayCallFrom,
    loadExistingGrant: (context) => loadGrant(records, context),
    // What an application does for people goes on when they sign out of this browser.
    expiresWithSession: async ({ oidc }) => !permitsWrites(oidc.grant?.getOIDCScope()),
    issueRefreshToken: async (context, _client, { scopes }) => {
      const { oidc } = context
      // There is one already, which the answer tells.
      if (records.redemptions.heldBy(context)?.turn.type === 'again') return false
      const permitted = oidc.grant?.getOIDCScopeFiltered(new Set(scopes))
      return scopes.has('offline_access') || permitsWrites(permitted)
    },
    async rotateRefreshToken(context) {
      const { RefreshToken: token, Grant: grant } = context.oidc.entities
      assert(token !== undefined, 'what is to be rotated has been found')
      const turn = await records.redemptions.enter(context, 'RefreshToken', token.jti)
      if (turn.type === 'again') return false
      await prolong(grant)
      return true
    },
    // To sign out takes tokens away, and not what the person has permitted.
    revokeGrantPolicy: (context) => !isSignOut(context.oidc.route) && endsMoreThanItself(context),
    renderError(context, { error, error_description }) {
      context.type = 'html'
      context.body = options.pages.error(context, error, error_description)
    },
  }
}

/** What each scope tells of a person; of the sign-in, an ID token tells what it knows. */
function claims(): Configuration['claims'] {
  const ofScopes = oauthScopes.filter((scope) => scope.claims.length > 0)
  const told = Object.fromEntries(ofScopes.map((scope) => [scope.name, [...scope.claims]]))
  return { ...told, openid: [...(told['openid'] ?? []), 'auth_time', 'acr', 'amr'] }
}

function cookies(
  prefix: string,
  { cookie, cookieKeys }: Pick<ProviderOptions, 'cookie' | 'cookieKeys'>,
): Configuration['cookies'] {
  const shared = { httpOnly: true, sameSite: 'lax', signed: true } as const
  return {
    keys: [...cookieKeys],
    names: { session: cookie, interaction: `${cookie}_ask`, resume: `${cookie}_resume` },
    long: { ...shared, path: `${prefix}/` },
    short: shared,
  }
}

function features({ pages }: ProviderOptions): Configuration['features'] {
  const off = { enabled: false } as const
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    resourceIndicators: off,
    // An application learns of its own tokens, and ends its own tokens, only.
    introspection: {
      enabled: true,
      allowedPolicy: async (_context, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: {
      enabled: true,
      async logoutSource(context, form) {
        context.body = pages.signOut(context, form)
      },
      async postLogoutSuccessSource(context) {
        context.type = 'html'
        context.body = pages.signedOut(context)
      },
    },
  }
}

/** Throws for who is suspended, and for an application that is: it gets no token, nor a profile. */
async function findAccount(options: ProviderOptions, { oidc }: KoaContextWithOIDC, ppid: string) {
  const { accounts, people, suspensions, records } = options
  const clientId = oidc.client?.clientId ?? oidc.entities.AccessToken?.clientId ?? ''
  const application = records.applications.find(clientId)
  const parties = application === undefined ? [] : partiesOf(application)
  const suspension = suspensions.first([{ type: 'account', id: ppid }, ...parties])
  if (suspension !== undefined) {
    const description = suspensionText(suspension, suspensions.contact)
    const refusal = new errors.CustomOIDCProviderError('suspended', description)
    throw Object.assign(refusal, { status: 403, statusCode: 403 })
  }
  const account = accounts.find(ppid)
  const person = people.read(ppid)
  if (account === undefined || person?.type !== 'person') return undefined
  return { accountId: ppid, claims: async () => personClaims(person, account) }
}

/**
 * The usual questions, and one more: a person who once refused something is asked again when the
 * application asks for it again. A question to sign in remembers the session that it met, because
 * the provider tells time in whole seconds, and a session can be begun and asked about within one.
 */
function askingPolicy({ sessionIdOf }: ProviderOptions): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  assert(login !== undefined, 'the provider asks people to sign in')
  const { details } = login
  login.details = async (context) => {
    const askedSessionId = sessionIdOf(context.req)
    const met: SignInDetails = askedSessionId === undefined ? {} : { askedSessionId }
    return { ...(await details(context)), ...met }
  }
  const anew = new interactionPolicy.Check(
    'max_age_zero',
    'End-User authentication could not be obtained',
    // However young the session is (OpenID Connect Core 1.0 §3.1.2.1).
    ({ oidc }) => Number(oidc.params?.['max_age']) === 0 && oidc.result?.login === undefined,
  )
  anew.error = 'login_required'
  login.checks.add(anew)
  const check = new interactionPolicy.Check(
    'refused_scope',
    'a scope was refused before',
    ({ oidc }) => {
      if (oidc.result?.consent !== undefined) return false
      const refused = new Set(oidc.grant?.getRejectedOIDCScope().split(' '))
      return [...oidc.requestParamOIDCScopes].some((scope) => refused.has(scope))
    },
  )
  policy.get('consent')?.checks.add(check)
  return policy
}

/**
 * Whether a request must prove possession of its code (RFC 7636): that of a public application, one
 * for what writes, and whatever came through `/api/v1/oauth/authorize`.
 */
function requiresPkce({ oidc }: KoaContextWithOIDC, client: Client): boolean {
  return (
    client.clientAuthMethod === 'none' ||
    oidc.params?.[pkceParameter] !== undefined ||
    [...oidc.requestParamScopes].some(needsPkce)
  )
}

/** Whether an application runs in pages of an origin, and so calls from there. */
function mayCallFrom(_context: unknown, origin: string, client: Client): boolean {
  // The scheme of an app has no origin, which is written as that of a page that hides its own.
  if (client.clientAuthMethod !== 'none' || origin === 'null') return false
  return (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin)
}

/** What a person permitted an application, in whichever browser; its use prolongs it. */
async function loadGrant({ grants }: ProviderRecords, { oidc }: KoaContextWithOIDC) {
  const { result, account, client, provider } = oidc
  if (account === undefined || client === undefined) return undefined
  const chosen = result?.consent?.grantId
  const id = chosen ?? grants.findFor(account.accountId, client.clientId)?.id
  const grant = id === undefined ? undefined : await provider.Grant.find(id)
  await prolong(grant)
  return grant
}

type ProviderGrant = NonNullable<KoaContextWithOIDC['oidc']['grant']>

async function prolong(grant: ProviderGrant | undefined): Promise<void> {
  if (grant === undefined || grant.remainingTTL > lifetimes.Grant - prolongedAfter) return
  grant.exp = Math.floor(Date.now() / 1_000) + lifetimes.Grant
  await grant.save()
}

function permitsWrites(scope: string | undefined): boolean {
  return scope?.split(' ').some(isWriteScope) ?? false
}

function isSignOut(route: string): boolean {
  return route === 'end_session_confirm'
}

const orcidAddress = 'https://orcid.org/'

/**
 * What an application may be told of a person (OpenID Connect Core 1.0, §5.1), before the scopes
 * that they permitted are looked at: what only the person may see is left out, but for the e-mail
 * address, which has a scope for itself, so that its permission is its visibility.
 */
function personClaims(person: Person, account: Account): AccountClaims {
  const { profile, ppid, updated_at } = person
  const { name, username, avatar_url, orcid, orcid_authenticated } = profile
  const isShown = (field: VisibleField): boolean => profile.visibility[field] !== 'private'
  return {
    sub: ppid,
    updated_at: Math.floor(Date.parse(updated_at) / 1_000),
    ...(isShown('name') && { name }),
    ...(username !== undefined && isShown('username') && { preferred_username: username }),
    ...(avatar_url !== undefined && isShown('avatar_url') && { picture: avatar_url }),
    ...(orcid !== undefined &&
      isShown('orcid') && {
        orcid: orcidAddress + orcid,
        orcid_authenticated: orcid_authenticated === true,
      }),
    ...(account.email !== null && {
      email: account.email,
      email_verified: account.email_verified,
    }),
  }
}

/** Where the identity provider's records lie. */
export type ProviderRecords = {
  readonly rows: ProviderRows
  readonly grants: Grants
  readonly applications: Applications
  readonly redemptions: Redemptions
}

/**
 * Makes what oidc-provider asks its records of, once for each of its kinds: clients are the
 * registered applications, grants are permissions of the identity store, and all the rest are rows
 * of the provider's own store.
 */
export function providerAdapter(records: ProviderRecords): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return clientAdapter(records.applications)
    return tellingOfFaults(
      kind === 'Grant' ? grantAdapter(records.grants) : rowAdapter(records, kind),
    )
  }
}

/** Has what may succeed a moment later answered so: 503, or as RFC 6749 §4.1.2.1 has it. */
function tellingOfFaults(adapter: Adapter): Adapter {
  const telling = Object.entries(adapter).map(([name, act]) => {
    const acted = async (...given: never[]): Promise<unknown> => {
      try {
        return await (act as (...given: never[]) => Promise<unknown>)(...given)
      } catch (error) {
        throw isPassingFault(error) ? temporarilyUnavailable(error) : error
      }
    }
    return [name, acted]
  })
  return Object.fromEntries(telling) as Adapter
}

function temporarilyUnavailable(cause: unknown): Error {
  Provider.ctx?.set('retry-after', '1')
  const error = new errors.OIDCProviderError(503, 'temporarily_unavailable', { cause })
  const error_description = 'The registry is busy; try again after a moment'
  return Object.assign(error, { expose: true, error_description })
}

function clientAdapter(applications: Applications): Adapter {
  return { ...unused, find: async (id) => applications.clientMetadata(id) }
}

function grantAdapter(grants: Grants): Adapter {
  return {
    ...unused,
    upsert: async (id, payload) => grants.save(id, payload),
    find: async (id) => grants.payload(id),
    // The application has revoked its token, or a code or a refresh token came a second time.
    destroy: async (id) => {
      const isRevocation = Provider.ctx?.oidc.route === 'revocation'
      await grants.end(id, isRevocation ? 'by_application' : 'token_reused')
    },
  }
}

function rowAdapter({ rows, grants, redemptions }: ProviderRecords, kind: string): Adapter {
  return {
    ...unused,
    upsert(id, payload, ttl = 0) {
      const row = payload as ProviderPayload
      const held = kind === 'RefreshToken' ? redemptions.heldBy(Provider.ctx) : undefined
      return held === undefined
        ? rows.put(kind, id, row, ttl)
        : rows.putSuccessor(id, row, { ttl, of: held })
    },
    async find(id) {
      const row = rows.find(kind, id)
      const isRedeemed = Provider.ctx?.oidc.route === 'token'
      return row !== undefined && isRedeemed ? redemptions.shown(kind, row) : row
    },
    findByUid: async (uid) => rows.findByUid(uid),
    destroy: (id) => rows.remove(kind, id),
    async revokeByGrantId(grantId) {
      if (endsMoreThanItself(Provider.ctx)) await rows.removeOfGrant(grantId)
    },
    async consume(id) {
      const { ctx } = Provider
      // The turn at a refresh token was taken when it was decided whether there is a new one.
      const turn =
        ctx === undefined
          ? undefined
          : (redemptions.heldBy(ctx)?.turn ?? (await redemptions.enter(ctx, kind, id)))
      if (turn !== undefined && turn.type !== 'first') return
      try {
        await rows.consume(kind, id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumedError)) throw error
        const row = rows.find(kind, id)
        // Another node has superseded the turn of this one: a moment later it can be told what came
        // of that.
        const isSuperseded =
          turn !== undefined && row !== undefined && redemptions.isInGrace(kind, row)
        if (isSuperseded) throw temporarilyUnavailable(error)
        // Another request has redeemed it since the provider looked. That it came twice at once
        // tells as much as one after the other: somebody else has it, and its permission ends.
        if (row?.grantId !== undefined) await grants.end(row.grantId, 'token_reused')
        throw new errors.InvalidGrant(error.message)
      }
    },
  }
}

/**
 * Whether what a request revokes takes the rest of its permission's tokens along. An access token
 * does only if the application says so by `end_permission=true` (RFC 7009 §2.1 leaves it open).
 */
function endsMoreThanItself(context: KoaContextWithOIDC | undefined): boolean {
  const { oidc } = context ?? {}
  if (oidc?.route !== 'revocation' || !('AccessToken' in oidc.entities)) return true
  return oidc.body?.['end_permission'] === 'true'
}

/** What a kind never asks for: the device flow, and what is made elsewhere. */
const unused: Adapter = {
  upsert: refuse,
  find: refuse,
  findByUserCode: refuse,
  findByUid: refuse,
  consume: refuse,
  destroy: refuse,
  revokeByGrantId: refuse,
}

async function refuse(): Promise<never> {
  throw new Error('the identity provider does not ask this of records of this kind')
}

/** The parameter by which `/api/v1/oauth/authorize` says that the request must use PKCE. */
export const pkceParameter = 'svc_pkce'

/** Paths of the provider below its issuer. */
export const providerRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  end_session: '/oauth/logout',
} as const
