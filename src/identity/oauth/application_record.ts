import type { Owner } from '#actors/values/agent.ts'
import type { Suspendable } from '#actors/values/authority.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { normalForm } from '#actors/values/text.ts'
import { oauthScopeNames } from '#src/identity/oauth/oauth_scopes.ts'

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
  /** Where it may have people sent who sign out; by default, as `redirect_uris`. */
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

/** All whose suspension stops an application: itself, and whose it is. */
export function partiesOf({
  client_id,
  organization,
  owner,
}: Pick<Application, 'client_id' | 'organization' | 'owner'>): readonly Suspendable[] {
  const itself = { type: 'application', id: client_id } as const
  if (organization !== null) return [itself, { type: 'organization', id: organization }]
  return owner.type === 'person' ? [itself, { type: 'account', id: owner.id }] : [itself]
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

/** An application as its maker asks for it; what is left out takes its default. */
export type ApplicationRequest = {
  readonly name: string
  readonly redirect_uris: readonly string[]
  /** By default, or without any, those of `redirect_uris`. */
  readonly post_logout_redirect_uris?: readonly string[]
  /** By default, `confidential`. */
  readonly kind?: 'confidential' | 'public'
  /** By default, every scope. */
  readonly scopes?: readonly string[]
  readonly organization?: string
  readonly homepage?: string
  readonly logo_uri?: string
  readonly contact?: string
}

const nameCharactersMax = 100
const addressCharactersMax = 2_048
const contactCharactersMax = 254
const redirectUrisMax = 20

// Neither of these is what it looks like on a page: controls, and marks that turn the text round.
const misleadingCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const mailForm = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@<>"(),:;[\]\\]+$/
const loopbackHosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Checks a request against every rule and names all its faults at once. Whether there is such an
 * organization, and whether the owner may speak for it, is for the caller to know.
 */
export function checkNewApplication(
  request: ApplicationRequest,
  owner: Owner,
):
  | { readonly type: 'ok'; readonly application: NewApplication }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] } {
  const { kind = 'confidential', homepage = null, logo_uri = null, contact = null } = request
  const { post_logout_redirect_uris: afterLogout = [] } = request
  const application: NewApplication = {
    name: normalForm(request.name.trim(), 'NFC'),
    kind,
    redirect_uris: [...new Set(request.redirect_uris)],
    ...(afterLogout.length > 0 && { post_logout_redirect_uris: [...new Set(afterLogout)] }),
    scopes: request.scopes === undefined ? oauthScopeNames : [...new Set(request.scopes)],
    organization: request.organization ?? null,
    owner,
    homepage,
    logo_uri,
    contact,
  }
  const faults = [
    ...nameFaults(application.name),
    ...redirectFaults(application),
    ...uriFaults('post_logout_redirect_uris', afterLogout, kind),
    ...scopeFaults(application.scopes),
    ...addressFaults('homepage', homepage),
    ...addressFaults('logo_uri', logo_uri),
    ...contactFaults(contact),
  ]
  return faults.length === 0 ? { type: 'ok', application } : { type: 'invalid', faults }
}

/** Whether an address is one of the machine that the person sits at (RFC 8252 §7.3). */
export function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && loopbackHosts.includes(hostname)
}

// A domain name in reverse, which tells it from schemes that do something else; one slash follows.
const privateUse = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:\/(?!\/)/

/** Whether an address is of a scheme that an app has for itself (RFC 8252 §7.1). */
export function isPrivateUse(uri: string): boolean {
  return privateUse.test(uri)
}

/** Whether it is a program on the person's own machine that people are sent back to. */
export function isOfDevice(uri: string): boolean {
  return isLoopback(uri) || isPrivateUse(uri)
}

function nameFaults(name: string): FieldFault[] {
  if (name === '') return [fault('name', 'required', 'An application needs a name.')]
  if (name.length > nameCharactersMax) {
    return [fault('name', 'too_long', `A name has at most ${nameCharactersMax} characters.`)]
  }
  if (misleadingCharacters.test(name)) {
    return [fault('name', 'invalid', 'A name has no control or formatting characters.')]
  }
  return []
}

function redirectFaults({ redirect_uris: uris, kind }: NewApplication): FieldFault[] {
  if (uris.length === 0) {
    const message = 'An application needs at least one address to send people back to.'
    return [fault('redirect_uris', 'required', message)]
  }
  return uriFaults('redirect_uris', uris, kind)
}

function uriFaults(
  field: string,
  uris: readonly string[],
  kind: NewApplication['kind'],
): FieldFault[] {
  if (uris.length > redirectUrisMax) {
    const message = `An application has at most ${redirectUrisMax} such addresses.`
    return [fault(field, 'too_long', message)]
  }
  return uris.flatMap((uri) => {
    const wrong = whyNoRedirect(uri, kind)
    return wrong === undefined ? [] : [fault(field, 'invalid', `"${uri}" ${wrong}.`)]
  })
}

/** What is wrong with an address to send people back to (RFC 9700 §2.1, RFC 8252 §7). */
function whyNoRedirect(uri: string, kind: NewApplication['kind']): string | undefined {
  const url = URL.parse(uri)
  if (url === null || uri.length > addressCharactersMax) return 'is not an address'
  // What is compared is the text: one that a browser would write otherwise is never equal.
  if (url.href !== uri && url.href !== `${uri}/`) return `must be written as ${url.href}`
  if (uri.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must have no user name or password'
  if (uri.includes('*')) return 'must be a whole address, without *'
  if (url.protocol === 'https:' && !loopbackHosts.includes(url.hostname)) return undefined
  if (isLoopback(uri)) return undefined
  if (kind === 'public' && isPrivateUse(uri)) return undefined
  const own = kind === 'public' ? ', or of the app’s own scheme, as com.example.app:/back' : ''
  return `must be https, or http to 127.0.0.1, [::1] or localhost for a program on the desk${own}`
}

function scopeFaults(scopes: readonly string[]): FieldFault[] {
  if (scopes.length === 0) {
    return [fault('scopes', 'required', 'An application needs at least one scope.')]
  }
  return scopes
    .filter((scope) => !oauthScopeNames.includes(scope))
    .map((scope) => {
      const known = oauthScopeNames.join(', ')
      return fault('scopes', 'invalid', `"${scope}" is not a scope; scopes are ${known}.`)
    })
}

function addressFaults(field: string, address: string | null): FieldFault[] {
  if (address === null) return []
  const url = URL.parse(address)
  const isWritten = url?.href === address || url?.href === `${address}/`
  const isFine = isWritten && url?.protocol === 'https:' && url.username === ''
  return isFine && address.length <= addressCharactersMax
    ? []
    : [fault(field, 'invalid', 'It must be an https address.')]
}

function contactFaults(contact: string | null): FieldFault[] {
  if (contact === null) return []
  if (contact.length <= contactCharactersMax && mailForm.test(contact)) return []
  return [fault('contact', 'invalid', 'It must be an e-mail address.')]
}

function fault(field: string, code: string, message: string): FieldFault {
  return { field, code, message }
}
