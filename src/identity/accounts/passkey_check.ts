import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

import type { Passkey } from '#src/identity/accounts/second_factor_rows.ts'
import type { RelyingParty } from '#src/identity/accounts/relying_party.ts'

/** Characters of what a browser tells of a passkey, at most: it is far less than that. */
const credentialCharactersMax = 16_384

/** Algorithms that are asked for, the preferred one first: ES256, Ed25519, RS256 (RFC 9053). */
export const passkeyAlgorithms: readonly number[] = [-7, -8, -257]

const transportsMax = 8
const transportForm = /^[a-z-]{1,16}$/

/** What a browser has answered, before anything of it is believed. */
export type PasskeyResponse = {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: Readonly<Record<string, unknown>>
}

/** What a passkey was asked to sign, and for whom. */
export type PasskeyQuestion = { readonly challenge: string; readonly party: RelyingParty }

/** A passkey that was made just now. */
export type MadePasskey = Pick<
  Passkey,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'is_synced'
>

/** What a passkey that has signed told of itself. */
export type PasskeyUse = {
  readonly counter: number
  /** Whether the device made sure that it is its person: by a PIN, a finger, a face. */
  readonly isVerified: boolean
  readonly isSynced: boolean
}

/** Reads what a script of ours has sent (WebAuthn §5.1, `toJSON`); undefined for what it is not. */
export function readPasskeyResponse(text: string): PasskeyResponse | undefined {
  if (text.length > credentialCharactersMax || !text.startsWith('{')) return undefined
  const answer = parse(text)
  if (!isRecord(answer)) return undefined
  const { id, rawId, type, response } = answer
  const isWhole = typeof id === 'string' && typeof rawId === 'string' && typeof type === 'string'
  return isWhole && isRecord(response) ? { id, rawId, type, response } : undefined
}

/** The handle of an account by which a passkey was found without a name, if it tells one. */
export function handleOf({ response }: PasskeyResponse): string | undefined {
  const { userHandle } = response
  return typeof userHandle === 'string' ? userHandle : undefined
}

/**
 * Verifies that a passkey was made for what was asked (WebAuthn §7.1); undefined if it was not.
 * What its maker attests is not looked at: certificates that a stranger sends name addresses of
 * lists to fetch.
 */
export async function checkMadePasskey(
  answer: PasskeyResponse,
  { challenge, party }: PasskeyQuestion,
): Promise<MadePasskey | undefined> {
  // Loaded here because most processes never verify a passkey.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const attestationObject = await unattested(answer)
  if (attestationObject === undefined) return undefined
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answerOf<RegistrationResponseJSON>(answer, { attestationObject }),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    if (!verified || isFramed(answer)) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    // The browser names the credential beside it, which nothing has signed.
    if (credential.id !== answer.id) return undefined
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: transportsOf(answer),
      is_synced: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * Verifies that a passkey of ours has signed what was asked (WebAuthn §7.2); undefined if it has
 * not. Its counter is told, and not judged: that needs what is known at the time of the judgment.
 */
export async function checkPasskeyUse(
  answer: PasskeyResponse,
  passkey: Passkey,
  { challenge, party }: PasskeyQuestion,
): Promise<PasskeyUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answerOf<AuthenticationResponseJSON>(answer),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: 0,
      },
    })
    if (!verified || isFramed(answer)) return undefined
    const { newCounter: counter, userVerified, credentialBackedUp } = authenticationInfo
    return { counter, isVerified: userVerified, isSynced: credentialBackedUp }
  } catch {
    return undefined
  }
}

/** The object of a new passkey (WebAuthn §6.5.4) without what its maker attests. */
async function unattested({ response }: PasskeyResponse): Promise<string | undefined> {
  const { attestationObject } = response
  if (typeof attestationObject !== 'string') return undefined
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import(
    '@simplewebauthn/server/helpers'
  )
  try {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get(
      'authData',
    )
    const parts: [string, string | Uint8Array | Map<never, never>][] = [
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', authData],
    ]
    return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(parts)))
  } catch {
    return undefined
  }
}

/** Whether a page of another site had ours in a frame, which our pages forbid. */
function isFramed({ response }: PasskeyResponse): boolean {
  const text = Buffer.from(String(response['clientDataJSON']), 'base64url').toString('utf8')
  const answer = parse(text)
  return !isRecord(answer) || answer['crossOrigin'] === true
}

/** What was told as the library takes it, which looks at every member that it uses. */
function answerOf<T>(
  { response, ...answer }: PasskeyResponse,
  instead: Partial<T> | object = {},
): T {
  return { ...answer, response: { ...response, ...instead }, clientExtensionResults: {} } as T
}

function transportsOf({ response }: PasskeyResponse): readonly string[] {
  const { transports } = response
  if (!Array.isArray(transports)) return []
  const known = transports.filter((each) => typeof each === 'string' && transportForm.test(each))
  return [...new Set(known as string[])].slice(0, transportsMax)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
