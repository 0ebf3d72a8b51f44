import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'

import { parseJson } from '#actors/values/serialization.ts'
import { syncFolder } from '#src/keeping/data_dir/secret_file.ts'
import { keep, readKept } from '#src/tlog_tools/monitor/monitor_state.ts'

/**
 * A report of a monitor, as others get it in JSON. `id` is the same for the same report, so
 * that one that comes twice is known; it is a file name, too.
 */
export const reportSchema = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_-]{1,200}$' }),
    type: Type.Union([Type.Literal('alarm'), Type.Literal('alarm_ended'), Type.Literal('watched')]),
    at: Type.String(),
    /** The origin of the log. */
    log: Type.String(),
    /** The kind of an alarm, or of the statement that was watched for. */
    kind: Type.String(),
    /** Where it was seen: `log`, `quorum`, a vantage point, `records`. */
    place: Type.Optional(Type.String()),
    message: Type.String(),
    /** What to do about it. */
    advice: Type.Optional(Type.String()),
    /** The folder of the state folder in which the evidence is. */
    evidence: Type.Optional(Type.String()),
    /** Of a statement that was watched for. */
    leaf_index: Type.Optional(Type.Integer()),
    leaf_hash: Type.Optional(Type.String()),
    ark: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    timestamp: Type.Optional(Type.String()),
    watches: Type.Optional(Type.Array(Type.String())),
    proof: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

export type Report = Readonly<Static<typeof reportSchema>>

/** A way out for reports. `send` throws, with the reason, if a report did not arrive. */
export type Channel = {
  readonly name: 'line' | 'command' | 'webhook'
  send(report: Report, signal: AbortSignal): Promise<void>
}

/** A report that did not go out by a channel, and why. It stays and is tried again. */
export type Undelivered = { readonly channel: Channel['name']; readonly message: string }

const keptSchema = Type.Object(
  { report: reportSchema, done: Type.Array(Type.String()) },
  { additionalProperties: false },
)

const waitingMax = 1_000

/**
 * Reports that have to go out, a file each, so that none is lost with the process. Each goes out by
 * each channel at least once: again if the process ended before that was noted.
 */
export class Outbox {
  readonly #folder: string
  readonly #waiting: Set<string>

  private constructor(folder: string, waiting: Set<string>) {
    this.#folder = folder
    this.#waiting = waiting
  }

  /** Opens the outbox of a state folder. */
  static async open(stateFolder: string): Promise<Outbox> {
    const folder = path.join(stateFolder, 'outbox')
    const names = await readdir(folder).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    })
    return new Outbox(folder, new Set(names.filter((name) => name.endsWith('.json'))))
  }

  /** How many reports wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** Whether what can wait should wait until something has gone out. */
  get isFull(): boolean {
    return this.size >= waitingMax
  }

  /** Keeps a report until it went out; durable once it returns. */
  async add(report: Report): Promise<void> {
    const name = `${report.id}.json`
    if (this.#waiting.has(name)) return
    await keep(path.join(this.#folder, name), { report, done: [] })
    this.#waiting.add(name)
  }

  /**
   * Sends what waits, alarms first. A channel that fails is left alone until the next time, so that
   * what goes out by it stays in order; the others go on. Gives the first failure of each.
   */
  async deliver(channels: readonly Channel[], signal: AbortSignal): Promise<Undelivered[]> {
    const failures = new Map<string, Undelivered>()
    for (const name of [...this.#waiting].toSorted()) {
      if (signal.aborted) break
      await this.#deliverOne(name, channels, failures, signal)
    }
    return [...failures.values()]
  }

  async #deliverOne(
    name: string,
    channels: readonly Channel[],
    failures: Map<string, Undelivered>,
    signal: AbortSignal,
  ): Promise<void> {
    const file = path.join(this.#folder, name)
    const kept = await readKept(file, keptSchema)
    const done = new Set(kept?.done)
    for (const channel of kept === undefined ? [] : channels) {
      if (done.has(channel.name) || failures.has(channel.name) || kept === undefined) continue
      try {
        await channel.send(kept.report, signal)
        done.add(channel.name)
        if (done.size < channels.length) await keep(file, { report: kept.report, done: [...done] })
      } catch (error) {
        failures.set(channel.name, { channel: channel.name, message: (error as Error).message })
      }
    }
    if (channels.some((channel) => !done.has(channel.name)) && kept !== undefined) return
    await rm(file, { force: true })
    await syncFolder(this.#folder)
    this.#waiting.delete(name)
  }
}

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
  const value = parseJson(text)
  const isList = Array.isArray(value) && value.every((word) => typeof word === 'string')
  return isList ? value : undefined
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
