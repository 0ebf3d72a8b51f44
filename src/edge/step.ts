import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'

import type { Caller } from '#src/edge/caller.ts'
import type { Use } from '#src/edge/uses.ts'

/** A request as the steps see it, whichever way it goes. */
export type EdgeRequest = Pick<
  FastifyRequest,
  'id' | 'ip' | 'method' | 'url' | 'originalUrl' | 'headers' | 'query' | 'is404'
> & {
  readonly raw: IncomingMessage
  /** Absent on the fast path. */
  readonly body?: unknown
  readonly routeOptions: {
    readonly url?: string | undefined
    readonly config: FastifyContextConfig
  }
  caller: Caller
}

/** The head of its reply, as the steps see it; names of headers are in lower case. */
export type EdgeReply = {
  statusCode: number
  header(name: string, value: string): unknown
  headers(values: Readonly<Record<string, string>>): unknown
  getHeader(name: string): string | number | string[] | undefined
  hasHeader(name: string): boolean
  removeHeader(name: string): unknown
}

/** One step of a request. It waits only if it gives a promise. Throws what the client is told. */
export type Step = (request: EdgeRequest, reply: EdgeReply) => void | Promise<void>

/** A step that only sets headers. */
export type HeaderStep = (request: EdgeRequest, reply: EdgeReply) => void

/** What is known of a reply that was sent. */
export type SentReply = {
  readonly statusCode: number
  /** Milliseconds. */
  readonly elapsedTime: number
  readonly uses: readonly Use[] | undefined
  /** Whether it only repeats the refusal that was sent before. */
  readonly isRepeated?: boolean
}

/** A step after a reply was sent; it does not throw. */
export type LastStep = (request: EdgeRequest, reply: SentReply) => void

/** Codes the body of a reply; undefined, at once or later, if it is sent as it is. */
export type CodeBody = (
  request: EdgeRequest,
  reply: EdgeReply,
  body: unknown,
) => Promise<Uint8Array | undefined> | undefined
