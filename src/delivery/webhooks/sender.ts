import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import type { Poster, PostOutcome } from '#src/delivery/fetch/poster.ts'
import type { Delivery } from '#src/delivery/webhooks/delivery.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import type { Message } from '#src/delivery/webhooks/event.ts'
import { signedHeaders } from '#src/delivery/webhooks/signature.ts'

/** A try, before it has its number. */
export type Tried = {
  readonly delivery: Omit<Delivery, 'number' | 'seq'>
  readonly outcome: PostOutcome
}

/** What sends messages: times in milliseconds since 1970. */
export type SenderOptions = {
  readonly endpoints: Pick<EndpointStore, 'secretsOf'>
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
