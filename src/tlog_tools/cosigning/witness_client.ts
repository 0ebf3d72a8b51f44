import { hash } from 'node:crypto'
import { Agent, request } from 'undici'

import { parseRetryAfter } from '#actors/values/clock.ts'
import { encodeBase64, parseDecimal } from '#log/tlog/encoding.ts'

/** A checkpoint for a witness, proven from the size that it is believed to have signed last. */
export type Submission = {
  /** 0 if it has never signed a checkpoint of the log. */
  readonly old: number
  readonly proof: readonly Uint8Array[]
  readonly checkpoint: string
}

/** How a witness has answered; none of it is verified. */
export type WitnessAnswer =
  /** Its signature lines. */
  | { readonly type: 'cosigned'; readonly lines: string }
  /** It has signed another size last. */
  | { readonly type: 'conflict'; readonly treeSize: number }
  | {
      readonly type: 'refused'
      readonly status: number
      readonly reason: string
      readonly retryAfterMs: number | undefined
    }
  | { readonly type: 'unreachable'; readonly reason: string }

/** How long a witness may take for an answer, and for a connection. */
const answerMsMax = 10_000
const connectMsMax = 5_000

// A hundred lines of the largest signatures that there are would be longer; a witness has a few.
const answerBytesMax = 65_536

const keepAliveMs = 60_000

const reasonCharactersMax = 200

/**
 * The connections to witnesses. Their addresses are the operator's, so private ones are as good as
 * any; no redirect is followed, and no proxy of the environment is used.
 */
export function openWitnessAgent(): Agent {
  return new Agent({
    connect: { timeout: connectMsMax },
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
    keepAliveTimeout: keepAliveMs,
    connections: 2,
    maxResponseSize: answerBytesMax,
  })
}

/** The settings of a client; `nowMs` is the time of day, for pauses that a witness asks for. */
export type Asking = {
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly nowMs: () => number
}

/**
 * Sends a checkpoint to the witness at a submission prefix (C2SP tlog-witness, add-checkpoint). It
 * never rejects, also where the signal ends it.
 */
export async function addCheckpoint(
  url: string,
  { old, proof, checkpoint }: Submission,
  { agent, signal, nowMs }: Asking,
): Promise<WitnessAnswer> {
  const lines = [`old ${old}`, ...proof.map(encodeBase64)]
  const ends = AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)])
  try {
    const { statusCode, headers, body } = await request(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `${lines.join('\n')}\n\n${checkpoint}`,
      dispatcher: agent,
      signal: ends,
    })
    const text = await body.text()
    if (statusCode === 200) return { type: 'cosigned', lines: text }
    const treeSize = statusCode === 409 ? readSize(text, headers['content-type']) : undefined
    if (treeSize !== undefined) return { type: 'conflict', treeSize }
    const retryAfter = headers['retry-after']
    const retryAfterMs =
      typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, nowMs()) : undefined
    return { type: 'refused', status: statusCode, reason: printable(text), retryAfterMs }
  } catch (error) {
    return { type: 'unreachable', reason: printable((error as Error).message) }
  }
}

/** The answer of a witness about a log: an unverified note, or why there is none. */
export type ServedCheckpoint =
  | { readonly type: 'served'; readonly note: string }
  | { readonly type: 'none'; readonly reason: string }

/**
 * Reads the checkpoint that a witness serves of the log `origin` (C2SP tlog-witness, Monitor
 * Retrieval). A policy has one address of each witness, so it is looked for there. It never
 * rejects.
 */
export async function readCheckpoint(
  url: string,
  origin: string,
  { agent, signal }: Asking,
): Promise<ServedCheckpoint> {
  const place = `${url}/${hash('sha256', origin)}/checkpoint`
  try {
    const { statusCode, body } = await request(place, {
      dispatcher: agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)]),
    })
    const note = await body.text()
    if (statusCode === 200) return { type: 'served', note }
    return { type: 'none', reason: `${place} answers ${statusCode}` }
  } catch (error) {
    return { type: 'none', reason: `${place}: ${printable((error as Error).message)}` }
  }
}

function readSize(text: string, contentType: unknown): number | undefined {
  const isSize = typeof contentType === 'string' && contentType.startsWith('text/x.tlog.size')
  return isSize && text.endsWith('\n') ? parseDecimal(text.slice(0, -1)) : undefined
}

// The words of a witness go into logs and onto terminals.
function printable(text: string): string {
  return text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, reasonCharactersMax)
}
