import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Logger } from 'pino'

import type { Clock } from '#actors/values/clock.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import type { AccountService } from '#src/api/account_service.ts'
import type { DataFolders } from '#src/data_dir/data_dir.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { type OAuthService, openOAuth } from '#src/identity/oauth/oauth.ts'
import { readUpstreamIssuers } from '#src/identity/oauth/upstream_issuers.ts'
import type { UpstreamLogin } from '#src/identity/oauth/upstream_login.ts'
import { providerPages } from '#src/web/entry/provider_pages.ts'
import { callbackPath } from '#src/web/entry/upstream_pages.ts'

export type OAuthServiceOptions = {
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  readonly store: IdentityStore
  readonly clock: Clock
  readonly logger: Logger
  readonly accounts: AccountService
  readonly live: Pick<Environment, 'people' | 'organizations'>
}

/** Opens the identity provider, and closes with `opened`. Errors as `openOAuth`; ConfigError. */
export async function openOAuthService(
  options: OAuthServiceOptions,
  opened: AsyncDisposableStack,
): Promise<OAuthService> {
  const { config, baseUrl, folders, store, clock, logger, accounts: service, live } = options
  const { authUrl, accounts } = service
  const report = (err: unknown): void => logger.error({ err }, 'the identity provider failed')
  const organizationName = (slug: string) => live.organizations.read(slug)?.name
  const prefix = new URL(authUrl).pathname.replace(/\/$/, '')
  const oauth = await openOAuth({
    dir: path.join(folders.dataDir, 'oauth'),
    keyFile: path.join(folders.keysDir, 'token-keys.json'),
    store,
    clock,
    elapsedMs: () => performance.now(),
    random: randomBytes,
    issuer: authUrl,
    accounts,
    people: live.people,
    organizationName,
    pages: providerPages({
      prefix,
      baseUrl,
      maySignUp: service.signUp === 'open',
    }),
    report,
  })
  opened.defer(() => oauth.close())
  return {
    ...oauth,
    upstreams: await openUpstreams(config, authUrl),
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
