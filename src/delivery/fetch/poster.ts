import type { Dispatcher } from 'undici'

import { assert } from '#log/tlog/errors.ts'
import { type AgentOptions, type Agents, createAgents } from '#src/delivery/fetch/agent.ts'
import {
  checkUrl,
  dnsLookup,
  type FetchableUrl,
  type UrlRules,
} from '#src/delivery/fetch/address_rule.ts'
import { explainOutcome, outcomeOfError } from '#src/delivery/fetch/outcome.ts'
import type { FetcherSettings } from '#src/delivery/fetch/fetcher.ts'
import { createHostPacing, type HostPacing } from '#src/delivery/fetch/host_pacing.ts'

/** What is sent where. */
export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * How a post ended: the status and the beginning of what came back; or why nothing did; or that
 * its host has to be left alone for a while, and nothing was sent.
 */
export type PostOutcome =
  | { readonly type: 'answered'; readonly status: number; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'postponed'; readonly retryAfterMs: number }
  | { readonly type: 'aborted' }

/** Sends to addresses that strangers name, without letting them reach into our network. */
export type Poster = {
  /** Whatever the address is and its server does is an outcome. No redirect is followed. */
  post(post: Post, signal: AbortSignal): Promise<PostOutcome>
  /** Ends every connection. */
  close(): Promise<void>
}

/** Characters of an answer that are kept. */
const answerBytesMax = 500

/** A poster in this thread, by the rules of fetching, with a pacing of its own. */
export function posterOf(
  settings: Omit<FetcherSettings, 'limits'> & {
    readonly limits: AgentOptions['limits'] & { readonly totalMs: number }
  },
): Poster {
  const { limits, allow, ownUrl, nameServers, egressProxy, userAgent } = settings
  const lookup = dnsLookup(nameServers && { servers: nameServers })
  return new AgentPoster({
    agents: createAgents({ limits, lookup, egressProxy }),
    pacing: createHostPacing(settings.pacing, () => performance.now()),
    rules: { allow: new Set(allow), ownUrl: new URL(ownUrl) },
    totalMs: limits.totalMs,
    hasProxy: egressProxy !== undefined,
    userAgent,
  })
}

type PosterParts = {
  readonly agents: Agents
  readonly pacing: HostPacing
  readonly rules: UrlRules
  /** Time from the turn of the host to the end of the answer. */
  readonly totalMs: number
  readonly hasProxy: boolean
  readonly userAgent: string
}

class AgentPoster implements Poster {
  readonly #parts: PosterParts

  constructor(parts: PosterParts) {
    this.#parts = parts
  }

  async post(post: Post, signal: AbortSignal): Promise<PostOutcome> {
    const { pacing, rules } = this.#parts
    const target = checkUrl(post.url, rules)
    if (target.type !== 'fetchable') return { type: 'failed', reason: explainOutcome(target) }
    try {
      const send = () => this.#send(target, post, signal)
      const paced = await pacing.run(target.url.hostname, send, signal)
      return paced.type === 'ran' ? paced.value : paced
    } catch (error) {
      if (signal.aborted) return { type: 'aborted' }
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#parts.agents.kept.destroy()
    this.#parts.pacing.close()
  }

  async #send(target: FetchableUrl, post: Post, signal: AbortSignal): Promise<PostOutcome> {
    const { agents, totalMs, hasProxy, userAgent } = this.#parts
    const { url, isNamed } = target
    const late = AbortSignal.timeout(totalMs)
    try {
      const reply = await agents.kept.to(target).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { 'user-agent': userAgent, ...post.headers },
        body: post.body,
        signal: AbortSignal.any([signal, late]),
      })
      return { type: 'answered', status: reply.statusCode, text: await beginning(reply.body) }
    } catch (error) {
      if (signal.aborted) return { type: 'aborted' }
      if (late.aborted) {
        return { type: 'failed', reason: `there was no answer within ${totalMs / 1_000} seconds` }
      }
      const viaProxy = hasProxy && !isNamed
      const outcome = outcomeOfError(error, { url: url.href, isAnswered: false, viaProxy })
      assert(outcome.type !== 'fetched', 'an error is no content')
      return { type: 'failed', reason: explainOutcome(outcome) }
    }
  }
}

/** The beginning of an answer as text; what follows, and how it ends, matters to nobody. */
async function beginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= answerBytesMax) break
    }
  } catch {
    // Its status has come, which says whether it was taken.
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString()
}
