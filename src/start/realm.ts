import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'

import type { Environment } from '#actors/registry/environment.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import type { Clock } from '#actors/values/clock.ts'
import type { Config } from '#config/schema.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'
import type { PasswordCost } from '#src/identity/accounts/password_hash.ts'
import type { PersonKeys } from '#src/identity/accounts/person_keys.ts'
import { KeyStore } from '#src/identity/keys/key_store.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { ThreadRole } from '#src/identity/store/identity_sharing.ts'
import { openEndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { openAccountService } from '#src/start/accounts.ts'
import { openOAuthService } from '#src/start/oauth.ts'

/** What the people of an environment are opened from. */
export type RealmOptions = {
  /**
   * Of a realm that joins, `store` and `environment` have joined those of the owner, which has
   * called `shareRealm`.
   */
  readonly role: ThreadRole
  readonly config: Config
  readonly baseUrl: string
  readonly folders: DataFolders
  /** The realm's own part of the identity store, and the keys of its people, which lie there. */
  readonly store: IdentityStore
  readonly personKeys: PersonKeys
  readonly environment: Pick<Environment, 'name' | 'people' | 'organizations'>
  readonly clock: Clock
  readonly logger: Logger
  /** Less than the usual one for tests only. */
  readonly passwordCost?: PasswordCost
}

/**
 * Opens the people of an environment, and closes with `opened`. Errors as `openOAuthService`. Call
 * `repairAccounts` before anybody uses those that run. A realm that joins can be opened once that
 * of the other thread is, and is closed before it.
 */
export async function openRealm(
  options: RealmOptions,
  opened: AsyncDisposableStack,
): Promise<Realm> {
  const { store, clock, logger, environment } = options
  const report = (err: unknown) => logger.error({ err }, 'the use of a key could not be noted')
  const keys = new KeyStore({ store, clock, random: randomBytes, report })
  if (options.role.type === 'runs') await keys.repair()
  const accounts = await openAccountService({ ...options, keys }, opened)
  accounts.accounts.onRemoval((ppid) => environment.organizations.leaveAll(ppid))
  const oauth = await openOAuthService({ ...options, accounts }, opened)
  const webhooks = await openEndpointStore({ store, clock, random: randomBytes })
  oauth.grants.writeWithEnd((ended) => webhooks.rowsOfEnded(ended))
  return { accounts, oauth, keys, webhooks }
}

/** Lets the other side of a connection open a realm that joins this one. */
export function shareRealm({ accounts }: Realm, remote: Remote): void {
  accounts.mail.share(remote)
}

/**
 * Has the recovery of a person's account end what acts for them in the sandbox as well: what does
 * so there for an organization may have been made by a person of the live realm.
 */
export function endSecretsAfterRecovery(live: Realm, sandbox: Realm): void {
  live.accounts.accounts.onRecovery(async (ppid) => {
    const { applications } = sandbox.oauth
    for (const { client_id } of await applications.listOfSecret(ppid)) {
      await applications.endSecret(client_id, personOwner(ppid))
    }
  })
}
