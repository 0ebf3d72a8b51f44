import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Logger } from 'pino'

import type { Clock } from '#actors/values/clock.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { applicationIdPrefixes } from '#src/identity/oauth/applications.ts'
import { type OAuthService, openOAuth } from '#src/identity/oauth/oauth.ts'
import { readUpstreamIssuers, type UpstreamLogin } from '#src/identity/oauth/upstream_login.ts'
import { elapsedMs } from '#src/start/elapsed.ts'
import { providerPages } from '#src/pages/sign_in/interaction_pages.ts'
import { callbackPath } from '#src/pages/sign_in/upstream_pages.ts'

export type OAuthServiceOptions = {
  readonly role: ThreadRole
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly store: IdentityStore
  readonly clock: Clock
  readonly logger: Logger
  readonly accounts: AccountService
  readonly environment: Pick<Environment, 'name' | 'people' | 'organizations'>
}

/** Of each environment: its store, the keys of its ID tokens, and what its cookies begin with. */
const ownNames = {
  live: { dir: 'oauth', keyFile: 'token-keys.json', cookie: 'svc_op' },
  sandbox: {
    dir: 'sandbox-oauth',
    keyFile: 'sandbox-token-keys.json',
    cookie: 'svc_test_op',
  },
} as const

/** Opens the identity provider, and closes with `opened`. Errors as `openOAuth`; ConfigError. */
export async function openOAuthService(
  options: OAuthServiceOptions,
  opened: AsyncDisposableStack,
): Promise<OAuthService> {
  const { config, baseUrl, folders, store, clock, logger, accounts: service } = options
  const { name, people, organizations } = options.environment
  const { dir, keyFile, cookie } = ownNames[name]
  const { authUrl, accounts } = service
  const report = (err: unknown): void => logger.error({ err }, 'the identity provider failed')
  const organizationName = (slug: string) => organizations.read(slug)?.name
  const prefix = new URL(authUrl).pathname.replace(/\/$/, '')
  const oauth = await openOAuth({
    role: options.role,
    dir: path.join(folders.dataDir, dir),
    keyFile: path.join(folders.keysDir, keyFile),
    idPrefix: applicationIdPrefixes[name],
    cookie,
    store,
    clock,
    elapsedMs,
    random: randomBytes,
    issuer: authUrl,
    accounts,
    people,
    organizationName,
    pages: providerPages({
      prefix,
      baseUrl,
      maySignUp: service.signUp === 'open',
      environment: name,
    }),
    report,
  })
  opened.defer(() => oauth.close())
  return {
    ...oauth,
    // Whoever is in the sandbox is nobody elsewhere.
    upstreams: name === 'live' ? await openUpstreams(config, authUrl) : [],
    upstreamCookieKey: store.deriveKey('upstream login'),
    organizationName,
    report,
  }
}

async function openUpstreams(
  { UPSTREAM_ISSUERS: file }: Config,
  authUrl: string,
): Promise<UpstreamLogin[]> {
  if (file === undefined) return []
  const issuers = await readUpstreamIssuers(path.resolve(file))
  // Loaded here because most registries let nobody in from elsewhere.
  const { UpstreamLogin } = await import('#src/identity/oauth/upstream_login.ts')
  return issuers.map((issuer) => new UpstreamLogin(issuer, authUrl + callbackPath(issuer.id)))
}
