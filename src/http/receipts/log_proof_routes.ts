import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'

import { component } from '#src/edge/reply_schemas.ts'
import { leafHash } from '#log/hash.ts'
import { encodeHex } from '#log/encoding.ts'
import type { LogReader } from '#log/log_reader.ts'
import { HttpError } from '#src/errors.ts'
import type { Admit } from '#src/edge/admission.ts'
import { integerParameter, readQuery, textParameter } from '#src/edge/query_string.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

/** A log as it is served: `prefix` is '' for the one at `/log`, `/sandbox` for the sandbox's. */
export type ServedLog = {
  readonly prefix: '' | '/sandbox'
  readonly reader: LogReader
  /** The key of its checkpoints, with its origin (C2SP signed-note). */
  readonly vkey: string
}

/** Checkpoints on one page of a log's history, at most and by default. */
const checkpointsMax = 1_000
const checkpointsDefault = 100

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

const checkpointsParameters = {
  after: integerParameter('Only checkpoints of sizes above this one.', indices),
  limit: integerParameter('Checkpoints at most.', { minimum: 1, maximum: checkpointsMax }),
}

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
  // What `after` takes for the next page; null on the last one.
  next: Type.Union([size, Type.Null()]),
})

/** Serves proofs from a log and its history of checkpoints, as JSON. */
export function registerLogProofRoutes(
  server: FastifyInstance,
  admit: Admit,
  { prefix, reader }: ServedLog,
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
        ...admit(access, checkpointsParameters),
        ...described(
          `list${which}Checkpoints`,
          'Lists checkpoints, the oldest first.',
          checkpointsReply,
        ),
      },
      (request) => listCheckpoints(reader, request),
    )
  }
}

async function proveInclusion(
  reader: LogReader,
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

async function findLeaf(reader: LogReader, entryHash: string): Promise<number> {
  const leafIndex = await reader.findLeaf(Buffer.from(entryHash, 'hex'))
  if (leafIndex !== undefined) return leafIndex
  throw new HttpError('not_found', 'The log has no entry with this hash')
}

function proveConsistency(
  reader: LogReader,
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

async function listCheckpoints(
  reader: LogReader,
  request: FastifyRequest,
): Promise<Static<typeof checkpointsReply>> {
  const { after = 0, limit = checkpointsDefault } = readQuery(request, checkpointsParameters)
  const heads = await reader.checkpoints({ after, limit })
  const last = heads.at(-1)
  const hasMore = last !== undefined && last.treeSize < reader.head().treeSize
  return {
    checkpoints: heads.map(({ treeSize, checkpoint }) => ({ tree_size: treeSize, checkpoint })),
    next: hasMore ? last.treeSize : null,
  }
}
