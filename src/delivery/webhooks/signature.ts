import { createHmac } from 'node:crypto'

import { type Ed25519Key, sign } from '#log/tlog/ed25519.ts'

/** Bytes of a secret: the specification asks for 24 to 64. */
const secretBytes = 32

/** A message as it is signed: its id, when it is sent in seconds since 1970, and its body. */
export type SignedMessage = {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

/** A new symmetric secret, `whsec_` and base64 (Standard Webhooks, "Signature scheme"). */
export function newSecret(random: (bytes: number) => Uint8Array): string {
  return `whsec_${Buffer.from(random(secretBytes)).toString('base64')}`
}

/** A public key as Standard Webhooks writes it, `whpk_` and base64. */
export function formatPublicKey(key: Pick<Ed25519Key, 'publicKey'>): string {
  return `whpk_${Buffer.from(key.publicKey).toString('base64')}`
}

/**
 * The three headers of Standard Webhooks. `webhook-signature` has a `v1` (HMAC-SHA256) for each
 * secret, so that who has either of them can verify, and a `v1a` (Ed25519).
 */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
  key: Pick<Ed25519Key, 'privateKey'>,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  const hmacs = secrets.map((secret) => {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`
  })
  const ed25519 = `v1a,${Buffer.from(sign(content, key)).toString('base64')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [...hmacs, ed25519].join(' '),
  }
}
