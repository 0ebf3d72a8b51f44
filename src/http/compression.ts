import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'

/** Compresses bytes or text for `Content-Encoding: gzip`, in a thread of its own. */
export const compress: (body: Uint8Array | string) => Promise<Buffer> = promisify(gzip)

const gzipAccepted = /(?:^|[\s,])gzip\s*(?:;\s*q=(?:0\.\d*[1-9]\d*|1(?:\.0*)?)\s*)?(?:,|$)/i

/** Whether a client says that it can read gzip (RFC 9110 §12.5.3). */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return gzipAccepted.test(headers['accept-encoding'] ?? '')
}
