import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify'
import { LRUCache } from 'lru-cache'

import { requestKeyOf, type RequestKey } from '#actors/journal/idempotency.ts'
import {
  isBeingCarriedOut,
  markReplayed,
  namedRequest,
  sentWithAnotherBody,
} from '#src/edge/idempotency_key.ts'
import type { Right } from '#src/identity/keys/scope.ts'

/** How long the reply to a named write is kept, in milliseconds, and of how many writes. */
const replyMs = 24 * 3_600_000
const repliesMax = 65_536

/** Bytes of all replies that are kept, and of one. A longer one is made again. */
const repliesBytesMax = 33_554_432
const replyBytesMax = 262_144

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route that demands a right to write only checks what would be written. */
    readonly writesNothing?: boolean
  }
}

/** What an entry takes beside the body of its reply, about. */
const entryBytes = 1_024

/** A reply as it was sent, with the digest of the body that it answers. */
type KeptReply = {
  readonly bodyHash: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const keptHeaders = ['content-type', 'cache-control', 'etag', 'location', 'x-svc-environment']

// What these made may be erased, and so are they answered from what stands: their commands look up
// the name in the journal themselves. Changes of works do so too, for after a restart.
const answeredFromRecords: ReadonlySet<Right> = new Set<Right>(['mint works', 'add affiliations'])

/** Whether a route writes on behalf of a caller, and so takes an `Idempotency-Key`. */
export function takesIdempotencyKey({
  method,
  config,
}: Pick<RouteOptions, 'method' | 'config'>): boolean {
  const isUnsafe = [method].flat().some((name) => !['GET', 'HEAD', 'OPTIONS'].includes(name))
  const { right, writesNothing = false } = config ?? {}
  return isUnsafe && right !== undefined && right !== 'verify receipts' && !writesNothing
}

/**
 * Carries out every write that has an `Idempotency-Key` once: whoever sends it again is given the
 * reply that was sent first, 422 with another body, and 409 as long as there is no reply. The
 * replies are kept in memory, as long as there is room; after a restart, a write that is sent again
 * is either replayed from the journal or finds that all is as it says already.
 */
export function registerKeyedWrites(server: FastifyInstance, elapsedMs: () => number): void {
  const replies = new LRUCache<string, KeptReply>({
    max: repliesMax,
    maxSize: repliesBytesMax,
    sizeCalculation: ({ body }) => entryBytes + body.length,
    ttl: replyMs,
    perf: { now: elapsedMs },
  })
  const underWay = new Map<string, FastifyRequest>()
  const named = new WeakMap<FastifyRequest, RequestKey>()

  const begin: preHandlerHookHandler = (request, reply, done) => {
    const key = nameOf(request)
    if (key === undefined) return done()
    const kept = replies.get(key.key)
    if (kept !== undefined) {
      if (kept.bodyHash !== key.body_hash) return done(sentWithAnotherBody())
      replay(reply, kept)
      return
    }
    if (underWay.has(key.key)) return done(isBeingCarriedOut())
    underWay.set(key.key, request)
    named.set(request, key)
    done()
  }

  const end: onSendHookHandler = (request, reply, payload, done) => {
    const key = named.get(request)
    if (key !== undefined) {
      underWay.delete(key.key)
      const kept = keep(key, reply, payload)
      if (kept !== undefined) replies.set(key.key, kept)
    }
    done(null, payload)
  }

  // Reads, which are most of what is asked, pay nothing for this.
  server.addHook('onRoute', (route) => {
    if (!takesIdempotencyKey(route)) return
    route.preHandler = [begin, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), end]
  })
}

/** Under which name a request is carried out once; undefined if it has none, or needs none here. */
function nameOf(request: FastifyRequest): RequestKey | undefined {
  const { method, routeOptions, caller, url } = request
  const { config } = routeOptions
  const { right } = config
  if (right === undefined || answeredFromRecords.has(right)) return undefined
  if (caller.kind === 'anonymous') return undefined
  // Both families of paths name the same things.
  const address = `${caller.environment} ${method} ${url.replace(/^\/api\/v1\//, '/v1/')}`
  return requestKeyOf(caller.agent, namedRequest(request), address)
}

function keep(key: RequestKey, reply: FastifyReply, payload: unknown): KeptReply | undefined {
  const isKept = typeof payload === 'string' || payload instanceof Uint8Array
  if (reply.statusCode >= 300 || !isKept || payload.length > replyBytesMax) return undefined
  const headers: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return { bodyHash: key.body_hash, status: reply.statusCode, headers, body: payload }
}

function replay(reply: FastifyReply, { status, headers, body }: KeptReply): void {
  markReplayed(reply)
  reply.code(status).headers(headers).send(body)
}
