import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { AccountService } from '#src/use_cases/account_service.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import type { OAuthService } from '#src/identity/oauth/oauth.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'

/**
 * The people of one environment, and all that acts for them. Each has its own part of the identity
 * store, so that nothing of one is found in the other. `keys` of the live realm are also those of
 * organizations and of the operator, for whichever environment each of them is; those of the
 * sandbox are of its people only.
 */
export type Realm = {
  readonly accounts: AccountService
  readonly oauth: OAuthService
  readonly keys: KeyStore
  /** Where organizations hear of what happens to their works. */
  readonly webhooks: EndpointStore
}

/** Both realms: what is given as it is belongs to the live one. */
export type Realms = Realm & { readonly sandbox: Realm }

/** The realm of an environment. */
export function realmOf(realms: Realms, name: EnvironmentName): Realm {
  return name === 'sandbox' ? realms.sandbox : realms
}
