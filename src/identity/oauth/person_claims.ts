import type { AccountClaims } from 'oidc-provider'

import type { Person, VisibleField } from '#actors/people/port.ts'
import type { Account } from '#src/identity/accounts/account.ts'

const orcidAddress = 'https://orcid.org/'

/**
 * What an application may be told of a person (OpenID Connect Core 1.0, §5.1), before the scopes
 * that they permitted are looked at: what only the person may see is left out, but for the e-mail
 * address, which has a scope for itself, so that its permission is its visibility.
 */
export function personClaims(person: Person, account: Account): AccountClaims {
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
