import { existsSync } from 'node:fs'

import type { Clock } from '#actors/values/clock.ts'
import { joinLevelStore, openLevelStore } from '#log/store/level_store.ts'
import { AccessTokens } from '#src/identity/oauth/access_tokens.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { Applications } from '#src/identity/oauth/applications.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { Grants } from '#src/identity/oauth/grants.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { IdentityProvider } from '#src/identity/oauth/provider.ts'
import type { ProviderOptions } from '#src/identity/oauth/provider_configuration.ts'
import {
  hasMoved,
  moveRows,
  ownRowStore,
  ProviderRows,
  type ProviderRowStore,
  sharedRowStore,
} from '#src/identity/oauth/provider_rows.ts'
import { Redemptions } from '#src/identity/oauth/redemption.ts'
import { openTokenKeys } from '#src/identity/oauth/token_keys.ts'
import type { UpstreamLogin } from '#src/identity/oauth/upstream_login.ts'

/** Where the identity provider keeps what is its own, and what it works with. */
export type OAuthOptions = Pick<
  ProviderOptions,
  'issuer' | 'cookie' | 'people' | 'suspensions' | 'pages'
> & {
  readonly role: ThreadRole
  /** The folder of its store. It may be lost: then people sign in, and applications ask, again. */
  readonly dir: string
  /** The file of the keys that sign ID tokens; it is made if it is missing. */
  readonly keyFile: string
  /** What the ids of its applications begin with. */
  readonly idPrefix: string
  readonly store: IdentityStore
  readonly clock: Clock
  /** A clock that only goes forward, in milliseconds. */
  readonly elapsedMs: () => number
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
  readonly accounts: Pick<Accounts, 'find' | 'onRemoval' | 'onRecovery'>
  /** The name of an organization, by its slug; undefined if there is none. */
  readonly organizationName: (slug: string) => string | undefined
  /** Is told of what failed in the background or inside the provider. */
  readonly report: (fault: unknown) => void
}

/** Everything by which applications act for people. */
export type OAuth = {
  readonly applications: Applications
  readonly grants: Grants
  readonly accessTokens: AccessTokens
  readonly provider: IdentityProvider
  readonly audit: AuditLog
  close(): Promise<void>
}

/** Everything by which applications act for people, and by which people come in from elsewhere. */
export type OAuthService = OAuth & {
  readonly upstreams: readonly UpstreamLogin[]
  /** 32 secret bytes, under which browsers keep what belongs to a sign-in elsewhere. */
  readonly upstreamCookieKey: Uint8Array
  readonly organizationName: (slug: string) => string | undefined
  readonly report: (fault: unknown) => void
}

const writeBufferBytes = 8 * 1_048_576
const cacheBytes = 8 * 1_048_576
const sweptEveryMs = 10 * 60_000

/**
 * Opens applications, permissions, tokens and the provider. Errors: LogErrors, IdentityErrors, and
 * StartErrors of the file of keys.
 */
export async function openOAuth(options: OAuthOptions): Promise<OAuth> {
  const { store, clock, report, organizationName, elapsedMs, accounts } = options
  const audit = new AuditLog(store)
  const applications = new Applications({ ...options, audit })
  const grants = new Grants({ store, audit, clock, report })
  const tokenKeys = await openTokenKeys({ file: options.keyFile, clock, store })
  const rows = await openRows(options)
  grants.onEnd((id) => rows.removeOfGrant(id))
  applications.onRevocation((clientId) => grants.endAllOfApplication(clientId))
  accounts.onRemoval(async (ppid) => {
    await applications.forget(ppid)
    await grants.forget(ppid)
  })
  accounts.onRecovery((ppid) => endPermissions(grants, applications, ppid))
  const provider = new IdentityProvider({
    ...options,
    records: {
      rows,
      grants,
      applications,
      redemptions: new Redemptions({ store, rows, nowMs: () => clock.nowMs() }),
    },
    tokenKeys,
    cookieKeys: [Buffer.from(store.deriveKey('provider cookies')).toString('base64')],
  })
  const accessTokens = new AccessTokens({
    store,
    rows,
    grants,
    applications,
    organizationName,
    nowMs: () => clock.nowMs(),
    elapsedMs,
  })
  const sweep = () => Promise.all([rows.sweep(), grants.sweep()]).catch(report)
  const sweeps = options.role.type === 'runs'
  if (sweeps) {
    await grants.repair()
    await sweep()
  }
  const sweeping = sweeps ? setInterval(() => void sweep(), sweptEveryMs).unref() : undefined
  return {
    applications,
    grants,
    accessTokens,
    provider,
    audit,
    async close() {
      clearInterval(sweeping)
      await rows.close()
    },
  }
}

/** Ends what acts for a person who has an account again that may have been somebody else's. */
async function endPermissions(
  grants: Grants,
  applications: Applications,
  ppid: string,
): Promise<void> {
  const by = personOwner(ppid)
  await grants.endAllOfPerson(ppid, by)
  for (const { client_id } of await applications.listOfSecret(ppid)) {
    await applications.endSecret(client_id, by)
  }
}

async function openRows(options: OAuthOptions): Promise<ProviderRows> {
  const { store, clock } = options
  return new ProviderRows({
    store: store.isShared ? await openSharedRows(options) : await openOwnRows(options),
    clock,
    indexKey: store.deriveKey('provider index'),
    sealKey: store.deriveKey('provider seal'),
  })
}

async function openOwnRows({ role, dir, store }: OAuthOptions): Promise<ProviderRowStore> {
  const rows =
    role.type === 'joins'
      ? await joinLevelStore(dir)
      : await openLevelStore(dir, { create: true, writeBufferBytes, cacheBytes })
  return ownRowStore(rows, store)
}

/** What a node had of its own before it was in a cluster is what all of them begin with. */
async function openSharedRows({ role, dir, store }: OAuthOptions): Promise<ProviderRowStore> {
  if (role.type === 'runs' && !hasMoved(store) && existsSync(dir)) {
    const own = await openLevelStore(dir, { create: true, writeBufferBytes, cacheBytes })
    try {
      await moveRows(own, store)
    } finally {
      await own.close()
    }
  }
  return sharedRowStore(store)
}
