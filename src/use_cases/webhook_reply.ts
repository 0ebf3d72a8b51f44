import type { Delivery, EndpointProgress } from '#src/delivery/webhooks/delivery_rows.ts'
import type { Endpoint } from '#src/delivery/webhooks/endpoint.ts'
import type { EndpointStore } from '#src/delivery/webhooks/endpoint_store.ts'
import { formatPublicKey } from '#src/delivery/webhooks/sender.ts'

/** An endpoint as replies, pages and commands show it: without its secrets. */
export function webhookReply(endpoints: EndpointStore, endpoint: Endpoint) {
  const { id, organization, application, url, description, events, status, failure } = endpoint
  const { created_at, updated_at, start } = endpoint
  const known = endpoints.deliveries.progress(id)
  const progress: Partial<EndpointProgress> = known?.starts === start.count ? known : {}
  const { failures = 0, held = [], nextMs } = progress
  return {
    id,
    organization,
    application: application ?? null,
    url,
    description: description ?? null,
    events,
    status,
    failure: failure === undefined ? null : { at: failure.at, reason: failure.reason },
    public_key: formatPublicKey(endpoints.signingKey(id)),
    created_at,
    updated_at,
    delivered_to: progress.after ?? start.after ?? known?.after ?? 0,
    failures,
    held: held.map(({ subject, seqs, nextMs: heldMs }) => ({
      subject,
      seqs,
      next_try_at: new Date(Math.max(heldMs, nextMs ?? 0)).toISOString(),
    })),
    next_try_at: nextMs === undefined ? null : new Date(nextMs).toISOString(),
  }
}

/** The same, as whoever reads it knows it. */
export type WebhookReply = ReturnType<typeof webhookReply>

/** A try to deliver as replies and commands show it. */
export function deliveryReply(delivery: Delivery) {
  const { answer, problem, seq } = delivery
  return { ...delivery, seq: seq ?? null, answer: answer ?? null, problem: problem ?? null }
}

export type DeliveryReply = ReturnType<typeof deliveryReply>

/** A page of the tries of an endpoint, newest first; `next` is the cursor of the one after it. */
export function deliveryPage(
  endpoints: EndpointStore,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
) {
  const found = endpoints.deliveries.list(id, before, limit + 1)
  const deliveries = found.slice(0, limit)
  const next = found.length > limit ? (deliveries.at(-1)?.number ?? null) : null
  return { deliveries, next }
}
