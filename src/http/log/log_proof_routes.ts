import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'

import { component, nullable } from '#src/edge/reply_schemas.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { encodeHex } from '#log/tlog/encoding.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { HttpError } from '#src/errors.ts'
import type { Edge } from '#src/edge/edge.ts'
import type { KeptBodies } from '#src/edge/kept_bodies.ts'
import {
  nextDescription,
  numberCursor,
  pageLinks,
  pageLinksSchema,
  pagesOf,
} from '#src/edge/list_page.ts'
import { integerParameter, readQuery, textParameter } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

/** A log as it is served: `prefix` is '' for the one at `/log`, `/sandbox` for the sandbox's. */
export type ServedLog = {
  readonly prefix: '' | '/sandbox'
  readonly reader: LogReader
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
  next: nullable(size, nextDescription),
  links: pageLinksSchema,
})

/** Serves proofs from a log and its history of checkpoints, as JSON. */
export function registerLogProofRoutes(
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

/** What pages of checkpoints are made from. */
type CheckpointSource = {
  readonly baseUrl: string
  readonly reader: LogReader
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
