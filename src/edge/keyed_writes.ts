import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify'

import {
  type Idempotency,
  idempotencyOf,
  requestKeyOf,
  type RequestKey,
} from '#actors/journal/idempotency.ts'
import type { KeptReplies, KeptReply } from '#src/edge/kept_replies.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Right } from '#src/identity/keys/scope.ts'

const keyForm = /^[\x21-\x7e]{1,255}$/

/**
 * The `Idempotency-Key` of a request: the client's own name for it, by which it can be sent again.
 * Throws HttpError `bad_request` for one that cannot be a name.
 */
export function readIdempotencyKey({
  headers,
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'] as string | undefined
  if (key === undefined || keyForm.test(key)) return key
  throw new HttpError('bad_request', 'Idempotency-Key must have 1 to 255 visible ASCII characters')
}

/** The same with the digest of its body. */
export function namedRequest(request: FastifyRequest): Idempotency | undefined {
  const key = readIdempotencyKey(request)
  return key === undefined ? undefined : idempotencyOf(key, request.body)
}

/** Marks a reply as that of the request that was sent first under the same name. */
export const replayedHeader = { 'idempotent-replayed': 'true' } as const

/** The refusal of a request whose name belongs to another one. */
export function sentWithAnotherBody(): HttpError {
  const message = 'This Idempotency-Key was sent before with another body'
  return new HttpError('validation_failed', message)
}

/** Bytes of a reply that is kept. A longer one is made again. */
const replyBytesMax = 262_144

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route that demands a right to write only checks what would be written. */
    readonly writesNothing?: boolean
  }
}

const keptHeaders = ['content-type', 'cache-control', 'etag', 'location', 'x-svc-environment']

// What these made may be erased, so their replies are not kept: the journal has their names, and
// answers from what stands. It has those of changes of works too, for after a restart.
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
 * Carries out every write that has an `Idempotency-Key` once: a request that is sent again gets the
 * reply that was sent first, 422 with another body, and 409 as long as there is no reply. The
 * replies are kept as long as there is room; after that, and after a restart, a write that is sent
 * again is replayed from the journal or finds that all is as it says already.
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
        if (begun.type === 'under_way') {
          const message = 'A request with this Idempotency-Key is being carried out'
          return done(new HttpError('conflict', message))
        }
        named.set(request, key)
        return done()
      })
      .catch(done)
  }

  // Reads, which are most of what is asked, pay nothing for this.
  server.addHook('onRoute', (route) => {
    if (takesIdempotencyKey(route)) {
      route.preHandler = [begin, ...[route.preHandler ?? []].flat()]
    }
  })

  // Not a hook of the route, for those see the body when it is coded.
  server.addHook('onSend', (request, reply, payload, done) => {
    const key = named.get(request)
    if (key === undefined) return done(null, payload)
    named.delete(request)
    const kept = keep(request, reply, payload)
    const ended = kept === undefined ? replies.abandon(key) : replies.finish(key, kept)
    ended.then(() => done(null, payload), done)
  })
}

/** Under which name a request is carried out once; undefined if it has none. */
function nameOf(request: FastifyRequest): RequestKey | undefined {
  const { method, caller, url } = request
  if (caller.kind === 'anonymous') return undefined
  // Both families of paths name the same things.
  const address = `${caller.environment} ${method} ${url.replace(/^\/api\/v1\//, '/v1/')}`
  return requestKeyOf(caller.agent, namedRequest(request), address)
}

function keep(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): KeptReply | undefined {
  const { right } = routeOptions.config
  if (right !== undefined && answeredFromRecords.has(right)) return undefined
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
  reply.headers(replayedHeader)
  // What another thread has kept comes as bytes of no class of ours.
  const bytes =
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
  reply.code(status).headers(headers).send(bytes)
}
