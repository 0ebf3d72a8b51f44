import type { FastifyRequest } from 'fastify'

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
