import type { FastifyInstance, FastifyRequest } from 'fastify'

import { parseEntriesPath, parseTilePath } from '#log/tlog/tile.ts'
import { HttpError } from '#src/errors.ts'
import {
  type LogEdge,
  registerLogProofRoutes,
  type ServedLog,
} from '#src/http/log/log_proof_routes.ts'
import { registerWitnessRoutes } from '#src/http/log/witness_routes.ts'
import { rawPath } from '#src/edge/request_path.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { KeptBodies, sendTagged, tagBytes } from '#src/edge/kept_bodies.ts'
import { sendPlain } from '#src/edge/rendered_reply.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'

const newestDescription =
  'The newest checkpoint, a signed note, with the cosignatures that it has by now.'

const witnessedDescription = 'The newest checkpoint with the cosignatures that its policy demands.'

/** A tile, full or partial, never changes: a year, the longest that caches understand. */
const immutableHeaders = {
  'content-type': 'application/octet-stream',
  'cache-control': 'public, max-age=31536000, immutable',
}

/**
 * Serves a log to everybody: its checkpoint, its tiles and entries byte for byte (C2SP tlog-tiles),
 * proofs from it, and its key for who has no better way to learn it. A path that is not the
 * canonical one is 404, so that no cache keeps a reply under two names.
 */
export function registerLogRoutes(server: FastifyInstance, edge: LogEdge, log: ServedLog): void {
  const { admit } = edge
  const { prefix, reader, vkey } = log
  const kept = new KeptBodies()
  const admission = admit({ type: 'public', limit: 'log' })
  const which = prefix === '' ? '' : 'Sandbox'
  const answerIn = (noun: string, description: string, type: string) => {
    const response = { 200: contentReply(description, type) }
    return { ...admission, schema: { operationId: `get${which}${noun}`, tags: ['log'], response } }
  }
  const bytes = 'application/octet-stream'
  const readTile = (path: string): PlainReply => {
    const tile = parseTilePath(path)
    const { bytes: body, etag } = kept.readAtOnce(path, () => reader.tile(tile))
    return { status: 200, headers: { ...immutableHeaders, etag }, body, isCurrent: () => true }
  }
  const answered = answerIn('Tile', 'The bytes of the tile.', bytes)
  const plainRead = (rest: string) => readTile(`tile/${rest}`)
  const tiles = { ...answered, config: { ...answered.config, plainRead } }
  const bundleOptions = answerIn('Entries', 'The bytes of the entry bundle.', bytes)

  const checkpoint = answerIn('Checkpoint', newestDescription, 'text/plain')
  server.get(`${prefix}/log/checkpoint`, checkpoint, (request, reply) => {
    if (pathInLog(request, prefix) !== 'checkpoint') throw notCanonical()
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('cache-control', 'no-cache')
    return sendTagged(request, reply, tagBytes(Buffer.from(reader.newestCheckpoint().checkpoint)))
  })

  const ofQuorum = answerIn('WitnessedCheckpoint', witnessedDescription, 'text/plain')
  server.get(`${prefix}/log/checkpoint/witnessed`, ofQuorum, (request, reply) => {
    if (pathInLog(request, prefix) !== 'checkpoint/witnessed') throw notCanonical()
    const { witnessed } = reader.cosigned()
    if (witnessed === undefined) {
      throw new HttpError('not_found', 'No checkpoint of this log has been witnessed')
    }
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('cache-control', 'no-cache')
    return sendTagged(request, reply, tagBytes(Buffer.from(witnessed.checkpoint)))
  })

  const ownKey = answerIn('LogKey', 'The key of its checkpoints, as a verifier key.', 'text/plain')
  server.get(`${prefix}/log/vkey`, ownKey, (request, reply) => {
    if (pathInLog(request, prefix) !== 'vkey') throw notCanonical()
    reply.header('content-type', 'text/plain; charset=utf-8')
    reply.header('cache-control', 'public, max-age=300')
    return reply.send(`${vkey}\n`)
  })

  server.get(`${prefix}/log/tile/*`, tiles, (request, reply) => {
    return sendPlain(request, reply, readTile(pathInLog(request, prefix)))
  })

  server.get(`${prefix}/log/tile/entries/*`, bundleOptions, async (request, reply) => {
    const path = pathInLog(request, prefix)
    const { index, width } = parseEntriesPath(path)
    // Entries are text; hashes, in the other tiles, cannot be compressed.
    const bundle = await kept.readCoded(reply, path, () => reader.entryBundle(index, width))
    reply.headers(immutableHeaders)
    return sendTagged(request, reply, bundle)
  })

  registerLogProofRoutes(server, edge, { ...log, kept })
  registerWitnessRoutes(server, edge, log)
}

/** The raw path below the log's address: what is encoded stays so, and then is no tile's path. */
function pathInLog(request: FastifyRequest, prefix: string): string {
  const path = rawPath(request)
  if (!path.startsWith(`${prefix}/log/`)) throw notCanonical()
  return path.slice(prefix.length + '/log/'.length)
}

function notCanonical(): HttpError {
  return new HttpError('not_found', 'A log is served at the canonical spelling of its paths only')
}
