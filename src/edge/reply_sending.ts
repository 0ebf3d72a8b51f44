import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

import type { Config } from '#config/schema.ts'
import { countedAddress } from '#src/edge/client_address.ts'
import { UnsentReplies } from '#src/edge/unsent_replies.ts'

/** The settings of how replies are sent. */
export type SendingConfig = Pick<
  Config,
  'SEND_STALL_MS' | 'UNSENT_BYTES_MAX' | 'UNSENT_CLIENT_BYTES_MAX'
>

/**
 * Bytes that are handed to a connection at a time. A longer reply is sent in pieces, each when the
 * one before has left, so that it is seen whether its reader takes any of it.
 */
const pieceBytes = 65_536

/** How often it is looked at who takes nothing. */
const checkEveryMs = 1_000

/**
 * Sends long replies of a server in pieces, counts what is unsent of them, and cuts off who takes
 * nothing. `elapsedMs` is a clock that only goes forward.
 */
export function registerSendingWatch(
  server: FastifyInstance,
  config: SendingConfig,
  elapsedMs: () => number,
): UnsentReplies {
  const limits = {
    bytesMax: config.UNSENT_BYTES_MAX,
    clientBytesMax: config.UNSENT_CLIENT_BYTES_MAX,
    stallMsMax: config.SEND_STALL_MS,
  }
  const unsent = new UnsentReplies(limits, elapsedMs)
  server.addHook('onRequest', (request, _reply, done) => {
    unsent.follow(request.raw.socket, countedAddress(request.ip))
    done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    const body = bodyOf(payload)
    if (body === undefined || body.length <= pieceBytes || request.method === 'HEAD') {
      done(null, payload)
      return
    }
    try {
      reply.raw.once('close', unsent.hold(request.raw.socket, body.length))
    } catch (error) {
      // They are about the reply that is not sent.
      for (const name of ['content-encoding', 'content-disposition', 'etag', 'link']) {
        reply.removeHeader(name)
      }
      done(error as Error)
      return
    }
    reply.header('content-length', body.length)
    done(null, Readable.from(piecesOf(body), { objectMode: false, highWaterMark: pieceBytes }))
  })
  const timer = setInterval(() => unsent.check(), checkEveryMs).unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
  return unsent
}

function bodyOf(payload: unknown): Uint8Array | undefined {
  if (payload instanceof Uint8Array) return payload
  // Most texts are short, and need not be encoded to see that.
  if (typeof payload !== 'string' || payload.length * 3 <= pieceBytes) return undefined
  return Buffer.from(payload)
}

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}
