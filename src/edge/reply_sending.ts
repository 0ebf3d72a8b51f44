import { Socket } from 'node:net'
import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import type { Config } from '#config/schema.ts'
import { countedAddress } from '#src/edge/caller.ts'
import { HttpError } from '#src/edge/errors.ts'

/** What may be unsent, and for how long nobody has to take any of it. */
type UnsentLimits = {
  /** Bytes of replies in all, and of one client. */
  readonly bytesMax: number
  readonly clientBytesMax: number
  /** Time in which a reader takes something of a reply, at least. */
  readonly stallMsMax: number
}

/** A connection over which something is sent. */
type Connection = {
  readonly socket: Socket
  /** The client that it is with. */
  readonly client: string
  /** Bytes of the long replies that are on their way over it. */
  heldBytes: number
  /** Bytes that its reader had taken when it was last looked at, and when it last took some. */
  takenBytes: number
  takenAtMs: number
}

/** Seconds after which who was refused may try again. */
const retryAfterSeconds = 5

/**
 * What is made for readers and not taken by them yet. It stays in memory until it is, so there is a
 * bound for each client and for all; and who takes nothing for long is cut off. Owns the list of
 * the connections that are written to.
 */
export class UnsentReplies {
  readonly #limits: UnsentLimits
  readonly #elapsedMs: () => number
  readonly #connections = new Map<Socket, Connection>()

  /** `elapsedMs` is a clock that only goes forward. */
  constructor(limits: UnsentLimits, elapsedMs: () => number) {
    this.#limits = limits
    this.#elapsedMs = elapsedMs
  }

  /** Looks after a connection until it is closed; `ip` is the address of its client. */
  follow(socket: Socket, ip: string): void {
    // What is injected into a server comes over none.
    if (this.#connections.has(socket) || !(socket instanceof Socket)) return
    const client = countedAddress(ip)
    const takenAtMs = this.#elapsedMs()
    this.#connections.set(socket, { socket, client, heldBytes: 0, takenBytes: 0, takenAtMs })
    socket.once('close', () => this.#connections.delete(socket))
  }

  /**
   * Counts a long reply until the function that is given back is called. Throws HttpError as
   * `admit` if there is no room for it.
   */
  hold(socket: Socket, bytes: number): () => void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return () => undefined
    this.#makeRoom(connection, bytes)
    connection.heldBytes += bytes
    // It is to be taken from now on.
    connection.takenAtMs = this.#elapsedMs()
    return () => {
      connection.heldBytes -= bytes
    }
  }

  /**
   * Sees to it that there is room for a reply over a connection before it is made. Throws HttpError
   * `rate_limit_exceeded` if its client has too much to take already, `unavailable` if all have.
   */
  admit(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection !== undefined) this.#makeRoom(connection, 1)
  }

  /** Ends the connections whose readers have taken nothing for too long. */
  check(): void {
    for (const connection of this.#connections.values()) {
      this.#look(connection)
      if (this.#quietMs(connection) >= this.#limits.stallMsMax) connection.socket.destroy()
    }
  }

  #look(connection: Connection): void {
    const { socket } = connection
    const takenBytes = socket.bytesWritten - socket.writableLength
    if (takenBytes === connection.takenBytes && unsentBytes(connection) > 0) return
    connection.takenBytes = takenBytes
    connection.takenAtMs = this.#elapsedMs()
  }

  #quietMs({ takenAtMs }: Connection): number {
    return this.#elapsedMs() - takenAtMs
  }

  #makeRoom({ client }: Connection, bytes: number): void {
    const { bytesMax, clientBytesMax } = this.#limits
    const ofClient = (connection: Connection) => connection.client === client
    if (!this.#hasRoom(bytes, clientBytesMax, ofClient)) throw tooMuchOfClient()
    if (!this.#hasRoom(bytes, bytesMax, () => true)) throw tooMuch()
  }

  /** Whether so many more bytes are allowed, once who takes nothing has been cut off for them. */
  #hasRoom(bytes: number, max: number, isCounted: (connection: Connection) => boolean): boolean {
    const counted = [...this.#connections.values()].filter(isCounted)
    let unsent = counted.reduce((sum, connection) => sum + unsentBytes(connection), 0)
    // A reply that is alone may be of any length.
    if (unsent === 0 || unsent + bytes <= max) return true
    for (const connection of counted.toSorted((a, b) => unsentBytes(b) - unsentBytes(a))) {
      this.#look(connection)
      if (unsentBytes(connection) === 0 || this.#quietMs(connection) < quietMsMin) continue
      unsent -= unsentBytes(connection)
      connection.socket.destroy()
      if (unsent + bytes <= max) return true
    }
    return false
  }
}

/** Time without taking anything after which a reader makes room for others. */
const quietMsMin = 2_000

function unsentBytes({ socket, heldBytes }: Connection): number {
  return socket.destroyed ? 0 : Math.max(heldBytes, socket.writableLength)
}

function tooMuchOfClient(): HttpError {
  const message = 'Read the replies to your earlier requests first'
  return new HttpError('rate_limit_exceeded', message, {
    extra: { retry_after: retryAfterSeconds },
  })
}

function tooMuch(): HttpError {
  const message = 'Too many replies are still to be read; try again after a moment'
  return new HttpError('unavailable', message, { extra: { retry_after: retryAfterSeconds } })
}

/** The settings of how replies are sent. */
export type SendingConfig = Pick<
  Config,
  'SEND_STALL_MS' | 'UNSENT_BYTES_MAX' | 'UNSENT_CLIENT_BYTES_MAX'
>

/**
 * Bytes that are handed to a connection at a time. A longer reply is sent in pieces, each when the
 * one before has left, so that it is seen whether its reader takes any of it.
 */
export const pieceBytes = 65_536

/** How often it is looked at who takes nothing. */
const checkEveryMs = 1_000

/** What is unsent on a server. `elapsedMs` is a clock that only goes forward. */
export function createUnsentReplies(config: SendingConfig, elapsedMs: () => number): UnsentReplies {
  const limits = {
    bytesMax: config.UNSENT_BYTES_MAX,
    clientBytesMax: config.UNSENT_CLIENT_BYTES_MAX,
    stallMsMax: config.SEND_STALL_MS,
  }
  return new UnsentReplies(limits, elapsedMs)
}

/**
 * Sends long replies of a server in pieces, counts what is unsent of them, and cuts off readers
 * that take nothing. Connections are watched once they are followed (`UnsentReplies.follow`).
 */
export function sendInPieces(server: FastifyInstance, unsent: UnsentReplies): void {
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
