import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify'

import { requestKeyOf, type RequestKey } from '#actors/journal/idempotency.ts'
import {
  isBeingCarriedOut,
  markReplayed,
  namedRequest,
  sentWithAnotherBody,
} from '#src/edge/idempotency_key.ts'
import type { KeptReplies, KeptReply } from '#src/edge/kept_replies.ts'
import type { Right } from '#src/identity/keys/scope.ts'

/** Bytes of a reply that is kept. A longer one is made again. */
const replyBytesMax = 262_144

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route that demands a right to write only checks what would be written. */
    readonly writesNothing?: boolean
  }
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
 * replies are kept as long as there is room; after a restart, a write that is sent again is either
 * replayed from the journal or finds that all is as it says already.
 */
export function registerKeyedWrites(server: FastifyInstance, replies: KeptReplies): void {
  const named = new WeakMap<FastifyRequest, RequestKey>()

  const begin: preHandlerHookHandler = (request, reply, done) => {
    const key = nameOf(request)
    if (key === undefined) return done()
    replies
      .begin(key)
      .then((begun) => {
        if (begun.type === 'kept') return replay(reply, begun.reply)
        if (begun.type === 'other_body') return done(sentWithAnotherBody())
        if (begun.type === 'under_way') return done(isBeingCarriedOut())
        named.set(request, key)
        return done()
      })
      .catch(done)
  }

  const end: onSendHookHandler = (request, reply, payload, done) => {
    const key = named.get(request)
    if (key === undefined) return done(null, payload)
    named.delete(request)
    const kept = keep(reply, payload)
    const ended = kept === undefined ? replies.abandon(key) : replies.finish(key, kept)
    ended.then(() => done(null, payload), done)
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

function keep(reply: FastifyReply, payload: unknown): KeptReply | undefined {
  const isKept = typeof payload === 'string' || payload instanceof Uint8Array
  if (reply.statusCode >= 300 || !isKept || payload.length > replyBytesMax) return undefined
  const headers: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return { status: reply.statusCode, headers, body: payload }
}

function replay(reply: FastifyReply, { status, headers, body }: KeptReply): void {
  markReplayed(reply)
  // What another thread has kept comes as bytes of no class of ours.
  const bytes =
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
  reply.code(status).headers(headers).send(bytes)
}
