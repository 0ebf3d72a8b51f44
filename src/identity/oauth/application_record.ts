import type { Owner } from '#actors/values/agent.ts'

/**
 * How far an application is trusted. Everybody may permit an `unverified` one something, and is
 * told that nobody has looked at it; an administrator makes it `approved`; `revoked` is for good.
 */
export type ApplicationState = 'unverified' | 'approved' | 'revoked'

/** An application that people can permit to act for them (RFC 6749 §2), as it may be shown. */
export type Application = {
  readonly client_id: string
  readonly name: string
  /** `public`: it runs where its users can read it, and has no secret. */
  readonly kind: 'confidential' | 'public'
  /** Where it may have people sent back to, each exactly; a loopback address on any port. */
  readonly redirect_uris: readonly string[]
  /** Where it may have people sent who sign out; unless told, as `redirect_uris`. */
  readonly post_logout_redirect_uris?: readonly string[]
  /** The most that it may ask for. */
  readonly scopes: readonly string[]
  /** The slug of the organization whose it is; null: it is a person's or the operator's. */
  readonly organization: string | null
  /** Who registered it: a person or the operator. */
  readonly owner: Owner
  readonly homepage: string | null
  readonly logo_uri: string | null
  /** An e-mail address. */
  readonly contact: string | null
  readonly state: ApplicationState
  readonly created_at: string
  readonly updated_at: string
}

/**
 * The slug of the organization as which an application writes for people; null if it writes as
 * them. Anyone who reads a public application has all that it has, so that it never speaks for its
 * organization.
 */
export function writingOrganization({
  kind,
  organization,
}: Pick<Application, 'kind' | 'organization'>): string | null {
  return kind === 'confidential' ? organization : null
}

/** HMAC-SHA256 of a secret under the pepper, 64 hex digits. */
type SecretDigest = string

/** An application with what its secrets are recognized by. */
export type ApplicationRecord = {
  readonly application: Application
  readonly secret: SecretDigest | null
  /** To whom the newest secret was shown; null: to nobody. */
  readonly secret_by?: Pick<Owner, 'type' | 'id'> | null
  /** The secret before the newest, which works until a time, so that nothing stops meanwhile. */
  readonly former_secret: { readonly digest: SecretDigest; readonly until: string } | null
}

/** An application that was asked for, checked. */
export type NewApplication = Pick<
  Application,
  | 'name'
  | 'kind'
  | 'redirect_uris'
  | 'post_logout_redirect_uris'
  | 'scopes'
  | 'organization'
  | 'owner'
  | 'homepage'
  | 'logo_uri'
  | 'contact'
>
