import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'

import { encodeHex } from '#log/tlog/encoding.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { parseEntriesPath, parseTilePath } from '#log/tlog/tile.ts'
import type { Edge } from '#src/edge/edge.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { KeptBodies, sendTagged, tagBytes } from '#src/edge/kept_bodies.ts'
import { numberCursor, pageLinks, pageMembers, pagesOf } from '#src/edge/list_page.ts'
import { integerParameter, readQuery, textParameter } from '#src/edge/query_string.ts'
import { jsonType, sendPlain } from '#src/edge/rendered_reply.ts'
import { component, contentReply, nullable, time } from '#src/edge/reply_schemas.ts'
import { rawPath } from '#src/edge/request_path.ts'
import { HttpError } from '#src/edge/errors.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'
import { describeWitnesses, type RegistryLog } from '#src/use_cases/public_log.ts'

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
 * proofs from it, and its key for clients that have no better way to learn it. A path that is not
 * the canonical one is 404, so that no cache keeps a reply under two names.
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

/** A log as it is served: `prefix` is '' for the one at `/log`, `/sandbox` for the sandbox's. */
export type ServedLog = {
  readonly prefix: '' | '/sandbox'
  readonly reader: RegistryLog
  /** The key of its checkpoints, with its origin (C2SP signed-note). */
  readonly vkey: string
}

/** What the routes of a log are given; `baseUrl` is the base of the links between pages. */
export type LogEdge = Pick<Edge, 'admit' | 'baseUrl'>

const sizes = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const indices = { minimum: 0, maximum: sizes.maximum - 1 }

const inclusionParameters = {
  leaf_index: integerParameter('Place of the entry in the log, from 0.', indices),
  entry_hash: textParameter(
    'Leaf hash of the entry, SHA-256(0x00 ‖ entry), in place of its leaf index.',
    /^[0-9a-f]{64}$/,
    '64 lower-case hexadecimal digits',
  ),
  tree_size: integerParameter('Size of the tree; by default the newest.', sizes),
}

const consistencyParameters = {
  from: { ...integerParameter('The smaller tree size.', sizes), required: true },
  to: integerParameter('The larger tree size; by default the newest.', sizes),
}

const checkpointPages = pagesOf({
  cursor: numberCursor,
  olderName: 'after',
  limit: 100,
  limitMax: 1_000,
  order: 'oldest',
})

const size = Type.Integer({ minimum: 0 })
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const signedNote = Type.String({ description: 'A checkpoint as a signed note.' })

const inclusionReply = component('InclusionProof', {
  leaf_index: size,
  leaf_hash: hash,
  tree_size: size,
  root_hash: hash,
  inclusion_proof: Type.Array(hash),
  // A size within a commit was never signed on its own.
  checkpoint: Type.Union([signedNote, Type.Null()]),
})

const consistencyReply = component('ConsistencyProof', {
  from: size,
  to: size,
  from_root: hash,
  to_root: hash,
  consistency_proof: Type.Array(hash),
})

const checkpointsReply = component('CheckpointPage', {
  checkpoints: Type.Array(component('Checkpoint', { tree_size: size, checkpoint: signedNote })),
  ...pageMembers(size),
})

/** Serves proofs from a log and its history of checkpoints, as JSON. */
function registerLogProofRoutes(
  server: FastifyInstance,
  { admit, baseUrl }: LogEdge,
  { prefix, reader, kept }: ServedLog & { readonly kept: KeptBodies },
): void {
  const access = { type: 'public', limit: 'log' } as const
  const which = prefix === '' ? '' : 'Sandbox'
  const described = (operationId: string, summary: string, reply: TSchema) => ({
    schema: { operationId, tags: ['log'], summary, response: { 200: reply } },
  })
  for (const versionPrefix of pathPrefixes) {
    const base = `${prefix}${versionPrefix}/log`
    server.get(
      `${base}/inclusion`,
      {
        ...admit(access, inclusionParameters),
        ...described(
          `prove${which}Inclusion`,
          'Proves that an entry is in a tree. Give either `leaf_index` or `entry_hash`.',
          inclusionReply,
        ),
      },
      (request) => proveInclusion(reader, request),
    )
    server.get(
      `${base}/consistency`,
      {
        ...admit(access, consistencyParameters),
        ...described(
          `prove${which}Consistency`,
          'Proves that a tree begins with a smaller one: `from` is no larger than `to`.',
          consistencyReply,
        ),
      },
      async (request) => proveConsistency(reader, request),
    )
    server.get(
      `${base}/checkpoints`,
      {
        ...admit(access, checkpointPages.parameters),
        ...described(
          `list${which}Checkpoints`,
          'Lists checkpoints, the oldest first unless told.',
          checkpointsReply,
        ),
      },
      (request, reply) => sendCheckpoints({ baseUrl, reader, kept }, request, reply),
    )
  }
}

