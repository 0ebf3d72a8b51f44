import { createHmac } from 'node:crypto'

import { type Ed25519Key, sign } from '#log/tlog/ed25519.ts'
import type { Poster, PostOutcome } from '#src/delivery/fetch/poster.ts'
import type { Delivery } from '#src/delivery/webhooks/delivery_rows.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { Message } from '#src/delivery/webhooks/event.ts'

/** Bytes of a secret: the specification asks for 24 to 64. */
const secretBytes = 32

/** A message as it is signed: its id, when it is sent in seconds since 1970, and its body. */
type SignedMessage = {
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

/** A try, before it has its number. */
type Tried = {
  readonly delivery: Omit<Delivery, 'number' | 'seq'>
  readonly outcome: PostOutcome
}

/** What sends messages: times in milliseconds since 1970. */
export type SenderOptions = {
  readonly endpoints: { readonly secretsOf: (endpoint: Endpoint) => readonly string[] }
  readonly poster: Poster
  readonly nowMs: () => number
}

/** Signs a message and sends it once; `key` is the one of the endpoint. */
export async function sendOnce(
  { endpoints, poster, nowMs }: SenderOptions,
  { endpoint, key }: { readonly endpoint: Endpoint; readonly key: Ed25519Key },
  { id, type, body }: Message,
  signal: AbortSignal,
): Promise<Tried> {
  const sentMs = nowMs()
  const secrets = endpoints.secretsOf(endpoint)
  const signed = { id, timestamp: Math.floor(sentMs / 1_000), body }
  const headers = { 'content-type': 'application/json', ...signedHeaders(signed, secrets, key) }
  const outcome = await poster.post({ url: endpoint.url, headers, body }, signal)
  const answer =
    outcome.type === 'answered' ? { status: outcome.status, text: outcome.text } : undefined
  const delivery = {
    message: id,
    type,
    at: new Date(sentMs).toISOString(),
    duration_ms: Math.max(0, nowMs() - sentMs),
    body,
    delivered: answer !== undefined && answer.status >= 200 && answer.status < 300,
    ...(answer && { answer }),
    ...(outcome.type === 'failed' && { problem: outcome.reason }),
  }
  return { delivery, outcome }
}
