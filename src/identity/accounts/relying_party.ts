import net from 'node:net'

/** Whom passkeys are made for (WebAuthn §4): browsers use them on no other site. */
export type RelyingParty = {
  /** The host of the pages. */
  readonly id: string
  /** Where the pages are: no other origin can send what a passkey has signed. */
  readonly origin: string
  /** What browsers call us. */
  readonly name: string
}

/** The relying party, or why browsers make no passkeys for pages at this address. */
export type PasskeySupport =
  | { readonly type: 'offered'; readonly party: RelyingParty }
  | { readonly type: 'impossible'; readonly why: 'ip_address' | 'insecure' | 'sandbox' }

/**
 * Whether passkeys can be used on pages at `authUrl`: its host needs a name, which passkeys are
 * bound to, and browsers take part in a secure context alone (WebAuthn §5.1.7).
 */
export function passkeySupport(authUrl: string): PasskeySupport {
  const { protocol, hostname, host, origin } = new URL(authUrl)
  if (net.isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0) {
    return { type: 'impossible', why: 'ip_address' }
  }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return { type: 'impossible', why: 'insecure' }
  return { type: 'offered', party: { id: hostname, origin, name: `Arklog at ${host}` } }
}
