import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Channel } from '#src/tlog_tools/monitor/outbox.ts'

const commandMs = 30_000

/**
 * The words of a command: a JSON list of texts, or words parted by spaces. No shell reads them.
 * Undefined if there are none.
 */
export function parseCommand(text: string): readonly [string, ...string[]] | undefined {
  const words = text.startsWith('[') ? parseList(text) : text.split(' ').filter((w) => w !== '')
  const [program, ...args] = words ?? []
  return program === undefined || program === '' ? undefined : [program, ...args]
}

function parseList(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isList = Array.isArray(value) && value.every((word) => typeof word === 'string')
    return isList ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Tells a program of each report: JSON on its standard input. It has half a minute, and has taken
 * the report if it ends with exit code 0.
 */
export function commandChannel([program, ...args]: readonly [string, ...string[]]): Channel {
  return {
    name: 'command',
    async send(report, signal) {
      const child = spawn(program, args, {
        stdio: ['pipe', 'ignore', 'inherit'],
        signal: AbortSignal.any([signal, AbortSignal.timeout(commandMs)]),
        killSignal: 'SIGKILL',
      })
      // A program that reads nothing may close its input before all was written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(`${JSON.stringify(report)}\n`)
      const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null]
      if (code === 0) return
      throw new Error(`${program} ended with ${code === null ? killedBy : `exit code ${code}`}`)
    },
  }
}

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

/** The fault, in words that go on from the address; undefined if there is none. */
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
