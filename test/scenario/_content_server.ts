import type { ExecutionContext } from 'ava'

import { askChild, startNode } from '#test/bench/_process.ts'
import type { ContentOrder, HostCount } from '#test/scenario/_content_process.ts'

/** A server of content in a process of its own; what an address serves is said by its path. */
export type ContentServer = {
  /** Every host with its port, as FETCH_ALLOW names them. */
  readonly hostPorts: readonly string[]
  /** Resolves once all hosts together have seen so many requests. */
  requested(requests: number): Promise<unknown>
  /** What each host has seen so far, in their order. */
  count(): Promise<readonly HostCount[]>
  /** The requests of each path at each host. */
  countPaths(): Promise<readonly Readonly<Record<string, number>>[]>
  /** From now on, all content that is revised has this revision. */
  revise(revision: number): Promise<void>
}

/**
 * Serves content at so many hosts, each a loopback address, until the test ends. See
 * `_content_replies.ts` for the paths. Ask it one thing after the other.
 */
export async function serveContent(t: ExecutionContext, hosts: number): Promise<ContentServer> {
  const child = startNode(new URL('./_content_process.ts', import.meta.url), [String(hosts)])
  t.teardown(() => child.stop())
  const ask = async <T>(order: ContentOrder) => (await askChild(child, order)) as T
  return {
    hostPorts: await ask<string[]>({ type: 'hosts' }),
    requested: (requests) => ask({ type: 'requested', requests }),
    count: () => ask({ type: 'count' }),
    countPaths: () => ask({ type: 'count_paths' }),
    revise: (revision) => ask({ type: 'revise', revision }),
  }
}

/** An address of this machine at which nobody listens: the port is reserved (RFC 1078). */
export const closedHostPort = '127.0.1.250:1'
