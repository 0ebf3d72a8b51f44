import type { FastifyReply, FastifyRequest } from 'fastify'

import { type Idempotency, idempotencyOf } from '#actors/journal/idempotency.ts'
import { HttpError } from '#src/errors.ts'

const keyForm = /^[\x21-\x7e]{1,255}$/

/**
 * The `Idempotency-Key` of a request: the client's own name for it, by which it can be sent again.
 * Throws HttpError `bad_request` for one that cannot be a name.
 */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'] as string | undefined
  if (key === undefined || keyForm.test(key)) return key
  throw new HttpError('bad_request', 'Idempotency-Key must have 1 to 255 visible ASCII characters')
}

/** The name of a request with the digest of its body; undefined if it has none. Errors as above. */
export function namedRequest(request: FastifyRequest): Idempotency | undefined {
  const key = readIdempotencyKey(request)
  return key === undefined ? undefined : idempotencyOf(key, request.body)
}

/** Marks a reply as that of the request that was sent first under the same name. */
export function markReplayed(reply: FastifyReply): void {
  reply.header('idempotent-replayed', 'true')
}

/** The refusal of a request whose name belongs to another one. */
export function sentWithAnotherBody(): HttpError {
  const message = 'This Idempotency-Key was sent before with another body'
  return new HttpError('validation_failed', message)
}

/** The refusal of a request that came while the first of its name was not answered yet. */
export function isBeingCarriedOut(): HttpError {
  return new HttpError('conflict', 'A request with this Idempotency-Key is being carried out')
}