async function proveInclusion(
  reader: RegistryLog,
  request: FastifyRequest,
): Promise<Static<typeof inclusionReply>> {
  const query = readQuery(request, inclusionParameters)
  if ((query.leaf_index === undefined) === (query.entry_hash === undefined)) {
    throw new HttpError('bad_request', 'Give either leaf_index or entry_hash')
  }
  const leaf_index = query.leaf_index ?? (await findLeaf(reader, query.entry_hash ?? ''))
  const tree_size = query.tree_size ?? reader.head().treeSize
  return {
    leaf_index,
    leaf_hash: encodeHex(leafHash(reader.entry(leaf_index))),
    tree_size,
    root_hash: encodeHex(reader.rootAt(tree_size)),
    inclusion_proof: reader.inclusion(leaf_index, tree_size).map(encodeHex),
    checkpoint: reader.checkpointAt(tree_size) ?? null,
  }
}

async function findLeaf(reader: RegistryLog, entryHash: string): Promise<number> {
  const leafIndex = await reader.findLeaf(Buffer.from(entryHash, 'hex'))
  if (leafIndex !== undefined) return leafIndex
  throw new HttpError('not_found', 'The log has no entry with this hash')
}

function proveConsistency(
  reader: RegistryLog,
  request: FastifyRequest,
): Static<typeof consistencyReply> {
  const { from, to = reader.head().treeSize } = readQuery(request, consistencyParameters)
  if (from === undefined) throw new HttpError('bad_request', 'The query parameter from is missing')
  if (from > to) throw new HttpError('bad_request', 'from must not be larger than to')
  return {
    from,
    to,
    from_root: encodeHex(reader.rootAt(from)),
    to_root: encodeHex(reader.rootAt(to)),
    consistency_proof: reader.consistency(from, to).map(encodeHex),
  }
}

/** What pages of checkpoints are made from. */
type CheckpointSource = {
  readonly baseUrl: string
  readonly reader: RegistryLog
  readonly kept: KeptBodies
}

/** Sends a page of checkpoints; as long as the log does not grow, it is made once. */
async function sendCheckpoints(
  source: CheckpointSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { kept, reader, baseUrl } = source
  const make = async () => Buffer.from(JSON.stringify(await listCheckpoints(source, request)))
  const name = `${reader.head().treeSize} ${pageLinks(baseUrl, request, null).self}`
  const { bytes } = await kept.readCoded(reply, name, make)
  reply.header('content-type', jsonType)
  return reply.send(bytes)
}

async function listCheckpoints(
  { baseUrl, reader }: CheckpointSource,
  request: FastifyRequest,
): Promise<Static<typeof checkpointsReply>> {
  const { cursor, order, limit: wanted } = checkpointPages.read(request)
  // The one after the page tells that there is one.
  const limit = wanted + 1
  const found =
    order === 'oldest'
      ? await reader.checkpoints({ after: cursor ?? 0, limit })
      : await reader.checkpointsBefore({ before: cursor ?? reader.head().treeSize + 1, limit })
  const heads = found.slice(0, wanted)
  const next = found.length > wanted ? (heads.at(-1)?.treeSize ?? null) : null
  return {
    checkpoints: heads.map(({ treeSize, checkpoint }) => ({ tree_size: treeSize, checkpoint })),
    next,
    links: pageLinks(baseUrl, request, next),
  }
}

const witnessesReply = component('LogWitnesses', {
  policy: nullable(
    Type.String(),
    'Who must sign, as C2SP tlog-policy; null if the log has no witnesses.',
  ),
  quorum: nullable(Type.String(), 'The same in words, such as `2 of (one, two, three)`.'),
  tree_size: Type.Integer({ minimum: 0, description: 'Entries of the newest checkpoint.' }),
  witnessed: nullable(
    component('WitnessedCheckpoint', { tree_size: size, checkpoint: Type.String() }),
    'The newest checkpoint that has its quorum.',
  ),
  witnesses: Type.Array(
    component('LogWitness', {
      name: Type.String(),
      vkey: Type.String({ description: 'Its verifier key (C2SP signed-note).' }),
      tree_size: nullable(size, 'Entries of the newest checkpoint that it has signed.'),
      signed_at: nullable(time, 'When that was, by its own clock, to the second.'),
    }),
  ),
})

/** Says who witnesses a log, and what each has signed last. */
function registerWitnessRoutes(
  server: FastifyInstance,
  { admit }: Pick<LogEdge, 'admit'>,
  { prefix, reader }: ServedLog,
): void {
  const which = prefix === '' ? '' : 'Sandbox'
  for (const versionPrefix of pathPrefixes) {
    server.get(
      `${prefix}${versionPrefix}/log/witnesses`,
      {
        ...admit({ type: 'public', limit: 'log' }, {}),
        schema: {
          operationId: `get${which}LogWitnesses`,
          tags: ['log'],
          summary: 'Tells who witnesses the log, and what each has signed last.',
          response: { 200: witnessesReply },
        },
      },
      (): Static<typeof witnessesReply> => describeWitnesses(reader),
    )
  }
}
