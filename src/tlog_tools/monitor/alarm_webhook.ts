import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'

const requestMs = 10_000
const tries = 3
const firstPauseMs = 1_000

/** Where reports are posted, and by which key (bytes) they are signed, if by any. */
export type Webhook = {
  readonly url: string
  readonly key: Uint8Array | undefined
  readonly nowMs: () => number
}

/** The key in a secret of Standard Webhooks, `whsec_` and base64; undefined if it is none. */
export function parseWebhookSecret(text: string): Uint8Array | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(text.trim())?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
}

/**
 * Posts each report as JSON, with the headers of Standard Webhooks: `webhook-id`, the same for each
 * try, `webhook-timestamp` and, with a key, `webhook-signature`. Any 2xx has taken it. Three tries,
 * no redirects.
 */
export function webhookChannel(webhook: Webhook): Channel {
  return {
    name: 'webhook',
    async send(report, signal) {
      const body = JSON.stringify(report)
      for (let pauseMs = firstPauseMs, left = tries; ; pauseMs *= 2) {
        const fault = await post(webhook, report.id, body, signal)
        left -= 1
        if (fault === undefined) return
        if (left === 0 || signal.aborted) throw new Error(`${webhook.url} ${fault}`)
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    },
  }
}

/** What went wrong, in words that go on from the address; undefined if nothing did. */
async function post(
  { url, key, nowMs }: Webhook,
  id: string,
  body: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const timestamp = String(Math.floor(nowMs() / 1_000))
  const signed = key && createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        ...(signed && { 'webhook-signature': `v1,${signed.digest('base64')}` }),
      },
    })
    await response.body?.cancel()
    return response.ok ? undefined : `answers ${response.status}`
  } catch (error) {
    const { message, cause } = error as Error
    return `cannot be reached: ${cause instanceof Error ? cause.message : message}`
  }
}
